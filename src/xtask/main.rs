//! `cargo xtask`: everything the project does besides compiling Rust.
//!
//! This file only maps subcommands to modules. It must not know how any of them works;
//! each subcommand lives in the module of its name.

mod bench;
mod cable;
mod cluster;
mod ctest;
mod demo;
mod gates;
mod r#gen;
mod hosts;
mod implementation;
mod install;
mod leftovers;
mod matrix;
mod paths;
mod plain_library;
mod rank_test;
mod record;
mod report;
mod setup;
mod sh;
mod source_package;
mod suites;
mod test;
mod testlist;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Build, install, test and measure anympi"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure anympi against MPICH, Open MPI and Intel MPI.
    Bench(bench::Args),
    /// Run the C programs of ctests/ under the three ABIs.
    Ctest(ctest::Args),
    /// Build, install, and run a C program and an mpi4py program on 4 ranks.
    Demo(demo::Args),
    /// Compare an installed prefix with the ABIs it claims: symbols, sizes, prototypes, constants.
    Gates(gates::Args),
    /// Write the exported functions, the constants and mpi.h from the core's signatures.
    Gen(r#gen::Args),
    /// Build and lay out a prefix: bin, lib, include, lib/pkgconfig.
    Install(install::Args),
    /// Write ctests/MATRIX.md: every function, its state, and who needs it.
    Matrix(matrix::Args),
    /// Fetch the peers and the real programs that `suites` and `bench` run.
    Setup,
    /// Run real programs, unmodified, on anympi or on a peer.
    Suites(suites::Args),
    /// Everything that CI checks.
    Test(test::Args),
}

fn main() -> std::process::ExitCode {
    let _leftovers = leftovers::Leftovers::since_now();
    let result = match Cli::parse().task {
        Task::Bench(args) => bench::main(&args),
        Task::Ctest(args) => ctest::main(&args),
        Task::Demo(args) => demo::main(&args),
        Task::Gates(args) => gates::main(&args),
        Task::Gen(args) => r#gen::main(&args),
        Task::Install(args) => install::main(&args),
        Task::Matrix(args) => matrix::main(&args),
        Task::Setup => setup::main(),
        Task::Suites(args) => suites::main(&args),
        Task::Test(args) => test::main(&args),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
