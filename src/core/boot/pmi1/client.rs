//! PMI-1 as a client: the line protocol that anympi's mpiexec, Hydra and Slurm's pmi2 plug-in speak.
//!
//! One line per query and answer: `cmd=NAME key=value ...`. Every wait has a deadline; an answer that does
//! not fit is an error that shows it. The private query for shared memory goes only to a launcher that
//! says it is anympi's own (`PMI_ANYMPI` in the environment).

use std::collections::HashMap;
use std::net::TcpStream;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use super::super::Program;
use super::super::order::{self, escaped, unescaped};
use crate::error::{Error, Result, class};
use crate::held::Held;
use crate::sys;

/// How long one answer may take. A fence waits for the slowest process to start, so it is generous.
const ANSWER: Duration = Duration::from_secs(600);
/// Longest line that we accept.
const LINE: usize = 64 << 10;

/// A connection to a PMI-1 server.
pub struct Client {
    socket: Held<OwnedFd>,
    /// For PMI_PORT: our number, until the server has told rank and size.
    port_id: Option<usize>,
    ours: bool,
    buffer: Vec<u8>,
    received: Option<OwnedFd>,
    kvs: String,
    /// Between `init` and `finalize`.
    joined: bool,
}

type Answer = HashMap<String, String>;

/// A query as messages show it: without the token, which is a secret.
fn shown(query: &str) -> &str {
    query.trim().split(" token=").next().unwrap_or_default()
}

fn broken(what: impl std::fmt::Display) -> Error {
    Error::new(
        class::OTHER,
        format!("the launcher's PMI-1 connection: {what}"),
    )
}

impl Client {
    /// Speaks to anympi's mpiexec over a connected socket.
    pub fn of_ours(socket: OwnedFd) -> Client {
        Client {
            ours: true,
            ..Client::over(socket)
        }
    }

    /// Speaks over a connected socket that some launcher handed down.
    pub fn over(socket: OwnedFd) -> Client {
        Client {
            socket: Held::new(socket),
            port_id: None,
            ours: false,
            buffer: Vec::new(),
            received: None,
            kvs: String::new(),
            joined: false,
        }
    }

    /// Connects to `host:port` as process `id`.
    pub fn connect(address: &str, id: usize) -> Result<Client> {
        let stream = TcpStream::connect(address)
            .map_err(|error| broken(format!("PMI_PORT='{address}': {error}")))?;
        let mut client = Client::over(stream.into());
        client.port_id = Some(id);
        Ok(client)
    }

    /// Whether the server is anympi's own mpiexec.
    pub fn is_ours(&self) -> bool {
        self.ours
    }

    /// A descriptor to write the abort message to, also from a signal handler.
    pub fn descriptor(&self) -> i32 {
        self.socket.as_raw_fd()
    }

