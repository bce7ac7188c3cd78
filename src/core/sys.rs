//! The operating system: futexes, memory files, mappings, file descriptors in messages, processors.
//!
//! Thin safe wrappers; every policy lives above. Linux on x86_64 and aarch64.
#![allow(unsafe_code)]

use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use crate::sync::AtomicU32;

/// Sleeps while `word` holds `expected`, at most for `timeout`. Spurious returns are allowed.
pub fn futex_wait(word: &AtomicU32, expected: u32, timeout: Duration) {
    let time = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the word is live and aligned, the timespec outlives the call. Not FUTEX_PRIVATE: the word
    // may lie in memory shared between processes.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            std::ptr::from_ref(word).cast::<u32>(),
            libc::FUTEX_WAIT,
            expected,
            &raw const time,
        );
    }
}

/// Wakes every sleeper on `word`, in any process.
pub fn futex_wake(word: &AtomicU32) {
    // SAFETY: the word is live and aligned.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            std::ptr::from_ref(word).cast::<u32>(),
            libc::FUTEX_WAKE,
            i32::MAX,
        );
    }
}

/// Bytes of the second cache of the processor that this runs on, or ran on when the program started; 0: not known.
pub fn second_cache() -> usize {
    #[cfg(target_env = "gnu")]
    // SAFETY: no memory is involved.
    let bytes = unsafe { libc::sysconf(libc::_SC_LEVEL2_CACHE_SIZE) };
    #[cfg(not(target_env = "gnu"))]
    let bytes = 0;
    usize::try_from(bytes).unwrap_or(0)
}

const MEMBARRIER_GLOBAL_EXPEDITED: libc::c_int = 2;
const MEMBARRIER_REGISTER_GLOBAL_EXPEDITED: libc::c_int = 4;

/// Lets other processes' [`barrier_everywhere`] order this process's memory accesses. Says whether the
/// kernel can do it.
pub fn register_barriers() -> bool {
    // SAFETY: no memory is involved.
    unsafe {
        libc::syscall(
            libc::SYS_membarrier,
            MEMBARRIER_REGISTER_GLOBAL_EXPEDITED,
            0,
            0,
        ) == 0
    }
}

/// A full memory barrier on every processor that runs a registered process.
pub fn barrier_everywhere() -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::syscall(libc::SYS_membarrier, MEMBARRIER_GLOBAL_EXPEDITED, 0, 0) == 0 }
}

/// A number that no other process has by chance; never 0.
pub fn random() -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: the buffer is live and 8 bytes long.
    let got =
        unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), libc::GRND_NONBLOCK) };
    if got < 8 {
        bytes = (u64::from(std::process::id()) << 32 ^ nanoseconds() << 1).to_ne_bytes();
    }
    u64::from_ne_bytes(bytes) | 1
}

/// Bytes that nobody can foresee.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let mut there = 0;
    while there < N {
        let rest = &mut bytes[there..];
        // SAFETY: the buffer is live and as long as said.
        let got = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
        // A signal may interrupt it; nothing else can fail.
        there += usize::try_from(got).unwrap_or(0);
    }
    bytes
}

/// Sees to it that a dead connection is noticed within some seconds where nothing is under way. Where something is,
/// [`is_unanswered`] tells.
///
/// # Errors
/// What the system says.
pub fn watch_connection(stream: BorrowedFd<'_>) -> io::Result<()> {
    use nix::sys::socket::{setsockopt, sockopt};
    setsockopt(&stream, sockopt::KeepAlive, &true)?;
    setsockopt(&stream, sockopt::TcpKeepIdle, &2)?;
    setsockopt(&stream, sockopt::TcpKeepInterval, &2)?;
    setsockopt(&stream, sockopt::TcpKeepCount, &3)?;
    Ok(())
}

/// Whether the other side of a TCP connection has confirmed nothing for so long, though something is under way. A process that
/// does not read is no such case: its system answers.
pub fn is_unanswered(stream: BorrowedFd<'_>, after: Duration) -> bool {
    // SAFETY: all-zero bytes are valid numbers.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut length = size_of_val(&info) as libc::socklen_t;
    // SAFETY: the system writes as many bytes as are said, and says how many those are.
    let done = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            (&raw mut info).cast(),
            &raw mut length,
        )
    };
    // Where the other side has no room, each attempt is answered at once, and they come at growing intervals.
    let attempt = info.tcpi_unacked > 0
        && info.tcpi_last_ack_recv > info.tcpi_last_data_sent
        && info.tcpi_last_data_sent >= ANSWER;
    let unanswered = attempt || info.tcpi_probes > 1;
    done == 0 && unanswered && u128::from(info.tcpi_last_ack_recv) >= after.as_millis()
}

