//! Barrier, dissemination: in round k every rank tells the one 2^k places on and hears from the one 2^k
//! places back; after round k it knows of 2^(k+1) ranks. ceil(log2 p) rounds of one empty message each,
//! for any p (Hensgen, Finkel and Manber 1988).

use super::net::{Coll, Net};
use crate::error::Result;

/// Returns when every rank has called it (MPI-5.0, 6.3).
pub async fn barrier<N: Net>(net: &N) -> Result<()> {
    let coll = Coll::new(net);
    dissemination(&coll).await;
    coll.finish()
}

async fn dissemination<N: Net>(coll: &Coll<'_, N>) {
    if coll.size == 1 {
        return;
    }
    let nothing = coll.room(0);
    let mut distance = 1;
    while distance < coll.size {
        let (to, from) = (coll.after(distance), coll.before(distance));
        coll.sendrecv(nothing.data(), to, nothing.data(), from)
            .await;
        distance <<= 1;
    }
}
