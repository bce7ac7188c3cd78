//! The ranks of one node as clients of the PMI server, which may be on another host.
//!
//! Job: cut what ranks send into lines, and answer from a copy of the key-value space what was handed out at the
//! last barrier. Everything else it passes on, in order. It also notes which ranks have joined. For those that speak PMI-2
//! `version2.rs` translates; what they share by node is kept here. Pure: bytes in, bytes out.

use super::version2::{Frame, Speaker};
use super::{LINE_MAX, fields, get};
use std::collections::HashMap;

/// The longest key and value that a rank may put for its node, in bytes, and how many of them there may be.
const VALUE_MAX: usize = 1024;
const SHARED_MAX: usize = 1 << 16;

#[derive(Debug, Default)]
struct Client {
    pending: Vec<u8>,
    /// If it speaks PMI-2.
    speaker: Option<Speaker>,
    /// What it waits for that a rank of this node will put.
    waits: Vec<Frame>,
    /// Requests that have been passed on and not been answered.
    awaited: usize,
    /// Rounds that the server has let it into.
    rounds: usize,
    joined: bool,
    active: bool,
    /// In the lines of an order, which are not for us.
    ordering: bool,
}

/// What is to be done with what a rank has sent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// For the server.
    pub forward: Vec<u8>,
    /// For ranks of this node.
    pub answers: Vec<(usize, Vec<u8>)>,
    /// It asks for the end of the job, or may cause it by what it has sent.
    pub ends: bool,
}

pub struct Clients {
    clients: Vec<Client>,
    /// Their ranks in the job, and how many that has.
    ranks: Vec<usize>,
    size: usize,
    copy: HashMap<usize, HashMap<Vec<u8>, Vec<u8>>>,
    /// What ranks have put for the others of their node, by the round and the key.
    shared: HashMap<(usize, Vec<u8>), Vec<u8>>,
}

impl Clients {
    /// The clients are these ranks of a job of `size`.
    pub fn new(ranks: Vec<usize>, size: usize) -> Clients {
        Clients {
            clients: ranks.iter().map(|_| Client::default()).collect(),
            ranks,
            size,
            copy: HashMap::new(),
            shared: HashMap::new(),
        }
    }

    /// Whether anybody has ever asked to join as this rank.
    pub fn spoke(&self, number: usize) -> bool {
        self.clients[number].joined
    }

    /// Whether this rank has joined and not left.
    pub fn active(&self, number: usize) -> bool {
        self.clients[number].active
    }

    pub fn any_active(&self) -> bool {
        self.clients.iter().any(|c| c.active)
    }

    /// The rank is over.
    pub fn ended(&mut self, number: usize) {
        self.clients[number].active = false;
        self.clients[number].waits.clear();
    }

    /// What comes next comes on a new connection.
    pub fn new_connection(&mut self, number: usize) {
        let client = &mut self.clients[number];
        client.pending.clear();
        client.awaited = 0;
        client.speaker = None;
        client.waits.clear();
        client.ordering = false;
    }

    /// Takes keys and values that the server hands out.
    pub fn take(&mut self, round: usize, pairs: Vec<(Vec<u8>, Vec<u8>)>) {
        // Nobody goes back to an earlier round.
        let first = self.clients.iter().map(|c| c.rounds).min().unwrap_or(0);
        self.copy.retain(|&round, _| round + 1 >= first);
        self.shared.retain(|(round, _), _| *round >= first);
        self.copy.entry(round).or_default().extend(pairs);
    }

    /// Notes what the server answers a rank. Returns what the rank gets.
    pub fn answered(&mut self, number: usize, line: Vec<u8>) -> Vec<u8> {
        let client = &mut self.clients[number];
        client.awaited = match line.starts_with(b"cmd=spawn_result") {
            // An order of several programs has one answer.
            true => 0,
            false => client.awaited.saturating_sub(1),
        };
        if line.starts_with(b"cmd=response_to_init")
            && fields(line.trim_ascii_end()).is_ok_and(|f| get(&f, b"rc") == Some(b"0"))
        {
            client.rounds += 1;
        }
        self.spoken(number, line)
    }

    /// An answer as the rank understands it.
    fn spoken(&mut self, number: usize, line: Vec<u8>) -> Vec<u8> {
        let client = &mut self.clients[number];
        let Some(speaker) = &mut client.speaker else {
            return line;
        };
        let (frame, left) = speaker.answered(&line);
        // Another program of this rank may speak otherwise.
        client.speaker.take_if(|_| left);
        frame
    }

