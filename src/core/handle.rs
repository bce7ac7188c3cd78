//! Handles: 32-bit numbers that name MPI objects, and the registry that checks them.
//!
//! Predefined objects have the numbers of MPI-5.0 (all below 0x1000). A handle made at run time is
//! `0b10 | kind (4 bits) | generation (6 bits) | index (20 bits)`; the kind codes are those of MPICH's
//! handles, so that the MPICH front hands out the same bits. A freed, foreign or random number never
//! reaches an object: the registry compares kind, index and generation.

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::{Error, Result};

/// First number that no predefined object has.
pub const FIRST_DYNAMIC: u32 = 0x8000_0000;
const INDEX_BITS: u32 = 20;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
const GENERATION_MASK: u32 = 0x3f;
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
            const CLASS: i32 = crate::error::class::$class;
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

struct Slot<T: ?Sized> {
    generation: u32,
    object: Option<Rc<T>>,
}

/// The live dynamic objects of one kind. Predefined objects live elsewhere.
pub struct Registry<H: Handle, T: ?Sized> {
    slots: RefCell<Vec<Slot<T>>>,
    free: RefCell<Vec<u32>>,
    kind: std::marker::PhantomData<H>,
}

impl<H: Handle, T: ?Sized> Registry<H, T> {
    pub const fn new() -> Self {
        Registry {
            slots: RefCell::new(Vec::new()),
            free: RefCell::new(Vec::new()),
            kind: std::marker::PhantomData,
        }
    }

    /// Stores an object and names it.
    ///
    /// # Errors
    /// `MPI_ERR_NO_MEM` when [`MAX_LIVE`] objects of the kind live already.
    pub fn insert(&self, object: Rc<T>) -> Result<H> {
        self.insert_with(|_| object)
    }

    /// Stores an object that wants to know its own handle.
    pub fn insert_with(&self, make: impl FnOnce(H) -> Rc<T>) -> Result<H> {
        let recycled = self.free.borrow_mut().pop();
        let (index, generation) = match recycled {
            Some(index) => (index, self.slots.borrow()[index as usize].generation),
            None => {
                let mut slots = self.slots.borrow_mut();
                if slots.len() >= MAX_LIVE {
                    crate::fail!(
                        NO_MEM,
                        "{} objects of type {} live already",
                        MAX_LIVE,
                        H::NAME
                    );
                }
                slots.push(Slot {
                    generation: 0,
                    object: None,
                });
                (slots.len() as u32 - 1, 0)
            }
        };
        let handle =
            H::from_raw(FIRST_DYNAMIC | (H::KIND as u32) << 26 | generation << INDEX_BITS | index);
        let object = make(handle);
        self.slots.borrow_mut()[index as usize].object = Some(object);
        Ok(handle)
    }

    #[inline(always)]
    fn index(handle: H) -> Option<(usize, u32)> {
        let raw = handle.raw();
        (raw >> 26 == (FIRST_DYNAMIC >> 26 | H::KIND as u32)).then_some((
            (raw & INDEX_MASK) as usize,
            raw >> INDEX_BITS & GENERATION_MASK,
        ))
    }

    /// The object, or `None` for a handle that names no live dynamic object.
    #[inline(always)]
    pub fn get(&self, handle: H) -> Option<Rc<T>> {
        let (index, generation) = Self::index(handle)?;
        let slots = self.slots.borrow();
        let slot = slots.get(index)?;
        if slot.generation != generation {
            return None;
        }
        slot.object.clone()
    }

    /// As [`get`](Self::get), with the error that a call returns for a wrong handle.
    #[inline(always)]
    pub fn find(&self, handle: H) -> Result<Rc<T>> {
        self.get(handle).ok_or_else(|| bad_handle(handle))
    }

    /// Takes the object out; its handle is dead from here on.
    pub fn remove(&self, handle: H) -> Option<Rc<T>> {
        let (index, generation) = Self::index(handle)?;
        let object = {
            let mut slots = self.slots.borrow_mut();
            let slot = slots.get_mut(index)?;
            if slot.generation != generation {
                return None;
            }
            let object = slot.object.take()?;
            slot.generation = (slot.generation + 1) & GENERATION_MASK;
            object
        };
        self.free.borrow_mut().push(index as u32);
        Some(object)
    }

    /// Number of live objects.
    pub fn len(&self) -> usize {
        self.slots.borrow().len() - self.free.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every live handle, for clean-up and diagnosis.
    pub fn handles(&self) -> Vec<H> {
        let slots = self.slots.borrow();
        slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.object.is_some())
            .map(|(index, slot)| {
                H::from_raw(
                    FIRST_DYNAMIC
                        | (H::KIND as u32) << 26
                        | slot.generation << INDEX_BITS
                        | index as u32,
                )
            })
            .collect()
    }
}

impl<H: Handle, T: ?Sized> Default for Registry<H, T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The error for a handle that names nothing.
#[cold]
pub fn bad_handle<H: Handle>(handle: H) -> Error {
    let what = if handle.is_null() {
        format!("the handle is {}_NULL", H::NAME.to_uppercase())
    } else {
        format!(
            "0x{:x} is no {} (freed, of another kind, or never made)",
            handle.raw(),
            H::NAME
        )
    };
    Error::new(H::CLASS, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_and_foreign_handles_are_refused() {
        let comms: Registry<Comm, u8> = Registry::new();
        let first = comms.insert(Rc::new(1)).unwrap();
        let second = comms.insert(Rc::new(2)).unwrap();
        assert_eq!(*comms.find(second).unwrap(), 2);
        assert!(comms.remove(first).is_some());
        assert!(comms.find(first).is_err() && comms.remove(first).is_none());
        let third = comms.insert(Rc::new(3)).unwrap();
        assert_ne!(first, third, "a recycled slot has another generation");
        for wrong in [0, 1, 0x101, 0xffff_ffff, third.0 ^ 1 << 26, third.0 + 7] {
            assert!(comms.get(Comm(wrong)).is_none(), "0x{wrong:x}");
        }
        assert_eq!(comms.len(), 2);
        assert_eq!(comms.handles(), vec![third, second]);
    }
}
