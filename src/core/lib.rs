//! The MPI core: every operation of MPI on the numbers of MPI-5.0, without any C ABI.
//!
//! The modules stand in dependency order; a lower one never names a higher one.
#![deny(unsafe_code)]

pub mod error;
pub mod handle;
pub mod types;
