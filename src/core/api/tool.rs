//! The tool interface and profiling control: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// For profilers; does nothing itself. (MPI-5.0, 15.2.4)
pub fn pcontrol(_mpi: &Mpi, _level: i32) -> Result<()> {
    Ok(())
}

/// `MPI_T_category_changed`. (MPI-5.0, chapter 15)
pub fn t_category_changed(_mpi: &Mpi, _update_number: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_categories`. (MPI-5.0, chapter 15)
pub fn t_category_get_categories(
    _mpi: &Mpi,
    _cat_index: i32,
    _len: i32,
    _indices: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_cvars`. (MPI-5.0, chapter 15)
pub fn t_category_get_cvars(
    _mpi: &Mpi,
    _cat_index: i32,
    _len: i32,
    _indices: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_events`. (MPI-5.0, chapter 15)
pub fn t_category_get_events(
    _mpi: &Mpi,
    _cat_index: i32,
    _len: i32,
    _indices: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_index`. (MPI-5.0, chapter 15)
pub fn t_category_get_index(_mpi: &Mpi, _name: Str, _cat_index: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_info`. (MPI-5.0, chapter 15)
pub fn t_category_get_info(
    _mpi: &Mpi,
    _cat_index: i32,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
    _desc: Option<StrOut>,
    _desc_len: Option<InOut<i32>>,
    _num_cvars: Option<Out<i32>>,
    _num_pvars: Option<Out<i32>>,
    _num_categories: Option<Out<i32>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_num`. (MPI-5.0, chapter 15)
pub fn t_category_get_num(_mpi: &Mpi, _num_cat: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_num_events`. (MPI-5.0, chapter 15)
pub fn t_category_get_num_events(_mpi: &Mpi, _cat_index: i32, _num_events: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_category_get_pvars`. (MPI-5.0, chapter 15)
pub fn t_category_get_pvars(
    _mpi: &Mpi,
    _cat_index: i32,
    _len: i32,
    _indices: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_get_index`. (MPI-5.0, chapter 15)
pub fn t_cvar_get_index(_mpi: &Mpi, _name: Str, _cvar_index: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_get_info`. (MPI-5.0, chapter 15)
pub fn t_cvar_get_info(
    _mpi: &Mpi,
    _cvar_index: i32,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
    _verbosity: Option<Out<Verbosity>>,
    _datatype: Option<Out<Datatype>>,
    _enumtype: Option<Out<ToolEnum>>,
    _desc: Option<StrOut>,
    _desc_len: Option<InOut<i32>>,
    _bind: Option<Out<Bind>>,
    _scope: Option<Out<Scope>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_get_num`. (MPI-5.0, chapter 15)
pub fn t_cvar_get_num(_mpi: &Mpi, _num_cvar: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_handle_alloc`. (MPI-5.0, chapter 15)
pub fn t_cvar_handle_alloc(
    _mpi: &Mpi,
    _cvar_index: i32,
    _obj_handle: Opaque,
    _handle: Out<CvarHandle>,
    _count: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_handle_free`. (MPI-5.0, chapter 15)
pub fn t_cvar_handle_free(_mpi: &Mpi, _handle: InOut<CvarHandle>) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_read`. (MPI-5.0, chapter 15)
pub fn t_cvar_read(_mpi: &Mpi, _handle: CvarHandle, _buf: MutBuf) -> Result<()> {
    unsupported()
}

/// `MPI_T_cvar_write`. (MPI-5.0, chapter 15)
pub fn t_cvar_write(_mpi: &Mpi, _handle: CvarHandle, _buf: ConstBuf) -> Result<()> {
    unsupported()
}

/// `MPI_T_enum_get_info`. (MPI-5.0, chapter 15)
pub fn t_enum_get_info(
    _mpi: &Mpi,
    _enumtype: ToolEnum,
    _num: Option<Out<i32>>,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_enum_get_item`. (MPI-5.0, chapter 15)
pub fn t_enum_get_item(
    _mpi: &Mpi,
    _enumtype: ToolEnum,
    _index: i32,
    _value: Option<Out<i32>>,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_callback_get_info`. (MPI-5.0, chapter 15)
pub fn t_event_callback_get_info(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _cb_safety: CbSafety,
    _info_used: Option<Out<Info>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_callback_set_info`. (MPI-5.0, chapter 15)
pub fn t_event_callback_set_info(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _cb_safety: CbSafety,
    _info: Info,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_copy`. (MPI-5.0, chapter 15)
pub fn t_event_copy(_mpi: &Mpi, _event_instance: EventInstance, _buffer: Opaque) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_get_index`. (MPI-5.0, chapter 15)
pub fn t_event_get_index(_mpi: &Mpi, _name: Str, _event_index: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_get_info`. (MPI-5.0, chapter 15)
pub fn t_event_get_info(
    _mpi: &Mpi,
    _event_index: i32,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
    _verbosity: Option<Out<Verbosity>>,
    _array_of_datatypes: HandlesMut<Datatype>,
    _array_of_displacements: Option<AintsMut>,
    _num_elements: Option<InOut<i32>>,
    _enumtype: Option<Out<ToolEnum>>,
    _info: Option<Out<Info>>,
    _desc: Option<StrOut>,
    _desc_len: Option<InOut<i32>>,
    _bind: Option<Out<Bind>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_get_num`. (MPI-5.0, chapter 15)
pub fn t_event_get_num(_mpi: &Mpi, _num_events: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_get_source`. (MPI-5.0, chapter 15)
pub fn t_event_get_source(
    _mpi: &Mpi,
    _event_instance: EventInstance,
    _source_index: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_get_timestamp`. (MPI-5.0, chapter 15)
pub fn t_event_get_timestamp(
    _mpi: &Mpi,
    _event_instance: EventInstance,
    _event_timestamp: Out<BigCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_handle_alloc`. (MPI-5.0, chapter 15)
pub fn t_event_handle_alloc(
    _mpi: &Mpi,
    _event_index: i32,
    _obj_handle: Opaque,
    _info: Info,
    _event_registration: Out<EventRegistration>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_handle_free`. (MPI-5.0, chapter 15)
pub fn t_event_handle_free(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _user_data: Opaque,
    _free_cb_function: RawFunction,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_handle_get_info`. (MPI-5.0, chapter 15)
pub fn t_event_handle_get_info(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _info_used: Option<Out<Info>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_handle_set_info`. (MPI-5.0, chapter 15)
pub fn t_event_handle_set_info(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _info: Info,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_read`. (MPI-5.0, chapter 15)
pub fn t_event_read(
    _mpi: &Mpi,
    _event_instance: EventInstance,
    _element_index: i32,
    _buffer: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_register_callback`. (MPI-5.0, chapter 15)
pub fn t_event_register_callback(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _cb_safety: CbSafety,
    _info: Info,
    _user_data: Opaque,
    _event_cb_function: RawFunction,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_event_set_dropped_handler`. (MPI-5.0, chapter 15)
pub fn t_event_set_dropped_handler(
    _mpi: &Mpi,
    _event_registration: EventRegistration,
    _dropped_cb_function: RawFunction,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_finalize`. (MPI-5.0, chapter 15)
pub fn t_finalize(_mpi: &Mpi) -> Result<()> {
    unsupported()
}

/// `MPI_T_init_thread`. (MPI-5.0, chapter 15)
pub fn t_init_thread(
    _mpi: &Mpi,
    _required: ThreadLevel,
    _provided: Out<ThreadLevel>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_get_index`. (MPI-5.0, chapter 15)
pub fn t_pvar_get_index(
    _mpi: &Mpi,
    _name: Str,
    _var_class: PvarClass,
    _pvar_index: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_get_info`. (MPI-5.0, chapter 15)
pub fn t_pvar_get_info(
    _mpi: &Mpi,
    _pvar_index: i32,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
    _verbosity: Option<Out<Verbosity>>,
    _var_class: Option<Out<PvarClass>>,
    _datatype: Option<Out<Datatype>>,
    _enumtype: Option<Out<ToolEnum>>,
    _desc: Option<StrOut>,
    _desc_len: Option<InOut<i32>>,
    _bind: Option<Out<Bind>>,
    _readonly: Option<Out<bool>>,
    _continuous: Option<Out<bool>>,
    _atomic: Option<Out<bool>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_get_num`. (MPI-5.0, chapter 15)
pub fn t_pvar_get_num(_mpi: &Mpi, _num_pvar: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_handle_alloc`. (MPI-5.0, chapter 15)
pub fn t_pvar_handle_alloc(
    _mpi: &Mpi,
    _pe_session: PvarSession,
    _pvar_index: i32,
    _obj_handle: Opaque,
    _handle: Out<PvarHandle>,
    _count: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_handle_free`. (MPI-5.0, chapter 15)
pub fn t_pvar_handle_free(
    _mpi: &Mpi,
    _pe_session: PvarSession,
    _handle: InOut<PvarHandle>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_read`. (MPI-5.0, chapter 15)
pub fn t_pvar_read(
    _mpi: &Mpi,
    _pe_session: PvarSession,
    _handle: PvarHandle,
    _buf: MutBuf,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_readreset`. (MPI-5.0, chapter 15)
pub fn t_pvar_readreset(
    _mpi: &Mpi,
    _pe_session: PvarSession,
    _handle: PvarHandle,
    _buf: MutBuf,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_reset`. (MPI-5.0, chapter 15)
pub fn t_pvar_reset(_mpi: &Mpi, _pe_session: PvarSession, _handle: PvarHandle) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_session_create`. (MPI-5.0, chapter 15)
pub fn t_pvar_session_create(_mpi: &Mpi, _pe_session: Out<PvarSession>) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_session_free`. (MPI-5.0, chapter 15)
pub fn t_pvar_session_free(_mpi: &Mpi, _pe_session: InOut<PvarSession>) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_start`. (MPI-5.0, chapter 15)
pub fn t_pvar_start(_mpi: &Mpi, _pe_session: PvarSession, _handle: PvarHandle) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_stop`. (MPI-5.0, chapter 15)
pub fn t_pvar_stop(_mpi: &Mpi, _pe_session: PvarSession, _handle: PvarHandle) -> Result<()> {
    unsupported()
}

/// `MPI_T_pvar_write`. (MPI-5.0, chapter 15)
pub fn t_pvar_write(
    _mpi: &Mpi,
    _pe_session: PvarSession,
    _handle: PvarHandle,
    _buf: ConstBuf,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_source_get_info`. (MPI-5.0, chapter 15)
pub fn t_source_get_info(
    _mpi: &Mpi,
    _source_index: i32,
    _name: Option<StrOut>,
    _name_len: Option<InOut<i32>>,
    _desc: Option<StrOut>,
    _desc_len: Option<InOut<i32>>,
    _ordering: Option<Out<SourceOrder>>,
    _ticks_per_second: Option<Out<BigCount>>,
    _max_ticks: Option<Out<BigCount>>,
    _info: Option<Out<Info>>,
) -> Result<()> {
    unsupported()
}

/// `MPI_T_source_get_num`. (MPI-5.0, chapter 15)
pub fn t_source_get_num(_mpi: &Mpi, _num_sources: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_T_source_get_timestamp`. (MPI-5.0, chapter 15)
pub fn t_source_get_timestamp(
    _mpi: &Mpi,
    _source_index: i32,
    _timestamp: Out<BigCount>,
) -> Result<()> {
    unsupported()
}
