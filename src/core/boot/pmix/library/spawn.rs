//! Of libpmix: starting further processes, and names of services.

use super::*;
use std::ptr::null_mut;

pub const ERR_NOT_SUPPORTED: c_int = -47;
/// A key is published already.
pub const ERR_DUPLICATE: c_int = -53;

/// `pmix_app_t`: a program.
#[repr(C)]
pub struct App {
    command: *mut c_char,
    arguments: *mut *mut c_char,
    environment: *mut *mut c_char,
    folder: *mut c_char,
    processes: c_int,
    directions: *mut Info,
    count: usize,
}

/// `pmix_pdata_t`: what was published under a key.
#[repr(C)]
pub struct Found {
    publisher: Proc,
    pub(super) key: [c_char; KEY],
    pub(super) value: Value,
}

const _: () = assert!(size_of::<App>() == 56);
const _: () = assert!(size_of::<Found>() == 808 && std::mem::offset_of!(Found, value) == 776);

/// A program to be started.
#[derive(Debug, Default)]
pub struct Start {
    /// `argv`, with the program first.
    pub words: Vec<CString>,
    /// `NAME=value`, beyond what the launcher sets.
    pub environment: Vec<CString>,
    pub folder: CString,
    pub processes: i32,
    /// Keys and texts that direct it.
    pub directions: Vec<(&'static CStr, CString)>,
}

/// Copies as the C library allocates them: libpmix may take others in their place.
struct Words(*mut *mut c_char);

fn copy(text: &CStr) -> *mut c_char {
    // SAFETY: it is a string.
    unsafe { libc::strdup(text.as_ptr()) }
}

impl Words {
    fn new(words: &[CString]) -> Words {
        // SAFETY: there is room for a pointer to each and a null.
        unsafe {
            let list = libc::calloc(words.len() + 1, size_of::<*mut c_char>());
            let list = list.cast::<*mut c_char>();
            assert!(!list.is_null(), "there is memory for a few pointers");
            for (at, word) in words.iter().enumerate() {
                *list.add(at) = copy(word);
            }
            Words(list)
        }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        let mut at = self.0;
        // SAFETY: the list ends with a null, and all in it is the C library's.
        unsafe {
            while !(*at).is_null() {
                libc::free((*at).cast());
                at = at.add(1);
            }
            libc::free(self.0.cast());
        }
    }
}

impl Info {
    /// The key with a text, which must outlive it.
    fn text(name: &CStr, text: &CStr) -> Info {
        let mut info = Info::yes(name);
        info.value.kind = STRING;
        info.value.data.string = text.as_ptr().cast_mut();
        info
    }
}

fn key(name: &CStr) -> [c_char; KEY] {
    Info::yes(name).key
}

impl Library {
    /// Starts programs as a job of their own; returns when they run.
    ///
    /// # Errors
    /// `Status`.
    pub fn spawn(&self, programs: &[Start]) -> Result<(), Trouble> {
        let infos = |start: &Start| -> Vec<Info> {
            let info = |(name, text): &(&'static CStr, CString)| Info::text(name, text);
            start.directions.iter().map(info).collect()
        };
        let mut infos: Vec<Vec<Info>> = programs.iter().map(infos).collect();
        let mut lists: Vec<[Words; 2]> = programs
            .iter()
            .map(|start| [Words::new(&start.words), Words::new(&start.environment)])
            .collect();
        let app = |((start, list), info): ((&Start, &[Words; 2]), &mut Vec<Info>)| App {
            command: copy(&start.words[0]),
            arguments: list[0].0,
            environment: list[1].0,
            folder: copy(&start.folder),
            processes: start.processes,
            directions: match info.is_empty() {
                true => null_mut(),
                false => info.as_mut_ptr(),
            },
            count: info.len(),
        };
        let all = programs.iter().zip(&lists).zip(&mut infos);
        let apps: Vec<App> = all.map(app).collect();
        let mut space = [0; 256];
        // SAFETY: all that is pointed to is live for the call, and there is room for the name of the job.
        let status = unsafe {
            (self.spawn)(
                std::ptr::null(),
                0,
                apps.as_ptr(),
                apps.len(),
                space.as_mut_ptr(),
            )
        };
        for (app, list) in apps.iter().zip(&mut lists) {
            // The library may have put longer lists in their place.
            (list[0].0, list[1].0) = (app.arguments, app.environment);
            // SAFETY: both are copies that the C library has allocated.
            unsafe {
                libc::free(app.command.cast());
                libc::free(app.folder.cast());
            }
        }
        done(status)
    }

    /// # Errors
    /// `Status`: `ERR_DUPLICATE` if the name is published already.
    pub fn publish(&self, name: &CStr, text: &CStr) -> Result<(), Trouble> {
        let info = Info::text(name, text);
        // SAFETY: the library copies the one value.
        done(unsafe { (self.publish)(&raw const info, 1) })
    }

    /// What was published under a name, if anything was.
    ///
    /// # Errors
    /// `Status`, `Type`.
    pub fn lookup(&self, name: &CStr) -> Result<Option<String>, Trouble> {
        let mut found = Found {
            publisher: Proc::NOBODY,
            key: key(name),
            value: Value {
                kind: 0,
                data: Data { all: [0; 3] },
            },
        };
        // SAFETY: the place for the one answer is live, and there are no directions.
        let status = unsafe { (self.lookup)(&raw mut found, 1, std::ptr::null(), 0) };
        match done(status) {
            Err(Trouble::Status(ERR_NOT_FOUND)) => return Ok(None),
            other => other?,
        }
        match found.value.kind {
            0 => Ok(None),
            STRING => {
                // SAFETY: the type says which field it is.
                let string = unsafe { found.value.data.string };
                if string.is_null() {
                    return Ok(None);
                }
                // SAFETY: it is a string that the library has allocated for the caller.
                let text = unsafe {
                    let text = CStr::from_ptr(string).to_string_lossy().into_owned();
                    libc::free(string.cast());
                    text
                };
                Ok(Some(text))
            }
            kind => Err(Trouble::Type(kind)),
        }
    }

    /// # Errors
    /// `Status`.
    pub fn unpublish(&self, name: &CStr) -> Result<(), Trouble> {
        let mut keys = [name.as_ptr().cast_mut(), null_mut()];
        // SAFETY: the list of one name is live and ends with a null; there are no directions.
        done(unsafe { (self.unpublish)(keys.as_mut_ptr(), std::ptr::null(), 0) })
    }
}
