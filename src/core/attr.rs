//! Attribute caching: keys, and the values that an object carries under them (MPI-5.0, 7.7).
//!
//! Numbers of freed keys are never given out again, and stay valid for as long as an object carries an
//! attribute under them. User functions run through `Runtime::outside` with no borrow held, so they may use
//! the same object's attributes. Knows no communicator: an object lends its [`Attributes`] and handle.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use crate::attr_value::Value;
use crate::buf::Opaque;
use crate::callback::{CopyAttr, DeleteAttr};
use crate::error::Result;
use crate::fail;
use crate::handle::{Comm, Datatype, Handle, Win};
use crate::runtime::Runtime;
use crate::types::{ErrorCode, Keyval, Rank, Tag};

/// A key: its number and the functions for its attributes.
pub struct Key<H> {
    number: Keyval,
    copy: CopyAttr<H>,
    delete: DeleteAttr<H>,
    extra: Opaque,
}

enum Entry<H> {
    Live(Rc<Key<H>>),
    /// Freed, but perhaps still in use.
    Freed(Weak<Key<H>>),
}

/// The keys for one kind of object.
pub struct Keys<H>(RefCell<BTreeMap<i32, Entry<H>>>);

/// All keys of one process, and the attributes of datatypes, which cannot carry them themselves.
pub struct Keyvals {
    next: Cell<i32>,
    comm: Keys<Comm>,
    datatype: Keys<Datatype>,
    win: Keys<Win>,
    of_types: RefCell<Option<HashMap<Datatype, Rc<Attributes<Datatype>>>>>,
}

/// Handles of objects that can carry attributes, by the keys that are for them.
pub trait Keyed: Handle {
    fn keys(keyvals: &Keyvals) -> &Keys<Self>;
}

impl Keyed for Comm {
    fn keys(keyvals: &Keyvals) -> &Keys<Comm> {
        &keyvals.comm
    }
}

impl Keyed for Datatype {
    fn keys(keyvals: &Keyvals) -> &Keys<Datatype> {
        &keyvals.datatype
    }
}

impl Keyed for Win {
    fn keys(keyvals: &Keyvals) -> &Keys<Win> {
        &keyvals.win
    }
}

/// Whether a number is one of the predefined keys.
pub fn is_predefined(key: Keyval) -> bool {
    (Keyval::TAG_UB..=Keyval::UNIVERSE_SIZE).contains(&key)
        || (Keyval::WIN_BASE..=Keyval::WIN_MODEL).contains(&key)
}

/// The predefined attributes of communicators: `int`s whose addresses the application may keep.
pub struct Predefined {
    tag_ub: &'static Cell<i32>,
    io: &'static Cell<i32>,
    host: &'static Cell<i32>,
    wtime_is_global: &'static Cell<i32>,
    last_used_code: &'static Cell<i32>,
    universe_size: Option<&'static Cell<i32>>,
    appnum: Option<&'static Cell<i32>>,
}

impl Predefined {
    /// Those of a process. The engine has been started.
    pub fn of(runtime: &Runtime) -> Predefined {
        let place = |value| &*Box::leak(Box::new(Cell::new(value)));
        let (facts, engine) = (runtime.facts(), runtime.engine());
        Predefined {
            tag_ub: place(Tag::UPPER_BOUND),
            // Every process can do input and output.
            io: place((facts.rank)(Rank::ANY_SOURCE)),
            host: place((facts.rank)(Rank::PROC_NULL)),
            wtime_is_global: place(0),
            last_used_code: place((facts.error_code)(ErrorCode(0))),
            universe_size: engine.universe_size.map(place),
            appnum: engine.appnum.map(place),
        }
    }

    /// Changes `MPI_LASTUSEDCODE`, to a code as the ABI has it.
    pub fn set_last_used_code(&self, code: i32) {
        self.last_used_code.set(code);
    }

    /// The attribute of a key; `None` if there is none.
    ///
    /// # Errors
    /// `MPI_ERR_KEYVAL`: a key for windows.
    pub fn get(&self, key: Keyval) -> Result<Option<Value>> {
        let place = match key {
            Keyval::TAG_UB => Some(self.tag_ub),
            Keyval::IO => Some(self.io),
            Keyval::HOST => Some(self.host),
            Keyval::WTIME_IS_GLOBAL => Some(self.wtime_is_global),
            Keyval::LASTUSEDCODE => Some(self.last_used_code),
            Keyval::UNIVERSE_SIZE => self.universe_size,
            Keyval::APPNUM => self.appnum,
            _ => fail!(
                KEYVAL,
                "key {} is for windows, not for communicators",
                key.0
            ),
        };
        Ok(place.map(Value::Predefined))
    }
}

