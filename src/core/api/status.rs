//! Status queries: one function per MPI operation (MPI-5.0, 3.2.5 and 13.3).
//!
//! Arguments arrive converted to the core's vocabulary; the calls work at any time. A status counts
//! bytes; elements are worked out with the datatype of each call. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::datatype::Type;
use crate::fail;

/// Whole elements of `datatype` in `bytes`, `None` if there is a part of one more.
fn whole(datatype: &Type, bytes: u64) -> Option<u64> {
    match (datatype.size(), bytes) {
        (0, 0) => Some(0),
        (0, _) => None,
        (size, _) => bytes.is_multiple_of(size).then_some(bytes / size),
    }
}

/// Basic elements in `bytes`, `None` if there is a part of one more.
fn basics(datatype: &Type, bytes: u64) -> Option<u64> {
    let size = datatype.size();
    if size == 0 {
        return (bytes == 0).then_some(0);
    }
    let (more, over) = datatype.signature().elements_in(bytes % size);
    let full = (bytes / size).checked_mul(datatype.signature().elements())?;
    (over == 0).then(|| full + more)
}

/// A number of elements for the caller.
fn count_of(number: Option<u64>) -> Count {
    match number.and_then(|number| i64::try_from(number).ok()) {
        Some(number) => number,
        None => UNDEFINED.into(),
    }
}

/// Whole elements received; `UNDEFINED` if there is a part of one more. (MPI-5.0, 3.2.5)
///
/// # Errors
/// `MPI_ERR_TYPE`: no live datatype.
pub fn get_count(mpi: &Mpi, status: Status, datatype: Datatype, count: Out<Count>) -> Result<()> {
    count.set(count_of(whole(&*mpi.datatype(datatype)?, status.bytes)));
    Ok(())
}

/// Basic elements received; `UNDEFINED` if there is a part of one more. (MPI-5.0, 5.1.11)
///
/// # Errors
/// `MPI_ERR_TYPE`: no live datatype.
pub fn get_elements(
    mpi: &Mpi,
    status: Status,
    datatype: Datatype,
    count: Out<Count>,
) -> Result<()> {
    count.set(count_of(basics(&*mpi.datatype(datatype)?, status.bytes)));
    Ok(())
}

/// As `MPI_Get_elements_c`. (deprecated in MPI-4.1)
///
/// # Errors
/// `MPI_ERR_TYPE`: no live datatype.
pub fn get_elements_x(
    mpi: &Mpi,
    status: Status,
    datatype: Datatype,
    count: Out<BigCount>,
) -> Result<()> {
    count.set(count_of(basics(&*mpi.datatype(datatype)?, status.bytes)));
    Ok(())
}

/// The error field of a status. (MPI-5.0, 3.2.5)
pub fn status_get_error(_mpi: &Mpi, status: WholeStatus, err: Out<ErrorCode>) -> Result<()> {
    err.set(ErrorCode(status.0.error));
    Ok(())
}

/// The source field of a status. (MPI-5.0, 3.2.5)
pub fn status_get_source(_mpi: &Mpi, status: Status, source: Out<Rank>) -> Result<()> {
    source.set(status.source);
    Ok(())
}

/// The tag field of a status. (MPI-5.0, 3.2.5)
pub fn status_get_tag(_mpi: &Mpi, status: Status, tag: Out<Tag>) -> Result<()> {
    tag.set(status.tag);
    Ok(())
}

/// Sets what `MPI_Test_cancelled` will say. (MPI-5.0, 13.3)
pub fn status_set_cancelled(_mpi: &Mpi, status: InOut<Status>, flag: bool) -> Result<()> {
    status.set(Status {
        cancelled: flag.into(),
        ..status.get()
    });
    Ok(())
}

/// Sets what `MPI_Get_elements` will say with the same datatype. (MPI-5.0, 13.3)
///
/// # Errors
/// `MPI_ERR_COUNT`: a negative count, or more bytes than 64 bits count. `MPI_ERR_TYPE`: no live datatype.
pub fn status_set_elements(
    mpi: &Mpi,
    status: InOut<Status>,
    datatype: Datatype,
    count: Count,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let Ok(elements) = u64::try_from(count) else {
        fail!(
            COUNT,
            "count = {count}: a number of at least 0 was expected"
        );
    };
    let Some(bytes) = datatype.signature().bytes_of(elements) else {
        fail!(
            COUNT,
            "count = {count}: {} has no so many elements that their bytes can be counted",
            datatype.describe()
        );
    };
    status.set(Status {
        bytes,
        ..status.get()
    });
    Ok(())
}

/// As `MPI_Status_set_elements_c`. (deprecated in MPI-4.1)
///
/// # Errors
/// As `MPI_Status_set_elements`.
pub fn status_set_elements_x(
    mpi: &Mpi,
    status: InOut<Status>,
    datatype: Datatype,
    count: BigCount,
) -> Result<()> {
    status_set_elements(mpi, status, datatype, count)
}

/// Sets the error field of a status. (MPI-5.0, 13.3)
pub fn status_set_error(_mpi: &Mpi, status: InOut<Status>, err: ErrorCode) -> Result<()> {
    status.set(Status {
        error: err.0,
        ..status.get()
    });
    Ok(())
}

/// Sets the source field of a status. (MPI-5.0, 13.3)
pub fn status_set_source(_mpi: &Mpi, status: InOut<Status>, source: Rank) -> Result<()> {
    status.set(Status {
        source,
        ..status.get()
    });
    Ok(())
}

/// Sets the tag field of a status. (MPI-5.0, 13.3)
pub fn status_set_tag(_mpi: &Mpi, status: InOut<Status>, tag: Tag) -> Result<()> {
    status.set(Status {
        tag,
        ..status.get()
    });
    Ok(())
}

/// Whether the operation was cancelled. (MPI-5.0, 3.8.4)
pub fn test_cancelled(_mpi: &Mpi, status: Status, flag: Out<bool>) -> Result<()> {
    flag.set(status.cancelled == Cancelled::Yes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::{basic, contiguous};

    #[test]
    fn elements_and_bytes() {
        let int = Type::predefined(basic::MPI_INT).unwrap();
        let pair = Type::predefined(basic::MPI_SHORT_INT).unwrap();
        let pairs = contiguous(3, &pair).unwrap();
        assert_eq!(whole(&int, 12), Some(3));
        assert_eq!(whole(&int, 13), None);
        assert_eq!(basics(&pairs, 18), Some(6));
        // One pair (short and int), one short, and half an int.
        assert_eq!(basics(&pairs, 6), Some(2));
        assert_eq!(basics(&pairs, 8), Some(3));
        assert_eq!(basics(&pairs, 10), None);
        let expected = [0, 2, 6, 8, 12, 14, 18, 20, 24];
        for (elements, bytes) in expected.into_iter().enumerate() {
            assert_eq!(pairs.signature().bytes_of(elements as u64), Some(bytes));
            assert_eq!(basics(&pairs, bytes), Some(elements as u64));
        }
        assert_eq!(int.signature().bytes_of(u64::MAX), None);
        let nothing = contiguous(0, &int).unwrap();
        assert_eq!((whole(&nothing, 0), whole(&nothing, 1)), (Some(0), None));
        assert_eq!(
            (basics(&nothing, 0), nothing.signature().bytes_of(1)),
            (Some(0), None)
        );
    }
}
