//! How mpiexec gets to another host: the command line that starts its daemon there.
//!
//! Job: from the options and variables of both families to words. An agent is called as `agent [arguments] HOST
//! COMMAND`, and connects its own standard input, output and error with the command's on that host. Many hand the
//! command's words to a shell there, some execute them; so the words are such that both do the same. Pure.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The first argument of a daemon, behind the path of mpiexec.
pub const DAEMON: &str = "--anympi-daemon";

/// What options and variables say about the agent; later words win.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// `ssh`, `rsh`, `fork`, `slurm` ...
    pub kind: Option<String>,
    /// The program, perhaps with arguments; a list with ` : ` between names several to try.
    pub exec: Option<String>,
    /// More arguments, before the host.
    pub args: Option<String>,
}

/// How daemons are started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agent {
    /// As a child, whatever the host is called.
    Fork,
    /// `words HOST COMMAND`.
    Command(Vec<String>),
    /// `words --nodelist=HOST COMMAND`; the words are not seen by a shell.
    Slurm(Vec<String>),
}

/// Arguments of `srun` for one daemon.
const SRUN: &[&str] = &[
    "--nodes=1",
    "--ntasks=1",
    "--cpu-bind=none",
    "--mem-bind=none",
    "--mpi=none",
    "--overlap",
    "--kill-on-bad-exit=1",
    "--quiet",
];

impl Agent {
    /// Makes sense of what is wanted. `exists`: whether a program can be found. `in_slurm`: there is an allocation.
    ///
    /// # Errors
    /// The kind is not known, or cannot be served.
    pub fn choose(
        wanted: &Wanted,
        in_slurm: bool,
        exists: &dyn Fn(&str) -> bool,
    ) -> Result<Agent, String> {
        let kind = match wanted.kind.as_deref() {
            None | Some("auto" | "default") if in_slurm && wanted.exec.is_none() => "slurm",
            None | Some("auto" | "default") => "ssh",
            Some(kind) => kind,
        };
        let more = words(wanted.args.as_deref().unwrap_or_default());
        let program = |default: &str| {
            let list = wanted.exec.as_deref().unwrap_or(default);
            let mut choices = list.split(':').map(words).filter(|w| !w.is_empty());
            let first = choices
                .clone()
                .next()
                .unwrap_or_else(|| vec![default.to_owned()]);
            choices.find(|w| exists(&w[0])).unwrap_or(first)
        };
        match kind {
            "fork" => Ok(Agent::Fork),
            "ssh" | "rsh" | "exec" => {
                let mut all = program(if kind == "rsh" { "rsh" } else { "ssh" });
                let is_ssh = Path::new(&all[0]).file_name() == Some(OsStr::new("ssh"));
                all.extend(more);
                if is_ssh {
                    // What would ask at the terminal fails with a word instead.
                    all.extend(["-x", "-o", "BatchMode=yes"].map(String::from));
                }
                Ok(Agent::Command(all))
            }
            "slurm" | "srun" => {
                let mut all = program("srun");
                all.extend(SRUN.iter().map(|&word| word.to_owned()));
                all.extend(more);
                Ok(Agent::Slurm(all))
            }
            "manual" => Err(
                "the launcher 'manual' is not possible: everything passes through the standard input and output of \
                 what starts the daemons. A script of yours can start them: -launcher-exec SCRIPT, which is called as \
                 SCRIPT HOST COMMAND"
                    .into(),
            ),
            other => Err(format!(
                "the launcher '{other}' is none of ssh, rsh, fork, slurm; any other can be a script: -launcher-exec \
                 SCRIPT, which is called as SCRIPT HOST COMMAND"
            )),
        }
    }

    /// The words that start `program` as a daemon on a host.
    pub fn command(&self, host: &str, user: Option<&str>, program: &Path) -> Vec<OsString> {
        let plain = [program.as_os_str().to_owned(), DAEMON.into()];
        let quoted = [quoted(program.as_os_str()), DAEMON.into()];
        let target = match user {
            Some(user) => format!("{user}@{host}"),
            None => host.to_owned(),
        };
        let own = |words: &[String]| words.iter().map(OsString::from).collect::<Vec<_>>();
        match self {
            Agent::Fork => plain.into(),
            Agent::Command(words) => [own(words), vec![target.into()], quoted.into()].concat(),
            Agent::Slurm(words) => {
                let node = OsString::from(format!("--nodelist={host}"));
                [own(words), vec![node], plain.into()].concat()
            }
        }
    }

