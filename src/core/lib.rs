//! The MPI core, free of any C ABI.
