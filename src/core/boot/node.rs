//! The memory that a job's processes on this node share.
//!
//! A launcher may hand it over. Under any other the processes find each other through the launcher's values. Each
//! makes a memory file and tells its process id and descriptor. All of a node take the file of the lowest one. They
//! open it through `/proc`, which the kernel allows to the same user only. No socket listens, nothing has a name.
//! Knows the trait [`Boot`], and no launcher.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};

use super::Boot;
use super::watch::{Pipe, Watch};
use crate::error::{Error, Result, class};
use crate::processes::{Card, hash};
use crate::shm::file;
use crate::sys;

/// Key of what a process tells the others of its node.
const KEY: &str = "node";
/// Key of the secret that the first process of a job has drawn for it.
const SECRET: &str = "secret";
/// What a contact card calls shared memory.
pub const TRANSPORT: &str = "shm";
/// What a contact card calls the way to a process of another node.
pub const NET: &str = "net";

/// The memory of a job's processes on one node.
pub struct Memory {
    pub file: OwnedFd,
    /// Tells this node apart from others.
    pub node: String,
    /// The processes of the job that run on this node, in the order of their places in the memory.
    pub members: Vec<usize>,
    /// The other processes of the job.
    pub others: Vec<Other>,
    /// What all processes of the job know, and nobody else; `None` where all run on this node.
    pub secret: Option<[u8; 32]>,
    /// This process's place.
    pub place: usize,
    /// Its part in watching over the others of the node, where the launcher does not.
    pub watch: Option<Watch>,
}

/// A process of another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Its number in the job.
    pub index: usize,
    /// Where it is found on its node.
    pub spot: Spot,
    /// How it says it can be reached from other nodes.
    pub contact: Vec<u8>,
}

impl Memory {
    /// The contact cards of the job's `size` processes.
    pub fn cards(&self, size: usize) -> Vec<Card> {
        let mut cards = vec![Card::default(); size];
        for other in &self.others {
            let card = Card::of(TRANSPORT, &other.spot.to_bytes());
            cards[other.index] = card.with(NET, &other.contact);
        }
        for (place, &index) in self.members.iter().enumerate() {
            let spot = Spot {
                node: hash(self.node.bytes()),
                place: place as u32,
            };
            cards[index] = Card::of(TRANSPORT, &spot.to_bytes());
        }
        cards
    }
}

/// Where a process is found by shared memory, as its contact card says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Tells the node apart from others.
    pub node: u64,
    /// The process's place in its job's memory there.
    pub place: u32,
}

impl Spot {
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.node.to_le_bytes());
        bytes[8..].copy_from_slice(&self.place.to_le_bytes());
        bytes
    }

    /// `None`: these are not bytes of such a card.
    pub fn from_bytes(bytes: &[u8]) -> Option<Spot> {
        let (node, place) = bytes.split_at_checked(8)?;
        Some(Spot {
            node: u64::from_le_bytes(node.try_into().ok()?),
            place: u32::from_le_bytes(place.try_into().ok()?),
        })
    }
}

/// Finds the processes of the job on this node, and the memory that they share. `contact` says how processes of other
/// nodes reach this one, and is asked only where there may be some.
///
/// # Errors
/// `MPI_ERR_OTHER`: the launcher is gone; a process has not told of itself; the memory cannot be made or opened.
pub fn attach(launcher: &mut dyn Boot, contact: impl FnOnce() -> Vec<u8>) -> Result<Memory> {
    match launcher.memory()? {
        Some(memory) => Ok(memory),
        None => share(launcher, contact),
    }
}

