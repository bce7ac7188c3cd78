//! MPICH's numbers, from its `mpi.h`, against those of MPI-5.0.
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
            Rank::ANY_SOURCE => -2,
            Rank::PROC_NULL => -1,
            Rank::ROOT => -3,
            other => other.0,
        }
    }
}

fn special_rank(c: c_int) -> Rank {
    match c {
        -2 => Rank::ANY_SOURCE,
        -1 => Rank::PROC_NULL,
        -3 => Rank::ROOT,
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
            -49767 => DistributionArg::Default,
            size => DistributionArg::Size(size),
        }
    }
    fn encode(value: DistributionArg) -> c_int {
        match value {
            DistributionArg::Default => -49767,
            DistributionArg::Size(size) => size,
        }
    }
}
listed_numbers! { Front;
    Comparison { 0 = IDENT, 1 = CONGRUENT, 2 = SIMILAR, 3 = UNEQUAL }
    SplitType { 1 = SHARED, 3 = HW_UNGUIDED, 2 = HW_GUIDED, 4 = RESOURCE_GUIDED, 5 = NEIGHBORHOOD }
    Combiner { 1 = NAMED, 2 = DUP, 3 = CONTIGUOUS, 4 = VECTOR, 6 = HVECTOR, 7 = INDEXED, 9 = HINDEXED, 10 = INDEXED_BLOCK, 19 = HINDEXED_BLOCK, 12 = STRUCT, 13 = SUBARRAY, 14 = DARRAY, 15 = F90_REAL, 16 = F90_COMPLEX, 17 = F90_INTEGER, 18 = RESIZED, 20 = VALUE_INDEX }
    TopologyKind { 2 = CART, 1 = GRAPH, 3 = DIST_GRAPH }
    ThreadLevel { 0 = SINGLE, 1 = FUNNELED, 2 = SERIALIZED, 3 = MULTIPLE }
    Distribution { 123 = NONE, 121 = BLOCK, 122 = CYCLIC }
    ArrayOrder { 56 = C, 57 = FORTRAN }
    LockType { 234 = EXCLUSIVE, 235 = SHARED }
    WinFlavor { 1 = CREATE, 2 = ALLOCATE, 3 = DYNAMIC, 4 = SHARED }
    WinModel { 2 = UNIFIED, 1 = SEPARATE }
    Whence { 600 = SET, 602 = CUR, 604 = END }
    TypeClass { 2 = INTEGER, 1 = REAL, 3 = COMPLEX }
    PvarClass { 240 = STATE, 241 = LEVEL, 242 = SIZE, 243 = PERCENTAGE, 244 = HIGHWATERMARK, 245 = LOWWATERMARK, 246 = COUNTER, 247 = AGGREGATE, 248 = TIMER, 249 = GENERIC }
    Verbosity { 221 = USER_BASIC, 222 = USER_DETAIL, 223 = USER_ALL, 224 = TUNER_BASIC, 225 = TUNER_DETAIL, 226 = TUNER_ALL, 227 = MPIDEV_BASIC, 228 = MPIDEV_DETAIL, 229 = MPIDEV_ALL }
    Bind { 9700 = NO_OBJECT, 9701 = MPI_COMM, 9702 = MPI_DATATYPE, 9703 = MPI_ERRHANDLER, 9704 = MPI_FILE, 9705 = MPI_GROUP, 9706 = MPI_OP, 9707 = MPI_REQUEST, 9708 = MPI_WIN, 9709 = MPI_MESSAGE, 9710 = MPI_INFO, 9711 = MPI_SESSION }
    Scope { 60438 = CONSTANT, 60439 = READONLY, 60440 = LOCAL, 60441 = GROUP, 60442 = GROUP_EQ, 60443 = ALL, 60444 = ALL_EQ }
    CbSafety { 0 = NONE, 1 = MPI_RESTRICTED, 2 = THREAD_SAFE, 3 = ASYNC_SIGNAL_SAFE }
    SourceOrder { 0 = ORDERED, 1 = UNORDERED }
}

listed_bits! { Front;
    AccessMode { 128 = APPEND, 1 = CREATE, 16 = DELETE_ON_CLOSE, 64 = EXCL, 2 = RDONLY, 8 = RDWR, 256 = SEQUENTIAL, 32 = UNIQUE_OPEN, 4 = WRONLY }
    WinAssert { 1024 = NOCHECK, 8192 = NOPRECEDE, 4096 = NOPUT, 2048 = NOSTORE, 16384 = NOSUCCEED }
}

