//! Sessions (MPI-5.0, 11.3): users of the library that know nothing of each other.
//!
//! A session has a level of thread support, hints, kinds of memory, and an error handler; it names process
//! sets, from which groups and then communicators are derived. How the library starts with the first and ends
//! with the last one is in `world`; how communicators are made of groups is in `comm::groups`.

use std::cell::RefCell;
use std::rc::Rc;

use crate::errhandler::Attached;
use crate::error::Result;
use crate::fail;
use crate::group::Members;
use crate::handle::{self, Registry, bad_handle};
use crate::info::Pairs;
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

/// The open sessions of a process.
pub struct Sessions(Registry<handle::Session, Session>);

impl Sessions {
    pub const fn new() -> Sessions {
        Sessions(Registry::new())
    }

    pub fn add(&self, session: Session) -> Result<handle::Session> {
        self.0.insert(Rc::new(session))
    }

    /// # Errors
    /// `MPI_ERR_SESSION`: null, finalised, or never a session.
    pub fn find(&self, handle: handle::Session) -> Result<Rc<Session>> {
        self.0.find(handle)
    }

    /// # Errors
    /// As [`find`](Self::find).
    pub fn remove(&self, handle: handle::Session) -> Result<()> {
        match self.0.remove(handle) {
            Some(_) => Ok(()),
            None => Err(bad_handle(handle)),
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
