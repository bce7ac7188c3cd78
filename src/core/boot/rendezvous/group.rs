//! Who has come to a rendezvous, who is missing, and what each is told. Pure: it knows no connection and no clock.

use std::collections::BTreeSet;

use super::frame::{FromMember, ToMember, Who};
use crate::error::class;

/// Number of a connection.
pub type Token = u64;

struct Member {
    token: Token,
    /// What it says; once all have come, what it is.
    rank: Option<u32>,
    who: Who,
    /// What it has brought to the fence at which it waits.
    fence: Option<Vec<u8>>,
    left: bool,
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rank {
            Some(rank) => write!(f, "rank {rank} ({})", self.who),
            None => self.who.fmt(f),
        }
    }
}

/// How far the group has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Waiting,
    /// All have come.
    Met,
    /// Everybody has been told that it ends, or has left.
    Over,
}

/// The processes that have come to a rendezvous.
pub struct Group {
    /// Where they meet.
    place: String,
    /// The job's name, once they are one.
    job: String,
    /// How many they are, and who has said so.
    size: Option<(u32, Who)>,
    members: Vec<Member>,
    stage: Stage,
    /// Why it has failed before all had come, and the exit status: who comes yet is told the same.
    failed: Option<(i32, String)>,
    out: Vec<(Token, ToMember)>,
}

impl Group {
    pub fn new(place: String, job: String) -> Group {
        Group {
            place,
            job,
            size: None,
            members: Vec::new(),
            stage: Stage::Waiting,
            failed: None,
            out: Vec::new(),
        }
    }

    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether it has failed before all had come.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// What is to be told to whom.
    pub fn out(&mut self) -> Vec<(Token, ToMember)> {
        std::mem::take(&mut self.out)
    }

    fn tell_all(&mut self, what: &ToMember) {
        let all = self.members.iter().map(|member| member.token);
        self.out.extend(all.map(|token| (token, what.clone())));
    }

    /// Ends it for everybody who is there.
    fn end(&mut self, status: i32, why: String) {
        if self.stage != Stage::Over {
            if self.stage == Stage::Waiting {
                self.failed = Some((status, why.clone()));
            }
            self.stage = Stage::Over;
            self.tell_all(&ToMember::End { status, why });
        }
    }

    /// A member has said something.
    pub fn said(&mut self, token: Token, what: FromMember) {
        if self.stage == Stage::Over {
            match (&what, self.failed.clone()) {
                (_, Some((status, why))) => self.out.push((token, ToMember::End { status, why })),
                (FromMember::Hello { who, .. }, None) => self.later(token, who),
                (_, None) => (),
            }
            return;
        }
        if let FromMember::Hello { rank, size, who } = what {
            return self.hello(token, (rank, size), who);
        }
        let Some(at) = self.members.iter().position(|one| one.token == token) else {
            return;
        };
        match (what, self.stage) {
            (FromMember::Fence(values), Stage::Met) => {
                self.members[at].fence = Some(values);
                self.fence();
            }
            (FromMember::Leave, Stage::Met) => {
                self.members[at].left = true;
                self.out.push((token, ToMember::Heard));
                self.all_left();
            }
            (FromMember::Back, Stage::Met) => {
                self.members[at].left = false;
                self.out.push((token, ToMember::Heard));
            }
            (FromMember::Abort { status, code }, _) => {
                let member = self.members.remove(at);
                self.end(
                    status,
                    format!("{member} has ended the job with code {code}"),
                );
            }
            (_, _) => {
                let member = &self.members[at];
                let why = format!("{member} has said what does not fit");
                self.end(class::OTHER, why);
            }
        }
    }

