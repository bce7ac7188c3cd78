//! Communicators between groups that did not know each other (MPI-5.0, 11.8 to 11.10).
//!
//! The root of each group meets the other one over a connection of their own, and both groups hear who the others are.
//! Once everybody can reach everybody, the two agree on a context as those of any inter-communicator do. How roots find
//! each other is the caller's affair. Assumes that the engine runs; the api functions have looked up the handles.

use std::net::TcpStream;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::bridge::Bridge;
use super::make::{draft, net};
use crate::boot::Program;
use crate::coll::Net;
use crate::comm::agree::{self, Tools};
use crate::comm::net::run;
use crate::comm::{CommNet, Communicator, Draft};
use crate::error::{Error, Result, class};
use crate::fail;
use crate::group::{Members, sets};
use crate::handle::Comm;
use crate::handshake::Secret;
use crate::held::Held;
use crate::meeting::{Introduction, Port, exchange};
use crate::mpi::Mpi;
use crate::processes::hash;
use crate::sys;
use crate::types::{ProcId, Rank};

/// What the processes of a spawned job find their parents' port by.
const PARENT: &str = "anympi-parent";
/// A process that calls a port waits so long to be let in, if the application does not say.
const PATIENCE: Duration = Duration::from_secs(30);
/// Names of the ports of parents have fewer bytes, as launchers take no longer values.
const LONGEST_NAME: usize = 256;

/// Which of the two roots this group's is: they draw one secret, and see the two groups in one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Accepts,
    Connects,
}

/// What the root of a group says to the other one, and hears from it.
struct Said {
    secret: Secret,
    /// Its rank in its group.
    root: usize,
    group: Vec<Introduction>,
}

impl Said {
    /// The same as bytes, of a group whose processes are introduced by `group`.
    fn bytes(secret: &Secret, root: usize, group: &[u8]) -> Vec<u8> {
        let mut bytes = secret.0.to_vec();
        bytes.extend((root as u64).to_le_bytes());
        bytes.extend(group);
        bytes
    }

    fn of(bytes: &[u8]) -> Result<Said> {
        let parts = bytes.split_first_chunk().and_then(|(secret, rest)| {
            let (root, group) = rest.split_first_chunk()?;
            Some((*secret, u64::from_le_bytes(*root) as usize, group))
        });
        let Some((secret, root, group)) = parts else {
            fail!(OTHER, "the other group has introduced itself with noise");
        };
        let group = Introduction::list(group)?;
        if root >= group.len() {
            fail!(
                OTHER,
                "the other group has introduced itself without its root"
            );
        }
        Ok(Said {
            secret: Secret(secret),
            root,
            group,
        })
    }
}

/// Bytes as numbers that tell how many there are.
fn words(bytes: &[u8]) -> Vec<i64> {
    let mut words = vec![bytes.len() as i64];
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        words.push(i64::from_le_bytes(word));
    }
    words
}

/// What [`words`] has made, with whatever follows.
fn bytes(words: &[i64]) -> Vec<u8> {
    let Some((length, words)) = words.split_first() else {
        return Vec::new();
    };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(*length as usize);
    bytes
}

/// What `root` has, or its error, at every process of a group.
async fn told<N: Net>(
    net: &N,
    tools: &Tools,
    root: usize,
    mine: Option<&Result<Vec<u8>>>,
) -> Result<Vec<u8>> {
    let (code, said) = match mine {
        None => (0, Vec::new()),
        Some(Ok(said)) => (0, words(said)),
        Some(Err(error)) => (error.code().into(), words(error.what().as_bytes())),
    };
    let mut head = [code, said.len() as i64];
    agree::spread(net, tools, &mut head, root).await?;
    let mut said = said;
    said.resize(head[1] as usize, 0);
    agree::spread(net, tools, &mut said, root).await?;
    let said = bytes(&said);
    match head[0] {
        0 => Ok(said),
        code => Err(Error::new(code as i32, String::from_utf8_lossy(&said))),
    }
}

/// The first error of a group: this process's own, or that somebody else has one.
async fn all_can<N: Net>(net: &N, tools: &Tools, mine: &Result<()>) -> Result<()> {
    let mut failed = [i64::from(mine.is_err())];
    agree::maximum(net, tools, &mut failed).await?;
    mine.clone()?;
    match failed {
        [0] => Ok(()),
        _ => fail!(OTHER, "another process of the group has failed"),
    }
}

