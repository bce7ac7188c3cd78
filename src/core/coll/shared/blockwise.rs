//! Collectives that move blocks as they are: gather, scatter, allgather, all-to-all.
//!
//! A rank writes what it has for the others and announces how much: what is short lies in its slot, what is
//! longer in its lane or stays where it is, offered, and the rest goes by messages. The readers learn from the announcement
//! where to look, so ranks that disagree about lengths still look in the same place.

use super::offers::{ALONE, OFFERS, place};
use super::pieces::LANE_PIECE;
use super::{Turn, is_short};
use crate::coll::blocks::{Blocks, Temp, pack};
use crate::coll::net::{Coll, Net, Several};
use crate::datatype::Data;
use crate::proto::FlowPattern;
use crate::shm::collective::{LANE, SLOT, WHOLE_LANE, WINDOW};
use crate::shm::offers::Offer;
use crate::shm::zero_copy::Blocks as Of;

/// Bytes of a rank's own block that are copied before it looks at messages again.
const OWN: u64 = LANE as u64 / 2;

/// Longest contribution that goes through the lane, or in an exchange buffer, where it is not offered; what is longer goes by messages. Two
/// ranks use part of the lane, so that who writes is an operation ahead of who reads.
#[inline(always)]
fn limit<N: Net>(turn: &Turn<'_, '_, N>) -> u64 {
    let (window, block) = (turn.coll_segment.window(), turn.coll_segment.block());
    match turn.coll.size {
        2 if block > window => block as u64,
        2 => ONWARD,
        _ => LANE as u64,
    }
}

/// The same of what one of two ranks only gives and the other one only takes, for which it comes in pieces.
const ONWARD: u64 = LANE as u64 / 2;

/// The same in a gather. Where ranks share cores messages are faster than lanes, whose lines the root still holds; of two one
/// waits for the other in either case. With a core each, who has written one window goes on to the next operation.
fn gather_limit<N: Net>(turn: &Turn<'_, '_, N>) -> u64 {
    match (turn.coll.size, turn.coll_segment.crowded()) {
        (2, _) => limit(turn),
        (_, true) => SLOT as u64,
        (_, false) => WINDOW as u64,
    }
}

/// The same for the row of a scatter.
fn scatter_limit<N: Net>(turn: &Turn<'_, '_, N>) -> u64 {
    match (turn.coll.size, turn.coll_segment.crowded()) {
        (2, _) | (_, true) => limit(turn),
        (_, false) => WHOLE_LANE as u64,
    }
}

/// Longest row of an all-to-all that goes through the lane, where it is not offered.
fn row_limit<N: Net>(turn: &Turn<'_, '_, N>) -> u64 {
    match turn.coll.size {
        2 => limit(turn),
        _ => WHOLE_LANE as u64,
    }
}

/// Writes one block that everybody (or `reader`) reads, who hears of it when so many bytes are there.
async fn write_block<N: Net>(
    turn: &Turn<'_, '_, N>,
    block: &Data,
    reader: Option<usize>,
    (limit, piece): (u64, usize),
) {
    let length = block.bytes();
    let fill = |slot: &mut [u8]| _ = block.pack_shared(0, slot);
    turn.give_or_say(length, limit, fill).await;
    turn.tell(reader);
    if is_short(length) || length > limit {
        return;
    }
    let span = turn.lay(length, reader).await;
    turn.write_pieces(span, block, piece, reader);
}

/// Contributes one block that everybody (or `reader`) reads: offers it, where it is to be `offered` and can be, or writes
/// it.
async fn give_block<N: Net>(
    turn: &Turn<'_, '_, N>,
    block: &Data,
    reader: Option<usize>,
    lengths: (u64, usize),
    offered: bool,
) -> Given {
    match place(block).filter(|_| offered) {
        Some(offer) => {
            turn.offer([offer].into_iter()).await;
            Given::Offered
        }
        None => {
            write_block(turn, block, reader, lengths).await;
            Given::Announced(block.bytes())
        }
    }
}

/// Copies this rank's own block; if the others' are longer than `limit`, they are messages, which move meanwhile. `look` is done
/// before they do.
fn copy_meanwhile<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    to: &Data,
    limit: u64,
    mut look: impl FnMut(),
) {
    if own.bytes() <= limit {
        return turn.coll.copy(own, to);
    }
    let size = own.datatype.size();
    if (size, own.count) != (to.datatype.size(), to.count) {
        return turn.coll.copy(own, to);
    }
    let most = (OWN / size.max(1)).max(1);
    for start in (0..own.count).step_by(most as usize) {
        look();
        turn.coll.net().progress();
        turn.coll
            .copy(&own.part(start, most), &to.part(start, most));
    }
}

