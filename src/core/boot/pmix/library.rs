//! libpmix, opened at run time: what of its C interface a client of a PMIx server needs.
//!
//! Layouts, constants and functions are those of the PMIx standard, versions 2 to 5, which no version has changed. A
//! site's own library speaks to the site's server, so anympi links none. Knows nothing of MPI and of launchers.
#![allow(unsafe_code)]

pub mod spawn;

use spawn::{App, Found};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name that the loader knows.
pub const SONAME: &str = "libpmix.so.2";

const SUCCESS: c_int = 0;
const ERR_NOT_FOUND: c_int = -46;
/// The operation was complete when the call returned, and nothing will be called back.
const OPERATION_SUCCEEDED: c_int = -157;
/// The server is gone: today's number, and that of version 2.
const LOST_CONNECTION: [c_int; 2] = [-61, -101];
const RANK_WILDCARD: u32 = u32::MAX - 1;
/// Scope of a value that all processes of the job may see.
const GLOBAL: u8 = 3;
const BOOL: u16 = 1;
const STRING: u16 = 3;
/// Types of numbers with four bytes. Launchers do not agree on which a key has.
const NUMBERS: [u16; 4] = [INT, 9, 11, UINT32];
const INT: u16 = 6;
const UINT32: u16 = 14;
const BYTE_OBJECT: u16 = 27;

/// Seconds that servers may look for a value.
const GET: u32 = 60;

const KEY: usize = 512;

/// `pmix_proc_t`: a process, or with the wildcard all of a job.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Proc {
    space: [c_char; 256],
    pub rank: u32,
}

impl Proc {
    const NOBODY: Proc = Proc {
        space: [0; 256],
        rank: 0,
    };

    pub fn with_rank(self, rank: u32) -> Proc {
        Proc { rank, ..self }
    }

    /// All processes of the same job.
    pub fn job(self) -> Proc {
        self.with_rank(RANK_WILDCARD)
    }

    /// The name of the job.
    pub fn namespace(&self) -> String {
        let name = self.space.iter().take_while(|&&byte| byte != 0);
        let name: Vec<u8> = name.map(|&byte| byte as u8).collect();
        String::from_utf8_lossy(&name).into_owned()
    }
}

/// `pmix_byte_object_t`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Bytes {
    start: *mut c_char,
    size: usize,
}

/// The union in `pmix_value_t`: what of it is used here, and its size, which that of three pointers is.
#[repr(C)]
#[derive(Clone, Copy)]
union Data {
    flag: bool,
    uint32: u32,
    string: *mut c_char,
    bytes: Bytes,
    all: [usize; 3],
}

/// `pmix_value_t`.
#[repr(C)]
pub(super) struct Value {
    kind: u16,
    data: Data,
}

/// `pmix_info_t`: a key with a value, which directs a call.
#[repr(C)]
pub(super) struct Info {
    key: [c_char; KEY],
    flags: u32,
    value: Value,
}

const _: () = assert!(size_of::<Proc>() == 260);
const _: () = assert!(size_of::<Value>() == 32 && std::mem::offset_of!(Value, data) == 8);
const _: () = assert!(size_of::<Info>() == 552 && std::mem::offset_of!(Info, value) == 520);

impl Info {
    /// The key with a number of seconds.
    fn seconds(name: &CStr, seconds: u32) -> Info {
        let mut info = Info::yes(name);
        info.value.kind = INT;
        info.value.data.uint32 = seconds;
        info
    }

    /// The key with the value true.
    fn yes(name: &CStr) -> Info {
        let mut key = [0; KEY];
        for (to, &from) in key.iter_mut().zip(name.to_bytes()) {
            *to = from as c_char;
        }
        let mut data = Data { all: [0; 3] };
        data.flag = true;
        let value = Value { kind: BOOL, data };
        Info {
            key,
            flags: 0,
            value,
        }
    }
}

type Completed = unsafe extern "C" fn(c_int, *mut c_void);
type Registered = unsafe extern "C" fn(c_int, usize, *mut c_void);
type Handled =
    unsafe extern "C" fn(c_int, *mut Info, usize, Option<Completed>, *mut c_void, *mut c_void);