/// Milliseconds that an answer may take.
const ANSWER: u32 = 1000;

/// Bytes of a stream that the other side's system has not confirmed.
///
/// # Errors
/// What the system says.
pub fn unacknowledged(stream: BorrowedFd<'_>) -> io::Result<usize> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the system writes one number.
    match unsafe { libc::ioctl(stream.as_raw_fd(), libc::TIOCOUTQ, &raw mut bytes) } {
        0 => Ok(usize::try_from(bytes).unwrap_or(0)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Another descriptor of an open file.
///
/// # Errors
/// No file is open by this number, or the system has no descriptor left.
pub fn duplicate(descriptor: i32) -> io::Result<OwnedFd> {
    // SAFETY: no memory is involved.
    match unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 0) } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: the descriptor is new, and nobody else's.
        fd => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
    }
}

/// Whether reading from a descriptor returns at once where nothing is there.
///
/// # Errors
/// What the system says.
pub fn is_nonblocking(descriptor: BorrowedFd<'_>) -> io::Result<bool> {
    // SAFETY: no memory is involved.
    match unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_GETFL) } {
        -1 => Err(io::Error::last_os_error()),
        flags => Ok(flags & libc::O_NONBLOCK != 0),
    }
}

/// A descriptor that becomes readable at a time.
pub struct Timer(OwnedFd);

impl Timer {
    /// # Errors
    /// The system has no descriptor left.
    pub fn new() -> io::Result<Timer> {
        let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
        // SAFETY: no memory is involved.
        match unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, flags) } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: the descriptor is new, and nobody else's.
            fd => Ok(Timer(unsafe { OwnedFd::from_raw_fd(fd) })),
        }
    }

    /// It becomes readable after so long, and is not before.
    pub fn set(&self, after: Duration) {
        // No time at all would stop it.
        self.arm(after.max(Duration::from_nanos(1)));
    }

    /// It does not become readable, and is not.
    pub fn stop(&self) {
        self.arm(Duration::ZERO);
    }

    fn arm(&self, after: Duration) {
        let none = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let time = libc::itimerspec {
            it_interval: none,
            it_value: libc::timespec {
                tv_sec: after.as_secs() as libc::time_t,
                tv_nsec: after.subsec_nanos() as libc::c_long,
            },
        };
        // SAFETY: the system reads one time, and writes none.
        unsafe {
            libc::timerfd_settime(self.0.as_raw_fd(), 0, &raw const time, std::ptr::null_mut());
        }
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Gives the processor to whoever else wants it.
pub fn yield_now() {
    // SAFETY: no arguments.
    unsafe {
        libc::sched_yield();
    }
}

/// Runs `start` with all signals blocked, which a thread that it starts inherits: signals are the application's.
pub fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    use nix::sys::signal::SigSet;
    let before = SigSet::all().thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK);
    let value = start();
    if let Ok(before) = before {
        // It has just been in force.
        let _ = before.thread_set_mask();
    }
    value
}

/// The file of the library, or program, that this code is part of.
pub fn own_library() -> Option<std::path::PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and the place for the answer is live.
    let known = unsafe { libc::dladdr(own_library as *const libc::c_void, found.as_mut_ptr()) };
    // SAFETY: the call has filled it, or it is all zero, which is a value of it.
    let name = unsafe { found.assume_init() }.dli_fname;
    if known == 0 || name.is_null() {
        return None;
    }
    // SAFETY: the loader's name of an object that stays loaded while its code runs.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    let file = std::path::Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    file.canonicalize().ok()
}

/// Runs a function in each child that this process forks from now on, before `fork` returns there.
pub fn in_children(run: extern "C" fn()) {
    // SAFETY: the function is one of this shared object, with which the C library forgets it. What fails leaves it out.
    unsafe {
        libc::pthread_atfork(None, None, Some(run));
    }
}

/// A new nameless memory file of zero bytes, closed on exec.
pub fn memory_file(name: &std::ffi::CStr) -> io::Result<OwnedFd> {
    nix::sys::memfd::memfd_create(name, nix::sys::memfd::MFdFlags::MFD_CLOEXEC)
        .map_err(io::Error::from)
}

/// Grows a file to `len` bytes if it is shorter; never shrinks it.
pub fn grow(file: &OwnedFd, len: u64) -> io::Result<()> {
    let now = nix::sys::stat::fstat(file)?.st_size as u64;
    if now < len {
        // The system ends a process that makes a file longer than that.
        if let Some(limit) = limit(nix::sys::resource::Resource::RLIMIT_FSIZE)
            && limit < len
        {
            let what = format!("files may have {limit} bytes: raise that limit ('ulimit -f')");
            return Err(io::Error::other(what));
        }
        nix::unistd::ftruncate(file, len as libc::off_t)?;
    }
    Ok(())
}

