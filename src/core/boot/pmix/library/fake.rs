//! A libpmix of tests: its functions act on a script, one test at a time.

use std::collections::HashMap;

use super::*;

/// How the server answers a fence.
#[derive(Clone, Copy, Debug)]
pub enum Fence {
    /// The call itself returns this.
    Returns(c_int),
    /// The call is called back with this, by another thread.
    Calls(c_int),
    Never,
}

/// What the server says, and what it was told.
pub struct Script {
    pub init: c_int,
    pub namespace: &'static str,
    pub rank: u32,
    /// What describes the job, by key.
    pub numbers: HashMap<&'static str, u32>,
    /// What has been put, by rank and key: a type and bytes.
    pub values: HashMap<(u32, String), (u16, Vec<u8>)>,
    /// What any call for a value of another process returns, if it does not succeed.
    pub get: c_int,
    pub put: c_int,
    /// Keys, in the order of the calls.
    pub puts: Vec<String>,
    pub commit: c_int,
    pub fence: Fence,
    pub finalize: c_int,
    pub finalized: usize,
    /// Status and message of each call.
    pub aborts: Vec<(c_int, String)>,
    pub spawn: c_int,
    /// How many programs.
    pub spawned: usize,
    pub names: HashMap<String, String>,
    event: Option<Event>,
}

static SCRIPT: Mutex<Option<Script>> = Mutex::new(None);
static TURN: Mutex<()> = Mutex::new(());

fn script<T>(act: impl FnOnce(&mut Script) -> T) -> T {
    let mut script = SCRIPT.lock().unwrap_or_else(PoisonError::into_inner);
    act(script.as_mut().expect("a test has written one"))
}

/// A server, until it is dropped.
pub struct Server(#[allow(dead_code)] MutexGuard<'static, ()>);

impl Server {
    /// A server of rank 1 of 3 of the job `job`.
    pub fn new() -> Server {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = [("pmix.job.size", 3), ("pmix.local.size", 3)];
        *SCRIPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Script {
            init: SUCCESS,
            namespace: "job",
            rank: 1,
            numbers: numbers.into(),
            values: HashMap::new(),
            get: SUCCESS,
            put: SUCCESS,
            puts: Vec::new(),
            commit: SUCCESS,
            fence: Fence::Calls(SUCCESS),
            finalize: SUCCESS,
            finalized: 0,
            aborts: Vec::new(),
            spawn: SUCCESS,
            spawned: 0,
            names: HashMap::new(),
            event: None,
        });
        Server(turn)
    }

    pub fn change<T>(&self, act: impl FnOnce(&mut Script) -> T) -> T {
        script(act)
    }

    /// Tells the process of an event, as a thread of the library does.
    pub fn tell(&self, status: c_int) -> bool {
        static HANDLED: Mutex<bool> = Mutex::new(false);
        unsafe extern "C" fn handled(
            _: c_int,
            _: *mut Info,
            _: usize,
            _: Option<Completed>,
            _: *mut c_void,
            _: *mut c_void,
        ) {
            *HANDLED.lock().unwrap() = true;
        }
        *HANDLED.lock().unwrap() = false;
        let event = script(|script| script.event).expect("one is registered");
        let (none, nobody) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: it is the handler that was registered, with arguments that the standard allows.
        unsafe {
            event(
                0,
                status,
                std::ptr::null(),
                none,
                0,
                none,
                0,
                Some(handled),
                nobody,
            )
        };
        *HANDLED.lock().unwrap()
    }
}

/// The functions that act on the script.
pub fn library() -> Library {
    Library {
        init,
        finalize,
        get,
        put,
        commit,
        fence,
        abort,
        register,
        error_string,
        spawn,
        publish,
        lookup,
        unpublish,
    }
}

unsafe extern "C" fn spawn(
    _: *const Info,
    _: usize,
    _: *const App,
    count: usize,
    _: *mut c_char,
) -> c_int {
    script(|script| {
        script.spawned += count;
        script.spawn
    })
}

unsafe extern "C" fn publish(info: *const Info, count: usize) -> c_int {
    assert_eq!(count, 1);
    // SAFETY: the caller's value is live and a string.
    let (name, port) = unsafe {
        assert_eq!((*info).value.kind, STRING);
        let port = (*info).value.data.string;
        (text((*info).key.as_ptr()), text(port))
    };
    script(|script| match script.names.insert(name, port) {
        None => SUCCESS,
        Some(_) => spawn::ERR_DUPLICATE,
    })
}

unsafe extern "C" fn lookup(found: *mut Found, count: usize, _: *const Info, _: usize) -> c_int {
    assert_eq!(count, 1);
    // SAFETY: the caller's place is live.
    let name = unsafe { text((*found).key.as_ptr()) };
    let Some(port) = script(|script| script.names.get(&name).cloned()) else {
        return ERR_NOT_FOUND;
    };
    let port = CString::new(port).unwrap();
    // SAFETY: as above; the caller frees the copy.
    unsafe {
        (*found).value.kind = STRING;
        (*found).value.data.string = libc::strdup(port.as_ptr());
    }
    SUCCESS
}

unsafe extern "C" fn unpublish(names: *mut *mut c_char, _: *const Info, _: usize) -> c_int {
    // SAFETY: the caller's list is live.
    let name = unsafe { text(*names) };
    script(|script| script.names.remove(&name));
    SUCCESS
}

