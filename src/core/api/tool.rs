//! The tool interface and profiling control: one function per MPI operation (MPI-5.0, chapter 15).
//!
//! Arguments arrive converted to the core's vocabulary. The door lets these calls in at any time; errors
//! are return codes and go to no handler (15.3.10). Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::config;
use crate::fail;
use crate::phase::Phase;
use crate::tool::category::Category;
use crate::tool::variable::{self, Pvar};
use crate::tool::{Tools, at};

/// The interface, if it is initialised.
pub(super) fn tools(mpi: &Mpi) -> Result<&Tools> {
    mpi.tools.require()?;
    Ok(&mpi.tools)
}

/// Returns a text as 15.3.3 says. Without a buffer or with length 0 that is only the length that is needed, with the
/// final null. Else it is as much as fits, and the length stored. Without a length nothing.
pub(super) fn text(place: Option<StrOut>, len: Option<InOut<i32>>, text: &str) {
    let Some(len) = len else { return };
    let room = usize::try_from(len.get()).unwrap_or(0);
    let stored = match place {
        Some(place) if room > 0 => place.set(text, room),
        _ => text.len(),
    };
    len.set(stored as i32 + 1);
}

pub(super) fn put<T>(place: Option<Out<T>>, value: T) {
    if let Some(place) = place {
        place.set(value);
    }
}

#[cold]
pub(super) fn no_name<T>(what: &str, name: &Str) -> Result<T> {
    fail!(
        T_ERR_INVALID_NAME,
        "{what} \"{}\" does not exist",
        name.text()
    )
}

/// For profilers; does nothing itself. (MPI-5.0, 15.2.4)
pub fn pcontrol(_mpi: &Mpi, _level: i32) -> Result<()> {
    Ok(())
}

/// Initialises the interface, any number of times. `MPI_THREAD_MULTIPLE` is provided unless MPI runs at a
/// lower level already, where its calls take no lock. (MPI-5.0, 15.3.4)
pub fn t_init_thread(mpi: &Mpi, required: ThreadLevel, provided: Out<ThreadLevel>) -> Result<()> {
    let most = match mpi.phase() {
        Phase::Running => ThreadLevel::SERIALIZED,
        _ => ThreadLevel::MULTIPLE,
    };
    let level = required.min(most);
    mpi.tools.join(level);
    provided.set(level);
    Ok(())
}

/// Undoes one initialisation; with the last one all handles become invalid. (MPI-5.0, 15.3.4)
pub fn t_finalize(mpi: &Mpi) -> Result<()> {
    mpi.tools.leave(mpi.engine_if_started())
}

// --- enumerations ---------------------------------------------------------------------------------

/// Name and number of items of an enumeration. (MPI-5.0, 15.3.5)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_enum_get_info(
    mpi: &Mpi,
    enumtype: ToolEnum,
    num: Option<Out<i32>>,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
) -> Result<()> {
    tools(mpi)?;
    let enumeration = variable::enumeration(enumtype)?;
    put(num, enumeration.items.len() as i32);
    text(name, name_len, enumeration.name);
    Ok(())
}

/// An item of an enumeration. (MPI-5.0, 15.3.5)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`, `MPI_T_ERR_INVALID_ITEM`.
pub fn t_enum_get_item(
    mpi: &Mpi,
    enumtype: ToolEnum,
    index: i32,
    value: Option<Out<i32>>,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
) -> Result<()> {
    tools(mpi)?;
    let items = variable::enumeration(enumtype)?.items;
    let Some(item) = usize::try_from(index).ok().and_then(|at| items.get(at)) else {
        fail!(
            T_ERR_INVALID_ITEM,
            "index = {index}: the enumeration has {} items",
            items.len()
        );
    };
    put(value, index);
    text(name, name_len, item);
    Ok(())
}

// --- control variables ----------------------------------------------------------------------------

/// Number of control variables. (MPI-5.0, 15.3.6)
pub fn t_cvar_get_num(mpi: &Mpi, num_cvar: Out<i32>) -> Result<()> {
    tools(mpi)?;
    num_cvar.set(config::ALL.len() as i32);
    Ok(())
}

