//! Events of the tool interface: one function per MPI operation (MPI-5.0, 15.3.8).
//!
//! Arguments arrive converted to the core's vocabulary. The door lets these calls in at any time; errors
//! are return codes and go to no handler (15.3.10). Nothing here knows a C ABI.

use std::rc::Rc;

use super::tool::{no_name, put, text, tools};
use crate::api::prelude::*;
use crate::info::Pairs;
use crate::tool::at;
use crate::tool::event::{self, Registration};

/// A new info object without hints: there are none to report.
fn no_hints(mpi: &Mpi, place: Option<Out<Info>>) -> Result<()> {
    if let Some(place) = place {
        place.set(mpi.infos.insert(Rc::new(Pairs::new()))?);
    }
    Ok(())
}

/// Takes hints, none of which is known.
fn ignored_hints(mpi: &Mpi, info: Info) -> Result<()> {
    if !info.is_null() {
        mpi.info(info)?;
    }
    Ok(())
}

/// Refuses what is not the one type of event.
fn event_type(mpi: &Mpi, index: i32) -> Result<()> {
    tools(mpi)?;
    at(&[()], index, "event_index").copied()
}

/// Refuses what is not the one source.
fn source(mpi: &Mpi, index: i32) -> Result<()> {
    tools(mpi)?;
    at(&[()], index, "source_index").copied()
}

/// Number of event types. (MPI-5.0, 15.3.8)
pub fn t_event_get_num(mpi: &Mpi, num_events: Out<i32>) -> Result<()> {
    tools(mpi)?;
    num_events.set(1);
    Ok(())
}

/// What an event type is, and its elements: as many as there is room for. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_event_get_info(
    mpi: &Mpi,
    event_index: i32,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
    verbosity: Option<Out<Verbosity>>,
    array_of_datatypes: HandlesMut<Datatype>,
    array_of_displacements: Option<AintsMut>,
    num_elements: Option<InOut<i32>>,
    enumtype: Option<Out<ToolEnum>>,
    info: Option<Out<Info>>,
    desc: Option<StrOut>,
    desc_len: Option<InOut<i32>>,
    bind: Option<Out<Bind>>,
) -> Result<()> {
    event_type(mpi, event_index)?;
    text(name, name_len, event::NAME);
    put(verbosity, Verbosity::USER_DETAIL);
    if let Some(num_elements) = num_elements {
        let room = usize::try_from(num_elements.get()).unwrap_or(0);
        for (index, datatype) in event::TYPES.into_iter().enumerate().take(room) {
            if !array_of_datatypes.is_null() {
                array_of_datatypes.set(index, datatype);
            }
            if let Some(displacements) = array_of_displacements {
                displacements.set(index, event::DISPLACEMENTS[index]);
            }
        }
        num_elements.set(event::TYPES.len() as i32);
    }
    put(enumtype, event::ELEMENT_NAMES);
    no_hints(mpi, info)?;
    text(desc, desc_len, event::DESCRIPTION);
    put(bind, Bind::NO_OBJECT);
    Ok(())
}

/// Index of the event type of that name. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_NAME`.
pub fn t_event_get_index(mpi: &Mpi, name: Str, event_index: Out<i32>) -> Result<()> {
    tools(mpi)?;
    if name.bytes() != event::NAME.as_bytes() {
        return no_name("event type", &name);
    }
    event_index.set(0);
    Ok(())
}

/// A registration for an event type, which belongs to no object; without functions yet. No hint is known.
/// (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`, `MPI_ERR_INFO`.
pub fn t_event_handle_alloc(
    mpi: &Mpi,
    event_index: i32,
    _obj_handle: Opaque,
    info: Info,
    event_registration: Out<EventRegistration>,
) -> Result<()> {
    event_type(mpi, event_index)?;
    ignored_hints(mpi, info)?;
    event_registration.set(mpi.tools.registrations.insert(Registration::default()));
    Ok(())
}

/// Ends a registration. No function of it runs any more when `free_cb_function` is called.
/// (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_event_handle_free(
    mpi: &Mpi,
    event_registration: EventRegistration,
    user_data: Opaque,
    free_cb_function: Option<EventFree>,
) -> Result<()> {
    let tools = tools(mpi)?;
    tools.registrations.remove(event_registration)?;
    tools.watch(mpi.engine_if_started());
    if let Some(free) = free_cb_function {
        mpi.outside(|| free.call(event_registration, CbSafety::NONE, user_data));
    }
    Ok(())
}

/// Takes hints for a registration; none is known. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`, `MPI_ERR_INFO`.
pub fn t_event_handle_set_info(
    mpi: &Mpi,
    event_registration: EventRegistration,
    info: Info,
) -> Result<()> {
    tools(mpi)?.registrations.find(event_registration)?;
    ignored_hints(mpi, info)
}

/// The hints of a registration that are used: none. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_event_handle_get_info(
    mpi: &Mpi,
    event_registration: EventRegistration,
    info_used: Option<Out<Info>>,
) -> Result<()> {
    tools(mpi)?.registrations.find(event_registration)?;
    no_hints(mpi, info_used)
}