/// Takes what other ranks have for this one.
struct Taker<'t, 'c, 'n, N: Net> {
    turn: &'t Turn<'c, 'n, N>,
    limit: u64,
    /// Bytes of a block that are told of at a time.
    piece: usize,
    /// Whether blocks are better copied from where they lie.
    prefers_offers: bool,
    /// How what goes by messages does.
    stream: FlowPattern,
    lanes: bool,
    /// Something was offered.
    offers: bool,
    /// What comes by messages.
    long: Several<'c, 'n, N>,
    /// Ranks whose messages are awaited already.
    met: Vec<usize>,
}

impl<'t, 'c, 'n, N: Net> Taker<'t, 'c, 'n, N> {
    fn new(turn: &'t Turn<'c, 'n, N>, limit: u64, prefers_offers: bool) -> Self {
        Taker {
            turn,
            limit,
            piece: LANE_PIECE,
            prefers_offers,
            stream: FlowPattern::OneWay,
            lanes: false,
            offers: false,
            long: turn.coll.several(),
            met: Vec::new(),
        }
    }

    /// Copies this rank's own block while the others come. If that takes long, those that have come and send messages are met
    /// meanwhile, so that these move. `block` is where what a rank has belongs.
    fn copy(&mut self, own: &Data, to: &Data, block: impl Fn(usize) -> Data) {
        let turn = self.turn;
        copy_meanwhile(turn, own, to, self.limit, || self.meet(&block));
    }

    /// Begins to receive what others send as messages, as far as it is known.
    fn meet(&mut self, block: impl Fn(usize) -> Data) {
        let turn = self.turn;
        for rank in turn.others() {
            let here = !self.met.contains(&rank)
                && turn.coll_segment.contributed(rank, turn.number).ready()
                && turn.coll_segment.offered(rank, turn.number, 0).is_none();
            if here && turn.coll_segment.contribution(rank, turn.number).0 > self.limit {
                self.met.push(rank);
                self.long.recv(block(rank), rank);
            }
        }
    }

    /// Takes the block that `rank` has contributed for all, or for this rank.
    async fn block(&mut self, rank: usize, block: Data) {
        if self.met.contains(&rank) {
            return;
        }
        let turn = self.turn;
        turn.contributed(rank).await;
        if let Some(offer) = turn.coll_segment.offered(rank, turn.number, 0) {
            return self.offer(rank, offer, block);
        }
        let (length, bytes) = turn.coll_segment.contribution(rank, turn.number);
        if length > self.limit {
            return self.long.recv(block, rank);
        }
        if is_short(length) {
            block.unpack(0, bytes);
        } else {
            self.lanes = true;
            let span = turn.lies(rank, length);
            turn.read_pieces(rank, span, &block, self.piece).await;
        }
        turn.agree(rank, length, block.bytes());
    }

    /// Takes this rank's block of the row that `rank` has contributed.
    async fn row(&mut self, rank: usize, block: Data) {
        let turn = self.turn;
        let row = Row::new(turn.coll.size);
        // The distance from the writer to here, less one.
        let index = turn.coll.relative(rank) - 1;
        turn.contributed(rank).await;
        if let Some(offer) = turn.coll_segment.offered(rank, turn.number, index) {
            return self.offer(rank, offer, block);
        }
        let (length, bytes) = turn.coll_segment.contribution(rank, turn.number);
        if length > self.limit {
            return self.long.recv(block, rank);
        }
        let found = if is_short(length) {
            let (start, found) = row.find(bytes, index, length);
            block.unpack(0, &bytes[start..start + found]);
            found
        } else {
            self.lanes = true;
            turn.stepped(rank, index as u64 + 1).await;
            let span = turn.lies(rank, length);
            let head = turn.bytes(rank, span, span.start, row.head() as usize);
            let (start, found) = row.find(head, index, length);
            block.unpack(0, turn.bytes(rank, span, span.start + start, found));
            found
        };
        turn.agree(rank, found as u64, block.bytes());
    }

    fn offer(&mut self, rank: usize, offer: Offer, block: Data) {
        self.offers = true;
        match self.turn.pull(rank, offer, &block) {
            true => _ = self.turn.agree(rank, offer.length, block.bytes()),
            false => self.long.recv(block, rank),
        }
    }

