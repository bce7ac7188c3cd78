//! The compiler wrappers `mpicc` and `mpicxx` (also `mpic++`, `mpiCC`, `mpicc_abi`).
//!
//! Job: add our header and library to a compiler's command line, and answer the questions that build systems
//! ask of MPICH's, Intel's and Open MPI's wrappers. Pure up to `main`: a command line, a prefix and an
//! environment in, a text to print or a command to run out. The prefix is where the wrapper itself lies, so an
//! installed tree can be moved.

use crate::machine::own_file;
use crate::say::{answer, complain};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Language::C => "mpicc",
            Language::Cxx => "mpicxx",
        }
    }

    /// The variables by which users of either family choose the compiler; the first that is set counts.
    fn variables(self) -> [&'static str; 3] {
        match self {
            Language::C => ["OMPI_CC", "MPICH_CC", "I_MPI_CC"],
            Language::Cxx => ["OMPI_CXX", "MPICH_CXX", "I_MPI_CXX"],
        }
    }

    /// Compilers to look for when nobody chooses.
    fn compilers(self) -> &'static [&'static str] {
        match self {
            Language::C => &["cc", "gcc", "clang"],
            Language::Cxx => &["c++", "g++", "clang++"],
        }
    }

    fn flags(self) -> &'static str {
        match self {
            Language::C => "OMPI_CFLAGS",
            Language::Cxx => "OMPI_CXXFLAGS",
        }
    }
}

/// What a call of a wrapper comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Act {
    Print(String),
    Run {
        command: Vec<OsString>,
        /// Show the command before it runs.
        echo: bool,
    },
    Fail(String),
}

/// Questions that MPICH's wrappers answer, and Open MPI's `-showme:x`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Line,
    CompileInfo,
    LinkInfo,
    Compile,
    Link,
    Command,
    IncDirs,
    LibDirs,
    Libs,
    Version,
    Help,
}

const HELP: &str = "Adds MPI's header and library to the command line of a compiler and runs it.\n\
    Questions: -show, -showme[:compile|:link|:command|:incdirs|:libdirs|:libs|:version|:help],\n\
    -compile_info, -link_info. Options: -cc=COMPILER, -cxx=COMPILER, -profile=LIBRARY, -echo, -mpi-abi.\n\
    Variables: OMPI_CC, MPICH_CC, I_MPI_CC (CXX for C++), OMPI_CPPFLAGS, OMPI_CFLAGS, OMPI_CXXFLAGS,\n\
    OMPI_LDFLAGS, OMPI_LIBS, MPICC_PROFILE.\n";

/// Runs a wrapper and returns its exit code.
pub fn main(language: Language) -> i32 {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let var = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    match act(language, &args, &prefix(), &var, &found_in_path) {
        Act::Print(text) => answer(language.name(), text),
        Act::Fail(text) => {
            complain(language.name(), text);
            1
        }
        Act::Run { command, echo } => {
            if echo {
                let _ = writeln!(std::io::stderr(), "{}", line(&command));
            }
            let error = Command::new(&command[0]).args(&command[1..]).exec();
            let compiler = command[0].display();
            let text = format!("cannot run the compiler '{compiler}': {error}");
            complain(language.name(), text);
            127
        }
    }
}

/// The directory above the one this program lies in.
pub fn prefix() -> PathBuf {
    let program = own_file();
    let above = program.parent().and_then(Path::parent);
    above.unwrap_or(Path::new("/usr/local")).to_owned()
}

fn found_in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(name).is_file())
}

