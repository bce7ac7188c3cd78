//! Linker options of `libmpi.so.40`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi.so.40");
    // Threads and thread-local data outlive a `dlclose`.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
