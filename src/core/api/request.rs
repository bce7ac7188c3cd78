//! Completion of requests: one function per MPI operation (MPI-5.0, 3.7.3 to 3.7.6, 3.8.4, 3.9).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::engine::Engine;
use crate::error::{Error, On, class};
use crate::request::{COMPLETE, Completed, Operation, Progress};
use crate::{fail, session};

/// Checks a count of requests.
fn length(count: i32, name: &str) -> Result<usize> {
    match usize::try_from(count) {
        Ok(len) => Ok(len),
        Err(_) => fail!(COUNT, "{name} = {count}: a count cannot be negative"),
    }
}

/// Checks that there is an array, whose requests are of one session.
fn counted(mpi: &Mpi, count: i32, name: &str, requests: HandlesMut<Request>) -> Result<usize> {
    let len = length(count, name)?;
    requests.require(len)?;
    if mpi.sessions.several() {
        of_one_session(mpi, requests.iter(len))?;
    }
    Ok(len)
}

/// Refuses requests of different sessions.
#[cold]
fn of_one_session(mpi: &Mpi, requests: impl Iterator<Item = Request>) -> Result<()> {
    let comms = requests.filter_map(|request| mpi.requests.comm(request));
    session::require_one(comms.map(|comm| comm.group.session()))
}

/// Checks an array of requests before anything happens to any of them.
fn checked(mpi: &Mpi, count: i32, name: &str, requests: HandlesMut<Request>) -> Result<usize> {
    let len = counted(mpi, count, name, requests)?;
    for (index, request) in requests.iter(len).enumerate() {
        mpi.requests
            .check(request)
            .map_err(|error| at(requests.name(), index, request, error))?;
    }
    Ok(len)
}

/// An error about one request of an array.
#[cold]
fn at(name: &str, index: usize, request: Request, error: Error) -> Error {
    let on = match error.raised_on() {
        On::Call => On::Request(request),
        other => other,
    };
    Error::new(error.code(), format!("{name}[{index}]: {}", error.what())).on(on)
}

fn is_complete(mpi: &Mpi, engine: &Engine, request: Request) -> bool {
    mpi.requests.is_complete(engine, request).unwrap_or(true)
}

/// Waits for one operation. (MPI-5.0, 3.7.3)
pub fn wait(mpi: &Mpi, request: InOut<Request>, status: Out<Status>) -> Result<()> {
    let handle = request.get();
    if handle.is_null() {
        status.set(Status::EMPTY);
        return Ok(());
    }
    let engine = mpi.engine();
    if handle != COMPLETE {
        match mpi.requests.transfer(handle)? {
            Some(id) => mpi.wait_until(engine, || engine.done(id)),
            None => mpi.wait_until(engine, || is_complete(mpi, engine, handle)),
        }
        if status.is_ignored() && mpi.requests.complete_unseen(engine, handle) {
            request.set(Request::NULL);
            return Ok(());
        }
    }
    let completed = mpi.requests.complete(mpi, engine, handle)?;
    request.set(completed.handle);
    report(status, completed.result)
}

/// Says whether an operation has ended, and completes it then. (MPI-5.0, 3.7.3)
#[inline(always)]
pub fn test(
    mpi: &Mpi,
    request: InOut<Request>,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let engine = mpi.engine();
    let looked = mpi.requests.is_under_way(engine, request.get());
    if looked && !mpi.poll(engine) {
        flag.set(false);
        return Ok(());
    }
    test_of_any_kind(mpi, looked, request, flag, status)
}

#[inline(never)]
fn test_of_any_kind(
    mpi: &Mpi,
    looked: bool,
    request: InOut<Request>,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let engine = mpi.engine();
    let handle = request.get();
    let ended = mpi.requests.is_complete(engine, handle)?
        || !looked && mpi.poll(engine) && mpi.requests.is_complete(engine, handle)?;
    if !ended {
        flag.set(false);
        return Ok(());
    }
    flag.set(true);
    let completed = mpi.requests.complete(mpi, engine, handle)?;
    request.set(completed.handle);
    report(status, completed.result)
}

