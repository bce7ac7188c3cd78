//! Handles on their way from and to Fortran: what Open MPI's bindings expect to find in an object
//! afterwards, and what they have written into it, is seen to here.

use anympi_core::abi::{Abi, Encode, anytime, fortran};
use anympi_core::callback::{Function, UserFunction};
use anympi_core::error::On;
use anympi_core::grequest;
use anympi_core::handle::{Comm, Datatype, Handle, Kind, Op, Request};
use anympi_core::topo::Topology;

use crate::fields::{Object, comm_flags};
use crate::handles::{FIRST_DYNAMIC, to_fortran};
use crate::prelude::*;

/// The object behind a handle of kind `H`.
pub fn object<H>(handle: H) -> Object
where
    Front: Encode<H, C: Into<AnyHandle>>,
{
    let place: AnyHandle = <Front as Encode<H>>::encode(handle).into();
    // SAFETY: `encode` gives objects of kind `H` only.
    unsafe { Object::new(place.0) }
}

/// Any handle as an address.
pub struct AnyHandle(*mut c_void);

impl<T> From<*mut T> for AnyHandle {
    fn from(handle: *mut T) -> AnyHandle {
        AnyHandle(handle.cast())
    }
}

/// Describes a communicator, once, for those who look into it.
pub fn describe(comm: Comm) {
    let object = object(comm);
    if object.is_described(comm) {
        return;
    }
    anytime::<Front>(
        "MPI_Comm_f2c",
        || On::Call,
        |mpi| {
            let Ok(found) = mpi.comm(comm) else {
                // The bindings may look all the same, before the call it is given to says so.
                object.describe(Comm(0), 0, 0, 0);
                return Ok(());
            };
            let flags = match found.topology.as_deref() {
                Some(Topology::Cart(_)) => comm_flags::CART,
                Some(Topology::Graph(_)) => comm_flags::GRAPH,
                Some(Topology::DistGraph(_)) | None => 0,
            };
            let inter = if found.is_inter() {
                comm_flags::INTER
            } else {
                0
            };
            let sizes = [found.group.len(), found.peers().len()];
            let [local, remote] = sizes.map(|size| size as u32);
            object.describe(comm, flags | inter, local, remote);
            Ok(())
        },
    );
}

/// A handle has come from Fortran.
pub fn arrived<H: Handle>(handle: H) {
    match H::KIND {
        Kind::Comm => {
            let comm = Comm(handle.raw());
            object(comm).set_attributes(Kind::Comm);
            describe(comm);
        }
        Kind::Datatype => {
            object(Datatype(handle.raw())).set_attributes(Kind::Datatype);
        }
        Kind::Win => {
            object(anympi_core::handle::Win(handle.raw())).set_attributes(Kind::Win);
        }
        _ => (),
    }
}

/// A handle goes to Fortran.
pub fn leaving<H: Handle>(handle: H) {
    if handle.raw() < FIRST_DYNAMIC {
        return;
    }
    match H::KIND {
        Kind::Request => {
            let request = Request(handle.raw());
            let object = object(request);
            object.set_request_fortran(to_fortran(request));
            if object.are_functions_of_fortran() {
                // Once is enough, and a later request in this place is C's.
                object.set_functions_of_c();
                grequest_of_fortran(request);
            }
        }
        Kind::Op => {
            let op = Op(handle.raw());
            if object(op).take_op_of_fortran() {
                op_of_fortran(op);
            }
        }
        _ => (),
    }
}

/// Lets an operation's function be called as Fortran's.
fn op_of_fortran(op: Op) {
    anytime::<Front>(
        "MPI_Op_create",
        || On::Call,
        |mpi| {
            if let Some(callback) = mpi.ops.find(op)?.callback() {
                callback.set(UserFunction {
                    call: combine,
                    ..callback.get()
                });
            }
            Ok(())
        },
    );
}

unsafe fn combine(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    type Combine = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Fint, *mut MPI_Fint);
    let (mut len, mut datatype) = (len as MPI_Fint, Front::to_fortran(datatype));
    // SAFETY: Fortran registered an operation; `UserFunction::call` keeps the length within `int`.
    unsafe { function.typed::<Combine>()(invec, inoutvec, &mut len, &mut datatype) }
}

/// Lets the functions of a request be called as Fortran's, if it is a generalised one: of other requests
/// nobody says whose functions they have.
fn grequest_of_fortran(request: Request) {
    anytime::<Front>(
        "MPI_Grequest_start",
        || On::Call,
        |mpi| {
            if let Ok(grequest) = grequest::find(&mpi.requests, request) {
                grequest.exchange(fortran::grequest::<Front>);
            }
            Ok(())
        },
    );
}
