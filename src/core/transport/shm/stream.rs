//! Data that has been asked for, in parts: through the byte ring or by exchange buffers, as many at a time as there is room for.

use super::{Shm, body};
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::ring::By;
use crate::transport::{Part, ProcId, ReceiverActivity, ReceiverState, Sent};

/// Longest piece, but for those that nobody waits for: the receiver copies one piece out while the sender copies the next one in.
pub(crate) const MAX_PIECE: u64 = EXCHANGE_BUFFER as u64;
// A short part is one frame. (Loom's rings are tiny.)
#[cfg(not(loom))]
const _: () = assert!(crate::transport::EAGER_LIMIT <= MAX_PIECE);

/// Sends as much of a part as there is room for, and as its pace allows.
pub(super) fn part(
    shm: &mut Shm,
    to: ProcId,
    kind: (u8, u32),
    part: Part<'_>,
    receiver: ReceiverState,
) -> Sent {
    let Part { data, bytes, .. } = part;
    let meets_another = receiver.activity == ReceiverActivity::Writes;
    let mut sent = Sent::default();
    if bytes > 0 && !shm.has_room(to, 1, bytes.min(MAX_PIECE) as usize) {
        return sent;
    }
    // The same in either direction, and when there is room again.
    let piece = body::piece(data.bytes());
    let bodies = |bytes: u64| bytes.div_ceil(piece) as usize;
    let pace = (meets_another && data.is_contiguous())
        .then(|| shm.pace(to, bodies(data.bytes())))
        .flatten();
    sent.paced = pace.is_some();
    // Bytes that may go, bodies that must be here for it to go by exchange buffers, and bytes of the longest body.
    let (most, needed, longest) = match pace {
        Some(pace) => {
            let ahead = (pace.ahead as u64 * piece) as i64;
            (
                ahead.saturating_sub(receiver.ahead).max(0) as u64,
                pace.needed,
                pace.piece as u64 * MAX_PIECE,
            )
        }
        None => {
            let longest = body::longest(data.bytes(), receiver.activity, shm.tuning) as u64;
            (u64::MAX, bodies(bytes), longest)
        }
    };
    let by = body::by(shm, to, data, needed);
    let piece = match by {
        By::Ring => shm.tuning.ring_piece as u64,
        _ => piece,
    };
    let lie_together = by == By::ExchangeBuffer && longest > MAX_PIECE;
    while sent.bytes < bytes && sent.bytes < most {
        let left = bytes - sent.bytes;
        // Nobody waits while there is another message to copy, or for those that follow the first one.
        let follows = left < data.bytes();
        let usual = left.min(piece) as usize;
        let len = match lie_together && (meets_another || follows) {
            true => {
                let may = longest.min(
                    (most - sent.bytes)
                        .div_ceil(piece)
                        .saturating_mul(MAX_PIECE),
                );
                body::adjoining(shm, to, usual, left.min(may) as usize)
            }
            false => usual,
        };
        let next = (data, part.position + sent.bytes, len);
        if !body::send_placed(shm, to, kind, next, by) {
            break;
        }
        sent.frames += 1;
        sent.bytes += len as u64;
    }
    sent
}