/// Bytes of the smallest page.
pub const PAGE: usize = 4096;
/// Bytes of the largest one: parts of a file can be mapped from its multiples on.
pub const LARGEST_PAGE: usize = 64 << 10;

/// Has the pages of some memory made, from a page's boundary on. So they need not be made one by one when they are
/// written. Where that cannot be done, as before Linux 5.14, they are made then.
pub fn populate(start: *const u8, len: usize) {
    #[cfg(not(miri))]
    // SAFETY: changes nothing that a program can read, and says so where the range is not mapped.
    unsafe {
        libc::madvise(start.cast_mut().cast(), len, libc::MADV_POPULATE_WRITE);
    }
    #[cfg(miri)]
    let _ = (start, len);
}

/// A limit of this process's resources, if there is one.
fn limit(resource: nix::sys::resource::Resource) -> Option<u64> {
    let (limit, _) = nix::sys::resource::getrlimit(resource).ok()?;
    (limit != nix::sys::resource::RLIM_INFINITY).then_some(limit)
}

/// Bytes of addresses that this process may have, if they are limited (`ulimit -v`).
pub fn address_limit() -> Option<u64> {
    limit(nix::sys::resource::Resource::RLIMIT_AS)
}

/// Tells an open file from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

/// Which file a descriptor is open on.
pub fn file_id(file: &OwnedFd) -> io::Result<FileId> {
    let stat = nix::sys::stat::fstat(file)?;
    Ok(FileId {
        device: stat.st_dev,
        inode: stat.st_ino,
    })
}

/// Addresses that nothing lies at; given back when dropped.
pub struct Reserved {
    base: *mut u8,
    len: usize,
}

impl Reserved {
    /// # Errors
    /// The system or its limits do not allow it.
    pub fn new(len: usize) -> io::Result<Reserved> {
        let base = map(None, len, libc::PROT_NONE, libc::MAP_PRIVATE, None)?;
        Ok(Reserved { base, len })
    }

    /// The first `len` bytes of it by themselves, if there are so many.
    pub fn take(&mut self, len: usize) -> Option<Reserved> {
        self.len = self.len.checked_sub(len)?;
        let base = self.base;
        self.base = base.wrapping_add(len);
        Some(Reserved { base, len })
    }

    /// Gives back what has not been taken.
    pub fn release(&mut self) {
        unmap(self.base, self.len);
        self.len = 0;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.release();
    }
}

/// A new mapping, of a part of a file or of nothing, at addresses of the kernel's choice or reserved ones.
fn map(
    place: Option<Reserved>,
    len: usize,
    protection: libc::c_int,
    sharing: libc::c_int,
    file: Option<(&OwnedFd, usize)>,
) -> io::Result<*mut u8> {
    let (at, fixed) = match &place {
        Some(place) => (place.base, libc::MAP_FIXED),
        None => (std::ptr::null_mut(), 0),
    };
    let anonymous = if file.is_none() {
        libc::MAP_ANONYMOUS
    } else {
        0
    };
    let (descriptor, offset) = file.map_or((-1, 0), |(file, offset)| (file.as_raw_fd(), offset));
    // SAFETY: a fresh mapping at an address of the kernel's choice, or where nothing of use lies, aliases nothing of ours.
    let base = unsafe {
        libc::mmap(
            at.cast(),
            len,
            protection,
            sharing | libc::MAP_NORESERVE | fixed | anonymous,
            descriptor,
            offset as libc::off_t,
        )
    };
    if base == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // What was reserved is the mapping's now.
    std::mem::forget(place);
    Ok(base.cast())
}

fn unmap(base: *mut u8, len: usize) {
    if len > 0 {
        // SAFETY: whoever calls this has what mmap gave, or a part of it.
        unsafe {
            libc::munmap(base.cast(), len);
        }
    }
}

/// A shared read-write mapping of a part of a file; unmapped when dropped.
pub struct Mapping {
    base: *mut u8,
    len: usize,
}