fn share(launcher: &mut dyn Boot, contact: impl FnOnce() -> Vec<u8>) -> Result<Memory> {
    let (me, size) = (launcher.identity().index, launcher.identity().size);
    let node = identity();
    let mine = file::create(size)
        .map_err(|error| Error::new(class::OTHER, format!("shared memory: {error}")));
    // Who has none says so, as the others wait for its card.
    let descriptor = mine.as_ref().map_or(-1, AsRawFd::as_raw_fd);
    let spans = launcher.may_span();
    let contact = if spans {
        hex(&contact())
    } else {
        String::new()
    };
    if spans && me == 0 {
        launcher.put(SECRET, &sys::random_bytes::<32>())?;
    }
    let pipe = match size > 1 && !launcher.ends_with_each() {
        true => Pipe::new().map(Some),
        false => Ok(None),
    };
    let farewell = pipe.as_ref().ok().and_then(Option::as_ref);
    let farewell = farewell.map_or(-1, Pipe::descriptor);
    let pid = std::process::id();
    let card = format!("{node}:{pid}:{descriptor}:{contact}:{farewell}");
    launcher.put(KEY, card.as_bytes())?;
    launcher.fence()?;
    let mine = mine?;
    let pipe = pipe.map_err(|error| Error::new(class::OTHER, format!("a pipe: {error}")))?;
    let mut members = Vec::new();
    let mut cards = Vec::new();
    // How many processes of each other node have come before.
    let mut before: HashMap<String, u32> = HashMap::new();
    let mut others = Vec::new();
    for other in 0..size {
        let Some(card) = launcher.get(other, KEY)? else {
            crate::fail!(
                OTHER,
                "rank {other} has left no card in the launcher's key space"
            );
        };
        let card = String::from_utf8_lossy(&card).into_owned();
        let mut fields = card.split(':');
        let theirs = fields.next().unwrap_or("");
        if theirs == node {
            cards.push(card);
            members.push(other);
        } else {
            let place = before.entry(theirs.to_owned()).or_default();
            let spot = Spot {
                node: hash(theirs.bytes()),
                place: *place,
            };
            *place += 1;
            others.push(Other {
                index: other,
                spot,
                contact: fields.nth(2).and_then(unhex).unwrap_or_default(),
            });
        }
    }
    let Some(place) = members.iter().position(|&member| member == me) else {
        crate::fail!(
            OTHER,
            "rank {me} did not find its own card in the launcher's key space"
        );
    };
    if let (false, Some(other)) = (spans, others.first()) {
        crate::fail!(
            OTHER,
            "the launcher says that all processes run on one node, but rank {} and rank {me} see different host \
             names, kernels or process ids",
            other.index
        );
    }
    let file = match place {
        0 => Ok(mine),
        _ => open_card(&cards[0]),
    };
    let watch = match pipe {
        Some(pipe) if members.len() > 1 => {
            let next = (place + 1) % members.len();
            watch(launcher, pipe, members[next], &cards[next]).map(Some)
        }
        _ => Ok(None),
    };
    let secret = match others.is_empty() {
        true => None,
        false => match launcher.get(0, SECRET)?.map(<[u8; 32]>::try_from) {
            Some(Ok(secret)) => Some(secret),
            _ => crate::fail!(
                OTHER,
                "rank 0 has left no secret in the launcher's key space"
            ),
        },
    };
    // The leader keeps its descriptor open until everybody has opened it.
    launcher.fence()?;
    Ok(Memory {
        file: file?,
        node,
        members,
        others,
        secret,
        place,
        watch: watch?,
    })
}

/// Watches over the process `next`, whose card this is.
fn watch(launcher: &dyn Boot, pipe: Pipe, next: usize, card: &str) -> Result<Watch> {
    let wrong = |error| {
        let text = format!("cannot watch over rank {next} of this node: {error}");
        Error::new(class::OTHER, text)
    };
    let fields: Vec<&str> = card.split(':').collect();
    let [_, pid, _, _, descriptor] = fields[..] else {
        return Err(wrong(std::io::ErrorKind::InvalidData.into()));
    };
    let file = File::open(format!("/proc/{pid}/fd/{descriptor}")).map_err(wrong)?;
    let words = format!(
        "anympi: rank {next} (process {pid} on {}) has ended without MPI_Finalize; rank {} ends the job\n",
        sys::host_name(),
        launcher.identity().index
    );
    pipe.watch(file, words, launcher.abort()).map_err(wrong)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    text.as_bytes().chunks(2).map(digits).collect()
}

/// Tells nodes apart: the host's name, the kernel's boot and this process's view of process ids.
pub fn identity() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let pids = std::fs::read_link("/proc/self/ns/pid")
        .map(|link| {
            link.to_string_lossy()
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
        })
        .unwrap_or_default();
    format!("{}.{}.{}", sys::host_name(), boot.trim(), pids)
}