/// How all processes of a group are introduced, in rank order.
async fn introductions<N: Net>(mpi: &Mpi, net: &N) -> Result<Vec<u8>> {
    let tools = mpi.comms.tools();
    let mine = mpi.engine().introduction();
    let mut mine_words = match &mine {
        Ok(mine) => words(&mine.to_bytes()),
        Err(_) => Vec::new(),
    };
    all_can(net, tools, &mine.map(drop)).await?;
    let mut longest = [mine_words.len() as i64];
    agree::maximum(net, tools, &mut longest).await?;
    let longest = longest[0] as usize;
    mine_words.resize(longest, 0);
    let all = agree::gather(net, tools, &mine_words).await?;
    Ok(all.chunks(longest).flat_map(bytes).collect())
}

/// Makes the other group known here.
fn acquaint(mpi: &Mpi, comm: &Communicator, said: &Said, secret: &Secret) -> Result<Vec<ProcId>> {
    let engine = mpi.engine();
    let others = said.group.iter().map(|other| engine.meet(other, secret));
    let others = others.collect::<Result<Vec<ProcId>>>()?;
    let distinct = Members::new(others.clone());
    if !sets::intersection(&comm.group, &distinct).is_empty() {
        fail!(
            COMM,
            "the group of {} and the one that it meets have processes in common",
            comm.describe()
        );
    }
    Ok(others)
}

/// Joins the group of `comm` and another one, whose root `meet` finds. Only the root's `meet` is called.
///
/// # Errors
/// `MPI_ERR_ROOT`: no such rank. What `meet` returns. `MPI_ERR_OTHER`: a process cannot be reached.
pub fn join(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    root: Rank,
    side: Side,
    meet: impl FnOnce() -> Result<Held<OwnedFd>>,
) -> Result<Rc<Communicator>> {
    comm.require_intra()?;
    let root = match usize::try_from(root.0) {
        Ok(root) if root < comm.group.len() => root,
        _ => fail!(
            ROOT,
            "root = {}: a rank of {} below {} was expected",
            root.0,
            comm.describe(),
            comm.group.len()
        ),
    };
    let rank = comm.rank as usize;
    let net = net(mpi, comm);
    let tools = mpi.comms.tools();
    let ours = run(mpi, introductions(mpi, &net))?;
    let mine = Secret::draw();
    let mut stream = None;
    let heard = (rank == root).then(|| {
        let met = meet()?;
        let copy = met.try_clone().map_err(lost)?;
        stream = Some(met);
        swap(mpi, copy, &Said::bytes(&mine, root, &ours))
    });
    let mine = (rank == root).then(|| Ok(mine.0.to_vec()));
    let (said, own) = run(mpi, async {
        let said = told(&net, tools, root, heard.as_ref()).await?;
        let own = told(&net, tools, root, mine.as_ref()).await?;
        Ok((said, own))
    })?;
    let own: [u8; 32] = own.try_into().unwrap_or_default();
    let known = Said::of(&said).and_then(|said| {
        let secret = match side {
            Side::Accepts => Secret(own),
            Side::Connects => said.secret.clone(),
        };
        let others = acquaint(mpi, comm, &said, &secret)?;
        Ok((others, said.root, secret))
    });
    // Nobody goes on unless everybody of both groups can.
    let ready = known.as_ref().map(drop).map_err(Error::clone);
    let ready = run(mpi, async { Ok(all_can(&net, tools, &ready).await) })?;
    let both = stream.map(|stream| {
        let copy = stream.try_clone().map_err(lost)?;
        let theirs = swap(mpi, copy, &[u8::from(ready.is_ok())])?;
        match theirs[..] {
            [1] => Ok(Vec::new()),
            _ => fail!(OTHER, "a process of the other group has failed"),
        }
    });
    run(mpi, told(&net, tools, root, both.as_ref()))?;
    ready?;
    let (others, other_root, secret) = known?;
    let me = mpi.engine().me;
    let pair = match side {
        Side::Accepts => [me, others[other_root]],
        Side::Connects => [others[other_root], me],
    };
    let key = hash(secret.0) as u32;
    let roots = (rank == root).then(|| {
        let tag = key as i32 & i32::MAX;
        CommNet::between_leaders(mpi.engine(), mpi.comms.pair(pair, side as i32), tag)
    });
    let context = run(mpi, async {
        let bridge = Bridge {
            local: &net,
            leader: root,
            across: roots.as_ref().map(|net| (net, 1 - side as usize)),
        };
        bridge.context(tools, &mpi.comms.contexts, key).await
    })?;
    let group = comm.group.clone();
    mpi.comms.add(Draft {
        remote: Some(Rc::new(Members::new(others).of(group.session()))),
        ..draft(comm, context, rank, group)
    })
}

