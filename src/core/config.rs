//! The knobs: environment variables that change behaviour, one line each, printed by `mpi_info`
//! and open to tools as control variables.
//!
//! Names carry the prefix `MPI_ANYMPI_`, which the cleaners of launchers and containers remove together with
//! everything else of MPI.

use std::cell::Cell;

use crate::tuning;

/// One knob: a number in the environment, with its default and what it does.
pub struct Knob {
    /// Name of the environment variable.
    pub name: &'static str,
    pub default: u64,
    /// What each value is called, if they have names.
    pub names: &'static [&'static str],
    pub help: &'static str,
}

/// What a knob is set to, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    Environment,
}

macro_rules! knobs {
    ($($name:ident = $variable:literal, $default:expr $(, $names:path)?, $help:literal;)*) => {
        $(pub const $name: Knob = Knob {
            name: $variable,
            default: $default,
            names: { const NAMES: &[&[&str]] = &[$($names,)? &[]]; NAMES[0] },
            help: $help,
        };)*
        /// Every knob there is.
        pub const ALL: &[&Knob] = &[$(&$name),*];
    };
}

knobs! {
    SPIN = "MPI_ANYMPI_SPIN", 2000,
        "most polls of a waiting process before it yields its core, when every process has a core of its own";
    CROWDED_SPIN = "MPI_ANYMPI_CROWDED_SPIN", 100,
        "the same when there are more processes than cores; where others are seen to use the core, it yields sooner";
    CORES = "MPI_ANYMPI_CORES", 0,
        "processors that the processes of a node share; 0: those that they, and the launcher that has bound them, may run on";
    SLEEP = "MPI_ANYMPI_SLEEP", 200,
        "microseconds that a waiting process yields its core before it sleeps";
    SHARED_COLLECTIVES = "MPI_ANYMPI_SHARED_COLLECTIVES", 1,
        "whether the processes of a communicator share memory for its blocking collectives; 0: they use messages";
    RING_SIZE = "MPI_ANYMPI_RING_SIZE", 0,
        "bytes of the ring from each process to each other one of its node, 131072 at least; each takes twice as much address space, and the first process that starts decides; 0: as long as caches make useful";
    PROGRESS_THREAD = "MPI_ANYMPI_PROGRESS_THREAD", 0,
        "1: a thread moves messages and collectives on while the program computes; the program's calls take a lock then";
    HEAP = "MPI_ANYMPI_HEAP", 1,
        "whether other processes' memory of MPI_Alloc_mem and of 'mpiexec --shm-heap' is mapped, and this one's is given from what others can map; 0: no";
    DIRECT = "MPI_ANYMPI_DIRECT", 2,
        "what a process may do to copy long messages within a node: 0 all goes through shared memory, 1 the receiver copies from the sender's buffer, 2 both do at once; under valgrind 1 unless it is set";
    RENDEZVOUS = "MPI_ANYMPI_RENDEZVOUS", 1,
        "whether processes that torchrun, or srun without PMI, has started meet by what these say in the environment, so that all of them must initialise MPI; 0: each is a world of its own";
    ROOT_WAIT = "MPI_ANYMPI_ROOT_WAIT", 60,
        "seconds that processes which meet without a launcher wait for the next one to come, until MPI_Init fails and names who is missing";
    TUNING = "MPI_ANYMPI_TUNING", 0, tuning::NAMES,
        "for which kind of processor messages and collectives are tuned: the name of a row that mpi_info lists, or auto, for the processor that this is; the first process that starts on a node decides for all there";
}

impl Knob {
    /// What the environment says, or the default.
    ///
    /// # Errors
    /// A value that is no number, or none of the knob's names; the text names variable and value.
    pub fn read(&self) -> Result<(u64, Origin), String> {
        match std::env::var(self.name) {
            Err(_) => Ok((self.default, Origin::Default)),
            Ok(text) => Ok((self.parse(&text)?, Origin::Environment)),
        }
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let (variable, word) = (self.name, text.trim());
        if self.names.is_empty() {
            let number = word.parse();
            return number.map_err(|_| format!("{variable}='{text}' is not a number"));
        }
        let named = self.names.iter().position(|name| *name == word);
        named.map(|at| at as u64).ok_or_else(|| {
            let names = self.names.join(", ");
            format!("{variable}='{text}' is none of {names}")
        })
    }

    /// A value as people write it.
    pub fn show(&self, value: u64) -> String {
        let name = usize::try_from(value)
            .ok()
            .and_then(|at| self.names.get(at));
        name.map_or_else(|| value.to_string(), |name| (*name).to_owned())
    }
}

/// The values in force in this process: what a tool has written (MPI-5.0, 15.3.6) comes before what the
/// environment says.
pub struct Settings([Cell<Option<u64>>; ALL.len()]);

impl Settings {
    pub const fn new() -> Settings {
        Settings([const { Cell::new(None) }; ALL.len()])
    }

    /// # Errors
    /// As for [`Knob::read`].
    pub fn value(&self, knob: &Knob) -> Result<u64, String> {
        Ok(self.chosen(knob)?.unwrap_or(knob.default))
    }

    /// The value that a tool or the environment gives, if either does.
    ///
    /// # Errors
    /// As for [`Knob::read`].
    pub fn chosen(&self, knob: &Knob) -> Result<Option<u64>, String> {
        let place = ALL.iter().position(|known| known.name == knob.name);
        match place.and_then(|place| self.0[place].get()) {
            Some(written) => Ok(Some(written)),
            None => knob.read().map(|(value, origin)| match origin {
                Origin::Default => None,
                Origin::Environment => Some(value),
            }),
        }
    }

    /// Sets the knob at `place` of [`ALL`]. Those who keep its value must be told.
    pub fn write(&self, place: usize, value: u64) {
        self.0[place].set(Some(value));
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_names_or_are_numbers() {
        for (at, name) in tuning::NAMES.iter().enumerate() {
            assert_eq!(TUNING.parse(name), Ok(at as u64));
            assert_eq!(TUNING.show(at as u64), *name);
        }
        let names = tuning::NAMES.join(", ");
        let what = format!("MPI_ANYMPI_TUNING='fast' is none of {names}");
        assert_eq!(TUNING.parse("fast"), Err(what));
        assert_eq!(TUNING.show(99), "99");
        assert_eq!(SPIN.parse(" 7"), Ok(7));
        assert_eq!(SPIN.show(7), "7");
        assert!(SPIN.parse("generic").is_err());
    }
}
