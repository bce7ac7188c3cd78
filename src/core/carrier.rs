//! Attributes by the handles of the objects that carry them: which attributes an object has, predefined ones included.
//!
//! Keys and the attributes themselves are in [`attr`](crate::attr); here objects are found by their handles.

use crate::attr::{Attributes, Keyed, Predefined, is_predefined};
use crate::attr_value::Value;
use crate::error::{Error, Result};
use crate::fail;
use crate::handle::{Comm, Datatype, Handle, Win};
use crate::mpi::Mpi;
use crate::types::Keyval;

/// Handles of objects that can carry attributes.
pub trait Carrier: Keyed {
    /// Lends the attributes of a live object.
    ///
    /// # Errors
    /// The class of the kind: no live object.
    fn attributes<R>(
        self,
        mpi: &Mpi,
        lend: impl FnOnce(&Attributes<Self>) -> Result<R>,
    ) -> Result<R>;

    /// The value of a predefined attribute, if the object has it.
    ///
    /// # Errors
    /// `MPI_ERR_KEYVAL`: a predefined key for another kind of object.
    fn predefined(self, mpi: &Mpi, key: Keyval) -> Result<Option<Value>>;
}

impl Carrier for Comm {
    fn attributes<R>(
        self,
        mpi: &Mpi,
        lend: impl FnOnce(&Attributes<Comm>) -> Result<R>,
    ) -> Result<R> {
        lend(&mpi.comm(self)?.attributes)
    }

    fn predefined(self, mpi: &Mpi, key: Keyval) -> Result<Option<Value>> {
        let comm = mpi.comm(self)?;
        let found = refreshed(mpi).get(key)?;
        // They describe the world model's environment; sessions have the one for tags only (MPI-5.0, 9.1.2).
        let of_session = !comm.group.session().is_null();
        Ok(found.filter(|_| !of_session || key == Keyval::TAG_UB))
    }
}

impl Carrier for Datatype {
    fn attributes<R>(
        self,
        mpi: &Mpi,
        lend: impl FnOnce(&Attributes<Datatype>) -> Result<R>,
    ) -> Result<R> {
        mpi.datatype(self)?;
        lend(&mpi.keyvals.of_type(self))
    }

    fn predefined(self, _mpi: &Mpi, key: Keyval) -> Result<Option<Value>> {
        fail!(
            KEYVAL,
            "key {} is predefined, and datatypes have no predefined attributes",
            key.0
        )
    }
}

impl Carrier for Win {
    fn attributes<R>(
        self,
        _mpi: &Mpi,
        _lend: impl FnOnce(&Attributes<Win>) -> Result<R>,
    ) -> Result<R> {
        no_windows()
    }

    fn predefined(self, _mpi: &Mpi, _key: Keyval) -> Result<Option<Value>> {
        no_windows()
    }
}

/// There is no window that could carry an attribute.
fn no_windows<R>() -> Result<R> {
    Err(Error::not_built())
}

/// The value of an object's attribute, if it has it.
///
/// # Errors
/// `MPI_ERR_KEYVAL`: no key for this kind of object. The class of the kind: no live object.
pub fn get<H: Carrier>(mpi: &Mpi, object: H, key: Keyval) -> Result<Option<Value>> {
    if is_predefined(key) {
        return object.predefined(mpi, key);
    }
    object.attributes(mpi, |attributes| {
        Ok(attributes.get(&*mpi.keyvals.find::<H>(key)?))
    })
}

/// Sets an attribute of an object; an old value is deleted first.
///
/// # Errors
/// As [`get`], predefined keys too; what the delete function returned.
pub fn set<H: Carrier>(mpi: &Mpi, object: H, key: Keyval, value: Value) -> Result<()> {
    object.attributes(mpi, |attributes| {
        let key = mpi.keyvals.find(key)?;
        attributes.set(mpi, object, key, value)
    })
}

/// Deletes an attribute of an object, if it has it.
///
/// # Errors
/// As [`set`].
pub fn delete<H: Carrier>(mpi: &Mpi, object: H, key: Keyval) -> Result<()> {
    object.attributes(mpi, |attributes| {
        let key = mpi.keyvals.find(key)?;
        attributes.delete(mpi, object, &key)
    })
}

/// Says in `MPI_LASTUSEDCODE` which error codes there are now.
pub fn refresh_last_used_code(mpi: &Mpi) {
    refreshed(mpi);
}

/// The predefined attributes of communicators as they are now.
fn refreshed(mpi: &Mpi) -> &Predefined {
    let all = mpi.predefined.get_or_init(|| Predefined::of(mpi));
    all.set_last_used_code((mpi.facts().error_code)(mpi.codes.last_used()));
    all
}
