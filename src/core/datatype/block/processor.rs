//! The processor, as far as copies depend on it. It is asked once.

use crate::sync::{AtomicU8, Ordering};

/// Processors that differ in how they best copy what another one writes or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Core {
    /// AMD's from Zen 5 on: their string instruction is the fastest, as lines that are written whole come without being fetched
    /// (docs/measurements/notes.md, "Zen 5").
    Zen5,
    /// Intel's from Golden Cove on (Xeon of the fourth generation): a frame more costs more than an earlier beginning gains
    /// (docs/measurements/notes.md, "Golden Cove").
    GoldenCove,
    Other,
}

/// What is known of a processor, in one byte, which is read before each copy of more than a line.
#[derive(Clone, Copy)]
struct Processor(u8);

const ASKED: u8 = 1;
/// The core's number is in the bits from here on.
const CORE: u32 = 3;

/// This one; 0 until it is asked.
static THIS: AtomicU8 = AtomicU8::new(0);

impl Processor {
    /// This one, if it has been asked.
    #[inline(always)]
    fn known() -> Option<Processor> {
        let known = THIS.load(Ordering::Relaxed);
        (known != 0).then_some(Processor(known))
    }

    /// Asks this one.
    #[cold]
    #[inline(never)]
    fn ask() -> Processor {
        let known = Processor(ASKED | (identified() as u8) << CORE);
        THIS.store(known.0, Ordering::Relaxed);
        known
    }

    #[inline(always)]
    fn core(self) -> Core {
        #[cfg(test)]
        return tests::CORE.get();
        #[cfg(not(test))]
        match self.0 >> CORE {
            0 => Core::Zen5,
            1 => Core::GoldenCove,
            _ => Core::Other,
        }
    }
}

/// This processor.
#[inline]
pub(crate) fn core() -> Core {
    Processor::known().unwrap_or_else(Processor::ask).core()
}

/// Whether this processor copies longer blocks the fastest by its string instruction, also where another one writes or reads them.
#[inline]
pub(crate) fn by_strings() -> bool {
    core() == Core::Zen5
}

/// Its vendor and family.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn named() -> ([u8; 12], u32) {
    let [vendor, model] = [0, 1].map(std::arch::x86_64::__cpuid);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let name = std::array::from_fn(|at| name.as_flattened()[at]);
    (name, (model.eax >> 8 & 0xf) + (model.eax >> 20 & 0xff))
}

/// What it says of itself.
fn identified() -> Core {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        /// Zen 5's; AMD counts upwards.
        const FAMILY: u32 = 0x1a;
        let (name, family) = named();
        match &name {
            b"AuthenticAMD" if family >= FAMILY => return Core::Zen5,
            // Which Golden Cove was the first to have; Intel's families and models say nothing by their order.
            b"GenuineIntel" if is_x86_feature_detected!("avx512fp16") => return Core::GoldenCove,
            _ => (),
        }
    }
    Core::Other
}

#[cfg(test)]
pub(crate) use tests::On;

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        /// What tests on this thread run as on, whatever their processor: they pass or fail alike on all.
        pub(super) static CORE: std::cell::Cell<Core> = const { std::cell::Cell::new(Core::Other) };
    }

    /// Until this is dropped [`core`] says so on this thread.
    pub(crate) struct On(Core);

    impl On {
        pub(crate) const ALL: [Core; 3] = [Core::Zen5, Core::GoldenCove, Core::Other];

        pub(crate) fn a(core: Core) -> On {
            On(CORE.replace(core))
        }
    }

    impl Drop for On {
        fn drop(&mut self) {
            CORE.set(self.0);
        }
    }
}
