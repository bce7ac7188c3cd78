//! A launcher that speaks PMI-1: anympi's mpiexec, Hydra, Slurm's pmi2 plug-in.
//!
//! [`Client`] knows the lines of the protocol. Here they become what [`Boot`] promises: every process has
//! keys of its own, and values may be any bytes, of any length.

mod client;

use std::time::{Duration, Instant};

use super::names;
use super::node::Memory;
use super::order::{escaped, unescaped};
use super::{Abort, Boot, Identity, Program, variable};
use crate::error::{Error, Result, class};
use crate::sys;

pub use client::Client;

/// Bytes of a value that are stored under one key. Slurm's plug-in reads a whole query in 1024 bytes.
const PIECE: usize = 768;
/// The last byte of a piece that is not the last one. No escaped value has it.
const MORE: u8 = b'+';
/// Set for processes of a job that another one has spawned; Hydra's name for it.
const SPAWNED: &str = "PMI_SPAWNED";
/// How often the launcher is asked whether a spawned job has ended.
const LOOK: Duration = Duration::from_millis(20);

/// A process of a PMI-1 launcher.
pub struct Pmi1 {
    client: Client,
    identity: Identity,
    /// Slurm's server.
    is_slurm: bool,
    /// Whether the launcher says that all processes run on this node.
    one_node: bool,
    /// When the launcher was last asked about spawned jobs.
    looked: Option<Instant>,
}

impl Pmi1 {
    /// Introduces this process to the launcher.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone, or does not say who this process is.
    pub fn join(mut client: Client) -> Result<Pmi1> {
        let (index, size) = client.init().map_err(|error| {
            let hint = match variable("SLURM_STEP_ID") {
                Some(_) => format!("; {}", super::ONE_PROGRAM),
                None => String::new(),
            };
            Error::new(class::OTHER, format!("{}{hint}", error.what()))
        })?;
        let identity = Identity {
            index,
            size,
            appnum: client.appnum()?,
            universe_size: client.universe_size()?,
            job: client.kvs()?,
        };
        let is_slurm = is_slurms(&identity.job, &variable);
        Ok(Pmi1 {
            one_node: is_on_one_node(size, is_slurm, &variable),
            is_slurm,
            client,
            identity,
            looked: None,
        })
    }
}

type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Whether a server that calls the job so is srun's, and not that of another launcher within a step of srun's, where
/// Slurm's variables are about something else.
fn is_slurms(job: &str, variable: Variable) -> bool {
    let step = variable("SLURM_JOB_ID").zip(variable("SLURM_STEP_ID"));
    step.is_some_and(|(id, step)| job == format!("{id}.{step}"))
}

/// Whether the launcher says that all its processes run on one node.
fn is_on_one_node(size: usize, is_slurm: bool, variable: Variable) -> bool {
    let is = |name, count| variable(name).is_some_and(|text| text.parse() == Ok(count));
    match is_slurm {
        true => is("SLURM_STEP_NUM_NODES", 1),
        false => is("MPI_LOCALNRANKS", size),
    }
}

/// The key of a piece of a value.
fn key_of_piece(key: &str, number: usize) -> String {
    match number {
        0 => key.to_owned(),
        _ => format!("{key}.{number}"),
    }
}

/// The key of a process's value in the key space that it shares with all others, and with the program.
fn key_of(index: usize, key: &str) -> String {
    format!("anympi-{key}-{index}")
}

impl Boot for Pmi1 {
    fn name(&self) -> &'static str {
        match self.is_slurm {
            true => "PMI-1 (Slurm)",
            false => "PMI-1",
        }
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn may_span(&self) -> bool {
        self.identity.size > 1 && !self.one_node
    }

    /// Without --kill-on-bad-exit srun lets the others wait.
    fn ends_with_each(&self) -> bool {
        !self.is_slurm
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        let key = key_of(self.identity.index, key);
        let mut rest = escaped(value);
        let mut number = 0;
        while rest.len() > PIECE {
            let after = rest.split_off(PIECE);
            rest.push(MORE.into());
            self.client.put(&key_of_piece(&key, number), &rest)?;
            (number, rest) = (number + 1, after);
        }
        self.client.put(&key_of_piece(&key, number), &rest)
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let key = key_of(index, key);
        let Some(mut text) = self.client.get(&key)? else {
            return Ok(None);
        };
        let mut number = 0;
        while text.as_bytes().last() == Some(&MORE) {
            text.pop();
            number += 1;
            let key = key_of_piece(&key, number);
            match self.client.get(&key)? {
                Some(piece) => text += &piece,
                None => crate::fail!(OTHER, "the launcher's key space has lost {key}"),
            }
        }
        match unescaped(&text) {
            Some(bytes) => Ok(Some(bytes)),
            None => crate::fail!(
                OTHER,
                "the launcher's key space has '{text}' for {key}, which no process has put there"
            ),
        }
    }