    /// Sends what others wait for messages of: before anything is taken what goes by messages anyway, so that they meet
    /// the others' as an exchange; after that what has been refused. `block` gives what is for a rank.
    async fn send(&mut self, given: &Given, taken: bool, block: impl Fn(usize) -> Data) {
        if taken != matches!(given, Given::Offered) {
            return;
        }
        for rank in self.turn.others() {
            if !given.apart(self.turn, rank, self.limit).await {
                continue;
            }
            match self.prefers_offers {
                true => self.long.send(block(rank), rank),
                false => self.long.stream(block(rank), rank, self.stream),
            }
        }
    }

    /// All has come.
    async fn done(&mut self) {
        self.long.done().await;
    }

    /// All has been taken, but for messages.
    fn leave(&self) {
        if self.offers {
            self.turn.deal();
        }
        if self.lanes {
            self.turn.leave_lanes();
        }
    }
}

/// How something was contributed.
enum Given {
    /// So many bytes were announced.
    Announced(u64),
    Offered,
}

impl Given {
    /// Whether `rank` waits for a message.
    async fn apart<N: Net>(&self, turn: &Turn<'_, '_, N>, rank: usize, limit: u64) -> bool {
        match self {
            Given::Announced(length) => *length > limit,
            Given::Offered => turn.refused(rank).await,
        }
    }
}

/// One block from every rank to `root`, which alone gives `recv`; `send` is `None` where it is in place.
pub(in crate::coll) async fn gather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    root: usize,
) {
    let turn = &Turn::begin(coll);
    let limit = gather_limit(turn);
    let prefers = |length| turn.prefers_offers(turn.pushes(length), Of::Gather, length);
    match (send, recv) {
        (own, Some(recv)) => {
            let lengths = turn.others().map(|rank| recv.bytes(rank));
            let longest = lengths.max().unwrap_or(0);
            let prefers = prefers(longest);
            let mut taker = Taker::new(turn, limit, prefers);
            // Whether the others have been told where to copy to.
            let mut offered = None;
            if turn.pushes(longest) && prefers {
                offered = Some(offer_all(turn, recv).await);
            }
            // While the others copy.
            if let Some(own) = own {
                taker.copy(own, &recv.get(root), |rank| recv.get(rank));
            }
            for rank in turn.others() {
                let block = recv.get(rank);
                turn.contributed(rank).await;
                let Some(asks) = turn.coll_segment.offered(rank, turn.number, 0) else {
                    taker.block(rank, block).await;
                    continue;
                };
                let here = match offered {
                    Some(offered) => offered,
                    None => offer_all(turn, recv).await,
                };
                offered = Some(here);
                match here && !turn.refused(rank).await {
                    true => _ = turn.agree(rank, asks.length, block.bytes()),
                    false => taker.long.recv(block, rank),
                }
            }
            taker.leave();
            turn.coll_segment.end(turn.number, true);
            taker.done().await;
        }
        (Some(send), None) => {
            let length = send.bytes();
            let prefers = prefers(length);
            let mut apart = length > limit;
            // The root would read one after the other where they lie.
            let streams = coll.size > 2 && (turn.coll_segment.crowded() || length <= ALONE as u64);
            if turn.pushes(length) && prefers {
                turn.offer([Offer::nowhere(length)].into_iter()).await;
                turn.contributed(root).await;
                let index = coll.relative(root) - 1;
                let offer = turn.coll_segment.offered(root, turn.number, index);
                apart = offer.is_none_or(|offer| !turn.push(root, offer, send));
                turn.coll_segment.answer_offers(turn.number);
                turn.coll_segment.notify_one(root);
            } else {
                write_block(turn, send, Some(root), (limit, LANE_PIECE)).await;
            }
            turn.coll_segment.end(turn.number, false);
            match apart {
                true if streams || !prefers => {
                    coll.stream(send.clone(), root, gathered(turn, root)).await;
                }
                true => {
                    // It may leave at once, where nothing can be offered.
                    if coll.size == 2 && turn.coll_segment.sends_ahead_of(root, turn.number) {
                        turn.stepped(root, 0).await;
                    }
                    coll.send(send.clone(), root).await;
                }
                false => {}
            }
        }
        (None, None) => unreachable!("only the root's block can be in place"),
    }
}

