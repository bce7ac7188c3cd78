//! Handles: 32-bit numbers that name MPI objects.
//!
//! Predefined objects have the numbers of MPI-5.0 (all below 0x1000). A handle made at run time is `0b10 | kind (4
//! bits) | generation (6 bits) | index (20 bits)`. The kind codes are those of MPICH's handles, so that the MPICH
//! front hands out the same bits (decision 2). A freed, foreign or random number never reaches an object: the
//! [registry](crate::registry) compares kind, index and generation.

/// First number that no predefined object has.
pub const FIRST_DYNAMIC: u32 = 0x8000_0000;
pub(crate) const INDEX_BITS: u32 = 20;
pub(crate) const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
pub(crate) const GENERATION_MASK: u32 = 0x3f;
/// Objects of one kind that can live at once.
pub const MAX_LIVE: usize = 1 << INDEX_BITS;

/// What a handle names. The numbers are the kind bits of a dynamic handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Kind {
    Comm = 1,
    Group = 2,
    Datatype = 3,
    File = 4,
    Errhandler = 5,
    Op = 6,
    Info = 7,
    Win = 8,
    Request = 0xb,
    Message = 0xc,
    Session = 0xe,
    Stream = 0xf,
}

/// A handle type: one per kind of MPI object.
pub trait Handle: Copy + Eq + std::fmt::Debug + 'static {
    const KIND: Kind;
    /// The error class of a wrong handle of this kind.
    const CLASS: i32;
    /// The standard's name of the type, for messages.
    const NAME: &'static str;
    const NULL: Self;
    fn from_raw(raw: u32) -> Self;
    fn raw(self) -> u32;
    fn is_null(self) -> bool {
        self.raw() == Self::NULL.raw()
    }
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $class:ident, null $null:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(pub u32);
        impl Handle for $name {
            const KIND: Kind = Kind::$name;
            const CLASS: i32 = crate::class::$class;
            const NAME: &'static str = concat!("MPI_", stringify!($name));
            const NULL: Self = $name($null);
            #[inline(always)]
            fn from_raw(raw: u32) -> Self { $name(raw) }
            #[inline(always)]
            fn raw(self) -> u32 { self.0 }
        }
        impl $name { pub const NULL: Self = $name($null); }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!("MPI_", stringify!($name), "(0x{:x})"), self.0)
            }
        }
    )* };
}

handles! {
    Comm: COMM, null 0x100;
    Group: GROUP, null 0x108;
    Datatype: TYPE, null 0x200;
    File: FILE, null 0x118;
    Errhandler: ERRHANDLER, null 0x140;
    Op: OP, null 0x20;
    Info: INFO, null 0x130;
    Win: WIN, null 0x110;
    Request: REQUEST, null 0x180;
    Message: REQUEST, null 0x128;
    Session: SESSION, null 0x120;
    /// MPICH's streams; MPI-5.0 has no number for its null handle.
    Stream: ARG, null 0x3c0;
}

impl Comm {
    pub const WORLD: Comm = Comm(0x101);
    pub const SELF: Comm = Comm(0x102);
}

impl Group {
    pub const EMPTY: Group = Group(0x109);
}

impl Datatype {
    pub const PACKED: Datatype = Datatype(0x207);
    pub const BYTE: Datatype = Datatype(0x247);
    pub const INT: Datatype = Datatype(0x209);
    pub const UNSIGNED: Datatype = Datatype(0x20d);
    pub const UNSIGNED_LONG_LONG: Datatype = Datatype(0x20f);
    pub const DOUBLE: Datatype = Datatype(0x214);
}

impl Info {
    pub const ENV: Info = Info(0x131);
}

impl Message {
    pub const NO_PROC: Message = Message(0x129);
}

impl Errhandler {
    pub const ARE_FATAL: Errhandler = Errhandler(0x141);
    pub const ABORT: Errhandler = Errhandler(0x142);
    pub const RETURN: Errhandler = Errhandler(0x143);
}
