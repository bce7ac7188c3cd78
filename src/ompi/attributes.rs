//! Attributes as Open MPI's Fortran and C++ libraries make, set and read them.
//!
//! Signatures are those of Open MPI 4.1 (see its `attribute.h`). What these libraries take for an object's
//! table of attributes is a place in the object, of which `fields` knows.

use anympi_core::abi::{Encode, Number};
use anympi_core::attr_value::Value;
use anympi_core::buf::Opaque;
use anympi_core::callback::{CopyAttr, CopyThunk, DeleteAttr, DeleteThunk, Function};
use anympi_core::carrier::{self, Carrier};
use anympi_core::error::{Result, class};
use anympi_core::handle::{Comm, Datatype, Handle, Kind, Win};
use anympi_core::mpi::Mpi;
use anympi_core::types::{ErrorCode, Keyval};

use crate::fields::Object;
use crate::handles::{kind_of, to_fortran};
use crate::prelude::*;
use crate::{crossing, object};

/// The kind of objects that a key or a call is for (`ompi_attribute_type_t`).
mod attribute_type {
    use super::c_int;

    pub const COMM: c_int = 1;
    pub const TYPE: c_int = 2;
    pub const WIN: c_int = 3;
}

/// Runs a call for the kind of objects that a number says.
macro_rules! by_type {
    ($type:expr, $kind:ident => $call:expr) => {
        match $type {
            attribute_type::COMM => {
                type $kind = Comm;
                $call
            }
            attribute_type::TYPE => {
                type $kind = Datatype;
                $call
            }
            attribute_type::WIN => {
                type $kind = Win;
                $call
            }
            other => Err(anympi_core::error::Error::new(
                class::INTERN,
                format!(
                    "{other} is no kind of object that has attributes (1, 2 or 3 was expected)"
                ),
            )),
        }
    };
}

/// What a value is read as.
trait Read {
    fn read(value: &Value) -> Self;
}

impl Read for MPI_Fint {
    fn read(value: &Value) -> MPI_Fint {
        value.as_integer()
    }
}

impl Read for MPI_Aint {
    fn read(value: &Value) -> MPI_Aint {
        value.as_address() as MPI_Aint
    }
}

