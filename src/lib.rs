//! The standard-ABI front.
