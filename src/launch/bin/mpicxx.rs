//! `mpicxx`, also under the names `mpic++` and `mpiCC`.

fn main() {
    std::process::exit(anympi_launch::wrapper::main(
        anympi_launch::wrapper::Language::Cxx,
    ));
}