/// Whether all requests are messages under way, or null, and not all are null: then a test finds nothing unless another look
/// changes that. `false` says nothing; it is the answer where they may be of different sessions.
#[inline(always)]
fn all_under_way(mpi: &Mpi, engine: &Engine, count: i32, requests: HandlesMut<Request>) -> bool {
    let len = usize::try_from(count).unwrap_or(0);
    let mut any = false;
    let mut all = !requests.is_null() && !mpi.sessions.several();
    let mut index = 0;
    while all && index < len {
        let request = requests.get(index);
        if !request.is_null() {
            any = true;
            all = mpi.requests.is_under_way(engine, request);
        }
        index += 1;
    }
    all && any
}

/// Completes the request at `index` and stores its new handle.
fn complete_at(
    mpi: &Mpi,
    engine: &Engine,
    requests: HandlesMut<Request>,
    index: usize,
) -> Result<Completed> {
    let completed = mpi.requests.complete(mpi, engine, requests.get(index))?;
    requests.set(index, completed.handle);
    Ok(completed)
}

/// What becomes of several requests that a call completes. On failure of some, `MPI_ERR_IN_STATUS` and every status says
/// how its request ended.
struct Completion {
    requests: HandlesMut<Request>,
    statuses: StatusesOut,
    ended: Vec<Status>,
    failure: Option<Error>,
}

impl Completion {
    fn new(requests: HandlesMut<Request>, statuses: StatusesOut) -> Completion {
        Completion {
            requests,
            statuses,
            ended: Vec::new(),
            failure: None,
        }
    }

    /// The next one, at `index`, has been completed.
    #[inline(always)]
    fn add(&mut self, index: usize, completed: Completed) {
        self.requests.set(index, completed.handle);
        let status = match completed.result {
            Ok(status) => status,
            Err(error) => self.add_failure(index, error),
        };
        if !self.statuses.is_ignored() {
            self.ended.push(status);
        }
    }

    #[cold]
    fn add_failure(&mut self, index: usize, error: Error) -> Status {
        self.failure.get_or_insert_with(|| {
            let what = format!("{}[{index}]: {}", self.requests.name(), error.what());
            Error::new(class::IN_STATUS, what).on(error.raised_on())
        });
        Status {
            error: error.code(),
            ..error.status().unwrap_or(Status::EMPTY)
        }
    }

    /// Stores the statuses.
    fn tell(self) -> Result<()> {
        for (place, status) in self.ended.into_iter().enumerate() {
            if self.failure.is_some() {
                self.statuses.set_with_error(place, status);
            } else {
                self.statuses.set(place, status);
            }
        }
        self.failure.map_or(Ok(()), Err)
    }
}

/// Completes requests that have all ended.
fn complete_all(
    mpi: &Mpi,
    engine: &Engine,
    requests: HandlesMut<Request>,
    indices: impl Iterator<Item = usize>,
    statuses: StatusesOut,
) -> Result<()> {
    let mut all = Completion::new(requests, statuses);
    for index in indices {
        all.add(
            index,
            mpi.requests.complete(mpi, engine, requests.get(index))?,
        );
    }
    all.tell()
}

/// Waits for every operation. (MPI-5.0, 3.7.5)
pub fn waitall(
    mpi: &Mpi,
    count: i32,
    array_of_requests: HandlesMut<Request>,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let engine = mpi.engine();
    let len = checked(mpi, count, "count", array_of_requests)?;
    let mut all = Completion::new(array_of_requests, array_of_statuses);
    let mut next = 0;
    mpi.wait_until(engine, || {
        while next < len {
            let request = array_of_requests.get(next);
            if array_of_statuses.is_ignored() && mpi.requests.complete_unseen(engine, request) {
                array_of_requests.set(next, Request::NULL);
            } else {
                match mpi.requests.complete_if_ended(mpi, engine, request) {
                    None => return false,
                    Some(completed) => all.add(next, completed),
                }
            }
            next += 1;
        }
        true
    });
    all.tell()
}

/// Says whether all operations have ended, and completes them then. (MPI-5.0, 3.7.5)
pub fn testall(
    mpi: &Mpi,
    count: i32,
    array_of_requests: HandlesMut<Request>,
    flag: Out<bool>,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let engine = mpi.engine();
    let looked = all_under_way(mpi, engine, count, array_of_requests);
    if looked && !mpi.poll(engine) {
        flag.set(false);
        return Ok(());
    }
    let len = checked(mpi, count, "count", array_of_requests)?;
    let all = || (0..len).all(|index| is_complete(mpi, engine, array_of_requests.get(index)));
    if !(all() || !looked && mpi.poll(engine) && all()) {
        flag.set(false);
        return Ok(());
    }
    flag.set(true);
    complete_all(mpi, engine, array_of_requests, 0..len, array_of_statuses)
}

