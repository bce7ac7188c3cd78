//! What passes between mpiexec and its nodes when many ranks start: the real server and the real clients, without hosts.

use super::clients::Clients;
use super::{Action, Server};
use std::collections::HashMap;

const HOSTS: usize = 512;
const EACH: usize = 32;
const SIZE: usize = HOSTS * EACH;
/// Values in which rank 0 tells where all ranks run, and how they are reached.
const NODES: usize = 5;
const CONTACTS: usize = 620;

#[derive(Debug, Default)]
struct Traffic {
    /// Lines that ranks have sent.
    lines: usize,
    /// Those that went on to mpiexec, and their bytes.
    up: (usize, usize),
    /// Answers of mpiexec, and their bytes.
    down: (usize, usize),
    /// Bytes of keys and values that it has sent to one node before they were asked for: all nodes get the same.
    copied: usize,
}

struct Job {
    server: Server,
    nodes: Vec<Clients>,
    known: [HashMap<usize, usize>; 2],
    traffic: Traffic,
}

impl Job {
    fn say(&mut self, rank: usize, line: &str) {
        self.traffic.lines += 1;
        let said = self.nodes[rank / EACH].feed(rank % EACH, format!("{line}\n").as_bytes());
        if said.forward.is_empty() {
            assert_eq!(said.answers.len(), 1, "{line}");
            return;
        }
        self.traffic.up.0 += 1;
        self.traffic.up.1 += said.forward.len();
        for action in self.server.feed(rank, &said.forward) {
            let Action::Reply { rank, line } = action else {
                panic!("{line}: {action:?}");
            };
            if line.starts_with(b"cmd=barrier_out") {
                self.copy(rank);
            }
            self.traffic.down.0 += 1;
            self.traffic.down.1 += line.len();
            self.nodes[rank / EACH].answered(rank % EACH, line);
        }
    }

    /// Before the first rank of a node leaves a barrier, the node gets what was put until then. There is not the memory
    /// here for all nodes: the first two do.
    fn copy(&mut self, rank: usize) {
        let node = rank / EACH;
        if node > 1 {
            return;
        }
        if let Some((round, pairs)) = self.server.puts(rank, &self.known[node])
            && !pairs.is_empty()
        {
            *self.known[node].entry(round).or_default() += pairs.len();
            let bytes = pairs.iter().map(|(key, value)| key.len() + value.len());
            if node == 1 {
                self.traffic.copied += bytes.sum::<usize>();
            }
            self.nodes[node].take(round, pairs);
        }
    }

    fn all(&mut self, line: &str) {
        (0..SIZE).for_each(|rank| self.say(rank, line));
    }

    fn get(&mut self, rank: usize, key: &str) {
        self.say(rank, &format!("cmd=get kvsname=many_0 key={key}"));
    }
}

/// Each rank costs mpiexec a constant number of lines. Each node is sent what all ranks have put.
#[test]
fn a_start_of_many_ranks() {
    let hosts = (0..SIZE).map(|rank| rank / EACH).collect();
    let mut job = Job {
        server: Server::new("many", vec![0; SIZE], SIZE as i64, false).on(hosts),
        nodes: (0..HOSTS)
            .map(|host| Clients::new((host * EACH..(host + 1) * EACH).collect(), SIZE))
            .collect(),
        known: Default::default(),
        traffic: Traffic::default(),
    };
    job.all("cmd=init pmi_version=1 pmi_subversion=1");
    job.all("cmd=get_appnum");
    job.all("cmd=get_universe_size");
    job.all("cmd=get_my_kvsname");
    let card = "0123456789abcdef:4000000:8:9:040a00000112340406000001";
    for rank in 0..SIZE {
        let key = format!("anympi-node-{rank}");
        job.say(
            rank,
            &format!("cmd=put kvsname=many_0 key={key} value={card}"),
        );
    }
    job.all("cmd=barrier_in");
    (0..SIZE).for_each(|rank| job.get(0, &format!("anympi-node-{rank}")));
    let value = "1".repeat(768);
    for number in 0..NODES + CONTACTS {
        let key = format!("anympi-contacts{number}-0");
        job.say(
            0,
            &format!("cmd=put kvsname=many_0 key={key} value={value}"),
        );
    }
    job.all("cmd=barrier_in");
    for rank in 0..2 * EACH {
        (0..NODES).for_each(|number| job.get(rank, &format!("anympi-contacts{number}-0")));
        job.get(rank, &format!("anympi-node-{}", rank / EACH * EACH));
    }
    job.all("cmd=barrier_in");
    job.all("cmd=finalize");
    println!("{:?}", job.traffic);
    let Traffic { up, down, .. } = job.traffic;
    // init, three questions, a value, three barriers and the end.
    assert_eq!(up.0, 9 * SIZE + NODES + CONTACTS);
    assert_eq!(down.0, up.0);
    let values = SIZE * 80 + (NODES + CONTACTS) * 1000;
    assert!(job.traffic.copied < values, "{:?}", job.traffic);
}
