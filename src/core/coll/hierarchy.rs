//! How the ranks of a communicator are divided into groups whose members share memory.
//!
//! A *group* is a node's ranks, or some of them where one collective segment of shared memory serves no more. Its
//! first rank is its *leader*. The leaders of a node form groups in their turn until one rank stands for the node.
//! The leaders of the nodes are the *top* group, which shares no memory. Where there is one node only, the last group
//! of its leaders is the top.
//!
//! Every rank stands at a *position*, so that each group's ranks, and those that its members lead, lie side by side. All
//! ranks compute the same division from the same facts. Must not know of messages, nor how memory is shared.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;

use super::blocks::share_start;
use super::shared::CollSegment;

/// One group: its members, and the ranks that each of them leads.
#[derive(Debug)]
pub struct Group {
    /// Member 0 leads.
    ranks: Box<[usize]>,
    /// Position where the ranks begin for which each member stands, and where the last one's end.
    starts: Box<[usize]>,
    /// Its members run on one node, and may share memory.
    pub on_node: bool,
}

impl Group {
    /// Ranks of the members.
    pub fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// The number of a rank among the members.
    pub fn member(&self, rank: usize) -> Option<usize> {
        self.ranks.iter().position(|member| *member == rank)
    }

    /// Position where the ranks begin for which each member stands, and where the last one's end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Whether each member stands for itself alone.
    pub fn is_lowest(&self) -> bool {
        self.span().len() == self.ranks.len()
    }

    /// Positions of all ranks for which its members stand.
    pub fn span(&self) -> Range<usize> {
        self.starts[0]..self.starts[self.ranks.len()]
    }

    /// Positions of the ranks for which a member stands.
    pub fn span_of(&self, member: usize) -> Range<usize> {
        self.starts[member]..self.starts[member + 1]
    }

    /// The member that stands for the rank at a position.
    pub fn member_for(&self, position: usize) -> Option<usize> {
        let after = self.starts.partition_point(|start| *start <= position);
        after
            .checked_sub(1)
            .filter(|member| *member < self.ranks.len())
    }

    fn new(order: &[usize], standing: &[usize], end: usize, on_node: bool) -> Group {
        Group {
            ranks: standing.iter().map(|position| order[*position]).collect(),
            starts: standing.iter().copied().chain([end]).collect(),
            on_node,
        }
    }
}

/// The division of a communicator, as all of its ranks see it.
pub struct Division {
    /// The rank at each position.
    order: Rc<[usize]>,
    /// The position of each rank.
    positions: Rc<[usize]>,
    /// Positions are ranks.
    ordered: bool,
    /// The groups below the top, the smallest first: those of each level in the order of positions.
    lower: Vec<Vec<Rc<Group>>>,
    top: Rc<Group>,
}

/// The same, as one of its ranks sees it.
pub struct Hierarchy {
    order: Rc<[usize]>,
    positions: Rc<[usize]>,
    ordered: bool,
    /// The groups below the top that this rank belongs to, the smallest first. It leads all but perhaps the last one.
    lower: Box<[Rc<Group>]>,
    top: Rc<Group>,
    /// This rank belongs to the top group, too.
    at_top: bool,
    /// What the members of this rank's groups share, if they do.
    coll_segments: Box<[Option<CollSegment>]>,
}

/// A node's ranks that nobody leads yet: their positions, and where those end for which they stand.
struct Node {
    standing: Vec<usize>,
    end: usize,
    /// Most members of a group.
    limit: usize,
}

impl Node {
    /// Divides those who stand into groups of nearly one size, and leaves their leaders.
    fn divide(&mut self, order: &[usize]) -> Vec<Group> {
        let count = self.standing.len();
        let groups = count.div_ceil(self.limit.max(2));
        let start = |index| share_start(count as u64, groups, index) as usize;
        let divided = (0..groups).map(|index| {
            let members = &self.standing[start(index)..start(index + 1)];
            let end = self.standing.get(start(index + 1)).unwrap_or(&self.end);
            Group::new(order, members, *end, true)
        });
        let divided: Vec<Group> = divided.collect();
        self.standing = divided.iter().map(|group| group.starts[0]).collect();
        divided
    }
}

