//! The PMI-1 server: a pure state machine, bytes of a rank in, actions out.
//!
//! Job: what MPICH's, Intel's, NVSHMEM's and our own library ask of a launcher (`cmd=... key=value` lines),
//! and our private `anympi_segment`. It does no input or output and never panics on what a rank sends:
//! bad bytes become `Action::Broken` for that rank. Several programs may run one after the other in one
//! rank's process tree; each `init` begins a new round with key-value space and barriers of its own.
//! Ranks come through `pmi/clients.rs`, which keeps a copy of the space on their host, and understands PMI-2.

pub mod clients;
mod version2;

use anympi_core::boot::order::{self, Order, Reader};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longest line a rank may send. PMI-1 values have at most 1024 bytes; this leaves room for spawn arguments.
const LINE_MAX: usize = 64 * 1024;
/// Bound on the memory one round's key-value space may take.
const SPACE_MAX: usize = 256 * 1024 * 1024;

/// What the launcher has to do after feeding bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Send this line to the rank.
    Reply { rank: usize, line: Vec<u8> },
    /// Send this line with the shared memory segment of `(round, index)` attached.
    Segment {
        rank: usize,
        round: usize,
        index: u64,
        line: Vec<u8>,
    },
    /// The rank has ordered programs to be started.
    Spawn { rank: usize, order: Box<Order> },
    /// The rank asks about names of services, with this line.
    Name { rank: usize, line: Vec<u8> },
    /// The rank asked to end the whole job.
    Abort {
        rank: usize,
        code: i32,
        message: String,
    },
    /// The rank broke the protocol; why.
    Broken { rank: usize, why: String },
}

/// Where one rank is in its life as a PMI client.
#[derive(Debug, Default)]
struct Client {
    pending: Vec<u8>,
    /// Number of `init` seen so far; the current round is one less.
    inits: usize,
    active: bool,
    /// The `init` after which it has initialised the world model, so that it counts on every rank's doing the
    /// same; 0 for none.
    world: usize,
    /// Worlds that it has initialised.
    worlds: usize,
    broken: bool,
    /// An order of several lines that it has begun.
    order: Option<Reader>,
    /// Jobs of its that have ended before they came to MPI, and how.
    ended: Vec<String>,
}

/// What belongs to one `init`..`finalize` round of the job.
#[derive(Debug, Default)]
struct Round {
    space: HashMap<Vec<u8>, Vec<u8>>,
    /// Keys in the order in which they were put, for those who keep copies.
    puts: Vec<Vec<u8>>,
    bytes: usize,
    /// Ranks waiting in a barrier, by its host, if it is one of a node, and group.
    barriers: BTreeMap<(usize, Vec<u8>), Barrier>,
}

#[derive(Debug)]
struct Barrier {
    missing: BTreeSet<usize>,
    /// In the order in which they came.
    arrived: Vec<usize>,
}

/// One job's server.
pub struct Server {
    size: usize,
    universe: i64,
    name: String,
    /// What only processes of the job know.
    secret: String,
    appnums: Vec<usize>,
    /// The host of each rank.
    hosts: Vec<usize>,
    clients: Vec<Client>,
    rounds: BTreeMap<usize, Round>,
    services: HashMap<Vec<u8>, Vec<u8>>,
    /// What every first round begins with.
    given: Pairs,
    dead: Vec<usize>,
    gone: Vec<bool>,
    /// Barriers do not wait for ranks that have ended.
    tolerant: bool,
}

/// Keys and values.
pub type Pairs = Vec<(Vec<u8>, Vec<u8>)>;
type Fields<'a> = Vec<(&'a [u8], &'a [u8])>;

