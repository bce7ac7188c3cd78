//! Starting the ranks of a node.

use super::Node;
use crate::bind;
use crate::cause::Who;
use crate::environ::Place;
use crate::events::Event;
use crate::link::Link;
use crate::machine::allowed_cpus;
use crate::orders::Orders;
use crate::rank::{Rank, Stream, Which};
use crate::start::{self, Before, Streams, Ties};
use crate::topology::Topology;
use nix::unistd::Pid;
use std::path::Path;

impl Node {
    /// Starts all ranks, or those before the first that cannot be started.
    pub fn start(&mut self, before: &Before) {
        let Orders {
            bind, posts, host, ..
        } = &self.orders;
        let allowed = allowed_cpus();
        let topology =
            match bind.report || bind.is_asked_for() || posts.iter().any(|p| p.slot.is_some()) {
                true => Topology::read(Path::new("/sys"), &allowed),
                false => Topology::default(),
            };
        let bound = bind::deal(bind, posts, &allowed, &topology);
        let notes: Vec<String> = bound
            .notes
            .iter()
            .map(|note| format!("on {host}: {note}"))
            .collect();
        notes
            .into_iter()
            .for_each(|note| self.tell(Event::Note(note)));
        for (number, cpus) in bound.ranks.iter().enumerate() {
            let cpus = cpus.as_deref();
            if let Err((text, code)) = self.start_one(number, cpus, before) {
                self.tell(Event::NotStarted { text, code });
                break;
            }
            if self.orders.bind.report {
                let rank = self.orders.posts[number].rank;
                let host = &self.orders.host;
                let text = match cpus {
                    Some(cpus) => format!(
                        "rank {rank} on {host} is bound to processors {}: {}",
                        list(cpus),
                        topology.picture(cpus, &allowed)
                    ),
                    None => format!("rank {rank} on {host} is not bound"),
                };
                self.say(text);
            }
        }
        self.tell_hunger();
    }

    fn start_one(
        &mut self,
        number: usize,
        cpus: Option<&[usize]>,
        before: &Before,
    ) -> Result<(), (String, i32)> {
        let post = &self.orders.posts[number];
        let program = &self.programs[post.program];
        let (rank, host) = (post.rank, &self.orders.host);
        let name = program.argv[0].to_string_lossy().into_owned();
        let place = Place {
            rank,
            host,
            local_rank: number,
            local_size: self.orders.posts.len(),
        };
        let streams = Streams {
            stdin: self.orders.reads(rank),
            merge: self.orders.merge,
        };
        let ties = Ties {
            guard: self.guard.register(),
            door: self.door.as_ref().map(|door| door.invitation(number)),
        };
        let world = &self.orders.world;
        let started = start::start(program, cpus, &place, world, streams, before, ties);
        let started = started.map_err(|error| {
            let code = match error.raw_os_error() {
                Some(libc::ENOENT) => 127,
                Some(libc::EACCES | libc::ENOEXEC | libc::EISDIR) => 126,
                _ => 1,
            };
            let why = start::why(&error, &program.file);
            (
                format!("cannot start rank {rank} ({name}) on {host}: {why}"),
                code,
            )
        })?;
        let pid = Pid::from_raw(started.child.id() as i32);
        let who = Who {
            rank,
            host: host.clone(),
            pid: pid.as_raw(),
            program: name,
        };
        self.by_pid.insert(pid, number);
        if let Some(pipe) = started.stdin {
            self.feed.add(number, pipe);
        }
        let out = Some(Stream::new(started.stdout, Which::Out));
        let err = started.stderr.map(|fd| Stream::new(fd, Which::Err));
        self.ranks.push(Rank {
            who,
            pid,
            link: Some(Link::new(started.pmi)),
            member: None,
            itself: false,
            left: None,
            used: None,
            waited: None,
            streams: out.into_iter().chain(err).collect(),
            ended: None,
            group: true,
        });
        self.tell(Event::Started {
            rank,
            pid: pid.as_raw(),
        });
        Ok(())
    }
}

fn list(cpus: &[usize]) -> String {
    let mut cpus = cpus.to_vec();
    cpus.sort_unstable();
    crate::pmi::ranges(&cpus)
}
