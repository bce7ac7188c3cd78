//! The front for programs built against MPICH, Intel MPI, MVAPICH or Cray MPICH: `libmpi.so.12`.
//!
//! Types, tables and exported data only; what the functions do is in `anympi_core`. The exported
//! functions are generated and are the same text for every front that has them.
#![allow(clippy::missing_safety_doc)]

#[cfg(not(any(panic = "abort", test, doc)))]
compile_error!("build with panic = \"abort\": unwinding into C is undefined behaviour");

mod abi;
mod callbacks;
mod data;
mod handles;
mod language;
mod numbers;
mod types;

#[path = "../exports.rs"]
mod exports;
#[path = "../exports_mpich.rs"]
mod exports_mpich;
#[path = "../exports_native.rs"]
mod exports_native;
#[path = "../exports_std_mpich.rs"]
mod exports_std_mpich;

/// What the generated files use.
mod prelude {
    pub use std::ffi::{c_char, c_int, c_void};

    pub use anympi_core::abi::{anytime, arg, enter, on, plain, tool, unlocked};
    pub use anympi_core::api;
    pub use anympi_core::collective;
    pub use anympi_core::enter;
    pub use anympi_core::error::On;

    pub use crate::abi::Front;
    pub use crate::types::*;
}
