//! Collectives on short data through memory that all ranks share, in plain code that never waits for long.
//!
//! Mostly the others' contributions are there or about to come, so a blocking call first tries to do the
//! whole operation here: it contributes, looks for the others for a while, and takes what they have
//! contributed. Where one is missing, or is not what it should be, the operation is left as it stands, and
//! [`shared`](super::shared) goes on with it: it finds the operation begun and this rank's contribution in
//! its place. Both ways speak one protocol, and errors are found there only.
//!
//! Assumes checked arguments of an intra-communicator. Must not know how ranks wait, nor of messages.

use super::blocks::{Blocks, Temp};
use super::reduce_scatter::Counts;
use super::select::Algorithm;
use super::shared::{LONGEST_ELEMENT, Row, combine, cuts_for_all, cuts_for_one};
use super::{
    Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
};
use crate::datatype::{Data, Like};
use crate::op::{Operand, Operation};
use crate::shm::collective::{CollSegment, ContributionWriter, SLOT};

/// Most bytes of a contribution. Where others map it, a longer one may better stay where it is, which `shared` decides.
#[inline(always)]
pub(super) fn most(coll_segment: &CollSegment) -> u64 {
    match coll_segment.maps() {
        true => SLOT as u64 / 2,
        false => SLOT as u64,
    }
}

/// The number of the algorithm, in [`names`](super::select::names), that has done the whole operation; `None`: it must
/// be gone on with.
pub type FastOutcome = Option<usize>;

#[inline(always)]
fn number_of<A: Algorithm>(algorithm: A) -> usize {
    A::FIRST + algorithm.place()
}

// Contributions that are written beside their number are written where they are called for; a closure would be called.
impl ContributionWriter for Like<'_> {
    #[inline(always)]
    fn fill(self, place: &mut [u8]) {
        self.pack_shared(place);
    }
}

impl ContributionWriter for &Data {
    #[inline(always)]
    fn fill(self, place: &mut [u8]) {
        self.pack_shared(0, place);
    }
}

/// The next blocking operation on a collective segment, of which as much may be done as can be done at once. So little that it is handed on in
/// registers.
#[derive(Clone, Copy)]
pub struct FastPath<'a> {
    coll_segment: &'a CollSegment,
    /// How often to look for a contribution.
    looks: u32,
}

impl<'a> FastPath<'a> {
    #[inline(always)]
    pub fn new(coll_segment: &'a CollSegment, looks: u32) -> FastPath<'a> {
        FastPath {
            coll_segment,
            looks,
        }
    }

    #[inline(always)]
    fn rank(self) -> usize {
        self.coll_segment.me()
    }

    #[inline(always)]
    fn size(self) -> usize {
        self.coll_segment.size()
    }

    /// Most bytes of a contribution.
    #[inline(always)]
    fn most(self) -> u64 {
        most(self.coll_segment)
    }

    /// Begins the operation and does it by `run`, which says whether it has waited for every rank's contribution.
    #[inline(always)]
    fn attempt<A: Algorithm>(self, by: A, run: impl FnOnce(u64) -> Option<bool>) -> FastOutcome {
        let number = self.coll_segment.begin();
        match run(number) {
            Some(all) => {
                self.coll_segment.end(number, all);
                Some(number_of(by))
            }
            None => {
                self.coll_segment.leave();
                None
            }
        }
    }

    /// The other ranks, the next one first.
    #[inline(always)]
    fn others(self) -> impl Iterator<Item = usize> + use<> {
        let (rank, size) = (self.rank(), self.size());
        (rank + 1..size).chain(0..rank)
    }

    /// Contributes, if there is a place for that already. `away`: only the others read it there. They must be told.
    #[inline(always)]
    fn give(
        self,
        number: u64,
        length: u64,
        away: bool,
        fill: impl FnOnce(&mut [u8]),
    ) -> Option<()> {
        self.place(number, length, away)?;
        self.coll_segment.write(number, length, fill);
        Some(())
    }

    /// Whether there is a place.
    #[inline(always)]
    fn place(self, number: u64, length: u64, away: bool) -> Option<()> {
        if away {
            self.coll_segment.hand_over(number, length);
        }
        self.coll_segment.is_free(number, length).then_some(())
    }

    /// Contributes a buffer.
    #[inline(always)]
    fn give_data(self, number: u64, data: &Data, away: bool) -> Option<()> {
        self.place(number, data.bytes(), away)?;
        self.coll_segment.write_by(number, data.bytes(), data);
        Some(())
    }

    /// The same of elements at another place, as they [combine](Self::combines).
    #[inline(always)]
    fn give_like(self, number: u64, own: Like<'_>, away: bool) -> Option<()> {
        self.place(number, own.bytes(), away)?;
        self.coll_segment.write_by(number, own.bytes(), own);
        Some(())
    }

    /// What `rank` has contributed, if that lies in a slot.
    #[inline(always)]
    fn arrived(self, number: u64, rank: usize, length: u64) -> Option<&'a [u8]> {
        let watch = self.coll_segment.contributed(rank, number);
        let mut looks = self.looks;
        self.coll_segment.foresee_short(rank, number, length);
        while !watch.ready() {
            self.coll_segment.foresee_short(rank, number, length);
            looks = looks.checked_sub(1)?;
            // Without it the line would be taken from who is writing it.
            std::hint::spin_loop();
        }
        self.coll_segment.short(rank, number)
    }

