//! Cartesian topologies: a box of processes, ranks in row-major order (MPI-5.0, 8.5.1 and 8.5.5).

use crate::error::Result;
use crate::fail;
use crate::types::Rank;

/// The extents of the box and which of its dimensions are rings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cart {
    dims: Box<[i32]>,
    periods: Box<[bool]>,
}

impl Cart {
    /// # Errors
    /// `MPI_ERR_DIMS`: an extent is not positive, or the box has more places than `size` processes.
    pub fn new(dims: &[i32], periods: &[bool], size: usize) -> Result<Cart> {
        debug_assert_eq!(dims.len(), periods.len());
        let mut places: i64 = 1;
        for (index, dim) in dims.iter().enumerate() {
            if *dim <= 0 {
                fail!(
                    DIMS,
                    "dims[{index}] = {dim}: a positive number was expected"
                );
            }
            places = places.saturating_mul(i64::from(*dim));
        }
        if places > size as i64 {
            fail!(
                DIMS,
                "dims = {dims:?} need {places} processes; the communicator has {size}"
            );
        }
        Ok(Cart {
            dims: dims.into(),
            periods: periods.into(),
        })
    }

    pub fn dims(&self) -> &[i32] {
        &self.dims
    }

    pub fn periods(&self) -> &[bool] {
        &self.periods
    }

    /// Number of places.
    pub fn size(&self) -> usize {
        self.dims.iter().map(|dim| *dim as usize).product()
    }

    /// The coordinates of a rank.
    ///
    /// # Errors
    /// `MPI_ERR_RANK`: no rank of the box.
    pub fn coords(&self, rank: Rank) -> Result<Vec<i32>> {
        if rank.0 < 0 || rank.0 as usize >= self.size() {
            fail!(
                RANK,
                "rank = {}: a rank below {}, the number of places, was expected",
                rank.0,
                self.size()
            );
        }
        Ok(self.place(rank.0))
    }

    fn place(&self, rank: i32) -> Vec<i32> {
        let mut rest = rank;
        let mut coords = vec![0; self.dims.len()];
        for (coord, dim) in coords.iter_mut().zip(&self.dims).rev() {
            *coord = rest % dim;
            rest /= dim;
        }
        coords
    }

    /// The rank at a place; coordinates of rings may lie outside.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: a coordinate lies outside a dimension that is no ring.
    pub fn rank(&self, coords: &[i32]) -> Result<Rank> {
        let mut rank = 0;
        for (index, (dim, coord)) in self.dims.iter().zip(coords).enumerate() {
            if !self.periods[index] && !(0..*dim).contains(coord) {
                fail!(
                    ARG,
                    "coords[{index}] = {coord} is outside 0 .. {}, and the dimension is not periodic",
                    dim - 1
                );
            }
            rank = rank * dim + coord.rem_euclid(*dim);
        }
        Ok(Rank(rank))
    }

    /// The ranks `displacement` places below and above `rank` in a direction, which must be one of the
    /// dimensions; `PROC_NULL` beyond an open border.
    pub fn shift(&self, rank: i32, direction: usize, displacement: i32) -> (i32, i32) {
        let dim = i64::from(self.dims[direction]);
        let below: i64 = self.dims[direction + 1..]
            .iter()
            .map(|d| i64::from(*d))
            .product();
        let here = i64::from(rank) / below % dim;
        let at = |there: i64| {
            if self.periods[direction] {
                (i64::from(rank) + (there.rem_euclid(dim) - here) * below) as i32
            } else if (0..dim).contains(&there) {
                (i64::from(rank) + (there - here) * below) as i32
            } else {
                Rank::PROC_NULL.0
            }
        };
        let displacement = i64::from(displacement);
        (at(here - displacement), at(here + displacement))
    }

    /// The box of the dimensions that remain. Also which of the parallel boxes `rank` is in, and its
    /// rank there.
    pub fn sub(&self, remain: &[bool], rank: i32) -> (Cart, i32, i32) {
        let coords = self.place(rank);
        let (mut colour, mut key) = (0, 0);
        let mut rest = Cart {
            dims: Box::default(),
            periods: Box::default(),
        };
        let kept = |index: &usize| remain[*index];
        rest.dims = (0..self.dims.len())
            .filter(kept)
            .map(|index| self.dims[index])
            .collect();
        rest.periods = (0..self.dims.len())
            .filter(kept)
            .map(|index| self.periods[index])
            .collect();
        for ((dim, coord), remain) in self.dims.iter().zip(coords).zip(remain) {
            let number = if *remain { &mut key } else { &mut colour };
            *number = *number * dim + coord;
        }
        (rest, colour, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    #[test]
    fn ranks_and_coordinates_are_inverse() {
        let cart = Cart::new(&[3, 4, 2], &[false, true, false], 24).unwrap();
        assert_eq!(cart.coords(Rank(9)).unwrap(), [1, 0, 1]);
        for rank in 0..24 {
            let coords = cart.coords(Rank(rank)).unwrap();
            assert_eq!(cart.rank(&coords).unwrap(), Rank(rank));
        }
        assert_eq!(cart.rank(&[1, -1, 0]), cart.rank(&[1, 3, 0]));
        assert_eq!(cart.rank(&[1, 9, 0]), cart.rank(&[1, 1, 0]));
        for outside in [[3, 0, 0], [-1, 0, 0], [0, 0, 2]] {
            assert_eq!(cart.rank(&outside).unwrap_err().code(), class::ARG);
        }
        for wrong in [-1, 24] {
            assert_eq!(cart.coords(Rank(wrong)).unwrap_err().code(), class::RANK);
        }
    }

    #[test]
    fn shifts_stop_at_borders_and_go_around_rings() {
        let cart = Cart::new(&[3, 4], &[false, true], 12).unwrap();
        let null = Rank::PROC_NULL.0;
        assert_eq!(cart.shift(5, 0, 1), (1, 9));
        assert_eq!(cart.shift(1, 0, 1), (null, 5));
        assert_eq!(cart.shift(1, 0, -1), (5, null));
        assert_eq!(cart.shift(4, 1, 1), (7, 5));
        assert_eq!(cart.shift(4, 1, 5), (7, 5));
        assert_eq!(cart.shift(4, 1, i32::MIN), (4, 4));
        assert_eq!(cart.shift(4, 0, i32::MIN), (null, null));
        assert_eq!(cart.shift(4, 0, 0), (4, 4));
    }

    #[test]
    fn slices() {
        let cart = Cart::new(&[2, 3, 4], &[true, false, true], 24).unwrap();
        let (rest, colour, key) = cart.sub(&[true, false, true], 17);
        assert_eq!(cart.coords(Rank(17)).unwrap(), [1, 1, 1]);
        assert_eq!(rest, Cart::new(&[2, 4], &[true, true], 8).unwrap());
        assert_eq!((colour, key), (1, 5));
        let (point, colour, key) = cart.sub(&[false; 3], 17);
        assert_eq!((point.size(), colour, key), (1, 17, 0));
    }

    #[test]
    fn impossible_boxes_are_refused() {
        for (dims, size) in [
            (&[0][..], 4),
            (&[-1, 2], 4),
            (&[2, 3], 5),
            (&[i32::MAX, i32::MAX, i32::MAX], 8),
        ] {
            let error = Cart::new(dims, &vec![false; dims.len()], size).unwrap_err();
            assert_eq!(error.code(), class::DIMS, "{dims:?}");
        }
        assert_eq!(Cart::new(&[], &[], 3).unwrap().size(), 1);
    }
}