impl Keyvals {
    pub const fn new() -> Keyvals {
        Keyvals {
            next: Cell::new(Keyval::FIRST_USER.0),
            comm: Keys(RefCell::new(BTreeMap::new())),
            datatype: Keys(RefCell::new(BTreeMap::new())),
            win: Keys(RefCell::new(BTreeMap::new())),
            of_types: RefCell::new(None),
        }
    }

    pub fn create<H: Keyed>(
        &self,
        copy: CopyAttr<H>,
        delete: DeleteAttr<H>,
        extra: Opaque,
    ) -> Keyval {
        let number = Keyval(self.next.replace(self.next.get() + 1));
        let key = Key {
            number,
            copy,
            delete,
            extra,
        };
        H::keys(self)
            .0
            .borrow_mut()
            .insert(number.0, Entry::Live(Rc::new(key)));
        number
    }

    /// The application's key with a number.
    ///
    /// # Errors
    /// `MPI_ERR_KEYVAL`: predefined, freed and no longer in use, or never a key for this kind of object.
    pub fn find<H: Keyed>(&self, key: Keyval) -> Result<Rc<Key<H>>> {
        let found = match H::keys(self).0.borrow().get(&key.0) {
            Some(Entry::Live(key)) => Some(key.clone()),
            Some(Entry::Freed(key)) => key.upgrade(),
            None => None,
        };
        if let Some(key) = found {
            return Ok(key);
        }
        if key == Keyval::INVALID {
            fail!(KEYVAL, "the key is MPI_KEYVAL_INVALID");
        }
        if is_predefined(key) {
            fail!(
                KEYVAL,
                "key {}: predefined attributes cannot be changed",
                key.0
            );
        }
        fail!(
            KEYVAL,
            "{} is no key for attributes of an {} (freed, for another kind, or never made)",
            key.0,
            H::NAME
        );
    }

    /// Exchanges the functions of a key under which no object has an attribute yet. A language binding says only
    /// after the key's creation how its functions are to be called.
    ///
    /// # Errors
    /// `MPI_ERR_KEYVAL`: as [`find`](Self::find), and in use.
    pub fn exchange<H: Keyed>(
        &self,
        key: Keyval,
        exchange: impl FnOnce(&mut CopyAttr<H>, &mut DeleteAttr<H>),
    ) -> Result<()> {
        self.find::<H>(key)?;
        let mut keys = H::keys(self).0.borrow_mut();
        let unused = match keys.get_mut(&key.0) {
            Some(Entry::Live(live)) => Rc::get_mut(live),
            _ => None,
        };
        let Some(key) = unused else {
            fail!(KEYVAL, "key {} is in use or has been freed", key.0);
        };
        exchange(&mut key.copy, &mut key.delete);
        Ok(())
    }

    /// Gives up a key; attributes under it live on. While there are any, the key is valid, so that it may
    /// be given up again. (MPI-5.0, 7.7.2)
    ///
    /// # Errors
    /// `MPI_ERR_KEYVAL`: as [`find`](Self::find).
    pub fn free<H: Keyed>(&self, key: Keyval) -> Result<()> {
        let found = self.find::<H>(key)?;
        let mut keys = H::keys(self).0.borrow_mut();
        // Keys whose last attribute has gone since they were freed are forgotten here.
        keys.retain(|_, entry| match entry {
            Entry::Live(_) => true,
            Entry::Freed(key) => key.strong_count() > 0,
        });
        keys.insert(key.0, Entry::Freed(Rc::downgrade(&found)));
        Ok(())
    }

    /// The attributes of a datatype, which the caller has found to be live.
    pub fn of_type(&self, datatype: Datatype) -> Rc<Attributes<Datatype>> {
        let mut types = self.of_types.borrow_mut();
        let types = types.get_or_insert_with(HashMap::new);
        types.entry(datatype).or_default().clone()
    }

    /// Copies the attributes of a datatype that has been duplicated.
    ///
    /// # Errors
    /// What a copy function returned; the new type is then to be freed.
    pub fn type_duplicated(&self, runtime: &Runtime, old: Datatype, new: Datatype) -> Result<()> {
        match self.carries(old) {
            Some(attributes) => attributes.copy_to(runtime, old, &self.of_type(new)),
            None => Ok(()),
        }
    }

