//! A cable between two network namespaces, on which packets are late, lost, doubled or out of order.
//!
//! Each end is a network device whose packets this process carries to the other end (`/dev/net/tun`), so no module of the
//! kernel is needed for the faults. It must not know what the packets are.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, setns};

/// What happens to packets. Chances are of a thousand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    /// Each packet is under way so long at least...
    pub delay: Duration,
    /// ... and at most so much longer, each by itself: so some overtake others.
    pub jitter: Duration,
    pub lost: u32,
    pub doubled: u32,
    /// Nothing gets through, and nobody is told.
    pub cut: bool,
}

/// What has happened to packets so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    pub lost: u64,
    pub doubled: u64,
    /// Packets that have overtaken others.
    pub overtook: u64,
}

/// The cable. It ends when this is dropped.
pub struct Cable {
    weather: Arc<Mutex<(Weather, Happened)>>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Runs something in a network namespace, in a thread that ends with it.
///
/// # Errors
/// There is no such namespace, or this user may not enter it.
pub fn inside<R: Send>(namespace: &str, run: impl FnOnce() -> R + Send) -> Result<R> {
    let place = File::open(format!("/var/run/netns/{namespace}"))?;
    thread::scope(|scope| {
        let thread = scope.spawn(|| setns(&place, CloneFlags::CLONE_NEWNET).map(|()| run()));
        let done = thread
            .join()
            .map_err(|_| anyhow::anyhow!("it has panicked"))?;
        done.with_context(|| format!("cannot enter {namespace}"))
    })
}

/// A device of this name in the namespace where it is called.
fn device(name: &str) -> io::Result<File> {
    const TUNSETIFF: libc::c_ulong = 0x4004_54ca;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open("/dev/net/tun")?;
    // SAFETY: all-zero bytes are a request without a name.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes().take(15)) {
        *to = from.cast_signed();
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_TUN | libc::IFF_NO_PI) as libc::c_short;
    // SAFETY: the descriptor is open, and the request lives through the call.
    match unsafe { libc::ioctl(file.as_raw_fd(), TUNSETIFF, &raw mut request) } {
        0 => Ok(file),
        _ => Err(io::Error::last_os_error()),
    }
}

impl Cable {
    /// Connects two namespaces by a device in each. It has no address yet, and is not up.
    ///
    /// # Errors
    /// The system has no such devices, or this user may not make any.
    pub fn between(namespaces: [&str; 2], name: &str) -> Result<Cable> {
        let [one, other] = namespaces.map(|namespace| -> Result<File> {
            let device = inside(namespace, || device(name))?;
            device.with_context(|| format!("cannot make a device in {namespace}"))
        });
        let carried = [one?, other?];
        let weather = Arc::new(Mutex::new(Default::default()));
        let ends = Arc::new(AtomicBool::new(false));
        let (its_weather, its_ends) = (weather.clone(), ends.clone());
        let thread = thread::spawn(move || carry(&carried, &its_weather, &its_ends));
        Ok(Cable {
            weather,
            ends,
            thread: Some(thread),
        })
    }

    /// From now on it is like this. Gives what has happened since the last change.
    pub fn set(&self, weather: Weather) -> Happened {
        let now = (weather, Happened::default());
        let mut is = self.weather.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *is, now).1
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // What it panicked of, it has said.
            let _ = thread.join();
        }
    }
}

/// Numbers without a pattern, the same in each run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if end == 0 { 0 } else { self.0 % end }
    }
}

fn carry(devices: &[File; 2], weather: &Mutex<(Weather, Happened)>, ends: &AtomicBool) {
    // Packets under way by when they come and a number, each with its destination.
    let mut under_way: BTreeMap<(Instant, u64), (usize, Vec<u8>)> = BTreeMap::new();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut number = 0;
    let mut packet = vec![0; 1 << 16];
    while !ends.load(Ordering::Relaxed) {
        let next = under_way.keys().next().map(|(when, _)| *when);
        let wait = next.map_or(Duration::from_millis(50), |when| {
            when.saturating_duration_since(Instant::now())
        });
        // Rounded up, so that nothing spins until the last millisecond is over.
        let wait = (wait.as_micros().div_ceil(1000)).min(50) as u16;
        let mut polled = devices
            .each_ref()
            .map(|device| PollFd::new(device.as_fd(), PollFlags::POLLIN));
        // An interruption is no harm.
        let _ = poll(&mut polled, PollTimeout::from(wait));
        let now = Instant::now();
        let mut shared = weather.lock().unwrap_or_else(PoisonError::into_inner);
        let (is, happened) = &mut *shared;
        for (from, mut device) in devices.iter().enumerate() {
            // The other direction is to have its turn.
            for _ in 0..64 {
                // Nothing is there, or the device is down.
                let Ok(length) = device.read(&mut packet) else {
                    break;
                };
                if is.cut || dice.below(1000) < u64::from(is.lost) {
                    happened.lost += 1;
                    continue;
                }
                let copies = 1 + u64::from(dice.below(1000) < u64::from(is.doubled));
                happened.doubled += copies - 1;
                for _ in 0..copies {
                    let later = dice.below(is.jitter.as_micros() as u64 + 1);
                    let when = now + is.delay + Duration::from_micros(later);
                    number += 1;
                    let mut later = under_way.range((when, number)..);
                    happened.overtook += u64::from(later.any(|(_, (to, _))| *to != from));
                    under_way.insert((when, number), (1 - from, packet[..length].to_vec()));
                }
            }
        }
        drop(shared);
        while let Some(first) = under_way.first_entry() {
            if first.key().0 > Instant::now() {
                break;
            }
            let (to, packet) = first.remove();
            // A device that is down takes nothing.
            let _ = (&devices[to]).write(&packet);
        }
    }
}
