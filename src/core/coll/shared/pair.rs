//! Reductions of two ranks that read each other's data where it is (see [`offers`](super::offers)).
//!
//! Whoever wants the result copies the other one's data in pieces and combines each while it is in the cache:
//! nothing is written for the other one to read. So an allreduce does the same work twice, but hands on no
//! result. Both combine in the order of the ranks, so both get the same bits.

use super::blockwise::pass_on;
use super::offers::place;
use super::{Turn, is_short};
use crate::coll::blocks::Temp;
use crate::coll::net::Net;
use crate::datatype::Data;
use crate::op::{Operand, Operation};
use crate::shm::collective::{LANE, WINDOW};
use crate::shm::offers::Offer;
use crate::shm::zero_copy::Blocks as Of;

/// Bytes that are copied and combined at a time: second caches hold them, and each piece costs a system call.
const COMBINED_AT_ONCE: u64 = 2 * LANE as u64;
/// Longest data of an allreduce in place whose old values are worth keeping for the other one.
const IN_PLACE: u64 = LANE as u64 / 8;
/// Longest data of a reduction to one rank: with more, two ranks should work.
const MAX_TO_ONE: u64 = COMBINED_AT_ONCE;

/// Whether both ranks of an allreduce of this length combine the other one's data where it lies, mapped. Both ranks come to the same answer.
#[inline]
pub(super) fn reduces_to_both<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size == 2 && turn.pulls(length) && turn.coll_segment.maps()
}

/// Whether a scan of this length is done so; both ranks come to the same answer.
#[inline]
pub(super) fn scans<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    // Two copies by way of lanes take less time than one by the system.
    turn.coll_segment.maps() && copies(turn, length) && length <= MAX_TO_ONE
}

/// Whether what the other rank has for a reduction of this length to one rank is copied from where it is, as both ranks find.
#[inline]
pub(super) fn reduces_to_one<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    let may = copies(turn, length) && length <= MAX_TO_ONE && turn.pulls_new(length);
    may && turn.coll_segment.prefers_offers(Of::Reduce, length)
}

/// Whether data of this length that only one rank needs is copied from where it is; both ranks come to the same
/// answer.
#[inline]
pub(super) fn copies<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size == 2 && turn.pulls(length) && !is_short(length)
}

/// Combines both ranks' `own` into both ranks' `recv` and ends the turn. `false`: nothing has happened, as not
/// both can offer theirs.
pub(super) async fn allreduce<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    recv: &Data,
    op: &Operation,
) -> bool {
    let other = 1 - turn.coll.rank;
    // In place, the other one's data must be kept until both are done.
    let simple = own.bytes() <= IN_PLACE || own.address() != recv.address();
    let mine = place(own).filter(|_| turn.coll_segment.lends() && simple);
    match mine {
        Some(offer) => turn.offer([offer].into_iter()).await,
        None => turn.announce(own.bytes()).await,
    }
    turn.contributed(other).await;
    let theirs = turn.coll_segment.offered(other, turn.number, 0);
    let length = match theirs {
        Some(offer) => offer.length,
        None => turn.coll_segment.contribution(other, turn.number).0,
    };
    let agreed = turn.agree(other, length, own.bytes());
    let offer = theirs.filter(|_| mine.is_some());
    if let Some(offer) = offer.filter(|_| agreed) {
        take(turn, own, recv, op, offer, true).await;
    }
    turn.coll_segment.end(turn.number, true);
    !agreed || offer.is_some()
}

/// Gives `own` to the root, if it can be offered, and copies it to `kept` meanwhile.
pub(super) async fn give<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    kept: Option<&Data>,
    root: usize,
) -> bool {
    let Some(offer) = place(own).filter(|_| turn.coll_segment.lends()) else {
        return false;
    };
    turn.offer([offer].into_iter()).await;
    if let Some(kept) = kept {
        turn.coll.copy(own, kept);
    }
    let refused = turn.refused(root).await;
    turn.coll_segment.end(turn.number, false);
    if refused {
        turn.coll.send(own.clone(), root).await;
    }
    true
}

/// The first rank's `own` becomes the second one's `recv`. What is longer than one rank should copy is a message.
pub(super) async fn exscan<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, recv: &Data) {
    let may = is_offered(turn, own.bytes());
    match turn.coll.rank {
        0 => pass_on(turn, Some(own), None, may, || ()).await,
        _ => pass_on(turn, None, Some(recv), may, || ()).await,
    }
}

/// Whether data of this length that passes from the first rank to the second may be copied from where it is.
#[inline]
fn is_offered<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    copies(turn, length) && length <= MAX_TO_ONE && turn.pulls_new(length)
}

/// Whether, in a scan that includes each rank itself, the first rank's data comes to the second one before that
/// combines it. It is offered, or comes through a lane; both ranks come to the same answer. Not by messages, which
/// a rank whose length is another would leave behind.
#[inline]
pub(super) fn passes_scan_on<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size == 2 && !is_short(length) && length <= WINDOW as u64
}

