//! Values of attributes, which languages see differently (MPI-5.0, 19.3.7).
//!
//! C sets pointers, Fortran sets integers. Who reads a value that its own language set gets just that; C
//! gets the address of an integer that Fortran set; Fortran gets a pointer as an integer. Knows neither
//! keys nor objects.

use std::cell::Cell;
use std::rc::Rc;

use crate::buf::Opaque;

/// A value, as the language that set it has it. Clones share the place of an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Set by C.
    Pointer(Opaque),
    /// An `INTEGER`, set by the MPI-1 calls of Fortran.
    Integer(Rc<Cell<i32>>),
    /// An `INTEGER(KIND=MPI_ADDRESS_KIND)`, set by Fortran's other calls.
    Address(Rc<Cell<i64>>),
    /// An `int` of the library's own, in a place that stays.
    Predefined(&'static Cell<i32>),
}

impl Value {
    pub fn pointer(pointer: Opaque) -> Value {
        Value::Pointer(pointer)
    }

    pub fn integer(integer: i32) -> Value {
        Value::Integer(Rc::new(Cell::new(integer)))
    }

    pub fn address(address: i64) -> Value {
        Value::Address(Rc::new(Cell::new(address)))
    }

    /// What C reads. The address of an integer is good for as long as any clone of the value lives.
    pub fn as_pointer(&self) -> Opaque {
        match self {
            Value::Pointer(pointer) => *pointer,
            Value::Integer(place) => Opaque(place.as_ptr().cast()),
            Value::Address(place) => Opaque(place.as_ptr().cast()),
            Value::Predefined(place) => Opaque(place.as_ptr().cast()),
        }
    }

    /// What Fortran reads as an address-sized integer.
    pub fn as_address(&self) -> i64 {
        match self {
            Value::Pointer(pointer) => pointer.0.expose_provenance() as i64,
            Value::Integer(place) => i64::from(place.get()),
            Value::Address(place) => place.get(),
            Value::Predefined(place) => i64::from(place.get()),
        }
    }

    /// What Fortran reads as an `INTEGER`: longer values are cut.
    pub fn as_integer(&self) -> i32 {
        self.as_address() as i32
    }

    /// The same value in a place of its own, for another object.
    pub fn duplicate(&self) -> Value {
        match self {
            Value::Integer(place) => Value::integer(place.get()),
            Value::Address(place) => Value::address(place.get()),
            Value::Pointer(_) | Value::Predefined(_) => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_reads_what_another_set() {
        let here = 77_i32;
        let pointer = Opaque((&raw const here).cast_mut().cast());
        let of_c = Value::pointer(pointer);
        assert_eq!(of_c.as_pointer(), pointer);
        assert_eq!(of_c.as_address(), pointer.0.addr() as i64);
        assert_eq!(of_c.as_integer(), pointer.0.addr() as i32);
        for (value, address) in [
            (Value::integer(-5), -5),
            (Value::address(-5), -5),
            (Value::address(5 << 40 | 9), 5 << 40 | 9),
        ] {
            assert_eq!(value.as_address(), address);
            assert_eq!(value.as_integer(), address as i32);
            assert_ne!(value.as_pointer(), value.duplicate().as_pointer());
            assert_eq!(value.as_pointer(), value.clone().as_pointer());
            assert_eq!(value, value.duplicate());
        }
    }
}