impl Server {
    /// A server for `appnums.len()` ranks; `appnums[r]` is the number of the program that rank `r` runs, on one host.
    /// `tolerant`: the job goes on when ranks fail, so barriers do not wait for them.
    pub fn new(name: &str, appnums: Vec<usize>, universe: i64, tolerant: bool) -> Self {
        let size = appnums.len();
        Server {
            size,
            universe,
            name: name.to_owned(),
            secret: String::new(),
            hosts: vec![0; size],
            appnums,
            clients: (0..size).map(|_| Client::default()).collect(),
            rounds: BTreeMap::new(),
            services: HashMap::new(),
            given: Vec::new(),
            dead: Vec::new(),
            gone: vec![false; size],
            tolerant,
        }
    }

    /// The hosts of the ranks.
    #[must_use]
    pub fn on(self, hosts: Vec<usize>) -> Self {
        Server { hosts, ..self }
    }

    /// What ranks get that ask for `PMI_anympi_secret`.
    #[must_use]
    pub fn with_secret(self, secret: String) -> Self {
        Server { secret, ..self }
    }

    /// What the processes find that join first: keys and values that were given with their spawn.
    #[must_use]
    pub fn with_values(self, values: &[(String, String)]) -> Self {
        let pair = |(k, v): &(String, String)| (k.clone().into_bytes(), v.clone().into_bytes());
        Server {
            given: values.iter().map(pair).collect(),
            ..self
        }
    }

    /// A job that this rank has spawned has ended before it came to MPI.
    pub fn note_ended(&mut self, rank: usize, how: String) {
        self.clients[rank].ended.push(how);
    }

    /// Whether some rank has initialised the world model.
    pub fn has_world(&self) -> bool {
        self.clients.iter().any(|c| c.worlds > 0)
    }

    /// A rank's round, and what has been put in it, but for the first `known`.
    pub fn puts(&self, rank: usize, known: &HashMap<usize, usize>) -> Option<(usize, Pairs)> {
        let round = self.clients[rank].inits.checked_sub(1)?;
        let of = self.rounds.get(&round)?;
        let new = &of.puts[known.get(&round).copied().unwrap_or(0)..];
        let pair = |key: &Vec<u8>| Some((key.clone(), of.space.get(key)?.clone()));
        Some((round, new.iter().filter_map(pair).collect()))
    }

    /// True between a rank's `init` and its `finalize`.
    pub fn active(&self, rank: usize) -> bool {
        self.clients[rank].active
    }

    /// True once a rank has taken part and has left.
    pub fn finalized(&self, rank: usize) -> bool {
        self.clients[rank].inits > 0 && !self.clients[rank].active
    }

    /// Whether anybody has ever joined as this rank.
    pub fn spoke(&self, rank: usize) -> bool {
        self.clients[rank].inits > 0
    }

    /// Whether this rank is over.
    pub fn is_gone(&self, rank: usize) -> bool {
        self.gone[rank]
    }

    /// What comes next for a rank comes on a new connection.
    pub fn new_connection(&mut self, rank: usize) {
        let client = &mut self.clients[rank];
        client.pending.clear();
        client.order = None;
    }

    /// Notes that a rank's process has ended. `failed`: it counts as dead for those that ask.
    pub fn ended(&mut self, rank: usize, failed: bool) -> Vec<Action> {
        self.gone[rank] = true;
        self.clients[rank].active = false;
        if failed && !self.dead.contains(&rank) {
            self.dead.push(rank);
            self.dead.sort_unstable();
        }
        let mut actions = Vec::new();
        let rounds: Vec<usize> = self.rounds.keys().copied().collect();
        if self.tolerant {
            for round in rounds {
                self.open_barriers(round, &mut actions);
            }
        }
        actions
    }

    /// Whether some rank waits for another that has ended and so can never come: in a barrier, or in the
    /// world that both should have initialised.
    pub fn stuck(&self) -> Option<String> {
        if self.tolerant {
            return None;
        }
        let all = self.clients.iter().enumerate().rev();
        let waiting = all.filter(|(_, c)| c.active && c.world == c.inits);
        if let Some((waits, last)) = waiting.max_by_key(|(_, c)| c.worlds) {
            let absent = |&r: &usize| self.gone[r] && self.clients[r].worlds < last.worlds;
            if let Some(rank) = (0..self.size).find(absent) {
                return Some(format!(
                    "rank {waits} has called MPI_Init, and rank {rank} has ended without calling it"
                ));
            }
        }
        for round in self.rounds.values() {
            for barrier in round.barriers.values() {
                if let Some(rank) = barrier.missing.iter().find(|rank| self.gone[**rank]) {
                    return Some(format!(
                        "rank {} waits in MPI_Init or MPI_Finalize for rank {rank}, which has ended without taking part",
                        barrier.arrived[0]
                    ));
                }
            }
        }
        None
    }