/// The first active request that has ended, and whether any is active. All are looked at before anything
/// happens to any of them.
fn first_complete(
    mpi: &Mpi,
    engine: &Engine,
    len: usize,
    requests: HandlesMut<Request>,
) -> Result<(Option<usize>, bool)> {
    let mut first = None;
    let mut any = false;
    for (index, request) in requests.iter(len).enumerate() {
        let progress = mpi
            .requests
            .progress_of(engine, request)
            .map_err(|error| at(requests.name(), index, request, error))?;
        any |= progress != Progress::Inactive;
        if progress == Progress::Complete && first.is_none() {
            first = Some(index);
        }
    }
    Ok((first, any))
}

/// Waits for one of several operations. (MPI-5.0, 3.7.5)
pub fn waitany(
    mpi: &Mpi,
    count: i32,
    array_of_requests: HandlesMut<Request>,
    index: Out<i32>,
    status: Out<Status>,
) -> Result<()> {
    let len = counted(mpi, count, "count", array_of_requests)?;
    let engine = mpi.engine();
    let (mut found, any) = first_complete(mpi, engine, len, array_of_requests)?;
    if found.is_none() && any {
        mpi.wait_until(engine, || {
            let mut running = false;
            found = array_of_requests.iter(len).position(|request| {
                let progress = mpi.requests.progress_of(engine, request);
                running |= progress == Ok(Progress::Running);
                progress == Ok(Progress::Complete)
            });
            found.is_some() || !running
        });
    }
    complete_found(mpi, engine, array_of_requests, found, index, status)
}

fn complete_found(
    mpi: &Mpi,
    engine: &Engine,
    requests: HandlesMut<Request>,
    found: Option<usize>,
    index: Out<i32>,
    status: Out<Status>,
) -> Result<()> {
    match found {
        None => {
            index.set(UNDEFINED);
            status.set(Status::EMPTY);
        }
        Some(found) => {
            index.set(found as i32);
            report(status, complete_at(mpi, engine, requests, found)?.result)?;
        }
    }
    Ok(())
}

/// Says whether one of several operations has ended, and completes it then. (MPI-5.0, 3.7.5)
#[inline(always)]
pub fn testany(
    mpi: &Mpi,
    count: i32,
    array_of_requests: HandlesMut<Request>,
    index: Out<i32>,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let engine = mpi.engine();
    let looked = all_under_way(mpi, engine, count, array_of_requests);
    if looked && !mpi.poll(engine) {
        flag.set(false);
        index.set(UNDEFINED);
        return Ok(());
    }
    testany_of_any_kind(
        mpi,
        looked,
        count,
        array_of_requests.again(),
        index,
        flag,
        status,
    )
}

#[inline(never)]
fn testany_of_any_kind(
    mpi: &Mpi,
    looked: bool,
    count: i32,
    array_of_requests: HandlesMut<Request>,
    index: Out<i32>,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let len = counted(mpi, count, "count", array_of_requests)?;
    let engine = mpi.engine();
    let (mut found, any) = first_complete(mpi, engine, len, array_of_requests)?;
    if found.is_none() && any && !looked && mpi.poll(engine) {
        found = first_complete(mpi, engine, len, array_of_requests)?.0;
    }
    flag.set(found.is_some() || !any);
    if found.is_none() && any {
        index.set(UNDEFINED);
        return Ok(());
    }
    complete_found(mpi, engine, array_of_requests, found, index, status)
}

/// The indices of active requests that have ended; `None` when none is active.
fn all_complete(
    mpi: &Mpi,
    engine: &Engine,
    len: usize,
    requests: HandlesMut<Request>,
) -> Option<Vec<usize>> {
    let mut any = false;
    let mut complete = Vec::new();
    for (index, request) in requests.iter(len).enumerate() {
        let progress = mpi.requests.progress_of(engine, request);
        any |= progress != Ok(Progress::Inactive);
        if progress == Ok(Progress::Complete) {
            complete.push(index);
        }
    }
    any.then_some(complete)
}

