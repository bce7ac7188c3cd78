//! A launcher that serves PMIx: Open MPI's mpirun, PRRTE's prterun and prun, Slurm's pmix plug-in.
//!
//! [`find`] opens the library, [`library`] is its interface. Here they become what [`Boot`] promises. When a fence begins,
//! each process puts all its values of that round under one key, even if there are none. So each key is put once and
//! never missing: libraries do not agree on what happens otherwise.

mod abort;
mod find;
mod library;
mod spawning;

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString};
use std::time::Duration;

use super::own::Launchers;
use super::{Abort, Boot, Identity, Program, variable};
use crate::error::{Error, Result, class};
use crate::sys;
use abort::Aborter;
use library::{Library, Proc, Told, Trouble};

/// How long a fence may take. It waits for the slowest process to start, so it is generous.
const PATIENCE: Duration = Duration::from_secs(600);

/// A key that every process puts in every round, as an empty value may be lost.
const ROUND: &str = "";

/// What Slurm's plug-in is called.
const SLURM: &str = "PMIx (Slurm)";

/// Whether the environment announces a PMIx launcher to this process.
pub fn is_announced() -> bool {
    variable("PMIX_NAMESPACE").is_some() && variable("PMIX_RANK").is_some()
}

/// What the environment says about the launcher.
struct Announcement {
    name: &'static str,
    namespace: String,
    rank: String,
}

impl Announcement {
    fn read(variable: impl Fn(&str) -> Option<String>) -> Announcement {
        let namespace = variable("PMIX_NAMESPACE").unwrap_or_default();
        let has = |name: &str| variable(name).is_some();
        let name = if namespace.starts_with("slurm.pmix.") {
            SLURM
        } else if has("PRTE_LAUNCHED") {
            "PMIx (PRRTE)"
        } else if has("OMPI_MCA_orte_launch") {
            "PMIx (Open MPI's mpirun)"
        } else {
            "PMIx"
        };
        let rank = variable("PMIX_RANK").unwrap_or_default();
        Announcement {
            name,
            namespace,
            rank,
        }
    }
}

/// A process of a PMIx launcher.
pub struct Pmix {
    library: Library,
    announcement: Announcement,
    me: Proc,
    identity: Identity,
    /// How many processes of the job are on this node, if the launcher tells.
    local_size: Option<usize>,
    aborter: Aborter,
    /// Values for the next fence.
    pending: BTreeMap<String, Vec<u8>>,
    /// Fences so far.
    round: usize,
    /// What others have put, by their number and the round.
    seen: HashMap<(usize, usize), BTreeMap<String, Vec<u8>>>,
    patience: Duration,
    /// Between `init` and `finalize`.
    joined: bool,
    /// Of jobs that this launcher does not start.
    launchers: Launchers,
}

/// The key of what was put between the fences `round` and `round + 1`.
fn key_of(round: usize) -> CString {
    CString::new(format!("anympi-{round}")).expect("it has no null byte")
}

/// All values as one: each key and each value with its length before it.
fn joined_values(values: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (key, value) in values {
        for part in [key.as_bytes(), value] {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part);
        }
    }
    bytes
}

