//! The arguments of collective calls, checked: counts, datatypes, buffers, roots, operations.
//!
//! Every error names the argument, its value and what was expected. What other ranks passed is not
//! known here.

use std::rc::Rc;

use crate::buf::{ConstBuf, Counts, Handles, IN_PLACE};
use crate::coll::inter::Root;
use crate::coll::{Blocks, Neighbors};
use crate::comm::Communicator;
use crate::datatype::{Base, Data, Like, Type};
use crate::error::Result;
use crate::fail;
use crate::handle::{Datatype, Op};
use crate::mpi::Mpi;
use crate::op::{Builtin, Operation};
use crate::topo::Topology;
use crate::types::{Count, Rank};

/// What an argument list calls a buffer and its count.
type Names = (&'static str, &'static str);

pub const SEND: Names = ("sendbuf", "sendcount");
pub const RECV: Names = ("recvbuf", "recvcount");
/// Of a broadcast.
pub const BOTH: Names = ("buffer", "count");
/// Of a reduction, whose buffers have one count.
pub const INPUT: Names = ("sendbuf", "count");
pub const RESULT: Names = ("recvbuf", "count");
/// Of `MPI_Reduce_local`.
pub const IN: Names = ("inbuf", "count");
pub const IN_OUT: Names = ("inoutbuf", "count");

/// Whether there are no bytes in a buffer, or there is none.
#[inline(always)]
pub fn is_empty(data: &Option<Data>) -> bool {
    data.as_ref().is_none_or(|data| data.bytes() == 0)
}

#[inline]
pub fn count(name: &str, value: Count) -> Result<u64> {
    match u64::try_from(value) {
        Ok(count) => Ok(count),
        Err(_) => fail!(COUNT, "{name} = {value}: a count cannot be negative"),
    }
}

/// A buffer of `count` elements.
#[inline(always)]
pub fn data(
    mpi: &Mpi,
    base: Base,
    elements: Count,
    datatype: Datatype,
    names: Names,
) -> Result<Data> {
    Data::described(base, elements, mpi.committed(datatype)?, names)
}

/// A buffer that is only read.
#[inline(always)]
pub fn input(
    mpi: &Mpi,
    buf: ConstBuf,
    elements: Count,
    datatype: Datatype,
    names: Names,
) -> Result<Data> {
    data(mpi, buf.base(), elements, datatype, names)
}

/// As [`input`], or `None` for `MPI_IN_PLACE`.
#[inline(always)]
pub fn input_or_in_place(
    mpi: &Mpi,
    buf: ConstBuf,
    elements: Count,
    datatype: Datatype,
    names: Names,
) -> Result<Option<Data>> {
    if buf.is_in_place() {
        return Ok(None);
    }
    input(mpi, buf, elements, datatype, names).map(Some)
}

/// Where elements lie that are only read, as many as `result` has and of its datatype, or `None` for `MPI_IN_PLACE`.
#[inline(always)]
pub fn input_like(result: &Data, buf: ConstBuf, names: Names) -> Result<Option<Like<'_>>> {
    if buf.is_in_place() {
        return Ok(None);
    }
    let base = buf.base();
    Data::check(base, result.count as i64, &result.datatype, names)?;
    Ok(Some(result.like(base)))
}

/// Blocks of one size.
#[inline(always)]
pub fn even(
    mpi: &Mpi,
    base: Base,
    elements: Count,
    datatype: Datatype,
    names: Names,
) -> Result<Blocks> {
    let data = data(mpi, base, elements, datatype, names)?;
    Ok(Blocks::even(base, data.count, data.datatype))
}

/// Refuses an array of counts with a negative one among its first `blocks`.
fn not_negative(array: Counts, blocks: usize) -> Result<()> {
    array.require(blocks)?;
    if let Some(index) = array.iter(blocks).position(|value| value < 0) {
        fail!(
            COUNT,
            "{}[{index}] = {}: a count cannot be negative",
            array.name(),
            array.get(index)
        );
    }
    Ok(())
}

/// The first `blocks` numbers of an array of counts.
pub fn counts(array: Counts, blocks: usize) -> Result<Rc<[u64]>> {
    not_negative(array, blocks)?;
    Ok(array.iter(blocks).map(|value| value as u64).collect())
}

/// Refuses blocks that cannot be where they are said to be.
fn addresses(base: Base, blocks: &Blocks, count: usize, names: Names) -> Result<()> {
    if base.address() == IN_PLACE {
        fail!(
            BUFFER,
            "{} is MPI_IN_PLACE, which is not allowed here",
            names.0
        );
    }
    (0..count).try_for_each(|index| {
        let (base, count, datatype) = blocks.at(index);
        Data::check(base, count as i64, datatype, names).map(|_| ())
    })
}

/// Blocks of one datatype with a count and a displacement each.
pub fn varying(
    mpi: &Mpi,
    base: Base,
    (array, displacements): (Counts, Counts),
    datatype: Datatype,
    blocks: usize,
    buffer: &'static str,
) -> Result<Blocks> {
    not_negative(array, blocks)?;
    displacements.require(blocks)?;
    let datatype = mpi.committed(datatype)?;
    let counts = array.iter(blocks).map(|value| value as u64);
    let places = counts.zip(displacements.iter(blocks));
    let all = Blocks::varying(base, places, datatype);
    addresses(base, &all, blocks, (buffer, array.name()))?;
    Ok(all)
}

