//! An order to start programs, as PMI-1 writes it: for each program the lines from `mcmd=spawn` to `endcmd`.
//!
//! Both sides of it: what a process writes, and what a launcher reads. Between this library and its own mpiexec values
//! are escaped, so that they may be any text; other launchers take a value for what stands up to the end of the line.

use super::Program;
use crate::error::Result;

/// How the first line of each program reads.
pub const FIRST: &str = "mcmd=spawn";
/// The last line of each program.
const LAST: &str = "endcmd";
/// What stands before it.
const LAST_KEY: &str = "info_num";
/// Says that values are escaped.
const OURS: &str = "anympi";
/// The longest order that is read, in bytes.
const LONGEST: usize = 4 << 20;

/// What is to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub programs: Vec<Program>,
    /// What the processes are to find by [`Boot::given`](super::Boot::given).
    pub values: Vec<(String, String)>,
    /// This library has written it.
    pub ours: bool,
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".:-_,/[]".contains(&byte)
}

/// Any bytes as a value of PMI-1, which has no blanks: every other byte becomes `%` and two digits.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match is_plain(byte) {
            true => text.push(byte.into()),
            false => text += &format!("%{byte:02x}"),
        }
    }
    text
}

/// The bytes of an [`escaped`] value.
pub fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    Some(bytes)
}

/// The lines of an order. `ours`: for anympi's mpiexec.
///
/// # Errors
/// `MPI_ERR_SPAWN`: a word has a line break, which only our own mpiexec takes.
pub fn lines(programs: &[Program], values: &[(&str, &str)], ours: bool) -> Result<String> {
    let mut text = String::new();
    let mut line = |key: &str, value: &str| {
        if !ours && value.contains(['\n', '\0']) {
            crate::fail!(
                SPAWN,
                "'{value}' has a line break, which the launcher of this process does not take"
            );
        }
        match ours {
            true => text += &format!("{key}={}\n", escaped(value.as_bytes())),
            false => text += &format!("{key}={value}\n"),
        }
        if key == LAST_KEY {
            text += LAST;
            text.push('\n');
        }
        Ok(())
    };
    for (number, program) in programs.iter().enumerate() {
        line("mcmd", "spawn")?;
        if ours {
            line(OURS, "1")?;
        }
        line("nprocs", &program.processes.to_string())?;
        line("execname", &program.command)?;
        line("totspawns", &programs.len().to_string())?;
        line("spawnssofar", &(number + 1).to_string())?;
        // Arguments count from 1, all others from 0.
        for (at, argument) in program.arguments.iter().enumerate() {
            line(&format!("arg{}", at + 1), argument)?;
        }
        line("argcnt", &program.arguments.len().to_string())?;
        line("preput_num", &values.len().to_string())?;
        for (at, (key, value)) in values.iter().enumerate() {
            line(&format!("preput_key_{at}"), key)?;
            // As it will stand in the key space.
            line(&format!("preput_val_{at}"), &escaped(value.as_bytes()))?;
        }
        for (at, (key, value)) in program.info.iter().enumerate() {
            line(&format!("info_key_{at}"), key)?;
            line(&format!("info_val_{at}"), value)?;
        }
        line(LAST_KEY, &program.info.len().to_string())?;
    }
    Ok(text)
}

/// Takes an order line by line.
#[derive(Debug, Default)]
pub struct Reader {
    order: Order,
    bytes: usize,
    /// How many programs have been announced, and how many have begun.
    total: usize,
    so_far: usize,
    program: Program,
    keys: Vec<(usize, String)>,
    open: bool,
}

impl Reader {
    /// Takes a line, without its end. True: it was the last.
    ///
    /// # Errors
    /// The line does not belong there; the text says what was expected.
    pub fn line(&mut self, line: &[u8]) -> std::result::Result<bool, String> {
        self.bytes += line.len();
        if self.bytes > LONGEST {
            return Err(format!("an order of more than {LONGEST} bytes"));
        }
        let line = String::from_utf8_lossy(line);
        match line.as_ref() {
            FIRST if !self.open => {
                self.open = true;
                self.so_far += 1;
                self.program = Program::default();
                Ok(false)
            }
            LAST if self.open => {
                self.open = false;
                self.order.programs.push(std::mem::take(&mut self.program));
                Ok(self.so_far >= self.total)
            }
            "" => Ok(false),
            line if self.open => self.attribute(line).map(|()| false),
            line => Err(format!("'{FIRST}' was expected, but this came: '{line}'")),
        }
    }