    fn hello(&mut self, token: Token, (rank, size): (Option<u32>, Option<u32>), who: Who) {
        if self.stage == Stage::Met {
            let same = |member: &&Member| rank.is_some() && member.rank == rank;
            let same = self.members.iter().find(same);
            // The next program of a rank may come before the other ranks have ended the one before.
            if rank.is_some() && same.is_none_or(|member| member.left) {
                return self.later(token, &who);
            }
            let count = self.members.len();
            let same = same.map_or(String::new(), |member| format!(", among them {member}"));
            let why = format!("all {count} processes have come before this one{same}");
            let pids = self.beside(&who);
            self.out.push((token, ToMember::Late { pids, why }));
            return;
        }
        self.members.push(Member {
            token,
            rank,
            who: who.clone(),
            fence: None,
            left: false,
        });
        if let Err(why) = self.fits(rank, size, who) {
            self.end(class::OTHER, why);
        } else if self
            .size
            .as_ref()
            .is_some_and(|(size, _)| self.members.len() == *size as usize)
        {
            self.meet();
        }
    }

    fn later(&mut self, token: Token, who: &Who) {
        let pids = self.beside(who);
        self.out.push((token, ToMember::Again { pids }));
    }

    /// The members that run where this one does.
    fn beside(&self, who: &Who) -> Vec<u32> {
        let here = self.members.iter().filter(|one| one.who.node == who.node);
        here.map(|one| one.who.pid).collect()
    }

    /// Whether the last one fits to all others.
    fn fits(&mut self, rank: Option<u32>, size: Option<u32>, who: Who) -> Result<(), String> {
        match (&self.size, size) {
            (_, Some(0)) => return Err(format!("{who} says that there are 0 processes")),
            (Some((known, first)), Some(size)) if *known != size => {
                return Err(format!(
                    "{first} says that there are {known} processes, {who} says {size}"
                ));
            }
            (None, Some(size)) => self.size = Some((size, who)),
            _ => (),
        }
        let last = self.members.len() - 1;
        let twice = |one: &&Member| rank.is_some() && one.rank == rank;
        if let (Some(rank), Some(first)) = (rank, self.members[..last].iter().find(twice)) {
            return Err(format!(
                "two processes say that they are rank {rank}: {} and {}",
                first.who, self.members[last].who
            ));
        }
        let Some((size, _)) = &self.size else {
            return Ok(());
        };
        let beyond = |one: &&Member| one.rank.is_some_and(|rank| rank >= *size);
        if let Some(one) = self.members.iter().find(beyond) {
            return Err(format!("there are {size} processes, so {one} cannot be"));
        }
        if self.members.len() > *size as usize {
            let count = self.members.len();
            return Err(format!("there are {size} processes, but {count} have come"));
        }
        Ok(())
    }

    /// All have come. Who has no rank gets the lowest one that is free, in the order of arrival.
    fn meet(&mut self) {
        let taken: BTreeSet<u32> = self.members.iter().filter_map(|one| one.rank).collect();
        let size = self.members.len() as u32;
        let mut free = (0..size).filter(|rank| !taken.contains(rank));
        for member in &mut self.members {
            let rank = member.rank.or_else(|| free.next());
            let rank = rank.expect("as many ranks as members");
            member.rank = Some(rank);
            let job = self.job.clone();
            let welcome = ToMember::Welcome { rank, size, job };
            self.out.push((member.token, welcome));
        }
        self.stage = Stage::Met;
    }

    fn fence(&mut self) {
        if self.members.iter().all(|member| member.fence.is_some()) {
            let values = self.members.iter_mut().filter_map(|one| one.fence.take());
            let values = values.flatten().collect();
            self.tell_all(&ToMember::Fenced(values));
        }
    }

    fn all_left(&mut self) {
        if self.stage == Stage::Met && self.members.iter().all(|member| member.left) {
            self.stage = Stage::Over;
            self.tell_all(&ToMember::Bye);
        }
    }

