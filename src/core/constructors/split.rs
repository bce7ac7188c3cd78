//! Who goes where when a communicator is split (MPI-5.0, 7.4.2).

use crate::types::UNDEFINED;

/// What one rank wants: its colour, `UNDEFINED` for none, and its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    pub colour: i64,
    pub key: i64,
}

impl Wish {
    /// The wishes in a gathered list of (colour, key).
    pub fn list(values: &[i64]) -> Vec<Wish> {
        let pairs = values.chunks_exact(2);
        pairs
            .map(|pair| Wish {
                colour: pair[0],
                key: pair[1],
            })
            .collect()
    }
}

/// The ranks with the colour of `me`, by key and then by rank; `None` where `me` has no colour.
pub fn together(wishes: &[Wish], me: usize) -> Option<Vec<usize>> {
    let colour = wishes[me].colour;
    if colour == i64::from(UNDEFINED) {
        return None;
    }
    let mut ranks: Vec<usize> = (0..wishes.len())
        .filter(|rank| wishes[*rank].colour == colour)
        .collect();
    ranks.sort_by_key(|rank| wishes[*rank].key);
    Some(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_colour_then_key_then_rank() {
        let undefined = i64::from(UNDEFINED);
        let values = [1, 0, 0, 5, 1, -1, 0, 5, undefined, 0, 0, 4, 1, 0];
        let wishes = Wish::list(&values);
        assert_eq!(together(&wishes, 0), Some(vec![2, 0, 6]));
        assert_eq!(together(&wishes, 3), Some(vec![5, 1, 3]));
        assert_eq!(together(&wishes, 4), None);
    }
}