/// How a block travels to the root of a gather. Who is ahead of the root asks it, as it would write to memory that no cache holds; with
/// roots in turn nobody is.
fn gathered<N: Net>(turn: &Turn<'_, '_, N>, root: usize) -> FlowPattern {
    match comes_at_once(turn) && !turn.coll_segment.sends_ahead_of(root, turn.number) {
        true => FlowPattern::Behind,
        false => FlowPattern::InTurn,
    }
}

/// Whether a block may come to the root of a gather unasked. More than two ranks with a core each would all come together.
fn comes_at_once<N: Net>(turn: &Turn<'_, '_, N>) -> bool {
    turn.coll.size == 2 || turn.coll_segment.crowded()
}

/// Tells every other rank where its block belongs; whether that can be told.
async fn offer_all<N: Net>(turn: &Turn<'_, '_, N>, blocks: &Blocks) -> bool {
    let places = turn.others().map(|rank| place(&blocks.get(rank)));
    let places = places.collect::<Option<Vec<Offer>>>();
    match places.filter(|places| turn.coll_segment.takes() && places.len() <= OFFERS) {
        Some(places) => {
            turn.offer(places.into_iter()).await;
            true
        }
        None => {
            turn.announce(0).await;
            false
        }
    }
}

/// One block from every rank to all; `send` is `None` where it is in place.
pub(in crate::coll) async fn allgather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Blocks,
) {
    let turn = &Turn::begin(coll);
    let bytes = send.map_or_else(|| recv.bytes(coll.rank), Data::bytes);
    let may = turn.pulls_new(bytes) && turn.coll_segment.lends();
    let prefers = turn.prefers_offers(may, Of::Allgather, bytes);
    give_all(turn, send, recv, (may, prefers)).await;
}

/// The same in place, of what this rank has written just now: nobody has it in a cache where it lies, so it is not offered.
pub(super) async fn allgather_new<N: Net>(coll: &Coll<'_, N>, recv: &Blocks) {
    give_all(&Turn::begin(coll), None, recv, (false, false)).await;
}

/// [`allgather`]; `may`: whether blocks may be offered, `prefers`: whether that is better.
async fn give_all<N: Net>(
    turn: &Turn<'_, '_, N>,
    send: Option<&Data>,
    recv: &Blocks,
    (may, prefers): (bool, bool),
) {
    let coll = turn.coll;
    let limit = limit(turn);
    let own = match send {
        Some(send) => send.clone(),
        None => recv.get(coll.rank),
    };
    let piece = turn.coll_segment.tuning().piece_of_all;
    let (lengths, offered) = ((limit, piece), may && prefers);
    let given = give_block(turn, &own, None, lengths, offered).await;
    let mut taker = Taker {
        piece,
        stream: FlowPattern::BothWays,
        ..Taker::new(turn, limit, prefers)
    };
    taker.send(&given, false, |_| own.clone()).await;
    // While the others come.
    if let Some(send) = send {
        coll.copy(send, &recv.get(coll.rank));
    }
    for rank in turn.others() {
        taker.block(rank, recv.get(rank)).await;
    }
    taker.leave();
    turn.coll_segment.end(turn.number, true);
    taker.send(&given, true, |_| own.clone()).await;
    taker.done().await;
}

/// A block for each other rank, as they lie in a slot or a lane: their lengths in 32 bits each, then the
/// blocks, all in the order of the ranks after the owner.
pub(in crate::coll) struct Row {
    blocks: usize,
}

/// Blocks begin at multiples of this.
const ALIGNMENT: u64 = 8;
/// Bytes of a length.
const WORD: usize = 4;

impl Row {
    /// Of one of so many ranks.
    #[inline(always)]
    pub fn new(ranks: usize) -> Row {
        Row { blocks: ranks - 1 }
    }

    /// Where the first block begins. One block alone needs no table.
    fn head(&self) -> u64 {
        match self.blocks {
            1 => 0,
            _ => ((self.blocks * WORD) as u64).next_multiple_of(ALIGNMENT),
        }
    }

    /// Bytes of a row of blocks of these lengths.
    #[inline(always)]
    pub fn length(&self, mut lengths: impl Iterator<Item = u64>) -> u64 {
        if self.blocks == 1 {
            return lengths.next().unwrap_or(0);
        }
        lengths.fold(self.head(), |sum, length| {
            sum.saturating_add(length.saturating_add(ALIGNMENT - 1) & !(ALIGNMENT - 1))
        })
    }

