//! Which message meets which receive (MPI-5.0, 3.5): posted receives and unexpected messages, per context.
//!
//! A pure data structure: no I/O, no buffers, no requests, only tokens. Within a context every source has its own two
//! queues. Receives from any source stand apart and carry sequence numbers, so that the order of posting decides
//! between the two kinds. The standard's non-overtaking rule wants that. The common case, a receive from a known
//! source, touches one queue.

use std::collections::{HashMap, VecDeque};

/// What a message says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    pub context: u32,
    /// Rank of the sender in the communicator.
    pub source: u32,
    pub tag: i32,
}

/// What a receive or a probe asks for. Two numbers, so that it stays in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    queue: Queue,
    tag: Wanted,
}

/// A context, and above it the number of a source there, or [`ANY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue(u64);

/// No rank has this number.
const ANY: u32 = u32::MAX;

/// A tag, and above it a mask: all ones, or zero for any tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted(u64);

impl Wanted {
    #[inline(always)]
    fn new(tag: Option<i32>) -> Wanted {
        match tag {
            Some(tag) => Wanted(u64::from(tag as u32) | u64::from(u32::MAX) << 32),
            None => Wanted(0),
        }
    }

    #[inline(always)]
    fn accepts(self, tag: i32) -> bool {
        (tag as u32 ^ self.0 as u32) & (self.0 >> 32) as u32 == 0
    }
}

impl Queue {
    #[inline(always)]
    pub fn new(context: u32, source: u32) -> Queue {
        Queue(u64::from(context) | u64::from(source) << 32)
    }

    #[inline(always)]
    pub fn context(self) -> u32 {
        self.0 as u32
    }

    /// The source, or [`ANY`].
    #[inline(always)]
    pub fn number(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The rank of the source, if it is not any.
    #[inline(always)]
    pub fn source(self) -> Option<u32> {
        (self.number() != ANY).then_some(self.number())
    }
}

impl Pattern {
    /// Without `source` any source, without `tag` any tag.
    #[inline(always)]
    pub fn new(context: u32, source: Option<u32>, tag: Option<i32>) -> Pattern {
        Pattern {
            queue: Queue::new(context, source.unwrap_or(ANY)),
            tag: Wanted::new(tag),
        }
    }

    /// Where it waits.
    #[inline(always)]
    pub fn queue(&self) -> Queue {
        self.queue
    }

    /// Whether it asks for this message.
    #[inline(always)]
    pub fn accepts(&self, envelope: Envelope) -> bool {
        self.queue.context() == envelope.context
            && (self.queue.number() == envelope.source || self.queue.number() == ANY)
            && self.tag.accepts(envelope.tag)
    }
}

/// Names a posted receive; what it means is the caller's affair.
pub type Token = u32;

struct Posted {
    sequence: u64,
    tag: Wanted,
    token: Token,
}

struct Unexpected<M> {
    sequence: u64,
    tag: i32,
    message: M,
}

struct Source<M> {
    posted: VecDeque<Posted>,
    unexpected: VecDeque<Unexpected<M>>,
}

struct Context<M> {
    any_source: VecDeque<Posted>,
    sources: Vec<Source<M>>,
}

/// Contexts below this number are found by index, the others by hash. Numbers are not used again for a long time.
/// So a program that makes many communicators leaves the table behind, and the table does not grow with them.
const INDEXED: u32 = 1024;

/// The queues of one process. `M` is a small token or box for an unexpected message.
pub struct Matching<M> {
    contexts: Vec<Option<Box<Context<M>>>>,
    others: HashMap<u32, Box<Context<M>>>,
    sequence: u64,
    /// Receives in the queues.
    posted: usize,
    unexpected: usize,
    /// The longest that the unexpected messages have been since [`take_longest`](Self::take_longest).
    longest: usize,
    /// Messages that were unexpected, so far.
    kept: u64,
}

impl<M> Default for Matching<M> {
    fn default() -> Self {
        Matching {
            contexts: Vec::new(),
            others: HashMap::new(),
            sequence: 0,
            posted: 0,
            unexpected: 0,
            longest: 0,
            kept: 0,
        }
    }
}

fn first(queue: &VecDeque<Posted>, tag: i32) -> Option<usize> {
    queue.iter().position(|posted| posted.tag.accepts(tag))
}

impl<M> Context<M> {
    #[inline]
    fn source(&mut self, source: u32) -> &mut Source<M> {
        let index = source as usize;
        if index >= self.sources.len() {
            self.sources.resize_with(index + 1, || Source {
                posted: VecDeque::new(),
                unexpected: VecDeque::new(),
            });
        }
        &mut self.sources[index]
    }

    fn has_posted(&self) -> bool {
        let mut sources = self.sources.iter();
        !self.any_source.is_empty() || sources.any(|source| !source.posted.is_empty())
    }