    fn fence(&mut self) -> Result<()> {
        self.client.fence()
    }

    fn memory(&mut self) -> Result<Option<Memory>> {
        if !self.client.is_ours() || self.may_span() {
            return Ok(None);
        }
        let Identity { size, index, .. } = self.identity;
        Ok(Some(Memory::of_all(self.client.segment()?, size, index)))
    }

    fn abort(&self) -> Option<Abort> {
        Some(Abort {
            descriptor: self.client.descriptor(),
            tell: tell_of_abort,
        })
    }

    fn announce_world(&mut self) -> Result<()> {
        self.client.announce_world()
    }

    fn finalize(&mut self) -> Result<()> {
        self.client.finalize()
    }

    fn rejoin(&mut self) -> Result<()> {
        self.client.rejoin()
    }

    fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        let missing = programs.iter().find(|program| is_missing(program));
        // Other launchers may say that all is well, and nobody would ever come.
        if let Some(program) = missing.filter(|_| !self.client.is_ours()) {
            crate::fail!(
                SPAWN,
                "cannot start {}: there is no such program",
                program.command
            );
        }
        self.client.spawn(programs, values)
    }

    fn ended(&mut self) -> Option<String> {
        // Other launchers do not tell: they end all jobs when a process of one fails.
        if !self.client.is_ours() || self.looked.is_some_and(|at| at.elapsed() < LOOK) {
            return None;
        }
        self.looked = Some(Instant::now());
        // That the launcher is gone is noticed elsewhere.
        self.client.ended().ok().flatten()
    }

    fn given(&mut self, key: &str) -> Result<Option<String>> {
        if variable(SPAWNED).is_none() {
            return Ok(None);
        }
        let Some(text) = self.client.get(key)? else {
            return Ok(None);
        };
        let bytes = unescaped(&text).and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(Some(bytes.unwrap_or(text)))
    }

    fn publish(&mut self, service: &str, port: &str) -> Result<()> {
        self.client.publish(service, port)?;
        // For the jobs of other launchers on this host. Another job may have the same name there.
        let _ = names::publish(service, port);
        Ok(())
    }

    fn lookup(&mut self, service: &str) -> Result<Option<String>> {
        match self.client.lookup(service)? {
            None => Ok(names::lookup(service)),
            found => Ok(found),
        }
    }

    fn unpublish(&mut self, service: &str) -> Result<()> {
        let _ = names::unpublish(service);
        self.client.unpublish(service)
    }
}

