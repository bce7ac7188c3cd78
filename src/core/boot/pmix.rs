//! A launcher that serves PMIx: Open MPI's mpirun, PRRTE's prterun and prun, Slurm's pmix plug-in.
//!
//! [`find`] opens the library, [`library`] is its interface. Here they become what [`Boot`] promises. Values are put when
//! a fence begins, under a key that names the round: libraries do not agree on what a key means that is put twice.

mod abort;
mod find;
mod library;

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::time::Duration;

use super::{Abort, Boot, Identity, variable};
use crate::error::{Error, Result, class};
use crate::sys;
use abort::Aborter;
use library::{Library, Proc, Told, Trouble};

/// How long a fence may take. It waits for the slowest process to start, so it is generous.
const PATIENCE: Duration = Duration::from_secs(600);

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
            "PMIx (Slurm)"
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
    patience: Duration,
    /// Between `init` and `finalize`.
    joined: bool,
}

/// The key of a value that was put between the fences `round` and `round + 1`.
fn key_of(key: &str, round: usize) -> Result<CString> {
    CString::new(format!("anympi-{key}-{round}"))
        .map_err(|_| Error::new(class::INTERN, format!("the key '{key}' has a null byte")))
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
            return Err(announcement.wrong("it does not tell the size of the job"));
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
            patience: PATIENCE,
            joined: true,
        })
    }

    fn failed(&self, call: &str, trouble: Trouble) -> Error {
        self.announcement.failed(&self.library, call, trouble)
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
        let Ok(rank) = u32::try_from(index) else {
            return Ok(None);
        };
        let process = self.me.with_rank(rank);
        for round in (0..self.round).rev() {
            let value = self.library.bytes(&process, &key_of(key, round)?);
            let value = value.map_err(|trouble| {
                self.failed(&format!("PMIx_Get of '{key}' of rank {index}"), trouble)
            })?;
            if value.is_some() {
                return Ok(value);
            }
        }
        Ok(None)
    }

    fn fence(&mut self) -> Result<()> {
        for (key, value) in std::mem::take(&mut self.pending) {
            let put = self.library.put(&key_of(&key, self.round)?, &value);
            put.map_err(|trouble| self.failed(&format!("PMIx_Put of '{key}'"), trouble))?;
        }
        let commit = self.library.commit();
        commit.map_err(|trouble| self.failed("PMIx_Commit", trouble))?;
        let fence = self.library.fence(&self.me, self.patience);
        fence.map_err(|trouble| self.failed("PMIx_Fence", trouble))?;
        self.round += 1;
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
        let left = self.library.finalize();
        left.map_err(|trouble| self.failed("PMIx_Finalize", trouble))
    }
}

#[cfg(test)]
mod tests;