fn open_card(card: &str) -> Result<OwnedFd> {
    let mut fields = card.split(':').skip(1);
    let (pid, fd) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
    if fd.parse::<u32>().is_err() || pid.parse::<u32>().is_err() {
        crate::fail!(
            OTHER,
            "a card of no use in the launcher's key space: '{card}'"
        );
    }
    let path = format!("/proc/{pid}/fd/{fd}");
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|error| {
            Error::new(
                class::OTHER,
                format!("cannot open the shared memory of process {pid} ({path}): {error}"),
            )
        })?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use super::super::{Abort, Identity};
    use super::*;
    use std::collections::HashMap;
    use std::sync::{Arc, Barrier, Mutex};

    /// What the processes of a launcher share that lives in this process.
    struct Space {
        fence: Barrier,
        values: Mutex<HashMap<String, Vec<u8>>>,
    }

    /// One of its processes.
    struct Local {
        identity: Identity,
        space: Arc<Space>,
    }

    impl Boot for Local {
        fn name(&self) -> &'static str {
            "a test"
        }

        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
            let key = format!("{key}-{}", self.identity.index);
            self.space
                .values
                .lock()
                .unwrap()
                .insert(key, value.to_owned());
            Ok(())
        }

        fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
            let space = self.space.values.lock().unwrap();
            Ok(space.get(&format!("{key}-{index}")).cloned())
        }

        fn fence(&mut self) -> Result<()> {
            self.space.fence.wait();
            Ok(())
        }

        fn abort(&self) -> Option<Abort> {
            None
        }
    }

    /// What each of `here` processes finds that share a job with `elsewhere` processes of another node.
    fn attached(here: &[usize], elsewhere: &[usize]) -> Vec<Result<Memory>> {
        attached_to(here, elsewhere, b"another:1:3:0aff")
    }

    /// The same where those of the other node have left this card.
    fn attached_to(here: &[usize], elsewhere: &[usize], card: &[u8]) -> Vec<Result<Memory>> {
        let size = here.len() + elsewhere.len();
        let away = |index: &usize| (format!("{KEY}-{index}"), card.to_vec());
        let mut values: HashMap<_, _> = elsewhere.iter().map(away).collect();
        if elsewhere.contains(&0) {
            values.insert(format!("{SECRET}-0"), vec![7; 32]);
        }
        let values = Mutex::new(values);
        let fence = Barrier::new(here.len());
        let space = Arc::new(Space { fence, values });
        std::thread::scope(|scope| {
            let start = |&index: &usize| {
                let mut launcher = Local {
                    identity: Identity {
                        job: "test".into(),
                        index,
                        size,
                        appnum: None,
                        universe_size: None,
                    },
                    space: space.clone(),
                };
                scope.spawn(move || attach(&mut launcher, || b"me".to_vec()))
            };
            let threads: Vec<_> = here.iter().map(start).collect();
            let join = |thread: std::thread::ScopedJoinHandle<_>| thread.join().unwrap();
            threads.into_iter().map(join).collect()
        })
    }

    #[test]
    fn processes_of_a_node_find_one_file() {
        for (here, elsewhere) in [(&[0, 1, 2][..], &[][..]), (&[1, 3], &[0, 2])] {
            let found: Vec<Memory> = attached(here, elsewhere)
                .into_iter()
                .map(|memory| memory.unwrap())
                .collect();
            let file = sys::file_id(&found[0].file).unwrap();
            let mut places = Vec::new();
            for memory in &found {
                assert_eq!(memory.members, here);
                assert_eq!(memory.secret.is_some(), !elsewhere.is_empty());
                places.push(memory.place);
                assert_eq!(sys::file_id(&memory.file).unwrap(), file);
            }
            assert_eq!(places, (0..here.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn contact_cards_say_node_and_place() {
        let memories = attached(&[1, 3], &[0, 2]);
        let cards: Vec<Vec<Card>> = memories
            .into_iter()
            .map(|memory| memory.unwrap().cards(4))
            .collect();
        assert_eq!(cards[0], cards[1]);
        let spots = cards[0].iter().map(|card| card.get(TRANSPORT));
        let spots: Vec<Option<Spot>> = spots.map(|bytes| Spot::from_bytes(bytes?)).collect();
        let [here, there] = [identity().as_str(), "another"].map(|node| hash(node.bytes()));
        let spot = |node, place| Some(Spot { node, place });
        let expected = [spot(there, 0), spot(here, 0), spot(there, 1), spot(here, 1)];
        assert_eq!(spots, expected);
        let contacts = cards[0].iter().map(|card| card.get(NET));
        let contact = Some(&[0x0a, 0xff][..]);
        assert_eq!(contacts.collect::<Vec<_>>(), [contact, None, contact, None]);
        for broken in [&[][..], &[0; 11], &[0; 13]] {
            assert_eq!(Spot::from_bytes(broken), None);
        }
    }

    #[test]
    fn cards_that_are_missing_or_of_no_use_are_named() {
        let mut alone = attached(&[1], &[]);
        let error = alone.remove(0).err().unwrap();
        assert!(error.what().contains("rank 0 has left no card"), "{error}");
        let error = open_card("host:77:x").unwrap_err();
        assert!(error.what().contains("'host:77:x'"), "{error}");
    }

    use crate::garbage_tests::{cases, noise, within};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(100))]
        /// Cards that other processes have left, or somebody else.
        #[test]
        fn any_card_is_another_nodes_or_an_error(
            card in prop_oneof![
                "([a-z]{1,3}|[0-9]{1,3}|:|[0-9a-f]{2}|.){0,20}".prop_map(String::into_bytes),
                noise(30),
            ],
        ) {
            let memory = attached_to(&[1], &[0, 2], &card).remove(0);
            if let Ok(memory) = memory {
                let indices: Vec<usize> = memory.others.iter().map(|other| other.index).collect();
                prop_assert_eq!(indices, [0, 2]);
                let cards = within(10_000, || memory.cards(3));
                prop_assert_eq!(cards.len(), 3);
            }
            let _ = Spot::from_bytes(&card);
            let text = String::from_utf8_lossy(&card);
            if let Some(bytes) = unhex(&text) {
                prop_assert!(bytes.len() <= text.len());
            }
        }
    }
}
