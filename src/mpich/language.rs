//! Functions that MPICH's headers and its Fortran and C++ libraries use, beside MPI's own.
//!
//! Signatures are those of MPICH 4.0 (see its `mpi_attr.h`); attribute values travel as one machine word.

#![allow(non_snake_case)]

use anympi_core::abi::{Abi, Encode, Number};
use anympi_core::attr::Carrier;
use anympi_core::buf::Opaque;
use anympi_core::callback::{CopyAttr, DeleteAttr, Function};
use anympi_core::handle::{Comm, Datatype, Win};
use anympi_core::types::{ErrorCode, Keyval};

use crate::prelude::*;

/// `MPIR_ATTR_PTR`: the value is wanted as C sees it. Other kinds are Fortran's and C++'s integers.
const ATTR_PTR: c_int = 0;
/// `MPIR_ATTR_AINT`.
const ATTR_AINT: c_int = 1;

/// Fortran's predefined keys are C's plus 1.
fn c_key(keyval: c_int) -> c_int {
    match <Front as Number<Keyval>>::decode(keyval - 1) {
        key if anympi_core::attr::is_predefined(key) => keyval - 1,
        _ => keyval,
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

/// Attributes as language bindings read and write them. Communicators' predefined ones are `int`s,
/// of which C gets the address and other languages the value; windows' likewise.
macro_rules! attributes {
    ($($get:ident $set:ident: $object:ident, $api_get:ident $api_set:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(
            object: $object,
            keyval: c_int,
            attribute_val: *mut c_void,
            flag: *mut c_int,
            attr_type: c_int,
        ) -> c_int {
            let key = c_key(keyval);
            // SAFETY: the caller keeps what MPICH's prototype promises.
            let code = unsafe {
                enter::<Front>(stringify!($get), || On::Call, |mpi| {
                    api::attr::$api_get(
                        mpi,
                        arg::<Front, _, _>(object, "object")?,
                        arg::<Front, _, _>(key, "keyval")?,
                        arg::<Front, _, _>(attribute_val, "attribute_val")?,
                        arg::<Front, _, _>(flag, "flag")?,
                    )
                })
            };
            let predefined =
                anympi_core::attr::is_predefined(<Front as Number<Keyval>>::decode(key));
            // SAFETY: as above; on success both places are written.
            if code == 0 && predefined && attr_type != ATTR_PTR && unsafe { *flag } != 0 {
                // SAFETY: the value of a predefined attribute is the address of an `int`.
                unsafe {
                    let value = *attribute_val.cast::<*const c_int>();
                    *attribute_val.cast::<MPI_Aint>() = *value as MPI_Aint;
                }
            }
            code
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set(
            object: $object,
            keyval: c_int,
            attribute_val: *mut c_void,
            _attr_type: c_int,
        ) -> c_int {
            // SAFETY: the caller keeps what MPICH's prototype promises.
            unsafe {
                enter::<Front>(stringify!($set), || On::Call, |mpi| {
                    api::attr::$api_set(
                        mpi,
                        arg::<Front, _, _>(object, "object")?,
                        arg::<Front, _, _>(c_key(keyval), "keyval")?,
                        arg::<Front, _, _>(attribute_val, "attribute_val")?,
                    )
                })
            }
        }
    )* };
}

attributes! {
    MPII_Comm_get_attr MPII_Comm_set_attr: MPI_Comm, comm_get_attr comm_set_attr;
    MPII_Type_get_attr MPII_Type_set_attr: MPI_Datatype, type_get_attr type_set_attr;
    MPII_Win_get_attr MPII_Win_set_attr: MPI_Win, win_get_attr win_set_attr;
}

/// Calls a language's copy function. The object is a plain number, as every kind of handle is here.
type CopyProxy = unsafe extern "C" fn(
    function: *const c_void,
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
    function: *const c_void,
    object: c_int,
    keyval: c_int,
    attr_type: c_int,
    attribute_val: *mut c_void,
    extra_state: *mut c_void,
) -> c_int;

/// A language's function and what calls it.
struct Proxied<P> {
    proxy: P,
    function: *const c_void,
}

/// Keys live as long as the process, so what stands behind their functions does too.
fn proxied<P>(proxy: P, function: Function) -> Function {
    let function = std::ptr::with_exposed_provenance(function.0);
    let proxied: *mut Proxied<P> = Box::into_raw(Box::new(Proxied { proxy, function }));
    Function(proxied.expose_provenance())
}

unsafe fn copy<H>(
    function: Function,
    object: H,
    key: Keyval,
    extra: Opaque,
    value: Opaque,
    new: &mut *mut c_void,
) -> (ErrorCode, bool)
where
    Front: Encode<H, C = c_int>,
{
    let mut flag = 0;
    // SAFETY: `proxied` made it; the binding's proxy takes these arguments.
    let code = unsafe {
        let proxied: *const Proxied<CopyProxy> = std::ptr::with_exposed_provenance(function.0);
        ((*proxied).proxy)(
            (*proxied).function,
            <Front as Encode<H>>::encode(object),
            <Front as Number<Keyval>>::encode(key),
            extra.0,
            ATTR_AINT,
            value.0,
            new,
            &mut flag,
        )
    };
    (<Front as Number<ErrorCode>>::decode(code), flag != 0)
}

unsafe fn delete<H>(
    function: Function,
    object: H,
    key: Keyval,
    value: Opaque,
    extra: Opaque,
) -> ErrorCode
where
    Front: Encode<H, C = c_int>,
{
    // SAFETY: `proxied` made it; the binding's proxy takes these arguments.
    let code = unsafe {
        let proxied: *const Proxied<DeleteProxy> = std::ptr::with_exposed_provenance(function.0);
        ((*proxied).proxy)(
            (*proxied).function,
            <Front as Encode<H>>::encode(object),
            <Front as Number<Keyval>>::encode(key),
            ATTR_AINT,
            value.0,
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
                *function = proxied(copy_proxy, *function);
                *call = copy::<H>;
            }
            if let DeleteAttr::User { function, call } = on_delete {
                *function = proxied(delete_proxy, *function);
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
