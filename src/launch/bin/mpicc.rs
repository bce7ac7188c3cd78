//! `mpicc`, also under the name `mpicc_abi`.

fn main() {
    std::process::exit(anympi_launch::wrapper::main(
        anympi_launch::wrapper::Language::C,
    ));
}
