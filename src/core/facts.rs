//! What the front that this core is linked into says about its ABI, as plain data.
//!
//! Only for values that no parameter type can carry across: the sizes of the caller's string buffers,
//! and numbers that travel inside attributes and arrays. Everything else is converted at the boundary.

use crate::handle::{Datatype, Request};
use crate::types::*;

/// The family a front belongs to: how detectors such as mpi4py's see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Standard,
    Mpich,
    OpenMpi,
}

/// Bytes a caller's string buffer holds, the final NUL included (`MPI_MAX_*` of its header).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub datarep_string: usize,
    pub error_string: usize,
    pub info_key: usize,
    pub info_val: usize,
    pub library_version_string: usize,
    pub object_name: usize,
    pub port_name: usize,
    pub processor_name: usize,
    pub pset_name_len: usize,
}

/// One ABI's facts. The functions turn the core's numbers into the ABI's.
pub struct Facts {
    pub family: Family,
    /// `MPI_VERSION` and `MPI_SUBVERSION` that `MPI_Get_version` answers.
    pub version: (i32, i32),
    /// What `MPI_Abi_get_version` answers: (1, 0) only for the standard ABI, else (-1, -1).
    pub abi_version: (i32, i32),
    /// Text of `MPI_Get_library_version`, without a final NUL.
    pub library_version: &'static str,
    pub limits: Limits,
    pub rank: fn(Rank) -> i32,
    pub tag: fn(Tag) -> i32,
    pub error_code: fn(ErrorCode) -> i32,
    pub win_flavor: fn(WinFlavor) -> i32,
    pub win_model: fn(WinModel) -> i32,
    pub array_order: fn(ArrayOrder) -> i32,
    pub distribution: fn(Distribution) -> i32,
    pub distribution_arg: fn(DistributionArg) -> i32,
    /// Bytes of the ABI's `MPI_Datatype`, and one written to a place of that many bytes.
    pub datatype_size: usize,
    pub datatype: fn(Datatype) -> u64,
    /// Tells the ABI's layer of a new generalised request.
    pub grequest_made: fn(Request),
}