/// Decides what a command line means.
pub fn act(
    language: Language,
    args: &[OsString],
    prefix: &Path,
    var: &dyn Fn(&str) -> Option<String>,
    exists: &dyn Fn(&str) -> bool,
) -> Act {
    let mut question = None;
    let mut compiler = language.variables().iter().find_map(|name| var(name));
    let mut profile = var("MPICC_PROFILE");
    let mut echo = false;
    let mut rest: Vec<OsString> = Vec::new();
    for arg in args {
        let text = arg.to_str().unwrap_or_default();
        let Some(option) = text.strip_prefix("--").or(text.strip_prefix('-')) else {
            rest.push(arg.clone());
            continue;
        };
        match asked(option) {
            Some(Ok(asked)) => {
                question = Some(asked);
                continue;
            }
            Some(Err(reason)) => return Act::Fail(reason),
            None => {}
        }
        match option.split_once('=').unwrap_or((option, "")) {
            ("cc" | "CC", value) if language == Language::C && !value.is_empty() => {
                compiler = Some(value.to_owned());
            }
            ("cxx" | "CC" | "cc", value) if language == Language::Cxx && !value.is_empty() => {
                compiler = Some(value.to_owned());
            }
            ("profile", value) if !value.is_empty() => profile = Some(value.to_owned()),
            // Another configuration or thread library of MPICH's and Intel's: there is one here.
            ("config", value) if !value.is_empty() => {}
            ("echo", "") => echo = true,
            ("mpi-abi" | "mt_mpi" | "nativelinking", "") => {}
            ("static-mpi" | "static_mpi", "") => {
                return Act::Fail(format!(
                    "'{text}': there is no static MPI library; leave the option out"
                ));
            }
            _ => rest.push(arg.clone()),
        }
    }
    let compiler = compiler.unwrap_or_else(|| {
        let known = language.compilers();
        (*known.iter().find(|c| exists(c)).unwrap_or(&known[0])).to_owned()
    });
    let compiler: Vec<OsString> = compiler.split_whitespace().map(OsString::from).collect();
    let words = |name: &str| -> Vec<OsString> {
        var(name)
            .map(|v| v.split_whitespace().map(OsString::from).collect())
            .unwrap_or_default()
    };
    let include = prefix.join("include");
    let lib = prefix.join("lib");
    let mut compile = vec![joined("-I", &include)];
    compile.extend(words("OMPI_CPPFLAGS"));
    compile.extend(words(language.flags()));
    let mut link = vec![
        joined("-L", &lib),
        joined("-Wl,-rpath,", &lib),
        // The path in the program then yields to LD_LIBRARY_PATH.
        "-Wl,--enable-new-dtags".into(),
    ];
    link.extend(words("OMPI_LDFLAGS"));
    link.extend(profile.map(|name| format!("-l{name}").into()));
    link.push("-lmpi_abi".into());
    link.extend(words("OMPI_LIBS"));

    let command = |rest: &[OsString], with_link: bool| -> Vec<OsString> {
        let link = if with_link { link.as_slice() } else { &[] };
        [&compiler, &compile, rest, link].concat()
    };
    let say = |parts: &[OsString]| Act::Print(line(parts) + "\n");
    match question {
        None => {
            let inputs = has_inputs(&rest);
            Act::Run {
                command: if inputs {
                    command(&rest, links(&rest))
                } else {
                    [compiler, rest].concat()
                },
                echo,
            }
        }
        Some(Question::Line) => say(&command(&rest, links(&rest))),
        Some(Question::CompileInfo) => say(&command(&rest, false)),
        Some(Question::LinkInfo) => say(&[compiler.clone(), rest.clone(), link.clone()].concat()),
        Some(Question::Compile) => say(&compile),
        Some(Question::Link) => say(&link),
        Some(Question::Command) => say(&compiler),
        Some(Question::IncDirs) => say(&[include.into()]),
        Some(Question::LibDirs) => say(&[lib.into()]),
        Some(Question::Libs) => say(&["mpi_abi".into()]),
        Some(Question::Version) => Act::Print(format!(
            "{}: anympi {} (MPI-5.0 standard ABI)\n",
            language.name(),
            env!("CARGO_PKG_VERSION")
        )),
        Some(Question::Help) => Act::Print(HELP.to_owned()),
    }
}

/// The question in an option without dashes: `None` if it is none, an error if nobody knows the answer.
fn asked(option: &str) -> Option<Result<Question, String>> {
    Some(Ok(match option {
        "show" | "showme" => Question::Line,
        "compile_info" | "compile-info" => Question::CompileInfo,
        "link_info" | "link-info" => Question::LinkInfo,
        _ => match option
            .strip_prefix("showme:")
            .or(option.strip_prefix("show:"))?
        {
            "compile" => Question::Compile,
            "link" => Question::Link,
            "command" => Question::Command,
            "incdirs" => Question::IncDirs,
            "libdirs" => Question::LibDirs,
            "libs" => Question::Libs,
            "version" => Question::Version,
            "help" => Question::Help,
            other => {
                return Some(Err(format!(
                    "'{other}' in '-{option}' is none of compile, link, command, incdirs, libdirs, libs, version, help"
                )));
            }
        },
    }))
}

