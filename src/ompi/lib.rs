//! The front for programs built against Open MPI 4 or 5: `libmpi.so.40`.
//!
//! Types, tables and exported data only; what the functions do is in `anympi_core`. The exported
//! functions are generated and are the same text for every front that has them.
#![allow(clippy::missing_safety_doc)]

#[cfg(not(any(panic = "abort", test, doc)))]
compile_error!("build with panic = \"abort\": unwinding into C is undefined behaviour");

mod abi;
mod attributes;
mod callbacks;
mod crossing;
mod fields;
mod fortran;
mod handles;
mod language;
mod numbers;
mod object;
mod objects;
mod types;

#[path = "../exports.rs"]
mod exports;
#[path = "../exports_native.rs"]
mod exports_native;
#[path = "../exports_ompi.rs"]
mod exports_ompi;

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
