//! The semantic scalar types of the API, with the numbers of MPI-5.0.
//!
//! Two values that share a C type (`int`) may mean different things in different ABIs. So -1 is `MPI_ANY_TAG` for
//! MPICH and `MPI_ANY_SOURCE` for the standard ABI. Whatever differs between ABIs has a type of its own here, and the
//! fronts convert by that type.

/// Number of elements or bytes; 64 bits inside, `int` or `MPI_Count` in C.
pub type Count = i64;
/// Byte displacement in memory (`MPI_Aint`).
pub type Aint = isize;
/// Byte displacement in a file (`MPI_Offset`).
pub type Offset = i64;
/// A count or displacement that remembers which form of a call it came through. A datatype made by the `_c` form
/// reports its arguments as large counts (MPI-5.0, 5.1.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormCount {
    pub value: i64,
    pub large: bool,
}
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

/// A process as this process numbers them: an index into its table of [`processes`](crate::processes). It means nothing to
/// another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(pub u32);

/// A message tag, or `MPI_ANY_TAG`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Tag(pub i32);

impl Tag {
    pub const ANY: Tag = Tag(-2);
    /// Largest tag an application may use (attribute `MPI_TAG_UB`).
    pub const UPPER_BOUND: i32 = i32::MAX;
}

/// A count that is `MPI_Count` in every form of a call.
pub type BigCount = i64;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident { $($constant:ident = $value:expr),* $(,)? })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        #[repr(transparent)]
        pub struct $name(pub i32);
        impl $name { $(pub const $constant: $name = $name($value);)* }
    )* };
}

numbers! {
    /// An attribute key. Predefined keys have the numbers of MPI-5.0; those that an application
    /// makes start at [`Keyval::FIRST_USER`], above every predefined key of every ABI's small numbers.
    Keyval {
        INVALID = 0, TAG_UB = 501, IO = 502, HOST = 503, WTIME_IS_GLOBAL = 504, APPNUM = 505,
        LASTUSEDCODE = 506, UNIVERSE_SIZE = 507, WIN_BASE = 601, WIN_DISP_UNIT = 602,
        WIN_SIZE = 603, WIN_CREATE_FLAVOR = 604, WIN_MODEL = 605, FIRST_USER = 0x1000,
    }
    /// An error class or code; 0 is `MPI_SUCCESS`. Those that an application adds start at
    /// [`ErrorCode::FIRST_USER`].
    ErrorCode { SUCCESS = 0, FIRST_USER = 16384 }
    /// Result of comparing communicators or groups (MPI-5.0, 7.3.1 and 7.4.1).
    Comparison { IDENT = 201, CONGRUENT = 202, SIMILAR = 203, UNEQUAL = 204 }
    /// How `MPI_Comm_split_type` splits (MPI-5.0, 7.4.2). `OMPI_*` levels are `0x4000 + n`.
    SplitType { SHARED = 221, HW_UNGUIDED = 222, HW_GUIDED = 223, RESOURCE_GUIDED = 224, NEIGHBORHOOD = 16434 }
    /// What made a datatype (MPI-5.0, 5.1.13).
    Combiner {
        NAMED = 101, DUP = 102, CONTIGUOUS = 103, VECTOR = 104, HVECTOR = 105, INDEXED = 106,
        HINDEXED = 107, INDEXED_BLOCK = 108, HINDEXED_BLOCK = 109, STRUCT = 110, SUBARRAY = 111,
        DARRAY = 112, F90_REAL = 113, F90_COMPLEX = 114, F90_INTEGER = 115, RESIZED = 116,
        VALUE_INDEX = 117,
    }
    /// Kind of a communicator's topology, or `UNDEFINED` (MPI-5.0, 8.5.4).
    TopologyKind { CART = 211, GRAPH = 212, DIST_GRAPH = 213, UNDEFINED = UNDEFINED }
    /// Level of thread support (MPI-5.0, 11.6).
    ThreadLevel { SINGLE = 0, FUNNELED = 1024, SERIALIZED = 2048, MULTIPLE = 4096 }
    /// Distribution of one dimension of a distributed array (MPI-5.0, 5.1.4).
    Distribution { NONE = 16, BLOCK = 17, CYCLIC = 18 }
    /// Storage order of an array (MPI-5.0, 5.1.3).
    ArrayOrder { C = 12, FORTRAN = 15 }
    /// How a file is opened, a bit set (MPI-5.0, 14.2.1).
    AccessMode {
        APPEND = 1, CREATE = 2, DELETE_ON_CLOSE = 4, EXCL = 8, RDONLY = 16, RDWR = 32,
        SEQUENTIAL = 64, UNIQUE_OPEN = 128, WRONLY = 256,
    }
    /// Assertions of one-sided synchronisation, a bit set (MPI-5.0, 12.5.5).
    WinAssert { NONE = 0, NOCHECK = 1024, NOPRECEDE = 2048, NOPUT = 4096, NOSTORE = 8192, NOSUCCEED = 16384 }
    /// Lock type of `MPI_Win_lock` (MPI-5.0, 12.5.3).
    LockType { EXCLUSIVE = 301, SHARED = 302 }
    /// How memory of a window was provided: value of the attribute `MPI_WIN_CREATE_FLAVOR`.
    WinFlavor { CREATE = 311, ALLOCATE = 312, DYNAMIC = 313, SHARED = 314 }
    /// Memory model of a window: value of the attribute `MPI_WIN_MODEL`.
    WinModel { UNIFIED = 321, SEPARATE = 322 }
    /// What an offset of `MPI_File_seek` counts from (MPI-5.0, 14.4.3).
    Whence { CUR = 401, END = 402, SET = 403 }
    /// Class of an intrinsic type for `MPI_Type_match_size` (MPI-5.0, 19.1.9).
    TypeClass { LOGICAL = 191, INTEGER = 192, REAL = 193, COMPLEX = 194 }
    /// MPI_T: kind of a performance variable (MPI-5.0, 15.3.7).
    PvarClass {
        STATE = 1, LEVEL = 2, SIZE = 3, PERCENTAGE = 4, HIGHWATERMARK = 5, LOWWATERMARK = 6,
        COUNTER = 7, AGGREGATE = 8, TIMER = 9, GENERIC = 10,
    }
    /// MPI_T: who a variable is meant for (MPI-5.0, 15.3.1).
    Verbosity {
        USER_BASIC = 9, USER_DETAIL = 10, USER_ALL = 12, TUNER_BASIC = 17, TUNER_DETAIL = 18,
        TUNER_ALL = 20, MPIDEV_BASIC = 33, MPIDEV_DETAIL = 34, MPIDEV_ALL = 36,
    }
    /// MPI_T: kind of object a variable belongs to (MPI-5.0, 15.3.2).
    Bind {
        NO_OBJECT = 1, MPI_COMM = 2, MPI_DATATYPE = 3, MPI_ERRHANDLER = 4, MPI_FILE = 5,
        MPI_GROUP = 6, MPI_OP = 7, MPI_REQUEST = 8, MPI_WIN = 9, MPI_MESSAGE = 10, MPI_INFO = 11,
        MPI_SESSION = 12,
    }
    /// MPI_T: where a change of a control variable takes effect (MPI-5.0, 15.3.6).
    Scope { CONSTANT = 1, READONLY = 2, LOCAL = 3, GROUP = 4, GROUP_EQ = 5, ALL = 6, ALL_EQ = 7 }
    /// MPI_T: what an event callback may do (MPI-5.0, 15.3.8).
    CbSafety { NONE = 0, MPI_RESTRICTED = 3, THREAD_SAFE = 15, ASYNC_SIGNAL_SAFE = 63 }
    /// MPI_T: whether an event source keeps order (MPI-5.0, 15.3.8).
    SourceOrder { ORDERED = 1, UNORDERED = 2 }
    /// MPICH: a class of generalised requests.
    GrequestClass {}
}