/// Sets the function of a registration for a level of callback safety, or takes it back with a null
/// pointer. Events are delivered where no restriction holds, to the function of the lowest level.
/// (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`, `MPI_ERR_INFO`; `MPI_T_ERR_INVALID`: no such level.
pub fn t_event_register_callback(
    mpi: &Mpi,
    event_registration: EventRegistration,
    cb_safety: CbSafety,
    info: Info,
    user_data: Opaque,
    event_cb_function: Option<EventFunction>,
) -> Result<()> {
    let tools = tools(mpi)?;
    let registration = tools.registrations.find(event_registration)?;
    let level = event::level(cb_safety)?;
    ignored_hints(mpi, info)?;
    registration.set_function(level, event_cb_function.map(|f| (f, user_data)));
    tools.watch(mpi.engine_if_started());
    Ok(())
}

/// Takes hints for a function; none is known. (MPI-5.0, 15.3.8)
///
/// # Errors
/// As for [`t_event_register_callback`].
pub fn t_event_callback_set_info(
    mpi: &Mpi,
    event_registration: EventRegistration,
    cb_safety: CbSafety,
    info: Info,
) -> Result<()> {
    tools(mpi)?.registrations.find(event_registration)?;
    event::level(cb_safety)?;
    ignored_hints(mpi, info)
}

/// The hints of a function that are used: none. (MPI-5.0, 15.3.8)
///
/// # Errors
/// As for [`t_event_register_callback`].
pub fn t_event_callback_get_info(
    mpi: &Mpi,
    event_registration: EventRegistration,
    cb_safety: CbSafety,
    info_used: Option<Out<Info>>,
) -> Result<()> {
    tools(mpi)?.registrations.find(event_registration)?;
    event::level(cb_safety)?;
    no_hints(mpi, info_used)
}

/// Names a function that would be told of dropped events. None is ever dropped, so it is never called.
/// (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_event_set_dropped_handler(
    mpi: &Mpi,
    event_registration: EventRegistration,
    _dropped_cb_function: RawFunction,
) -> Result<()> {
    tools(mpi)?.registrations.find(event_registration)?;
    Ok(())
}

/// An element of an event, within its function. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`, `MPI_T_ERR_INVALID_INDEX`; `MPI_T_ERR_INVALID` for a null pointer.
pub fn t_event_read(
    mpi: &Mpi,
    event_instance: EventInstance,
    element_index: i32,
    buffer: MutBuf,
) -> Result<()> {
    let instance = tools(mpi)?.instances.find(event_instance)?;
    buffer.store(&instance.element(element_index)?, "buffer")
}

/// All elements of an event at their displacements, within its function. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`; `MPI_T_ERR_INVALID` for a null pointer.
pub fn t_event_copy(mpi: &Mpi, event_instance: EventInstance, buffer: MutBuf) -> Result<()> {
    let instance = tools(mpi)?.instances.find(event_instance)?;
    buffer.store(&instance.copy(), "buffer")
}

/// When an event was delivered, in ticks of its source. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_event_get_timestamp(
    mpi: &Mpi,
    event_instance: EventInstance,
    event_timestamp: Out<BigCount>,
) -> Result<()> {
    event_timestamp.set(tools(mpi)?.instances.find(event_instance)?.time);
    Ok(())
}

/// The source of an event. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn t_event_get_source(
    mpi: &Mpi,
    event_instance: EventInstance,
    source_index: Out<i32>,
) -> Result<()> {
    tools(mpi)?.instances.find(event_instance)?;
    source_index.set(0);
    Ok(())
}

/// Number of event sources. (MPI-5.0, 15.3.8)
pub fn t_source_get_num(mpi: &Mpi, num_sources: Out<i32>) -> Result<()> {
    tools(mpi)?;
    num_sources.set(1);
    Ok(())
}

/// What a source is. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_source_get_info(
    mpi: &Mpi,
    source_index: i32,
    name: Option<StrOut>,
    name_len: Option<InOut<i32>>,
    desc: Option<StrOut>,
    desc_len: Option<InOut<i32>>,
    ordering: Option<Out<SourceOrder>>,
    ticks_per_second: Option<Out<BigCount>>,
    max_ticks: Option<Out<BigCount>>,
    info: Option<Out<Info>>,
) -> Result<()> {
    source(mpi, source_index)?;
    text(name, name_len, event::SOURCE);
    text(desc, desc_len, event::SOURCE_DESCRIPTION);
    put(ordering, SourceOrder::ORDERED);
    put(ticks_per_second, event::TICKS_PER_SECOND);
    put(max_ticks, i64::MAX);
    no_hints(mpi, info)
}

/// Now, in ticks of a source. (MPI-5.0, 15.3.8)
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn t_source_get_timestamp(
    mpi: &Mpi,
    source_index: i32,
    timestamp: Out<BigCount>,
) -> Result<()> {
    source(mpi, source_index)?;
    timestamp.set(event::now());
    Ok(())
}