    /// Source and place of the oldest unexpected message that the pattern accepts.
    fn find(&self, pattern: &Pattern) -> Option<(usize, usize)> {
        let place = |source: &Source<M>| {
            source
                .unexpected
                .iter()
                .position(|u| pattern.tag.accepts(u.tag))
        };
        match pattern.queue.source() {
            Some(source) => {
                let index = source as usize;
                Some((index, place(self.sources.get(index)?)?))
            }
            None => self
                .sources
                .iter()
                .enumerate()
                .filter_map(|(index, source)| {
                    let at = place(source)?;
                    Some((source.unexpected[at].sequence, index, at))
                })
                .min()
                .map(|(_, index, at)| (index, at)),
        }
    }
}

impl<M> Matching<M> {
    #[inline]
    fn context(&mut self, context: u32) -> &mut Context<M> {
        if matches!(self.contexts.get(context as usize), Some(Some(_))) {
            return self.contexts[context as usize]
                .as_mut()
                .expect("it is there");
        }
        self.new_context(context)
    }

    #[cold]
    fn new_context(&mut self, context: u32) -> &mut Context<M> {
        let new = || {
            Box::new(Context {
                any_source: VecDeque::new(),
                sources: Vec::new(),
            })
        };
        if context >= INDEXED {
            return self.others.entry(context).or_insert_with(new);
        }
        let index = context as usize;
        if index >= self.contexts.len() {
            self.contexts.resize_with(index + 1, || None);
        }
        self.contexts[index].get_or_insert_with(new)
    }

    fn existing(&self, context: u32) -> Option<&Context<M>> {
        if context >= INDEXED {
            self.others.get(&context).map(|context| &**context)
        } else {
            self.contexts.get(context as usize)?.as_deref()
        }
    }

    fn existing_mut(&mut self, context: u32) -> Option<&mut Context<M>> {
        if context >= INDEXED {
            self.others.get_mut(&context).map(|context| &mut **context)
        } else {
            self.contexts.get_mut(context as usize)?.as_deref_mut()
        }
    }

    /// Takes the posted receive that an arriving message meets, if there is one.
    #[inline(always)]
    pub fn arrive(&mut self, envelope: Envelope) -> Option<Token> {
        if self.posted == 0 {
            return None;
        }
        let token = match self.front(envelope) {
            Some(token) => token,
            None => self.meet(envelope)?,
        };
        self.posted -= 1;
        Some(token)
    }

    /// The usual case of [`arrive`](Self::arrive): the first of the queue, without moving the others.
    #[inline(always)]
    fn front(&mut self, envelope: Envelope) -> Option<Token> {
        let context = self.contexts.get_mut(envelope.context as usize)?;
        let context = context.as_mut()?;
        let source = context.sources.get_mut(envelope.source as usize)?;
        let front = source.posted.front()?;
        if !front.tag.accepts(envelope.tag) || !context.any_source.is_empty() {
            return None;
        }
        let token = front.token;
        source.posted.pop_front();
        Some(token)
    }

    #[inline(never)]
    fn meet(&mut self, envelope: Envelope) -> Option<Token> {
        let context = self.context(envelope.context);
        let source = context.source(envelope.source);
        let exact = first(&source.posted, envelope.tag);
        let wild = first(&context.any_source, envelope.tag);
        match (exact, wild) {
            (Some(exact), Some(wild)) => {
                let older = context.sources[envelope.source as usize].posted[exact].sequence
                    < context.any_source[wild].sequence;
                if older {
                    take(&mut context.source(envelope.source).posted, exact)
                } else {
                    take(&mut context.any_source, wild)
                }
            }
            (Some(exact), None) => take(&mut context.source(envelope.source).posted, exact),
            (None, Some(wild)) => take(&mut context.any_source, wild),
            (None, None) => None,
        }
    }

    /// Keeps a message that met no receive.
    pub fn keep(&mut self, envelope: Envelope, message: M) {
        self.sequence += 1;
        self.unexpected += 1;
        self.longest = self.longest.max(self.unexpected);
        self.kept += 1;
        let sequence = self.sequence;
        self.context(envelope.context)
            .source(envelope.source)
            .unexpected
            .push_back(Unexpected {
                sequence,
                tag: envelope.tag,
                message,
            });
    }

    /// Takes the oldest unexpected message that the pattern accepts.
    pub fn take(&mut self, pattern: &Pattern) -> Option<(Envelope, M)> {
        let context = self.existing_mut(pattern.queue.context())?;
        let (source, at) = context.find(pattern)?;
        let found = context.sources[source].unexpected.remove(at)?;
        self.unexpected -= 1;
        let envelope = Envelope {
            context: pattern.queue.context(),
            source: source as u32,
            tag: found.tag,
        };
        Some((envelope, found.message))
    }

