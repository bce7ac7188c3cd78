//! Functions that MPICH's headers and its Fortran and C++ libraries use, beside MPI's own.
//!
//! Signatures are those of MPICH 4.0 (see its `mpi_attr.h`); attribute values travel as one machine word.

#![allow(non_snake_case)]

use anympi_core::abi::{Abi, Encode, Number};
use anympi_core::attr_value::Value;
use anympi_core::buf::Opaque;
use anympi_core::callback::{CopyAttr, DeleteAttr, Function, Proxied};
use anympi_core::carrier::{self, Carrier};
use anympi_core::handle::{Comm, Datatype, Win};
use anympi_core::types::{ErrorCode, Keyval};

use crate::prelude::*;

/// Which language an attribute's value is wanted by, or set by (`MPIR_Attr_type`).
mod attr_type {
    use super::c_int;

    pub const PTR: c_int = 0;
    /// Fortran's address-sized integer.
    pub const AINT: c_int = 1;
    /// Fortran's `INTEGER`.
    pub const INT: c_int = 3;
}

/// Fortran's predefined keys are C's plus 1.
fn c_key(keyval: c_int) -> Keyval {
    match <Front as Number<Keyval>>::decode(keyval - 1) {
        key if anympi_core::attr::is_predefined(key) => key,
        _ => <Front as Number<Keyval>>::decode(keyval),
    }
}

/// A machine word that stands for a value of a type of [`attr_type`].
fn value(word: *mut c_void, attr_type: c_int) -> Value {
    match attr_type {
        attr_type::AINT => Value::address(word.addr() as i64),
        attr_type::INT => Value::integer(word.addr() as i32),
        _ => Value::pointer(Opaque(word)),
    }
}

/// A value as the machine word that a reader expects, and the type which that reader is told.
fn word(value: &Value, attr_type: c_int) -> *mut c_void {
    match attr_type {
        attr_type::PTR => value.as_pointer().0,
        _ => std::ptr::with_exposed_provenance_mut(value.as_address() as usize),
    }
}

/// The type of a value.
fn type_of(value: &Value) -> c_int {
    match value {
        Value::Pointer(_) => attr_type::PTR,
        Value::Integer(_) | Value::Predefined(_) => attr_type::INT,
        Value::Address(_) => attr_type::AINT,
    }
}

/// `MPI_COMM_DUP_FN`, `MPI_TYPE_DUP_FN`, `MPI_WIN_DUP_FN`: the new object gets the same value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MPIR_Dup_fn(
    _object: c_int,
    _keyval: c_int,
    _extra_state: *mut c_void,
    attribute_val_in: *mut c_void,
    attribute_val_out: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the caller of a copy function has places for the value and the flag.
    unsafe {
        *attribute_val_out.cast::<*mut c_void>() = attribute_val_in;
        *flag = 1;
    }
    0
}

