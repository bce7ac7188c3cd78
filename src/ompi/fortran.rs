//! What Open MPI's C library exports for Fortran programs: common blocks that stand for special
//! addresses, predefined attribute functions, and the timers as Fortran functions.
//!
//! An executable usually defines the common blocks itself; every use goes through the dynamic linker.
#![allow(non_snake_case, non_upper_case_globals)]

use crate::prelude::*;

/// The address of a common block, in an exported variable.
#[repr(transparent)]
pub struct Address(*const c_void);

// SAFETY: an address that nobody writes through.
unsafe impl Sync for Address {}

macro_rules! commons {
    ($($name:ident: $kind:ty = $value:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub static mut $name: $kind = $value;
    )* };
}

commons! {
    mpi_fortran_bottom_: MPI_Fint = 0;
    mpi_fortran_in_place_: MPI_Fint = 0;
    mpi_fortran_errcodes_ignore_: MPI_Fint = 0;
    mpi_fortran_unweighted_: MPI_Fint = 0;
    mpi_fortran_weights_empty_: MPI_Fint = 0;
    mpi_fortran_argv_null_: u8 = 0;
    mpi_fortran_argvs_null_: u8 = 0;
    mpi_fortran_status_ignore_: [MPI_Fint; 6] = [0; 6];
    mpi_fortran_statuses_ignore_: [MPI_Fint; 6] = [0; 6];
}

#[unsafe(no_mangle)]
pub static MPI_F_STATUS_IGNORE: Address = Address((&raw const mpi_fortran_status_ignore_).cast());
#[unsafe(no_mangle)]
pub static MPI_F_STATUSES_IGNORE: Address =
    Address((&raw const mpi_fortran_statuses_ignore_).cast());
#[unsafe(no_mangle)]
pub static MPI_F08_STATUS_IGNORE: Address = Address((&raw const mpi_fortran_status_ignore_).cast());
#[unsafe(no_mangle)]
pub static MPI_F08_STATUSES_IGNORE: Address =
    Address((&raw const mpi_fortran_statuses_ignore_).cast());

/// Fortran copy procedures for attributes of type `$value`.
macro_rules! copies {
    ($($name:ident)*: $value:ty, $copied:literal) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            _object: *const MPI_Fint,
            _keyval: *const MPI_Fint,
            _extra_state: *const $value,
            attribute_val_in: *const $value,
            attribute_val_out: *mut $value,
            flag: *mut MPI_Fint,
            ierror: *mut MPI_Fint,
        ) {
            // SAFETY: Fortran passes places for all of them.
            unsafe {
                if $copied {
                    *attribute_val_out = *attribute_val_in;
                }
                *flag = MPI_Fint::from($copied);
                *ierror = 0;
            }
        }
    )* };
}

copies! { mpi_dup_fn mpi_dup_fn_ mpi_dup_fn__ MPI_DUP_FN: MPI_Fint, true }
copies! { mpi_comm_dup_fn mpi_comm_dup_fn_ mpi_comm_dup_fn__ MPI_COMM_DUP_FN: MPI_Aint, true }
copies! { mpi_type_dup_fn mpi_type_dup_fn_ mpi_type_dup_fn__ MPI_TYPE_DUP_FN: MPI_Aint, true }
copies! { mpi_win_dup_fn mpi_win_dup_fn_ mpi_win_dup_fn__ MPI_WIN_DUP_FN: MPI_Aint, true }
copies! { mpi_null_copy_fn mpi_null_copy_fn_ mpi_null_copy_fn__ MPI_NULL_COPY_FN: MPI_Fint, false }
copies! { mpi_comm_null_copy_fn mpi_comm_null_copy_fn_ mpi_comm_null_copy_fn__ MPI_COMM_NULL_COPY_FN: MPI_Aint, false }
copies! { mpi_type_null_copy_fn mpi_type_null_copy_fn_ mpi_type_null_copy_fn__ MPI_TYPE_NULL_COPY_FN: MPI_Aint, false }
copies! { mpi_win_null_copy_fn mpi_win_null_copy_fn_ mpi_win_null_copy_fn__ MPI_WIN_NULL_COPY_FN: MPI_Aint, false }

/// Fortran delete procedures.
macro_rules! deletes {
    ($($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            _object: *const MPI_Fint,
            _keyval: *const MPI_Fint,
            _attribute_val: *const c_void,
            _extra_state: *const c_void,
            ierror: *mut MPI_Fint,
        ) {
            // SAFETY: Fortran passes a place for the error code.
            unsafe { *ierror = 0 }
        }
    )* };
}

