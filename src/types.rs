//! The C types of the MPI-5.0 standard ABI (MPI-5.0, chapter 20), under their C names.
//!
//! cbindgen reads this file for `mpi.h`: plain items only, no logic.
#![allow(non_camel_case_types, non_snake_case)]

use std::ffi::c_int;

pub type MPI_Aint = isize;
pub type MPI_Offset = i64;
pub type MPI_Count = i64;
pub type MPI_Fint = c_int;

/// Result of a receive; `MPI_internal` is ours: byte count and cancelled flag.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MPI_Status {
    pub MPI_SOURCE: c_int,
    pub MPI_TAG: c_int,
    pub MPI_ERROR: c_int,
    pub MPI_internal: [c_int; 5],
}

pub struct MPI_ABI_Comm {
    _private: [u8; 0],
}
pub type MPI_Comm = *mut MPI_ABI_Comm;

pub struct MPI_ABI_Datatype {
    _private: [u8; 0],
}
pub type MPI_Datatype = *mut MPI_ABI_Datatype;

pub struct MPI_ABI_Errhandler {
    _private: [u8; 0],
}
pub type MPI_Errhandler = *mut MPI_ABI_Errhandler;

pub struct MPI_ABI_File {
    _private: [u8; 0],
}
pub type MPI_File = *mut MPI_ABI_File;

pub struct MPI_ABI_Group {
    _private: [u8; 0],
}
pub type MPI_Group = *mut MPI_ABI_Group;

pub struct MPI_ABI_Info {
    _private: [u8; 0],
}
pub type MPI_Info = *mut MPI_ABI_Info;

pub struct MPI_ABI_Message {
    _private: [u8; 0],
}
pub type MPI_Message = *mut MPI_ABI_Message;

pub struct MPI_ABI_Op {
    _private: [u8; 0],
}
pub type MPI_Op = *mut MPI_ABI_Op;

pub struct MPI_ABI_Request {
    _private: [u8; 0],
}
pub type MPI_Request = *mut MPI_ABI_Request;

pub struct MPI_ABI_Session {
    _private: [u8; 0],
}
pub type MPI_Session = *mut MPI_ABI_Session;

pub struct MPI_ABI_Win {
    _private: [u8; 0],
}
pub type MPI_Win = *mut MPI_ABI_Win;

pub struct MPI_ABI_T_enum {
    _private: [u8; 0],
}
pub type MPI_T_enum = *mut MPI_ABI_T_enum;

pub struct MPI_ABI_T_cvar_handle {
    _private: [u8; 0],
}
pub type MPI_T_cvar_handle = *mut MPI_ABI_T_cvar_handle;

pub struct MPI_ABI_T_pvar_handle {
    _private: [u8; 0],
}
pub type MPI_T_pvar_handle = *mut MPI_ABI_T_pvar_handle;

pub struct MPI_ABI_T_pvar_session {
    _private: [u8; 0],
}
pub type MPI_T_pvar_session = *mut MPI_ABI_T_pvar_session;

pub struct MPI_ABI_T_event_registration {
    _private: [u8; 0],
}
pub type MPI_T_event_registration = *mut MPI_ABI_T_event_registration;

pub struct MPI_ABI_T_event_instance {
    _private: [u8; 0],
}
pub type MPI_T_event_instance = *mut MPI_ABI_T_event_instance;

/// Enumerations in C; `mpi.h` declares them itself.
pub type MPI_T_cb_safety = c_int;
pub type MPI_T_source_order = c_int;

// Function types. C's `typedef` of a function has no Rust spelling, so `mpi.h` declares these itself.
pub struct MPI_User_function {
    _private: [u8; 0],
}
pub struct MPI_User_function_c {
    _private: [u8; 0],
}
pub struct MPI_Grequest_query_function {
    _private: [u8; 0],
}
pub struct MPI_Grequest_free_function {
    _private: [u8; 0],
}
pub struct MPI_Grequest_cancel_function {
    _private: [u8; 0],
}
pub struct MPI_Copy_function {
    _private: [u8; 0],
}
pub struct MPI_Delete_function {
    _private: [u8; 0],
}
pub struct MPI_Comm_copy_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Comm_delete_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Type_copy_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Type_delete_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Win_copy_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Win_delete_attr_function {
    _private: [u8; 0],
}
pub struct MPI_Datarep_extent_function {
    _private: [u8; 0],
}
pub struct MPI_Datarep_conversion_function {
    _private: [u8; 0],
}
pub struct MPI_Datarep_conversion_function_c {
    _private: [u8; 0],
}
pub struct MPI_Comm_errhandler_function {
    _private: [u8; 0],
}
pub struct MPI_File_errhandler_function {
    _private: [u8; 0],
}
pub struct MPI_Win_errhandler_function {
    _private: [u8; 0],
}
pub struct MPI_Session_errhandler_function {
    _private: [u8; 0],
}
pub struct MPI_T_event_cb_function {
    _private: [u8; 0],
}
pub struct MPI_T_event_free_cb_function {
    _private: [u8; 0],
}
pub struct MPI_T_event_dropped_cb_function {
    _private: [u8; 0],
}
