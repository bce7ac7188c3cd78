//! The launcher and the compiler wrappers.
