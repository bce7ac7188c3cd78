//! Sessions (MPI-5.0, 11.3): users of the library that know nothing of each other.
//!
//! A session has a level of thread support, hints, kinds of memory, and an error handler. It names process sets, from
//! which groups and then communicators are derived. How the library starts with the first and ends with the last one
//! is in `world`; how communicators are made of groups is in `constructors::groups`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::errhandler::Attached;
use crate::error::Result;
use crate::fail;
use crate::group::Members;
use crate::handle;
use crate::info::Pairs;
use crate::registry::{Registry, bad_handle};
use crate::types::ThreadLevel;

/// Key of the level of thread support in a session's hints (MPI-5.0, 11.3.1).
pub const THREAD_LEVEL: &str = "thread_level";
/// Key of the kinds of memory in hints of sessions, communicators, windows and files (MPI-5.0, 11.4.3).
pub const MEMORY_KINDS: &str = "mpi_memory_alloc_kinds";
/// Environment variable in which a launcher hands on the kinds of memory it was asked for.
pub const MEMORY_KINDS_VARIABLE: &str = "MPI_ANYMPI_MEMORY_ALLOC_KINDS";

/// The levels of thread support and their names in hints.
pub const LEVELS: [(ThreadLevel, &str); 4] = [
    (ThreadLevel::SINGLE, "MPI_THREAD_SINGLE"),
    (ThreadLevel::FUNNELED, "MPI_THREAD_FUNNELED"),
    (ThreadLevel::SERIALIZED, "MPI_THREAD_SERIALIZED"),
    (ThreadLevel::MULTIPLE, "MPI_THREAD_MULTIPLE"),
];

/// An open session.
pub struct Session {
    level: ThreadLevel,
    pub errhandler: RefCell<Attached>,
    /// What `MPI_Session_get_info` tells.
    pub hints: Pairs,
}

impl Session {
    /// A session with the application's hints. Where they ask for no level, every thread may call.
    ///
    /// # Errors
    /// `MPI_ERR_INFO_VALUE`: an unknown level of thread support.
    pub fn new(wished: &Pairs, errhandler: Attached) -> Result<Session> {
        let level = match wished.get(THREAD_LEVEL) {
            None => ThreadLevel::MULTIPLE,
            Some(name) => match LEVELS.iter().find(|(_, known)| *known == name) {
                Some((level, _)) => *level,
                None => fail!(
                    INFO_VALUE,
                    "{THREAD_LEVEL} = {name}: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, \
                     MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE was expected"
                ),
            },
        };
        let hints = Pairs::new();
        hints.put(THREAD_LEVEL, level_name(level));
        hints.put(
            MEMORY_KINDS,
            &memory_kinds(&wished.get(MEMORY_KINDS).unwrap_or_default()),
        );
        Ok(Session {
            level,
            errhandler: RefCell::new(errhandler),
            hints,
        })
    }

    pub fn level(&self) -> ThreadLevel {
        self.level
    }

    /// Takes hints that may change while the session is open: none of those that there are, but hints
    /// that are not known are kept for who asks.
    pub fn change(&self, hints: &Pairs) {
        for (key, value) in hints.pairs() {
            if key != THREAD_LEVEL && key != MEMORY_KINDS {
                self.hints.put(&key, &value);
            }
        }
    }
}

/// The name of a level in hints.
pub fn level_name(level: ThreadLevel) -> &'static str {
    let found = LEVELS.iter().find(|(known, _)| *known == level);
    found.map_or("", |(_, name)| name)
}

/// The kinds of memory that are supported among those asked for, and those that always are
/// (MPI-5.0, 11.4.3).
pub fn memory_kinds(wished: &str) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in wished.split(',').map(str::trim).chain(["mpi", "system"]) {
        if is_supported(kind) && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(",")
}

/// Memory of the system, and memory that MPI has given, in any of its ways.
fn is_supported(kind: &str) -> bool {
    let mut parts = kind.split(':');
    match parts.next() {
        Some("system") => parts.next().is_none(),
        Some("mpi") => parts.all(|restrictor| {
            matches!(
                restrictor,
                "alloc_mem" | "win_allocate" | "win_allocate_shared"
            )
        }),
        _ => false,
    }
}

/// A process set that every session knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pset {
    /// All processes that were started together.
    World,
    /// The calling process.
    This,
}

impl Pset {
    /// In the order of their numbers.
    pub const ALL: [Pset; 2] = [Pset::World, Pset::This];

    pub fn name(self) -> &'static str {
        match self {
            Pset::World => "mpi://WORLD",
            Pset::This => "mpi://SELF",
        }
    }

    /// The set of a name, in capitals or not.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no such set.
    pub fn find(name: &str) -> Result<Pset> {
        let found = Pset::ALL
            .into_iter()
            .find(|set| set.name().eq_ignore_ascii_case(name));
        match found {
            Some(set) => Ok(set),
            None => fail!(
                ARG,
                "pset_name = \"{name}\": no process set; there are mpi://WORLD and mpi://SELF"
            ),
        }
    }

    /// The processes of the set, as seen from process `rank` of `size`.
    pub fn members(self, rank: usize, size: usize) -> Members {
        match self {
            Pset::World => Members::range(0, size),
            Pset::This => Members::range(rank as u32, 1),
        }
    }
}