/// Blocks with a datatype each; displacements are in bytes.
pub fn each(
    mpi: &Mpi,
    base: Base,
    array: Counts,
    displacements: Rc<[i64]>,
    datatypes: Handles<Datatype>,
    buffer: &'static str,
) -> Result<Blocks> {
    let blocks = displacements.len();
    let counts = counts(array, blocks)?;
    datatypes.require(blocks)?;
    let mut types = Vec::with_capacity(blocks);
    for (index, count) in counts.iter().enumerate() {
        // What describes no data is not looked at: applications leave null handles there.
        let handle = if *count == 0 {
            Datatype::BYTE
        } else {
            datatypes.get(index)
        };
        types.push(mpi.committed(handle)?);
    }
    let all = Blocks::each(base, counts, displacements, types.into());
    addresses(base, &all, blocks, (buffer, array.name()))?;
    Ok(all)
}

/// Refuses two buffers that begin at the same place (MPI-5.0, 2.3: arguments must not alias), each given by its
/// address and packed size.
#[inline(always)]
pub fn apart(send: Option<(usize, u64)>, recv: (usize, u64)) -> Result<()> {
    if let Some(send) = send
        && send.0 == recv.0
        && send.0 != 0
        && send.1 > 0
        && recv.1 > 0
    {
        fail!(
            BUFFER,
            "sendbuf and recvbuf overlap at {:#x}; MPI_IN_PLACE is for that",
            send.0
        );
    }
    Ok(())
}

/// An operation that may be applied to a datatype in a reduction.
#[inline(always)]
pub fn operation(mpi: &Mpi, op: Op, datatype: &Type) -> Result<Rc<Operation>> {
    let operation = mpi.ops.find(op)?;
    if let Some(builtin @ (Builtin::Replace | Builtin::NoOp)) = operation.as_builtin() {
        fail!(
            OP,
            "op is {}, which is for one-sided communication only",
            builtin.name()
        );
    }
    operation.check(datatype)?;
    Ok(operation)
}

/// Who the root of a call is.
#[derive(Clone, Copy)]
pub enum Rooted {
    /// A rank of the group.
    Intra(usize),
    Inter(Root),
}

impl Rooted {
    /// Its rank in the group of an intra-communicator.
    #[inline]
    pub fn intra(self) -> Option<usize> {
        match self {
            Rooted::Intra(root) => Some(root),
            Rooted::Inter(_) => None,
        }
    }

    /// Whether this rank has the root's arguments.
    pub fn is_me(self, comm: &Communicator) -> bool {
        match self {
            Rooted::Intra(root) => root == comm.rank as usize,
            Rooted::Inter(root) => root == Root::Me,
        }
    }
}

#[inline(always)]
pub fn root(comm: &Communicator, root: Rank) -> Result<Rooted> {
    let size = comm.peers().len();
    if (root.0 as u32 as usize) < size {
        let root = root.0 as usize;
        return Ok(match comm.remote {
            None => Rooted::Intra(root),
            Some(_) => Rooted::Inter(Root::Remote(root)),
        });
    }
    match (root, &comm.remote) {
        (Rank::ROOT, Some(_)) => return Ok(Rooted::Inter(Root::Me)),
        (Rank::PROC_NULL, Some(_)) => return Ok(Rooted::Inter(Root::Local)),
        _ => {}
    }
    let what = match root {
        Rank::ROOT => "MPI_ROOT".to_string(),
        Rank::PROC_NULL => "MPI_PROC_NULL".to_string(),
        other => other.0.to_string(),
    };
    fail!(
        ROOT,
        "root = {what}: not a rank of {}, which are 0 to {}",
        comm.describe(),
        size as i64 - 1
    )
}

/// The number of local ranks of an inter-communicator, `None` for an intra-communicator.
#[inline(always)]
pub fn inter(comm: &Communicator) -> Option<usize> {
    comm.remote.as_ref().map(|_| comm.group.len())
}

/// Refuses an inter-communicator.
pub fn intra(comm: &Communicator) -> Result<()> {
    if comm.remote.is_some() {
        fail!(
            COMM,
            "{} is an inter-communicator, which has no such operation",
            comm.describe()
        );
    }
    Ok(())
}

/// The contribution of a rank of an inter-communicator, which cannot be in place.
pub fn not_in_place<T>(send: Option<T>) -> Result<T> {
    match send {
        Some(send) => Ok(send),
        None => fail!(
            BUFFER,
            "sendbuf is MPI_IN_PLACE, which inter-communicators do not allow"
        ),
    }
}

/// The neighbours of this rank, and how many blocks it receives and sends.
pub fn neighbors(comm: &Communicator) -> Result<(Neighbors, usize, usize)> {
    intra(comm)?;
    let Some(topology) = &comm.topology else {
        fail!(
            TOPOLOGY,
            "{} has no topology, so there are no neighbours",
            comm.describe()
        );
    };
    let (sources, destinations) = topology.neighbours(comm.rank);
    let ranks = |list: Vec<i32>| {
        list.into_iter()
            .map(|rank| usize::try_from(rank).ok())
            .collect()
    };
    let (incoming, outgoing) = (sources.len(), destinations.len());
    let neighbors = match **topology {
        Topology::Cart(_) => Neighbors::grid(ranks(sources)),
        _ => Neighbors::graph(ranks(sources), ranks(destinations)),
    };
    Ok((neighbors, incoming, outgoing))
}