/// Attributes as language bindings read and write them.
macro_rules! attributes {
    ($($get:ident $set:ident: $object:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(
            object: c_int,
            keyval: c_int,
            attribute_val: *mut c_void,
            flag: *mut c_int,
            attr_type: c_int,
        ) -> c_int {
            enter::<Front>(stringify!($get), || On::Call, |mpi| {
                let object = <Front as Encode<$object>>::decode(object);
                let found = carrier::get(mpi, object, c_key(keyval))?;
                // SAFETY: MPICH's prototype promises a place for a word, and one for the flag.
                unsafe {
                    if let Some(value) = &found {
                        *attribute_val.cast::<*mut c_void>() = word(value, attr_type);
                    }
                    *flag = c_int::from(found.is_some());
                }
                Ok(())
            })
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $set(
            object: c_int,
            keyval: c_int,
            attribute_val: *mut c_void,
            attr_type: c_int,
        ) -> c_int {
            enter::<Front>(stringify!($set), || On::Call, |mpi| {
                let object = <Front as Encode<$object>>::decode(object);
                carrier::set(mpi, object, c_key(keyval), value(attribute_val, attr_type))
            })
        }
    )* };
}

attributes! {
    MPII_Comm_get_attr MPII_Comm_set_attr: Comm;
    MPII_Type_get_attr MPII_Type_set_attr: Datatype;
    MPII_Win_get_attr MPII_Win_set_attr: Win;
}

/// Calls a language's copy function. The object is a plain number, as every kind of handle is here.
type CopyProxy = unsafe extern "C" fn(
    function: Function,
    object: c_int,
    keyval: c_int,
    extra_state: *mut c_void,
    attr_type: c_int,
    attribute_val_in: *mut c_void,
    attribute_val_out: *mut *mut c_void,
    flag: *mut c_int,
) -> c_int;

/// Calls a language's delete function.
type DeleteProxy = unsafe extern "C" fn(
    function: Function,
    object: c_int,
    keyval: c_int,
    attr_type: c_int,
    attribute_val: *mut c_void,
    extra_state: *mut c_void,
) -> c_int;

unsafe fn copy<H>(
    function: Function,
    object: H,
    key: Keyval,
    extra: Opaque,
    value: &Value,
) -> (ErrorCode, Option<Value>)
where
    Front: Encode<H, C = c_int>,
{
    let (mut new, mut flag) = (std::ptr::null_mut(), 0);
    let attr_type = type_of(value);
    // SAFETY: `Proxied::pair` made it; the binding's proxy takes these arguments.
    let code = unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        Function(proxy).typed::<CopyProxy>()(
            function,
            <Front as Encode<H>>::encode(object),
            <Front as Number<Keyval>>::encode(key),
            extra.0,
            attr_type,
            word(value, attr_type),
            &mut new,
            &mut flag,
        )
    };
    let copied = (flag != 0).then(|| self::value(new, attr_type));
    (<Front as Number<ErrorCode>>::decode(code), copied)
}

unsafe fn delete<H>(
    function: Function,
    object: H,
    key: Keyval,
    value: &Value,
    extra: Opaque,
) -> ErrorCode
where
    Front: Encode<H, C = c_int>,
{
    let attr_type = type_of(value);
    // SAFETY: `Proxied::pair` made it; the binding's proxy takes these arguments.
    let code = unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        Function(proxy).typed::<DeleteProxy>()(
            function,
            <Front as Encode<H>>::encode(object),
            <Front as Number<Keyval>>::encode(key),
            attr_type,
            word(value, attr_type),
            extra.0,
        )
    };
    <Front as Number<ErrorCode>>::decode(code)
}

/// Says that the functions of a key are another language's, to be called through these.
#[unsafe(no_mangle)]
pub extern "C" fn MPII_Keyval_set_proxy(
    keyval: c_int,
    copy_proxy: CopyProxy,
    delete_proxy: DeleteProxy,
) {
    fn exchange<H: Carrier>(
        mpi: &anympi_core::mpi::Mpi,
        key: Keyval,
        copy_proxy: CopyProxy,
        delete_proxy: DeleteProxy,
    ) -> anympi_core::error::Result<()>
    where
        Front: Abi + Encode<H, C = c_int>,
    {
        mpi.keyvals.exchange::<H>(key, |on_copy, on_delete| {
            if let CopyAttr::User { function, call } = on_copy {
                *function = Proxied::pair(copy_proxy as usize, *function);
                *call = copy::<H>;
            }
            if let DeleteAttr::User { function, call } = on_delete {
                *function = Proxied::pair(delete_proxy as usize, *function);
                *call = delete::<H>;
            }
        })
    }
    let key = <Front as Number<Keyval>>::decode(keyval);
    enter::<Front>(
        "MPII_Keyval_set_proxy",
        || On::Call,
        |mpi| {
            // The number does not say for which kind of object the key is.
            exchange::<Comm>(mpi, key, copy_proxy, delete_proxy)
                .or_else(|_| exchange::<Datatype>(mpi, key, copy_proxy, delete_proxy))
                .or_else(|_| exchange::<Win>(mpi, key, copy_proxy, delete_proxy))
        },
    );
}