    /// A connection has ended.
    pub fn gone(&mut self, token: Token, why: &str) {
        let Some(at) = self.members.iter().position(|one| one.token == token) else {
            return;
        };
        let member = self.members.remove(at);
        match (self.stage, member.left) {
            (Stage::Over, _) => (),
            (Stage::Waiting, _) => {
                let why = format!("{member} has gone before all had come: {why}");
                self.end(class::OTHER, why);
            }
            (Stage::Met, false) => {
                let why = format!("{member} has ended without MPI_Finalize: {why}");
                self.end(1, why);
            }
            (Stage::Met, true) => self.all_left(),
        }
    }

    /// The time for the others to come is over.
    pub fn expired(&mut self, after: &str) {
        if self.stage == Stage::Waiting {
            let why = format!("{}; nobody more has come for {after}", self.state());
            self.end(class::OTHER, why);
        }
    }

    /// Who has come, and who is missing.
    pub fn state(&self) -> String {
        let (count, place) = (self.members.len(), &self.place);
        let Some((size, _)) = &self.size else {
            return format!(
                "{count} processes have come to {place}, and none has said how many there are"
            );
        };
        let come = format!("{count} of {size} processes have come to {place}");
        let said: BTreeSet<u32> = self.members.iter().filter_map(|one| one.rank).collect();
        if said.len() < count || count == 0 {
            return format!("{come}, {} are missing", *size as usize - count);
        }
        format!("{come}, missing are ranks {}", gaps(&said, *size))
    }
}

