//! Attribute caching: one function per MPI operation (MPI-5.0, 7.7).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::attr_value::Value;
use crate::carrier::{self, Carrier};
use crate::registry::bad_handle;

/// Stores the value of an attribute as C sees it, if the object has it.
fn get<H: Carrier>(
    mpi: &Mpi,
    object: H,
    key: Keyval,
    attribute_val: AttributeOut,
    flag: Out<bool>,
) -> Result<()> {
    let value = carrier::get(mpi, object, key)?;
    if let Some(value) = &value {
        attribute_val.set(value.as_pointer().0);
    }
    flag.set(value.is_some());
    Ok(())
}

fn free_keyval<H: Carrier>(mpi: &Mpi, keyval: InOut<Keyval>) -> Result<()> {
    mpi.keyvals.free::<H>(keyval.get())?;
    keyval.set(Keyval::INVALID);
    Ok(())
}

/// As `MPI_Comm_delete_attr`. (deprecated in MPI-2.0)
///
/// # Errors
/// As `MPI_Comm_delete_attr`.
pub fn attr_delete(mpi: &Mpi, comm: Comm, keyval: Keyval) -> Result<()> {
    comm_delete_attr(mpi, comm, keyval)
}

/// As `MPI_Comm_get_attr`. (deprecated in MPI-2.0)
///
/// # Errors
/// As `MPI_Comm_get_attr`.
pub fn attr_get(
    mpi: &Mpi,
    comm: Comm,
    keyval: Keyval,
    attribute_val: AttributeOut,
    flag: Out<bool>,
) -> Result<()> {
    comm_get_attr(mpi, comm, keyval, attribute_val, flag)
}

/// As `MPI_Comm_set_attr`. (deprecated in MPI-2.0)
///
/// # Errors
/// As `MPI_Comm_set_attr`.
pub fn attr_put(mpi: &Mpi, comm: Comm, keyval: Keyval, attribute_val: Opaque) -> Result<()> {
    comm_set_attr(mpi, comm, keyval, attribute_val)
}

/// Makes a key for attributes of communicators. (MPI-5.0, 7.7.2)
pub fn comm_create_keyval(
    mpi: &Mpi,
    comm_copy_attr_fn: CopyAttr<Comm>,
    comm_delete_attr_fn: DeleteAttr<Comm>,
    comm_keyval: Out<Keyval>,
    extra_state: Opaque,
) -> Result<()> {
    let keyvals = &mpi.keyvals;
    comm_keyval.set(keyvals.create(comm_copy_attr_fn, comm_delete_attr_fn, extra_state));
    Ok(())
}

/// Deletes an attribute of a communicator, if it has it. (MPI-5.0, 7.7.2)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key that may be used here. What the delete function returned.
pub fn comm_delete_attr(mpi: &Mpi, comm: Comm, comm_keyval: Keyval) -> Result<()> {
    carrier::delete(mpi, comm, comm_keyval)
}

/// Gives up a key; attributes under it live on. (MPI-5.0, 7.7.2)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key that may be freed.
pub fn comm_free_keyval(mpi: &Mpi, comm_keyval: InOut<Keyval>) -> Result<()> {
    free_keyval::<Comm>(mpi, comm_keyval)
}

/// The value of a communicator's attribute, if it has it; predefined ones are addresses of `int`s.
/// (MPI-5.0, 7.7.2 and 9.1.2)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key for communicators.
pub fn comm_get_attr(
    mpi: &Mpi,
    comm: Comm,
    comm_keyval: Keyval,
    attribute_val: AttributeOut,
    flag: Out<bool>,
) -> Result<()> {
    get(mpi, comm, comm_keyval, attribute_val, flag)
}

/// Sets an attribute of a communicator; an old value is deleted first. (MPI-5.0, 7.7.2)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key that may be used here. What the delete function returned.
pub fn comm_set_attr(
    mpi: &Mpi,
    comm: Comm,
    comm_keyval: Keyval,
    attribute_val: Opaque,
) -> Result<()> {
    carrier::set(mpi, comm, comm_keyval, Value::pointer(attribute_val))
}