deletes! { mpi_null_delete_fn mpi_null_delete_fn_ mpi_null_delete_fn__ MPI_NULL_DELETE_FN }
deletes! { mpi_comm_null_delete_fn mpi_comm_null_delete_fn_ mpi_comm_null_delete_fn__ MPI_COMM_NULL_DELETE_FN }
deletes! { mpi_type_null_delete_fn mpi_type_null_delete_fn_ mpi_type_null_delete_fn__ MPI_TYPE_NULL_DELETE_FN }
deletes! { mpi_win_null_delete_fn mpi_win_null_delete_fn_ mpi_win_null_delete_fn__ MPI_WIN_NULL_DELETE_FN }

/// `MPI_CONVERSION_FN_NULL`: recognised by its address, never called.
macro_rules! conversions {
    ($($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {}
    )* };
}

conversions! {
    mpi_conversion_fn_null mpi_conversion_fn_null_ mpi_conversion_fn_null__ MPI_CONVERSION_FN_NULL
}

/// `OMPI_ERR_OUT_OF_RESOURCE`.
const OUT_OF_RESOURCE: c_int = -2;

/// A Fortran string, without its trailing blanks, as a C string that the caller frees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_fortran_string_f2c(
    fstr: *const c_char,
    len: c_int,
    cstr: *mut *mut c_char,
) -> c_int {
    // SAFETY: Fortran's string has `len` characters; `malloc`'s memory holds one more.
    unsafe {
        let fortran = std::slice::from_raw_parts(fstr.cast::<u8>(), len.max(0) as usize);
        let length = fortran
            .iter()
            .rposition(|c| *c != b' ')
            .map_or(0, |last| last + 1);
        let copy = libc::malloc(length + 1).cast::<u8>();
        if copy.is_null() {
            return OUT_OF_RESOURCE;
        }
        copy.copy_from_nonoverlapping(fortran.as_ptr(), length);
        copy.add(length).write(0);
        cstr.write(copy.cast());
    }
    0
}

/// A C string in a Fortran string, cut or padded with blanks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_fortran_string_c2f(
    cstr: *const c_char,
    fstr: *mut c_char,
    len: c_int,
) -> c_int {
    // SAFETY: a C string, and a place for `len` characters.
    unsafe {
        let text = std::ffi::CStr::from_ptr(cstr).to_bytes();
        let fortran = std::slice::from_raw_parts_mut(fstr.cast::<u8>(), len.max(0) as usize);
        let length = text.len().min(fortran.len());
        fortran[..length].copy_from_slice(&text[..length]);
        fortran[length..].fill(b' ');
    }
    0
}

/// Fortran's blank-padded strings as C's list, in malloc's memory.
///
/// # Safety
/// Each string has `string_len` characters, up to and with the empty one if that ends the list.
unsafe fn argv(
    strings: impl Iterator<Item = *const c_char>,
    string_len: c_int,
    ends_at_empty: bool,
    argv: *mut *mut *mut c_char,
) -> c_int {
    let mut list = Vec::new();
    for string in strings {
        let mut copy = std::ptr::null_mut();
        // SAFETY: the caller says where strings of this length are.
        let code = unsafe { ompi_fortran_string_f2c(string, string_len, &mut copy) };
        if code != 0 {
            return code;
        }
        // SAFETY: the copy ends with a zero.
        let empty = unsafe { *copy } == 0;
        if empty && ends_at_empty {
            // SAFETY: it is malloc's.
            unsafe { libc::free(copy.cast()) };
            break;
        }
        list.push(copy);
    }
    list.push(std::ptr::null_mut());
    let bytes = size_of_val(list.as_slice());
    // SAFETY: malloc's memory holds the list; the caller has a place for its address.
    unsafe {
        let place = libc::malloc(bytes).cast::<*mut c_char>();
        if place.is_null() {
            return OUT_OF_RESOURCE;
        }
        place.copy_from_nonoverlapping(list.as_ptr(), list.len());
        *argv = place;
    }
    0
}

/// The arguments of one command: strings at equal distances until an empty one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_fortran_argv_blank_f2c(
    array: *const c_char,
    string_len: c_int,
    advance: c_int,
    argv: *mut *mut *mut c_char,
) -> c_int {
    let strings = (0..).map(|i: isize| array.wrapping_byte_offset(i * advance as isize));
    // SAFETY: as Fortran has promised the binding.
    unsafe { self::argv(strings, string_len, true, argv) }
}

/// So many strings at equal distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_fortran_argv_count_f2c(
    array: *const c_char,
    array_len: c_int,
    string_len: c_int,
    advance: c_int,
    argv: *mut *mut *mut c_char,
) -> c_int {
    let strings = (0..array_len as isize).map(|i| array.wrapping_byte_offset(i * advance as isize));
    // SAFETY: as Fortran has promised the binding.
    unsafe { self::argv(strings, string_len, false, argv) }
}