    /// Takes bytes that a rank sent.
    pub fn feed(&mut self, rank: usize, bytes: &[u8]) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.clients[rank].broken {
            return actions;
        }
        self.clients[rank].pending.extend_from_slice(bytes);
        let mut pending = std::mem::take(&mut self.clients[rank].pending);
        let mut start = 0;
        while let Some(end) = pending[start..].iter().position(|&b| b == b'\n') {
            let line = &pending[start..start + end];
            start += end + 1;
            let result = if line.len() > LINE_MAX {
                Err(too_long())
            } else {
                self.line(rank, line, &mut actions)
            };
            if let Err(why) = result {
                self.break_off(rank, why, &mut actions);
                return actions;
            }
        }
        pending.drain(..start);
        if pending.len() > LINE_MAX {
            self.break_off(rank, too_long(), &mut actions);
            return actions;
        }
        self.clients[rank].pending = pending;
        actions
    }

    fn break_off(&mut self, rank: usize, why: String, actions: &mut Vec<Action>) {
        self.clients[rank].broken = true;
        actions.push(Action::Broken { rank, why });
    }

    fn line(&mut self, rank: usize, line: &[u8], actions: &mut Vec<Action>) -> Result<(), String> {
        if self.clients[rank].order.is_some() || line == order::FIRST.as_bytes() {
            return self.order_line(rank, line, actions);
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Ok(());
        }
        if line.starts_with(b"mcmd=") {
            return Err(format!("unknown command '{}'", shown(line)));
        }
        let fields = fields(line)?;
        let command = get(&fields, b"cmd").ok_or_else(|| {
            format!(
                "a line begins with cmd=NAME, but this came: '{}'",
                shown(line)
            )
        })?;
        self.command(rank, command, &fields, line, actions)
    }

    fn command(
        &mut self,
        rank: usize,
        command: &[u8],
        fields: &Fields,
        line: &[u8],
        actions: &mut Vec<Action>,
    ) -> Result<(), String> {
        let mut reply = |text: String| {
            actions.push(Action::Reply {
                rank,
                line: text.into_bytes(),
            });
        };
        if command == b"init" {
            reply(self.init(rank, fields));
            return Ok(());
        }
        if command == b"abort" {
            // Our own library adds what the program passed to what a process can end with.
            let code = get(fields, b"anympi_code").or(get(fields, b"exitcode"));
            let code = code.and_then(number).unwrap_or(1);
            let message = line
                .windows(9)
                .position(|w| w == b" message=")
                .map(|at| shown(&line[at + 9..]))
                .unwrap_or_default();
            actions.push(Action::Abort {
                rank,
                code: code as i32,
                message,
            });
            return Ok(());
        }
        if !self.clients[rank].active {
            return Err(format!("'{}' before init", shown(command)));
        }
        let round = self.clients[rank].inits - 1;
        match command {
            b"get_maxes" => {
                reply("cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024\n".into());
            }
            b"get_appnum" => {
                reply(format!("cmd=appnum rc=0 appnum={}\n", self.appnums[rank]));
            }
            b"get_universe_size" => {
                reply(format!("cmd=universe_size rc=0 size={}\n", self.universe));
            }
            b"get_my_kvsname" => {
                reply(format!(
                    "cmd=my_kvsname rc=0 kvsname={}_{round}\n",
                    self.name
                ));
            }
            b"put" => reply(self.put(round, fields)),
            b"get" => {
                let line = self.get(round, fields);
                actions.push(Action::Reply { rank, line });
            }
            b"barrier_in" => self.barrier(rank, round, fields, actions)?,
            b"publish_name" | b"unpublish_name" | b"lookup_name" => {
                let line = line.to_vec();
                actions.push(Action::Name { rank, line });
            }
            b"spawn" => reply(NO_SPAWN.into()),
            b"anympi_spawned" => {
                let ended = &mut self.clients[rank].ended;
                let how = match ended.is_empty() {
                    true => String::new(),
                    false => format!(" ended={}", crate::parent::value(&ended.remove(0))),
                };
                reply(format!("cmd=anympi_spawned_result rc=0{how}\n"));
            }
            b"finalize" => {
                self.clients[rank].active = false;
                reply("cmd=finalize_ack rc=0\n".into());
                self.forget_rounds();
            }
            b"anympi_world" => {
                let client = &mut self.clients[rank];
                client.world = client.inits;
                client.worlds += 1;
            }
            b"anympi_segment" => {
                let index = get(fields, b"round").and_then(number).unwrap_or(-1);
                match u64::try_from(index) {
                    Ok(index) => actions.push(Action::Segment {
                        rank,
                        round,
                        index,
                        line: b"cmd=anympi_segment_result rc=0\n".to_vec(),
                    }),
                    Err(_) => {
                        reply("cmd=anympi_segment_result rc=1 msg=round_is_not_a_number\n".into())
                    }
                }
            }
            _ => return Err(format!("unknown command '{}'", shown(command))),
        }
        Ok(())
    }

    fn init(&mut self, rank: usize, fields: &Fields) -> String {
        let version = get(fields, b"pmi_version").unwrap_or(b"1");
        let refuse = |msg: &str| {
            format!("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 msg={msg}\n")
        };
        if version != b"1" {
            return refuse("only_PMI_version_1_is_served");
        }
        let client = &mut self.clients[rank];
        if client.active {
            return refuse(ANOTHER);
        }
        client.active = true;
        client.inits += 1;
        let first = client.inits == 1;
        let round = self.rounds.entry(client.inits - 1).or_default();
        if first && round.puts.is_empty() {
            round.puts = self.given.iter().map(|(key, _)| key.clone()).collect();
            round.space = self.given.iter().cloned().collect();
        }
        "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n".into()
    }

    fn put(&mut self, round: usize, fields: &Fields) -> String {
        let refuse = |msg: &str| format!("cmd=put_result rc=1 msg={msg}\n");
        let (Some(key), Some(value)) = (get(fields, b"key"), get(fields, b"value")) else {
            return refuse("put_needs_key_and_value");
        };
        if key.starts_with(b"PMI_") {
            return refuse("keys_that_begin_with_PMI__are_reserved");
        }
        let round = self.rounds.entry(round).or_default();
        round.bytes += 2 * key.len() + value.len();
        if round.bytes > SPACE_MAX {
            return refuse("the_key_value_space_is_full");
        }
        round.puts.push(key.to_vec());
        round.space.insert(key.to_vec(), value.to_vec());
        "cmd=put_result rc=0\n".into()
    }

    fn get(&self, round: usize, fields: &Fields) -> Vec<u8> {
        let Some(key) = get(fields, b"key") else {
            return b"cmd=get_result rc=1 msg=get_needs_a_key\n".to_vec();
        };
        let reserved = match key {
            b"PMI_process_mapping" => Some(mapping(&self.hosts)),
            b"PMI_anympi_secret" if !self.secret.is_empty() => Some(self.secret.clone()),
            b"PMI_dead_processes" => Some(ranges(&self.dead)),
            b"universeSize" => Some(self.universe.to_string()),
            _ => None,
        };
        let value = match &reserved {
            Some(text) => Some(text.as_bytes()),
            None => self
                .rounds
                .get(&round)
                .and_then(|r| r.space.get(key))
                .map(Vec::as_slice),
        };
        match value {
            Some(value) => [b"cmd=get_result rc=0 value=", value, b"\n"].concat(),
            None => [b"cmd=get_result rc=1 msg=key_", key, b"_not_found\n"].concat(),
        }
    }

    /// `barrier_in [group=WORLD:tag | NODE:tag | r,r,...:tag]`.
    fn barrier(
        &mut self,
        rank: usize,
        round: usize,
        fields: &Fields,
        actions: &mut Vec<Action>,
    ) -> Result<(), String> {
        let group = get(fields, b"group").unwrap_or(b"WORLD");
        let who = group.split(|&b| b == b':').next().unwrap_or(group);
        let host = self.hosts[rank];
        let (size, hosts) = (self.size, &self.hosts);
        let members = || match who {
            b"WORLD" => Ok((0..size).collect()),
            b"NODE" => Ok((0..size).filter(|&r| hosts[r] == host).collect()),
            list => members(list, size)
                .ok_or_else(|| format!("barrier over the unknown group '{}'", shown(group))),
        };
        let barriers = &mut self.rounds.entry(round).or_default().barriers;
        let at = if who == b"NODE" { host } else { 0 };
        let barrier = match barriers.entry((at, group.to_vec())) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(new) => {
                let missing = members()?;
                if !missing.contains(&rank) {
                    return Err(no_member(group));
                }
                new.insert(Barrier {
                    missing,
                    arrived: Vec::new(),
                })
            }
        };
        if !barrier.missing.remove(&rank) {
            return Err(match barrier.arrived.contains(&rank) {
                true => "a second barrier_in before the first was answered".into(),
                false => no_member(group),
            });
        }
        barrier.arrived.push(rank);
        self.open_barriers(round, actions);
        Ok(())
    }

    /// Answers the barriers of a round at which nobody is missing any more.
    fn open_barriers(&mut self, round: usize, actions: &mut Vec<Action>) {
        let Some(round) = self.rounds.get_mut(&round) else {
            return;
        };
        let (gone, tolerant) = (&self.gone, self.tolerant);
        round.barriers.retain(|(_, group), barrier| {
            let complete = match tolerant {
                true => barrier.missing.iter().all(|rank| gone[*rank]),
                false => barrier.missing.is_empty(),
            };
            if !complete {
                return true;
            }
            let mut line = b"cmd=barrier_out rc=0".to_vec();
            if let Some(at) = group.iter().position(|&b| b == b':') {
                line.extend_from_slice(b" tag=");
                line.extend_from_slice(&group[at + 1..]);
            }
            line.push(b'\n');
            for &rank in &barrier.arrived {
                actions.push(Action::Reply {
                    rank,
                    line: line.clone(),
                });
            }
            false
        });
    }

    /// Answers a line that asks about names of services.
    pub fn name(&mut self, line: &[u8]) -> Vec<u8> {
        let fields = fields(line).unwrap_or_default();
        let name = get(&fields, b"service").unwrap_or_default().to_vec();
        match get(&fields, b"cmd").unwrap_or_default() {
            b"publish_name" => {
                let port = get(&fields, b"port").unwrap_or_default().to_vec();
                if self.services.contains_key(&name) {
                    return b"cmd=publish_result rc=1 info=ok msg=name_is_already_published\n"
                        .to_vec();
                }
                self.services.insert(name, port);
                b"cmd=publish_result rc=0 info=ok\n".to_vec()
            }
            b"unpublish_name" => match self.services.remove(&name) {
                Some(_) => b"cmd=unpublish_result rc=0 info=ok\n".to_vec(),
                None => b"cmd=unpublish_result rc=1 info=ok msg=name_is_not_published\n".to_vec(),
            },
            _ => match self.services.get(&name) {
                Some(port) => [
                    b"cmd=lookup_result rc=0 info=ok port=",
                    port.as_slice(),
                    b"\n",
                ]
                .concat(),
                None => b"cmd=lookup_result rc=1 info=ok msg=name_is_not_published\n".to_vec(),
            },
        }
    }

    /// A line of an order, which may have many.
    fn order_line(
        &mut self,
        rank: usize,
        line: &[u8],
        actions: &mut Vec<Action>,
    ) -> Result<(), String> {
        let client = &mut self.clients[rank];
        if !client.active {
            return Err(format!("'{}' before init", order::FIRST));
        }
        let reader = client.order.get_or_insert_default();
        if reader.line(line)? {
            // Nobody waits for an earlier one any more.
            client.ended.clear();
            let order = client.order.take().map(Reader::order).unwrap_or_default();
            let order = Box::new(order);
            actions.push(Action::Spawn { rank, order });
        }
        Ok(())
    }

    /// Drops what no rank can ask for any more.
    fn forget_rounds(&mut self) {
        let clients = &self.clients;
        self.rounds.retain(|&round, _| {
            clients
                .iter()
                .any(|c| c.inits <= round || (c.inits == round + 1 && c.active))
        });
    }
}