/// Argument of a distribution: `MPI_DISTRIBUTE_DFLT_DARG` or a block size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistributionArg {
    Default,
    Size(i32),
}

impl DistributionArg {
    /// `MPI_DISTRIBUTE_DFLT_DARG` of MPI-5.0.
    pub const DEFAULT: i32 = 19;
}

/// Format selector of Open MPI's `OMPI_Affinity_str`.
pub type AffinityFormat = i32;

macro_rules! pointers {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(pub usize);
        impl $name { pub const NULL: $name = $name(0); }
    )* };
}

pointers! {
    /// MPI_T: an enumeration.
    ToolEnum
    /// MPI_T: a handle on a control variable.
    CvarHandle
    /// MPI_T: a handle on a performance variable.
    PvarHandle
    /// MPI_T: a session of performance variables.
    PvarSession
    /// MPI_T: registration for an event.
    EventRegistration
    /// MPI_T: one event, valid within its callback.
    EventInstance
    /// MPICH: an asynchronous task.
    AsyncThing
}

impl PvarHandle {
    /// `MPI_T_PVAR_ALL_HANDLES`.
    pub const ALL_HANDLES: PvarHandle = PvarHandle(1);
}

/// A handle that crosses between C and Fortran as an `INTEGER` (MPI-5.0, 19.3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fortran<H>(pub H);

/// `MPI_UNDEFINED`, the same in every ABI.
pub const UNDEFINED: i32 = -32766;

/// Whether an operation was cancelled. As wide as what stands beside it: a status without gaps is copied in
/// whole words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Cancelled {
    No = 0,
    Yes = 1,
}

impl From<bool> for Cancelled {
    #[inline(always)]
    fn from(yes: bool) -> Cancelled {
        if yes { Cancelled::Yes } else { Cancelled::No }
    }
}

/// What a receive, a probe or a completed request reports (MPI-5.0, 3.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub source: Rank,
    pub tag: Tag,
    /// Error code of this request; only the multiple-completion calls hand it to the caller.
    pub error: i32,
    pub cancelled: Cancelled,
    /// Bytes received.
    pub bytes: u64,
}

/// A status of the caller's with its error; in a plain one that is 0.
#[derive(Clone, Copy, Debug)]
pub struct WholeStatus(pub Status);

impl Status {
    /// The empty status (MPI-5.0, 3.7.3).
    pub const EMPTY: Status = Status {
        source: Rank::ANY_SOURCE,
        tag: Tag::ANY,
        error: 0,
        cancelled: Cancelled::No,
        bytes: 0,
    };
    /// What an operation with `MPI_PROC_NULL` reports (MPI-5.0, 3.10).
    pub const PROC_NULL: Status = Status {
        source: Rank::PROC_NULL,
        ..Status::EMPTY
    };
}
