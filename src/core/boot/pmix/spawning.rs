//! Under a PMIx launcher: starting further processes, and names of services.
//!
//! What spawned processes are to find is in their environment. A launcher that cannot start any, as Slurm's plug-in, is
//! replaced by an mpiexec of our own.

use std::ffi::{CStr, CString};

use super::Pmix;
use super::library::Trouble;
use super::library::spawn::{ERR_DUPLICATE, ERR_NOT_SUPPORTED, Start};
use crate::boot::{Program, names, variable};
use crate::error::{Error, Result, class};

/// Begins the names of variables for spawned processes. Whoever cleans the environment of `PMIX_` removes them too.
const GIVEN: &str = "PMIX_ANYMPI_GIVEN_";
/// Begins the keys of names of services.
const NAME: &str = "anympi-name-";

/// Hints, and what PMIx calls them.
const DIRECTIONS: &[(&str, &CStr)] = &[
    ("host", c"pmix.host"),
    ("hosts", c"pmix.host"),
    ("hostfile", c"pmix.hostfile"),
    ("add-host", c"pmix.addhost"),
    ("add-hostfile", c"pmix.addhostfile"),
    ("map_by", c"pmix.mapby"),
    ("rank_by", c"pmix.rankby"),
    ("bind_to", c"pmix.bindto"),
    ("ppr", c"pmix.ppr"),
];

fn variable_of(key: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_uppercase(),
        false => '_',
    };
    GIVEN.chars().chain(key.chars().map(plain)).collect()
}

fn string(text: impl Into<Vec<u8>>) -> Result<CString> {
    CString::new(text)
        .map_err(|error| Error::new(class::SPAWN, format!("a word of MPI_Comm_spawn: {error}")))
}

/// A program as PMIx starts it.
fn start(program: &Program, values: &[(&str, &str)]) -> Result<Start> {
    let hint = |key: &str| {
        let found = program.info.iter().rev().find(|(k, _)| k == key);
        found.map(|(_, value)| value.as_str())
    };
    let here = std::env::current_dir().unwrap_or_default();
    let folder = hint("wdir").map_or(here.clone(), |dir| here.join(dir));
    let words = [&program.command].into_iter().chain(&program.arguments);
    let given = values.iter();
    let given = given.map(|(key, value)| format!("{}={value}", variable_of(key)));
    let wanted = hint("env").unwrap_or_default().lines();
    let wanted = wanted.filter_map(|line| match line.contains('=') {
        true => Some(line.to_owned()),
        false => Some(format!("{line}={}", variable(line)?)),
    });
    let directions = DIRECTIONS.iter().filter_map(|(key, name)| {
        let text = hint(key)?;
        Some(string(text).map(|text| (*name, text)))
    });
    Ok(Start {
        words: words
            .map(|word| string(word.as_str()))
            .collect::<Result<_>>()?,
        environment: given.chain(wanted).map(string).collect::<Result<_>>()?,
        folder: string(folder.into_os_string().into_encoded_bytes())?,
        processes: program.processes.try_into().unwrap_or(i32::MAX),
        directions: directions.collect::<Result<_>>()?,
    })
}

fn key(service: &str) -> Result<CString> {
    CString::new(format!("{NAME}{service}"))
        .map_err(|error| Error::new(class::SERVICE, format!("service '{service}': {error}")))
}

impl Pmix {
    pub(super) fn start_programs(
        &mut self,
        programs: &[Program],
        values: &[(&str, &str)],
    ) -> Result<Vec<i32>> {
        let starts: Result<Vec<Start>> = programs.iter().map(|p| start(p, values)).collect();
        match self.library.spawn(&starts?) {
            Ok(()) => Ok(vec![0; programs.iter().map(|p| p.processes).sum()]),
            Err(Trouble::Status(ERR_NOT_SUPPORTED)) => self.launchers.spawn(programs, values),
            Err(trouble) => {
                let commands: Vec<&str> = programs.iter().map(|p| p.command.as_str()).collect();
                let what = self.failed("PMIx_Spawn", trouble);
                let what = format!("cannot start {}: {}", commands.join(", "), what.what());
                Err(Error::new(class::SPAWN, what))
            }
        }
    }

    pub(super) fn publish_name(&mut self, service: &str, port: &str) -> Result<()> {
        let text = CString::new(port)
            .map_err(|error| Error::new(class::PORT, format!("port_name = '{port}': {error}")))?;
        match self.library.publish(&key(service)?, &text) {
            Ok(()) => {
                // For the jobs of other launchers on this host.
                let _ = names::publish(service, port);
                Ok(())
            }
            Err(Trouble::Status(ERR_DUPLICATE)) => {
                crate::fail!(SERVICE, "the service '{service}' is published already")
            }
            // Some launchers keep no names.
            Err(_) => names::publish(service, port),
        }
    }

    pub(super) fn look_up_name(&mut self, service: &str) -> Result<Option<String>> {
        let found = self.library.lookup(&key(service)?);
        Ok(found.ok().flatten().or_else(|| names::lookup(service)))
    }

    pub(super) fn unpublish_name(&mut self, service: &str) -> Result<()> {
        let here = names::unpublish(service);
        let there = self.library.unpublish(&key(service)?);
        // Servers do not say whether there was such a name.
        match there {
            Ok(()) => Ok(()),
            Err(_) => here,
        }
    }
}

/// What was given with the spawn of this process's job.
pub fn given(key: &str) -> Option<String> {
    variable(&variable_of(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_become_directions() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let program = Program {
            command: "./w".into(),
            arguments: vec!["a b".into()],
            processes: 3,
            info: vec![
                pair("wdir", "/tmp"),
                pair("env", "A=1\nNOBODY_SETS_THIS"),
                pair("bind_to", "none"),
                pair("soft", "1:3"),
            ],
        };
        let start = start(&program, &[("parent-port", "p q")]).unwrap();
        assert_eq!(start.words, [c"./w".to_owned(), c"a b".to_owned()]);
        let given = c"PMIX_ANYMPI_GIVEN_PARENT_PORT=p q".to_owned();
        assert_eq!(start.environment, [given, c"A=1".to_owned()]);
        assert_eq!(start.folder, c"/tmp".to_owned());
        assert_eq!(start.processes, 3);
        let bind = (c"pmix.bindto", c"none".to_owned());
        assert_eq!(start.directions, [bind]);
        let broken = Program {
            command: "a\0b".into(),
            ..Program::default()
        };
        assert_eq!(super::start(&broken, &[]).unwrap_err().code(), class::SPAWN);
    }
}