/// # Safety
/// The places are the caller's, for a value and a flag.
unsafe fn get<V: Read>(
    attributes: usize,
    key: c_int,
    attribute: *mut V,
    flag: *mut c_int,
) -> c_int {
    let key = <Front as Number<Keyval>>::decode(key);
    let number = object::number(Object::with_attributes(attributes));
    let on = || match kind_of(number) {
        Kind::Comm => On::Comm(Comm(number)),
        Kind::Win => On::Win(Win(number)),
        _ => On::Call,
    };
    enter::<Front>("MPI_Comm_get_attr", on, |mpi| {
        let found = match kind_of(number) {
            Kind::Datatype => carrier::get(mpi, Datatype(number), key)?,
            Kind::Win => carrier::get(mpi, Win(number), key)?,
            // Anything else is refused here as no communicator.
            _ => carrier::get(mpi, Comm(number), key)?,
        };
        // SAFETY: by contract.
        unsafe {
            if let Some(value) = &found {
                *attribute = V::read(value);
            }
            *flag = c_int::from(found.is_some());
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_attr_get_fint(
    attributes: usize,
    key: c_int,
    attribute: *mut MPI_Fint,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the binding has both places.
    unsafe { get(attributes, key, attribute, flag) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_attr_get_aint(
    attributes: usize,
    key: c_int,
    attribute: *mut MPI_Aint,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the binding has both places.
    unsafe { get(attributes, key, attribute, flag) }
}

fn set(attribute_type: c_int, handle: *const c_void, key: c_int, value: Value) -> c_int {
    let key = <Front as Number<Keyval>>::decode(key);
    let number = object::number(handle);
    let on = || match attribute_type {
        attribute_type::COMM => On::Comm(Comm(number)),
        attribute_type::WIN => On::Win(Win(number)),
        _ => On::Call,
    };
    enter::<Front>(
        "MPI_Comm_set_attr",
        on,
        |mpi| by_type!(attribute_type, H => carrier::set(mpi, H::from_raw(number), key, value)),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn ompi_attr_set_fint(
    attribute_type: c_int,
    object: *mut c_void,
    _attributes: *mut c_void,
    key: c_int,
    attribute: MPI_Fint,
    _predefined: bool,
) -> c_int {
    set(attribute_type, object, key, Value::integer(attribute))
}

#[unsafe(no_mangle)]
pub extern "C" fn ompi_attr_set_aint(
    attribute_type: c_int,
    object: *mut c_void,
    _attributes: *mut c_void,
    key: c_int,
    attribute: MPI_Aint,
    _predefined: bool,
) -> c_int {
    set(
        attribute_type,
        object,
        key,
        Value::address(attribute as i64),
    )
}

/// A language's way to call the functions of a key.
struct Thunks<H> {
    copy: CopyThunk<H>,
    delete: DeleteThunk<H>,
}

fn create<H: Carrier>(
    mpi: &Mpi,
    (copy, delete): (*mut c_void, *mut c_void),
    thunks: Thunks<H>,
    extra: Opaque,
) -> Keyval {
    let function = |address: *mut c_void| Function(address.expose_provenance());
    let copy = if copy.is_null() {
        CopyAttr::Null
    } else {
        CopyAttr::User {
            function: function(copy),
            call: thunks.copy,
        }
    };
    let delete = if delete.is_null() {
        DeleteAttr::Null
    } else {
        DeleteAttr::User {
            function: function(delete),
            call: thunks.delete,
        }
    };
    mpi.keyvals.create(copy, delete, extra)
}

/// C and C++: the new object comes last, and is not yet there; these functions do not look at it.
unsafe fn copy_c<H: Handle>(
    function: Function,
    object: H,
    key: Keyval,
    extra: Opaque,
    value: &Value,
) -> (ErrorCode, Option<Value>)
where
    Front: Encode<H>,
{
    type Copy<C> = unsafe extern "C" fn(
        C,
        c_int,
        *mut c_void,
        *mut c_void,
        *mut *mut c_void,
        *mut c_int,
        C,
    ) -> c_int;
    look_into(object);
    let object = <Front as Encode<H>>::encode(object);
    let key = <Front as Number<Keyval>>::encode(key);
    let (mut new, mut flag) = (std::ptr::null_mut(), 0);
    // SAFETY: the binding registered a copy function.
    let code = unsafe {
        let copy = function.typed::<Copy<<Front as Encode<H>>::C>>();
        copy(
            object,
            key,
            extra.0,
            value.as_pointer().0,
            &mut new,
            &mut flag,
            object,
        )
    };
    let copied = (flag != 0).then(|| Value::pointer(Opaque(new)));
    (<Front as Number<ErrorCode>>::decode(code), copied)
}

unsafe fn delete_c<H: Handle>(
    function: Function,
    object: H,
    key: Keyval,
    value: &Value,
    extra: Opaque,
) -> ErrorCode
where
    Front: Encode<H>,
{
    type Delete<C> = unsafe extern "C" fn(C, c_int, *mut c_void, *mut c_void) -> c_int;
    look_into(object);
    // SAFETY: the binding registered a delete function.
    let code = unsafe {
        function.typed::<Delete<<Front as Encode<H>>::C>>()(
            <Front as Encode<H>>::encode(object),
            <Front as Number<Keyval>>::encode(key),
            value.as_pointer().0,
            extra.0,
        )
    };
    <Front as Number<ErrorCode>>::decode(code)
}

/// C++ wants to know which class of communicator its function is for.
fn look_into<H: Handle>(object: H) {
    if H::KIND == Kind::Comm {
        crossing::describe(Comm(object.raw()));
    }
}

/// Fortran's procedures; `$integer` is the kind of values and extra state.
macro_rules! fortran {
    ($copy:ident $delete:ident: $integer:ident, $value:expr) => {
        unsafe fn $copy<H: Handle>(
            function: Function,
            object: H,
            key: Keyval,
            extra: Opaque,
            value: &Value,
        ) -> (ErrorCode, Option<Value>) {
            type Copy = unsafe extern "C" fn(
                *mut MPI_Fint,
                *mut MPI_Fint,
                *mut $integer,
                *mut $integer,
                *mut $integer,
                *mut MPI_Fint,
                *mut MPI_Fint,
            );
            let (mut object, mut key) =
                (to_fortran(object), <Front as Number<Keyval>>::encode(key));
            let (mut extra, mut old) = (extra.0.addr() as $integer, $integer::read(value));
            let (mut new, mut flag, mut ierror) = (0, 0, 0);
            // SAFETY: the Fortran binding registered a copy procedure.
            unsafe {
                function.typed::<Copy>()(
                    &mut object,
                    &mut key,
                    &mut extra,
                    &mut old,
                    &mut new,
                    &mut flag,
                    &mut ierror,
                )
            }
            let copied = (flag != 0).then(|| $value(new));
            (<Front as Number<ErrorCode>>::decode(ierror), copied)
        }

        unsafe fn $delete<H: Handle>(
            function: Function,
            object: H,
            key: Keyval,
            value: &Value,
            extra: Opaque,
        ) -> ErrorCode {
            type Delete = unsafe extern "C" fn(
                *mut MPI_Fint,
                *mut MPI_Fint,
                *mut $integer,
                *mut $integer,
                *mut MPI_Fint,
            );
            let (mut object, mut key) =
                (to_fortran(object), <Front as Number<Keyval>>::encode(key));
            let (mut value, mut extra) = ($integer::read(value), extra.0.addr() as $integer);
            let mut ierror = 0;
            // SAFETY: the Fortran binding registered a delete procedure.
            unsafe {
                function.typed::<Delete>()(
                    &mut object,
                    &mut key,
                    &mut value,
                    &mut extra,
                    &mut ierror,
                )
            }
            <Front as Number<ErrorCode>>::decode(ierror)
        }
    };
}

fortran! { copy_fint delete_fint: MPI_Fint, Value::integer }
fortran! { copy_aint delete_aint: MPI_Aint, |new| Value::address(new as i64) }

/// Makes a key whose functions are C's or C++'s; `bindings_extra_state` is kept for as long as the process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_attr_create_keyval(
    attribute_type: c_int,
    copy: *mut c_void,
    delete: *mut c_void,
    key: *mut c_int,
    extra_state: *mut c_void,
    _flags: c_int,
    _bindings_extra_state: *mut c_void,
) -> c_int {
    let extra = Opaque(extra_state);
    // SAFETY: the binding has a place for the key.
    unsafe {
        make(attribute_type, key, |mpi| {
            by_type!(attribute_type, H => Ok(create::<H>(mpi, (copy, delete), Thunks {
                copy: copy_c::<H>,
                delete: delete_c::<H>,
            }, extra)))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_attr_create_keyval_fint(
    attribute_type: c_int,
    copy: *mut c_void,
    delete: *mut c_void,
    key: *mut c_int,
    extra_state: MPI_Fint,
    _flags: c_int,
    _bindings_extra_state: *mut c_void,
) -> c_int {
    let extra = Opaque(std::ptr::without_provenance_mut(extra_state as usize));
    // SAFETY: the binding has a place for the key.
    unsafe {
        make(attribute_type, key, |mpi| {
            by_type!(attribute_type, H => Ok(create::<H>(mpi, (copy, delete), Thunks {
                copy: copy_fint::<H>,
                delete: delete_fint::<H>,
            }, extra)))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_attr_create_keyval_aint(
    attribute_type: c_int,
    copy: *mut c_void,
    delete: *mut c_void,
    key: *mut c_int,
    extra_state: MPI_Aint,
    _flags: c_int,
    _bindings_extra_state: *mut c_void,
) -> c_int {
    let extra = Opaque(std::ptr::without_provenance_mut(extra_state as usize));
    // SAFETY: the binding has a place for the key.
    unsafe {
        make(attribute_type, key, |mpi| {
            by_type!(attribute_type, H => Ok(create::<H>(mpi, (copy, delete), Thunks {
                copy: copy_aint::<H>,
                delete: delete_aint::<H>,
            }, extra)))
        })
    }
}

/// # Safety
/// `place` is the caller's, for a key.
unsafe fn make(
    attribute_type: c_int,
    place: *mut c_int,
    create: impl FnOnce(&Mpi) -> Result<Keyval>,
) -> c_int {
    let call = match attribute_type {
        attribute_type::TYPE => "MPI_Type_create_keyval",
        attribute_type::WIN => "MPI_Win_create_keyval",
        _ => "MPI_Comm_create_keyval",
    };
    enter::<Front>(
        call,
        || On::Call,
        |mpi| {
            let key = create(mpi)?;
            // SAFETY: by contract.
            unsafe { *place = <Front as Number<Keyval>>::encode(key) };
            Ok(())
        },
    )
}
