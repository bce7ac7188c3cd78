//! Processes of a node that watch over each other, where the launcher does not end the job when one of them dies.
//!
//! Each keeps a pipe open. A thread of the process before it on the node reads there. A byte says that the process has
//! left MPI; the end without one says that it has died, and so must the job. Knows no launcher.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use super::Abort;
use crate::held::Held;
use crate::sync::{AtomicU8, Ordering};
use crate::sys;

/// How long a process that has died may already have ended the job itself.
const GRACE: Duration = Duration::from_millis(500);
/// Bytes of the thread's stack.
const STACK: usize = 256 << 10;

/// A process's own pipe.
pub struct Pipe {
    read: OwnedFd,
    write: Held<File>,
}

impl Pipe {
    /// # Errors
    /// The system has no more descriptors.
    pub fn new() -> io::Result<Pipe> {
        let (read, write) = nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?;
        let write = Held::new(File::from(write));
        Ok(Pipe { read, write })
    }

    /// The descriptor of this process that others open to read there.
    pub fn descriptor(&self) -> i32 {
        self.read.as_raw_fd()
    }

    /// Watches over the process whose pipe is opened by `next`. When it dies, `words` are said, and the job ends.
    ///
    /// # Errors
    /// There is no more memory for a thread.
    pub fn watch(self, next: File, words: String, abort: Option<Abort>) -> io::Result<Watch> {
        let end = move || {
            sys::write_raw(libc::STDERR_FILENO, words.as_bytes());
            if let Some(abort) = abort {
                (abort.tell)(abort.descriptor, 1, 1);
            }
            sys::exit_now(1)
        };
        self.watch_and(next, end)
    }

    fn watch_and(self, mut next: File, end: impl FnOnce() + Send + 'static) -> io::Result<Watch> {
        let has_left = Arc::new(AtomicU8::new(0));
        let left = has_left.clone();
        let watch = move || {
            if matches!(next.read(&mut [0]), Ok(0)) {
                std::thread::sleep(GRACE);
                // Who has left can tell the launcher nothing more.
                if left.load(Ordering::Relaxed) == 0 {
                    end();
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("anympi-watch".into())
            .stack_size(STACK);
        sys::without_signals(|| thread.spawn(watch))?;
        Ok(Watch {
            has_left,
            pipe: self,
        })
    }
}

/// The part of a process in this.
pub struct Watch {
    has_left: Arc<AtomicU8>,
    /// Stays open until the process ends. Others may not have opened it yet.
    pipe: Pipe,
}

impl Watch {
    /// This process leaves MPI in good order.
    pub fn leave(&self) {
        self.has_left.store(1, Ordering::Relaxed);
        // Where nobody reads any more, nobody has to know.
        let _ = (&*self.pipe.write).write_all(&[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{RecvTimeoutError, channel};

    fn opened(pipe: &Pipe) -> File {
        File::open(format!("/proc/self/fd/{}", pipe.descriptor())).unwrap()
    }

    #[test]
    fn who_ends_without_a_farewell_is_noticed() {
        let long = Duration::from_secs(20);
        for (leaves, watcher_leaves, noticed) in [
            (false, false, true),
            (true, false, false),
            (false, true, false),
        ] {
            let (next, mine) = (Pipe::new().unwrap(), Pipe::new().unwrap());
            let (sender, died) = channel();
            let file = opened(&next);
            let watch = mine
                .watch_and(file, move || sender.send(()).unwrap())
                .unwrap();
            let others = Pipe::new().unwrap();
            let file = opened(&others);
            let next = next.watch_and(file, || ()).unwrap();
            if leaves {
                next.leave();
            }
            if watcher_leaves {
                watch.leave();
            }
            drop(next);
            // The sender goes when the thread ends.
            let expected = if noticed {
                Ok(())
            } else {
                Err(RecvTimeoutError::Disconnected)
            };
            assert_eq!(died.recv_timeout(long), expected);
        }
    }
}
