//! The processes that this one knows: who they are, how they are found, and their local numbers.
//!
//! Everywhere else in the core a process is its local number ([`ProcId`]), given when this process first
//! hears of it. Another process may have given another number, so only a [`Process`] may be sent. The
//! processes of the job that this one started in come first: their numbers are their ranks in
//! `MPI_COMM_WORLD`. Knows nothing of transports, groups or launchers.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::error::Result;
use crate::fail;
use crate::types::ProcId;

/// A number that depends on every byte, and is the same in every process (FNV-1a).
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Processes that were started together, as everybody calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Job(u64);

impl Job {
    /// The job that its launcher calls so.
    pub fn named(name: &str) -> Job {
        Job(hash(name.bytes()))
    }
}

/// A process, as everybody calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    pub job: Job,
    /// Its number in the job.
    pub index: u32,
}

impl Process {
    /// How many words a process takes in a message.
    pub const WORDS: usize = 2;

    pub fn to_words(self) -> [i64; Process::WORDS] {
        [self.job.0 as i64, self.index.into()]
    }

    pub fn from_words([job, index]: [i64; Process::WORDS]) -> Process {
        Process {
            job: Job(job as u64),
            index: index as u32,
        }
    }
}

impl std::fmt::Display for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of job {:016x}", self.index, self.job.0)
    }
}

/// How a process is found: for each transport that can reach it some bytes that the transport understands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card(Vec<(&'static str, Box<[u8]>)>);

impl Card {
    /// For a process that only one transport can reach.
    pub fn of(transport: &'static str, bytes: &[u8]) -> Card {
        Card(vec![(transport, bytes.into())])
    }

    /// What it says to a transport.
    pub fn get(&self, transport: &str) -> Option<&[u8]> {
        let mut found = self.0.iter().filter(|(name, _)| *name == transport);
        found.next().map(|(_, bytes)| &**bytes)
    }
}

struct Entry {
    process: Process,
    card: Card,
    /// How often it has been interned and not forgotten.
    users: u32,
}

#[derive(Default)]
struct Table {
    entries: Vec<Option<Entry>>,
    /// Numbers below the end that nobody has.
    free: BTreeSet<u32>,
    numbers: HashMap<Process, u32>,
}

/// The table of processes. It grows and shrinks while MPI runs.
#[derive(Default)]
pub struct Processes(RefCell<Table>);

impl Processes {
    /// The number of a process, from now until its users have all [forgotten](Self::forget) it. A new one gets the
    /// lowest number that is free.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the process is known by another card.
    pub fn intern(&self, process: Process, card: Card) -> Result<ProcId> {
        let table = &mut *self.0.borrow_mut();
        if let Some(&number) = table.numbers.get(&process) {
            let entry = table.entry_mut(ProcId(number))?;
            if entry.card != card {
                fail!(OTHER, "{process} has two contact cards: is it one process?");
            }
            entry.users += 1;
            return Ok(ProcId(number));
        }
        let number = match table.free.pop_first() {
            Some(number) => number,
            None => {
                table.entries.push(None);
                table.entries.len() as u32 - 1
            }
        };
        table.entries[number as usize] = Some(Entry {
            process,
            card,
            users: 1,
        });
        table.numbers.insert(process, number);
        Ok(ProcId(number))
    }

    /// One user less. Returns whether that was the last: the number may then become another process's.
    ///
    /// # Errors
    /// `MPI_ERR_INTERN`: no process has this number.
    pub fn forget(&self, number: ProcId) -> Result<bool> {
        let table = &mut *self.0.borrow_mut();
        let entry = table.entry_mut(number)?;
        entry.users -= 1;
        if entry.users > 0 {
            return Ok(false);
        }
        let process = entry.process;
        table.numbers.remove(&process);
        table.entries[number.0 as usize] = None;
        table.free.insert(number.0);
        while let Some(None) = table.entries.last() {
            table.entries.pop();
            table.free.remove(&(table.entries.len() as u32));
        }
        Ok(true)
    }

    /// The number of a known process.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: this process has never heard of it.
    pub fn find(&self, process: Process) -> Result<ProcId> {
        match self.0.borrow().numbers.get(&process) {
            Some(&number) => Ok(ProcId(number)),
            None => fail!(OTHER, "{process} is not known here"),
        }
    }

    /// The process with a number.
    ///
    /// # Errors
    /// `MPI_ERR_INTERN`: none has it.
    pub fn process(&self, number: ProcId) -> Result<Process> {
        let table = self.0.borrow();
        table.entry(number).map(|entry| entry.process)
    }