impl Mapping {
    /// Maps some bytes of `file`, from a page's boundary on, at addresses reserved for them if there are some. Nothing else is
    /// reserved: pages come when they are touched.
    pub fn part(
        file: &OwnedFd,
        bytes: Range<usize>,
        place: Option<Reserved>,
    ) -> io::Result<Mapping> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (len, from) = (bytes.len(), Some((file, bytes.start)));
        let base = map(place, len, access, libc::MAP_SHARED, from)?;
        // SAFETY: the range is the mapping just made. Core dumps need not hold gigabytes of rings.
        unsafe {
            libc::madvise(base.cast(), len, libc::MADV_DONTDUMP);
        }
        Ok(Mapping { base, len })
    }

    /// Where it is, for good.
    pub fn keep(self) -> *mut u8 {
        let base = self.base;
        std::mem::forget(self);
        base
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        unmap(self.base, self.len);
    }
}

/// A file descriptor number from the environment, if it is open and is a socket, the one with that file number
/// if one is given.
pub fn inherited_socket(number: i32, file: Option<u64>) -> Option<OwnedFd> {
    // SAFETY: fstat tells whether the number is open; nothing is closed or consumed here.
    let stat = unsafe {
        let mut stat = std::mem::zeroed::<libc::stat>();
        (libc::fstat(number, &raw mut stat) == 0).then_some(stat)
    }?;
    if stat.st_mode & libc::S_IFMT != libc::S_IFSOCK || file.is_some_and(|file| file != stat.st_ino)
    {
        return None;
    }
    // A child of this process must not speak in its name.
    // SAFETY: the descriptor is open.
    unsafe {
        libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC);
    }
    // SAFETY: the launcher handed this descriptor to us alone.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Reads at most `buffer.len()` bytes and any descriptors that came with them; waits up to `timeout`.
/// Zero bytes mean that the other side has closed.
pub fn receive_with_fd(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    timeout: Duration,
) -> io::Result<(usize, Option<OwnedFd>)> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};
    let deadline = std::time::Instant::now() + timeout;
    loop {
        let left = deadline.saturating_duration_since(std::time::Instant::now());
        let mut polled = [PollFd::new(socket, PollFlags::POLLIN)];
        let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        match poll(&mut polled, wait) {
            Ok(0) => return Err(io::Error::from(io::ErrorKind::TimedOut)),
            Ok(_) => (),
            Err(nix::errno::Errno::EINTR) => continue,
            Err(errno) => return Err(errno.into()),
        }
        let mut control = nix::cmsg_space!([std::os::fd::RawFd; 4]);
        let mut pieces = [io::IoSliceMut::new(buffer)];
        let message = match recvmsg::<()>(
            socket.as_raw_fd(),
            &mut pieces,
            Some(&mut control),
            MsgFlags::MSG_CMSG_CLOEXEC,
        ) {
            Ok(message) => message,
            Err(nix::errno::Errno::EINTR) => continue,
            Err(errno) => return Err(errno.into()),
        };
        let mut first = None;
        for control in message.cmsgs()? {
            if let ControlMessageOwned::ScmRights(fds) = control {
                for fd in fds {
                    // SAFETY: the kernel just made this descriptor for us; each is owned once, and all
                    // but the first close right here.
                    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
                    first.get_or_insert(fd);
                }
            }
        }
        return Ok((message.bytes, first));
    }
}

