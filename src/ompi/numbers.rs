//! Open MPI's numbers, from its `mpi.h`, against those of MPI-5.0.
//!
//! Tables only; the two directions of each come from one list. Special ranks and tags, which are looked
//! at in every call, keep the common case to one comparison.

use std::ffi::c_int;

use anympi_core::abi::{Number, unlisted};
use anympi_core::types::*;
use anympi_core::{listed_bits, listed_errors, listed_numbers};

use crate::abi::Front;

impl Number<Rank> for Front {
    #[inline(always)]
    fn decode(c: c_int) -> Rank {
        if c >= 0 { Rank(c) } else { special_rank(c) }
    }
    #[inline(always)]
    fn encode(value: Rank) -> c_int {
        if value.0 >= 0 {
            return value.0;
        }
        match value {
            Rank::ANY_SOURCE => -1,
            Rank::PROC_NULL => -2,
            Rank::ROOT => -4,
            other => other.0,
        }
    }
}

fn special_rank(c: c_int) -> Rank {
    match c {
        -1 => Rank::ANY_SOURCE,
        -2 => Rank::PROC_NULL,
        -4 => Rank::ROOT,
        other => Rank(unlisted(
            other,
            &[Rank::ANY_SOURCE.0, Rank::PROC_NULL.0, Rank::ROOT.0],
        )),
    }
}

impl Number<Tag> for Front {
    #[inline(always)]
    fn decode(c: c_int) -> Tag {
        match c {
            -1 => Tag::ANY,
            other if other == Tag::ANY.0 => Tag(i32::MIN),
            other => Tag(other),
        }
    }
    #[inline(always)]
    fn encode(value: Tag) -> c_int {
        if value == Tag::ANY { -1 } else { value.0 }
    }
}

impl Number<DistributionArg> for Front {
    fn decode(c: c_int) -> DistributionArg {
        match c {
            -1 => DistributionArg::Default,
            size => DistributionArg::Size(size),
        }
    }
    fn encode(value: DistributionArg) -> c_int {
        match value {
            DistributionArg::Default => -1,
            DistributionArg::Size(size) => size,
        }
    }
}
listed_numbers! { Front;
    Comparison { 0 = IDENT, 1 = CONGRUENT, 2 = SIMILAR, 3 = UNEQUAL }
    Combiner { 0 = NAMED, 1 = DUP, 2 = CONTIGUOUS, 3 = VECTOR, 5 = HVECTOR, 6 = INDEXED, 8 = HINDEXED, 9 = INDEXED_BLOCK, 18 = HINDEXED_BLOCK, 11 = STRUCT, 12 = SUBARRAY, 13 = DARRAY, 14 = F90_REAL, 15 = F90_COMPLEX, 16 = F90_INTEGER, 17 = RESIZED }
    TopologyKind { 1 = CART, 2 = GRAPH, 3 = DIST_GRAPH }
    ThreadLevel { 0 = SINGLE, 1 = FUNNELED, 2 = SERIALIZED, 3 = MULTIPLE }
    Distribution { 2 = NONE, 0 = BLOCK, 1 = CYCLIC }
    ArrayOrder { 0 = C, 1 = FORTRAN }
    LockType { 1 = EXCLUSIVE, 2 = SHARED }
    WinFlavor { 1 = CREATE, 2 = ALLOCATE, 3 = DYNAMIC, 4 = SHARED }
    WinModel { 0 = UNIFIED, 1 = SEPARATE }
    Whence { 600 = SET, 602 = CUR, 604 = END }
    TypeClass { 1 = INTEGER, 2 = REAL, 3 = COMPLEX }
    PvarClass { 0 = STATE, 1 = LEVEL, 2 = SIZE, 3 = PERCENTAGE, 4 = HIGHWATERMARK, 5 = LOWWATERMARK, 6 = COUNTER, 7 = AGGREGATE, 8 = TIMER, 9 = GENERIC }
    Verbosity { 0 = USER_BASIC, 1 = USER_DETAIL, 2 = USER_ALL, 3 = TUNER_BASIC, 4 = TUNER_DETAIL, 5 = TUNER_ALL, 6 = MPIDEV_BASIC, 7 = MPIDEV_DETAIL, 8 = MPIDEV_ALL }
    Bind { 0 = NO_OBJECT, 1 = MPI_COMM, 2 = MPI_DATATYPE, 3 = MPI_ERRHANDLER, 4 = MPI_FILE, 5 = MPI_GROUP, 6 = MPI_OP, 7 = MPI_REQUEST, 8 = MPI_WIN, 9 = MPI_MESSAGE, 10 = MPI_INFO }
    Scope { 0 = CONSTANT, 1 = READONLY, 2 = LOCAL, 3 = GROUP, 4 = GROUP_EQ, 5 = ALL, 6 = ALL_EQ }
}

listed_bits! { Front;
    AccessMode { 128 = APPEND, 1 = CREATE, 16 = DELETE_ON_CLOSE, 64 = EXCL, 2 = RDONLY, 8 = RDWR, 256 = SEQUENTIAL, 32 = UNIQUE_OPEN, 4 = WRONLY }
    WinAssert { 1 = NOCHECK, 2 = NOPRECEDE, 4 = NOPUT, 8 = NOSTORE, 16 = NOSUCCEED }
}

