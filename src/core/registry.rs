//! The live objects of one kind by their handles, and the check of a handle.

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::handle::{FIRST_DYNAMIC, GENERATION_MASK, Handle, INDEX_BITS, INDEX_MASK, MAX_LIVE};

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
    use crate::handle::Comm;

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