/// Refuses a call on objects of different sessions, or of a session and of the world model (MPI-5.0, 11.3). Of each
/// object that belongs to one it is given the session, or `MPI_SESSION_NULL` for the world model.
///
/// # Errors
/// `MPI_ERR_SESSION`.
pub fn require_one(origins: impl IntoIterator<Item = handle::Session>) -> Result<()> {
    let mut origins = origins.into_iter();
    let Some(first) = origins.next() else {
        return Ok(());
    };
    match origins.find(|other| *other != first) {
        None => Ok(()),
        Some(other) => fail!(
            SESSION,
            "one call is given an object of {} and an object of {}",
            origin(first),
            origin(other)
        ),
    }
}

fn origin(session: handle::Session) -> String {
    match session {
        handle::Session::NULL => "the world model".into(),
        _ => format!("session 0x{:x}", session.0),
    }
}

/// [`require_one`] for objects that are given by their groups; an empty group belongs to all.
///
/// # Errors
/// As there.
pub fn require_one_of<const N: usize>(groups: [&Members; N]) -> Result<()> {
    let groups = groups.into_iter().filter(|group| !group.is_empty());
    require_one(groups.map(Members::session))
}

/// The open sessions of a process.
pub struct Sessions {
    open: Registry<handle::Session, Session>,
    /// How many origins of objects there have been: sessions, and the world model.
    origins: Cell<u32>,
}

impl Sessions {
    pub const fn new() -> Sessions {
        Sessions {
            open: Registry::new(),
            origins: Cell::new(0),
        }
    }

    pub fn add(&self, session: Session) -> Result<handle::Session> {
        self.add_origin();
        self.open.insert(Rc::new(session))
    }

    /// The world model is one more origin of objects.
    pub fn add_origin(&self) {
        self.origins.set(self.origins.get().saturating_add(1));
    }

    /// Whether objects can be of different origins at all.
    #[inline(always)]
    pub fn several(&self) -> bool {
        self.origins.get() > 1
    }

    /// # Errors
    /// `MPI_ERR_SESSION`: null, finalised, or never a session.
    pub fn find(&self, handle: handle::Session) -> Result<Rc<Session>> {
        self.open.find(handle)
    }

    /// # Errors
    /// As [`find`](Self::find).
    pub fn remove(&self, handle: handle::Session) -> Result<()> {
        match self.open.remove(handle) {
            Some(_) => Ok(()),
            None => Err(bad_handle(handle)),
        }
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;
    use crate::handle::Errhandler;

    fn attached() -> Attached {
        Attached::Predefined(Errhandler::RETURN)
    }

    #[test]
    fn kinds_of_memory_are_those_that_there_are() {
        for (wished, given) in [
            ("", "mpi,system"),
            ("system", "system,mpi"),
            ("cuda:device,system,mpi", "system,mpi"),
            (
                "mpi:alloc_mem:win_allocate, system,mpi:alloc_mem:win_allocate",
                "mpi:alloc_mem:win_allocate,system,mpi",
            ),
            ("mpi:other,system:other", "mpi,system"),
        ] {
            assert_eq!(memory_kinds(wished), given, "{wished}");
        }
    }

    #[test]
    fn hints_ask_for_a_level() {
        let wished = Pairs::new();
        let level = |wished: &Pairs| Session::new(wished, attached()).map(|s| s.level());
        assert_eq!(level(&wished).unwrap(), ThreadLevel::MULTIPLE);
        wished.put(THREAD_LEVEL, "MPI_THREAD_FUNNELED");
        assert_eq!(level(&wished).unwrap(), ThreadLevel::FUNNELED);
        wished.put(THREAD_LEVEL, "funneled");
        assert_eq!(level(&wished).unwrap_err().code(), class::INFO_VALUE);
    }

    #[test]
    fn sets_have_names_and_members() {
        for set in Pset::ALL {
            assert_eq!(Pset::find(set.name()).unwrap(), set);
        }
        assert_eq!(Pset::find("mpi://world").unwrap(), Pset::World);
        assert_eq!(Pset::find("mpi://else").unwrap_err().code(), class::ARG);
        assert_eq!(Pset::World.members(1, 3), Members::range(0, 3));
        assert_eq!(Pset::This.members(1, 3), Members::range(1, 1));
    }

    #[test]
    fn objects_of_one_call_have_one_origin() {
        let [none, one, other] = [0x120, 7, 8].map(handle::Session);
        assert_eq!(none, handle::Session::NULL);
        let group = |session| Members::range(0, 2).of(session);
        for (first, second) in [(one, other), (one, none), (none, other)] {
            let refused = require_one([first, first, second]).unwrap_err();
            assert_eq!(refused.code(), class::SESSION, "{first:?} {second:?}");
            let groups = [&group(first), &group(second)];
            assert!(require_one_of(groups).is_err());
            assert!(require_one_of([groups[0], &Members::empty()]).is_ok());
        }
        assert!(require_one([one, one]).is_ok() && require_one([]).is_ok());
        let sessions = Sessions::new();
        sessions.add_origin();
        assert!(!sessions.several());
        sessions.add_origin();
        assert!(sessions.several());
    }

    #[test]
    fn what_is_fixed_stays() {
        let session = Session::new(&Pairs::new(), attached()).unwrap();
        let hints = Pairs::new();
        hints.put(THREAD_LEVEL, "MPI_THREAD_SINGLE");
        hints.put("colour", "red");
        session.change(&hints);
        assert_eq!(
            session.hints.get(THREAD_LEVEL).as_deref(),
            Some("MPI_THREAD_MULTIPLE")
        );
        assert_eq!(session.hints.get("colour").as_deref(), Some("red"));
    }
}
