//! Which pages of the heap are in use: runs of pages, used or free, in a table with an entry per page.
//!
//! The first and the last entry of a run describe it, so that neighbours are found in one step; free runs
//! hang in lists by the power of two of their length. Free runs are *clean* (zero, and without memory behind
//! them) or *warm* (kept as they are for the next block): the two never merge, so that it stays known which
//! is which. Pure: numbers of pages only. Assumes that its owner has the lock.

/// No page.
const NONE: u32 = u32::MAX;
/// Lists of one kind of free runs.
const LISTS: usize = 32;
/// Runs of about the right length that are looked at before a longer one is cut.
const LOOKS: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
enum State {
    /// Not the first and not the last page of a run.
    #[default]
    Inside = 0,
    Used,
    Clean,
    Warm,
    /// The last page of a run of several.
    UsedEnd,
    CleanEnd,
    WarmEnd,
}

/// What is known of a page. All-zero bytes are valid.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Entry {
    state: State,
    /// Pages of the run.
    pages: u32,
    /// The neighbours in the list of free runs, at the first page of one.
    before: u32,
    after: u32,
}

/// A kind of free runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Clean,
    Warm,
}

impl Kind {
    fn states(self) -> (State, State) {
        match self {
            Kind::Clean => (State::Clean, State::CleanEnd),
            Kind::Warm => (State::Warm, State::WarmEnd),
        }
    }
}

/// Pages one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: u32,
    pub pages: u32,
}

/// All pages of a heap.
pub struct Runs<'t> {
    table: &'t mut [Entry],
    lists: [[u32; LISTS]; 2],
    /// Pages of all warm runs.
    warm: u64,
}

/// The list for runs of so many pages.
fn list_of(pages: u32) -> usize {
    pages.max(1).ilog2() as usize
}