listed_errors! { Front; LASTCODE = 0x3fff_ffff;
    81 = ABI, 20 = ACCESS, 21 = AMODE, 12 = ARG, 53 = ASSERT, 22 = BAD_FILE, 46 = BASE, 1 = BUFFER, 5 = COMM, 23 = CONVERSION, 2 = COUNT, 11 = DIMS, 52 = DISP, 24 = DUP_DATAREP, 80 = ERRHANDLER, 27 = FILE, 25 = FILE_EXISTS, 26 = FILE_IN_USE, 8 = GROUP, 28 = INFO, 29 = INFO_KEY, 31 = INFO_NOKEY, 30 = INFO_VALUE, 16 = INTERN, 17 = IN_STATUS, 32 = IO, 48 = KEYVAL, 47 = LOCKTYPE, 33 = NAME, 35 = NOT_SAME, 34 = NO_MEM, 36 = NO_SPACE, 37 = NO_SUCH_FILE, 9 = OP, 15 = OTHER, 18 = PENDING, 38 = PORT, 76 = PROC_ABORTED, 39 = QUOTA, 6 = RANK, 40 = READ_ONLY, 19 = REQUEST, 56 = RMA_ATTACH, 49 = RMA_CONFLICT, 58 = RMA_FLAVOR, 55 = RMA_RANGE, 57 = RMA_SHARED, 50 = RMA_SYNC, 7 = ROOT, 41 = SERVICE, 75 = SESSION, 51 = SIZE, 42 = SPAWN, 4 = TAG, 10 = TOPOLOGY, 14 = TRUNCATE, 3 = TYPE, 13 = UNKNOWN, 43 = UNSUPPORTED_DATAREP, 44 = UNSUPPORTED_OPERATION, 77 = VALUE_TOO_LARGE, 45 = WIN, 61 = T_ERR_CANNOT_INIT, 69 = T_ERR_CVAR_SET_NEVER, 68 = T_ERR_CVAR_SET_NOT_NOW, 74 = T_ERR_INVALID, 64 = T_ERR_INVALID_HANDLE, 62 = T_ERR_INVALID_INDEX, 63 = T_ERR_INVALID_ITEM, 73 = T_ERR_INVALID_NAME, 67 = T_ERR_INVALID_SESSION, 59 = T_ERR_MEMORY, 79 = T_ERR_NOT_ACCESSIBLE, 60 = T_ERR_NOT_INITIALIZED, 78 = T_ERR_NOT_SUPPORTED, 65 = T_ERR_OUT_OF_HANDLES, 66 = T_ERR_OUT_OF_SESSIONS, 72 = T_ERR_PVAR_NO_ATOMIC, 70 = T_ERR_PVAR_NO_STARTSTOP, 71 = T_ERR_PVAR_NO_WRITE, 101 = PROC_FAILED, 102 = PROC_FAILED_PENDING, 103 = REVOKED;
    also
}

/// The predefined attribute keys.
const KEYVALS: &[(c_int, Keyval)] = &[
    (0x2400_0000, Keyval::INVALID),
    (0x6440_0001, Keyval::TAG_UB),
    (0x6440_0005, Keyval::IO),
    (0x6440_0003, Keyval::HOST),
    (0x6440_0007, Keyval::WTIME_IS_GLOBAL),
    (0x6440_000d, Keyval::APPNUM),
    (0x6440_000b, Keyval::LASTUSEDCODE),
    (0x6440_0009, Keyval::UNIVERSE_SIZE),
    (0x6600_0001, Keyval::WIN_BASE),
    (0x6600_0005, Keyval::WIN_DISP_UNIT),
    (0x6600_0003, Keyval::WIN_SIZE),
    (0x6600_0007, Keyval::WIN_CREATE_FLAVOR),
    (0x6600_0009, Keyval::WIN_MODEL),
];

/// The attribute keys that an application makes: the bits of a dynamic handle of MPICH's kind 9.
const USER_KEYVAL: u32 = 0xa400_0000;

impl Number<Keyval> for Front {
    fn decode(c: c_int) -> Keyval {
        if let Some((_, key)) = KEYVALS.iter().find(|(number, _)| *number == c) {
            return *key;
        }
        if c as u32 >> 26 == USER_KEYVAL >> 26 {
            return Keyval(Keyval::FIRST_USER.0 + (c as u32 & 0x3ff_ffff) as i32);
        }
        Keyval(i32::MIN)
    }
    fn encode(value: Keyval) -> c_int {
        if value >= Keyval::FIRST_USER {
            return (USER_KEYVAL | (value.0 - Keyval::FIRST_USER.0) as u32) as c_int;
        }
        let listed = KEYVALS.iter().find(|(_, key)| *key == value);
        listed.map_or(value.0, |(number, _)| *number)
    }
}