/// What a control variable is. All are numbers that may be written at any time and concern this process.
/// (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_cvar_get_info(
    mpi: &Mpi,
    cvar_index: i32,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
    verbosity: Option<Out<Verbosity>>,
    datatype: Option<Out<Datatype>>,
    enumtype: Option<Out<ToolEnum>>,
    desc: Option<StrOut>,
    desc_len: Option<InOut<i32>>,
    bind: Option<Out<Bind>>,
    scope: Option<Out<Scope>>,
) -> Result<()> {
    tools(mpi)?;
    let knob = at(config::ALL, cvar_index, "cvar_index")?;
    text(name, name_len, knob.name);
    put(verbosity, Verbosity::TUNER_BASIC);
    put(datatype, Datatype::UNSIGNED_LONG_LONG);
    put(enumtype, ToolEnum::NULL);
    text(desc, desc_len, knob.help);
    put(bind, Bind::NO_OBJECT);
    put(scope, Scope::LOCAL);
    Ok(())
}

/// Index of the control variable of that name. (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_NAME`.
pub fn t_cvar_get_index(mpi: &Mpi, name: Str, cvar_index: Out<i32>) -> Result<()> {
    tools(mpi)?;
    let mut knobs = config::ALL.iter();
    match knobs.position(|knob| knob.name.as_bytes() == name.bytes()) {
        Some(index) => cvar_index.set(index as i32),
        None => return no_name("control variable", &name),
    }
    Ok(())
}

/// A handle on a control variable, which has one element and belongs to no object. (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_cvar_handle_alloc(
    mpi: &Mpi,
    cvar_index: i32,
    _obj_handle: Opaque,
    handle: Out<CvarHandle>,
    count: Out<i32>,
) -> Result<()> {
    let tools = tools(mpi)?;
    at(config::ALL, cvar_index, "cvar_index")?;
    handle.set(tools.cvar_handles.insert(cvar_index as usize));
    count.set(1);
    Ok(())
}

/// Frees a handle. (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_cvar_handle_free(mpi: &Mpi, handle: InOut<CvarHandle>) -> Result<()> {
    tools(mpi)?.cvar_handles.remove(handle.get())?;
    handle.set(CvarHandle::NULL);
    Ok(())
}

/// The value in force. (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`; `MPI_T_ERR_INVALID` for an environment variable that is no number.
pub fn t_cvar_read(mpi: &Mpi, handle: CvarHandle, buf: MutBuf) -> Result<()> {
    let index = tools(mpi)?.cvar_handles.find(handle)?;
    match mpi.settings.value(config::ALL[*index]) {
        Ok(value) => buf.store(&value.to_ne_bytes(), "buf"),
        Err(what) => fail!(T_ERR_INVALID, "{what}"),
    }
}

/// Sets a control variable; what depends on it changes at once. (MPI-5.0, 15.3.6)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`; `MPI_T_ERR_INVALID` for a null pointer.
pub fn t_cvar_write(mpi: &Mpi, handle: CvarHandle, buf: ConstBuf) -> Result<()> {
    let index = tools(mpi)?.cvar_handles.find(handle)?;
    if buf.is_null() {
        fail!(ARG, "buf is a null pointer; a value was expected");
    }
    mpi.settings.write(*index, u64::from_ne_bytes(buf.load()));
    match mpi.engine_if_started() {
        Some(engine) => engine.apply(&mpi.settings),
        None => Ok(()),
    }
}

// --- performance variables ------------------------------------------------------------------------

fn pvar(mpi: &Mpi, index: i32) -> Result<&Pvar> {
    at(tools(mpi)?.pvars(), index, "pvar_index")
}

/// Number of performance variables. (MPI-5.0, 15.3.7)
pub fn t_pvar_get_num(mpi: &Mpi, num_pvar: Out<i32>) -> Result<()> {
    num_pvar.set(tools(mpi)?.pvars().len() as i32);
    Ok(())
}

/// What a performance variable is. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_pvar_get_info(
    mpi: &Mpi,
    pvar_index: i32,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
    verbosity: Option<Out<Verbosity>>,
    var_class: Option<Out<PvarClass>>,
    datatype: Option<Out<Datatype>>,
    enumtype: Option<Out<ToolEnum>>,
    desc: Option<StrOut>,
    desc_len: Option<InOut<i32>>,
    bind: Option<Out<Bind>>,
    readonly: Option<Out<bool>>,
    continuous: Option<Out<bool>>,
    atomic: Option<Out<bool>>,
) -> Result<()> {
    let pvar = pvar(mpi, pvar_index)?;
    text(name, name_len, &pvar.name);
    put(verbosity, Verbosity::USER_DETAIL);
    put(var_class, pvar.class);
    put(datatype, pvar.datatype());
    put(enumtype, pvar.enumeration());
    text(desc, desc_len, &pvar.description);
    put(bind, Bind::NO_OBJECT);
    put(readonly, pvar.is_continuous());
    put(continuous, pvar.is_continuous());
    // Whatever can be reset can be read and reset in one step: calls exclude each other.
    put(atomic, !pvar.is_continuous());
    Ok(())
}

