//! What Open MPI's Fortran and C++ libraries read and write inside objects: a few fields, at the offsets of
//! Open MPI 4.1 and, where they differ, of 5.0. `ctests/abi/ompi-fields.tsv` lists who reads what.
//!
//! Predefined objects have room for all of them. In the arena objects overlap: the places of a kind are so
//! far apart that each field lies between the fields of other objects, which is checked below. C programs
//! pay for none of it: fields are written when a handle crosses from or to Fortran or C++. Only a group's
//! `INTEGER` is there from its birth, because the bindings look for it in groups that have never crossed.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};

use anympi_core::handle::{Comm, Kind};

/// Type of communicator: between groups, Cartesian, graph.
pub mod comm_flags {
    pub const INTER: u32 = 0x1;
    pub const CART: u32 = 0x100;
    pub const GRAPH: u32 = 0x200;
}

// Communicators, as Open MPI 4.1 and 5.0 know them.
const COMM_FLAGS: [usize; 2] = [0xe8, 0xe0];
const LOCAL_GROUP: [usize; 2] = [0xf8, 0x108];
const REMOTE_GROUP: [usize; 2] = [0x100, 0x110];
const COMM_ATTRIBUTES: [usize; 2] = [0x110, 0x120];
// Where these fields leave room.
const LOCAL_SIZE: usize = 0x28;
const REMOTE_SIZE: usize = 0x2c;
/// The number whose description the other fields are.
const DESCRIBED: usize = 0x38;
/// Where in a group its size is.
const GROUP_SIZE: usize = 0x10;
/// What the bindings take for an object's attributes begins so far behind the object. For communicators it is
/// also their remote group: what is the one in 4.1 is the other in 5.0.
const ATTRIBUTES: usize = REMOTE_SIZE - GROUP_SIZE;
const _: () = assert!(COMM_ATTRIBUTES[0] == REMOTE_GROUP[1]);

/// The `INTEGER` of a group.
const GROUP_FORTRAN: usize = 0x18;

const TYPE_ATTRIBUTES: usize = 0xd0;
const WIN_ATTRIBUTES: usize = 0xf0;

const OP_FLAGS: usize = 0x54;
const OP_FLAG_FORTRAN: u32 = 0x2;

const REQUEST_FORTRAN: usize = 0x68;
/// A byte: the functions of the generalised request are C's.
const REQUEST_FUNCTIONS_OF_C: usize = 0xc0;

const ERRHANDLER_DISPATCH: usize = 0x78;

/// Bytes that fields reach beyond the place of their object, at most.
pub const BEHIND: usize = 512;

/// (offset, bytes) of what is used in objects of a kind; the first is the number.
const fn used(kind: usize) -> &'static [(usize, usize)] {
    const COMM: usize = Kind::Comm as usize;
    const DATATYPE: usize = Kind::Datatype as usize;
    const GROUP: usize = Kind::Group as usize;
    const WIN: usize = Kind::Win as usize;
    const OP: usize = Kind::Op as usize;
    const REQUEST: usize = Kind::Request as usize;
    const ERRHANDLER: usize = Kind::Errhandler as usize;
    match kind {
        COMM => &[
            (0, 4),
            (LOCAL_SIZE, 4),
            (REMOTE_SIZE, 4),
            (DESCRIBED, 4),
            (COMM_FLAGS[0], 4),
            (COMM_FLAGS[1], 4),
            (LOCAL_GROUP[0], 8),
            (LOCAL_GROUP[1], 8),
            (REMOTE_GROUP[0], 8),
            (REMOTE_GROUP[1], 8),
            (COMM_ATTRIBUTES[1], 8),
        ],
        GROUP => &[(0, 4), (GROUP_FORTRAN, 4)],
        DATATYPE => &[(0, 4), (TYPE_ATTRIBUTES, 8)],
        WIN => &[(0, 4), (WIN_ATTRIBUTES, 8)],
        OP => &[(0, 4), (OP_FLAGS, 4)],
        REQUEST => &[(0, 4), (REQUEST_FORTRAN, 4), (REQUEST_FUNCTIONS_OF_C, 1)],
        ERRHANDLER => &[(0, 4), (ERRHANDLER_DISPATCH, 8)],
        _ => &[(0, 4)],
    }
}

/// Where objects of a kind have their `INTEGER` from their birth, if they have.
pub const fn integer(kind: usize) -> Option<usize> {
    const GROUP: usize = Kind::Group as usize;
    match kind {
        GROUP => Some(GROUP_FORTRAN),
        _ => None,
    }
}

