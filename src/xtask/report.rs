//! Counts what passed and failed and prints it: one line per run, one line of totals at the end.
//!
//! The last line has the form `N passed, N failed, N skipped`, alone on its line: machines read it.
//! It must not know what was run.

use anyhow::{Result, bail};

/// Checks of one program: how many passed, failed, were skipped, and a line about each failure.
#[derive(Clone, Debug, Default)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// One entry per failure or other thing worth reading, printed below the line.
    pub notes: Vec<String>,
}

impl Count {
    /// One check that holds, or does not for the given reason.
    pub fn check(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if holds {
            self.passed += 1;
        } else {
            self.failed += 1;
            self.notes.push(otherwise());
        }
    }

    pub fn add(&mut self, other: &Count) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.notes.extend(other.notes.iter().cloned());
    }
}

/// The sum over all runs of one command.
#[derive(Debug, Default)]
pub struct Ledger {
    total: Count,
}

impl Ledger {
    /// Prints the line of one run and its notes, and adds it to the totals.
    pub fn enter(&mut self, what: &str, count: &Count, seconds: f64) {
        println!(
            "{what}: passed {} failed {} skipped {} ({seconds:.1} s)",
            count.passed, count.failed, count.skipped
        );
        for line in count.notes.iter().flat_map(|note| note.lines()) {
            println!("    {line}");
        }
        self.total.add(count);
    }

    /// Prints the totals; an error if anything failed or nothing ran.
    pub fn close(self) -> Result<()> {
        println!("{}", self.totals());
        if self.total.failed > 0 {
            bail!("{} checks failed", self.total.failed);
        }
        if self.total.passed == 0 {
            bail!("nothing ran");
        }
        Ok(())
    }

    fn totals(&self) -> String {
        let Count {
            passed,
            failed,
            skipped,
            ..
        } = self.total;
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_and_failures_are_errors() {
        let mut count = Count::default();
        count.check(true, || unreachable!("it holds"));
        count.check(false, || "two is not three".to_owned());
        count.skipped += 1;
        let mut ledger = Ledger::default();
        ledger.enter("sample", &count, 0.1);
        ledger.enter("sample", &count, 0.1);
        assert_eq!(ledger.totals(), "2 passed, 2 failed, 2 skipped");
        assert!(ledger.close().is_err());
        assert!(Ledger::default().close().is_err());
    }
}
