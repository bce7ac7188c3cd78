//! Broadcast: the root writes, everybody reads. Long data passes through the root's lane, in as many
//! pieces as keep writer and readers busy at once.

use super::{Turn, is_short};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::shm::collective::LANE;

/// Bytes of a piece.
const PIECE: usize = LANE / DEPTH as usize;
/// Pieces that the lane holds.
const DEPTH: u64 = 8;

/// Sends `data` of `root` to every rank's `data`.
pub(in crate::coll) async fn bcast<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    let turn = Turn::begin(coll);
    if coll.rank == root {
        send(&turn, data).await;
    } else {
        turn.contributed(root).await;
        let (length, bytes) = turn.area.contribution(root, turn.number);
        match is_short(length) {
            true => _ = data.unpack(0, bytes),
            false => receive(&turn, data, root, length).await,
        }
        turn.agree(root, length, data.bytes());
    }
    turn.area.end(turn.number, false);
}

async fn send<N: Net>(turn: &Turn<'_, '_, N>, data: &Data) {
    let length = data.bytes();
    turn.slot().await;
    turn.area.write(turn.number, length, |slot| {
        data.pack(0, slot);
    });
    turn.area.notify();
    if is_short(length) {
        return;
    }
    turn.lane(None).await;
    for index in 0..length.div_ceil(PIECE as u64) {
        if index >= DEPTH {
            // Everybody has read what lies in this place of the lane.
            turn.all_stepped(index - DEPTH + 1).await;
        }
        let place = index as usize % DEPTH as usize * PIECE;
        turn.area.fill_lane(place, PIECE, |lane| {
            data.pack(index * PIECE as u64, lane);
        });
        turn.step(index + 1);
    }
}

async fn receive<N: Net>(turn: &Turn<'_, '_, N>, data: &Data, root: usize, length: u64) {
    for index in 0..length.div_ceil(PIECE as u64) {
        turn.stepped(root, index + 1).await;
        let place = index as usize % DEPTH as usize * PIECE;
        let position = index * PIECE as u64;
        let bytes = (length - position).min(PIECE as u64) as usize;
        data.unpack(position, turn.area.lane(root, place, bytes));
        turn.area.step(turn.number, index + 1);
        turn.area.notify_one(root);
    }
    turn.leave_lanes();
}
