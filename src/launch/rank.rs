//! mpiexec's view of one running rank: its process group, its streams and its PMI link.
//!
//! Job: read what a rank writes and bring it, line by line, to mpiexec's output or to files. It decides
//! nothing about the job.

use crate::cause::{Ending, Who};
use crate::lines::{Label, Lines, expand};
use crate::link::Link;
use crate::member::Member;
use crate::outlet::{Files, Outlets};
use crate::request::OutputRules;
use nix::errno::Errno;
use nix::unistd::Pid;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which of a rank's two output streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Out,
    Err,
}

/// One output stream.
pub struct Stream {
    fd: OwnedFd,
    lines: Lines,
    files: Files,
    which: Which,
}

/// What a reading of a stream brought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// There may be more.
    More,
    Nothing,
    Ended,
}

impl Stream {
    pub fn new(fd: OwnedFd, lines: Lines, files: Files, which: Which) -> Self {
        Stream {
            fd,
            lines,
            files,
            which,
        }
    }

    pub fn which(&self) -> Which {
        self.which
    }

    /// Reads once and passes the complete lines on.
    pub fn read(&mut self, buffer: &mut [u8], outlets: &mut Outlets) -> Flow {
        let mut complete = Vec::new();
        let flow = match nix::unistd::read(&self.fd, buffer) {
            Ok(n) if n > 0 => {
                self.lines.feed(&buffer[..n], &mut complete);
                Flow::More
            }
            Err(Errno::EAGAIN) => Flow::Nothing,
            Err(Errno::EINTR) => Flow::More,
            _ => {
                self.finish(outlets);
                Flow::Ended
            }
        };
        self.pass(&complete, outlets);
        flow
    }

    /// Passes on the unfinished last line; nothing follows.
    pub fn finish(&mut self, outlets: &mut Outlets) {
        let mut rest = Vec::new();
        self.lines.finish(&mut rest);
        self.pass(&rest, outlets);
        outlets.note(self.files.close());
    }

    fn pass(&mut self, bytes: &[u8], outlets: &mut Outlets) {
        if bytes.is_empty() {
            return;
        }
        outlets.note(self.files.write(bytes));
        if !self.files.only {
            match self.which {
                Which::Out => outlets.out().push(bytes),
                Which::Err => outlets.err().push(bytes),
            }
        }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

pub struct Rank {
    pub who: Who,
    pub pid: Pid,
    /// The socket it was started with.
    pub link: Option<Link>,
    /// Who has come through the door as this rank and is connected.
    pub member: Option<Member>,
    /// The started process itself has come through the door.
    pub itself: bool,
    /// The started process has ended; with 0, if the rank has not. Until then somebody else may come as this rank,
    /// and output may follow.
    pub left: Option<Instant>,
    /// Processor time that its group had used when its process ended, or when that was looked at last.
    pub used: Option<u64>,
    /// Since when somebody in the background is waited for.
    pub waited: Option<Instant>,
    pub streams: Vec<Stream>,
    pub ended: Option<Ending>,
    /// The process group may still have members.
    pub group: bool,
}

impl Rank {
    /// The connection on which this rank is spoken to: whoever is connected through the door has none beside it.
    pub fn speaker(&mut self) -> Option<&mut Link> {
        self.link_of(self.member.is_some())
    }

    /// The connection through the door, or the socket it was started with.
    pub fn link_of(&mut self, door: bool) -> Option<&mut Link> {
        match &mut self.member {
            Some(member) if door => member.link.as_mut(),
            _ if door => None,
            _ => self.link.as_mut(),
        }
    }

    /// The process to name when this rank has done something.
    pub fn whose(&self) -> Who {
        let mut who = self.who.clone();
        if let Some(member) = self.member.as_ref().filter(|m| !m.is_child() && m.pid > 0) {
            (who.pid, who.program) = (member.pid, member.program.clone());
        }
        who
    }
}

/// How the lines of a stream begin.
pub fn label(rules: &OutputRules, who: &Who, program: usize, which: Which) -> Label {
    let name = match which {
        Which::Out => "stdout",
        Which::Err => "stderr",
    };
    let mut text = String::new();
    if rules.tag {
        text.push_str(&format!("[1,{}]<{name}>:", who.rank));
    } else if rules.timestamp {
        text.push_str(&format!("<{name}>:"));
    }
    if rules.rank {
        text.push_str(&format!("[{}] ", who.rank));
    }
    if let Some(pattern) = &rules.pattern {
        text.push_str(&expand(pattern, who.rank, &who.host, who.pid, program));
    }
    Label {
        timestamp: rules.timestamp,
        text,
    }
}

/// Opens the files a stream goes to.
pub fn files(
    rules: &OutputRules,
    who: &Who,
    program: usize,
    size: usize,
    which: Which,
) -> io::Result<Files> {
    let mut out = Files::default();
    let mut open = |path: PathBuf, append: bool| -> io::Result<()> {
        if let Some(dir) = path.parent().filter(|d| *d != Path::new("")) {
            fs::create_dir_all(dir).map_err(|e| named(e, dir))?;
        }
        let file = if append {
            File::options().create(true).append(true).open(&path)
        } else {
            File::create(&path)
        };
        let file = file.map_err(|e| named(e, &path))?;
        out.files.push((path, file));
        Ok(())
    };
    if let Some(dir) = &rules.directory {
        let digits = (size.max(1) - 1).to_string().len();
        let name = match which {
            Which::Out => "stdout",
            Which::Err => "stderr",
        };
        open(
            dir.join("1")
                .join(format!("rank.{:0digits$}", who.rank))
                .join(name),
            false,
        )?;
    }
    if let Some(file) = &rules.file {
        let mut path = file.clone().into_os_string();
        path.push(format!(".{}", who.rank));
        open(path.into(), true)?;
    }
    let pattern = match which {
        Which::Out => &rules.stdout_pattern,
        Which::Err => &rules.stderr_pattern,
    };
    if let Some(pattern) = pattern {
        let path = expand(pattern, who.rank, &who.host, who.pid, program);
        open(
            path.into(),
            !pattern.contains("%r") && !pattern.contains("%p"),
        )?;
    }
    out.only = pattern.is_some() || (rules.no_copy && !out.files.is_empty());
    Ok(out)
}

fn named(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("output file '{}': {error}", path.display()),
    )
}