const ANOTHER: &str = "another_process_of_this_rank_has_called_MPI_Init_and_not_yet_MPI_Finalize";

/// The answer to whoever speaks for a rank while another process is that rank.
pub fn another_is_the_rank() -> Vec<u8> {
    format!("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=1 msg={ANOTHER}\n").into_bytes()
}

const NO_SPAWN: &str = "cmd=spawn_result rc=1 msg=the_launcher_does_not_start_further_processes\n";

fn no_member(group: &[u8]) -> String {
    format!("barrier over '{}', of which it is no member", shown(group))
}

fn too_long() -> String {
    format!("a line longer than {LINE_MAX} bytes")
}

/// `key=value` pairs separated by blanks; a backslash keeps the next byte. Values stay as they were sent,
/// so what one rank escaped, another gets escaped.
fn fields(line: &[u8]) -> Result<Fields<'_>, String> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if line[at] == b' ' {
            at += 1;
            continue;
        }
        let start = at;
        while at < line.len() && line[at] != b' ' {
            at += if line[at] == b'\\' { 2 } else { 1 };
        }
        at = at.min(line.len());
        let word = &line[start..at];
        match word.iter().position(|&b| b == b'=') {
            Some(equals) => out.push((&word[..equals], &word[equals + 1..])),
            // A blank that was not escaped in a free text (abort's message): a word of its own.
            None if !out.is_empty() => out.push((word, &word[word.len()..])),
            None => {
                return Err(format!(
                    "a line begins with cmd=NAME, but this came: '{}'",
                    shown(line)
                ));
            }
        }
    }
    Ok(out)
}