/// The first rank's `own` comes to the second one, which combines it with its own.
pub(super) async fn scan<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, recv: &Data, op: &Operation) {
    let coll = turn.coll;
    let may = turn.pulls_new(own.bytes());
    if coll.rank == 0 {
        let keep = || {
            if recv.address() != own.address() {
                coll.copy(own, recv);
            }
        };
        return pass_on(turn, Some(own), None, may, keep).await;
    }
    turn.contributed(0).await;
    let (announced, _) = turn.coll_segment.contribution(0, turn.number);
    if turn.coll_segment.offered(0, turn.number, 0).is_none()
        && !turn.agree(0, announced, own.bytes())
    {
        turn.leave_lanes();
        return turn.coll_segment.end(turn.number, true);
    }
    // Theirs comes where the result will be, if it may be the second operand there: one buffer less is touched.
    if op.commutative() && own.address() != recv.address() {
        pass_on(turn, None, Some(recv), may, || ()).await;
        if coll.is_fine() {
            coll.apply(op, own, recv);
        }
        return;
    }
    let theirs = Temp::of(own.count, &own.datatype);
    pass_on(turn, None, Some(&theirs.data()), may, || ()).await;
    if coll.is_fine() {
        combine(turn, op, own, (&theirs.data(), false), recv);
    }
}

/// Copies what the other rank offers into `recv`.
pub(super) async fn copy<N: Net>(turn: &Turn<'_, '_, N>, recv: &Data, offer: Offer) {
    let other = 1 - turn.coll.rank;
    let done = turn.pull(other, offer, recv);
    turn.deal();
    if !done {
        turn.coll.recv(recv.clone(), other).await;
    }
}

/// Combines `own` and what the other rank offers into `recv`. `shared`: the other one reads `own` meanwhile.
pub(super) async fn take<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    recv: &Data,
    op: &Operation,
    offer: Offer,
    shared: bool,
) {
    let (coll, other) = (turn.coll, 1 - turn.coll.rank);
    let size = own.datatype.size();
    // What the other one reads must stay until it has done so.
    let kept = shared && own.address() == recv.address();
    let most = match kept {
        true => own.count,
        false => (COMBINED_AT_ONCE / size).min(own.count),
    };
    let mut pulled = 0;
    // What is mapped here need not be copied before it is combined, unless the result comes to lie there.
    let free = !kept && (own.address() != recv.address() || coll.rank != 0);
    if free
        && own.datatype.true_lb() == 0
        && offer.length >= own.bytes()
        && let Some(at) = turn.coll_segment.view(other, offer)
    {
        let theirs = Data::new(at, own.count, own.datatype.clone());
        while pulled < own.count {
            let part = |data: &Data| data.part(pulled, most);
            let theirs = (&part(&theirs), turn.coll_segment.is_far(other));
            combine(turn, op, &part(own), theirs, &part(recv));
            pulled += most.min(own.count - pulled);
        }
    }
    // Theirs comes where the result will be if it is the second operand, which that may replace: so fewer lines are touched.
    let direct = !shared && coll.rank == 0 && own.address() != recv.address();
    let apart = pulled == 0 && !direct;
    let scratch = Temp::of(if apart { most } else { 0 }, &own.datatype);
    while pulled < own.count {
        let count = most.min(own.count - pulled);
        let theirs = match direct {
            true => recv.part(pulled, count),
            false => scratch.part(0, count),
        };
        let span = theirs.span(0, theirs.bytes());
        if !span.is_some_and(|span| turn.coll_segment.pull(other, offer, pulled * size, span)) {
            turn.coll_segment.refuse(other, turn.number);
            break;
        }
        if !kept {
            let (own, acc) = (own.part(pulled, most), recv.part(pulled, most));
            combine(turn, op, &own, (&theirs, false), &acc);
        }
        pulled += theirs.count;
    }
    turn.deal();
    let mut messages = coll.several();
    if shared && turn.refused(other).await {
        messages.send(own.clone(), other);
    }
    let missing = pulled < own.count;
    let whole = Temp::of(if missing { own.count } else { 0 }, &own.datatype);
    if missing {
        messages.recv(whole.data(), other);
    }
    messages.done().await;
    match (missing, kept) {
        (true, _) => {
            let rest = |data: &Data| data.part(pulled, own.count);
            let theirs = (&rest(&whole.data()), false);
            combine(turn, op, &rest(own), theirs, &rest(recv));
        }
        (false, true) => combine(turn, op, own, (&scratch.data(), false), recv),
        (false, false) => {}
    }
}

/// `acc` becomes the combination of `own` and `theirs`, which may be far, in the order of the ranks; `theirs` is lost.
fn combine<N: Net>(
    turn: &Turn<'_, '_, N>,
    op: &Operation,
    own: &Data,
    (theirs, far): (&Data, bool),
    acc: &Data,
) {
    let coll = turn.coll;
    match (coll.rank, own.address() == acc.address()) {
        // What is first must not lie where the result comes.
        (0, true) => {
            coll.apply(op, own, theirs);
            theirs.copy_to(acc);
        }
        (rank, _) => {
            let (own, theirs) = (Operand::of(own, false), Operand::of(theirs, far));
            let (low, high) = if rank == 0 {
                (own, theirs)
            } else {
                (theirs, own)
            };
            let result = op.combine(low, high, acc);
            coll.check(result);
        }
    }
}