    fn write_table(&self, table: &mut [u8], lengths: impl Iterator<Item = u64>) {
        for (word, length) in table.chunks_exact_mut(WORD).zip(lengths) {
            word.copy_from_slice(&(length as u32).to_ne_bytes());
        }
    }

    /// Writes the whole row, whose slot is as long.
    #[inline(always)]
    pub fn write(
        &self,
        slot: &mut [u8],
        lengths: impl Iterator<Item = u64>,
        blocks: impl Iterator<Item = Data>,
    ) {
        self.write_table(&mut slot[..self.head() as usize], lengths);
        let mut start = self.head();
        for data in blocks {
            data.pack_shared(0, &mut slot[start as usize..]);
            start += data.bytes().next_multiple_of(ALIGNMENT);
        }
    }

    /// Where block `index` of a row of `length` bytes lies.
    #[inline(always)]
    pub fn find(&self, table: &[u8], index: usize, length: u64) -> (usize, usize) {
        if self.blocks == 1 {
            return (0, length as usize);
        }
        let words = table[..self.blocks * WORD].chunks_exact(WORD);
        let mut lengths = words.map(|word| {
            let bytes = word.try_into().expect("a word has four bytes");
            u64::from(u32::from_ne_bytes(bytes))
        });
        let before = self.length(lengths.by_ref().take(index));
        (before as usize, lengths.next().unwrap_or(0) as usize)
    }
}

/// Bytes of this rank's row. `block` gives what is for a rank.
fn row_length<N: Net>(turn: &Turn<'_, '_, N>, block: impl Fn(usize) -> Data) -> u64 {
    let lengths = turn.others().map(|rank| block(rank).bytes());
    Row::new(turn.coll.size).length(lengths)
}

/// Contributes a row of `length` bytes: offers it, where it is to be `offered` and can be, or writes it. `block` gives what
/// is for a rank.
async fn give_row<N: Net>(
    turn: &Turn<'_, '_, N>,
    block: impl Fn(usize) -> Data,
    length: u64,
    limit: u64,
    offered: bool,
) -> Given {
    let row = Row::new(turn.coll.size);
    let lengths = || turn.others().map(|rank| block(rank).bytes());
    if offered && row.blocks <= OFFERS {
        let places = turn.others().map(|rank| place(&block(rank)));
        if let Some(places) = places.collect::<Option<Vec<Offer>>>() {
            turn.offer(places.into_iter()).await;
            return Given::Offered;
        }
    }
    let fill = |slot: &mut [u8]| {
        row.write(slot, lengths(), turn.others().map(&block));
    };
    turn.give_or_say(length, limit, fill).await;
    turn.coll_segment.notify();
    if is_short(length) || length > limit {
        return Given::Announced(length);
    }
    let span = turn.lay(length, None).await;
    let head = row.head() as usize;
    if head > 0 {
        // More than two ranks, which hand nothing over.
        turn.coll_segment
            .fill_lane(span.start, head, |lane| row.write_table(lane, lengths()));
    }
    let mut start = span.start + head;
    for (index, data) in turn.others().map(&block).enumerate() {
        turn.put(span, start, &data);
        start += data.bytes().next_multiple_of(ALIGNMENT) as usize;
        turn.step(index as u64 + 1);
    }
    Given::Announced(length)
}

/// A block of the root's `send`, which it alone gives, to every rank's `recv`, which is `None` where it is in
/// place.
pub(in crate::coll) async fn scatter<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    root: usize,
) {
    let turn = &Turn::begin(coll);
    let limit = scatter_limit(turn);
    match (send, recv) {
        (Some(send), own) => {
            let row = row_length(turn, |rank| send.get(rank));
            let longest = turn.others().map(|rank| send.bytes(rank)).max();
            let may = turn.pulls_from_one(longest.unwrap_or(0), row) && turn.coll_segment.lends();
            let prefers = turn.prefers_offers(may, Of::Scatter, row);
            let mut taker = Taker::new(turn, limit, prefers);
            let offered = may && prefers;
            let block = |rank| send.get(rank);
            let given = match coll.size {
                // In pieces, so that it is read while it is written.
                2 => {
                    let (other, lengths) = (1 - root, (limit, LANE_PIECE));
                    give_block(turn, &block(other), Some(other), lengths, offered).await
                }
                _ => give_row(turn, block, row, limit, offered).await,
            };
            taker.send(&given, false, block).await;
            // While the others copy.
            if let Some(own) = own {
                copy_meanwhile(turn, &send.get(root), own, limit, || ());
            }
            turn.coll_segment.end(turn.number, false);
            taker.send(&given, true, block).await;
            taker.long.done().await;
        }
        (None, Some(recv)) => {
            // The row of two ranks is one block.
            let row = recv.bytes();
            let prefers = turn.prefers_offers(turn.pulls(row), Of::Scatter, row);
            let mut taker = Taker::new(turn, limit, prefers);
            match coll.size {
                2 => taker.block(root, recv.clone()).await,
                _ => taker.row(root, recv.clone()).await,
            }
            taker.leave();
            turn.coll_segment.end(turn.number, false);
            taker.done().await;
        }
        (None, None) => unreachable!("only the root's block can be in place"),
    }
}

