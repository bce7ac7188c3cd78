//! Partitioned communication: one function per MPI operation (MPI-5.0, chapter 4).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::p2p::{described, peer, send_tag};
use crate::api::prelude::*;
use crate::comm::Communicator;
use crate::datatype::{Base, Data};
use crate::fail;
use crate::matching::Envelope;
use crate::partitioned::Partitioned;

/// The buffer, the number of partitions and the packed bytes of each.
struct Divided {
    data: Data,
    partitions: usize,
    each: u64,
}

/// Checks the arguments that describe a partitioned buffer, and the hints.
fn divided(
    mpi: &Mpi,
    base: Base,
    partitions: i32,
    count: Count,
    datatype: Datatype,
    info: Info,
) -> Result<Divided> {
    if partitions < 0 {
        fail!(ARG, "partitions is {partitions}, expected a value >= 0");
    }
    if count < 0 {
        fail!(COUNT, "count is {count}, expected a value >= 0");
    }
    if !info.is_null() {
        mpi.infos.find(info)?;
    }
    let Some(total) = count.checked_mul(i64::from(partitions)) else {
        fail!(
            COUNT,
            "partitions = {partitions} of count = {count} elements are more than memory can hold"
        );
    };
    let data = described(mpi, base, total, datatype, ("buf", "partitions * count"))?;
    let each = match partitions {
        0 => 0,
        n => data.bytes() / n as u64,
    };
    Ok(Divided {
        data,
        partitions: partitions as usize,
        each,
    })
}

/// What a message between this communicator's processes says of itself.
fn envelope(comm: &Communicator, source: i32, tag: i32) -> Envelope {
    Envelope {
        context: comm.context(),
        source: source as u32,
        tag,
    }
}

/// A partitioned send; it meets a partitioned receive in the order in which both were made.
///
/// # Errors
/// `MPI_ERR_ARG` for a negative number of partitions, and those of a send. (MPI-5.0, 4.2.1)
pub fn psend_init(
    mpi: &Mpi,
    buf: ConstBuf,
    partitions: i32,
    count: BigCount,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let divided = divided(mpi, buf.base(), partitions, count, datatype, info)?;
    let tag = send_tag(tag, "tag")?;
    let to = peer(&comm, dest, "dest")?.map(|to| (to, envelope(&comm, comm.rank, tag)));
    let send = Partitioned::send(
        mpi.engine(),
        comm,
        to,
        divided.data,
        divided.partitions,
        divided.each,
    );
    request.set(mpi.requests.add_in_rounds(Rc::new(send))?);
    Ok(())
}

/// A partitioned receive; its partitions need not be those of the sender.
///
/// # Errors
/// `MPI_ERR_ARG` for a negative number of partitions, and those of a receive; wildcards are refused.
/// (MPI-5.0, 4.2.1)
pub fn precv_init(
    mpi: &Mpi,
    buf: MutBuf,
    partitions: i32,
    count: BigCount,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let divided = divided(mpi, buf.base(), partitions, count, datatype, info)?;
    let tag = send_tag(tag, "tag")?;
    let from = peer(&comm, source, "source")?.map(|_| envelope(&comm, source.0, tag));
    let receive = Partitioned::receive(mpi.engine(), comm, from, divided.data, divided.partitions);
    request.set(mpi.requests.add_in_rounds(Rc::new(receive))?);
    Ok(())
}

/// Says that a partition may be sent. (MPI-5.0, 4.2.1)
///
/// # Errors
/// `MPI_ERR_REQUEST`: no active partitioned send. `MPI_ERR_ARG`: no such partition, or ready already.
pub fn pready(mpi: &Mpi, partition: i32, request: Request) -> Result<()> {
    let name = (partition, "partition");
    Partitioned::find(&mpi.requests, request)?.ready(mpi, name, name)
}

/// Says that the partitions from `partition_low` to `partition_high`, both included, may be sent.
/// (MPI-5.0, 4.2.1)
///
/// # Errors
/// As for [`pready`]; no partition is marked then.
pub fn pready_range(
    mpi: &Mpi,
    partition_low: i32,
    partition_high: i32,
    request: Request,
) -> Result<()> {
    let low = (partition_low, "partition_low");
    let high = (partition_high, "partition_high");
    Partitioned::find(&mpi.requests, request)?.ready(mpi, low, high)
}

/// Says that the listed partitions may be sent. (MPI-5.0, 4.2.1)
///
/// # Errors
/// As for [`pready`]; the partitions before the offending one are marked.
pub fn pready_list(
    mpi: &Mpi,
    length: i32,
    array_of_partitions: Ints,
    request: Request,
) -> Result<()> {
    let Ok(length) = usize::try_from(length) else {
        fail!(COUNT, "length is {length}, expected a value >= 0");
    };
    array_of_partitions.require(length)?;
    let send = Partitioned::find(&mpi.requests, request)?;
    for (index, partition) in array_of_partitions.iter(length).enumerate() {
        let name = format!("array_of_partitions[{index}]");
        let name = (partition, name.as_str());
        send.ready(mpi, name, name)?;
    }
    Ok(())
}

/// Says whether a partition of a partitioned receive has arrived. Null and inactive requests have nothing
/// to wait for. (MPI-5.0, 4.2.2)
///
/// # Errors
/// `MPI_ERR_REQUEST`: no partitioned receive. `MPI_ERR_ARG`: no such partition.
pub fn parrived(mpi: &Mpi, request: Request, partition: i32, flag: Out<bool>) -> Result<()> {
    flag.set(
        request.is_null() || Partitioned::find(&mpi.requests, request)?.arrived(mpi, partition)?,
    );
    Ok(())
}