impl<'t> Runs<'t> {
    /// All pages of the table are one clean run. Every entry must be zero.
    pub fn new(table: &'t mut [Entry]) -> Runs<'t> {
        let pages = table.len() as u32;
        let mut runs = Runs {
            table,
            lists: [[NONE; LISTS]; 2],
            warm: 0,
        };
        if pages > 0 {
            runs.put(Run { start: 0, pages }, Kind::Clean);
        }
        runs
    }

    /// The runs in use that begin before page `end`, in their order.
    pub fn all_used(&self, end: u32) -> impl Iterator<Item = Run> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            while start < end {
                let Entry { state, pages, .. } = self.table[start as usize];
                let run = Run { start, pages };
                start += pages.max(1);
                if state == State::Used {
                    return Some(run);
                }
            }
            None
        })
    }

    /// Pages that are free and warm.
    pub fn warm(&self) -> u64 {
        self.warm
    }

    /// A run of one page is described as its first.
    fn mark(&mut self, run: Run, (first, last): (State, State)) {
        let end = (run.start + run.pages - 1) as usize;
        self.table[end].state = last;
        self.table[end].pages = run.pages;
        let entry = &mut self.table[run.start as usize];
        entry.state = first;
        entry.pages = run.pages;
    }

    fn unmark(&mut self, run: Run) {
        self.table[run.start as usize].state = State::Inside;
        self.table[(run.start + run.pages - 1) as usize].state = State::Inside;
    }

    /// Makes a run free, without looking at its neighbours.
    fn put(&mut self, run: Run, kind: Kind) {
        self.mark(run, kind.states());
        let first = &mut self.lists[kind as usize][list_of(run.pages)];
        let after = std::mem::replace(first, run.start);
        let entry = &mut self.table[run.start as usize];
        (entry.before, entry.after) = (NONE, after);
        if after != NONE {
            self.table[after as usize].before = run.start;
        }
        if kind == Kind::Warm {
            self.warm += u64::from(run.pages);
        }
    }

    /// Takes a free run out of its list; nothing marks it any more.
    fn pull(&mut self, run: Run, kind: Kind) {
        let Entry { before, after, .. } = self.table[run.start as usize];
        match before {
            NONE => self.lists[kind as usize][list_of(run.pages)] = after,
            before => self.table[before as usize].after = after,
        }
        if after != NONE {
            self.table[after as usize].before = before;
        }
        if kind == Kind::Warm {
            self.warm -= u64::from(run.pages);
        }
        self.unmark(run);
    }

    /// The free run that begins at a page.
    fn free_at(&self, page: u32) -> Option<(Run, Kind)> {
        let entry = self.table.get(page as usize)?;
        let kind = match entry.state {
            State::Clean => Kind::Clean,
            State::Warm => Kind::Warm,
            _ => return None,
        };
        let run = Run {
            start: page,
            pages: entry.pages,
        };
        Some((run, kind))
    }

    /// The free run that ends before a page.
    fn free_before(&self, page: u32) -> Option<(Run, Kind)> {
        let last = page.checked_sub(1)?;
        let entry = self.table[last as usize];
        match entry.state {
            State::CleanEnd | State::WarmEnd => self.free_at(page - entry.pages),
            State::Clean | State::Warm if entry.pages == 1 => self.free_at(last),
            _ => None,
        }
    }

    /// A free run of a kind with at least so many pages.
    fn find(&self, kind: Kind, pages: u32) -> Option<Run> {
        let lists = &self.lists[kind as usize];
        let run = |start: u32| Run {
            start,
            pages: self.table[start as usize].pages,
        };
        let list = list_of(pages);
        let mut start = lists[list];
        for _ in 0..LOOKS {
            if start == NONE {
                break;
            }
            if run(start).pages >= pages {
                return Some(run(start));
            }
            start = self.table[start as usize].after;
        }
        // Every run of a later list is long enough.
        let longer = lists
            .get(list + 1..)?
            .iter()
            .find(|start| **start != NONE)?;
        Some(run(*longer))
    }

    /// Takes `pages` (at least 1) pages, the first of which is a multiple of `align` counted from page number
    /// `-origin`; says also whether they are known to be zero.
    pub fn take(&mut self, pages: u32, align: u32, origin: u32) -> Option<(u32, bool)> {
        let room = pages.checked_add(align - 1)?;
        let found = self.find(Kind::Warm, room).map(|run| (run, Kind::Warm));
        let (run, kind) = found.or_else(|| Some((self.find(Kind::Clean, room)?, Kind::Clean)))?;
        self.pull(run, kind);
        let shift = (u64::from(run.start) + u64::from(origin)).wrapping_neg() % u64::from(align);
        let start = run.start + shift as u32;
        for rest in [
            Run {
                start: run.start,
                pages: start - run.start,
            },
            Run {
                start: start + pages,
                pages: run.start + run.pages - start - pages,
            },
        ] {
            if rest.pages > 0 {
                self.put(rest, kind);
            }
        }
        self.mark(Run { start, pages }, (State::Used, State::UsedEnd));
        Some((start, kind == Kind::Clean))
    }

    /// The used run that begins at a page.
    pub fn used(&self, page: u32) -> Option<Run> {
        let entry = self.table.get(page as usize)?;
        (entry.state == State::Used).then_some(Run {
            start: page,
            pages: entry.pages,
        })
    }

    /// Frees a used run.
    pub fn give(&mut self, run: Run, kind: Kind) {
        self.unmark(run);
        self.merge(run, kind);
    }

    /// Puts a run that nothing marks among the free ones, together with its neighbours of the same kind.
    fn merge(&mut self, mut run: Run, kind: Kind) {
        if let Some((other, _)) = self.free_before(run.start).filter(|(_, k)| *k == kind) {
            self.pull(other, kind);
            run = Run {
                start: other.start,
                pages: other.pages + run.pages,
            };
        }
        let next = self.free_at(run.start + run.pages);
        if let Some((other, _)) = next.filter(|(_, k)| *k == kind) {
            self.pull(other, kind);
            run.pages += other.pages;
        }
        self.put(run, kind);
    }

    /// Takes a warm run, to be cleaned and given as a clean one.
    pub fn take_warm(&mut self) -> Option<Run> {
        let start = *self.lists[Kind::Warm as usize]
            .iter()
            .find(|start| **start != NONE)?;
        let (run, kind) = self.free_at(start)?;
        self.pull(run, kind);
        self.mark(run, (State::Used, State::UsedEnd));
        Some(run)
    }

    /// Makes a used run longer or shorter where it is. `false`: what follows it is not free.
    pub fn resize(&mut self, run: Run, pages: u32) -> bool {
        let end = run.start + run.pages;
        let mut tail = None;
        if pages > run.pages {
            let more = pages - run.pages;
            let Some((next, kind)) = self.free_at(end).filter(|(next, _)| next.pages >= more)
            else {
                return false;
            };
            self.pull(next, kind);
            let rest = Run {
                start: end + more,
                pages: next.pages - more,
            };
            tail = (rest.pages > 0).then_some((rest, kind));
        } else if pages < run.pages {
            let rest = Run {
                start: run.start + pages,
                pages: run.pages - pages,
            };
            tail = Some((rest, Kind::Warm));
        }
        self.unmark(run);
        let run = Run { pages, ..run };
        self.mark(run, (State::Used, State::UsedEnd));
        if let Some((rest, kind)) = tail {
            self.merge(rest, kind);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGES: u32 = 64;
    const ORIGIN: u32 = 3;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Take { pages: u32, align: u32 },
        Give { which: usize, kind: Kind },
        Resize { which: usize, pages: u32 },
        Clean,
    }

    fn step() -> impl Strategy<Value = Step> {
        let kind = prop_oneof![Just(Kind::Clean), Just(Kind::Warm)];
        prop_oneof![
            (1..12u32, 0..3u32).prop_map(|(pages, align)| Step::Take {
                pages,
                align: 1 << align
            }),
            (0..32usize, kind).prop_map(|(which, kind)| Step::Give { which, kind }),
            (0..32usize, 1..16u32).prop_map(|(which, pages)| Step::Resize { which, pages }),
            Just(Step::Clean),
        ]
    }

    /// One word for each page: free and zero, free, or used by a block.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Page {
        Clean,
        Warm,
        Used(u32),
    }

    fn paint(model: &mut [Page], run: Run, page: Page) {
        model[run.start as usize..(run.start + run.pages) as usize].fill(page);
    }

    /// The table says of every page what the model says, and no two free runs of a kind touch.
    fn compare(runs: &Runs, model: &[Page]) {
        let mut page = 0;
        let mut before = None;
        let mut used = runs.all_used(PAGES);
        while page < PAGES {
            let (run, kind) = match runs.used(page) {
                Some(run) => {
                    assert_eq!(used.next(), Some(run));
                    (run, None)
                }
                None => {
                    let (run, kind) = runs.free_at(page).expect("a run begins here");
                    assert_ne!(before, Some(kind), "{page}: runs that touch have merged");
                    (run, Some(kind))
                }
            };
            for page in run.start..run.start + run.pages {
                let expected = match kind {
                    None => Page::Used(run.start),
                    Some(Kind::Clean) => Page::Clean,
                    Some(Kind::Warm) => Page::Warm,
                };
                assert_eq!(model[page as usize], expected, "page {page}");
            }
            before = kind;
            page += run.pages;
        }
        assert_eq!(used.next(), None);
        let warm = model.iter().filter(|page| **page == Page::Warm).count();
        assert_eq!(runs.warm(), warm as u64);
    }

    proptest! {
        #[test]
        fn agrees_with_a_list_of_pages(steps in prop::collection::vec(step(), 1..200)) {
            let mut table = vec![Entry::default(); PAGES as usize];
            let mut runs = Runs::new(&mut table);
            let mut model = [Page::Clean; PAGES as usize];
            let mut blocks: Vec<Run> = Vec::new();
            for step in steps {
                match step {
                    Step::Take { pages, align } => match runs.take(pages, align, ORIGIN) {
                        Some((start, zero)) => {
                            let run = Run { start, pages };
                            prop_assert_eq!((start + ORIGIN) % align, 0);
                            for page in start..start + pages {
                                let was = model[page as usize];
                                prop_assert_eq!(was, if zero { Page::Clean } else { Page::Warm });
                            }
                            paint(&mut model, run, Page::Used(start));
                            blocks.push(run);
                        }
                        None => {
                            let room = (pages + align - 1) as usize;
                            for kind in [Page::Clean, Page::Warm] {
                                let fits = model.windows(room).any(|w| w.iter().all(|p| *p == kind));
                                // A list whose first runs are too short may hide one that is not.
                                let few = model.iter().filter(|p| **p == kind).count() < LOOKS * 2;
                                prop_assert!(!fits || !few, "room for {pages} pages was not found");
                            }
                        }
                    },
                    Step::Give { which, kind } if !blocks.is_empty() => {
                        let run = blocks.swap_remove(which % blocks.len());
                        prop_assert_eq!(runs.used(run.start), Some(run));
                        runs.give(run, kind);
                        let page = if kind == Kind::Clean { Page::Clean } else { Page::Warm };
                        paint(&mut model, run, page);
                    }
                    Step::Resize { which, pages } if !blocks.is_empty() => {
                        let which = which % blocks.len();
                        let run = blocks[which];
                        if runs.resize(run, pages) {
                            paint(&mut model, run, Page::Warm);
                            let run = Run { pages, ..run };
                            paint(&mut model, run, Page::Used(run.start));
                            blocks[which] = run;
                        } else {
                            prop_assert!(pages > run.pages);
                        }
                    }
                    Step::Clean => {
                        while let Some(run) = runs.take_warm() {
                            runs.give(run, Kind::Clean);
                            paint(&mut model, run, Page::Clean);
                        }
                        prop_assert_eq!(runs.warm(), 0);
                    }
                    Step::Give { .. } | Step::Resize { .. } => {}
                }
                compare(&runs, &model);
                for run in &blocks {
                    let inside = run.start + 1..run.start + run.pages;
                    prop_assert!(inside.clone().all(|page| runs.used(page).is_none()));
                }
            }
        }
    }
}