/// The values that [`joined_values`] has joined.
fn parted_values(mut bytes: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut values = BTreeMap::new();
    let mut part = || {
        let (len, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        bytes = rest;
        Some((part.to_vec(), rest.is_empty()))
    };
    loop {
        let (key, _) = part()?;
        let (value, last) = part()?;
        values.insert(String::from_utf8(key).ok()?, value);
        if last {
            return Some(values);
        }
    }
}

impl Announcement {
    fn wrong(&self, what: impl std::fmt::Display) -> Error {
        let Announcement {
            name,
            namespace,
            rank,
        } = self;
        Error::new(
            class::OTHER,
            format!(
                "the launcher of this process, {name} (PMIX_NAMESPACE={namespace}, PMIX_RANK={rank}): {what}"
            ),
        )
    }

    /// The error of a call to the library.
    fn failed(&self, library: &Library, call: &str, trouble: Trouble) -> Error {
        self.wrong(format_args!("{call}: {}", Told(library, trouble)))
    }
}

impl Pmix {
    /// Introduces this process to the launcher that the environment announces.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: no libpmix is found, the launcher is gone, or it does not say who this process is.
    pub fn join() -> Result<Pmix> {
        let announcement = Announcement::read(variable);
        let library = find::open().map_err(|what| announcement.wrong(what))?;
        Pmix::over(library, announcement)
    }

    fn over(library: Library, announcement: Announcement) -> Result<Pmix> {
        let failed = |call: &str, trouble| announcement.failed(&library, call, trouble);
        // The library has threads.
        let me = sys::without_signals(|| library.init()).map_err(|trouble| {
            announcement.wrong(format_args!(
                "PMIx_Init: {}; to run alone, remove PMIX_NAMESPACE from the environment",
                Told(&library, trouble)
            ))
        })?;
        let namespace = me.namespace();
        // Libraries that find no server make a process a job of its own.
        if namespace != announcement.namespace || me.rank.to_string() != announcement.rank.trim() {
            return Err(announcement.wrong(format_args!(
                "its library takes this process for rank {} of '{namespace}'",
                me.rank
            )));
        }
        let number = |of: &Proc, key: &CStr| {
            library.number(of, key).map_err(|trouble| {
                failed(&format!("PMIx_Get of {}", key.to_string_lossy()), trouble)
            })
        };
        let Some(size) = number(&me.job(), c"pmix.job.size")? else {
            let hint = match announcement.name {
                SLURM => format!("; {}", super::ONE_PROGRAM),
                _ => String::new(),
            };
            return Err(
                announcement.wrong(format_args!("it does not tell the size of the job{hint}"))
            );
        };
        if me.rank >= size {
            return Err(announcement.wrong(format_args!("it says that the job's size is {size}")));
        }
        let positive = |number: u32| i32::try_from(number).ok().filter(|&n| n > 0);
        let appnum = number(&me, c"pmix.appnum")?;
        let identity = Identity {
            job: namespace,
            index: me.rank as usize,
            size: size as usize,
            appnum: appnum.and_then(|number| number.try_into().ok()),
            universe_size: number(&me.job(), c"pmix.univ.size")?.and_then(positive),
        };
        let local_size = number(&me.job(), c"pmix.local.size")?.map(|size| size as usize);
        let aborter = Aborter::start(library, identity.index)
            .map_err(|error| announcement.wrong(format_args!("no way to end the job: {error}")))?;
        let last_words = format!(
            "anympi: rank {} of {}: the connection to the launcher, {}, is lost\n",
            identity.index, identity.size, announcement.name
        );
        library.on_lost_server(Box::new(move || {
            sys::write_raw(libc::STDERR_FILENO, last_words.as_bytes());
            sys::exit_now(1)
        }));
        Ok(Pmix {
            library,
            announcement,
            me,
            identity,
            local_size,
            aborter,
            pending: BTreeMap::new(),
            round: 0,
            seen: HashMap::new(),
            patience: PATIENCE,
            joined: true,
            launchers: Launchers::default(),
        })
    }

    fn failed(&self, call: &str, trouble: Trouble) -> Error {
        self.announcement.failed(&self.library, call, trouble)
    }

    /// What a process has put in a round that has ended.
    fn values(&self, index: usize, round: usize) -> Result<BTreeMap<String, Vec<u8>>> {
        let process = self.me.with_rank(index as u32);
        let call = format!("PMIx_Get of what rank {index} has put");
        let bytes = self.library.bytes(&process, &key_of(round));
        let bytes = bytes.map_err(|trouble| self.failed(&call, trouble))?;
        let values = bytes.as_deref().and_then(parted_values);
        values.ok_or_else(|| {
            self.announcement
                .wrong(format_args!("{call}: there is nothing, or nothing of ours"))
        })
    }
}

impl Boot for Pmix {
    fn name(&self) -> &'static str {
        self.announcement.name
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn may_span(&self) -> bool {
        self.identity.size > 1 && self.local_size != Some(self.identity.size)
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        self.pending.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        if index >= self.identity.size {
            return Ok(None);
        }
        for round in (0..self.round).rev() {
            if !self.seen.contains_key(&(index, round)) {
                let values = self.values(index, round)?;
                self.seen.insert((index, round), values);
            }
            if let Some(value) = self.seen[&(index, round)].get(key) {
                return Ok(Some(value.clone()));
            }
        }
        Ok(None)
    }

    fn fence(&mut self) -> Result<()> {
        self.pending.insert(ROUND.into(), Vec::new());
        let values = joined_values(&std::mem::take(&mut self.pending));
        let put = self.library.put(&key_of(self.round), &values);
        put.map_err(|trouble| self.failed("PMIx_Put", trouble))?;
        let commit = self.library.commit();
        commit.map_err(|trouble| self.failed("PMIx_Commit", trouble))?;
        let fence = self.library.fence(&self.me, self.patience);
        fence.map_err(|trouble| self.failed("PMIx_Fence", trouble))?;
        self.round += 1;
        // What was needed together was read between two fences; the library has it for who reads it again.
        self.seen.clear();
        Ok(())
    }

    fn abort(&self) -> Option<Abort> {
        Some(Abort {
            descriptor: self.aborter.descriptor(),
            tell: abort::tell,
        })
    }

    /// A process that comes back needs no server: it knows all others.
    fn finalize(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.joined) {
            return Ok(());
        }
        self.launchers.leave();
        let left = self.library.finalize();
        left.map_err(|trouble| self.failed("PMIx_Finalize", trouble))
    }

    fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        self.start_programs(programs, values)
    }

    fn ended(&mut self) -> Option<String> {
        self.launchers.ended()
    }

    fn given(&mut self, key: &str) -> Result<Option<String>> {
        Ok(spawning::given(key))
    }

    fn publish(&mut self, service: &str, port: &str) -> Result<()> {
        self.publish_name(service, port)
    }

    fn lookup(&mut self, service: &str) -> Result<Option<String>> {
        self.look_up_name(service)
    }

    fn unpublish(&mut self, service: &str) -> Result<()> {
        self.unpublish_name(service)
    }
}

#[cfg(test)]
mod tests;