    /// The queue and the place of a certain message of an envelope, if it is still here.
    fn place(
        &mut self,
        envelope: Envelope,
        is_it: impl Fn(&M) -> bool,
    ) -> Option<(&mut VecDeque<Unexpected<M>>, usize)> {
        let context = self.existing_mut(envelope.context)?;
        let source = context.sources.get_mut(envelope.source as usize)?;
        let queue = &mut source.unexpected;
        let at = queue
            .iter()
            .position(|u| u.tag == envelope.tag && is_it(&u.message))?;
        Some((queue, at))
    }

    /// Takes a certain message of an envelope, if it is still here.
    pub fn retract(&mut self, envelope: Envelope, is_it: impl Fn(&M) -> bool) -> Option<M> {
        let (queue, at) = self.place(envelope, is_it)?;
        let found = queue.remove(at)?;
        self.unexpected -= 1;
        Some(found.message)
    }

    /// As [`retract`](Self::retract), leaving the message where it is.
    pub fn find_mut(&mut self, envelope: Envelope, is_it: impl Fn(&M) -> bool) -> Option<&mut M> {
        let (queue, at) = self.place(envelope, is_it)?;
        Some(&mut queue[at].message)
    }

    /// As [`take`](Self::take), leaving the message where it is.
    pub fn peek(&self, pattern: &Pattern) -> Option<(Envelope, &M)> {
        let context = self.existing(pattern.queue.context())?;
        let (source, at) = context.find(pattern)?;
        let found = &context.sources[source].unexpected[at];
        let envelope = Envelope {
            context: pattern.queue.context(),
            source: source as u32,
            tag: found.tag,
        };
        Some((envelope, &found.message))
    }

    /// Queues a receive that found no unexpected message.
    #[inline(always)]
    pub fn post(&mut self, pattern: Pattern, token: Token) {
        self.sequence += 1;
        self.posted += 1;
        let posted = Posted {
            sequence: self.sequence,
            tag: pattern.tag,
            token,
        };
        // The usual case first. No source has the number of any source.
        if let Some(Some(context)) = self.contexts.get_mut(pattern.queue.context() as usize)
            && let Some(source) = context.sources.get_mut(pattern.queue.number() as usize)
        {
            return source.posted.push_back(posted);
        }
        self.post_first(pattern, token);
    }

    #[inline(never)]
    fn post_first(&mut self, pattern: Pattern, token: Token) {
        let posted = Posted {
            sequence: self.sequence,
            tag: pattern.tag,
            token,
        };
        let context = self.context(pattern.queue.context());
        match pattern.queue.source() {
            Some(source) => context.source(source).posted.push_back(posted),
            None => context.any_source.push_back(posted),
        }
    }

    /// Takes a posted receive back; `false` when it has met its message already.
    pub fn withdraw(&mut self, from: Queue, token: Token) -> bool {
        let context = self.context(from.context());
        let queue = match from.source() {
            Some(source) => &mut context.source(source).posted,
            None => &mut context.any_source,
        };
        let at = queue.iter().position(|posted| posted.token == token);
        let found = at.is_some_and(|at| queue.remove(at).is_some());
        self.posted -= usize::from(found);
        found
    }

    /// Forgets a context whose communicator is gone; hands back the messages that nobody received.
    ///
    /// A receive whose request was freed before it was complete may still be posted: its context stays.
    pub fn drop_context(&mut self, context: u32) -> Vec<M> {
        if self.existing(context).is_some_and(Context::has_posted) {
            return Vec::new();
        }
        let old = if context >= INDEXED {
            self.others.remove(&context)
        } else {
            self.contexts
                .get_mut(context as usize)
                .and_then(Option::take)
        };
        let Some(old) = old else {
            return Vec::new();
        };
        let left: Vec<M> = old
            .sources
            .into_iter()
            .flat_map(|source| source.unexpected.into_iter().map(|u| u.message))
            .collect();
        self.unexpected -= left.len();
        left
    }

    /// The most unexpected messages that waited at once since this was asked last; from now on the most
    /// from now on.
    pub fn take_longest(&mut self) -> usize {
        std::mem::replace(&mut self.longest, self.unexpected)
    }

    /// Messages that were unexpected when they came, so far.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Receives that have been queued, so far.
    pub fn queued(&self) -> u64 {
        self.sequence - self.kept
    }

    /// Receives in the queues, in all contexts.
    #[inline]
    pub fn posted(&self) -> usize {
        self.posted
    }