    /// What the card of a process says to a transport, if it can reach it.
    ///
    /// # Errors
    /// `MPI_ERR_INTERN`: no process has this number.
    pub fn card(&self, number: ProcId, transport: &str) -> Result<Option<Box<[u8]>>> {
        let table = self.0.borrow();
        let entry = table.entry(number)?;
        Ok(entry.card.get(transport).map(Box::from))
    }

    /// How many processes are known.
    pub fn len(&self) -> usize {
        self.0.borrow().numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    fn entry(&self, number: ProcId) -> Result<&Entry> {
        match self.entries.get(number.0 as usize) {
            Some(Some(entry)) => Ok(entry),
            _ => fail!(INTERN, "no process has the local number {}", number.0),
        }
    }

    fn entry_mut(&mut self, number: ProcId) -> Result<&mut Entry> {
        match self.entries.get_mut(number.0 as usize) {
            Some(Some(entry)) => Ok(entry),
            _ => fail!(INTERN, "no process has the local number {}", number.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    fn process(job: &str, index: u32) -> Process {
        Process {
            job: Job::named(job),
            index,
        }
    }

    fn card(text: &str) -> Card {
        Card::of("shm", text.as_bytes())
    }

    #[test]
    fn processes_of_two_jobs_may_have_one_index() {
        let known = Processes::default();
        let [a, b] = ["a", "b"].map(|job| known.intern(process(job, 1), card(job)).unwrap());
        assert_eq!((a, b), (ProcId(0), ProcId(1)));
        for (number, job) in [(a, "a"), (b, "b")] {
            assert_eq!(known.process(number).unwrap(), process(job, 1));
            assert_eq!(known.find(process(job, 1)).unwrap(), number);
            let said = known.card(number, "shm").unwrap();
            assert_eq!(said.as_deref(), Some(job.as_bytes()));
            assert_eq!(known.card(number, "tcp").unwrap(), None);
        }
        assert_ne!(process("a", 1).job, process("b", 1).job);
    }

    #[test]
    fn who_is_forgotten_by_all_gives_its_number_back() {
        let known = Processes::default();
        let intern = |index| known.intern(process("a", index), card("x")).unwrap();
        assert_eq!([0, 1, 2].map(intern), [0, 1, 2].map(ProcId));
        assert_eq!(intern(1), ProcId(1), "known, with one more user");
        assert!(!known.forget(ProcId(1)).unwrap());
        assert_eq!(known.find(process("a", 1)).unwrap(), ProcId(1));
        assert!(known.forget(ProcId(1)).unwrap());
        assert!(known.find(process("a", 1)).is_err());
        assert_eq!(known.len(), 2);
        // Its number is the lowest that is free; the others keep theirs.
        assert_eq!(intern(7), ProcId(1));
        assert_eq!(intern(1), ProcId(3));
        assert_eq!(known.process(ProcId(2)).unwrap(), process("a", 2));
        for number in [1, 3, 0, 2] {
            assert!(known.forget(ProcId(number)).unwrap());
        }
        assert!(known.is_empty());
        let table = known.0.borrow();
        assert_eq!((table.entries.len(), table.free.len()), (0, 0));
    }

    #[test]
    fn unknown_numbers_and_processes_are_errors() {
        let known = Processes::default();
        let only = known.intern(process("a", 0), Card::default()).unwrap();
        let middle = known.intern(process("a", 1), Card::default()).unwrap();
        known.intern(process("a", 2), Card::default()).unwrap();
        known.forget(middle).unwrap();
        for number in [middle, ProcId(3), ProcId(u32::MAX)] {
            for code in [
                known.process(number).unwrap_err().code(),
                known.forget(number).unwrap_err().code(),
                known.card(number, "shm").unwrap_err().code(),
            ] {
                assert_eq!(code, class::INTERN);
            }
        }
        let error = known.find(process("b", 0)).unwrap_err();
        assert!(error.what().contains("process 0 of job "), "{error}");
        let error = known.intern(process("a", 0), card("else")).unwrap_err();
        assert!(error.what().contains("two contact cards"), "{error}");
        assert!(known.forget(only).unwrap(), "the refused one is no user");
    }

    #[test]
    fn processes_travel_as_words() {
        for process in [process("a", 0), process("b", u32::MAX)] {
            assert_eq!(Process::from_words(process.to_words()), process);
        }
    }
}