    /// Deletes the attributes of a datatype that is about to be freed.
    ///
    /// # Errors
    /// What a delete function returned; the type is then not to be freed.
    pub fn type_freed(&self, runtime: &Runtime, datatype: Datatype) -> Result<()> {
        if let Some(attributes) = self.carries(datatype) {
            attributes.delete_all(runtime, datatype)?;
            if let Some(types) = &mut *self.of_types.borrow_mut() {
                types.remove(&datatype);
            }
        }
        Ok(())
    }

    fn carries(&self, datatype: Datatype) -> Option<Rc<Attributes<Datatype>>> {
        self.of_types.borrow().as_ref()?.get(&datatype).cloned()
    }
}

impl Default for Keyvals {
    fn default() -> Self {
        Self::new()
    }
}

/// The attributes of one object, in the order in which they were set.
pub struct Attributes<H> {
    list: RefCell<Vec<(Rc<Key<H>>, Value)>>,
}

impl<H> Default for Attributes<H> {
    fn default() -> Self {
        Attributes {
            list: RefCell::new(Vec::new()),
        }
    }
}

impl<H: Keyed> Attributes<H> {
    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    pub fn get(&self, key: &Key<H>) -> Option<Value> {
        let list = self.list.borrow();
        let found = list.iter().find(|(other, _)| other.number == key.number);
        found.map(|(_, value)| value.clone())
    }

    fn forget(&self, key: &Key<H>) {
        let mut list = self.list.borrow_mut();
        list.retain(|(other, _)| other.number != key.number);
    }

    /// Sets an attribute of `object`; an old value is deleted first.
    ///
    /// # Errors
    /// What the delete function returned; the old value then stays.
    pub fn set(&self, runtime: &Runtime, object: H, key: Rc<Key<H>>, value: Value) -> Result<()> {
        self.delete(runtime, object, &key)?;
        self.list.borrow_mut().push((key, value));
        Ok(())
    }

    /// Deletes an attribute of `object`, if it has it.
    ///
    /// # Errors
    /// What the delete function returned; the attribute then stays.
    pub fn delete(&self, runtime: &Runtime, object: H, key: &Key<H>) -> Result<()> {
        if let Some(value) = self.get(key) {
            runtime.outside(|| key.delete.call(object, key.number, &value, key.extra))?;
            self.forget(key);
        }
        Ok(())
    }

    /// Copies what the copy functions want copied to the attributes of a duplicate of `object`.
    ///
    /// # Errors
    /// What a copy function returned.
    pub fn copy_to(&self, runtime: &Runtime, object: H, new: &Attributes<H>) -> Result<()> {
        let list = self.list.borrow().clone();
        for (key, value) in list {
            let copied =
                runtime.outside(|| key.copy.call(object, key.number, key.extra, &value))?;
            if let Some(copy) = copied {
                new.list.borrow_mut().push((key, copy));
            }
        }
        Ok(())
    }