/// Makes two groups of several jobs known to each other, whose leaders already are. `ours`: the secret is this group's
/// leader's, and not the other one's.
///
/// # Errors
/// `MPI_ERR_OTHER`: a process cannot be reached.
pub(super) async fn introduce<L: Net, P: Net>(
    mpi: &Mpi,
    comm: &Communicator,
    bridge: &Bridge<'_, L, P>,
    ours: bool,
) -> Result<()> {
    let tools = mpi.comms.tools();
    let group = introductions(mpi, bridge.local).await;
    let mine = Secret::draw();
    // The others wait for it, also if there is nobody to introduce.
    let said = Said::bytes(&mine, 0, group.as_deref().unwrap_or(&[]));
    let theirs = bytes(&bridge.swap(tools, &words(&said)).await?);
    let leads = bridge.local.rank() == bridge.leader;
    let mine = leads.then(|| Ok(mine.0.to_vec()));
    let mine = told(bridge.local, tools, bridge.leader, mine.as_ref()).await?;
    group?;
    let said = Said::of(&theirs)?;
    let secret = match ours {
        true => Secret(mine.try_into().unwrap_or_default()),
        false => said.secret.clone(),
    };
    acquaint(mpi, comm, &said, &secret).map(drop)
}

/// Says something to the root of the other group, and hears what that says. Other threads may be in calls meanwhile, as the
/// other root may wait for one of them.
fn swap(mpi: &Mpi, stream: OwnedFd, ours: &[u8]) -> Result<Vec<u8>> {
    mpi.outside(|| exchange(stream, ours)).map_err(lost)
}

fn lost(error: std::io::Error) -> Error {
    let what = format!("the connection to the root of the other group: {error}");
    Error::new(class::OTHER, what)
}

/// Waits until somebody comes to a port of this process. `ended` says why nobody will.
fn visitor(
    mpi: &Mpi,
    port: &Port,
    until: Option<Instant>,
    mut ended: impl FnMut() -> Option<Error>,
) -> Result<Held<OwnedFd>> {
    let engine = mpi.engine();
    let (mut stream, mut error): (Option<Held<TcpStream>>, _) = (None, None);
    // It may be asked again after it has said yes.
    mpi.wait_until(engine, || {
        if stream.is_none() {
            stream = engine.visitor(port);
        }
        if stream.is_none() && error.is_none() {
            error = ended();
        }
        stream.is_some() || error.is_some() || until.is_some_and(|until| until <= Instant::now())
    });
    match (stream, error) {
        (Some(stream), _) => Ok(stream.map()),
        (None, Some(error)) => Err(error),
        (None, None) => fail!(PORT, "nobody has connected to port '{port}' in time"),
    }
}

/// `MPI_Comm_accept`. `port` is asked at the root alone: the name of a port of this process, and how long it waits. Without
/// that it waits until somebody comes.
///
/// # Errors
/// `MPI_ERR_PORT`: no open port of this process, or nobody has come in time. As [`join`].
pub fn accept(
    mpi: &Mpi,
    port: impl FnOnce() -> Result<(String, Option<Duration>)>,
    root: Rank,
    comm: &Rc<Communicator>,
) -> Result<Rc<Communicator>> {
    join(mpi, comm, root, Side::Accepts, || {
        let (name, patience) = port()?;
        let port = open_port(mpi, &name)?;
        let until = patience.map(|patience| Instant::now() + patience);
        visitor(mpi, &port, until, || None)
    })
}

/// `MPI_Comm_connect`. `port` is asked at the root alone: the name of a port, and how long this process waits to be let in,
/// [`PATIENCE`] without that.
///
/// # Errors
/// `MPI_ERR_PORT`: no name of a port, nobody listens there, or nobody has accepted in time. As [`join`].
pub fn connect(
    mpi: &Mpi,
    port: impl FnOnce() -> Result<(String, Option<Duration>)>,
    root: Rank,
    comm: &Rc<Communicator>,
) -> Result<Rc<Communicator>> {
    join(mpi, comm, root, Side::Connects, || {
        let (name, patience) = port()?;
        let port = Port::parse(&name)?;
        let patience = patience.unwrap_or(PATIENCE);
        let until = Instant::now() + patience;
        let engine = mpi.engine();
        let mut visit = engine.visit(&port)?;
        let mut found = Ok(None);
        // It may be asked again after it has said yes.
        mpi.wait_until(engine, || {
            if let Ok(None) = found {
                found = visit.poll();
            }
            !matches!(found, Ok(None)) || until <= Instant::now()
        });
        match found {
            Ok(Some(stream)) => Ok(stream.map()),
            Ok(None) => fail!(
                PORT,
                "port_name = '{name}': nobody has accepted within {patience:?} ({})",
                visit.last()
            ),
            Err(last) => fail!(PORT, "port_name = '{name}': no such port is open ({last})"),
        }
    })
}

