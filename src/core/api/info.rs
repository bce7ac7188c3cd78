//! Info objects: one function per MPI operation (MPI-5.0, chapter 10).
//!
//! Arguments arrive converted to the core's vocabulary; the calls work at any time, also before
//! initialisation and after finalisation. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::fail;
use crate::info::{Pairs, Start, check_key};
use crate::mpi::WorldModel;
use crate::session;

impl Mpi {
    /// The pairs of a live info object, `MPI_INFO_ENV` included.
    ///
    /// # Errors
    /// `MPI_ERR_INFO` for `MPI_INFO_NULL`, a freed handle or one of another kind.
    pub fn info(&self, handle: Info) -> Result<Rc<Pairs>> {
        if handle == Info::ENV {
            return Ok(self.info_env());
        }
        self.infos.find(handle)
    }

    /// What `MPI_INFO_ENV` says; fixed once MPI is initialised.
    fn info_env(&self) -> Rc<Pairs> {
        let initialized = self.world_model() != WorldModel::Before;
        let make = || {
            let world = self.engine_if_started();
            let start = Start {
                maxprocs: world.map(|engine| engine.size),
                thread_level: initialized.then(|| session::level_name(self.thread_level())),
                ..Start::of_this_process()
            };
            Rc::new(start.pairs())
        };
        match initialized {
            true => self.info_env.get_or_init(make).clone(),
            false => make(),
        }
    }
}

/// The pairs of an info object that may be changed.
fn changeable(mpi: &Mpi, info: Info) -> Result<Rc<Pairs>> {
    if info == Info::ENV {
        fail!(INFO, "info is MPI_INFO_ENV, which cannot be changed");
    }
    mpi.info(info)
}

/// The text of a key argument.
fn key_text(key: &Str) -> Result<String> {
    let text = key.text().into_owned();
    check_key(&text)?;
    Ok(text)
}

/// Makes an empty info object. (MPI-5.0, chapter 10)
pub fn info_create(mpi: &Mpi, info: Out<Info>) -> Result<()> {
    info.set(mpi.infos.insert(Rc::new(Pairs::new()))?);
    Ok(())
}

/// Makes an info object that says how the process was started; the arguments are those of `main`, or
/// nothing. (MPI-5.0, 11.5.1)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative `argc`.
pub fn info_create_env(mpi: &Mpi, argc: i32, argv: Strs, info: Out<Info>) -> Result<()> {
    let Ok(count) = usize::try_from(argc) else {
        fail!(ARG, "argc = {argc}: a number of at least 0 was expected");
    };
    let mut start = Start::of_this_process();
    let mut arguments = (0..count).map_while(|index| argv.get(index));
    if let Some(command) = arguments.next() {
        start.command = Some(command);
        let rest: Vec<String> = arguments.collect();
        start.arguments = (!rest.is_empty()).then(|| rest.join(" "));
    }
    info.set(mpi.infos.insert(Rc::new(start.pairs()))?);
    Ok(())
}

/// Removes a key. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_INFO_NOKEY`: there is no such key.
pub fn info_delete(mpi: &Mpi, info: Info, key: Str) -> Result<()> {
    changeable(mpi, info)?.delete(&key_text(&key)?)
}

/// Copies an info object, order included. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_INFO`: no live info object.
pub fn info_dup(mpi: &Mpi, info: Info, newinfo: Out<Info>) -> Result<()> {
    let copy = mpi.info(info)?.as_ref().clone();
    newinfo.set(mpi.infos.insert(Rc::new(copy))?);
    Ok(())
}

/// Gives up an info object. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_INFO`: no live info object, or `MPI_INFO_ENV`.
pub fn info_free(mpi: &Mpi, info: InOut<Info>) -> Result<()> {
    let handle = info.get();
    changeable(mpi, handle)?;
    mpi.infos.remove(handle);
    info.set(Info::NULL);
    Ok(())
}