    /// How often an agent is tried that fails before a daemon answers, by its arguments.
    pub fn attempts(&self) -> Option<usize> {
        let Agent::Command(words) = self else {
            return None;
        };
        let attempts = |word: &String| {
            let word = word.trim_start_matches("-o");
            let (name, count) = word.split_once(['=', ' '])?;
            let is_it = name.eq_ignore_ascii_case("ConnectionAttempts");
            is_it.then(|| count.trim().parse().ok())?
        };
        words.iter().find_map(attempts)
    }
}

/// Words as a shell would cut them. Where the text begins with a quotation, that is all: DeepSpeed writes
/// `"-p 2222"^openib`.
pub fn words(text: &str) -> Vec<String> {
    let text = text.trim();
    let quotation = text
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))
        .and_then(|quote| text[1..].split_once(quote));
    let text = quotation.map_or(text, |(inside, _)| inside);
    match crate::request::words(text) {
        Ok(words) => words,
        Err(_) => text.split_whitespace().map(str::to_owned).collect(),
    }
}

/// A word that a shell takes for this word. Plain words stay as they are.
pub fn quoted(word: &OsStr) -> OsString {
    let bytes = word.as_bytes();
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b"/._-+=,:@%".contains(b);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return word.to_owned();
    }
    let mut out = vec![b'\''];
    for &byte in bytes {
        match byte {
            b'\'' => out.extend_from_slice(br"'\''"),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
    OsString::from_vec(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(wanted: Wanted) -> String {
        let agent = Agent::choose(&wanted, false, &|_| true).unwrap();
        let words = agent.command("nodea", Some("me"), Path::new("/opt/a/bin/mpiexec"));
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    fn wanted(kind: &str, exec: &str, args: &str) -> Wanted {
        let some = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
        Wanted {
            kind: some(kind),
            exec: some(exec),
            args: some(args),
        }
    }

    #[test]
    fn command_lines() {
        let daemon = "me@nodea /opt/a/bin/mpiexec --anympi-daemon";
        for (wanted, start) in [
            (wanted("", "", ""), "ssh -x -o BatchMode=yes"),
            (
                wanted("ssh", "", "-o ConnectionAttempts=10"),
                "ssh -o ConnectionAttempts=10 -x -o BatchMode=yes",
            ),
            (wanted("rsh", "", ""), "rsh"),
            (wanted("", "/etc/mpi/kubexec.sh", ""), "/etc/mpi/kubexec.sh"),
            (wanted("", "ssh : rsh", ""), "ssh -x -o BatchMode=yes"),
            (
                wanted("", "", "\"-p 2222\"^openib"),
                "ssh -p 2222 -x -o BatchMode=yes",
            ),
        ] {
            assert_eq!(
                line(wanted.clone()),
                format!("{start} {daemon}"),
                "{wanted:?}"
            );
        }
        assert_eq!(
            line(wanted("fork", "", "")),
            "/opt/a/bin/mpiexec --anympi-daemon"
        );
        let slurm = line(wanted("slurm", "", ""));
        assert!(slurm.starts_with("srun --nodes=1"), "{slurm}");
        assert!(slurm.ends_with("--nodelist=nodea /opt/a/bin/mpiexec --anympi-daemon"));
        let choose = |wanted: &Wanted| Agent::choose(wanted, true, &|_| false);
        assert!(matches!(choose(&Wanted::default()), Ok(Agent::Slurm(_))));
        assert!(
            choose(&wanted("manual", "", ""))
                .unwrap_err()
                .contains("SCRIPT HOST")
        );
        assert!(
            choose(&wanted("lsf", "", ""))
                .unwrap_err()
                .contains("'lsf'")
        );
    }

    #[test]
    fn what_is_not_plain_is_quoted() {
        assert_eq!(quoted(OsStr::new("/a/b-1.0")), "/a/b-1.0");
        assert_eq!(quoted(OsStr::new("/a b/$c'd")), r"'/a b/$c'\''d'");
        assert_eq!(quoted(OsStr::new("")), "''");
    }

    #[test]
    fn attempts_are_what_ssh_is_told() {
        for (args, attempts) in [
            ("-o ConnectionAttempts=10", Some(10)),
            ("-oConnectionAttempts=3", Some(3)),
            ("-p 22", None),
        ] {
            let agent = Agent::choose(&wanted("", "", args), false, &|_| true).unwrap();
            assert_eq!(agent.attempts(), attempts, "{args}");
        }
    }
}
