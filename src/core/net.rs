//! How a process takes part in a job that runs on several nodes: it listens, tells where, and gets the link to the others.
//!
//! It must not know shared memory, messages or communicators.

use crate::boot::directory;
use crate::error::{Error, Result, class};
use crate::handshake::Secret;
use crate::processes::{Process, Processes};
use crate::transport::ProcId;
use crate::transport::tcp::address::{self, Wishes};
use crate::transport::tcp::{Contacts, Listening, Tcp};

/// Where a process listens, or why it does not: which matters only if there are processes of other nodes.
pub struct Net(std::result::Result<Listening, String>);

impl Net {
    /// Listens as the environment says.
    pub fn start() -> Net {
        let wishes = Wishes::read(|name| std::env::var(name).ok());
        let listening =
            wishes.and_then(|wishes| Listening::start(&wishes).map_err(|e| e.to_string()));
        Net(listening)
    }

    /// How others reach this process; nothing if they do not.
    pub fn contact(&self) -> Vec<u8> {
        let addresses = self
            .0
            .as_ref()
            .map(|listening| listening.addresses.as_slice());
        address::to_bytes(addresses.unwrap_or_default())
    }

    /// The link to `size` processes, which `processes` knows, of which this one is `me`, and which all have this secret.
    /// `contacts`: how those of other nodes are reached, if there are any. What cannot be mended ends the job.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: this process does not listen, or the system lacks something.
    pub fn link(
        self,
        secret: Secret,
        contacts: Option<directory::Contacts>,
        (processes, size, me): (&Processes, usize, ProcId),
        end_job: impl Fn(&str) + 'static,
    ) -> Result<Tcp> {
        let wrong = |what: String| Error::new(class::OTHER, what);
        let listening = self
            .0
            .map_err(|what| wrong(format!("no way to the processes of other nodes: {what}")))?;
        let all = (0..size as u32).map(|number| processes.process(ProcId(number)));
        // The processes of a job are known by their numbers in it.
        let addresses = move |process: Process| {
            let Some(contacts) = &contacts else {
                return Err("all processes of its job were on one node".into());
            };
            let contact = contacts.get(process.index as usize);
            let contact = contact.map_err(|error| format!("where it listens: {error}"))?;
            let addresses = address::from_bytes(&contact).unwrap_or_default();
            match addresses.is_empty() {
                true => Err("it has not told where it listens".into()),
                false => Ok(addresses),
            }
        };
        let contacts = Contacts {
            processes: all.collect::<Result<_>>()?,
            addresses: Box::new(addresses),
            secret,
        };
        Tcp::new(me, contacts, listening, end_job)
            .map_err(|error| wrong(format!("no way to the processes of other nodes: {error}")))
    }
}
