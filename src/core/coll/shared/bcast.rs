//! Broadcast: the root writes, everybody reads. Long data passes through the root's lane, in as many
//! pieces as keep writer and readers busy at once.

use super::pieces::LANE_PIECE;
use super::{Turn, is_short, pair};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::shm::collective::LANE;

/// Longest data that one other rank copies alone from memory that it has mapped: more is a message, which both
/// copy.
const OFFERED: u64 = LANE as u64 / 4;

/// Sends `data` of `root` to every rank's `data`.
pub(in crate::coll) async fn bcast<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    let turn = Turn::begin(coll);
    let is_root = coll.rank == root;
    let by_message;
    if is_root {
        let length = data.bytes();
        if is_offered(&turn, length) && pair::give(&turn, data, None, 1 - root).await {
            return;
        }
        by_message = !send(&turn, data).await;
    } else {
        turn.contributed(root).await;
        if let Some(offer) = turn.coll_segment.offered(root, turn.number, 0) {
            match turn.agree(root, offer.length, data.bytes()) {
                true => pair::copy(&turn, data, offer).await,
                false => turn.deal(),
            }
            return turn.coll_segment.end(turn.number, false);
        }
        let (length, bytes) = turn.coll_segment.contribution(root, turn.number);
        by_message = !is_short(length)
            && coll.size == 2
            && turn.coll_segment.comes_in(root, turn.number).is_none();
        if is_short(length) {
            data.unpack(0, bytes);
        } else if !by_message {
            receive(&turn, data, root, length).await;
        }
        turn.agree(root, length, data.bytes());
    }
    turn.coll_segment.end(turn.number, false);
    // To one other rank, a message of long data takes one copy, and through the lane two.
    if by_message {
        match is_root {
            true => coll.send(data.clone(), 1 - root).await,
            false => coll.recv(data.clone(), root).await,
        }
    }
}

/// Whether the other one of two ranks copies data of this length from where it is.
fn is_offered<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size == 2 && turn.coll_segment.maps() && turn.pulls(length) && length <= OFFERED
}

/// Contributes `data`. `false`: its length alone, so it must be a message.
async fn send<N: Net>(turn: &Turn<'_, '_, N>, data: &Data) -> bool {
    let length = data.bytes();
    turn.give(length, |slot| _ = data.pack_shared(0, slot))
        .await;
    turn.coll_segment.notify();
    if is_short(length) {
        return true;
    }
    // A lane gains nothing over a message, an exchange buffer does.
    if turn.coll.size == 2 && turn.coll_segment.gone(turn.number).is_none() {
        return false;
    }
    let span = turn.lay(length, None).await;
    if span.is_exchange_buffer() {
        turn.write_pieces(span, data, LANE_PIECE, None);
        return true;
    }
    let places = span.places(LANE_PIECE);
    for index in 0..length.div_ceil(LANE_PIECE as u64) {
        if index >= places {
            // Everybody has read what lies in this place of the lane.
            turn.all_stepped(index - places + 1).await;
        }
        let position = index * LANE_PIECE as u64;
        let bytes = (length - position).min(LANE_PIECE as u64) as usize;
        turn.fill(span, span.place(index, LANE_PIECE), bytes, data, position);
        turn.step(index + 1);
    }
    true
}

async fn receive<N: Net>(turn: &Turn<'_, '_, N>, data: &Data, root: usize, length: u64) {
    let span = turn.lies(root, length);
    if span.is_exchange_buffer() {
        turn.read_pieces(root, span, data, LANE_PIECE).await;
        return turn.leave_lanes();
    }
    for index in 0..length.div_ceil(LANE_PIECE as u64) {
        turn.stepped(root, index + 1).await;
        let place = span.place(index, LANE_PIECE);
        let position = index * LANE_PIECE as u64;
        let bytes = (length - position).min(LANE_PIECE as u64) as usize;
        data.unpack(position, turn.bytes(root, span, place, bytes));
        turn.coll_segment.step(turn.number, index + 1);
        turn.coll_segment.notify_one(root);
    }
    turn.leave_lanes();
}