fn complete_some(
    mpi: &Mpi,
    engine: &Engine,
    requests: HandlesMut<Request>,
    found: Option<Vec<usize>>,
    outcount: Out<i32>,
    indices: IntsMut,
    statuses: StatusesOut,
) -> Result<()> {
    let Some(found) = found else {
        outcount.set(UNDEFINED);
        return Ok(());
    };
    outcount.set(found.len() as i32);
    indices.require(found.len())?;
    for (place, index) in found.iter().enumerate() {
        indices.set(place, *index as i32);
    }
    complete_all(mpi, engine, requests, found.into_iter(), statuses)
}

/// Waits until some of several operations have ended. (MPI-5.0, 3.7.5)
pub fn waitsome(
    mpi: &Mpi,
    incount: i32,
    array_of_requests: HandlesMut<Request>,
    outcount: Out<i32>,
    array_of_indices: IntsMut,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let len = checked(mpi, incount, "incount", array_of_requests)?;
    let engine = mpi.engine();
    let mut found = None;
    mpi.wait_until(engine, || {
        found = all_complete(mpi, engine, len, array_of_requests);
        found.as_ref().is_none_or(|complete| !complete.is_empty())
    });
    complete_some(
        mpi,
        engine,
        array_of_requests,
        found,
        outcount,
        array_of_indices,
        array_of_statuses,
    )
}

/// Completes those of several operations that have ended. (MPI-5.0, 3.7.5)
pub fn testsome(
    mpi: &Mpi,
    incount: i32,
    array_of_requests: HandlesMut<Request>,
    outcount: Out<i32>,
    array_of_indices: IntsMut,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let engine = mpi.engine();
    let looked = all_under_way(mpi, engine, incount, array_of_requests);
    if looked && !mpi.poll(engine) {
        outcount.set(0);
        return Ok(());
    }
    let len = checked(mpi, incount, "incount", array_of_requests)?;
    if !looked {
        mpi.poll(engine);
    }
    let found = all_complete(mpi, engine, len, array_of_requests);
    complete_some(
        mpi,
        engine,
        array_of_requests,
        found,
        outcount,
        array_of_indices,
        array_of_statuses,
    )
}

/// The status of a request that has ended, leaving the request as it is.
fn look(mpi: &Mpi, engine: &Engine, request: Request) -> Result<Status> {
    if request.is_null() {
        return Ok(Status::EMPTY);
    }
    match mpi.requests.active(request)?.map(|active| active.operation) {
        None => Ok(Status::EMPTY),
        Some(Operation::Complete(status)) => Ok(status),
        Some(Operation::Transfer(id)) => Ok(engine
            .proto()
            .outcome(id)
            .map_or(Status::EMPTY, |outcome| outcome.status)),
        Some(Operation::Collective(_)) => Ok(Status::EMPTY),
        Some(Operation::Generalized(generalized)) => generalized.query(mpi),
    }
}

/// Says whether an operation has ended, without completing it. (MPI-5.0, 3.7.6)
pub fn request_get_status(
    mpi: &Mpi,
    request: Request,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let engine = mpi.engine();
    let ended = mpi.requests.is_complete(engine, request)?
        || mpi.poll(engine) && mpi.requests.is_complete(engine, request)?;
    if !ended {
        flag.set(false);
        return Ok(());
    }
    flag.set(true);
    status.set(look(mpi, engine, request)?);
    Ok(())
}

fn checked_list(
    mpi: &Mpi,
    count: i32,
    name: &str,
    requests: Handles<Request>,
) -> Result<Vec<Request>> {
    let len = length(count, name)?;
    requests.require(len)?;
    let list: Vec<Request> = (0..len).map(|index| requests.get(index)).collect();
    if mpi.sessions.several() {
        of_one_session(mpi, list.iter().copied())?;
    }
    for (index, request) in list.iter().enumerate() {
        mpi.requests
            .check(*request)
            .map_err(|error| at("array_of_requests", index, *request, error))?;
    }
    Ok(list)
}

/// Says whether all operations have ended, without completing any. (MPI-5.0, 3.7.6)
pub fn request_get_status_all(
    mpi: &Mpi,
    count: i32,
    array_of_requests: Handles<Request>,
    flag: Out<bool>,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let list = checked_list(mpi, count, "count", array_of_requests)?;
    let engine = mpi.engine();
    mpi.poll(engine);
    let all = list
        .iter()
        .all(|&request| is_complete(mpi, engine, request));
    flag.set(all);
    if all {
        for (index, &request) in list.iter().enumerate() {
            array_of_statuses.set(index, look(mpi, engine, request)?);
        }
    }
    Ok(())
}

