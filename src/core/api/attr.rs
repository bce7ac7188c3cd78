//! Attribute caching: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Attr_delete`. (MPI-5.0, chapter 7)
pub fn attr_delete(_mpi: &Mpi, _comm: Comm, _keyval: Keyval) -> Result<()> {
    unsupported()
}

/// `MPI_Attr_get`. (MPI-5.0, chapter 7)
pub fn attr_get(
    _mpi: &Mpi,
    _comm: Comm,
    _keyval: Keyval,
    _attribute_val: AttributeOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Attr_put`. (MPI-5.0, chapter 7)
pub fn attr_put(_mpi: &Mpi, _comm: Comm, _keyval: Keyval, _attribute_val: Opaque) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_create_keyval`. (MPI-5.0, chapter 7)
pub fn comm_create_keyval(
    _mpi: &Mpi,
    _comm_copy_attr_fn: CopyAttr<Comm>,
    _comm_delete_attr_fn: DeleteAttr<Comm>,
    _comm_keyval: Out<Keyval>,
    _extra_state: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_delete_attr`. (MPI-5.0, chapter 7)
pub fn comm_delete_attr(_mpi: &Mpi, _comm: Comm, _comm_keyval: Keyval) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_free_keyval`. (MPI-5.0, chapter 7)
pub fn comm_free_keyval(_mpi: &Mpi, _comm_keyval: InOut<Keyval>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_get_attr`. (MPI-5.0, chapter 7)
pub fn comm_get_attr(
    _mpi: &Mpi,
    _comm: Comm,
    _comm_keyval: Keyval,
    _attribute_val: AttributeOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_set_attr`. (MPI-5.0, chapter 7)
pub fn comm_set_attr(
    _mpi: &Mpi,
    _comm: Comm,
    _comm_keyval: Keyval,
    _attribute_val: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Keyval_create`. (MPI-5.0, chapter 7)
pub fn keyval_create(
    _mpi: &Mpi,
    _copy_fn: CopyAttr<Comm>,
    _delete_fn: DeleteAttr<Comm>,
    _keyval: Out<Keyval>,
    _extra_state: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Keyval_free`. (MPI-5.0, chapter 7)
pub fn keyval_free(_mpi: &Mpi, _keyval: InOut<Keyval>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_keyval`. (MPI-5.0, chapter 7)
pub fn type_create_keyval(
    _mpi: &Mpi,
    _type_copy_attr_fn: CopyAttr<Datatype>,
    _type_delete_attr_fn: DeleteAttr<Datatype>,
    _type_keyval: Out<Keyval>,
    _extra_state: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_delete_attr`. (MPI-5.0, chapter 7)
pub fn type_delete_attr(_mpi: &Mpi, _datatype: Datatype, _type_keyval: Keyval) -> Result<()> {
    unsupported()
}

/// `MPI_Type_free_keyval`. (MPI-5.0, chapter 7)
pub fn type_free_keyval(_mpi: &Mpi, _type_keyval: InOut<Keyval>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_attr`. (MPI-5.0, chapter 7)
pub fn type_get_attr(
    _mpi: &Mpi,
    _datatype: Datatype,
    _type_keyval: Keyval,
    _attribute_val: AttributeOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_set_attr`. (MPI-5.0, chapter 7)
pub fn type_set_attr(
    _mpi: &Mpi,
    _datatype: Datatype,
    _type_keyval: Keyval,
    _attribute_val: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_create_keyval`. (MPI-5.0, chapter 7)
pub fn win_create_keyval(
    _mpi: &Mpi,
    _win_copy_attr_fn: CopyAttr<Win>,
    _win_delete_attr_fn: DeleteAttr<Win>,
    _win_keyval: Out<Keyval>,
    _extra_state: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_delete_attr`. (MPI-5.0, chapter 7)
pub fn win_delete_attr(_mpi: &Mpi, _win: Win, _win_keyval: Keyval) -> Result<()> {
    unsupported()
}

/// `MPI_Win_free_keyval`. (MPI-5.0, chapter 7)
pub fn win_free_keyval(_mpi: &Mpi, _win_keyval: InOut<Keyval>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_get_attr`. (MPI-5.0, chapter 7)
pub fn win_get_attr(
    _mpi: &Mpi,
    _win: Win,
    _win_keyval: Keyval,
    _attribute_val: AttributeOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_set_attr`. (MPI-5.0, chapter 7)
pub fn win_set_attr(
    _mpi: &Mpi,
    _win: Win,
    _win_keyval: Keyval,
    _attribute_val: Opaque,
) -> Result<()> {
    unsupported()
}
