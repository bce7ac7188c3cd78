//! Whole lines out of a rank's output stream, each with its label.
//!
//! Job: keep the unfinished last line of one stream until its rest arrives or the stream ends, so that the lines of
//! several ranks never tear. It puts a label before each line when one is asked for. Pure: bytes in, bytes out; it
//! knows nothing of descriptors.

use std::ffi::CStr;

/// A line longer than this goes out in pieces, so that memory stays bounded.
const LINE_MAX: usize = 1 << 20;

/// What stands before each line. Made once per stream; the time is added per batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The local time of arrival comes first.
    pub timestamp: bool,
    pub text: String,
}

/// One stream (standard output or error) of one rank.
#[derive(Debug, Default)]
pub struct Lines {
    label: Label,
    /// Pass everything on at once: a single rank without label cannot tear anything, and prompts show.
    immediate: bool,
    partial: Vec<u8>,
    /// The line being passed on in pieces has its label already.
    labelled: bool,
}

impl Lines {
    pub fn new(label: Label, immediate: bool) -> Self {
        let immediate = immediate && label == Label::default();
        Lines {
            label,
            immediate,
            partial: Vec::new(),
            labelled: false,
        }
    }

    /// Takes bytes of the stream and appends the lines they complete to `out`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.immediate {
            out.extend_from_slice(bytes);
            return;
        }
        let Some(last) = bytes.iter().rposition(|&b| b == b'\n') else {
            self.partial.extend_from_slice(bytes);
            if self.partial.len() > LINE_MAX {
                let piece = std::mem::take(&mut self.partial);
                self.emit(&piece, out);
            }
            return;
        };
        let (complete, rest) = bytes.split_at(last + 1);
        if self.partial.is_empty() {
            self.emit(complete, out);
        } else {
            let mut joined = std::mem::take(&mut self.partial);
            joined.extend_from_slice(complete);
            self.emit(&joined, out);
        }
        self.partial.extend_from_slice(rest);
    }

    /// The stream has ended: its unfinished line goes out, ended with a newline unless it stands alone.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let partial = std::mem::take(&mut self.partial);
        if !partial.is_empty() {
            self.emit(&partial, out);
        }
        if self.labelled {
            out.push(b'\n');
            self.labelled = false;
        }
    }

    fn emit(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.label == Label::default() {
            out.extend_from_slice(bytes);
            return;
        }
        let label = if self.label.timestamp {
            now() + &self.label.text
        } else {
            self.label.text.clone()
        };
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            if !self.labelled {
                out.extend_from_slice(label.as_bytes());
            }
            out.extend_from_slice(line);
            self.labelled = line.last() != Some(&b'\n');
        }
    }
}

/// The local time as `Sat Nov 21 04:30:23 2026`.
fn now() -> String {
    let mut text = [0 as libc::c_char; 64];
    // SAFETY: time, localtime_r and strftime only write to the objects passed, within the given size. strftime ends
    // the text with a null byte, or leaves the zeroes that are there.
    let text = unsafe {
        let seconds = libc::time(std::ptr::null_mut());
        let mut parts: libc::tm = std::mem::zeroed();
        libc::localtime_r(&seconds, &mut parts);
        libc::strftime(
            text.as_mut_ptr(),
            text.len(),
            c"%a %b %e %H:%M:%S %Y".as_ptr(),
            &parts,
        );
        CStr::from_ptr(text.as_ptr())
    };
    text.to_string_lossy().into_owned()
}

/// Replaces `%r %h %p %g %%` in a pattern of `-prepend-pattern` or `-outfile-pattern`.
pub fn expand(pattern: &str, rank: usize, host: &str, pid: i32, program: usize) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('r') => out.push_str(&rank.to_string()),
            Some('h') => out.push_str(host),
            Some('p') => out.push_str(&pid.to_string()),
            Some('g') => out.push_str(&program.to_string()),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(label: &str, pieces: &[&str]) -> String {
        let label = Label {
            timestamp: false,
            text: label.into(),
        };
        let mut lines = Lines::new(label, false);
        let mut out = Vec::new();
        for piece in pieces {
            lines.feed(piece.as_bytes(), &mut out);
        }
        lines.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_whole_lines_leave() {
        let mut lines = Lines::new(Label::default(), false);
        let mut out = Vec::new();
        lines.feed(b"ab", &mut out);
        assert!(out.is_empty());
        lines.feed(b"c\nde", &mut out);
        assert_eq!(out, b"abc\n");
        lines.finish(&mut out);
        assert_eq!(out, b"abc\nde");
    }

    #[test]
    fn every_line_gets_its_label() {
        assert_eq!(
            run("[3] ", &["a\n\nb", "c\nd"]),
            "[3] a\n[3] \n[3] bc\n[3] d\n"
        );
    }

    #[test]
    fn a_single_rank_passes_prompts_at_once() {
        let mut lines = Lines::new(Label::default(), true);
        let mut out = Vec::new();
        lines.feed(b"name? ", &mut out);
        assert_eq!(out, b"name? ");
    }

    #[test]
    fn endless_lines_go_out_in_pieces_with_one_label() {
        let mut lines = Lines::new(
            Label {
                timestamp: false,
                text: "[0] ".into(),
            },
            false,
        );
        let mut out = Vec::new();
        let mut most = 0;
        for _ in 0..600 {
            lines.feed(&[b'x'; 4096], &mut out);
            most = most.max(lines.partial.len());
        }
        assert!(most <= LINE_MAX + 4096);
        lines.feed(b"\n", &mut out);
        assert_eq!(out.len(), 600 * 4096 + 5);
        assert_eq!(out.iter().filter(|&&b| b == b'[').count(), 1);
    }

    #[test]
    fn timestamps_come_first() {
        let mut lines = Lines::new(
            Label {
                timestamp: true,
                text: "<stdout>:".into(),
            },
            false,
        );
        let mut out = Vec::new();
        lines.feed(b"a\n", &mut out);
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with("<stdout>:a\n") && text.split(' ').count() >= 4,
            "{text}"
        );
    }

    #[test]
    fn patterns() {
        assert_eq!(expand("o.%r.%g-%h-%p%%%x%", 3, "n", 7, 1), "o.3.1-n-7%%x%");
    }
}
