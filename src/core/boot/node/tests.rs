//! Processes of one node and of several, whose launcher lives in this process.

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
    /// Values that it has asked for.
    asked: usize,
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
        self.asked += 1;
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

/// What each of some processes of a job finds, which run on these nodes, and how many values it asks for. Those of no
/// node do not take part, but come to the first two fences.
fn attached(nodes: &[Option<&'static str>]) -> Vec<Option<(Result<Memory>, usize)>> {
    let fence = Barrier::new(nodes.len());
    let values = Mutex::default();
    let space = Arc::new(Space { fence, values });
    std::thread::scope(|scope| {
        let start = |(index, node): (usize, &Option<&'static str>)| {
            let mut launcher = Local {
                identity: Identity {
                    job: "test".into(),
                    index,
                    size: nodes.len(),
                    appnum: None,
                    universe_size: None,
                },
                space: space.clone(),
                asked: 0,
            };
            let node = *node;
            scope.spawn(move || match node {
                Some(node) => {
                    let memory = share(&mut launcher, node, || vec![index as u8]);
                    Some((memory, launcher.asked))
                }
                None => {
                    (0..2).for_each(|_| launcher.fence().unwrap());
                    None
                }
            })
        };
        let threads: Vec<_> = nodes.iter().enumerate().map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<_>| thread.join().unwrap();
        threads.into_iter().map(join).collect()
    })
}

/// The same where all take part, and each finds its memory.
fn memories(nodes: &[&'static str]) -> Vec<Memory> {
    let nodes: Vec<_> = nodes.iter().copied().map(Some).collect();
    let found = attached(&nodes).into_iter().flatten();
    found.map(|(memory, _)| memory.unwrap()).collect()
}

#[test]
fn processes_of_a_node_find_one_file() {
    for (nodes, members) in [
        (&["a", "a", "a"][..], &[&[0, 1, 2][..]][..]),
        (&["b", "a", "b", "a"], &[&[0, 2], &[1, 3]]),
        (&["b", "a", "a"], &[&[0], &[1, 2]]),
    ] {
        let found = memories(nodes);
        for members in members {
            let file = sys::file_id(&found[members[0]].file).unwrap();
            for (place, &member) in members.iter().enumerate() {
                let memory = &found[member];
                assert_eq!((&memory.members[..], memory.place), (*members, place));
                assert_eq!(sys::file_id(&memory.file).unwrap(), file);
            }
        }
    }
}

#[test]
fn processes_of_several_nodes_know_a_secret_and_contacts() {
    let found = memories(&["b", "a", "b", "a", "c"]);
    let secret = found[0].net.as_ref().unwrap().secret;
    for memory in &found {
        let net = memory.net.as_ref().unwrap();
        assert_eq!(net.secret, secret);
        for index in 0..5 {
            assert_eq!(net.contacts.get(index).unwrap(), [index as u8]);
        }
    }
    assert!(memories(&["a", "a"])[0].net.is_none());
}

#[test]
fn contact_cards_say_node_and_place() {
    let found = memories(&["b", "a", "b", "a"]);
    let cards = found[0].cards();
    assert_eq!(cards, found[1].cards());
    let spots = cards.iter().map(|card| card.get(TRANSPORT));
    let spots: Vec<Option<Spot>> = spots.map(|bytes| Spot::from_bytes(bytes?)).collect();
    let spot = |node, place| Some(Spot { node, place });
    assert_eq!(spots, [spot(0, 0), spot(1, 0), spot(0, 1), spot(1, 1)]);
    for broken in [&[][..], &[0; 11], &[0; 13]] {
        assert_eq!(Spot::from_bytes(broken), None);
    }
}

/// Where one does not tell of itself, rank 0 says which, and nobody waits.
#[test]
fn cards_that_are_missing_or_of_no_use_are_named() {
    let mut found = attached(&[Some("a"), Some("a"), None]);
    let mut error = |index: usize| found[index].take().unwrap().0.err().unwrap();
    let (first, second) = (error(0), error(1));
    assert!(first.what().contains("rank 2 has left no card"), "{first}");
    assert!(
        second.what().contains("rank 0 has told nothing"),
        "{second}"
    );
    assert_eq!(Told::from_text("77:x:1:2:3:"), None);
    assert_eq!(Told::from_text("77:1:1:2:3"), None);
}

/// One process after the other, each as far as the next fence. It begins anew after each fence, which changes nothing.
struct Again<'s> {
    identity: Identity,
    values: &'s mut HashMap<String, Vec<u8>>,
    /// Fences that everybody has come to.
    open: usize,
    passed: usize,
    cost: &'s mut Cost,
}

/// What a process has asked the launcher for since the last fence.
#[derive(Clone, Default)]
struct Cost {
    puts: usize,
    gets: usize,
    bytes: usize,
}

impl Boot for Again<'_> {
    fn name(&self) -> &'static str {
        "a simulation"
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        self.cost.puts += 1;
        self.cost.bytes += value.len();
        let key = format!("{key}-{}", self.identity.index);
        self.values.insert(key, value.to_owned());
        Ok(())
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        self.cost.gets += 1;
        let value = self.values.get(&format!("{key}-{index}"));
        self.cost.bytes += value.map_or(0, Vec::len);
        Ok(value.cloned())
    }

    fn fence(&mut self) -> Result<()> {
        if self.passed == self.open {
            crate::fail!(OTHER, "the others have not come yet");
        }
        self.passed += 1;
        if self.passed == self.open {
            *self.cost = Cost::default();
        }
        Ok(())
    }

    fn abort(&self) -> Option<Abort> {
        None
    }
}

