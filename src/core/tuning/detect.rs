//! Which row is this processor's, as it says itself.

use super::{GENERIC, GOLDEN_COVE, ROWS, Tuning, ZEN_5};

/// Index of the row.
pub(super) fn row() -> usize {
    let name = identified().name;
    ROWS.iter().position(|row| row.name == name).unwrap_or(0)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn identified() -> Tuning {
    /// Zen 5's; AMD counts upwards.
    const FAMILY: u32 = 0x1a;
    let (vendor, family) = vendor_and_family();
    match &vendor {
        b"AuthenticAMD" if family >= FAMILY => ZEN_5,
        // Which Golden Cove was the first to have; Intel's families and models say nothing by their order.
        b"GenuineIntel" if is_x86_feature_detected!("avx512fp16") => GOLDEN_COVE,
        _ => GENERIC,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn identified() -> Tuning {
    GENERIC
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn vendor_and_family() -> ([u8; 12], u32) {
    let [vendor, model] = [0, 1].map(std::arch::x86_64::__cpuid);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let name = std::array::from_fn(|at| name.as_flattened()[at]);
    (name, (model.eax >> 8 & 0xf) + (model.eax >> 20 & 0xff))
}
