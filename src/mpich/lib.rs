//! The MPICH-ABI front.
