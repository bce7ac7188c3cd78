//! The C types of Open MPI's `mpi.h` on x86_64 Linux, under their C names.
//!
//! Layouts only: every handle is a pointer to a structure that no program looks into. What lies behind
//! the pointers is in `object`, what the values mean is in `abi`.
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

pub type MPI_Comm = *mut ompi_communicator_t;
pub type MPI_Datatype = *mut ompi_datatype_t;
pub type MPI_Errhandler = *mut ompi_errhandler_t;
pub type MPI_File = *mut ompi_file_t;
pub type MPI_Group = *mut ompi_group_t;
pub type MPI_Info = *mut ompi_info_t;
pub type MPI_Message = *mut ompi_message_t;
pub type MPI_Op = *mut ompi_op_t;
pub type MPI_Request = *mut ompi_request_t;
pub type MPI_Session = *mut ompi_instance_t;
pub type MPI_Win = *mut ompi_win_t;

/// Result of a receive. `_ucount` counts bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MPI_Status {
    pub MPI_SOURCE: c_int,
    pub MPI_TAG: c_int,
    pub MPI_ERROR: c_int,
    pub _cancelled: c_int,
    pub _ucount: usize,
}
const _: () = assert!(size_of::<MPI_Status>() == 24);

/// The status of the module `mpi_f08`.
pub type MPI_F08_status = MPI_Status;

pub type MPI_T_enum = *mut mca_base_var_enum_t;
pub type MPI_T_cvar_handle = *mut ompi_mpit_cvar_handle_t;
pub type MPI_T_pvar_handle = *mut mca_base_pvar_handle_t;
pub type MPI_T_pvar_session = *mut mca_base_pvar_session_t;
// The events of later versions of MPI; Open MPI's own header has none.
pub type MPI_T_cb_safety = c_int;
pub type MPI_T_source_order = c_int;
pub type MPI_T_event_registration = *mut c_void;
pub type MPI_T_event_instance = *mut c_void;

pub type ompi_affinity_fmt_t = c_int;

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
    ompi_communicator_t
    ompi_datatype_t
    ompi_errhandler_t
    ompi_file_t
    ompi_group_t
    ompi_info_t
    ompi_message_t
    ompi_op_t
    ompi_request_t
    ompi_instance_t
    ompi_win_t
    mca_base_var_enum_t
    ompi_mpit_cvar_handle_t
    mca_base_pvar_handle_t
    mca_base_pvar_session_t
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
}
