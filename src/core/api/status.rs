//! Status queries: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::fail;

/// `MPI_Get_count`. (MPI-5.0, chapter 3)
pub fn get_count(mpi: &Mpi, status: Status, datatype: Datatype, count: Out<Count>) -> Result<()> {
    let size = mpi.datatype(datatype)?.size();
    let whole = status.bytes.checked_rem(size) == Some(0);
    count.set(if whole {
        (status.bytes / size) as Count
    } else if status.bytes == 0 {
        0
    } else {
        UNDEFINED.into()
    });
    Ok(())
}

/// `MPI_Get_elements`. (MPI-5.0, chapter 3)
pub fn get_elements(
    mpi: &Mpi,
    status: Status,
    datatype: Datatype,
    count: Out<Count>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let signature = datatype.signature();
    let (elements, rest) = match datatype.size() {
        0 => (0, status.bytes),
        size => {
            let (elements, rest) = signature.elements_in(status.bytes % size);
            (status.bytes / size * signature.elements() + elements, rest)
        }
    };
    count.set(if rest == 0 {
        elements as Count
    } else {
        UNDEFINED.into()
    });
    Ok(())
}

/// `MPI_Get_elements_x`. (MPI-5.0, chapter 3)
pub fn get_elements_x(
    mpi: &Mpi,
    status: Status,
    datatype: Datatype,
    count: Out<BigCount>,
) -> Result<()> {
    get_elements(mpi, status, datatype, count)
}

/// `MPI_Status_get_error`. (MPI-5.0, chapter 3)
pub fn status_get_error(_mpi: &Mpi, _status: Status, _err: Out<ErrorCode>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_get_source`. (MPI-5.0, chapter 3)
pub fn status_get_source(_mpi: &Mpi, _status: Status, _source: Out<Rank>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_get_tag`. (MPI-5.0, chapter 3)
pub fn status_get_tag(_mpi: &Mpi, _status: Status, _tag: Out<Tag>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_cancelled`. (MPI-5.0, chapter 3)
pub fn status_set_cancelled(_mpi: &Mpi, _status: InOut<Status>, _flag: bool) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_elements`. (MPI-5.0, chapter 3)
pub fn status_set_elements(
    mpi: &Mpi,
    status: InOut<Status>,
    datatype: Datatype,
    count: Count,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let Ok(elements) = u64::try_from(count) else {
        fail!(COUNT, "count is {count}, expected a value >= 0");
    };
    let Some(bytes) = datatype.signature().bytes_of(elements) else {
        fail!(
            COUNT,
            "count is {count}, which {} cannot hold",
            datatype.describe()
        );
    };
    let old = status.get();
    status.set(Status { bytes, ..old });
    Ok(())
}

/// `MPI_Status_set_elements_x`. (MPI-5.0, chapter 3)
pub fn status_set_elements_x(
    mpi: &Mpi,
    status: InOut<Status>,
    datatype: Datatype,
    count: BigCount,
) -> Result<()> {
    status_set_elements(mpi, status, datatype, count)
}

/// `MPI_Status_set_error`. (MPI-5.0, chapter 3)
pub fn status_set_error(_mpi: &Mpi, _status: InOut<Status>, _err: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_source`. (MPI-5.0, chapter 3)
pub fn status_set_source(_mpi: &Mpi, _status: InOut<Status>, _source: Rank) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_tag`. (MPI-5.0, chapter 3)
pub fn status_set_tag(_mpi: &Mpi, _status: InOut<Status>, _tag: Tag) -> Result<()> {
    unsupported()
}

/// `MPI_Test_cancelled`. (MPI-5.0, chapter 3)
pub fn test_cancelled(_mpi: &Mpi, _status: Status, _flag: Out<bool>) -> Result<()> {
    unsupported()
}
