//! One step of progress: messages move, and who wants to hear of what has ended hears of it.
//!
//! Everything moves by this one function, whoever calls it: the call that waits, one that only tests, a thread that polls
//! for others. It never waits.

use crate::engine::Engine;
use crate::runtime::Runtime;

impl Runtime {
    /// Moves everything that can move; returns whether anything did.
    #[inline]
    pub fn progress(&self, engine: &Engine) -> bool {
        let (moved, ended) = engine.move_messages();
        if ended {
            self.after_completions(engine);
        }
        moved
    }

    /// Operations have ended: collectives may go on, sleeping threads may have what they wait for.
    pub fn after_completions(&self, engine: &Engine) {
        if engine.has_onlookers() {
            self.tell_onlookers(engine);
        }
    }

    #[cold]
    fn tell_onlookers(&self, engine: &Engine) {
        engine.poll_background();
        self.waiters.look(&engine.park);
        if let Some(listener) = self.listener() {
            listener.operations_ended(self, engine);
        }
    }
}