    /// Unexpected messages waiting, in all contexts.
    #[inline(always)]
    pub fn unexpected(&self) -> usize {
        self.unexpected
    }
}

fn take(queue: &mut VecDeque<Posted>, at: usize) -> Option<Token> {
    queue.remove(at).map(|posted| posted.token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rule itself, without any index: first posted match, first arrived match.
    #[derive(Default)]
    struct Naive {
        posted: Vec<(Asked, Token)>,
        unexpected: Vec<(Envelope, u32)>,
    }

    /// What a receive asks for, in the words of the standard.
    #[derive(Clone, Copy, Debug)]
    struct Asked {
        context: u32,
        source: Option<u32>,
        tag: Option<i32>,
    }

    impl Asked {
        fn pattern(self) -> Pattern {
            Pattern::new(self.context, self.source, self.tag)
        }
    }

    fn fits(asked: &Asked, envelope: &Envelope) -> bool {
        asked.context == envelope.context
            && asked.source.is_none_or(|source| source == envelope.source)
            && asked.tag.is_none_or(|tag| tag == envelope.tag)
    }

    #[derive(Clone, Debug)]
    enum Step {
        Arrive(Envelope),
        Receive(Asked),
        Withdraw(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let envelope = (0..2u32, 0..3u32, 0..3i32).prop_map(|(context, source, tag)| Envelope {
            context: context * INDEXED,
            source,
            tag,
        });
        let asked = (
            0..2u32,
            proptest::option::of(0..3u32),
            proptest::option::of(0..3i32),
        )
            .prop_map(|(context, source, tag)| Asked {
                context: context * INDEXED,
                source,
                tag,
            });
        prop_oneof![
            5 => envelope.prop_map(Step::Arrive),
            5 => asked.prop_map(Step::Receive),
            1 => (0..4usize).prop_map(Step::Withdraw),
        ]
    }

    proptest! {
        #[test]
        fn behaves_as_the_naive_lists(steps in proptest::collection::vec(step(), 0..200)) {
            let mut fast: Matching<u32> = Matching::default();
            let mut naive = Naive::default();
            let mut most = 0;
            let (mut queued, mut kept) = (0, 0);
            for (number, step) in (0u32..).zip(steps) {
                match step {
                    Step::Arrive(envelope) => {
                        let at = naive.posted.iter().position(|(p, _)| fits(p, &envelope));
                        let expected = at.map(|at| naive.posted.remove(at).1);
                        let got = fast.arrive(envelope);
                        prop_assert_eq!(got, expected);
                        if got.is_none() {
                            kept += 1;
                            naive.unexpected.push((envelope, number));
                            fast.keep(envelope, number);
                        }
                    }
                    Step::Receive(asked) => {
                        let pattern = asked.pattern();
                        let at = naive.unexpected.iter().position(|(e, _)| fits(&asked, e));
                        let expected = at.map(|at| naive.unexpected.remove(at));
                        prop_assert_eq!(fast.peek(&pattern).map(|(e, m)| (e, *m)), expected);
                        let got = fast.take(&pattern);
                        prop_assert_eq!(got, expected);
                        if got.is_none() {
                            queued += 1;
                            naive.posted.push((asked, number));
                            fast.post(pattern, number);
                        }
                    }
                    Step::Withdraw(index) => {
                        if index < naive.posted.len() {
                            let (asked, token) = naive.posted.remove(index);
                            let pattern = asked.pattern();
                            prop_assert!(fast.withdraw(pattern.queue(), token));
                            prop_assert!(!fast.withdraw(pattern.queue(), token));
                        }
                    }
                }
                prop_assert_eq!(fast.unexpected(), naive.unexpected.len());
                prop_assert_eq!(fast.posted(), naive.posted.len());
                most = most.max(naive.unexpected.len());
            }
            prop_assert_eq!((fast.queued(), fast.kept()), (queued, kept));
            prop_assert_eq!(fast.take_longest(), most);
            prop_assert_eq!(fast.take_longest(), naive.unexpected.len());
        }
    }

    #[test]
    fn a_dropped_context_hands_back_its_messages() {
        let mut matching: Matching<u32> = Matching::default();
        matching.keep(
            Envelope {
                context: 4,
                source: 2,
                tag: 1,
            },
            7,
        );
        assert_eq!(matching.drop_context(4), vec![7]);
        assert_eq!(matching.unexpected(), 0);
        assert!(matching.drop_context(99).is_empty());
    }

    #[test]
    fn a_context_with_a_posted_receive_stays() {
        for source in [None, Some(1)] {
            let mut matching: Matching<u32> = Matching::default();
            let pattern = Pattern::new(2000, source, Some(3));
            matching.post(pattern, 11);
            assert!(matching.drop_context(2000).is_empty());
            let envelope = Envelope {
                context: 2000,
                source: 1,
                tag: 3,
            };
            assert_eq!(matching.arrive(envelope), Some(11));
        }
    }
}
