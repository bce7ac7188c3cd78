//! `mpi_info`, also under the names `ompi_info` and `mpichversion`.

fn main() {
    let mut words = std::env::args_os().map(|w| w.to_string_lossy().into_owned());
    let name = words.next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    std::process::exit(anympi_launch::info::main(name, &args));
}