    /// Takes bytes that a rank has sent.
    pub fn feed(&mut self, number: usize, bytes: &[u8]) -> Said {
        let mut said = Said::default();
        let mut pending = std::mem::take(&mut self.clients[number].pending);
        pending.extend_from_slice(bytes);
        let mut rest = pending.as_slice();
        loop {
            if self.clients[number].speaker.is_some() {
                match Frame::first(rest) {
                    Ok(None) => break,
                    Ok(Some((frame, length))) => {
                        rest = &rest[length..];
                        if let Some(frame) = self.by_node(number, frame, &mut said) {
                            self.ask(number, frame, &mut said);
                        }
                    }
                    Err(why) => {
                        // The server says what is wrong with it.
                        said.forward
                            .extend_from_slice(format!("{why}\n").as_bytes());
                        said.ends = true;
                        rest = &[];
                        break;
                    }
                }
                continue;
            }
            let Some(end) = rest.iter().position(|&b| b == b'\n') else {
                break;
            };
            let line = &rest[..end];
            rest = &rest[end + 1..];
            let speaker = Speaker::by(line, self.ranks[number], self.size);
            self.clients[number].speaker = speaker;
            match self.clients[number].speaker {
                Some(_) => self.line(
                    number,
                    b"cmd=init pmi_version=1 pmi_subversion=1",
                    &mut said,
                ),
                None => self.line(number, line, &mut said),
            }
        }
        self.clients[number].pending = rest.to_vec();
        if rest.len() > LINE_MAX {
            // The server says what is wrong with it.
            said.forward.append(&mut self.clients[number].pending);
        }
        said
    }

    /// Answers what ranks of a node ask each other, and returns any other frame.
    fn by_node(&mut self, number: usize, frame: Frame, said: &mut Said) -> Option<Frame> {
        let round = self.clients[number].rounds;
        let key = frame.get("key").unwrap_or_default().to_vec();
        let found: &[(&str, &[u8])] = match frame.command() {
            b"info-putnodeattr" => {
                let value = frame.get("value").unwrap_or_default();
                if key.len().max(value.len()) > VALUE_MAX || self.shared.len() >= SHARED_MAX {
                    let answer = frame.refused("that is more than a rank may put for its node");
                    said.answers.push((number, answer));
                    return None;
                }
                for (other, client) in self.clients.iter_mut().enumerate() {
                    let is_it =
                        |f: &mut Frame| f.get("key") == Some(&key) && client.rounds == round;
                    for asked in client.waits.extract_if(.., is_it) {
                        said.answers.push((other, asked.answered(&found(value))));
                    }
                }
                self.shared.insert((round, key), value.to_vec());
                &[("rc", b"0")]
            }
            b"info-getnodeattr" => match self.shared.get(&(round, key)) {
                Some(value) => &found(value),
                None if frame.get("wait") == Some(b"TRUE") => {
                    self.clients[number].waits.push(frame);
                    return None;
                }
                None => &[("rc", b"0"), ("found", b"FALSE")],
            },
            _ => return Some(frame),
        };
        said.answers.push((number, frame.answered(found)));
        None
    }

    /// Passes on what a rank asks in a frame.
    fn ask(&mut self, number: usize, frame: Frame, said: &mut Said) {
        let speaker = self.clients[number].speaker.as_mut();
        match speaker.map(|speaker| speaker.asks(frame)) {
            Some(Ok(line)) => self.line(number, &line, said),
            Some(Err(answer)) => said.answers.push((number, answer)),
            None => {}
        }
    }

    /// Answers a line, or passes it on.
    fn line(&mut self, number: usize, line: &[u8], said: &mut Said) {
        match self.answer(number, line, &mut said.ends) {
            Some(answer) => {
                let answer = self.spoken(number, answer);
                said.answers.push((number, answer));
            }
            None => {
                said.forward.extend_from_slice(line);
                said.forward.push(b'\n');
            }
        }
    }

