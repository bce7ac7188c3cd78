//! libmpi_abi.so.1: the MPI-5.0 standard ABI. C types, numbers and exported names; no logic.

#[cfg(not(any(panic = "abort", test, doc)))]
compile_error!("build with panic = \"abort\": unwinding into C is undefined behaviour");

mod abi5;
// Read by cbindgen, not by Rust; spelled as C has it.
#[allow(dead_code, clippy::zero_ptr, clippy::manual_dangling_ptr)]
mod constants;
mod exports;
mod exports_std;
mod exports_std_mpich;
mod types;

/// What the generated functions use.
mod prelude {
    pub use std::ffi::{c_char, c_int, c_void};

    pub use anympi_core::abi::{anytime, arg, on, plain, tool, unlocked};
    pub use anympi_core::api;
    pub use anympi_core::collective;
    pub use anympi_core::enter;
    pub use anympi_core::error::On;

    pub use crate::abi5::Front;
    pub use crate::types::*;
}
