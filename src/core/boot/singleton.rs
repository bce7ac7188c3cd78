//! A process that no launcher has started: a job of one, which keeps its own values and starts others itself.

use std::collections::HashMap;

use super::own::Launchers;
use super::{Abort, Boot, Identity, Program, node};
use crate::error::Result;
use crate::sys;

/// The launcher of a process without one.
pub struct Singleton {
    identity: Identity,
    values: HashMap<String, Vec<u8>>,
    launchers: Launchers,
}

impl Singleton {
    pub fn new() -> Singleton {
        // A process id may come again, but not at the same time.
        let (process, time) = (std::process::id(), sys::nanoseconds());
        Singleton {
            identity: Identity {
                job: format!("singleton-{}-{process}-{time}", node::identity()),
                index: 0,
                size: 1,
                appnum: None,
                universe_size: i32::try_from(sys::allowed_cpus().len()).ok(),
            },
            values: HashMap::new(),
            launchers: Launchers::default(),
        }
    }
}

impl Boot for Singleton {
    fn name(&self) -> &'static str {
        "none (singleton)"
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        self.values.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let value = self.values.get(key).filter(|_| index == 0);
        Ok(value.cloned())
    }

    fn fence(&mut self) -> Result<()> {
        Ok(())
    }

    fn abort(&self) -> Option<Abort> {
        None
    }

    fn finalize(&mut self) -> Result<()> {
        self.launchers.leave();
        Ok(())
    }

    fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        self.launchers.spawn(programs, values)
    }

    fn ended(&mut self) -> Option<String> {
        self.launchers.ended()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_alone_and_keeps_what_it_puts() {
        let mut alone = Singleton::new();
        assert_eq!((alone.identity().index, alone.identity().size), (0, 1));
        assert_ne!(alone.identity().job, Singleton::new().identity().job);
        alone.put("k", b"a b").unwrap();
        alone.fence().unwrap();
        assert_eq!(alone.get(0, "k").unwrap().as_deref(), Some(&b"a b"[..]));
        assert_eq!(alone.get(0, "l").unwrap(), None);
        assert_eq!(alone.get(1, "k").unwrap(), None);
    }
}
