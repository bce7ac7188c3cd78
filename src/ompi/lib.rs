//! The Open MPI ABI front.
