//! The output of one rank on its way out: whole lines with their labels, to mpiexec's own streams or to files.
//!
//! Job: what the options of output ask for, for one stream of one rank. Where its bytes come from it does not know.

use crate::cause::Who;
use crate::lines::{Label, Lines, expand};
use crate::outlet::{Files, Outlets};
use crate::rank::Which;
use crate::request::OutputRules;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// One output stream of a rank.
pub struct Sink {
    lines: Lines,
    files: Files,
    which: Which,
}

impl Sink {
    /// `program`: the number of the program that the rank runs; `size`: how many ranks there are.
    ///
    /// # Errors
    /// A file cannot be opened; the text names it.
    pub fn new(
        rules: &OutputRules,
        who: &Who,
        program: usize,
        size: usize,
        which: Which,
    ) -> io::Result<Sink> {
        Ok(Sink {
            lines: Lines::new(label(rules, who, program, which), size == 1),
            files: files(rules, who, program, size, which)?,
            which,
        })
    }

    pub fn which(&self) -> Which {
        self.which
    }

    /// Passes complete lines on.
    pub fn take(&mut self, bytes: &[u8], outlets: &mut Outlets) {
        let mut complete = Vec::new();
        self.lines.feed(bytes, &mut complete);
        self.pass(&complete, outlets);
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

/// How the lines of a stream begin.
fn label(rules: &OutputRules, who: &Who, program: usize, which: Which) -> Label {
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
fn files(
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