/// Bytes from one object of a kind to the next in the arena: the least at which no two fields meet.
pub const fn stride(kind: usize) -> usize {
    let fields = used(kind);
    let mut stride = 16;
    loop {
        if apart(fields, stride) {
            return stride;
        }
        stride += 4;
    }
}

/// Whether no byte of a field, of any object, is one of another field, and each field is aligned.
const fn apart(fields: &[(usize, usize)], stride: usize) -> bool {
    let mut taken = 0_u128;
    let mut i = 0;
    while i < fields.len() {
        let (offset, bytes) = fields[i];
        assert!(offset + bytes <= BEHIND && stride < 128);
        let start = offset % stride;
        let mask = ((1_u128 << bytes) - 1) << start;
        if start + bytes > stride || taken & mask != 0 || !stride.is_multiple_of(bytes) {
            return false;
        }
        taken |= mask;
        i += 1;
    }
    true
}

/// The object behind a handle that the core gave out, of which fields are used.
#[derive(Clone, Copy)]
pub struct Object(*mut c_void);

impl Object {
    /// # Safety
    /// `handle` is one of this library's for an object of the kind whose fields are used.
    pub unsafe fn new(handle: *mut c_void) -> Object {
        Object(handle)
    }

    fn word(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: by contract there is room for the field, which is aligned and always an atomic here.
        unsafe { &*self.0.byte_add(offset).cast() }
    }

    fn long(&self, offset: usize) -> &AtomicUsize {
        // SAFETY: as in `word`.
        unsafe { &*self.0.byte_add(offset).cast() }
    }

    fn address(&self, offset: usize) -> usize {
        self.0.expose_provenance() + offset
    }

    /// Says what the bindings hand back as the attributes of a communicator, datatype or window.
    pub fn set_attributes(&self, kind: Kind) {
        let offsets: &[usize] = match kind {
            Kind::Comm => &COMM_ATTRIBUTES,
            Kind::Datatype => &[TYPE_ATTRIBUTES],
            Kind::Win => &[WIN_ATTRIBUTES],
            _ => &[],
        };
        for &offset in offsets {
            self.long(offset).store(self.address(ATTRIBUTES), Relaxed);
        }
    }

    /// The handle of the object whose attributes a binding hands back.
    pub fn with_attributes(attributes: usize) -> *const c_void {
        std::ptr::with_exposed_provenance(attributes.wrapping_sub(ATTRIBUTES))
    }

    /// Whether the communicator has been described.
    pub fn is_described(&self, comm: Comm) -> bool {
        self.word(DESCRIBED).load(Relaxed) == comm.0
    }

    /// Says what the bindings look up in a communicator: its flags and the sizes of its groups. The number is 0
    /// where there is none.
    pub fn describe(&self, comm: Comm, flags: u32, local: u32, remote: u32) {
        for offset in COMM_FLAGS {
            self.word(offset).store(flags, Relaxed);
        }
        for (size, place, groups) in [
            (local, LOCAL_SIZE, LOCAL_GROUP),
            (remote, REMOTE_SIZE, REMOTE_GROUP),
        ] {
            self.word(place).store(size, Relaxed);
            let as_in_a_group = self.address(place) - GROUP_SIZE;
            for group in groups {
                self.long(group).store(as_in_a_group, Relaxed);
            }
        }
        self.word(DESCRIBED).store(comm.0, Relaxed);
    }

    /// The `INTEGER` of a request, which the bindings give to Fortran after a call.
    pub fn set_request_fortran(&self, integer: i32) {
        self.word(REQUEST_FORTRAN).store(integer as u32, Relaxed);
    }

    fn functions_of_c(&self) -> &AtomicU8 {
        // SAFETY: as in `word`.
        unsafe { &*self.0.byte_add(REQUEST_FUNCTIONS_OF_C).cast() }
    }

    /// Says that the functions of a generalised request are C's, as they are unless a binding disagrees.
    pub fn set_functions_of_c(&self) {
        self.functions_of_c().store(1, Relaxed);
    }

    /// Whether the Fortran binding has said that the functions are its own.
    pub fn are_functions_of_fortran(&self) -> bool {
        self.functions_of_c().load(Relaxed) == 0
    }

    /// Whether the Fortran binding has said that an operation's function is its own; forgets that, for the
    /// next operation in this place.
    pub fn take_op_of_fortran(&self) -> bool {
        self.word(OP_FLAGS).swap(0, Relaxed) & OP_FLAG_FORTRAN != 0
    }

    /// Where the C++ binding says what calls an error handler's function, for a handler that is new.
    pub fn new_dispatch_place(&self) -> usize {
        self.long(ERRHANDLER_DISPATCH).store(0, Relaxed);
        self.address(ERRHANDLER_DISPATCH)
    }
}