/// A block from one of two ranks to the other: `give` is the first one's, `take` the other one's. `may`: it may be offered.
/// `meanwhile` is done while the other one copies.
pub(super) async fn pass_on<N: Net>(
    turn: &Turn<'_, '_, N>,
    give: Option<&Data>,
    take: Option<&Data>,
    may: bool,
    meanwhile: impl FnOnce(),
) {
    let (other, limit) = (1 - turn.coll.rank, ONWARD);
    let bytes = give.or(take).map_or(0, Data::bytes);
    let may = may && (give.is_none() || turn.coll_segment.lends());
    // It moves as in a scatter.
    let prefers = turn.prefers_offers(may, Of::Scatter, bytes);
    let piece = turn.coll_segment.tuning().piece_behind;
    let mut taker = Taker {
        piece,
        ..Taker::new(turn, limit, prefers)
    };
    if let Some(block) = give {
        let offered = may && prefers;
        let given = give_block(turn, block, Some(other), (limit, piece), offered).await;
        meanwhile();
        turn.coll_segment.end(turn.number, false);
        for taken in [false, true] {
            taker.send(&given, taken, |_| block.clone()).await;
        }
        taker.long.done().await;
    }
    if let Some(block) = take {
        taker.block(other, block.clone()).await;
        taker.leave();
        turn.coll_segment.end(turn.number, true);
        taker.done().await;
    }
}

/// A block of `send` to every other rank, whose `recv` it enters; `send` is `None` where the data is in place.
pub(in crate::coll) async fn alltoall<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: &Blocks,
) {
    let turn = &Turn::begin(coll);
    let limit = row_limit(turn);
    let out = send.unwrap_or(recv);
    let row = row_length(turn, |rank| out.get(rank));
    // What is in place changes while others would copy it.
    let may = send.is_some() && turn.pulls_row(row) && turn.coll_segment.lends();
    let prefers = turn.prefers_offers(may, Of::Alltoall, row);
    let given = give_row(turn, |rank| out.get(rank), row, limit, may && prefers).await;
    // What is in place must be kept until messages have left.
    let kept = match (send, &given) {
        (None, Given::Announced(own)) if *own > limit => Some(Copy::new(coll, recv)),
        _ => None,
    };
    let block = |rank| match &kept {
        Some(copy) => copy.block(rank),
        None => out.get(rank),
    };
    let mut taker = Taker {
        stream: FlowPattern::BothWays,
        ..Taker::new(turn, limit, prefers)
    };
    taker.send(&given, false, block).await;
    // While the others come.
    if let Some(send) = send {
        coll.copy(&send.get(coll.rank), &recv.get(coll.rank));
    }
    for rank in turn.others() {
        taker.row(rank, recv.get(rank)).await;
    }
    taker.leave();
    turn.coll_segment.end(turn.number, true);
    taker.send(&given, true, block).await;
    taker.done().await;
}

/// All blocks of a buffer, packed.
struct Copy {
    packed: Temp,
    starts: Vec<u64>,
}

impl Copy {
    fn new<N: Net>(coll: &Coll<'_, N>, blocks: &Blocks) -> Copy {
        let mut starts = vec![0];
        for rank in 0..coll.size {
            starts.push(starts[rank] + blocks.bytes(rank));
        }
        let packed = coll.room(starts[coll.size]);
        pack(blocks, 0, coll.size, coll.size, &packed.data());
        Copy { packed, starts }
    }

    fn block(&self, rank: usize) -> Data {
        let start = self.starts[rank];
        self.packed.part(start, self.starts[rank + 1] - start)
    }
}