/// Index of the performance variable of that name and class. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_NAME`.
pub fn t_pvar_get_index(
    mpi: &Mpi,
    name: Str,
    var_class: PvarClass,
    pvar_index: Out<i32>,
) -> Result<()> {
    let mut pvars = tools(mpi)?.pvars().iter();
    let wanted = |pvar: &Pvar| pvar.class == var_class && pvar.name.as_bytes() == name.bytes();
    match pvars.position(wanted) {
        Some(index) => pvar_index.set(index as i32),
        None => return no_name("performance variable of that class", &name),
    }
    Ok(())
}

/// A session: handles in it see nothing of those in others. (MPI-5.0, 15.3.7)
pub fn t_pvar_session_create(mpi: &Mpi, pe_session: Out<PvarSession>) -> Result<()> {
    pe_session.set(tools(mpi)?.sessions.insert(()));
    Ok(())
}

/// Ends a session and frees its handles. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_SESSION`.
pub fn t_pvar_session_free(mpi: &Mpi, pe_session: InOut<PvarSession>) -> Result<()> {
    let tools = tools(mpi)?;
    let session = pe_session.get();
    tools.sessions.remove(session)?;
    tools
        .pvar_handles
        .remove_if(|handle| handle.session == session);
    pe_session.set(PvarSession::NULL);
    Ok(())
}

/// A stopped handle on a variable, which has one element and belongs to no object. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_SESSION`, `MPI_T_ERR_INVALID_INDEX`.
pub fn t_pvar_handle_alloc(
    mpi: &Mpi,
    pe_session: PvarSession,
    pvar_index: i32,
    _obj_handle: Opaque,
    handle: Out<PvarHandle>,
    count: Out<i32>,
) -> Result<()> {
    tools(mpi)?.sessions.find(pe_session)?;
    pvar(mpi, pvar_index)?;
    handle.set(mpi.tools.watch_pvar(mpi, pe_session, pvar_index as usize));
    count.set(1);
    Ok(())
}

/// Frees a handle. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_SESSION`, `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_pvar_handle_free(
    mpi: &Mpi,
    pe_session: PvarSession,
    handle: InOut<PvarHandle>,
) -> Result<()> {
    let tools = tools(mpi)?;
    mpi.tools.pvar_handle(pe_session, handle.get())?;
    tools.pvar_handles.remove(handle.get())?;
    handle.set(PvarHandle::NULL);
    Ok(())
}

/// Starts a handle, or all of a session. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_SESSION`, `MPI_T_ERR_INVALID_HANDLE`; `MPI_T_ERR_PVAR_NO_STARTSTOP`: continuous.
pub fn t_pvar_start(mpi: &Mpi, pe_session: PvarSession, handle: PvarHandle) -> Result<()> {
    tools(mpi)?;
    let handles = mpi.tools.pvar_handles(pe_session, handle)?;
    handles
        .iter()
        .try_for_each(|handle| mpi.tools.start_pvar(mpi, handle))
}

/// Stops a handle, or all of a session. (MPI-5.0, 15.3.7)
///
/// # Errors
/// As for [`t_pvar_start`].
pub fn t_pvar_stop(mpi: &Mpi, pe_session: PvarSession, handle: PvarHandle) -> Result<()> {
    tools(mpi)?;
    let handles = mpi.tools.pvar_handles(pe_session, handle)?;
    handles
        .iter()
        .try_for_each(|handle| mpi.tools.stop_pvar(mpi, handle))
}

/// What a handle has seen. (MPI-5.0, 15.3.7)
///
/// # Errors
/// `MPI_T_ERR_INVALID_SESSION`, `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_pvar_read(
    mpi: &Mpi,
    pe_session: PvarSession,
    handle: PvarHandle,
    buf: MutBuf,
) -> Result<()> {
    tools(mpi)?;
    let handle = mpi.tools.pvar_handle(pe_session, handle)?;
    buf.store(&mpi.tools.read_pvar(mpi, &handle), "buf")
}

/// Sets what a handle has seen. (MPI-5.0, 15.3.7)
///
/// # Errors
/// As for [`t_pvar_read`]; `MPI_T_ERR_PVAR_NO_WRITE`: read-only.
pub fn t_pvar_write(
    mpi: &Mpi,
    pe_session: PvarSession,
    handle: PvarHandle,
    buf: ConstBuf,
) -> Result<()> {
    tools(mpi)?;
    let handle = mpi.tools.pvar_handle(pe_session, handle)?;
    if buf.is_null() {
        fail!(ARG, "buf is a null pointer; a value was expected");
    }
    mpi.tools.write_pvar(mpi, &handle, || buf.load())
}

