//! The table of performance variables (MPI-5.0, 15.3.7): what each is and where its value comes from.
//!
//! Most values are read from state that is there anyway; those that only grow are counted on paths that
//! are slow already. Control variables are the knobs of `config` and need no table of their own.

use crate::coll::select;
use crate::engine::Engine;
use crate::error::Result;
use crate::fail;
use crate::handle::Datatype;
use crate::proto::{Direction, Totals};
use crate::runtime::Runtime;
use crate::types::{PvarClass, ToolEnum};

/// A performance variable.
pub struct Pvar {
    pub name: String,
    pub class: PvarClass,
    pub description: String,
    /// Name of the category that it is in.
    pub category: &'static str,
    source: Source,
}

/// What variables read of the library, which is above them.
pub trait Library {
    fn runtime(&self) -> &Runtime;
    /// Live requests.
    fn requests(&self) -> usize;
    /// Live communicators that the application has made.
    fn communicators(&self) -> usize;
}

#[derive(Clone, Copy)]
enum Source {
    /// 0 until MPI is initialised.
    Engine(fn(&Engine) -> u64),
    /// Also 0 until then.
    Totals(Direction, fn(&Totals) -> u64),
    Algorithm(usize),
    Library(fn(&dyn Library) -> u64),
}

/// How a value is written to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `MPI_UNSIGNED_LONG_LONG`.
    Number,
    /// `MPI_DOUBLE`; nanoseconds here.
    Seconds,
    /// `MPI_INT`, with an enumeration.
    State,
}

impl Pvar {
    /// What it says now.
    pub fn value(&self, library: &dyn Library) -> u64 {
        match (self.source, library.runtime().engine_if_started()) {
            (Source::Library(read), _) => read(library),
            (_, None) => 0,
            (Source::Engine(read), Some(engine)) => read(engine),
            (Source::Totals(direction, read), Some(engine)) => {
                read(&engine.proto().totals(direction))
            }
            (Source::Algorithm(number), Some(engine)) => engine.history.algorithms[number].get(),
        }
    }

    pub fn shape(&self) -> Shape {
        match self.class {
            PvarClass::TIMER => Shape::Seconds,
            PvarClass::STATE => Shape::State,
            _ => Shape::Number,
        }
    }

    pub fn datatype(&self) -> Datatype {
        match self.shape() {
            Shape::Number => Datatype::UNSIGNED_LONG_LONG,
            Shape::Seconds => Datatype::DOUBLE,
            Shape::State => Datatype::INT,
        }
    }

    pub fn enumeration(&self) -> ToolEnum {
        match self.shape() {
            Shape::State => PHASES,
            _ => ToolEnum::NULL,
        }
    }

    /// Whether it says what is now, without a beginning: never stopped, written or reset.
    pub fn is_continuous(&self) -> bool {
        matches!(self.class, PvarClass::LEVEL | PvarClass::STATE)
    }
}

/// An enumeration: the names of its values, which count from 0.
pub struct Enumeration {
    pub name: &'static str,
    pub items: &'static [&'static str],
}

/// Handle of `ENUMERATIONS[0]`.
pub const PHASES: ToolEnum = ToolEnum(1 << 4);
/// Handle of `ENUMERATIONS[1]`.
pub const ELEMENTS: ToolEnum = ToolEnum(2 << 4);

pub const ENUMERATIONS: &[Enumeration] = &[
    // In the order of `Phase`.
    Enumeration {
        name: "library_phase",
        items: &[
            "not initialized",
            "running",
            "running with MPI_THREAD_MULTIPLE",
            "finalized",
            "in the child of a fork",
        ],
    },
    Enumeration {
        name: "unexpected_message_elements",
        items: &["source", "tag", "context", "bytes"],
    },
];

macro_rules! rows {
    ($($name:literal: $class:ident in $category:literal, $source:expr, $description:literal;)*) => {
        vec![$(Pvar {
            name: $name.into(),
            class: PvarClass::$class,
            description: $description.into(),
            category: $category,
            source: $source,
        }),*]
    };
}

