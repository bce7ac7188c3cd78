//! Some ranks of a [`Net`], as a net of their own.
//!
//! Messages need no space of their own. Two ranks of the subset start the messages between them in the same order.
//! Those that they exchange outside of it come before or after.
//!
//! Must not know why these ranks belong together.

use std::borrow::Cow;
use std::rc::Rc;

use super::net::Net;
use super::shared::{CollSegment, Watch};
use crate::datatype::{Data, Type};
use crate::error::Result;
use crate::proto::FlowPattern;

pub(crate) struct Subset<'n, N> {
    net: &'n N,
    /// Ranks in `net`.
    ranks: Cow<'n, [usize]>,
    me: usize,
    /// Memory that these ranks share.
    coll_segment: Option<&'n CollSegment>,
}

impl<'n, N: Net> Subset<'n, N> {
    /// `None` where `ranks` does not hold the calling process's.
    pub fn new(net: &'n N, ranks: Vec<usize>) -> Option<Self> {
        Subset::among(net, ranks.into(), None)
    }

    /// These ranks, which share that memory, if any.
    pub fn sharing(
        net: &'n N,
        ranks: &'n [usize],
        coll_segment: Option<&'n CollSegment>,
    ) -> Option<Self> {
        Subset::among(net, ranks.into(), coll_segment)
    }

    fn among(
        net: &'n N,
        ranks: Cow<'n, [usize]>,
        coll_segment: Option<&'n CollSegment>,
    ) -> Option<Self> {
        let me = ranks.iter().position(|rank| *rank == net.rank())?;
        Some(Subset {
            net,
            ranks,
            me,
            coll_segment,
        })
    }
}

impl<N: Net> Net for Subset<'_, N> {
    type Pending = N::Pending;

    fn rank(&self) -> usize {
        self.me
    }

    fn size(&self) -> usize {
        self.ranks.len()
    }

    fn isend(&self, data: Data, to: usize) -> Result<Option<N::Pending>> {
        self.net.isend(data, self.ranks[to])
    }

    fn stream(&self, data: Data, to: usize, stream: FlowPattern) -> Result<Option<N::Pending>> {
        self.net.stream(data, self.ranks[to], stream)
    }

    fn irecv(&self, data: Data, from: usize) -> Result<Option<N::Pending>> {
        self.net.irecv(data, self.ranks[from])
    }

    fn poll(&self, pending: N::Pending) -> Result<bool> {
        self.net.poll(pending)
    }

    fn progress(&self) {
        self.net.progress();
    }

    fn byte(&self) -> &Rc<Type> {
        self.net.byte()
    }

    fn coll_segment(&self) -> Option<&CollSegment> {
        self.coll_segment
    }

    fn looks(&self) -> u32 {
        self.net.looks()
    }

    fn watch(&self, watch: Watch) {
        self.net.watch(watch);
    }
}
