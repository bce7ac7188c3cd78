//! Linker options of `libanympi_heap.so`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libanympi_heap.so");
    // Blocks and the handler of forks outlive a `dlclose`.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Its handler of forks is registered before all others. So it comes last before a fork and first after it, and the
    // others may allocate.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,initfirst");
}