/// The numbers below `end` that are not among these, as people write them: `3, 7, 9-12`.
fn gaps(numbers: &BTreeSet<u32>, end: u32) -> String {
    let (mut all, mut next) = (Vec::new(), 0);
    for &number in numbers.range(..end).chain([&end]) {
        if next < number {
            all.push((next, number - 1));
        }
        next = number.saturating_add(1);
    }
    let most = 20;
    let show = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut texts: Vec<String> = all.iter().take(most).map(show).collect();
    if all.len() > most {
        texts.push("and others".into());
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group() -> Group {
        Group::new("a:5".into(), "job".into())
    }

    fn come(group: &mut Group, token: Token, rank: Option<u32>, size: Option<u32>) {
        let who = Who {
            pid: token as u32,
            node: 1,
            host: "a".into(),
        };
        group.said(token, FromMember::Hello { rank, size, who });
    }

    /// What everybody is told at the end.
    fn ended(group: &mut Group) -> Vec<(Token, i32, String)> {
        let out = group.out().into_iter();
        let ends = out.filter_map(|(token, what)| match what {
            ToMember::End { status, why } => Some((token, status, why)),
            _ => None,
        });
        ends.collect()
    }

    fn ranks(group: &mut Group) -> Vec<(Token, u32, u32)> {
        let out = group.out().into_iter();
        let ranks = out.map(|(token, what)| match what {
            ToMember::Welcome { rank, size, .. } => (token, rank, size),
            other => panic!("{other:?}"),
        });
        ranks.collect()
    }

    #[test]
    fn who_has_no_rank_gets_a_free_one() {
        let mut group = group();
        come(&mut group, 1, None, None);
        come(&mut group, 2, Some(0), Some(4));
        come(&mut group, 3, None, Some(4));
        assert_eq!(group.stage(), Stage::Waiting);
        assert_eq!(
            group.state(),
            "3 of 4 processes have come to a:5, 1 are missing"
        );
        come(&mut group, 4, Some(3), None);
        assert_eq!(group.stage(), Stage::Met);
        assert_eq!(
            ranks(&mut group),
            [(1, 1, 4), (2, 0, 4), (3, 2, 4), (4, 3, 4)]
        );
        come(&mut group, 5, Some(3), Some(4));
        let out = group.out();
        let (5, ToMember::Late { pids, why }) = &out[0] else {
            panic!("{out:?}")
        };
        assert_eq!(pids, &[1, 2, 3, 4]);
        assert!(why.contains("rank 3 (process 4 on a)"), "{why}");
        assert_eq!(group.stage(), Stage::Met);
        group.said(4, FromMember::Leave);
        group.out();
        for _ in 0..2 {
            come(&mut group, 6, Some(3), Some(4));
            assert!(matches!(group.out()[..], [(6, ToMember::Again { .. })]));
            group.gone(4, "");
        }
        for token in 1..4 {
            group.said(token, FromMember::Leave);
        }
        assert_eq!(group.stage(), Stage::Over);
        group.out();
        come(&mut group, 6, Some(3), Some(4));
        assert!(matches!(group.out()[..], [(6, ToMember::Again { .. })]));
    }

    #[test]
    fn who_does_not_fit_is_named_to_everybody() {
        type Said = (Option<u32>, Option<u32>);
        let cases: [(&[Said], &str); 6] = [
            (
                &[(Some(1), Some(3)), (Some(1), Some(3))],
                "two processes say that they are rank 1: process 0 on a and process 1 on a",
            ),
            (
                &[(Some(0), Some(3)), (Some(3), Some(3))],
                "there are 3 processes, so rank 3 (process 1 on a) cannot be",
            ),
            (
                &[(Some(7), None), (None, Some(3))],
                "there are 3 processes, so rank 7 (process 0 on a) cannot be",
            ),
            (
                &[(None, Some(3)), (None, Some(4))],
                "process 0 on a says that there are 3 processes, process 1 on a says 4",
            ),
            (
                &[(None, None), (None, Some(0))],
                "says that there are 0 processes",
            ),
            (
                &[(None, None), (None, None), (None, Some(2))],
                "there are 2 processes, but 3 have come",
            ),
        ];
        for (said, what) in cases {
            let mut group = group();
            for (token, (rank, size)) in (0..).zip(said) {
                come(&mut group, token, *rank, *size);
            }
            assert_eq!(group.stage(), Stage::Over);
            let ends = ended(&mut group);
            assert_eq!(ends.len(), said.len(), "{ends:?}");
            assert!(ends.iter().all(|end| end.2.contains(what)), "{ends:?}");
            come(&mut group, 77, None, None);
            let end = ended(&mut group).pop().unwrap();
            assert_eq!((end.0, &end.2), (77, &ends[0].2));
        }
    }

    #[test]
    fn who_is_missing_is_named() {
        let mut group = group();
        assert!(group.state().contains("none has said how many there are"));
        for rank in [0, 2, 3, 9] {
            come(&mut group, rank.into(), Some(rank), Some(12));
        }
        let state = group.state();
        assert!(
            state.ends_with("missing are ranks 1, 4-8, 10-11"),
            "{state}"
        );
        group.expired("60 s");
        let ends = ended(&mut group);
        assert_eq!(ends.len(), 4);
        assert!(ends[0].2.contains("1, 4-8, 10-11; nobody more"), "{ends:?}");
    }

    fn met(size: u32) -> Group {
        let mut group = group();
        for rank in 0..size {
            come(&mut group, rank.into(), Some(rank), Some(size));
        }
        assert_eq!(ranks(&mut group).len(), size as usize);
        group
    }

    #[test]
    fn a_fence_opens_when_all_have_come_with_the_values_of_all() {
        let mut group = met(3);
        for round in 0..2 {
            for token in 0..3 {
                assert!(group.out().is_empty());
                group.said(token, FromMember::Fence(vec![round, token as u8]));
            }
            let out = group.out();
            assert_eq!(out.len(), 3);
            let values = vec![round, 0, round, 1, round, 2];
            assert_eq!(out[2], (2, ToMember::Fenced(values)));
        }
    }

    #[test]
    fn it_is_over_when_all_have_left() {
        let mut group = met(3);
        group.said(0, FromMember::Leave);
        group.said(1, FromMember::Leave);
        group.gone(1, "closed");
        group.said(0, FromMember::Back);
        group.said(2, FromMember::Leave);
        let left = group.out();
        assert!(left.iter().all(|(_, what)| *what == ToMember::Heard));
        assert_eq!((left.len(), group.stage()), (4, Stage::Met));
        group.said(0, FromMember::Leave);
        assert_eq!(group.stage(), Stage::Over);
        let bye = |token| (token, ToMember::Bye);
        assert_eq!(group.out(), [(0, ToMember::Heard), bye(0), bye(2)]);
    }

    #[test]
    fn a_death_and_an_abort_end_it_for_the_others() {
        let mut group = met(3);
        group.gone(1, "its connection was closed");
        let ends = ended(&mut group);
        assert_eq!(ends.len(), 2);
        assert!(
            ends[0]
                .2
                .contains("rank 1 (process 1 on a) has ended without"),
            "{ends:?}"
        );
        let mut group = met(3);
        group.said(
            2,
            FromMember::Abort {
                status: 7,
                code: 263,
            },
        );
        let ends = ended(&mut group);
        let why = "rank 2 (process 2 on a) has ended the job with code 263".to_owned();
        assert_eq!(ends, [(0, 7, why.clone()), (1, 7, why)]);
        let mut early = super::Group::new("p".into(), "j".into());
        come(&mut early, 1, Some(0), Some(2));
        early.gone(1, "closed");
        assert_eq!(early.stage(), Stage::Over);
    }

    use crate::garbage_tests::{cases, within};
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Happens {
        Said(FromMember),
        Gone,
        Expired,
    }

    fn happens() -> impl Strategy<Value = Happens> {
        let number = || prop_oneof![3 => Just(None), 6 => (0..5u32).prop_map(Some), 1 => any::<u32>().prop_map(Some)];
        let hello = (number(), number(), 0..3u64).prop_map(|(rank, size, node)| {
            let (pid, host) = (1, String::new());
            let who = Who { pid, node, host };
            FromMember::Hello { rank, size, who }
        });
        prop_oneof![
            6 => hello.prop_map(Happens::Said),
            2 => Just(Happens::Said(FromMember::Fence(vec![1]))),
            2 => Just(Happens::Said(FromMember::Leave)),
            1 => Just(Happens::Said(FromMember::Back)),
            1 => Just(Happens::Said(FromMember::Abort { status: 1, code: 2 })),
            1 => Just(Happens::Gone),
            1 => Just(Happens::Expired),
        ]
    }

    proptest! {
        #![proptest_config(cases(1000))]
        /// Whatever members say, and in whatever order: each is told at most once that all have come, and how it ends.
        #[test]
        fn any_order_of_what_happens_has_an_end(
            all in proptest::collection::vec((0..6 as Token, happens()), 0..40),
        ) {
            let mut group = group();
            let (mut welcome, mut came) = (BTreeSet::new(), BTreeSet::new());
            for (token, what) in all {
                let was_over = group.stage() == Stage::Over;
                within(100_000, || match what {
                    // A connection says who it is first, and once.
                    Happens::Said(said) => {
                        let is_hello = matches!(said, FromMember::Hello { .. });
                        if is_hello == came.insert(token) {
                            group.said(token, said);
                        }
                    }
                    Happens::Gone => group.gone(token, "a test"),
                    Happens::Expired => group.expired("9 s"),
                });
                prop_assert!(!was_over || group.stage() == Stage::Over);
                if group.stage() == Stage::Waiting {
                    let _ = group.state();
                }
                for (token, told) in group.out() {
                    let is_first = matches!(told, ToMember::Welcome { .. });
                    prop_assert!(!is_first || welcome.insert(token));
                }
            }
        }
    }

    #[test]
    fn a_size_that_cannot_be_is_no_work() {
        let mut group = group();
        come(&mut group, 1, Some(1), Some(u32::MAX - 1));
        group.expired("9 s");
        let (_, _, why) = ended(&mut group).remove(0);
        assert!(why.contains("missing are ranks 0, 2-4294967293"), "{why}");
    }
}