/// Whether the compiler will link: not when it is told to stop before.
fn links(args: &[OsString]) -> bool {
    let stops = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];
    !args.iter().any(|a| stops.iter().any(|s| a == s))
}

/// Whether a file is named: a plain `mpicc --version` must not become an attempt to link nothing.
fn has_inputs(args: &[OsString]) -> bool {
    let with_value = [
        "-o", "-I", "-L", "-D", "-U", "-x", "-include", "-isystem", "-MF", "-MT", "-MQ",
    ];
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if with_value.iter().any(|o| word == o) {
            words.next();
        } else if word == "-" || !word.as_encoded_bytes().starts_with(b"-") {
            return true;
        }
    }
    false
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut out = OsString::from(option);
    out.push(path);
    out
}

/// Words as a line for the shell.
fn line(words: &[OsString]) -> String {
    let quoted = |word: &OsStr| {
        let text = word.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_=+:,./@%^~".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    words
        .iter()
        .map(|w| quoted(w))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPILE: &str = "-I/p/include";
    const LINK: &str = "-L/p/lib -Wl,-rpath,/p/lib -Wl,--enable-new-dtags -lmpi_abi";

    fn ask_with(language: Language, text: &str, vars: &[(&str, &str)]) -> Act {
        let args: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        let var = |name: &str| {
            vars.iter()
                .find(|(k, _)| *k == name)
                .map(|(_, v)| (*v).to_owned())
        };
        act(language, &args, Path::new("/p"), &var, &|c| {
            c == "gcc" || c == "g++"
        })
    }

    fn ran(text: &str) -> String {
        match ask_with(Language::C, text, &[]) {
            Act::Run { command, .. } => line(&command),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn printed(text: &str) -> String {
        match ask_with(Language::C, text, &[]) {
            Act::Print(text) => text.trim_end().to_owned(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn compiling_and_linking() {
        assert_eq!(ran("a.c -o a"), format!("gcc {COMPILE} a.c -o a {LINK}"));
        assert_eq!(ran("-c a.c"), format!("gcc {COMPILE} -c a.c"));
        assert_eq!(ran("--version"), "gcc --version");
        assert_eq!(ran("-v"), "gcc -v");
        assert_eq!(
            ran("-cc=clang a.o -profile=mpe"),
            format!(
                "clang {COMPILE} a.o {}",
                LINK.replace("-lmpi_abi", "-lmpe -lmpi_abi")
            )
        );
    }

    #[test]
    fn questions_of_both_families() {
        assert_eq!(printed("-show"), format!("gcc {COMPILE} {LINK}"));
        assert_eq!(printed("--showme -c x.c"), format!("gcc {COMPILE} -c x.c"));
        assert_eq!(printed("-showme:compile"), COMPILE);
        assert_eq!(printed("--showme:link"), LINK);
        assert_eq!(printed("-compile_info"), format!("gcc {COMPILE}"));
        assert_eq!(printed("-link-info"), format!("gcc {LINK}"));
        assert_eq!(printed("--showme:command"), "gcc");
        assert_eq!(printed("--showme:incdirs"), "/p/include");
        assert_eq!(printed("--showme:libdirs"), "/p/lib");
        assert_eq!(printed("--showme:libs"), "mpi_abi");
        assert!(printed("--showme:version").contains("anympi"));
    }

    #[test]
    fn unknown_questions_fail() {
        for text in ["-showme:nonsense", "--show:x", "-static-mpi a.c"] {
            assert!(
                matches!(ask_with(Language::C, text, &[]), Act::Fail(_)),
                "{text}"
            );
        }
    }

    #[test]
    fn compilers_from_the_environment() {
        let vars = [
            ("MPICH_CC", "ccache tcc"),
            ("OMPI_CFLAGS", "-O1 -g"),
            ("OMPI_LIBS", "-lm"),
        ];
        let Act::Run { command, .. } = ask_with(Language::C, "a.c", &vars) else {
            panic!()
        };
        assert_eq!(
            line(&command),
            format!("ccache tcc {COMPILE} -O1 -g a.c {LINK} -lm")
        );
        let Act::Print(text) = ask_with(Language::Cxx, "-showme:command", &vars) else {
            panic!()
        };
        assert_eq!(text, "g++\n");
    }

    #[test]
    fn lines_can_be_pasted_into_a_shell() {
        assert_eq!(
            line(&["a b".into(), "c'd".into(), "".into()]),
            r"'a b' 'c'\''d' ''"
        );
    }
}