/// Sets a handle, or all of a session, to the starting value. (MPI-5.0, 15.3.7)
///
/// # Errors
/// As for [`t_pvar_write`].
pub fn t_pvar_reset(mpi: &Mpi, pe_session: PvarSession, handle: PvarHandle) -> Result<()> {
    tools(mpi)?;
    let handles = mpi.tools.pvar_handles(pe_session, handle)?;
    handles
        .iter()
        .try_for_each(|handle| mpi.tools.reset_pvar(mpi, handle))
}

/// Reads a handle and resets it in one step. (MPI-5.0, 15.3.7)
///
/// # Errors
/// As for [`t_pvar_write`].
pub fn t_pvar_readreset(
    mpi: &Mpi,
    pe_session: PvarSession,
    handle: PvarHandle,
    buf: MutBuf,
) -> Result<()> {
    tools(mpi)?;
    let handle = mpi.tools.pvar_handle(pe_session, handle)?;
    let value = mpi.tools.read_pvar(mpi, &handle);
    mpi.tools.reset_pvar(mpi, &handle)?;
    buf.store(&value, "buf")
}

// --- categories -----------------------------------------------------------------------------------

fn category(mpi: &Mpi, index: i32) -> Result<&Category> {
    at(tools(mpi)?.categories(), index, "cat_index")
}

/// As many indices as there is room for.
fn list(indices: IntsMut, len: i32, members: &[i32]) -> Result<()> {
    let Ok(len) = usize::try_from(len) else {
        fail!(T_ERR_INVALID, "len = {len}: a length cannot be negative");
    };
    let len = len.min(members.len());
    indices.require(len)?;
    for (place, member) in members[..len].iter().enumerate() {
        indices.set(place, *member);
    }
    Ok(())
}

/// Number of categories. (MPI-5.0, 15.3.9)
pub fn t_category_get_num(mpi: &Mpi, num_cat: Out<i32>) -> Result<()> {
    num_cat.set(tools(mpi)?.categories().len() as i32);
    Ok(())
}

/// What a category is and how much it holds. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_info(
    mpi: &Mpi,
    cat_index: i32,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
    desc: Option<StrOut>,
    desc_len: Option<InOut<i32>>,
    num_cvars: Option<Out<i32>>,
    num_pvars: Option<Out<i32>>,
    num_categories: Option<Out<i32>>,
) -> Result<()> {
    let category = category(mpi, cat_index)?;
    text(name, name_len, category.name);
    text(desc, desc_len, category.description);
    put(num_cvars, category.cvars.len() as i32);
    put(num_pvars, category.pvars.len() as i32);
    put(num_categories, category.categories.len() as i32);
    Ok(())
}

/// Number of event types in a category. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_num_events(mpi: &Mpi, cat_index: i32, num_events: Out<i32>) -> Result<()> {
    num_events.set(category(mpi, cat_index)?.events.len() as i32);
    Ok(())
}

/// Index of the category of that name. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_NAME`.
pub fn t_category_get_index(mpi: &Mpi, name: Str, cat_index: Out<i32>) -> Result<()> {
    let mut categories = tools(mpi)?.categories().iter();
    match categories.position(|category| category.name.as_bytes() == name.bytes()) {
        Some(index) => cat_index.set(index as i32),
        None => return no_name("category", &name),
    }
    Ok(())
}

/// The control variables of a category. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_cvars(mpi: &Mpi, cat_index: i32, len: i32, indices: IntsMut) -> Result<()> {
    list(indices, len, &category(mpi, cat_index)?.cvars)
}

/// The performance variables of a category. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_pvars(mpi: &Mpi, cat_index: i32, len: i32, indices: IntsMut) -> Result<()> {
    list(indices, len, &category(mpi, cat_index)?.pvars)
}

/// The event types of a category. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_events(mpi: &Mpi, cat_index: i32, len: i32, indices: IntsMut) -> Result<()> {
    list(indices, len, &category(mpi, cat_index)?.events)
}

/// The categories in a category. (MPI-5.0, 15.3.9)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_category_get_categories(
    mpi: &Mpi,
    cat_index: i32,
    len: i32,
    indices: IntsMut,
) -> Result<()> {
    list(indices, len, &category(mpi, cat_index)?.categories)
}

/// A number that grows when categories change, which they never do. (MPI-5.0, 15.3.9)
pub fn t_category_changed(mpi: &Mpi, update_number: Out<i32>) -> Result<()> {
    tools(mpi)?;
    update_number.set(0);
    Ok(())
}
