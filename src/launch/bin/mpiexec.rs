//! `mpiexec`, also under the name `mpirun`.

fn main() {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    std::process::exit(anympi_launch::mpiexec::main(&args));
}
