//! How this process copies long messages: what the settings ask for, what it can bear, and what it may learn.
//!
//! Between the settings and the memory of earlier jobs on one side and the transport on the other; it knows
//! neither messages nor how they are copied.

use crate::config::{self, Settings};
use crate::datatype::Stores;
use crate::datatype::block::{Core, core};
use crate::error::{Error, Result, class};
use crate::remembered;
use crate::shm::Segment;
use crate::shm::distance::Distance;
use crate::shm::stores::Rule;
use crate::shm::trials::{Situation, Trials};
use crate::sys;
use crate::transport::shm::{Direct, Learning, Measure};

/// What holds for this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copying {
    /// The most that is allowed.
    pub direct: Direct,
    /// What writes long messages and contributions into shared memory.
    pub stores: Rule,
    measure: Measure,
    /// Whether measurements come from earlier jobs, and are kept for later ones.
    keeps: bool,
}

impl Copying {
    /// As somebody has chosen, or else as this process can bear it and as is found to be the fastest.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn new(settings: &Settings, crowded: bool) -> Result<Copying> {
        let wrong = |what| Error::new(class::OTHER, what);
        let chosen = settings.chosen(&config::DIRECT).map_err(wrong)?;
        let wanted = settings.value(&config::MEASURE).map_err(wrong)?;
        let (direct, told) = match chosen {
            Some(0) => (Direct::Never, true),
            Some(1) => (Direct::Reads, true),
            Some(_) => (Direct::Both, true),
            // It would take what others write here for bytes that nobody has set.
            None if sys::under_valgrind() => (Direct::Reads, true),
            None => (Direct::Both, false),
        };
        let measure = match wanted {
            _ if told => Measure::No,
            _ if crowded => Measure::Crowded,
            0 => Measure::No,
            _ => Measure::Yes,
        };
        let stores = match settings.value(&config::NONTEMPORAL).map_err(wrong)? {
            0 => Rule::Always(Stores::Temporal),
            1 => Rule::Always(Stores::NonTemporal),
            // They have never been seen to win there, and trials cost something and may err (docs/measurements/notes.md, "Golden Cove").
            _ if core() != Core::Other => Rule::Always(Stores::Temporal),
            _ => Rule::Fastest,
        };
        Ok(Copying {
            direct,
            stores,
            measure,
            keeps: wanted == 1,
        })
    }

    /// What the transport needs for that.
    pub fn learning(&self) -> Learning {
        Learning {
            measure: self.measure,
            recall: if self.keeps { recall } else { |_, _| () },
            switches: sys::switches,
        }
    }

    /// Keeps what has been measured, if it is new.
    pub fn remember(&self, segment: Segment) {
        for distance in Distance::ALL {
            let trials = segment.trials(distance);
            if self.keeps && trials.take_news() {
                remembered::write(distance, trials.table(), trials.confirmed());
            }
        }
    }
}

fn recall(distance: Distance, trials: &Trials) {
    let Some(known) = remembered::read(distance) else {
        return;
    };
    let remembered::Known {
        times, confirmed, ..
    } = known;
    for (class, times) in times.iter().enumerate() {
        for (situation, times) in Situation::ALL.into_iter().zip(times) {
            if let Some(times) = times {
                trials.learn(class, situation, *times);
            }
            if confirmed[class][situation as usize] {
                trials.confirm(class, situation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_chooses_is_obeyed_and_nothing_measured() {
        let place = |knob: &config::Knob| {
            let place = config::ALL.iter().position(|known| known.name == knob.name);
            place.unwrap()
        };
        let of = |direct, measure, crowded| {
            let settings = Settings::new();
            settings.write(place(&config::MEASURE), measure);
            if let Some(direct) = direct {
                settings.write(place(&config::DIRECT), direct);
            }
            let copying = Copying::new(&settings, crowded).unwrap();
            (copying.direct, copying.measure)
        };
        for (value, direct) in [(0, Direct::Never), (1, Direct::Reads), (2, Direct::Both)] {
            assert_eq!(of(Some(value), 1, false), (direct, Measure::No));
        }
        for (value, rule) in [
            (0, Rule::Always(Stores::Temporal)),
            (1, Rule::Always(Stores::NonTemporal)),
            (2, Rule::Fastest),
        ] {
            let settings = Settings::new();
            settings.write(place(&config::NONTEMPORAL), value);
            assert_eq!(Copying::new(&settings, false).unwrap().stores, rule);
        }
        assert_eq!(of(None, 0, false), (Direct::Both, Measure::No));
        assert_eq!(of(None, 1, false), (Direct::Both, Measure::Yes));
        for wanted in [0, 1, 2] {
            assert_eq!(of(None, wanted, true), (Direct::Both, Measure::Crowded));
        }
        assert_eq!(of(Some(2), 1, true), (Direct::Both, Measure::No));
    }
}