    /// Deletes all attributes of `object`, the last one set first.
    ///
    /// # Errors
    /// What a delete function returned; this attribute and the earlier ones then stay.
    pub fn delete_all(&self, runtime: &Runtime, object: H) -> Result<()> {
        loop {
            let last = self.list.borrow().last().map(|(key, _)| key.clone());
            match last {
                Some(key) => self.delete(runtime, object, &key)?,
                None => return Ok(()),
            }
        }
    }
}

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use super::*;
    use crate::callback::Function;
    use crate::error::class;
    use crate::types::ErrorCode;

    thread_local! {
        static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    fn note(text: String) {
        CALLS.with_borrow_mut(|calls| calls.push(text));
    }

    fn calls() -> Vec<String> {
        CALLS.take()
    }

    /// The "function" is the code to return.
    unsafe fn copy(
        function: Function,
        object: Comm,
        key: Keyval,
        _: Opaque,
        value: &Value,
    ) -> (ErrorCode, Option<Value>) {
        let number = value.as_address();
        note(format!(
            "copy {} {} {number}",
            object.0,
            key.0 - Keyval::FIRST_USER.0
        ));
        let new = self::value(number as usize + 100);
        (ErrorCode(function.0 as i32), (number != 3).then_some(new))
    }

    unsafe fn delete(
        function: Function,
        object: Comm,
        key: Keyval,
        value: &Value,
        _: Opaque,
    ) -> ErrorCode {
        let number = value.as_address();
        note(format!(
            "delete {} {} {number}",
            object.0,
            key.0 - Keyval::FIRST_USER.0
        ));
        ErrorCode(function.0 as i32)
    }

    fn value(number: usize) -> Value {
        Value::pointer(Opaque(std::ptr::without_provenance_mut(number)))
    }

    fn key(keyvals: &Keyvals, code: usize) -> Keyval {
        let function = Function(code);
        keyvals.create::<Comm>(
            CopyAttr::User {
                function,
                call: copy,
            },
            DeleteAttr::User {
                function,
                call: delete,
            },
            Opaque(std::ptr::null_mut()),
        )
    }

    #[test]
    fn set_replace_copy_delete() {
        let runtime = Runtime::new();
        let keys = Keyvals::new();
        let numbers = [key(&keys, 0), key(&keys, 0), key(&keys, 0)];
        let [a, b, c] = numbers.map(|number| keys.find::<Comm>(number).unwrap());
        let (old, new) = (Attributes::default(), Attributes::default());
        old.set(&runtime, Comm(7), a.clone(), value(1)).unwrap();
        old.set(&runtime, Comm(7), b.clone(), value(2)).unwrap();
        old.set(&runtime, Comm(7), c.clone(), value(3)).unwrap();
        assert!(calls().is_empty());
        old.set(&runtime, Comm(7), a.clone(), value(4)).unwrap();
        assert_eq!(calls(), ["delete 7 0 1"]);
        old.copy_to(&runtime, Comm(7), &new).unwrap();
        assert_eq!(calls(), ["copy 7 1 2", "copy 7 2 3", "copy 7 0 4"]);
        assert_eq!(new.get(&a), Some(value(104)));
        assert_eq!(new.get(&b), Some(value(102)));
        assert_eq!(new.get(&c), None);
        old.delete(&runtime, Comm(7), &b).unwrap();
        old.delete(&runtime, Comm(7), &b).unwrap();
        assert_eq!(calls(), ["delete 7 1 2"]);
        old.delete_all(&runtime, Comm(7)).unwrap();
        assert_eq!(calls(), ["delete 7 0 4", "delete 7 2 3"]);
        assert!(old.is_empty() && !new.is_empty());
    }

    #[test]
    fn errors_of_user_functions_stop_the_call() {
        let runtime = Runtime::new();
        let keys = Keyvals::new();
        let bad = keys.find::<Comm>(key(&keys, 17)).unwrap();
        let attributes = Attributes::default();
        attributes
            .set(&runtime, Comm(1), bad.clone(), value(5))
            .unwrap();
        let set = attributes.set(&runtime, Comm(1), bad.clone(), value(6));
        assert_eq!(set.unwrap_err().code(), 17);
        assert_eq!(attributes.get(&bad), Some(value(5)), "the old value stays");
        let copied = attributes.copy_to(&runtime, Comm(1), &Attributes::default());
        assert_eq!(copied.unwrap_err().code(), 17);
        assert_eq!(
            attributes.delete_all(&runtime, Comm(1)).unwrap_err().code(),
            17
        );
        assert!(!attributes.is_empty());
        calls();
    }

    #[test]
    fn a_freed_key_lives_while_it_is_used() {
        let runtime = Runtime::new();
        let keys = Keyvals::new();
        let number = key(&keys, 0);
        let attributes = Attributes::default();
        let found = keys.find::<Comm>(number).unwrap();
        attributes.set(&runtime, Comm(1), found, value(1)).unwrap();
        keys.free::<Comm>(number).unwrap();
        keys.free::<Comm>(number).unwrap();
        let found = keys.find::<Comm>(number).unwrap();
        attributes.delete(&runtime, Comm(1), &found).unwrap();
        assert_eq!(calls().len(), 1);
        drop(found);
        let gone = keys.find::<Comm>(number).err().unwrap();
        assert_eq!(gone.code(), class::KEYVAL);
        assert_eq!(keys.free::<Comm>(number).unwrap_err().code(), class::KEYVAL);
        assert_ne!(key(&keys, 0), number, "numbers are not used again");
    }

    #[test]
    fn keys_of_other_kinds_are_refused() {
        let keys = Keyvals::new();
        let number = key(&keys, 0);
        let code = |key| keys.find::<Win>(key).err().unwrap().code();
        for wrong in [
            number,
            Keyval::INVALID,
            Keyval::TAG_UB,
            Keyval(-1),
            Keyval(77),
        ] {
            assert_eq!(code(wrong), class::KEYVAL, "{wrong:?}");
        }
    }
}