type Event = unsafe extern "C" fn(
    usize,
    c_int,
    *const Proc,
    *mut Info,
    usize,
    *mut Info,
    usize,
    Option<Handled>,
    *mut c_void,
);

macro_rules! functions {
    ($($field:ident $name:literal ($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions that are called, by their names without the prefix.
        #[derive(Clone, Copy)]
        pub struct Library {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Library {
            /// # Safety
            /// What `find` returns for a name is the PMIx standard's function of that name.
            unsafe fn of(find: impl Fn(&CStr) -> Option<*mut c_void>) -> Result<Library, String> {
                Ok(Library {
                    $($field: {
                        let symbol = find($name).ok_or_else(|| format!("it has no {}", $name.to_string_lossy()))?;
                        // SAFETY: the caller promises that the function has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> $result>(symbol) }
                    },)*
                })
            }
        }
    };
}

functions! {
    init c"PMIx_Init" (*mut Proc, *mut Info, usize) -> c_int;
    finalize c"PMIx_Finalize" (*const Info, usize) -> c_int;
    get c"PMIx_Get" (*const Proc, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
    put c"PMIx_Put" (u8, *const c_char, *mut Value) -> c_int;
    commit c"PMIx_Commit" () -> c_int;
    fence c"PMIx_Fence_nb" (*const Proc, usize, *const Info, usize, Completed, *mut c_void) -> c_int;
    abort c"PMIx_Abort" (c_int, *const c_char, *mut Proc, usize) -> c_int;
    register c"PMIx_Register_event_handler" (*mut c_int, usize, *mut Info, usize, Event, Registered, *mut c_void) -> c_int;
    error_string c"PMIx_Error_string" (c_int) -> *const c_char;
    spawn c"PMIx_Spawn" (*const Info, usize, *const App, usize, *mut c_char) -> c_int;
    publish c"PMIx_Publish" (*const Info, usize) -> c_int;
    lookup c"PMIx_Lookup" (*mut Found, usize, *const Info, usize) -> c_int;
    unpublish c"PMIx_Unpublish" (*mut *mut c_char, *const Info, usize) -> c_int;
}

/// What is done when the server is gone.
pub type Lost = Box<dyn Fn() + Send>;

/// Why a call has not done what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// PMIx's status, a negative number.
    Status(i32),
    /// A value has another type than that of its key.
    Type(u16),
    /// The deadline has passed.
    Late(Duration),
}

/// A [`Trouble`] in words.
pub struct Told<'a>(pub &'a Library, pub Trouble);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Trouble::Status(status) => {
                // SAFETY: any number may be asked for.
                let text = unsafe { (self.0.error_string)(status) };
                let text = match text.is_null() {
                    true => "unknown".into(),
                    // SAFETY: the library returns text that it never changes.
                    false => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
                };
                write!(f, "PMIx status {status} ({text})")
            }
            Trouble::Type(kind) => write!(f, "a value of the unexpected PMIx type {kind}"),
            Trouble::Late(time) => write!(f, "no end within {} s", time.as_secs()),
        }
    }
}

/// Where a value is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// With this process: whatever describes the job is there from the start.
    Here,
    /// With the servers as well, of which each waits until the value is put.
    Anywhere,
}

fn done(status: c_int) -> Result<(), Trouble> {
    match status {
        SUCCESS | OPERATION_SUCCEEDED => Ok(()),
        status => Err(Trouble::Status(status)),
    }
}

impl Library {
    /// Opens a library, by its path or as the loader finds it.
    ///
    /// # Errors
    /// What the loader says, or which function is missing.
    pub fn open(path: &Path) -> Result<Library, String> {
        Library::load(path, 0)
    }

    /// The library that this process has open already, if any: a process must not have two.
    pub fn already_open() -> Option<Library> {
        Library::load(Path::new(SONAME), libc::RTLD_NOLOAD).ok()
    }

