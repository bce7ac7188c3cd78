//! Events (MPI-5.0, 15.3.8): one type, an unexpected message, from one source, this process.
//!
//! The protocol notes unexpected messages down only while a tool asks for them. What it has noted is delivered at the
//! next step of progress, outside of the lock, where a function may call MPI.

use std::cell::RefCell;

use super::Tools;
use super::variable::ELEMENTS;
use crate::buf::Opaque;
use crate::callback::EventFunction;
use crate::engine::Engine;
use crate::error::Result;
use crate::fail;
use crate::handle::Datatype;
use crate::proto::Unexpected;
use crate::runtime::{Listener, Runtime};
use crate::sys;
use crate::types::{CbSafety, EventRegistration, ToolEnum};

/// The one type of event.
pub const NAME: &str = "unexpected_message";
pub const DESCRIPTION: &str = "a message came before its receive was started; its rank in the \
    communicator, its tag, the communicator's number of matching, its length in bytes";
/// Types and displacements of the elements; the enumeration names them.
pub const TYPES: [Datatype; 4] = [
    Datatype::INT,
    Datatype::INT,
    Datatype::UNSIGNED,
    Datatype::UNSIGNED_LONG_LONG,
];
pub const DISPLACEMENTS: [isize; 4] = [0, 4, 8, 16];
pub const ELEMENT_NAMES: ToolEnum = ELEMENTS;

/// The one source.
pub const SOURCE: &str = "process";
pub const SOURCE_DESCRIPTION: &str = "this process; an event's time is when the library delivered it, in nanoseconds of the clock of MPI_Wtime";
pub const TICKS_PER_SECOND: i64 = 1_000_000_000;

/// Now, in ticks of the source.
pub fn now() -> i64 {
    (sys::seconds() * TICKS_PER_SECOND as f64) as i64
}

/// Levels of safety, from what demands least of the function.
const LEVELS: [CbSafety; 4] = [
    CbSafety::NONE,
    CbSafety::MPI_RESTRICTED,
    CbSafety::THREAD_SAFE,
    CbSafety::ASYNC_SIGNAL_SAFE,
];

/// The place of a level.
///
/// # Errors
/// `MPI_T_ERR_INVALID`: no such level.
pub fn level(safety: CbSafety) -> Result<usize> {
    match LEVELS.iter().position(|level| *level == safety) {
        Some(level) => Ok(level),
        None => fail!(
            T_ERR_INVALID,
            "cb_safety = {}: no level of callback safety",
            safety.0
        ),
    }
}

/// A registration for the events.
#[derive(Default)]
pub struct Registration {
    /// By level of safety.
    functions: RefCell<[Option<(EventFunction, Opaque)>; LEVELS.len()]>,
}

impl Registration {
    pub fn set_function(&self, level: usize, function: Option<(EventFunction, Opaque)>) {
        self.functions.borrow_mut()[level] = function;
    }

    /// The function that demands most of the library: events are delivered where every demand is met.
    fn function(&self) -> Option<(EventFunction, Opaque)> {
        self.functions.borrow().iter().flatten().next().copied()
    }
}

/// One event while its function runs.
pub struct Instance {
    message: Unexpected,
    pub time: i64,
}

impl Instance {
    /// An element, as its type has it.
    ///
    /// # Errors
    /// `MPI_T_ERR_INVALID_INDEX`: no such element.
    pub fn element(&self, index: i32) -> Result<Vec<u8>> {
        let Unexpected { envelope, bytes } = self.message;
        Ok(match index {
            0 => envelope.source.to_ne_bytes().to_vec(),
            1 => envelope.tag.to_ne_bytes().to_vec(),
            2 => envelope.context.to_ne_bytes().to_vec(),
            3 => bytes.to_ne_bytes().to_vec(),
            _ => fail!(
                T_ERR_INVALID_INDEX,
                "element_index = {index}: {NAME} has {} elements",
                TYPES.len()
            ),
        })
    }

    /// All elements at their displacements.
    pub fn copy(&self) -> Vec<u8> {
        let mut all = vec![0; DISPLACEMENTS[3] as usize + 8];
        for (index, at) in (0..).zip(DISPLACEMENTS) {
            if let Ok(element) = self.element(index) {
                all[at as usize..at as usize + element.len()].copy_from_slice(&element);
            }
        }
        all
    }
}

impl Tools {
    /// Lets the protocol note events down if somebody wants them, and stops it if not.
    pub fn watch(&self, engine: Option<&Engine>) {
        let registrations = self.registrations.all();
        let wanted = registrations.iter().any(|(_, r)| r.function().is_some());
        if self.watching.replace(wanted) != wanted
            && let Some(engine) = engine
        {
            engine.proto().watch(wanted);
            engine.look_on(wanted);
        }
    }

    /// MPI runs from now on; tools may have asked for events before.
    pub fn engine_started(&'static self, runtime: &Runtime, engine: &Engine) {
        runtime.set_listener(self);
        if self.watching.get() {
            engine.proto().watch(true);
            engine.look_on(true);
        }
    }
}

impl Listener for Tools {
    /// Calls the functions for what has been noted down.
    fn operations_ended(&self, runtime: &Runtime, engine: &Engine) {
        if !self.watching.get() {
            return;
        }
        let messages = engine.proto().take_noted();
        for message in messages {
            for (handle, registration) in self.registrations.all() {
                self.deliver(runtime, message, handle, &registration);
            }
        }
    }
}

impl Tools {
    fn deliver(
        &self,
        runtime: &Runtime,
        message: Unexpected,
        handle: EventRegistration,
        registration: &Registration,
    ) {
        let Some((function, user_data)) = registration.function() else {
            return;
        };
        let instance = self.instances.insert(Instance {
            message,
            time: now(),
        });
        runtime.outside(|| function.call(instance, handle, CbSafety::NONE, user_data));
        // The handle has lived as long as the call: nobody else can remove it.
        let _ = self.instances.remove(instance);
    }
}