/// Every performance variable.
pub fn pvars() -> Vec<Pvar> {
    use Direction::{Received, Sent};
    use Source::{Engine as E, Totals as T};
    let mut pvars = rows! {
        "library_phase": STATE in "anympi", Source::Library(|of| of.runtime().phase() as u64),
            "whether MPI is initialised";
        "eager_messages_sent": COUNTER in "eager", T(Sent, |t| t.eager_messages),
            "messages sent at once, in one frame";
        "eager_bytes_sent": AGGREGATE in "eager", T(Sent, |t| t.eager_bytes),
            "bytes of messages sent at once";
        "eager_messages_received": COUNTER in "eager", T(Received, |t| t.eager_messages),
            "messages that came in one frame";
        "eager_bytes_received": AGGREGATE in "eager", T(Received, |t| t.eager_bytes),
            "bytes of messages that came in one frame";
        "announced_messages_sent": COUNTER in "announced", T(Sent, |t| t.announced_messages),
            "messages announced first, because they are long or the receiver is behind";
        "announced_bytes_sent": AGGREGATE in "announced", T(Sent, |t| t.announced_bytes),
            "bytes sent of announced messages";
        "announced_messages_received": COUNTER in "announced", T(Received, |t| t.announced_messages),
            "announced messages received";
        "announced_bytes_received": AGGREGATE in "announced", T(Received, |t| t.announced_bytes),
            "bytes received of announced messages";
        "partitioned_bytes_sent": AGGREGATE in "partitioned", T(Sent, |t| t.partitioned_bytes),
            "bytes sent of partitioned messages";
        "partitioned_bytes_received": AGGREGATE in "partitioned", T(Received, |t| t.partitioned_bytes),
            "bytes received of partitioned messages";
        "posted_queue_length": LEVEL in "queues", E(|e| e.proto().posted()),
            "receives that wait for their message";
        "posted_receives": COUNTER in "queues", E(|e| e.proto().queued()),
            "receives that were started before their message came";
        "unexpected_queue_length": LEVEL in "queues", E(|e| e.proto().unexpected()),
            "messages that wait for their receive";
        "unexpected_queue_bytes": LEVEL in "queues", E(|e| e.proto().unexpected_bytes()),
            "bytes of messages that wait here for their receive";
        "unexpected_queue_length_max": HIGHWATERMARK in "queues", E(|e| e.proto().unexpected()),
            "most messages that waited for their receive at once";
        "unexpected_messages": COUNTER in "queues", E(|e| e.proto().unexpected_so_far()),
            "messages that came before their receive was started";
        "unexpected_bytes_copied": AGGREGATE in "queues", E(|e| e.proto().buffered_bytes()),
            "bytes copied to buffers, because their receive was not started";
        "send_queue_length": LEVEL in "queues", E(|e| e.proto().waiting()),
            "messages and answers that wait for room to be sent";
        "operations_active": LEVEL in "queues", E(|e| e.proto().active()),
            "sends and receives that are not complete";
        "frames_sent": COUNTER in "transport", T(Sent, |t| t.frames),
            "frames written to the rings of peers";
        "frames_received": COUNTER in "transport", T(Received, |t| t.frames),
            "frames read from the rings of peers";
        "frames_refused": COUNTER in "transport", E(|e| e.proto().protocol_errors()),
            "frames that made no sense and were ignored";
        "peers": LEVEL in "transport", E(|e| e.peers()),
            "processes that have been sent something, this one included";
        "yields": COUNTER in "waiting", E(|e| e.history.yields.get()),
            "times a waiting call let other processes run";
        "sleeps": COUNTER in "waiting", E(|e| e.history.sleeps.get()),
            "times a waiting call slept";
        "time_asleep": TIMER in "waiting", E(|e| e.history.asleep.get()),
            "seconds that waiting calls slept";
        "requests": LEVEL in "objects", Source::Library(|of| of.requests() as u64),
            "live requests, active and inactive";
        "communicators": LEVEL in "objects", Source::Library(|of| of.communicators() as u64),
            "communicators that the application has made and not freed";
    };
    for (number, (collective, algorithm)) in select::names().into_iter().enumerate() {
        pvars.push(Pvar {
            name: format!("{collective}_{}", algorithm.replace(['-', ' '], "_")),
            class: PvarClass::COUNTER,
            description: format!("{collective} operations by the algorithm {algorithm}"),
            category: "collectives",
            source: Source::Algorithm(number),
        });
    }
    pvars
}

/// The items of an enumeration's handle.
///
/// # Errors
/// `MPI_T_ERR_INVALID_HANDLE`.
pub fn enumeration(handle: ToolEnum) -> Result<&'static Enumeration> {
    let found = (handle.0 >> 4).checked_sub(1);
    match found.and_then(|index| ENUMERATIONS.get(index)) {
        Some(enumeration) if handle.0 & 0xf == 0 => Ok(enumeration),
        _ => fail!(T_ERR_INVALID_HANDLE, "0x{:x} is no MPI_T_enum", handle.0),
    }
}
