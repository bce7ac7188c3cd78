//! Handles of the tool interface: pointers to C, here checked numbers.
//!
//! A number says index, generation and kind, so a freed or foreign one is refused. It is neither 0, which is
//! null for every kind, nor 1, which is `MPI_T_PVAR_ALL_HANDLES`.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use crate::error::{Error, Result, class};
use crate::types::{CvarHandle, EventInstance, EventRegistration, PvarHandle, PvarSession};

/// A kind of handle.
pub trait ToolObject: Copy + 'static {
    /// Tells the kinds apart: 2 to 15.
    const KIND: usize;
    /// What `MPI_T_ERR_*` a wrong one is.
    const CLASS: i32;
    const NAME: &'static str;
    fn from_number(number: usize) -> Self;
    fn number(self) -> usize;
}

macro_rules! kinds {
    ($($type:ident = $kind:literal, $class:ident, $name:literal;)*) => { $(
        impl ToolObject for $type {
            const KIND: usize = $kind;
            const CLASS: i32 = class::$class;
            const NAME: &'static str = $name;
            fn from_number(number: usize) -> Self { $type(number) }
            fn number(self) -> usize { self.0 }
        }
    )* };
}

kinds! {
    CvarHandle = 2, T_ERR_INVALID_HANDLE, "MPI_T_cvar_handle";
    PvarHandle = 3, T_ERR_INVALID_HANDLE, "MPI_T_pvar_handle";
    PvarSession = 4, T_ERR_INVALID_SESSION, "MPI_T_pvar_session";
    EventRegistration = 5, T_ERR_INVALID_HANDLE, "MPI_T_event_registration";
    EventInstance = 6, T_ERR_INVALID_HANDLE, "MPI_T_event_instance";
}

struct Slot<T> {
    generation: usize,
    object: Option<Rc<T>>,
}

/// The live objects of one kind.
pub struct Objects<H, T> {
    slots: RefCell<Vec<Slot<T>>>,
    kind: PhantomData<H>,
}

const GENERATION: u32 = 32;

impl<H: ToolObject, T> Objects<H, T> {
    pub const fn new() -> Self {
        Objects {
            slots: RefCell::new(Vec::new()),
            kind: PhantomData,
        }
    }

    pub fn insert(&self, object: T) -> H {
        let mut slots = self.slots.borrow_mut();
        let index = match slots.iter().position(|slot| slot.object.is_none()) {
            Some(index) => index,
            None => {
                slots.push(Slot {
                    generation: 0,
                    object: None,
                });
                slots.len() - 1
            }
        };
        slots[index].object = Some(Rc::new(object));
        let generation = slots[index].generation & 0xffff;
        H::from_number(generation << GENERATION | index << 4 | H::KIND)
    }

    /// Index of a live object.
    fn place(&self, handle: H) -> Result<usize> {
        let number = handle.number();
        let index = (number & ((1 << GENERATION) - 1)) >> 4;
        let live = number & 0xf == H::KIND
            && self.slots.borrow().get(index).is_some_and(|slot| {
                slot.object.is_some() && slot.generation & 0xffff == number >> GENERATION
            });
        if live {
            Ok(index)
        } else {
            Err(Error::new(
                H::CLASS,
                format!(
                    "0x{number:x} is no {} (null, freed, or never made)",
                    H::NAME
                ),
            ))
        }
    }

    /// # Errors
    /// The kind's class: null, freed, or never made.
    pub fn find(&self, handle: H) -> Result<Rc<T>> {
        let index = self.place(handle)?;
        let slots = self.slots.borrow();
        Ok(slots[index]
            .object
            .clone()
            .expect("`place` found it to be live"))
    }

    /// Takes an object out.
    ///
    /// # Errors
    /// As for [`find`](Self::find).
    pub fn remove(&self, handle: H) -> Result<Rc<T>> {
        let index = self.place(handle)?;
        let slot = &mut self.slots.borrow_mut()[index];
        slot.generation += 1;
        Ok(slot.object.take().expect("`place` found it to be live"))
    }

    /// Takes out those that `gone` says.
    pub fn remove_if(&self, gone: impl Fn(&T) -> bool) {
        for slot in self.slots.borrow_mut().iter_mut() {
            if slot.object.as_deref().is_some_and(&gone) {
                slot.generation += 1;
                slot.object = None;
            }
        }
    }

    pub fn clear(&self) {
        self.remove_if(|_| true);
    }

    /// All live objects with their handles.
    pub fn all(&self) -> Vec<(H, Rc<T>)> {
        let slots = self.slots.borrow();
        let live = |(index, slot): (usize, &Slot<T>)| {
            let number = (slot.generation & 0xffff) << GENERATION | index << 4 | H::KIND;
            Some((H::from_number(number), slot.object.clone()?))
        };
        slots.iter().enumerate().filter_map(live).collect()
    }
}

impl<H: ToolObject, T> Default for Objects<H, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_and_foreign_handles_are_refused() {
        let objects: Objects<PvarSession, u8> = Objects::new();
        let first = objects.insert(1);
        assert_eq!(*objects.find(first).unwrap(), 1);
        assert!(first.0 > 1);
        objects.remove(first).unwrap();
        let second = objects.insert(2);
        assert_ne!(first, second);
        for wrong in [
            first,
            PvarSession(0),
            PvarSession(1),
            PvarSession(usize::MAX),
        ] {
            let error = objects.find(wrong).unwrap_err();
            assert_eq!(error.code(), class::T_ERR_INVALID_SESSION);
        }
        assert_eq!(objects.all().len(), 1);
        assert_eq!(*objects.remove(second).unwrap(), 2);
        assert!(objects.all().is_empty());
    }
}
