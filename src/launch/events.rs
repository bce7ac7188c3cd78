//! What a node and the job say to each other, wherever the node is: in mpiexec itself or in a daemon on another host.
//!
//! Job: the words and nothing else. `frames.rs` writes them as bytes; `node.rs` and `job.rs` act on them.

use crate::cause::Ending;
use crate::rank::Which;

/// What a node tells the job. Ranks are those of the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A rank's process runs.
    Started { rank: usize, pid: i32 },
    /// A rank cannot be started; why, and mpiexec's exit code for it.
    NotStarted { text: String, code: i32 },
    /// A rank has written this.
    Output {
        rank: usize,
        which: Which,
        bytes: Vec<u8>,
    },
    /// A rank's stream has ended.
    Closed { rank: usize, which: Which },
    /// What comes next from this rank comes on a new connection.
    Connected { rank: usize },
    /// A rank has sent this to the PMI server.
    Pmi { rank: usize, bytes: Vec<u8> },
    /// A rank does not read what it is sent.
    Deaf { rank: usize, why: String },
    /// A process that was this rank has ended.
    Ended(Ended),
    /// A rank runs on another MPI; the words for it.
    Foreign(String),
    /// Words for the user.
    Say(String),
    /// Words for users who do not want to hear of errors only.
    Note(String),
    /// Whether ranks want more of the standard input than they were given.
    Hungry(bool),
    /// Every rank has ended, and what they wrote has been sent.
    Done,
    /// Nothing of the ranks is left.
    Gone,
    /// The answer to a `Ping`.
    Pong,
    /// The daemon has been asked to end by something else than the job; by what.
    Leaving(String),
}

/// What becomes known of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The daemon there has answered.
    Ready,
    Event(Event),
    /// Nothing more will come; why.
    Lost(String),
    /// The agent has written this on its standard error.
    Words(Vec<u8>),
    /// Something for those who asked for details.
    Detail(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub rank: usize,
    pub pid: i32,
    pub program: String,
    /// None: in a way that nobody can tell.
    pub ending: Option<Ending>,
    /// How the rank has ended by that; None: somebody else may come as this rank.
    pub over: Option<Ending>,
    /// The kernel's out-of-memory killer was at work.
    pub out_of_memory: bool,
}

/// What the job tells a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A line for a rank from the PMI server, with the segment of this round and index attached.
    Answer {
        rank: usize,
        line: Vec<u8>,
        segment: Option<(usize, u64)>,
    },
    /// Keys and values of a round of the PMI server, which all ranks may now ask for.
    Copy {
        round: usize,
        pairs: Vec<(Vec<u8>, Vec<u8>)>,
    },
    /// A rank is not listened to any more.
    Close {
        rank: usize,
    },
    /// Standard input for those ranks that read it.
    Input(Vec<u8>),
    InputEnded,
    /// A signal for all ranks.
    Signal(i32),
    /// The same, and the job is ending.
    End(i32),
    /// So many bytes of output have been taken: as many more may come.
    Taken(usize),
    /// End what ranks have left running, and say `Gone`.
    WindUp,
    /// mpiexec lives, and wants to know whether the daemon does.
    Ping,
    /// mpiexec is about to be stopped, and will be silent.
    Pause,
}
