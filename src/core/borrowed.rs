//! Objects that a look-up lends to a call: counted, or, where they outlive the call anyway, not counted.
//!
//! To count up and down again is a chain of accesses to the same memory, which every call on a predefined object
//! would wait for. Knows nothing of what the objects are.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr;
use std::rc::Rc;

/// An object for the length of a call.
pub struct Borrowed<'a, T: ?Sized> {
    object: ManuallyDrop<Rc<T>>,
    counted: bool,
    lender: PhantomData<&'a Rc<T>>,
}

impl<'a, T: ?Sized> Borrowed<'a, T> {
    /// One that stays where it is for that long.
    #[inline(always)]
    pub fn uncounted(object: &'a Rc<T>) -> Self {
        Borrowed {
            // SAFETY: the copy is never dropped, and the original is there for as long as it.
            object: ManuallyDrop::new(unsafe { ptr::read(object) }),
            counted: false,
            lender: PhantomData,
        }
    }

    /// One that others may let go of meanwhile.
    #[inline(always)]
    pub fn counted(object: Rc<T>) -> Self {
        Borrowed {
            object: ManuallyDrop::new(object),
            counted: true,
            lender: PhantomData,
        }
    }

    /// The object for longer than the call.
    #[inline(always)]
    pub fn keep(self) -> Rc<T> {
        let this = ManuallyDrop::new(self);
        match this.counted {
            // SAFETY: `this` is not dropped, so its count moves on.
            true => unsafe { ptr::read(&*this.object) },
            false => Rc::clone(&this.object),
        }
    }
}

impl<T: ?Sized> Deref for Borrowed<'_, T> {
    type Target = Rc<T>;

    #[inline(always)]
    fn deref(&self) -> &Rc<T> {
        &self.object
    }
}

impl<T: ?Sized> Drop for Borrowed<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.counted {
            // SAFETY: the count is this one's, and nothing uses it after.
            unsafe { ManuallyDrop::drop(&mut self.object) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_as_before_however_it_was_held() {
        let object = Rc::new(7);
        let held = [
            Borrowed::uncounted(&object),
            Borrowed::counted(object.clone()),
        ];
        assert_eq!(Rc::strong_count(&object), 2, "one of them is counted");
        assert!(held.iter().all(|held| ***held == 7));
        let kept = held.map(Borrowed::keep);
        assert_eq!(Rc::strong_count(&object), 3, "what is kept is counted");
        drop(kept);
        drop(Borrowed::uncounted(&object));
        drop(Borrowed::counted(object.clone()));
        assert_eq!(Rc::strong_count(&object), 1);
    }
}
