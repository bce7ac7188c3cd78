//! Names of services that processes of one user on one host find without any launcher.
//!
//! Whoever publishes listens on a socket that has a name but no file, and a thread tells the port to whoever asks. So a
//! name ends with its process, however that ends, and nothing is left behind. Both sides look whose process the
//! other one is. Knows nothing of launchers.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::socket::{Shutdown, getsockopt, shutdown, sockopt::PeerCredentials};
use nix::unistd::geteuid;

use crate::error::Result;
use crate::processes::hash;
use crate::sys;

/// How long the other side may take to answer, or to take the answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 16;

struct Published {
    listener: UnixListener,
    thread: JoinHandle<()>,
}

/// What this process has published.
fn own() -> MutexGuard<'static, Option<HashMap<String, Published>>> {
    static OWN: Mutex<Option<HashMap<String, Published>>> = Mutex::new(None);
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn address(service: &str) -> io::Result<SocketAddr> {
    let number = hash(service.bytes());
    SocketAddr::from_abstract_name(format!("anympi-name-{}-{number:016x}", geteuid()))
}

/// Whether the other end of a connection is a process of this user, or of root.
fn is_trusted(stream: &UnixStream) -> bool {
    let credentials = getsockopt(stream, PeerCredentials);
    credentials.is_ok_and(|c| c.uid() == 0 || c.uid() == geteuid().as_raw())
}

/// Publishes a port for as long as this process runs.
///
/// # Errors
/// `MPI_ERR_SERVICE`: another process has published this service, or the system lacks something.
pub fn publish(service: &str, port: &str) -> Result<()> {
    let start = || -> io::Result<Published> {
        let listener = UnixListener::bind_addr(&address(service)?)?;
        let accepting = listener.try_clone()?;
        let answer = format!("{service}\0{port}\0");
        let serve = move || {
            // It ends with the end of the listening.
            for stream in accepting.incoming() {
                match stream {
                    Ok(mut stream) if is_trusted(&stream) => {
                        let _ = stream.set_write_timeout(Some(PATIENCE));
                        let _ = stream.write_all(answer.as_bytes());
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => return,
                    // No descriptor is free at the moment.
                    Err(_) => std::thread::sleep(Duration::from_millis(10)),
                }
            }
        };
        let builder = std::thread::Builder::new().name("anympi-name".into());
        let thread = sys::without_signals(|| builder.spawn(serve))?;
        Ok(Published { listener, thread })
    };
    match start() {
        Ok(published) => {
            let mut own = own();
            own.get_or_insert_default()
                .insert(service.to_owned(), published);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            crate::fail!(
                SERVICE,
                "the service '{service}' is published already on this host"
            )
        }
        Err(error) => crate::fail!(SERVICE, "cannot publish the service '{service}': {error}"),
    }
}

/// The port of a service that a process of this user on this host has published.
pub fn lookup(service: &str) -> Option<String> {
    let mut stream = UnixStream::connect_addr(&address(service).ok()?).ok()?;
    if !is_trusted(&stream) {
        return None;
    }
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let mut answer = String::new();
    let read = Read::by_ref(&mut stream).take(LONGEST);
    io::BufReader::new(read).read_to_string(&mut answer).ok()?;
    let (name, rest) = answer.split_once('\0')?;
    let port = rest.strip_suffix('\0')?;
    (name == service).then(|| port.to_owned())
}

/// Takes back what this process has published.
///
/// # Errors
/// `MPI_ERR_SERVICE`: it has not published that.
pub fn unpublish(service: &str) -> Result<()> {
    let published = own().as_mut().and_then(|own| own.remove(service));
    let Some(Published { listener, thread }) = published else {
        crate::fail!(
            SERVICE,
            "this process has not published the service '{service}'"
        );
    };
    if shutdown(listener.as_raw_fd(), Shutdown::Both).is_ok() {
        // It ends at once, or has ended.
        let _ = thread.join();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    fn name(what: &str) -> String {
        format!("test {what} {}", std::process::id())
    }

    #[test]
    fn a_name_is_there_until_it_is_taken_back() {
        let service = name("there");
        assert_eq!(lookup(&service), None);
        publish(&service, "port $1").unwrap();
        assert_eq!(lookup(&service).as_deref(), Some("port $1"));
        let error = publish(&service, "other").unwrap_err();
        assert_eq!(error.code(), class::SERVICE);
        assert!(error.what().contains(&service), "{error}");
        assert_eq!(lookup(&service).as_deref(), Some("port $1"));
        unpublish(&service).unwrap();
        assert_eq!(lookup(&service), None);
        let error = unpublish(&service).unwrap_err();
        assert_eq!(error.code(), class::SERVICE);
        publish(&service, "again").unwrap();
        assert_eq!(lookup(&service).as_deref(), Some("again"));
        unpublish(&service).unwrap();
    }

    #[test]
    fn who_listens_there_and_does_not_answer_rightly_is_passed_over() {
        let service = name("mute");
        let listener = UnixListener::bind_addr(&address(&service).unwrap()).unwrap();
        let answers = ["", "other\0port\0", "no end", "test"];
        let server = std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
            }
            // The last one is never accepted.
            std::thread::sleep(2 * PATIENCE);
        });
        for _ in answers {
            assert_eq!(lookup(&service), None);
        }
        let begin = std::time::Instant::now();
        assert_eq!(lookup(&service), None);
        assert!(begin.elapsed() < 2 * PATIENCE);
        server.join().unwrap();
    }
}
