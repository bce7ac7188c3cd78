//! The semantic scalar types of the API, with the numbers of MPI-5.0.
//!
//! Two values that share a C type (`int`) may mean different things in different ABIs: -1 is
//! `MPI_ANY_TAG` for MPICH and `MPI_ANY_SOURCE` for the standard ABI. Whatever differs between ABIs has a
//! type of its own here, and the fronts convert by that type.

/// Number of elements or bytes; 64 bits inside, `int` or `MPI_Count` in C.
pub type Count = i64;
/// Byte displacement in memory (`MPI_Aint`).
pub type Aint = isize;
/// Byte displacement in a file (`MPI_Offset`).
pub type Offset = i64;
/// A displacement that is `MPI_Aint` in the plain and `MPI_Count` in the `_c` form of a call.
pub type AintCount = i64;

/// A rank in a group, or one of the special ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Rank(pub i32);

impl Rank {
    pub const ANY_SOURCE: Rank = Rank(-1);
    pub const PROC_NULL: Rank = Rank(-3);
    pub const ROOT: Rank = Rank(-4);
    pub const UNDEFINED: Rank = Rank(UNDEFINED);
}

/// A message tag, or `MPI_ANY_TAG`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Tag(pub i32);

impl Tag {
    pub const ANY: Tag = Tag(-2);
    /// Largest tag an application may use (attribute `MPI_TAG_UB`).
    pub const UPPER_BOUND: i32 = i32::MAX;
}

/// `MPI_UNDEFINED`, the same in every ABI.
pub const UNDEFINED: i32 = -32766;

/// What a receive, a probe or a completed request reports (MPI-5.0, 3.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub source: Rank,
    pub tag: Tag,
    /// Error code of this request; only the multiple-completion calls hand it to the caller.
    pub error: i32,
    pub cancelled: bool,
    /// Bytes received.
    pub bytes: u64,
}

impl Status {
    /// The empty status (MPI-5.0, 3.7.3).
    pub const EMPTY: Status = Status {
        source: Rank::ANY_SOURCE,
        tag: Tag::ANY,
        error: 0,
        cancelled: false,
        bytes: 0,
    };
    /// What an operation with `MPI_PROC_NULL` reports (MPI-5.0, 3.10).
    pub const PROC_NULL: Status = Status {
        source: Rank::PROC_NULL,
        ..Status::EMPTY
    };
}