/// `MPI_Comm_join`: two processes that have a connected socket. What the application has set of the socket stays.
///
/// # Errors
/// `MPI_ERR_ARG`: no connected socket. As [`join`].
pub fn join_by(mpi: &Mpi, descriptor: i32, comm: &Rc<Communicator>) -> Result<Rc<Communicator>> {
    let socket = sys::duplicate(descriptor).and_then(|socket| {
        let socket = TcpStream::from(socket);
        let before = (
            sys::is_nonblocking(socket.as_fd())?,
            socket.read_timeout()?,
            socket.write_timeout()?,
        );
        Ok((socket, before))
    });
    let (socket, (nonblocking, reads, writes)) = socket.map_err(|error| {
        let what = format!("fd = {descriptor}: {error}; a connected socket was expected");
        Error::new(class::ARG, what)
    })?;
    let new = join_over(mpi, &socket, comm);
    // The application goes on with its socket as it was.
    let restored = socket
        .set_nonblocking(nonblocking)
        .and_then(|()| socket.set_read_timeout(reads))
        .and_then(|()| socket.set_write_timeout(writes));
    restored.map_err(lost)?;
    new
}

fn join_over(mpi: &Mpi, socket: &TcpStream, comm: &Rc<Communicator>) -> Result<Rc<Communicator>> {
    let copy = || socket.try_clone().map(OwnedFd::from).map_err(lost);
    let drawn: [u8; 16] = sys::random_bytes();
    let theirs = swap(mpi, copy()?, &drawn)?;
    let side = match drawn[..] < theirs[..] {
        true => Side::Connects,
        false => Side::Accepts,
    };
    join(mpi, comm, Rank(0), side, || copy().map(Held::new))
}

/// The open port of this process with a name.
///
/// # Errors
/// `MPI_ERR_PORT`: there is none.
pub fn open_port(mpi: &Mpi, name: &str) -> Result<Port> {
    let port = Port::parse(name)?;
    match mpi.engine().is_open(&port) {
        true => Ok(port),
        false => fail!(
            PORT,
            "port_name = '{name}' is not an open port of this process"
        ),
    }
}

/// `MPI_Comm_spawn_multiple`. `programs` counts at the root alone. Returns an error code for each process that was to be
/// started.
///
/// # Errors
/// `MPI_ERR_SPAWN`: not a single process could be started, or they have ended before they knew this process. As [`join`].
pub fn spawn(
    mpi: &Mpi,
    programs: impl FnOnce() -> Result<Vec<Program>>,
    root: Rank,
    comm: &Rc<Communicator>,
) -> Result<(Rc<Communicator>, Vec<i32>)> {
    let engine = mpi.engine();
    let mut codes = Vec::new();
    let new = join(mpi, comm, root, Side::Accepts, || {
        let programs = programs()?;
        let port = engine.open_port(LONGEST_NAME)?;
        let values = [(PARENT, &*port.to_string())];
        let spawned = engine.launcher().spawn(&programs, &values);
        let met = spawned.and_then(|all| {
            codes = all;
            visitor(mpi, &port, None, || {
                let why = engine.launcher().ended()?;
                let what =
                    format!("the spawned processes have ended before they were connected: {why}");
                Some(Error::new(class::SPAWN, what))
            })
        });
        engine.close_port(&port);
        met
    })?;
    let codes = codes
        .iter()
        .map(|code| i64::from(*code))
        .collect::<Vec<_>>();
    let root = root.0 as usize;
    let mut length = [codes.len() as i64];
    let local = net(mpi, comm);
    let codes = run(mpi, async {
        let tools = mpi.comms.tools();
        agree::spread(&local, tools, &mut length, root).await?;
        let mut codes = codes;
        codes.resize(length[0] as usize, 0);
        agree::spread(&local, tools, &mut codes, root).await?;
        Ok(codes)
    })?;
    Ok((new, codes.into_iter().map(|code| code as i32).collect()))
}

/// The communicator with those who have spawned this process's job, made as the world starts; `None` if nobody has.
///
/// # Errors
/// As [`connect`].
pub fn meet_parents(mpi: &Mpi) -> Result<Option<Rc<Communicator>>> {
    let given = mpi.engine().launcher().given(PARENT)?;
    match given {
        None => Ok(None),
        Some(port) => {
            let world = mpi.comm(Comm::WORLD)?;
            connect(mpi, || Ok((port, None)), Rank(0), &world).map(Some)
        }
    }
}