listed_errors! { Front; LASTCODE = 92;
    20 = ACCESS, 21 = AMODE, 13 = ARG, 22 = ASSERT, 23 = BAD_FILE, 24 = BASE, 1 = BUFFER, 5 = COMM, 25 = CONVERSION, 2 = COUNT, 12 = DIMS, 26 = DISP, 27 = DUP_DATAREP, 30 = FILE, 28 = FILE_EXISTS, 29 = FILE_IN_USE, 9 = GROUP, 34 = INFO, 31 = INFO_KEY, 32 = INFO_NOKEY, 33 = INFO_VALUE, 17 = INTERN, 18 = IN_STATUS, 35 = IO, 36 = KEYVAL, 37 = LOCKTYPE, 38 = NAME, 40 = NOT_SAME, 39 = NO_MEM, 41 = NO_SPACE, 42 = NO_SUCH_FILE, 10 = OP, 16 = OTHER, 19 = PENDING, 43 = PORT, 74 = PROC_ABORTED, 44 = QUOTA, 6 = RANK, 45 = READ_ONLY, 7 = REQUEST, 69 = RMA_ATTACH, 46 = RMA_CONFLICT, 70 = RMA_FLAVOR, 68 = RMA_RANGE, 71 = RMA_SHARED, 47 = RMA_SYNC, 8 = ROOT, 48 = SERVICE, 78 = SESSION, 49 = SIZE, 50 = SPAWN, 4 = TAG, 11 = TOPOLOGY, 15 = TRUNCATE, 3 = TYPE, 14 = UNKNOWN, 51 = UNSUPPORTED_DATAREP, 52 = UNSUPPORTED_OPERATION, 79 = VALUE_TOO_LARGE, 53 = WIN, 56 = T_ERR_CANNOT_INIT, 64 = T_ERR_CVAR_SET_NEVER, 63 = T_ERR_CVAR_SET_NOT_NOW, 72 = T_ERR_INVALID, 59 = T_ERR_INVALID_HANDLE, 57 = T_ERR_INVALID_INDEX, 58 = T_ERR_INVALID_ITEM, 73 = T_ERR_INVALID_NAME, 62 = T_ERR_INVALID_SESSION, 54 = T_ERR_MEMORY, 55 = T_ERR_NOT_INITIALIZED, 60 = T_ERR_OUT_OF_HANDLES, 61 = T_ERR_OUT_OF_SESSIONS, 67 = T_ERR_PVAR_NO_ATOMIC, 65 = T_ERR_PVAR_NO_STARTSTOP, 66 = T_ERR_PVAR_NO_WRITE, 75 = PROC_FAILED, 76 = PROC_FAILED_PENDING, 77 = REVOKED;
    also ABI => 16, ERRHANDLER => 13, T_ERR_NOT_ACCESSIBLE => 72, T_ERR_NOT_SUPPORTED => 72
}

/// The predefined attribute keys.
const KEYVALS: &[(c_int, Keyval)] = &[
    (-1, Keyval::INVALID),
    (0, Keyval::TAG_UB),
    (2, Keyval::IO),
    (1, Keyval::HOST),
    (3, Keyval::WTIME_IS_GLOBAL),
    (4, Keyval::APPNUM),
    (5, Keyval::LASTUSEDCODE),
    (6, Keyval::UNIVERSE_SIZE),
    (7, Keyval::WIN_BASE),
    (9, Keyval::WIN_DISP_UNIT),
    (8, Keyval::WIN_SIZE),
    (10, Keyval::WIN_CREATE_FLAVOR),
    (11, Keyval::WIN_MODEL),
];

impl Number<Keyval> for Front {
    fn decode(c: c_int) -> Keyval {
        match KEYVALS.iter().find(|(number, _)| *number == c) {
            Some((_, key)) => *key,
            None if c >= Keyval::FIRST_USER.0 => Keyval(c),
            None => Keyval(i32::MIN),
        }
    }
    fn encode(value: Keyval) -> c_int {
        let listed = KEYVALS.iter().find(|(_, key)| *key == value);
        listed.map_or(value.0, |(number, _)| *number)
    }
}

/// `MPI_T_cb_safety` and `MPI_T_source_order` do not exist in Open MPI's header: MPI-5.0's numbers.
macro_rules! same {
    ($($kind:ident)*) => { $(
        impl Number<$kind> for Front {
            fn decode(c: c_int) -> $kind {
                $kind(c)
            }
            fn encode(value: $kind) -> c_int {
                value.0
            }
        }
    )* };
}

same! { CbSafety SourceOrder }

/// `MPI_COMM_TYPE_*`. Open MPI's own levels (1 to 11, `OMPI_COMM_TYPE_*`) are 0x4000 + n in the core.
impl Number<SplitType> for Front {
    fn decode(c: c_int) -> SplitType {
        match c {
            0 => SplitType::SHARED,
            1..=11 => SplitType(0x4000 + c),
            12 => SplitType::HW_UNGUIDED,
            13 => SplitType::HW_GUIDED,
            other => SplitType(unlisted(
                other,
                &[
                    SplitType::SHARED.0,
                    SplitType::HW_UNGUIDED.0,
                    SplitType::HW_GUIDED.0,
                    SplitType::RESOURCE_GUIDED.0,
                ],
            )),
        }
    }
    fn encode(value: SplitType) -> c_int {
        match value {
            SplitType::SHARED => 0,
            SplitType::HW_UNGUIDED => 12,
            SplitType::HW_GUIDED => 13,
            other => other.0 & !0x4000,
        }
    }
}