/// The value of a key, at most `valuelen` bytes of it and a final NUL. (deprecated in MPI-4.0)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative `valuelen`. `MPI_ERR_INFO_KEY`: a key that cannot be.
pub fn info_get(
    mpi: &Mpi,
    info: Info,
    key: Str,
    valuelen: i32,
    value: StrOut,
    flag: Out<bool>,
) -> Result<()> {
    let pairs = mpi.info(info)?;
    let key = key_text(&key)?;
    let Ok(length) = usize::try_from(valuelen) else {
        fail!(
            ARG,
            "valuelen = {valuelen}: a number of at least 0 was expected"
        );
    };
    let found = pairs.get(&key);
    if let Some(text) = &found {
        value.set(text, length + 1);
    }
    flag.set(found.is_some());
    Ok(())
}

/// Number of keys. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_INFO`: no live info object.
pub fn info_get_nkeys(mpi: &Mpi, info: Info, nkeys: Out<i32>) -> Result<()> {
    nkeys.set(mpi.info(info)?.len() as i32);
    Ok(())
}

/// The key with a number, in the order in which keys were set. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_ARG`: no key has this number.
pub fn info_get_nthkey(mpi: &Mpi, info: Info, n: i32, key: StrOut) -> Result<()> {
    let text = mpi.info(info)?.nth_key(n)?;
    key.set(&text, mpi.facts().limits.info_key);
    Ok(())
}

/// The value of a key, as much as `buflen` bytes hold with the final NUL; `buflen` becomes what the
/// whole value needs. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative `buflen`. `MPI_ERR_INFO_KEY`: a key that cannot be.
pub fn info_get_string(
    mpi: &Mpi,
    info: Info,
    key: Str,
    buflen: InOut<i32>,
    value: Option<StrOut>,
    flag: Out<bool>,
) -> Result<()> {
    let pairs = mpi.info(info)?;
    let key = key_text(&key)?;
    let Ok(capacity) = usize::try_from(buflen.get()) else {
        fail!(
            ARG,
            "buflen = {}: a number of at least 0 was expected",
            buflen.get()
        );
    };
    let found = pairs.get(&key);
    if let Some(text) = &found {
        // With a length of 0 only the needed length is asked for, and `value` may be null.
        match value {
            Some(value) => {
                value.set(text, capacity);
            }
            None if capacity > 0 => {
                fail!(ARG, "value is a null pointer with buflen = {capacity}")
            }
            None => (),
        }
        buflen.set(text.len() as i32 + 1);
    }
    flag.set(found.is_some());
    Ok(())
}

/// Length of a key's value without a final NUL. (deprecated in MPI-4.0)
///
/// # Errors
/// `MPI_ERR_INFO_KEY`: a key that cannot be.
pub fn info_get_valuelen(
    mpi: &Mpi,
    info: Info,
    key: Str,
    valuelen: Out<i32>,
    flag: Out<bool>,
) -> Result<()> {
    let found = mpi.info(info)?.get(&key_text(&key)?);
    if let Some(text) = &found {
        valuelen.set(text.len() as i32);
    }
    flag.set(found.is_some());
    Ok(())
}

/// Sets a value. (MPI-5.0, chapter 10)
///
/// # Errors
/// `MPI_ERR_INFO_KEY`, `MPI_ERR_INFO_VALUE`: too long for the caller's own buffers, or an empty key.
pub fn info_set(mpi: &Mpi, info: Info, key: Str, value: Str) -> Result<()> {
    set(mpi, info, &key, &value.text())
}

/// Sets a value to a text.
pub(crate) fn set(mpi: &Mpi, info: Info, key: &Str, value: &str) -> Result<()> {
    let limits = &mpi.facts().limits;
    let key = key.text();
    if key.len() >= limits.info_key {
        fail!(
            INFO_KEY,
            "key has {} bytes; at most {} are allowed: \"{key}\"",
            key.len(),
            limits.info_key - 1
        );
    }
    if value.len() >= limits.info_val {
        fail!(
            INFO_VALUE,
            "the value of \"{key}\" has {} bytes; at most {} are allowed",
            value.len(),
            limits.info_val - 1
        );
    }
    changeable(mpi, info)?.set(&key, value)
}