unsafe extern "C" fn init(me: *mut Proc, _: *mut Info, _: usize) -> c_int {
    script(|script| {
        let mut process = Proc::NOBODY.with_rank(script.rank);
        for (to, from) in process.space.iter_mut().zip(script.namespace.bytes()) {
            *to = from as c_char;
        }
        // SAFETY: the caller's place is live.
        unsafe { *me = process };
        script.init
    })
}

unsafe extern "C" fn finalize(_: *const Info, _: usize) -> c_int {
    script(|script| {
        script.finalized += 1;
        script.finalize
    })
}

fn text(key: *const c_char) -> String {
    // SAFETY: the library's callers give strings.
    let text = unsafe { CStr::from_ptr(key) };
    text.to_str().unwrap().to_owned()
}

unsafe extern "C" fn get(
    of: *const Proc,
    key: *const c_char,
    directions: *const Info,
    count: usize,
    to: *mut *mut Value,
) -> c_int {
    assert_eq!(count, 1);
    let key = text(key);
    // SAFETY: the caller's pointers are live.
    let (of, direction) = unsafe { (&*of, &*directions) };
    let direction = text(direction.key.as_ptr());
    let value = script(|script| {
        if let Some(&number) = script.numbers.get(&*key) {
            assert_eq!(direction, "pmix.optional");
            let mut data = Data { all: [0; 3] };
            data.uint32 = number;
            // As Slurm does.
            let kind = match &*key {
                "pmix.appnum" => INT,
                _ => UINT32,
            };
            return Ok(Value { kind, data });
        }
        if script.get != SUCCESS {
            return Err(script.get);
        }
        let found = script.values.get(&(of.rank, key));
        let Some((kind, bytes)) = found else {
            return Err(ERR_NOT_FOUND);
        };
        // SAFETY: there is room for the bytes and a null.
        let start = unsafe {
            let start = libc::malloc(bytes.len() + 1).cast::<c_char>();
            start.copy_from(bytes.as_ptr().cast(), bytes.len());
            *start.add(bytes.len()) = 0;
            start
        };
        let size = bytes.len();
        let bytes = Bytes { start, size };
        let mut data = Data { all: [0; 3] };
        data.bytes = bytes;
        Ok(Value { kind: *kind, data })
    });
    match value {
        Err(status) => status,
        Ok(value) => {
            // SAFETY: the caller frees it, as the standard says.
            unsafe {
                *to = libc::malloc(size_of::<Value>()).cast();
                (*to).write(value);
            }
            SUCCESS
        }
    }
}

unsafe extern "C" fn put(scope: u8, key: *const c_char, value: *mut Value) -> c_int {
    assert_eq!(scope, GLOBAL);
    // SAFETY: the caller's value is live and a byte object.
    let bytes = unsafe {
        assert_eq!((*value).kind, BYTE_OBJECT);
        let bytes = (*value).data.bytes;
        std::slice::from_raw_parts(bytes.start.cast::<u8>(), bytes.size)
    };
    script(|script| {
        script.puts.push(text(key));
        let place = (script.rank, text(key));
        script.values.insert(place, (BYTE_OBJECT, bytes.to_vec()));
        script.put
    })
}

unsafe extern "C" fn commit() -> c_int {
    script(|script| script.commit)
}

/// What is called back, in another thread.
struct Waiter(*mut c_void);

// SAFETY: the standard has libraries call back from their own threads.
unsafe impl Send for Waiter {}

impl Waiter {
    fn call(self, come: Completed, status: c_int) {
        // SAFETY: it is called once, with what was given for it.
        unsafe { come(status, self.0) }
    }
}

unsafe extern "C" fn fence(
    who: *const Proc,
    count: usize,
    directions: *const Info,
    _: usize,
    come: Completed,
    waiter: *mut c_void,
) -> c_int {
    // SAFETY: the caller's pointers are live.
    unsafe {
        assert_eq!((count, (*who).rank), (1, RANK_WILDCARD));
        assert_eq!(text((*directions).key.as_ptr()), "pmix.collect");
        assert!((*directions).value.data.flag);
    }
    let waiter = Waiter(waiter);
    match script(|script| script.fence) {
        Fence::Returns(status) => status,
        Fence::Calls(status) => {
            std::thread::spawn(move || waiter.call(come, status));
            SUCCESS
        }
        Fence::Never => SUCCESS,
    }
}

unsafe extern "C" fn abort(
    status: c_int,
    message: *const c_char,
    _: *mut Proc,
    count: usize,
) -> c_int {
    assert_eq!(count, 0);
    let message = text(message);
    script(|script| script.aborts.push((status, message)));
    SUCCESS
}

unsafe extern "C" fn register(
    codes: *mut c_int,
    count: usize,
    _: *mut Info,
    _: usize,
    event: Event,
    registered: Registered,
    data: *mut c_void,
) -> c_int {
    // SAFETY: the caller's codes are live.
    let codes = unsafe { std::slice::from_raw_parts(codes, count) };
    assert_eq!(codes, LOST_CONNECTION);
    script(|script| script.event = Some(event));
    // SAFETY: it is called once, with what was given for it.
    unsafe { registered(SUCCESS, 0, data) };
    SUCCESS
}

unsafe extern "C" fn error_string(status: c_int) -> *const c_char {
    match status {
        -25 => c"UNREACHABLE".as_ptr(),
        -24 => c"TIMEOUT".as_ptr(),
        _ => std::ptr::null(),
    }
}