/// The arguments of several commands: a matrix of strings, one row for each command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_fortran_multiple_argvs_f2c(
    commands: c_int,
    array: *const c_char,
    string_len: c_int,
    argvs: *mut *mut *mut *mut c_char,
) -> c_int {
    let commands = commands.max(0) as usize;
    // SAFETY: malloc's memory holds as many lists, each of which is filled in; the matrix has a row for each.
    unsafe {
        let lists =
            libc::calloc(commands, size_of::<*mut *mut c_char>()).cast::<*mut *mut c_char>();
        if lists.is_null() {
            return OUT_OF_RESOURCE;
        }
        for i in 0..commands {
            let row = array.wrapping_byte_add(i * string_len as usize);
            let advance = string_len * commands as c_int;
            let code = ompi_fortran_argv_blank_f2c(row, string_len, advance, lists.add(i));
            if code != 0 {
                return code;
            }
        }
        *argvs = lists;
    }
    0
}

/// Open MPI's own way into `MPI_Init_thread`. Programs that open a library by name look this symbol up
/// to tell the family (NEURON does); few call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_mpi_init(
    _argc: c_int,
    _argv: *mut *mut c_char,
    requested: c_int,
    provided: *mut c_int,
    _again: bool,
) -> c_int {
    // SAFETY: the caller has a place for the level that is provided.
    unsafe {
        anytime::<Front>(
            "MPI_Init_thread",
            || On::Call,
            |mpi| {
                api::init::init_thread(
                    mpi,
                    None,
                    arg::<Front, _, _>(std::ptr::null_mut::<*mut *mut c_char>(), "argv")?,
                    arg::<Front, _, _>(requested, "required")?,
                    arg::<Front, _, _>(provided, "provided")?,
                )
            },
        )
    }
}

/// A list of Open MPI's, which its bindings append to.
#[repr(C)]
pub struct List {
    object: [u64; 2],
    end_object: [u64; 2],
    next: *const c_void,
    previous: *const c_void,
    rest: [u64; 2],
}

impl List {
    /// Without elements: the end is its own neighbour.
    const fn empty(list: *const List) -> List {
        let end = list
            .cast::<c_void>()
            .wrapping_byte_add(std::mem::offset_of!(List, end_object));
        List {
            object: [0; 2],
            end_object: [0; 2],
            next: end,
            previous: end,
            rest: [0; 2],
        }
    }
}

/// Data of Open MPI that its Fortran and C++ libraries name. They stay as they are: no checks of
/// arguments outside this library, and no error codes of Open MPI's own.
macro_rules! internals {
    ($($name:ident: $kind:ty = $value:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub static mut $name: $kind = $value;
    )* };
}

internals! {
    ompi_mpi_param_check: bool = false;
    ompi_mpi_state: c_int = 0;
    ompi_errcode_intern_lastused: c_int = 0;
    ompi_errcodes_intern: [u64; 15] = [0; 15];
    ompi_registered_datareps: List = List::empty(&raw const ompi_registered_datareps);
    ompi_status_empty: MPI_Status = MPI_Status {
        MPI_SOURCE: -1,
        MPI_TAG: -1,
        MPI_ERROR: 0,
        _cancelled: 0,
        _ucount: 0,
    };
}

/// The timers and the address arithmetic of the module `mpi`.
macro_rules! functions {
    ($($wtime:ident $wtick:ident $add:ident $diff:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $wtime() -> f64 {
            plain::<Front, _, _>(|mpi| Ok(api::env::wtime(mpi)))
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $wtick() -> f64 {
            plain::<Front, _, _>(|mpi| Ok(api::env::wtick(mpi)))
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $add(base: *const MPI_Aint, disp: *const MPI_Aint) -> MPI_Aint {
            // SAFETY: Fortran passes both by reference.
            unsafe { (*base).wrapping_add(*disp) }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $diff(addr1: *const MPI_Aint, addr2: *const MPI_Aint) -> MPI_Aint {
            // SAFETY: Fortran passes both by reference.
            unsafe { (*addr1).wrapping_sub(*addr2) }
        }
    )* };
}

functions! {
    mpi_wtime_f90 mpi_wtick_f90 mpi_aint_add_f90 mpi_aint_diff_f90;
    mpi_wtime_f90_ mpi_wtick_f90_ mpi_aint_add_f90_ mpi_aint_diff_f90_;
    mpi_wtime_f90__ mpi_wtick_f90__ mpi_aint_add_f90__ mpi_aint_diff_f90__;
    MPI_WTIME_F90 MPI_WTICK_F90 MPI_AINT_ADD_F90 MPI_AINT_DIFF_F90;
}