    fn send(&mut self, line: &str) -> Result<()> {
        // A stream of either family writes the same way; MSG_NOSIGNAL keeps SIGPIPE away.
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            let sent = nix::sys::socket::send(
                self.socket.as_raw_fd(),
                rest,
                nix::sys::socket::MsgFlags::MSG_NOSIGNAL,
            );
            match sent {
                Ok(n) => rest = &rest[n..],
                Err(nix::errno::Errno::EINTR) => (),
                Err(errno) => {
                    return Err(broken(format!("cannot send '{}': {errno}", shown(line))));
                }
            }
        }
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                return String::from_utf8(line[..end].to_vec())
                    .map_err(|_| broken("an answer that is not text"));
            }
            if self.buffer.len() > LINE {
                return Err(broken(format!("an answer longer than {LINE} bytes")));
            }
            let mut chunk = [0; 4096];
            let (n, fd) = sys::receive_with_fd(self.socket.as_fd(), &mut chunk, ANSWER)
                .map_err(|error| broken(format!("no answer: {error}")))?;
            if let Some(fd) = fd {
                self.received = Some(fd);
            }
            if n == 0 {
                return Err(broken("the launcher has closed it"));
            }
            self.buffer.extend_from_slice(&chunk[..n]);
        }
    }

    /// Sends a query and waits for the answer called `expected`.
    fn ask(&mut self, query: &str, expected: &str) -> Result<Answer> {
        self.send(query)?;
        self.answer(query, expected)
    }

    fn answer(&mut self, query: &str, expected: &str) -> Result<Answer> {
        let line = self.line()?;
        let answer = parse(&line);
        if answer.get("cmd").map(String::as_str) != Some(expected) {
            return Err(broken(format!(
                "'{}' was answered by '{line}', not by cmd={expected}",
                shown(query)
            )));
        }
        Ok(answer)
    }

    fn checked(&mut self, query: &str, expected: &str) -> Result<Answer> {
        let answer = self.ask(query, expected)?;
        self.accepted(query, answer)
    }

    /// The answer, unless it says that the query has failed.
    fn accepted(&self, query: &str, answer: Answer) -> Result<Answer> {
        match answer.get("rc").map(String::as_str) {
            None | Some("0") => Ok(answer),
            Some(rc) => {
                let message = answer.get("msg").cloned().unwrap_or_default();
                Err(broken(format!(
                    "'{}' failed with rc={rc} {message}",
                    shown(query)
                )))
            }
        }
    }

    /// Introduces this process; returns rank and size.
    pub fn init(&mut self) -> Result<(usize, usize)> {
        let told = |name: &str| {
            std::env::var(name)
                .ok()
                .and_then(|text| text.trim().parse::<usize>().ok())
        };
        let (mut rank, mut size) = (told("PMI_RANK"), told("PMI_SIZE"));
        if let Some(id) = self.port_id {
            self.checked(&format!("cmd=initack pmiid={id}\n"), "initack")?;
            for _ in 0..3 {
                let line = self.line()?;
                let set = parse(&line);
                let value = |name: &str| set.get(name).and_then(|text| text.parse().ok());
                size = value("size").or(size);
                rank = value("rank").or(rank);
            }
        }
        let (Some(rank), Some(size)) = (rank, size) else {
            return Err(broken("PMI_RANK and PMI_SIZE are not in the environment"));
        };
        if rank >= size {
            return Err(broken(format!("PMI_RANK={rank} with PMI_SIZE={size}")));
        }
        self.checked(
            "cmd=init pmi_version=1 pmi_subversion=1\n",
            "response_to_init",
        )?;
        self.joined = true;
        Ok((rank, size))
    }

    /// anympi's mpiexec only, on a connection made by [`door`](crate::boot::door): shows the token of this process's
    /// rank. False: another process is that rank.
    pub fn join(&mut self, token: &str) -> Result<bool> {
        let query = format!("cmd=anympi_join token={token}\n");
        // Who is sent away at once finds the reason there, although nobody takes the query any more.
        let sent = self.send(&query);
        let answer = match (self.answer(&query, "anympi_joined"), sent) {
            (Ok(answer), _) => self.accepted(&query, answer)?,
            (Err(error), sent) => return Err(sent.err().unwrap_or(error)),
        };
        Ok(answer.get("as").is_some_and(|who| who == "rank"))
    }

    /// Number of this program in the command line, if the launcher knows.
    pub fn appnum(&mut self) -> Result<Option<i32>> {
        let answer = self.checked("cmd=get_appnum\n", "appnum")?;
        Ok(answer
            .get("appnum")
            .and_then(|n| n.parse().ok())
            .filter(|&n: &i32| n >= 0))
    }

    /// Processes that the launcher could start, if it knows.
    pub fn universe_size(&mut self) -> Result<Option<i32>> {
        let answer = self.checked("cmd=get_universe_size\n", "universe_size")?;
        Ok(answer
            .get("size")
            .and_then(|n| n.parse().ok())
            .filter(|&n: &i32| n > 0))
    }

    /// anympi's mpiexec only: the memory file that the processes of this job share.
    pub fn segment(&mut self) -> Result<OwnedFd> {
        self.checked("cmd=anympi_segment round=0\n", "anympi_segment_result")?;
        self.received
            .take()
            .ok_or_else(|| broken("the shared memory file did not come along"))
    }

    /// anympi's mpiexec only: from now on this process needs every other one of its world. Should one end
    /// without having said the same, mpiexec ends the job. There is no answer.
    pub fn announce_world(&mut self) -> Result<()> {
        if self.ours {
            self.send("cmd=anympi_world\n")?;
        }
        Ok(())
    }

    /// Name of the key space, which is also the job's.
    pub fn kvs(&mut self) -> Result<String> {
        if self.kvs.is_empty() {
            let mut answer = self.checked("cmd=get_my_kvsname\n", "my_kvsname")?;
            self.kvs = answer
                .remove("kvsname")
                .ok_or_else(|| broken("no name of the key space"))?;
        }
        Ok(self.kvs.clone())
    }

    /// Stores a value for the others; visible after the next [`fence`](Self::fence).
    pub fn put(&mut self, key: &str, value: &str) -> Result<()> {
        let kvs = self.kvs()?;
        self.checked(
            &format!("cmd=put kvsname={kvs} key={key} value={value}\n"),
            "put_result",
        )?;
        Ok(())
    }

    /// A value that somebody stored, or `None`.
    pub fn get(&mut self, key: &str) -> Result<Option<String>> {
        let kvs = self.kvs()?;
        let mut answer = self.ask(&format!("cmd=get kvsname={kvs} key={key}\n"), "get_result")?;
        Ok(answer.remove("value").filter(|_| is_fine(&answer)))
    }

    /// Waits until every process has come here.
    pub fn fence(&mut self) -> Result<()> {
        self.checked("cmd=barrier_in\n", "barrier_out")?;
        Ok(())
    }

    /// Has the launcher start programs. Returns a code for each process, as [`Boot::spawn`](crate::boot::Boot::spawn).
    ///
    /// # Errors
    /// `MPI_ERR_SPAWN`: what the launcher says. `MPI_ERR_OTHER`: the launcher is gone.
    pub fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        let lines = order::lines(programs, values, self.ours)?;
        self.send(&lines)?;
        let answer = self.answer(order::FIRST, "spawn_result")?;
        let commands: Vec<&str> = programs.iter().map(|p| p.command.as_str()).collect();
        match answer.get("rc").map_or("0", String::as_str) {
            "0" => {}
            rc => {
                let why = match answer.get("msg").filter(|text| !text.is_empty()) {
                    Some(text) => text.clone(),
                    None => format!("the launcher says only rc={rc}"),
                };
                crate::fail!(SPAWN, "cannot start {}: {why}", commands.join(", "));
            }
        }
        let asked: usize = programs.iter().map(|program| program.processes).sum();
        let told = answer.get("errcodes").map_or("", String::as_str);
        let mut codes = told.split(',').map(|code| match code.trim() {
            "" | "0" => 0,
            _ => class::SPAWN,
        });
        Ok((0..asked).map(|_| codes.next().unwrap_or(0)).collect())
    }

    /// anympi's mpiexec only: whether a job that this process has spawned has ended before it came to MPI, and how.
    pub fn ended(&mut self) -> Result<Option<String>> {
        let mut answer = self.checked("cmd=anympi_spawned\n", "anympi_spawned_result")?;
        Ok(answer.remove("ended"))
    }

    /// Whether a launcher that serves only the spawned job of this process has said that the job has ended: true and how,
    /// if that was before it came to MPI; false otherwise.
    pub fn word(&mut self) -> Option<(bool, String)> {
        let mut chunk = [0; 4096];
        while !self.buffer.contains(&b'\n') {
            match sys::receive_some(self.socket.as_fd(), &mut chunk) {
                Ok(None) => return None,
                Ok(Some(n)) if n > 0 => self.buffer.extend_from_slice(&chunk[..n]),
                _ => return Some((true, "its mpiexec has ended".into())),
            }
        }
        let mut word = parse(&self.line().ok()?);
        let early = word.get("bound").is_none_or(|bound| bound != "1");
        Some((early, word.remove("msg").unwrap_or_default()))
    }

    /// A launcher that serves only the spawned job of this process hears that this process has left MPI, so that
    /// its end means nothing for the job.
    pub fn leave(&mut self) {
        // It may have ended, with its job.
        let _ = self.send("cmd=finalize\n");
    }

    /// # Errors
    /// `MPI_ERR_SERVICE`: it is published already.
    pub fn publish(&mut self, service: &str, port: &str) -> Result<()> {
        let (name, port) = (escaped(service.as_bytes()), escaped(port.as_bytes()));
        let query = format!("cmd=publish_name service={name} port={port}\n");
        match is_fine(&self.ask(&query, "publish_result")?) {
            true => Ok(()),
            false => crate::fail!(SERVICE, "the service '{service}' is published already"),
        }
    }

    /// The port of a service, if it is published.
    pub fn lookup(&mut self, service: &str) -> Result<Option<String>> {
        let query = format!("cmd=lookup_name service={}\n", escaped(service.as_bytes()));
        let mut answer = self.ask(&query, "lookup_result")?;
        let port = answer.remove("port").filter(|_| is_fine(&answer));
        Ok(port.map(|text| {
            let bytes = unescaped(&text).and_then(|bytes| String::from_utf8(bytes).ok());
            bytes.unwrap_or(text)
        }))
    }

    /// # Errors
    /// `MPI_ERR_SERVICE`: it is not published.
    pub fn unpublish(&mut self, service: &str) -> Result<()> {
        let query = format!(
            "cmd=unpublish_name service={}\n",
            escaped(service.as_bytes())
        );
        match is_fine(&self.ask(&query, "unpublish_result")?) {
            true => Ok(()),
            false => crate::fail!(SERVICE, "the service '{service}' is not published"),
        }
    }

    pub fn finalize(&mut self) -> Result<()> {
        if std::mem::take(&mut self.joined) {
            self.checked("cmd=finalize\n", "finalize_ack")?;
        }
        Ok(())
    }

    /// Comes back after [`finalize`](Self::finalize). Only anympi's own launcher listens that long; others
    /// need not know.
    pub fn rejoin(&mut self) -> Result<()> {
        if self.ours {
            self.init()?;
        }
        Ok(())
    }
}

