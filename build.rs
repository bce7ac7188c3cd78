//! The library's name and flags for the linker.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi_abi.so.1");
    // Python unloads libraries; threads and thread-locals of ours must survive that.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
