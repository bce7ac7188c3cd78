//! The ranks of one node as clients of the PMI server, which may be on another host.
//!
//! Job: cut what ranks send into lines, and answer from a copy of the key-value space what was handed out at the
//! last barrier. Everything else it passes on, in order. It also notes which ranks have joined. Pure: bytes in,
//! bytes out.

use super::{LINE_MAX, fields, get};
use std::collections::HashMap;

#[derive(Debug, Default)]
struct Client {
    pending: Vec<u8>,
    /// Requests that have been passed on and not been answered.
    awaited: usize,
    /// Rounds that the server has let it into.
    rounds: usize,
    joined: bool,
    active: bool,
}

/// What is to be done with what a rank has sent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// For the server.
    pub forward: Vec<u8>,
    /// Lines for the rank.
    pub answers: Vec<Vec<u8>>,
    /// It asks for the end of the job, or may cause it by what it has sent.
    pub ends: bool,
}

pub struct Clients {
    clients: Vec<Client>,
    copy: HashMap<usize, HashMap<Vec<u8>, Vec<u8>>>,
}

impl Clients {
    pub fn new(count: usize) -> Clients {
        Clients {
            clients: (0..count).map(|_| Client::default()).collect(),
            copy: HashMap::new(),
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
    }

    /// What comes next comes on a new connection.
    pub fn new_connection(&mut self, number: usize) {
        let client = &mut self.clients[number];
        client.pending.clear();
        client.awaited = 0;
    }

    /// Takes keys and values that the server hands out.
    pub fn take(&mut self, round: usize, pairs: Vec<(Vec<u8>, Vec<u8>)>) {
        // Nobody goes back to an earlier round.
        let first = self.clients.iter().map(|c| c.rounds).min().unwrap_or(0);
        self.copy.retain(|&round, _| round + 1 >= first);
        self.copy.entry(round).or_default().extend(pairs);
    }

    /// Notes what the server answers a rank.
    pub fn answered(&mut self, number: usize, line: &[u8]) {
        let client = &mut self.clients[number];
        client.awaited = client.awaited.saturating_sub(1);
        if line.starts_with(b"cmd=response_to_init")
            && fields(line.trim_ascii_end()).is_ok_and(|f| get(&f, b"rc") == Some(b"0"))
        {
            client.rounds += 1;
        }
    }

    /// Takes bytes that a rank has sent.
    pub fn feed(&mut self, number: usize, bytes: &[u8]) -> Said {
        let mut said = Said::default();
        let client = &mut self.clients[number];
        client.pending.extend_from_slice(bytes);
        let mut pending = std::mem::take(&mut client.pending);
        let mut start = 0;
        while let Some(end) = pending[start..].iter().position(|&b| b == b'\n') {
            let line = &pending[start..start + end];
            start += end + 1;
            match self.answer(number, line, &mut said.ends) {
                Some(answer) => said.answers.push(answer),
                None => {
                    said.forward.extend_from_slice(line);
                    said.forward.push(b'\n');
                }
            }
        }
        pending.drain(..start);
        if pending.len() > LINE_MAX {
            // The server says what is wrong with it.
            said.forward.append(&mut pending);
        }
        self.clients[number].pending = pending;
        said
    }

    /// The answer to a line, if it is known here.
    fn answer(&mut self, number: usize, line: &[u8], ends: &mut bool) -> Option<Vec<u8>> {
        let client = &mut self.clients[number];
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
        let is_answered = !matches!(command, b"anympi_world" | b"abort" | b"") || line == b"endcmd";
        client.awaited += usize::from(is_answered);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gets_are_answered_here_once_all_have_met() {
        let mut clients = Clients::new(1);
        let init = b"cmd=init pmi_version=1 pmi_subversion=1\n";
        assert_eq!(clients.feed(0, init).forward, init);
        assert!(clients.spoke(0) && clients.active(0));
        clients.answered(0, b"cmd=response_to_init rc=0\n");
        let get = b"cmd=get kvsname=k key=a\n";
        assert_eq!(clients.feed(0, get).forward, get);
        clients.answered(0, b"cmd=get_result rc=1 msg=no\n");
        clients.take(0, vec![(b"a".to_vec(), br"x\ y".to_vec())]);
        clients.take(1, vec![(b"a".to_vec(), b"later".to_vec())]);
        let said = clients.feed(0, get);
        assert_eq!(said.forward, b"");
        assert_eq!(
            said.answers,
            [b"cmd=get_result rc=0 value=x\\ y\n".to_vec()]
        );
        // Answers keep the order of the questions.
        let both = [b"cmd=get_appnum\n", get.as_slice()].concat();
        assert_eq!(clients.feed(0, &both).forward, both);
        assert!(clients.feed(0, b"cmd=abort exitcode=1\n").ends);
        clients.feed(0, b"cmd=finalize\n");
        assert!(!clients.active(0) && clients.spoke(0));
    }

    #[test]
    fn lines_without_end_are_passed_on() {
        let mut clients = Clients::new(1);
        let mut passed = 0;
        for _ in 0..64 {
            passed += clients.feed(0, &[b'x'; 4096]).forward.len();
        }
        assert!(passed > LINE_MAX && clients.clients[0].pending.len() <= LINE_MAX);
    }
}
