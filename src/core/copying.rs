//! Whether this process copies long data from where it lies, and from which length on.
//!
//! Between the settings on one side and the transport on the other; it knows neither messages nor how they are copied.

use crate::config::{self, Settings};
use crate::error::{Error, Result, class};
use crate::shm::zero_copy::{Direct, Limits};
use crate::sys;
use crate::tuning;

/// What holds for this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copying {
    /// The most that is allowed.
    pub direct: Direct,
    /// How long what still goes through shared memory is.
    pub limits: &'static Limits,
}

impl Copying {
    /// As somebody has chosen, or else as this process can bear it.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn new(settings: &Settings) -> Result<Copying> {
        let wrong = |what| Error::new(class::OTHER, what);
        let direct = match settings.chosen(&config::DIRECT).map_err(wrong)? {
            Some(0) => Direct::Never,
            Some(1) => Direct::Reads,
            Some(_) => Direct::Both,
            // It would take what others write here for bytes that nobody has set.
            None if sys::under_valgrind() => Direct::Reads,
            None => Direct::Both,
        };
        let limits = &tuning::current().zero_copy;
        Ok(Copying { direct, limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_chooses_is_obeyed() {
        let knob = |known: &&config::Knob| known.name == config::DIRECT.name;
        let place = config::ALL.iter().position(knob).unwrap();
        for (value, direct) in [(0, Direct::Never), (1, Direct::Reads), (2, Direct::Both)] {
            let settings = Settings::new();
            settings.write(place, value);
            assert_eq!(Copying::new(&settings).unwrap().direct, direct);
        }
    }
}