    /// As [`arrived`](Self::arrived), if it has this length.
    #[inline(always)]
    fn expected(self, number: u64, rank: usize, length: u64) -> Option<&'a [u8]> {
        self.arrived(number, rank, length)
            .filter(|bytes| bytes.len() as u64 == length)
    }

    /// Takes what `rank` has contributed, if it has the length of `data`.
    #[inline(always)]
    fn take(self, number: u64, rank: usize, data: &Data) -> Option<()> {
        let bytes = self.expected(number, rank, data.bytes())?;
        data.unpack(0, bytes);
        Some(())
    }

    /// Copies this rank's own block; one that is too long is left to who finds errors.
    #[inline(always)]
    fn copy_own(from: &Data, to: &Data) -> Option<()> {
        let fits = from.bytes() <= to.bytes();
        if fits {
            from.copy_to(to);
        }
        fits.then_some(())
    }

    /// Takes from every other rank what it has contributed.
    #[inline(always)]
    fn take_all(self, number: u64, recv: &Blocks) -> Option<()> {
        self.others()
            .try_for_each(|rank| self.take(number, rank, &recv.get(rank)))
    }

    pub fn barrier(self) -> FastOutcome {
        self.attempt(Barrier::Shared, |number| {
            self.give(number, 0, true, |_| ())?;
            self.coll_segment.notify();
            for rank in self.others() {
                self.arrived(number, rank, 0)?;
            }
            Some(true)
        })
    }

    pub fn bcast(self, data: &Data, root: usize) -> FastOutcome {
        if data.bytes() > self.most() {
            return None;
        }
        self.attempt(Bcast::Shared, |number| {
            if self.rank() == root {
                self.give_data(number, data, true)?;
                self.coll_segment.notify();
            } else {
                self.take(number, root, data)?;
            }
            Some(false)
        })
    }

    /// Whether data may be combined here where it lies.
    #[inline(always)]
    fn combines(self, data: &Data) -> bool {
        let datatype = &data.datatype;
        data.bytes() <= self.most()
            && datatype.is_contiguous()
            && datatype.true_lb() == 0
            && (data.bytes() == 0 || datatype.size() * self.size() as u64 <= LONGEST_ELEMENT)
    }

    /// A contribution that is there. Apart, or who asks for it would no longer be inlined.
    #[inline(never)]
    fn lies(self, number: u64, rank: usize) -> &'a [u8] {
        self.coll_segment.contribution(rank, number).1
    }

    /// `acc` becomes the combination of the contributions of `ranks`, which are some, in their order; this
    /// rank's is at `own`, which may be `acc` if that is the last one's, or in its slot. Nothing is written before all are there.
    #[inline(always)]
    fn fold(
        self,
        number: u64,
        ranks: std::ops::Range<usize>,
        own: Option<Operand<'_>>,
        (length, skip): (u64, usize),
        acc: &Data,
        op: &Operation,
    ) -> Option<()> {
        // Of two ranks that is the other one, and need not be asked for again.
        let mut latest = (self.rank(), None);
        for rank in ranks.clone().filter(|rank| *rank != self.rank()) {
            latest = (rank, Some(self.expected(number, rank, length)?));
        }
        let elements = |rank| {
            let bytes = match (own, latest) {
                (Some(own), _) if rank == self.rank() => return own.after(skip as u64),
                (_, (latest, Some(bytes))) if rank == latest => bytes,
                _ => self.lies(number, rank),
            };
            Operand::packed(&bytes[skip..], self.coll_segment.is_far(rank))
        };
        combine(op, ranks, elements, acc).ok()
    }

    /// `recv` is the root's alone; `send` is `None` where it is in place.
    pub fn reduce(
        self,
        send: Option<&Data>,
        recv: Option<&Data>,
        op: &Operation,
        root: usize,
    ) -> FastOutcome {
        let own = send.or(recv)?;
        if !self.combines(own) || self.size() > 2 && cuts_for_one(self.coll_segment, own.bytes()) {
            return None;
        }
        self.attempt(Reduce::Shared, |number| {
            if recv.is_none() || send.is_none() {
                self.give_data(number, own, recv.is_none())?;
            }
            match recv {
                None => self.coll_segment.notify_one(root),
                Some(recv) => {
                    let place = send.map(|send| Operand::of(send, false));
                    self.fold(number, 0..self.size(), place, (own.bytes(), 0), recv, op)?;
                }
            }
            Some(recv.is_some())
        })
    }

    /// `send` is where elements like those of `recv` lie, or `None` where they are in place.
    pub fn allreduce(self, send: Option<Like<'_>>, recv: &Data, op: &Operation) -> FastOutcome {
        if !self.combines(recv) || self.size() > 2 && cuts_for_all(self.coll_segment, recv.bytes())
        {
            return None;
        }
        // Of two ranks, each may combine its own where it is.
        let away = send.is_some() || self.size() == 2;
        self.attempt(Allreduce::Shared, |number| {
            self.give_like(number, send.unwrap_or(recv.like(recv.base())), away)?;
            self.coll_segment.notify();
            if send.is_none() && self.coll_segment.gone(number).is_some() {
                return self.fold_in_place(number, recv, op);
            }
            let own = send.map(Operand::like);
            self.fold(number, 0..self.size(), own, (recv.bytes(), 0), recv, op)?;
            Some(true)
        })
    }

    /// Combines what two ranks have contributed in place of this one's, which only the other one can read elsewhere.
    #[inline(never)]
    fn fold_in_place(self, number: u64, recv: &Data, op: &Operation) -> Option<bool> {
        match self.rank() {
            0 => self.fold_kept(number, recv, recv, op)?,
            _ => {
                let own = Some(Operand::of(recv, false));
                self.fold(number, 0..2, own, (recv.bytes(), 0), recv, op)?;
            }
        }
        Some(true)
    }

    /// [`fold`](Self::fold) of two ranks whose result may come where this one's `own` is.
    #[inline(never)]
    fn fold_kept(self, number: u64, own: &Data, acc: &Data, op: &Operation) -> Option<()> {
        let room = Temp::like(own);
        let kept = room.data();
        own.copy_to(&kept);
        let own = Some(Operand::of(&kept, false));
        self.fold(number, 0..2, own, (acc.bytes(), 0), acc, op)
    }

    /// `send` is `None` where it is in place.
    pub fn reduce_scatter(
        self,
        send: Option<&Data>,
        recv: &Data,
        counts: &Counts,
        op: &Operation,
    ) -> FastOutcome {
        let start = |rank| counts.start(rank);
        let (total, first) = (start(self.size()), start(self.rank()));
        let own = send.unwrap_or(recv);
        if own.count != total || !self.combines(own) {
            return None;
        }
        let block = |rank| own.part(start(rank), start(rank + 1) - start(rank));
        let result = recv.part(0, start(self.rank() + 1) - first);
        if self.size() == 2 {
            let (out, own) = (block(1 - self.rank()), block(self.rank()));
            return self.swap_blocks(&out, &own, send.is_none(), &result, op);
        }
        let skip = (first * own.datatype.size()) as usize;
        self.attempt(ReduceScatter::Shared, |number| {
            self.give_data(number, own, send.is_some())?;
            self.coll_segment.notify();
            let all = 0..self.size();
            let place = send.map(|send| Operand::of(send, false));
            self.fold(number, all, place, (own.bytes(), skip), &result, op)?;
            Some(true)
        })
    }

    /// [`reduce_scatter`](Self::reduce_scatter) of two ranks: each contributes `out` alone, which the other one combines.
    #[inline(always)]
    fn swap_blocks(
        self,
        out: &Data,
        own: &Data,
        in_place: bool,
        result: &Data,
        op: &Operation,
    ) -> FastOutcome {
        self.attempt(ReduceScatter::Shared, |number| {
            self.give_data(number, out, true)?;
            self.coll_segment.notify();
            match in_place {
                true => self.fold_kept(number, own, result, op)?,
                false => {
                    let place = Some(Operand::of(own, false));
                    self.fold(number, 0..2, place, (result.bytes(), 0), result, op)?;
                }
            }
            Some(true)
        })
    }

    /// `send` as in an [allreduce](Self::allreduce).
    pub fn scan(
        self,
        send: Option<Like<'_>>,
        recv: &Data,
        op: &Operation,
        exclusive: bool,
    ) -> FastOutcome {
        if !self.combines(recv) {
            return None;
        }
        let ranks = 0..self.rank() + usize::from(!exclusive);
        self.attempt(Scan::Shared, |number| {
            // The last one's nobody else needs.
            let needed = self.rank() + 1 < self.size();
            if needed || send.is_none() {
                let own = send.unwrap_or(recv.like(recv.base()));
                let away = needed && send.is_some();
                if self.rank() == 0 {
                    self.coll_segment.run_ahead(number, recv.bytes());
                }
                self.give_like(number, own, away)?;
                self.coll_segment.notify();
            }
            // What the first one has in place is its result.
            let is_result = send.is_none() && self.rank() == 0;
            if !ranks.is_empty() && !is_result {
                let own = send.map(Operand::like);
                self.fold(number, ranks, own, (recv.bytes(), 0), recv, op)?;
            }
            Some(false)
        })
    }

    /// `recv` is the root's alone; `send` is `None` where it is in place.
    pub fn gather(self, send: Option<&Data>, recv: Option<&Blocks>, root: usize) -> FastOutcome {
        let short = match (send, recv) {
            (_, Some(recv)) => self.others().all(|rank| recv.bytes(rank) <= self.most()),
            (Some(send), None) => send.bytes() <= self.most(),
            (None, None) => false,
        };
        if !short {
            return None;
        }
        self.attempt(Gather::Shared, |number| {
            let Some(recv) = recv else {
                self.give_data(number, send?, true)?;
                self.coll_segment.notify_one(root);
                return Some(false);
            };
            if let Some(own) = send {
                Self::copy_own(own, &recv.get(root))?;
            }
            self.take_all(number, recv)?;
            Some(true)
        })
    }

    /// `send` is `None` where it is in place.
    pub fn allgather(self, send: Option<&Data>, recv: &Blocks) -> FastOutcome {
        let block = recv.get(self.rank());
        let own = send.unwrap_or(&block);
        if own.bytes() > self.most() {
            return None;
        }
        self.attempt(Allgather::Shared, |number| {
            self.give_data(number, own, true)?;
            self.coll_segment.notify();
            if let Some(send) = send {
                Self::copy_own(send, &block)?;
            }
            self.take_all(number, recv)?;
            Some(true)
        })
    }

    /// Contributes a block for every other rank.
    #[inline(always)]
    fn give_row(self, number: u64, row: &Row, blocks: &Blocks) -> Option<()> {
        let lengths = || self.others().map(|rank| blocks.bytes(rank));
        self.give(number, row.length(lengths()), true, |slot| {
            let data = self.others().map(|rank| blocks.get(rank));
            row.write(slot, lengths(), data);
        })
    }

    /// Takes this rank's block of what `rank` has contributed.
    #[inline(always)]
    fn take_block(self, number: u64, row: &Row, rank: usize, block: &Data) -> Option<()> {
        let bytes = self.arrived(number, rank, block.bytes())?;
        let before = self.others().position(|other| other == rank)?;
        // As many ranks are before this one, seen from the writer, as are after the writer, seen from here.
        let index = self.size() - 2 - before;
        let (start, length) = row.find(bytes, index, bytes.len() as u64);
        if length as u64 != block.bytes() {
            return None;
        }
        block.unpack(0, &bytes[start..start + length]);
        Some(())
    }

    /// `send` is the root's alone; `recv` is `None` where it is in place.
    pub fn scatter(self, send: Option<&Blocks>, recv: Option<&Data>, root: usize) -> FastOutcome {
        let row = Row::new(self.size());
        let bytes = match (send, recv) {
            (Some(send), _) => row.length(self.others().map(|rank| send.bytes(rank))),
            (None, recv) => recv?.bytes(),
        };
        if bytes > self.most() {
            return None;
        }
        self.attempt(Scatter::Shared, |number| {
            match (send, recv) {
                (Some(send), _) => {
                    self.give_row(number, &row, send)?;
                    self.coll_segment.notify();
                    if let Some(recv) = recv {
                        Self::copy_own(&send.get(root), recv)?;
                    }
                }
                (None, recv) => self.take_block(number, &row, root, recv?)?,
            }
            Some(false)
        })
    }

    /// `send` is `None` where the data is in place.
    pub fn alltoall(self, send: Option<&Blocks>, recv: &Blocks) -> FastOutcome {
        let row = Row::new(self.size());
        let out = send.unwrap_or(recv);
        if row.length(self.others().map(|rank| out.bytes(rank))) > self.most() {
            return None;
        }
        self.attempt(Alltoall::Shared, |number| {
            self.give_row(number, &row, out)?;
            self.coll_segment.notify();
            if let Some(send) = send {
                Self::copy_own(&send.get(self.rank()), &recv.get(self.rank()))?;
            }
            for rank in self.others() {
                self.take_block(number, &row, rank, &recv.get(rank))?;
            }
            Some(true)
        })
    }
}