/// Sends what `socket` takes at once of these parts, one after the other; returns how many bytes that are. Nobody gets a
/// signal if the other side has closed.
pub fn send_parts(socket: BorrowedFd<'_>, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
    use nix::errno::Errno;
    use nix::sys::socket::{MsgFlags, sendmsg};
    let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
    loop {
        match sendmsg::<()>(socket.as_raw_fd(), parts, &[], flags, None) {
            Ok(sent) => return Ok(sent),
            Err(Errno::EAGAIN) => return Ok(0),
            Err(Errno::EINTR) => (),
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Reads what `socket` has at once into `buffer`, which is not empty. `None`: nothing is there. Zero bytes mean that the
/// other side has closed.
pub fn receive_some(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    use nix::errno::Errno;
    use nix::sys::socket::{MsgFlags, recv};
    loop {
        match recv(socket.as_raw_fd(), buffer, MsgFlags::MSG_DONTWAIT) {
            Ok(received) => return Ok(Some(received)),
            Err(Errno::EAGAIN) => return Ok(None),
            Err(Errno::EINTR) => (),
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Processors that the calling thread may run on; none if the system does not tell.
pub fn allowed_cpus() -> Vec<usize> {
    cpus_of(nix::unistd::Pid::from_raw(0))
}

/// The same for the process that has started this one: none where that has ended, or is not of this container.
pub fn parents_cpus() -> Vec<usize> {
    match nix::unistd::getppid() {
        none_here if none_here.as_raw() == 0 => Vec::new(),
        parent => cpus_of(parent),
    }
}

fn cpus_of(process: nix::unistd::Pid) -> Vec<usize> {
    let set = nix::sched::sched_getaffinity(process);
    set.map_or(Vec::new(), |set| {
        (0..nix::sched::CpuSet::count())
            .filter(|&cpu| set.is_set(cpu).unwrap_or(false))
            .collect()
    })
}

/// Moves the calling thread to the `index`-th of its processors, counted round, where it may stay or leave
/// again as before.
pub fn move_to_cpu(index: usize) {
    let thread = nix::unistd::Pid::from_raw(0);
    let cpus = allowed_cpus();
    let Ok(all) = nix::sched::sched_getaffinity(thread) else {
        return;
    };
    let mut one = nix::sched::CpuSet::new();
    if cpus.is_empty() || one.set(cpus[index % cpus.len()]).is_err() {
        return;
    }
    // What fails leaves the thread where it is.
    let _ = nix::sched::sched_setaffinity(thread, &one);
    let _ = nix::sched::sched_setaffinity(thread, &all);
}

/// How often the calling thread has given up its processor, or lost it.
pub fn switches() -> u64 {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_THREAD);
    usage.map_or(0, |usage| {
        (usage.voluntary_context_switches() + usage.involuntary_context_switches()) as u64
    })
}

/// Whether this process runs under valgrind, which loads its own library before all others.
pub fn under_valgrind() -> bool {
    std::env::var_os("LD_PRELOAD").is_some_and(|list| {
        let list = list.as_encoded_bytes();
        list.windows(9).any(|part| part == b"vgpreload")
    })
}

/// Name of this host as the kernel knows it; never looked up anywhere.
pub fn host_name() -> String {
    nix::unistd::gethostname()
        .ok()
        .and_then(|name| name.into_string().ok())
        .unwrap_or_else(|| "localhost".into())
}

/// Seconds of the monotonic clock, for `MPI_Wtime`.
#[inline]
pub fn seconds() -> f64 {
    let time = monotonic();
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Nanoseconds of the monotonic clock, which all processes of a node read alike.
pub fn nanoseconds() -> u64 {
    let time = monotonic();
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[inline]
fn monotonic() -> libc::timespec {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the timespec outlives the call.
    unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time);
    }
    time
}

/// Resolution of [`seconds`].
pub fn seconds_resolution() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 1,
    };
    // SAFETY: the timespec outlives the call.
    unsafe {
        libc::clock_getres(libc::CLOCK_MONOTONIC, &raw mut time);
    }
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Writes all of `text` to a descriptor with nothing but `write(2)`: allowed in a signal handler.
pub fn write_raw(fd: i32, mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the slice is live for the call.
        let written = unsafe { libc::write(fd, text.as_ptr().cast(), text.len()) };
        if written <= 0 {
            return;
        }
        text = &text[written as usize..];
    }
}

/// [`write_raw`] to a socket: one that nobody reads any more ends no process by a signal.
pub fn send_raw(socket: i32, mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the slice is live for the call.
        let sent =
            unsafe { libc::send(socket, text.as_ptr().cast(), text.len(), libc::MSG_NOSIGNAL) };
        match sent {
            1.. => text = &text[sent as usize..],
            _ if io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) => (),
            _ => return,
        }
    }
}

/// Waits until there is something to read at a descriptor, or `patience` has passed: allowed in a signal handler.
pub fn wait_raw(fd: i32, patience: Duration) {
    let deadline = nanoseconds().saturating_add(patience.as_nanos() as u64);
    loop {
        let left = deadline.saturating_sub(nanoseconds()).div_ceil(1_000_000);
        let mut polled = libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: the structure is live for the call.
        let ready = unsafe { libc::poll(&raw mut polled, 1, left.try_into().unwrap_or(i32::MAX)) };
        let again = ready < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR);
        if !again {
            return;
        }
    }
}

/// Ends the process at once, running nothing: allowed in a signal handler.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: _exit has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Memory of the C heap, as `MPI_Alloc_mem` hands out, or `None`. `align` is a power of two and at least 8.
pub fn allocate(bytes: usize, align: usize) -> Option<*mut u8> {
    let mut memory = std::ptr::null_mut();
    // SAFETY: the out-pointer is live; what is no power of two is refused.
    let failed = unsafe { libc::posix_memalign(&raw mut memory, align, bytes.max(1)) };
    (failed == 0).then_some(memory.cast())
}

/// Gives back memory of [`allocate`].
///
/// # Safety
/// `memory` came from [`allocate`] and nobody uses it any more.
pub unsafe fn release(memory: *mut u8) {
    // SAFETY: by the contract above.
    unsafe { libc::free(memory.cast()) }
}