/// Whether an answer does not say that the query has failed.
fn is_fine(answer: &Answer) -> bool {
    answer.get("rc").is_none_or(|rc| rc == "0")
}

/// Splits `cmd=x key=value ...`; a backslash keeps the next character of a value.
fn parse(line: &str) -> Answer {
    let mut answer = Answer::new();
    let mut chars = line.chars().peekable();
    while chars.peek().is_some() {
        while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
        let mut key = String::new();
        while let Some(c) = chars.next_if(|&c| c != '=' && !c.is_ascii_whitespace()) {
            key.push(c);
        }
        let mut value = String::new();
        if chars.next_if_eq(&'=').is_some() {
            while let Some(c) = chars.next_if(|c| !c.is_ascii_whitespace()) {
                value.push(if c == '\\' {
                    chars.next().unwrap_or('\\')
                } else {
                    c
                });
            }
        }
        if !key.is_empty() {
            answer.insert(key, value);
        }
    }
    answer
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;

    /// Serves one canned answer per query and returns the queries.
    pub fn served(
        answers: &'static [&'static str],
    ) -> (Client, std::thread::JoinHandle<Vec<String>>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = std::thread::spawn(move || {
            let mut reader = BufReader::new(theirs.try_clone().unwrap());
            let mut writer = theirs;
            let mut queries = Vec::new();
            for answer in answers {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                queries.push(line.trim().to_string());
                writer.write_all(answer.as_bytes()).unwrap();
            }
            queries
        });
        (Client::over(ours.into()), server)
    }

    #[test]
    fn values_with_blanks_and_missing_keys() {
        let (mut client, server) = served(&[
            "cmd=my_kvsname rc=0 kvsname=kvs_1\n",
            "cmd=get_result rc=0 value=a\\ b\\\\c\n",
            "cmd=get_result rc=1 msg=no_such_key value=x\n",
            "cmd=barrier_out\n",
        ]);
        assert_eq!(client.get("k").unwrap().as_deref(), Some("a b\\c"));
        assert_eq!(client.get("l").unwrap(), None);
        client.fence().unwrap();
        let queries = server.join().unwrap();
        assert_eq!(queries[1], "cmd=get kvsname=kvs_1 key=k");
    }

    #[test]
    fn a_wrong_or_failed_answer_is_shown() {
        let (mut client, server) = served(&["cmd=nonsense\n", "cmd=put_result rc=-1 msg=full\n"]);
        let error = client.kvs().unwrap_err();
        assert!(error.what().contains("cmd=nonsense"), "{error}");
        client.kvs = "k".into();
        let error = client.put("a", "b").unwrap_err();
        assert!(error.what().contains("rc=-1 full"), "{error}");
        server.join().unwrap();
        assert!(
            client
                .fence()
                .unwrap_err()
                .what()
                .contains("PMI-1 connection")
        );
    }

    use crate::garbage_tests::{cases, noise, within};
    use proptest::prelude::*;

    /// What a launcher may answer: lines that are nearly right, and others.
    fn answers() -> impl Strategy<Value = Vec<u8>> {
        let word = prop_oneof![
            Just("cmd=response_to_init"),
            Just("cmd=get_result"),
            Just("cmd=my_kvsname"),
            Just("cmd=barrier_out"),
            Just("cmd=appnum"),
            Just("cmd=universe_size"),
            Just("cmd=anympi_segment_result"),
            Just("cmd=put_result"),
            Just("cmd=finalize_ack"),
            Just("cmd=initack"),
            Just("cmd=set"),
            Just("rc=0"),
            Just("rc="),
            Just("kvsname=k"),
            Just("value=a\\ b"),
            Just("value=\\"),
            Just("size=4"),
            Just("appnum=-99999999999"),
            Just("="),
            Just("\n"),
        ];
        let piece = prop_oneof![
            6 => word.prop_map(|word| format!("{word} ").into_bytes()),
            3 => Just(b"\n".to_vec()),
            1 => noise(30),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(cases(300))]
        /// Whatever a launcher answers, a process goes on or says what is wrong.
        #[test]
        fn any_answer_is_understood_or_an_error(answers in answers(), long in 0..100usize) {
            let (ours, mut theirs) = UnixStream::pair().unwrap();
            // Longer than any line may be, now and then.
            let long = vec![b'x'; if long == 0 { 2 * LINE } else { 0 }];
            let writer = std::thread::spawn(move || {
                let _ = theirs.write_all(&answers).and_then(|()| theirs.write_all(&long));
                let _ = theirs.shutdown(std::net::Shutdown::Write);
                // What is asked finds room.
                let mut asked = Vec::new();
                let _ = std::io::Read::read_to_end(&mut theirs, &mut asked);
            });
            within(10 * LINE, || {
                let mut client = Client::of_ours(ours.into());
                client.port_id = Some(0);
                let _ = client.init();
                let _ = client.appnum();
                let _ = client.universe_size();
                let _ = client.kvs();
                let _ = client.put("a", "b");
                let _ = client.get("a");
                let _ = client.segment();
                let _ = client.fence();
                let _ = client.finalize();
            });
            writer.join().unwrap();
        }
    }
}
