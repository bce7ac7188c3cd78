//! The C types of MPICH's `mpi.h` on x86_64 Linux, under their C names.
//!
//! Layouts only: handles are `int`, except `MPI_File`; a status is five `int`s with the count first.
//! What the values mean is in `abi`.
#![allow(non_camel_case_types, non_snake_case)]

use std::ffi::{c_int, c_void};

/// Address-sized displacement.
pub type MPI_Aint = isize;
/// Displacement in a file.
pub type MPI_Offset = i64;
/// 64-bit count.
pub type MPI_Count = i64;
/// Fortran `INTEGER`.
pub type MPI_Fint = c_int;

pub type MPI_Comm = c_int;
pub type MPI_Datatype = c_int;
pub type MPI_Errhandler = c_int;
pub type MPI_Group = c_int;
pub type MPI_Info = c_int;
pub type MPI_Message = c_int;
pub type MPI_Op = c_int;
pub type MPI_Request = c_int;
pub type MPI_Session = c_int;
pub type MPI_Win = c_int;
pub type MPI_File = *mut ADIOI_FileD;
pub type MPIX_Stream = c_int;

/// Result of a receive. The count is `count_lo` plus the upper 31 bits of `count_hi_and_cancelled`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MPI_Status {
    pub count_lo: c_int,
    pub count_hi_and_cancelled: c_int,
    pub MPI_SOURCE: c_int,
    pub MPI_TAG: c_int,
    pub MPI_ERROR: c_int,
}
const _: () = assert!(size_of::<MPI_Status>() == 20);

/// The status of the module `mpi_f08`.
pub type MPI_F08_status = MPI_Status;

pub type MPI_T_cb_safety = c_int;
pub type MPI_T_source_order = c_int;
pub type MPI_T_enum = *mut MPIR_T_enum_s;
pub type MPI_T_cvar_handle = *mut MPIR_T_cvar_handle_s;
pub type MPI_T_pvar_handle = *mut MPIR_T_pvar_handle_s;
pub type MPI_T_pvar_session = *mut MPIR_T_pvar_session_s;
pub type MPI_T_event_registration = *mut MPIR_T_event_registration_s;
pub type MPI_T_event_instance = *mut MPIR_T_event_instance_s;

pub type MPIX_Grequest_class = c_int;
pub type MPIX_Async_thing = *mut MPIX_Async_thing_s;
/// A base address and a length in bytes.
pub type MPIX_Iov = c_void;

/// C types that are only pointed at.
macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}

opaque! {
    ADIOI_FileD
    MPIR_T_enum_s
    MPIR_T_cvar_handle_s
    MPIR_T_pvar_handle_s
    MPIR_T_pvar_session_s
    MPIR_T_event_registration_s
    MPIR_T_event_instance_s
    MPIX_Async_thing_s
}

// Function types: a pointer to one of these is a C function pointer.
opaque! {
    MPI_User_function
    MPI_User_function_c
    MPI_Grequest_query_function
    MPI_Grequest_free_function
    MPI_Grequest_cancel_function
    MPI_Copy_function
    MPI_Delete_function
    MPI_Comm_copy_attr_function
    MPI_Comm_delete_attr_function
    MPI_Type_copy_attr_function
    MPI_Type_delete_attr_function
    MPI_Win_copy_attr_function
    MPI_Win_delete_attr_function
    MPI_Datarep_extent_function
    MPI_Datarep_conversion_function
    MPI_Datarep_conversion_function_c
    MPI_Comm_errhandler_function
    MPI_File_errhandler_function
    MPI_Win_errhandler_function
    MPI_Session_errhandler_function
    MPI_T_event_cb_function
    MPI_T_event_free_cb_function
    MPI_T_event_dropped_cb_function
    MPIX_Comm_errhandler_function_x
    MPIX_File_errhandler_function_x
    MPIX_Win_errhandler_function_x
    MPIX_Session_errhandler_function_x
    MPIX_User_function_x
    MPIX_Destructor_function
    MPIX_Grequest_poll_function
    MPIX_Grequest_wait_function
    MPIX_Async_poll_function
}