/// Says which of several operations has ended, without completing it. (MPI-5.0, 3.7.6)
pub fn request_get_status_any(
    mpi: &Mpi,
    count: i32,
    array_of_requests: Handles<Request>,
    index: Out<i32>,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let list = checked_list(mpi, count, "count", array_of_requests)?;
    let engine = mpi.engine();
    mpi.poll(engine);
    let is =
        |wanted| move |&request: &Request| mpi.requests.progress_of(engine, request) == Ok(wanted);
    let any = !list.iter().all(is(Progress::Inactive));
    let found = list.iter().position(is(Progress::Complete));
    flag.set(found.is_some() || !any);
    index.set(found.map_or(UNDEFINED, |found| found as i32));
    match found {
        Some(found) => status.set(look(mpi, engine, list[found])?),
        None if !any => status.set(Status::EMPTY),
        None => (),
    }
    Ok(())
}

/// Says which of several operations have ended, without completing any. (MPI-5.0, 3.7.6)
pub fn request_get_status_some(
    mpi: &Mpi,
    incount: i32,
    array_of_requests: Handles<Request>,
    outcount: Out<i32>,
    array_of_indices: IntsMut,
    array_of_statuses: StatusesOut,
) -> Result<()> {
    let list = checked_list(mpi, incount, "incount", array_of_requests)?;
    let engine = mpi.engine();
    mpi.poll(engine);
    let is =
        |wanted| move |&request: &Request| mpi.requests.progress_of(engine, request) == Ok(wanted);
    if list.iter().all(is(Progress::Inactive)) {
        outcount.set(UNDEFINED);
        return Ok(());
    }
    let mut found = 0;
    for (index, &request) in list.iter().enumerate() {
        if is(Progress::Complete)(&request) {
            array_of_indices.set(found, index as i32);
            array_of_statuses.set(found, look(mpi, engine, request)?);
            found += 1;
        }
    }
    outcount.set(found as i32);
    Ok(())
}

/// Gives up a request; its operation goes on. (MPI-5.0, 3.7.3)
pub fn request_free(mpi: &Mpi, request: InOut<Request>) -> Result<()> {
    mpi.requests.free(mpi, mpi.engine(), request.get())?;
    request.set(Request::NULL);
    Ok(())
}

/// Marks an operation for cancellation; it must still be completed. (MPI-5.0, 3.8.4)
pub fn cancel(mpi: &Mpi, request: InOut<Request>) -> Result<()> {
    let handle = request.get();
    let Some(active) = mpi.requests.active(handle)? else {
        fail!(REQUEST, "request 0x{:x} is not active", handle.raw());
    };
    match active.operation {
        Operation::Complete(_) => Ok(()),
        Operation::Transfer(id) => {
            // A message that has arrived already is received rather than cancelled.
            let engine = mpi.engine();
            mpi.progress(engine);
            let mut ended = engine.proto().cancel(id);
            // A message to this process itself has its answer as soon as the frames that are there are
            // read: some programs look at the status at once. Others may send without end, so not for ever.
            let mut looks = 64;
            while !ended && looks > 0 && mpi.progress(engine) {
                ended = engine.done(id);
                looks -= 1;
            }
            Ok(())
        }
        Operation::Collective(_) => {
            fail!(REQUEST, "a collective operation cannot be cancelled")
        }
        Operation::Generalized(generalized) => generalized.cancel(mpi),
    }
}

/// Starts a persistent operation. (MPI-5.0, 3.9)
pub fn start(mpi: &Mpi, request: InOut<Request>) -> Result<()> {
    mpi.requests.start(mpi, request.get())
}

/// Starts several persistent operations. (MPI-5.0, 3.9)
pub fn startall(mpi: &Mpi, count: i32, array_of_requests: HandlesMut<Request>) -> Result<()> {
    let len = counted(mpi, count, "count", array_of_requests)?;
    for (index, request) in array_of_requests.iter(len).enumerate() {
        if request.is_null() || !mpi.requests.is_persistent(request).unwrap_or(false) {
            let what = format!("0x{:x} is no persistent request", request.raw());
            let error = Error::new(class::REQUEST, what);
            return Err(at("array_of_requests", index, request, error));
        }
    }
    for (index, request) in array_of_requests.iter(len).enumerate() {
        mpi.requests
            .start(mpi, request)
            .map_err(|error| at("array_of_requests", index, request, error))?;
    }
    Ok(())
}