fn get<'a>(fields: &Fields<'a>, key: &[u8]) -> Option<&'a [u8]> {
    fields.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)
}

fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// `0,2-4` as ranks below `size`, without doubles.
fn members(list: &[u8], size: usize) -> Option<BTreeSet<usize>> {
    let mut out = BTreeSet::new();
    for part in std::str::from_utf8(list).ok()?.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last >= size {
            return None;
        }
        out.extend(first..=last);
    }
    Some(out)
}

/// The hosts of the ranks as MPICH writes them: `(vector,(host,hosts,ranks),...)`, where so many hosts from that one on
/// have so many consecutive ranks each.
fn mapping(hosts: &[usize]) -> String {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for group in hosts.chunk_by(|a, b| a == b) {
        let (host, count) = (group[0], group.len());
        match runs.last_mut() {
            Some((first, many, each)) if *each == count && *first + *many == host => *many += 1,
            _ => runs.push((host, 1, count)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|(first, many, each)| format!("({first},{many},{each})"))
        .collect();
    format!("(vector,{})", runs.join(","))
}

/// Sorted ranks as `1,4-6`.
pub fn ranges(ranks: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &rank in ranks {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => parts.push((rank, rank)),
        }
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|(a, b)| {
            if a == b {
                a.to_string()
            } else {
                format!("{a}-{b}")
            }
        })
        .collect();
    texts.join(",")
}

/// Bytes for a message: printable, bounded.
fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(200)];
    let text: String = String::from_utf8_lossy(cut)
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if cut.len() < bytes.len() {
        text + "..."
    } else {
        text
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod scale;