    fn load(path: &Path, more: c_int) -> Result<Library, String> {
        let name =
            CString::new(path.as_os_str().as_encoded_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: the name is a string. Whoever sets the paths of a process decides what it runs.
        let library =
            unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL | more) };
        if library.is_null() {
            // SAFETY: this thread's last error, a string until its next call.
            let text = unsafe { libc::dlerror() };
            return Err(match text.is_null() {
                true => "it is not open".into(),
                // SAFETY: as above.
                false => unsafe { CStr::from_ptr(text) }
                    .to_string_lossy()
                    .into_owned(),
            });
        }
        // The library stays open: it has threads.
        let find = |name: &CStr| {
            // SAFETY: the library is open.
            let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
            (!symbol.is_null()).then_some(symbol)
        };
        // SAFETY: names that begin with PMIx_ are the standard's.
        unsafe { Library::of(find) }
    }

    /// Connects this process to its server; returns who it is.
    ///
    /// # Errors
    /// `Status`.
    pub fn init(&self) -> Result<Proc, Trouble> {
        let mut me = Proc::NOBODY;
        // SAFETY: the place for the answer is live, and there are no directions.
        done(unsafe { (self.init)(&raw mut me, std::ptr::null_mut(), 0) })?;
        Ok(me)
    }

    /// Leaves the server.
    ///
    /// # Errors
    /// `Status`.
    pub fn finalize(&self) -> Result<(), Trouble> {
        // SAFETY: there are no directions.
        done(unsafe { (self.finalize)(std::ptr::null(), 0) })
    }

    /// A number that describes the process or its job, if the launcher tells it; negative ones are above `i32::MAX`.
    ///
    /// # Errors
    /// `Status`, `Type`.
    pub fn number(&self, of: &Proc, key: &CStr) -> Result<Option<u32>, Trouble> {
        self.with(of, key, Look::Here, |value| {
            match NUMBERS.contains(&value.kind) {
                // SAFETY: the type says that it is a number of four bytes.
                true => Ok(unsafe { value.data.uint32 }),
                false => Err(Trouble::Type(value.kind)),
            }
        })
    }

    /// The bytes that a process has put. Servers wait for a value that is not there, and say so in different ways.
    ///
    /// # Errors
    /// `Status`, `Type`.
    pub fn bytes(&self, of: &Proc, key: &CStr) -> Result<Option<Vec<u8>>, Trouble> {
        self.with(of, key, Look::Anywhere, |value| {
            if value.kind != BYTE_OBJECT {
                return Err(Trouble::Type(value.kind));
            }
            // SAFETY: the type says which field it is.
            let bytes = unsafe { value.data.bytes };
            if bytes.size == 0 || bytes.start.is_null() {
                return Ok(Vec::new());
            }
            // SAFETY: a byte object has that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts(bytes.start.cast::<u8>(), bytes.size) };
            Ok(bytes.to_vec())
        })
    }

    /// What `read` makes of the value of a key, if it has one.
    fn with<T>(
        &self,
        of: &Proc,
        key: &CStr,
        look: Look,
        read: impl FnOnce(&Value) -> Result<T, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        let direction = match look {
            Look::Here => Info::yes(c"pmix.optional"),
            Look::Anywhere => Info::seconds(c"pmix.timeout", GET),
        };
        let mut value: *mut Value = std::ptr::null_mut();
        // SAFETY: all that is pointed to is live for the call.
        let status =
            unsafe { (self.get)(of, key.as_ptr(), &raw const direction, 1, &raw mut value) };
        match done(status) {
            Err(Trouble::Status(ERR_NOT_FOUND)) => return Ok(None),
            other => other?,
        }
        if value.is_null() {
            return Ok(None);
        }
        // SAFETY: the library has made a value for this call, which nobody else knows.
        let read = read(unsafe { &*value });
        // SAFETY: the standard has callers free it, with `free`, first what it points to. The type says what that is;
        // of types that are not expected only the value itself is freed.
        unsafe {
            match (*value).kind {
                STRING => libc::free((*value).data.string.cast()),
                BYTE_OBJECT => libc::free((*value).data.bytes.start.cast()),
                _ => (),
            }
            libc::free(value.cast());
        }
        read.map(Some)
    }

    /// Has a value ready for the other processes of the job, which see it after `commit` and `fence`.
    ///
    /// # Errors
    /// `Status`.
    pub fn put(&self, key: &CStr, bytes: &[u8]) -> Result<(), Trouble> {
        let mut data = Data { all: [0; 3] };
        data.bytes = Bytes {
            start: bytes.as_ptr().cast_mut().cast(),
            size: bytes.len(),
        };
        let mut value = Value {
            kind: BYTE_OBJECT,
            data,
        };
        // SAFETY: the library copies the value, and does not change it.
        done(unsafe { (self.put)(GLOBAL, key.as_ptr(), &raw mut value) })
    }

    /// Gives the server all that was put.
    ///
    /// # Errors
    /// `Status`.
    pub fn commit(&self) -> Result<(), Trouble> {
        // SAFETY: it takes nothing.
        done(unsafe { (self.commit)() })
    }

    /// Waits until all processes of the job of `of` have come here, and collects what they have committed.
    ///
    /// # Errors
    /// `Status`; `Late`: somebody has not come within `patience`.
    pub fn fence(&self, of: &Proc, patience: Duration) -> Result<(), Trouble> {
        unsafe extern "C" fn come(status: c_int, waiter: *mut c_void) {
            // SAFETY: the box of the one call of the fence, which is called back once.
            let waiter = unsafe { Box::from_raw(waiter.cast::<Sender<c_int>>()) };
            // Whoever has waited may have given up.
            let _ = waiter.send(status);
        }
        let all = of.job();
        let collect = Info::yes(c"pmix.collect");
        let (waiter, answer) = channel();
        let waiter = Box::into_raw(Box::new(waiter));
        // SAFETY: the library copies the process and the direction; the waiter lives until it is called back.
        let status = unsafe { (self.fence)(&all, 1, &raw const collect, 1, come, waiter.cast()) };
        if status != SUCCESS {
            // SAFETY: it is not called back then.
            drop(unsafe { Box::from_raw(waiter) });
            return done(status);
        }
        match answer.recv_timeout(patience) {
            Ok(status) => done(status),
            Err(_) => Err(Trouble::Late(patience)),
        }
    }

    /// Has the server end the whole job with `status`.
    ///
    /// # Errors
    /// `Status`.
    pub fn abort(&self, status: i32, message: &CStr) -> Result<(), Trouble> {
        // SAFETY: the message is live for the call; no processes are listed, so all of the job are meant.
        done(unsafe { (self.abort)(status, message.as_ptr(), std::ptr::null_mut(), 0) })
    }

    /// Has `lost` called, in a thread of the library, when the server is gone.
    pub fn on_lost_server(&self, lost: Lost) {
        static LOST: Mutex<Option<Lost>> = Mutex::new(None);
        fn place() -> MutexGuard<'static, Option<Lost>> {
            LOST.lock().unwrap_or_else(PoisonError::into_inner)
        }
        unsafe extern "C" fn event(
            _handler: usize,
            status: c_int,
            _source: *const Proc,
            _info: *mut Info,
            _count: usize,
            _results: *mut Info,
            _results_count: usize,
            handled: Option<Handled>,
            chain: *mut c_void,
        ) {
            if LOST_CONNECTION.contains(&status)
                && let Some(lost) = &*place()
            {
                lost();
            }
            if let Some(handled) = handled {
                let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
                // SAFETY: the standard has a handler call this once, when it has done its work.
                unsafe { handled(SUCCESS, none, 0, None, nobody, chain) };
            }
        }
        unsafe extern "C" fn registered(_status: c_int, _handler: usize, _data: *mut c_void) {}
        *place() = Some(lost);
        // The library may read them later.
        let codes = Box::leak(Box::new(LOST_CONNECTION));
        // Where it fails, the next call to the server tells.
        // SAFETY: the codes live for ever, and the two functions are what the standard asks for.
        let _ = unsafe {
            (self.register)(
                codes.as_mut_ptr(),
                codes.len(),
                std::ptr::null_mut(),
                0,
                event,
                registered,
                std::ptr::null_mut(),
            )
        };
    }
}

/// A library of tests: functions that act on a script in place of a server.
#[cfg(test)]
pub(super) mod fake;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_none_of_pmix_is_named() {
        let error = Library::open(Path::new("/nowhere/libpmix.so.2"))
            .err()
            .unwrap();
        assert!(error.contains("/nowhere/libpmix.so.2"), "{error}");
        let error = Library::open(Path::new("libc.so.6")).err().unwrap();
        assert_eq!(error, "it has no PMIx_Init");
        let error = Library::open(Path::new("a\0b")).err().unwrap();
        assert!(error.contains("nul"), "{error}");
    }
}