/// What 16,384 processes on 512 nodes ask their launcher for: a few values each, and as many as there are processes
/// only rank 0.
#[test]
fn a_start_of_many_processes() {
    const SIZE: usize = 16384;
    const EACH: usize = 32;
    let mut values = HashMap::new();
    let mut all = vec![Cost::default(); SIZE];
    for open in 0..=3 {
        let mut now = vec![Cost::default(); SIZE];
        // All tell of themselves. What the first two nodes ask for, all would.
        let asking = if open == 0 { SIZE } else { 2 * EACH };
        for (index, cost) in now.iter_mut().enumerate().take(asking) {
            let mut launcher = Again {
                identity: Identity {
                    job: "many".into(),
                    index,
                    size: SIZE,
                    appnum: None,
                    universe_size: None,
                },
                values: &mut values,
                open,
                passed: 0,
                cost,
            };
            // It finds no files, as its leader has closed them.
            let node = format!("node {}", index / EACH);
            let _ = share(&mut launcher, &node, || vec![7; 14]);
            assert_eq!(launcher.passed, open, "process {index}");
        }
        for (sum, cost) in all.iter_mut().zip(now) {
            sum.puts += cost.puts;
            sum.gets += cost.gets;
            sum.bytes += cost.bytes;
        }
    }
    let most = |range: std::ops::Range<usize>| {
        let of = |what: fn(&Cost) -> usize| all[range.clone()].iter().map(what).max();
        let most = [of(|c| c.puts), of(|c| c.gets), of(|c| c.bytes)];
        most.map(|most| most.expect("there are some"))
    };
    let (first, leader, other) = (most(0..1), most(EACH..EACH + 1), most(EACH + 1..2 * EACH));
    println!(
        "puts, gets and bytes of rank 0: {first:?}, of a leader: {leader:?}, of another: {other:?}"
    );
    assert!(first[0] == 4 && first[1] == SIZE + 4, "{first:?}");
    assert!(leader[1] == 4 && leader[2] < 600 << 10, "{leader:?}");
    assert!(other[1] == 3 && other[2] < 8 << 10, "{other:?}");
}

/// Rank 0 asks for one value of each process. All ask where the nodes are, for their leader's files and for the secret;
/// the leaders of nodes, for the contacts as well.
#[test]
fn few_values_are_asked_for() {
    let nodes = (0..64).map(|rank| Some(["a", "b", "c", "d"][rank / 16]));
    let found = attached(&nodes.collect::<Vec<_>>());
    let asked = found.into_iter().map(|found| found.unwrap().1);
    let leads = |rank: usize| usize::from(rank.is_multiple_of(16));
    let expected = (0..64).map(|rank| 3 + leads(rank) + if rank == 0 { 64 } else { 0 });
    assert!(asked.eq(expected));
}

use crate::garbage_tests::{cases, noise};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(100))]
    /// Cards that other processes have left, or somebody else.
    #[test]
    fn any_card_is_one_or_none(
        card in prop_oneof![
            "([a-z]{1,3}|[0-9]{1,3}|:|[0-9a-f]{2}|.){0,20}".prop_map(String::into_bytes),
            noise(30),
        ],
    ) {
        let _ = Spot::from_bytes(&card);
        let text = String::from_utf8_lossy(&card);
        if let Some(told) = Told::from_text(&text) {
            prop_assert_eq!(Told::from_text(&told.to_text()), Some(told));
        }
        if let Some(bytes) = directory::unhex(&text) {
            prop_assert!(bytes.len() <= text.len());
        }
    }
}