/// Whether a program is not there, where its hints do not say that it is elsewhere.
fn is_missing(program: &Program) -> bool {
    let elsewhere = ["host", "hosts", "hostfile", "path", "wdir"];
    let is_hint = |(key, _): &(String, String)| elsewhere.contains(&key.as_str());
    if program.info.iter().any(is_hint) {
        return false;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let here = std::path::Path::new(&program.command);
    !here.exists() && !folders.any(|folder| folder.join(here).exists())
}

fn tell_of_abort(descriptor: i32, status: i32, code: i32) {
    let mut line = [0; 48];
    sys::send_raw(descriptor, abort_line(&mut line, status, code));
}

/// `cmd=abort exitcode=N anympi_code=M` without allocating. Every launcher ends with the first; ours names the second,
/// which is what the program passed.
fn abort_line(line: &mut [u8; 48], status: i32, code: i32) -> &[u8] {
    let mut at = 0;
    for (name, number) in [("cmd=abort exitcode=", status), (" anympi_code=", code)] {
        line[at..at + name.len()].copy_from_slice(name.as_bytes());
        at += name.len();
        if number < 0 {
            line[at] = b'-';
            at += 1;
        }
        let first = at;
        let mut rest = number.unsigned_abs();
        loop {
            line[at] = b'0' + (rest % 10) as u8;
            at += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        line[first..at].reverse();
    }
    line[at] = b'\n';
    &line[..=at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abort_line_is_the_number_in_text() {
        for code in [0, 1, 7, 10, 99, 100, 255, 256, -1, i32::MAX, i32::MIN] {
            let mut line = [0; 48];
            assert_eq!(
                abort_line(&mut line, 255, code),
                format!("cmd=abort exitcode=255 anympi_code={code}\n").as_bytes()
            );
        }
    }

    #[test]
    fn programs_are_looked_for_where_they_would_run() {
        let program = |command: &str, key: &str| Program {
            command: command.into(),
            info: vec![(key.into(), "x".into())],
            ..Program::default()
        };
        for (command, key, missing) in [
            ("sh", "soft", false),
            ("/bin/sh", "soft", false),
            ("/nowhere/sh", "soft", true),
            ("nobody-has-this", "soft", true),
            ("nobody-has-this", "path", false),
            ("/nowhere/sh", "host", false),
        ] {
            assert_eq!(is_missing(&program(command, key)), missing, "{command}");
        }
    }

    fn over(client: Client, identity: Identity) -> Pmi1 {
        Pmi1 {
            client,
            identity,
            is_slurm: false,
            one_node: false,
            looked: None,
        }
    }

    #[test]
    fn slurms_variables_count_under_its_own_server_only() {
        let step = |nodes: &'static str| {
            move |name: &str| {
                let value = match name {
                    "SLURM_JOB_ID" => "7",
                    "SLURM_STEP_ID" => "2",
                    "SLURM_STEP_NUM_NODES" => nodes,
                    "MPI_LOCALNRANKS" => "4",
                    _ => return None,
                };
                Some(value.to_owned())
            }
        };
        let one = step("1");
        assert!(is_slurms("7.2", &one));
        for job in ["kvs_7.2", "7.3", "7.2.0", ""] {
            assert!(!is_slurms(job, &one), "{job}");
        }
        assert!(!is_slurms("7.2", &|_| None));
        for (size, is_slurm, nodes, expected) in [
            (4, false, "2", true),
            (8, false, "1", false),
            (4, true, "2", false),
            (8, true, "1", true),
        ] {
            let found = is_on_one_node(size, is_slurm, &step(nodes));
            assert_eq!(found, expected, "{size} {is_slurm} {nodes}");
        }
        assert!(!is_on_one_node(4, true, &|_| None) && !is_on_one_node(4, false, &|_| None));
    }

    #[test]
    fn long_values_are_stored_in_pieces() {
        const FINE: &str = "cmd=put_result rc=0\n";
        let (client, server) = client::tests::served(&[
            "cmd=my_kvsname rc=0 kvsname=kvs_7\n",
            FINE,
            FINE,
            FINE,
            "cmd=get_result rc=0 value=a%+\n",
            "cmd=get_result rc=0 value=20+\n",
            "cmd=get_result rc=0 value=b\n",
            "cmd=get_result rc=0 value=a+\n",
            "cmd=get_result rc=1\n",
        ]);
        let identity = Identity {
            job: "kvs_7".into(),
            index: 1,
            size: 3,
            appnum: None,
            universe_size: None,
        };
        let mut launcher = over(client, identity);
        launcher.put("k", &[b'x'; 2 * PIECE + 1]).unwrap();
        assert_eq!(launcher.get(2, "k").unwrap().unwrap(), b"a b");
        let error = launcher.get(0, "k").unwrap_err();
        assert!(error.what().contains("lost anympi-k-0.1"), "{error}");
        let queries = server.join().unwrap();
        let piece = "x".repeat(PIECE);
        assert_eq!(
            queries[1..7],
            [
                format!("cmd=put kvsname=kvs_7 key=anympi-k-1 value={piece}+"),
                format!("cmd=put kvsname=kvs_7 key=anympi-k-1.1 value={piece}+"),
                "cmd=put kvsname=kvs_7 key=anympi-k-1.2 value=x".into(),
                "cmd=get kvsname=kvs_7 key=anympi-k-2".into(),
                "cmd=get kvsname=kvs_7 key=anympi-k-2.1".into(),
                "cmd=get kvsname=kvs_7 key=anympi-k-2.2".into(),
            ]
        );
        assert!(queries.iter().all(|query| query.len() < 1024));
    }

    #[test]
    fn processes_have_keys_of_their_own() {
        let (client, server) = client::tests::served(&[
            "cmd=my_kvsname rc=0 kvsname=kvs_7\n",
            "cmd=put_result rc=0\n",
            "cmd=get_result rc=0 value=a%20b\n",
            "cmd=get_result rc=0 value=%\n",
        ]);
        let identity = Identity {
            job: "kvs_7".into(),
            index: 2,
            size: 3,
            appnum: None,
            universe_size: None,
        };
        let mut launcher = over(client, identity);
        launcher.put("k", b"a b").unwrap();
        assert_eq!(launcher.get(1, "k").unwrap().unwrap(), b"a b");
        let error = launcher.get(0, "k").unwrap_err();
        assert!(error.what().contains("'%' for anympi-k-0"), "{error}");
        let queries = server.join().unwrap();
        assert_eq!(
            queries[1..],
            [
                "cmd=put kvsname=kvs_7 key=anympi-k-2 value=a%20b",
                "cmd=get kvsname=kvs_7 key=anympi-k-1",
                "cmd=get kvsname=kvs_7 key=anympi-k-0"
            ]
        );
    }

    use crate::garbage_tests::{cases, noise, within};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(400))]
        #[test]
        fn any_text_is_a_value_or_none(value in noise(60), text in "([a-z]|%[0-9a-f]{2}|%|.){0,40}") {
            prop_assert_eq!(unescaped(&escaped(&value)), Some(value));
            let bytes = within(4 * text.len() + 1000, || unescaped(&text));
            prop_assert!(bytes.is_none_or(|bytes| bytes.len() <= text.len()));
        }
    }
}