/// As `MPI_Comm_create_keyval`. (deprecated in MPI-2.0)
pub fn keyval_create(
    mpi: &Mpi,
    copy_fn: CopyAttr<Comm>,
    delete_fn: DeleteAttr<Comm>,
    keyval: Out<Keyval>,
    extra_state: Opaque,
) -> Result<()> {
    comm_create_keyval(mpi, copy_fn, delete_fn, keyval, extra_state)
}

/// As `MPI_Comm_free_keyval`. (deprecated in MPI-2.0)
///
/// # Errors
/// As `MPI_Comm_free_keyval`.
pub fn keyval_free(mpi: &Mpi, keyval: InOut<Keyval>) -> Result<()> {
    comm_free_keyval(mpi, keyval)
}

/// Makes a key for attributes of datatypes. (MPI-5.0, 7.7.4)
pub fn type_create_keyval(
    mpi: &Mpi,
    type_copy_attr_fn: CopyAttr<Datatype>,
    type_delete_attr_fn: DeleteAttr<Datatype>,
    type_keyval: Out<Keyval>,
    extra_state: Opaque,
) -> Result<()> {
    let keyvals = &mpi.keyvals;
    type_keyval.set(keyvals.create(type_copy_attr_fn, type_delete_attr_fn, extra_state));
    Ok(())
}

/// Deletes an attribute of a datatype, if it has it. (MPI-5.0, 7.7.4)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key for datatypes. What the delete function returned.
pub fn type_delete_attr(mpi: &Mpi, datatype: Datatype, type_keyval: Keyval) -> Result<()> {
    carrier::delete(mpi, datatype, type_keyval)
}

/// Gives up a key; attributes under it live on. (MPI-5.0, 7.7.4)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key that may be freed.
pub fn type_free_keyval(mpi: &Mpi, type_keyval: InOut<Keyval>) -> Result<()> {
    free_keyval::<Datatype>(mpi, type_keyval)
}

/// The value of a datatype's attribute, if it has it. (MPI-5.0, 7.7.4)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key for datatypes.
pub fn type_get_attr(
    mpi: &Mpi,
    datatype: Datatype,
    type_keyval: Keyval,
    attribute_val: AttributeOut,
    flag: Out<bool>,
) -> Result<()> {
    get(mpi, datatype, type_keyval, attribute_val, flag)
}

/// Sets an attribute of a datatype; an old value is deleted first. (MPI-5.0, 7.7.4)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key for datatypes. What the delete function returned.
pub fn type_set_attr(
    mpi: &Mpi,
    datatype: Datatype,
    type_keyval: Keyval,
    attribute_val: Opaque,
) -> Result<()> {
    carrier::set(mpi, datatype, type_keyval, Value::pointer(attribute_val))
}

/// Makes a key for attributes of windows. (MPI-5.0, 7.7.3)
pub fn win_create_keyval(
    mpi: &Mpi,
    win_copy_attr_fn: CopyAttr<Win>,
    win_delete_attr_fn: DeleteAttr<Win>,
    win_keyval: Out<Keyval>,
    extra_state: Opaque,
) -> Result<()> {
    let keyvals = &mpi.keyvals;
    win_keyval.set(keyvals.create(win_copy_attr_fn, win_delete_attr_fn, extra_state));
    Ok(())
}

/// Deletes an attribute of a window. (MPI-5.0, 7.7.3)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_delete_attr(_mpi: &Mpi, win: Win, _win_keyval: Keyval) -> Result<()> {
    Err(bad_handle(win))
}

/// Gives up a key; attributes under it live on. (MPI-5.0, 7.7.3)
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key that may be freed.
pub fn win_free_keyval(mpi: &Mpi, win_keyval: InOut<Keyval>) -> Result<()> {
    free_keyval::<Win>(mpi, win_keyval)
}

/// The value of an attribute of a window. (MPI-5.0, 7.7.3)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_get_attr(
    _mpi: &Mpi,
    win: Win,
    _win_keyval: Keyval,
    _attribute_val: AttributeOut,
    _flag: Out<bool>,
) -> Result<()> {
    Err(bad_handle(win))
}

/// Sets an attribute of a window. (MPI-5.0, 7.7.3)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_set_attr(
    _mpi: &Mpi,
    win: Win,
    _win_keyval: Keyval,
    _attribute_val: Opaque,
) -> Result<()> {
    Err(bad_handle(win))
}