    /// The order, once [`line`](Self::line) has said that it is whole.
    pub fn order(self) -> Order {
        self.order
    }

    fn attribute(&mut self, line: &str) -> std::result::Result<(), String> {
        let wrong = || format!("a spawn attribute is key=value, but this came: '{line}'");
        let (key, value) = line.split_once('=').ok_or_else(wrong)?;
        let value = match self.order.ours {
            true => {
                let bytes = unescaped(value).ok_or_else(wrong)?;
                String::from_utf8(bytes).map_err(|_| wrong())?
            }
            false => value.to_owned(),
        };
        let count = || value.trim().parse::<usize>().map_err(|_| wrong());
        let numbered = |prefix: &str| key.strip_prefix(prefix)?.parse::<usize>().ok();
        match key {
            OURS => self.order.ours = true,
            "nprocs" => self.program.processes = count()?,
            "execname" => self.program.command = value,
            "totspawns" => self.total = count()?,
            "spawnssofar" => self.so_far = count()?,
            _ if numbered("arg").is_some() => self.program.arguments.push(value),
            _ => {
                if let Some(at) = numbered("preput_key_").or(numbered("info_key_")) {
                    self.keys.push((at, value));
                } else if let Some(at) = numbered("preput_val_") {
                    let key = self.key(at).ok_or_else(wrong)?;
                    // Each program of an order brings the same.
                    if !self.order.values.iter().any(|(known, _)| *known == key) {
                        self.order.values.push((key, value));
                    }
                } else if let Some(at) = numbered("info_val_") {
                    let key = self.key(at).ok_or_else(wrong)?;
                    self.program.info.push((key, value));
                }
                // Counts, and what other libraries may add.
            }
        }
        Ok(())
    }

    /// The key that was said with this number.
    fn key(&mut self, number: usize) -> Option<String> {
        let place = self.keys.iter().position(|(at, _)| *at == number)?;
        Some(self.keys.swap_remove(place).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_any_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        let text = escaped(&all);
        assert!(text.bytes().all(|byte| is_plain(byte) || byte == b'%'));
        assert_eq!(unescaped(&text), Some(all));
        assert_eq!(escaped(b"host.1-2:77:3"), "host.1-2:77:3");
        for broken in ["%", "%4", "%g0", "a%"] {
            assert_eq!(unescaped(broken), None, "{broken}");
        }
    }

    fn programs() -> Vec<Program> {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        vec![
            Program {
                command: "./a b".into(),
                arguments: vec!["".into(), "x=1 cmd=abort".into()],
                processes: 2,
                info: vec![pair("wdir", "/tmp"), pair("soft", "1:2")],
            },
            Program {
                command: "c".into(),
                processes: 3,
                ..Program::default()
            },
        ]
    }

    fn read(text: &str) -> Order {
        let mut reader = Reader::default();
        let count = text.lines().count();
        for (at, line) in text.lines().enumerate() {
            assert_eq!(reader.line(line.as_bytes()), Ok(at + 1 == count), "{line}");
        }
        reader.order()
    }

    #[test]
    fn what_is_written_is_read() {
        for ours in [false, true] {
            let mut all = programs();
            if ours {
                all[0].arguments.push("two\nlines %".into());
            }
            let order = read(&lines(&all, &[("port", "a b$c")], ours).unwrap());
            assert_eq!(order.programs, all);
            assert_eq!(order.ours, ours);
            let (key, value) = &order.values[0];
            assert_eq!((key.as_str(), order.values.len()), ("port", 1));
            assert_eq!(unescaped(value).unwrap(), b"a b$c");
        }
        let mut all = programs();
        all[0].arguments[0] = "a\nendcmd".into();
        assert!(lines(&all, &[], false).is_err());
    }

    #[test]
    fn what_is_no_order_is_an_error() {
        for text in [
            "cmd=init",
            "mcmd=spawn\nnprocs=x",
            "mcmd=spawn\nmcmd",
            "mcmd=spawn\ninfo_val_0=x",
            "mcmd=spawn\nanympi=1\nexecname=%zz",
            "mcmd=spawn\nanympi=1\nexecname=%ff",
        ] {
            let mut reader = Reader::default();
            let done = text.lines().map(|line| reader.line(line.as_bytes()));
            assert!(done.last().unwrap().is_err(), "{text}");
        }
        let mut reader = Reader::default();
        reader.line(FIRST.as_bytes()).unwrap();
        let mut all =
            (0..100).map(|n| reader.line(format!("arg{n}={}", "x".repeat(60_000)).as_bytes()));
        assert!(all.any(|done| done.is_err()));
    }
}