    /// The answer to a line, if it is known here.
    fn answer(&mut self, number: usize, line: &[u8], ends: &mut bool) -> Option<Vec<u8>> {
        let client = &mut self.clients[number];
        if client.ordering || line.starts_with(b"mcmd=") {
            client.ordering = line != b"endcmd";
            client.awaited += usize::from(!client.ordering);
            return None;
        }
        let fields = fields(line).unwrap_or_default();
        let command = get(&fields, b"cmd").unwrap_or_default();
        match command {
            b"get" if client.awaited == 0 && client.active => {
                let copy = self.copy.get(&client.rounds.checked_sub(1)?);
                let value = get(&fields, b"key").and_then(|key| copy?.get(key));
                if let Some(value) = value {
                    return Some([b"cmd=get_result rc=0 value=", value.as_slice(), b"\n"].concat());
                }
            }
            b"init" if get(&fields, b"pmi_version").unwrap_or(b"1") == b"1" => {
                client.joined = true;
                client.active = true;
            }
            b"finalize" => client.active = false,
            b"abort" | b"" => *ends = true,
            _ => {}
        }
        let is_answered = !matches!(command, b"anympi_world" | b"abort" | b"");
        client.awaited += usize::from(is_answered);
        None
    }
}

/// The parts of an answer with this value.
fn found(value: &[u8]) -> [(&str, &[u8]); 3] {
    [("rc", b"0"), ("found", b"TRUE"), ("value", value)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gets_are_answered_here_once_all_have_met() {
        let mut clients = Clients::new(vec![0], 1);
        let init = b"cmd=init pmi_version=1 pmi_subversion=1\n";
        assert_eq!(clients.feed(0, init).forward, init);
        assert!(clients.spoke(0) && clients.active(0));
        let line = b"cmd=response_to_init rc=0\n".to_vec();
        assert_eq!(clients.answered(0, line.clone()), line);
        let get = b"cmd=get kvsname=k key=a\n";
        assert_eq!(clients.feed(0, get).forward, get);
        clients.answered(0, b"cmd=get_result rc=1 msg=no\n".to_vec());
        clients.take(0, vec![(b"a".to_vec(), br"x\ y".to_vec())]);
        clients.take(1, vec![(b"a".to_vec(), b"later".to_vec())]);
        let said = clients.feed(0, get);
        assert_eq!(said.forward, b"");
        assert_eq!(
            said.answers,
            [(0, b"cmd=get_result rc=0 value=x\\ y\n".to_vec())]
        );
        // Answers keep the order of the questions.
        let both = [b"cmd=get_appnum\n", get.as_slice()].concat();
        assert_eq!(clients.feed(0, &both).forward, both);
        // What looks like a question within an order is none.
        clients.answered(0, b"cmd=appnum rc=0\n".to_vec());
        clients.answered(0, b"cmd=get_result rc=0\n".to_vec());
        let order = b"mcmd=spawn\narg1=x cmd=get key=a\nendcmd\nmcmd=spawn\nendcmd\n";
        assert_eq!(clients.feed(0, order).forward, order);
        clients.answered(0, b"cmd=spawn_result rc=0 errcodes=0\n".to_vec());
        assert_eq!(clients.feed(0, get).forward, b"");
        assert!(clients.feed(0, b"cmd=abort exitcode=1\n").ends);
        clients.feed(0, b"cmd=finalize\n");
        assert!(!clients.active(0) && clients.spoke(0));
    }

    #[test]
    fn lines_without_end_are_passed_on() {
        let mut clients = Clients::new(vec![0], 1);
        let mut passed = 0;
        for _ in 0..64 {
            passed += clients.feed(0, &[b'x'; 4096]).forward.len();
        }
        assert!(passed > LINE_MAX && clients.clients[0].pending.len() <= LINE_MAX);
    }

    const INIT: &[u8] = b"cmd=init pmi_version=2 pmi_subversion=0\n";

    fn framed(body: &str) -> Vec<u8> {
        format!("{:<6}{body}", body.len()).into_bytes()
    }

    fn joined(clients: &mut Clients, number: usize) {
        let forward = clients.feed(number, INIT).forward;
        assert_eq!(forward, b"cmd=init pmi_version=1 pmi_subversion=1\n");
        clients.answered(number, b"cmd=response_to_init rc=0\n".to_vec());
    }

    fn texts(said: &Said) -> Vec<(usize, String)> {
        let text = |(number, frame): &(usize, Vec<u8>)| {
            (*number, String::from_utf8_lossy(&frame[6..]).into_owned())
        };
        said.answers.iter().map(text).collect()
    }

    #[test]
    fn frames_may_come_in_any_pieces_and_end_with_finalize() {
        let mut clients = Clients::new(vec![4, 6], 8);
        joined(&mut clients, 1);
        clients.take(0, vec![(b"a".to_vec(), b"1".to_vec())]);
        let frames = [
            framed("cmd=kvs-get;key=a;"),
            framed("cmd=kvs-fence;"),
            framed("cmd=finalize;"),
        ];
        let mut forward = Vec::new();
        let mut answers = Vec::new();
        for byte in frames.concat() {
            let said = clients.feed(1, &[byte]);
            answers.extend(texts(&said));
            forward.extend(said.forward);
        }
        let answer = "cmd=kvs-get-response;rc=0;value=1;found=TRUE;".to_owned();
        assert_eq!(answers, [(1, answer)]);
        assert_eq!(forward, b"cmd=barrier_in\ncmd=finalize\n");
        assert!(clients.spoke(1) && !clients.active(1));
        let answer = clients.answered(1, b"cmd=finalize_ack rc=0\n".to_vec());
        assert_eq!(answer, framed("cmd=finalize-response;rc=0;"));
        // The next program of this rank may speak PMI-1.
        let init = b"cmd=init pmi_version=1 pmi_subversion=1\n";
        assert_eq!(clients.feed(1, init).forward, init);
    }

    #[test]
    fn ranks_of_a_node_wait_for_what_others_put() {
        let mut clients = Clients::new(vec![0, 1, 2], 3);
        for number in 0..3 {
            joined(&mut clients, number);
        }
        let get = |wait: &str| framed(&format!("cmd=info-getnodeattr;key=k;wait={wait};"));
        let none = "cmd=info-getnodeattr-response;rc=0;found=FALSE;".to_owned();
        assert_eq!(texts(&clients.feed(0, &get("FALSE"))), [(0, none)]);
        assert_eq!(clients.feed(0, &get("TRUE")), Said::default());
        assert_eq!(clients.feed(1, &get("TRUE")), Said::default());
        clients.ended(1);
        let put = framed("cmd=info-putnodeattr;key=k;value=v;");
        let some = "cmd=info-getnodeattr-response;rc=0;found=TRUE;value=v;".to_owned();
        let put_answer = (2, "cmd=info-putnodeattr-response;rc=0;".to_owned());
        let answers = texts(&clients.feed(2, &put));
        assert_eq!(answers, [(0, some.clone()), put_answer]);
        assert_eq!(texts(&clients.feed(0, &get("FALSE"))), [(0, some)]);
        let long = "x".repeat(VALUE_MAX + 1);
        let put = framed(&format!("cmd=info-putnodeattr;key=k;value={long};"));
        assert!(texts(&clients.feed(2, &put))[0].1.contains("rc=1;errmsg="));
    }

    #[test]
    fn what_is_no_frame_is_for_the_server_to_say() {
        let mut clients = Clients::new(vec![0], 1);
        joined(&mut clients, 0);
        let said = clients.feed(0, b"cmd=get_appnum\n");
        assert!(said.ends && said.forward.starts_with(b"no frame of PMI-2: 'cmd=ge'"));
        assert_eq!(said.forward.iter().filter(|&&b| b == b'\n').count(), 1);
    }

    #[test]
    fn random_frames_never_panic() {
        let mut seed = 1_u64;
        let words = [
            framed("cmd=fullinit;"),
            framed("cmd=kvs-put;key=a;value=;;;;;"),
            framed("cmd=info-getnodeattr;key=;wait=TRUE;"),
            framed("cmd=info-putnodeattr;value=x"),
            framed("cmd=spawn;ncmds=2;subcmd=a;"),
            framed("cmd=finalize;thrid=1;"),
            b"    12".to_vec(),
            b"cmd=abort;".to_vec(),
            INIT.to_vec(),
        ];
        for _ in 0..500 {
            let mut clients = Clients::new(vec![0, 1], 2);
            for _ in 0..40 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let pick = (seed >> 33) as usize;
                let number = pick % 2;
                let random = [(seed >> 40) as u8, (seed >> 48) as u8];
                let said = match pick % 7 {
                    0 => clients.feed(number, &random),
                    _ => clients.feed(number, &words[pick % words.len()]),
                };
                assert!(said.forward.is_empty() || said.forward.ends_with(b"\n"));
                clients.answered(number, b"cmd=get_result rc=0 value=a\\".to_vec());
            }
        }
    }
}