impl Division {
    /// The division where rank `i` runs on the node that `nodes[i]` names. `limit`: how many ranks of that node share one
    /// collective segment at most.
    ///
    /// `None`: there is nothing to divide, as all ranks are one group, or share no memory with any other.
    pub fn new<T: Copy + Eq + Hash>(nodes: &[T], limit: impl Fn(T) -> usize) -> Option<Division> {
        let mut order = Vec::with_capacity(nodes.len());
        let mut parts: Vec<Node> = Vec::new();
        let mut numbers = HashMap::new();
        let mut ranks: Vec<Vec<usize>> = Vec::new();
        for (rank, name) in nodes.iter().enumerate() {
            let number = *numbers.entry(*name).or_insert(ranks.len());
            if number == ranks.len() {
                ranks.push(Vec::new());
            }
            ranks[number].push(rank);
        }
        for here in ranks {
            let first = order.len();
            let name = nodes[here[0]];
            order.extend(here);
            parts.push(Node {
                standing: (first..order.len()).collect(),
                end: order.len(),
                limit: limit(name),
            });
        }
        let mut levels = Vec::new();
        while parts.iter().any(|node| node.standing.len() > 1) {
            let nodes = parts.iter_mut().filter(|node| node.standing.len() > 1);
            levels.push(nodes.flat_map(|node| node.divide(&order)).collect());
        }
        if parts.len() > 1 {
            let leaders: Vec<usize> = parts.iter().map(|node| node.standing[0]).collect();
            levels.push(vec![Group::new(&order, &leaders, order.len(), false)]);
        }
        // The last level is one group.
        let top = levels.pop()?.pop().filter(|_| !levels.is_empty())?;
        let several = |groups: Vec<Group>| {
            let several = groups.into_iter().filter(|group| group.ranks.len() > 1);
            several.map(Rc::new).collect()
        };
        let mut positions = vec![0; order.len()];
        for (position, rank) in order.iter().enumerate() {
            positions[*rank] = position;
        }
        let mut places = order.iter().enumerate();
        Some(Division {
            ordered: places.all(|(position, rank)| position == *rank),
            order: order.into(),
            positions: positions.into(),
            lower: levels.into_iter().map(several).collect(),
            top: Rc::new(top),
        })
    }

    /// As rank `me` sees it.
    pub fn seen_by(&self, me: usize) -> Hierarchy {
        let position = self.positions[me];
        let has = |group: &Group| {
            let member = group.member_for(position);
            member.is_some_and(|member| group.ranks[member] == me)
        };
        let mine = self.lower.iter().filter_map(|groups| {
            let after = groups.partition_point(|group| group.span().start <= position);
            let group = groups.get(after.checked_sub(1)?)?;
            has(group).then(|| group.clone())
        });
        let lower: Box<[Rc<Group>]> = mine.collect();
        let at_top = has(&self.top);
        Hierarchy {
            coll_segments: (0..lower.len() + usize::from(at_top))
                .map(|_| None)
                .collect(),
            order: self.order.clone(),
            positions: self.positions.clone(),
            ordered: self.ordered,
            lower,
            top: self.top.clone(),
            at_top,
        }
    }
}

impl Hierarchy {
    /// The [division](Division::new) as rank `me` sees it.
    pub fn new<T: Copy + Eq + Hash>(
        me: usize,
        nodes: &[T],
        limit: impl Fn(T) -> usize,
    ) -> Option<Hierarchy> {
        Division::new(nodes, limit).map(|division| division.seen_by(me))
    }

    /// The rank at each position.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    pub fn position(&self, rank: usize) -> usize {
        self.positions[rank]
    }

    /// Whether positions are ranks: who combines group by group combines in the order of ranks.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The groups below the top that this rank belongs to, the smallest first. It leads all of them, but for the last one
    /// if it is not [at the top](Self::is_at_top).
    pub fn lower(&self) -> &[Rc<Group>] {
        &self.lower
    }

    pub fn top(&self) -> &Group {
        &self.top
    }

    /// Whether this rank belongs to the top group.
    pub fn is_at_top(&self) -> bool {
        self.at_top
    }

    /// This rank's group number `level`, the smallest first; the top comes after the lower ones.
    pub fn group(&self, level: usize) -> &Group {
        self.lower.get(level).unwrap_or(&self.top)
    }

    /// Number of this rank's groups.
    pub fn levels(&self) -> usize {
        self.coll_segments.len()
    }

    /// What the members of that group share.
    pub fn coll_segment(&self, level: usize) -> Option<&CollSegment> {
        self.coll_segments[level].as_ref()
    }

    /// They share this from now on.
    pub fn share(&mut self, level: usize, coll_segment: Option<CollSegment>) {
        self.coll_segments[level] = coll_segment;
    }
}
