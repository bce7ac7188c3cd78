//! Sizes and bounds of a datatype (MPI-5.0, 5.1.6 and 5.1.7), computed without overflow.
//!
//! A shape is a summary of a type map: the packed size, the natural bounds of its data, the markers
//! that `MPI_Type_create_resized` sets, and the strictest alignment. Pure arithmetic.

use crate::error::{Error, Result, class};

/// A closed-open byte range relative to the origin of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    fn join(a: Option<Range>, b: Option<Range>) -> Option<Range> {
        match (a, b) {
            (Some(a), Some(b)) => Some(Range {
                low: a.low.min(b.low),
                high: a.high.max(b.high),
            }),
            (a, b) => a.or(b),
        }
    }
}

/// The summary of a type map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of data.
    pub size: u64,
    /// Where the data lies; `None` without data.
    pub data: Option<Range>,
    /// The least lower-bound marker and the greatest upper-bound marker.
    pub low_mark: Option<i64>,
    pub high_mark: Option<i64>,
    /// Padding that a struct's end needs (the epsilon of 5.1.6), part of the natural upper bound.
    pub natural: Option<Range>,
    pub align: u64,
}

#[cold]
fn too_large() -> Error {
    Error::new(
        class::VALUE_TOO_LARGE,
        "the datatype's size or bounds do not fit into 63 bits",
    )
}

fn plus(a: i64, b: i64) -> Result<i64> {
    a.checked_add(b).ok_or_else(too_large)
}

/// `a * b` for a count and a displacement.
pub fn times(a: i64, b: i64) -> Result<i64> {
    a.checked_mul(b).ok_or_else(too_large)
}

impl Shape {
    /// No data, no markers.
    pub const EMPTY: Shape = Shape {
        size: 0,
        data: None,
        low_mark: None,
        high_mark: None,
        natural: None,
        align: 1,
    };

    /// One block of `size` bytes at displacement 0.
    pub fn block(size: u64, align: u64) -> Shape {
        let range = Some(Range {
            low: 0,
            high: size as i64,
        });
        Shape {
            size,
            data: range,
            natural: range,
            align,
            ..Shape::EMPTY
        }
    }

    pub fn lb(&self) -> i64 {
        self.low_mark.or(self.natural.map(|r| r.low)).unwrap_or(0)
    }

    pub fn ub(&self) -> i64 {
        self.high_mark.or(self.natural.map(|r| r.high)).unwrap_or(0)
    }

    /// May be negative: `MPI_Type_create_resized` takes any extent.
    pub fn extent(&self) -> i64 {
        self.ub() - self.lb()
    }

    pub fn true_lb(&self) -> i64 {
        self.data.map_or(0, |r| r.low)
    }

    pub fn true_extent(&self) -> i64 {
        self.data.map_or(0, |r| r.high - r.low)
    }

    /// `count` copies, `stride` bytes apart, the first at `displacement`.
    pub fn repeat(&self, count: u64, stride: i64, displacement: i64) -> Result<Shape> {
        if count == 0 {
            return Ok(Shape::EMPTY);
        }
        let count = i64::try_from(count).map_err(|_| too_large())?;
        let last = plus(displacement, times(count - 1, stride)?)?;
        let (low, high) = (displacement.min(last), displacement.max(last));
        let spread = |range: Option<Range>| -> Result<Option<Range>> {
            let Some(range) = range else { return Ok(None) };
            let range = Range {
                low: plus(range.low, low)?,
                high: plus(range.high, high)?,
            };
            range.high.checked_sub(range.low).ok_or_else(too_large)?;
            Ok(Some(range))
        };
        let shape = Shape {
            size: u64::try_from(times(
                count,
                i64::try_from(self.size).map_err(|_| too_large())?,
            )?)
            .map_err(|_| too_large())?,
            data: spread(self.data)?,
            natural: spread(self.natural)?,
            low_mark: self.low_mark.map(|mark| plus(mark, low)).transpose()?,
            high_mark: self.high_mark.map(|mark| plus(mark, high)).transpose()?,
            align: self.align,
        };
        shape.checked()
    }

    /// Both type maps, one after the other.
    pub fn join(&self, other: &Shape) -> Result<Shape> {
        let size = self.size.checked_add(other.size).ok_or_else(too_large)?;
        if size > i64::MAX as u64 {
            return Err(too_large());
        }
        let shape = Shape {
            size,
            data: Range::join(self.data, other.data),
            natural: Range::join(self.natural, other.natural),
            low_mark: match (self.low_mark, other.low_mark) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            high_mark: match (self.high_mark, other.high_mark) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            },
            align: self.align.max(other.align),
        };
        shape.checked()
    }

    /// Rounds the natural extent up to the alignment, as a C compiler pads a struct.
    pub fn padded(mut self) -> Result<Shape> {
        if let (Some(range), None) = (&mut self.natural, self.high_mark) {
            let low = self.low_mark.unwrap_or(range.low);
            let extent = range.high.checked_sub(low).ok_or_else(too_large)?;
            let over = extent.rem_euclid(self.align as i64);
            if over != 0 {
                range.high = plus(range.high, self.align as i64 - over)?;
            }
        }
        self.checked()
    }

    /// The same data between the bounds that the caller gives (MPI-5.0, 5.1.7).
    pub fn resized(&self, lb: i64, extent: i64) -> Result<Shape> {
        Ok(Shape {
            low_mark: Some(lb),
            high_mark: Some(plus(lb, extent)?),
            ..*self
        })
    }

    fn checked(self) -> Result<Shape> {
        self.ub().checked_sub(self.lb()).ok_or_else(too_large)?;
        if let Some(range) = self.data {
            range.high.checked_sub(range.low).ok_or_else(too_large)?;
        }
        Ok(self)
    }

    /// The bytes that `count` elements touch, relative to the first one's origin.
    pub fn span(&self, count: u64) -> Result<Range> {
        let all = self.repeat(count, self.extent(), 0)?;
        Ok(all.data.unwrap_or(Range { low: 0, high: 0 }))
    }
}
