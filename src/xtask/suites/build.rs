//! The build side: mpicc and mpicxx, both families' questions to them, `-lmpi`, pkg-config, CMake's FindMPI.
//!
//! Every way of building must give a program that runs at 2 ranks. A copy of the prefix somewhere
//! else must work as well: the tree is relocatable.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::{Runs, plain_name};
use crate::implementation::Implementation;
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::Cmd;

const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)\n\
    project(hello C CXX)\n\
    find_package(MPI REQUIRED)\n\
    add_executable(hello_c hello.c)\n\
    target_link_libraries(hello_c MPI::MPI_C)\n\
    add_executable(hello_cxx hello.cpp)\n\
    target_link_libraries(hello_cxx MPI::MPI_CXX)\n";

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    setup::debian(setup::BUILD_TOOLS)?;
    let dir = runs.scratch("build")?;
    let moved = Implementation::new(runs.on.which, dir.join("moved prefix"));
    Cmd::new("cp")
        .arg("--archive")
        .arg(&runs.on.prefix)
        .arg(&moved.prefix)
        .check()?;
    let on = runs.on.clone();
    let steps: [(&str, &dyn Fn() -> Result<Count>); 7] = [
        ("wrappers", &|| wrappers(&on, &dir)),
        ("questions", &|| Ok(questions(&on))),
        ("pkg-config", &|| pkg_config(&on, &dir)),
        ("cmake", &|| cmake(&on, &dir)),
        ("-lmpi", &|| plain_name::linked(&on, &dir)),
        ("libmpi.so", &|| plain_name::loaded(&on, &dir)),
        ("moved prefix", &|| wrappers(&moved, &dir)),
    ];
    for (name, step) in steps {
        let start = Instant::now();
        let count = step().unwrap_or_else(|error| {
            let mut count = Count::default();
            count.check(false, || format!("{error:#}"));
            count
        });
        runs.enter("build", 2, name, &count, start.elapsed().as_secs_f64());
    }
    Ok(())
}

pub fn hello() -> PathBuf {
    paths::ctests().join("demo/hello.c")
}

/// Runs a program without any loader path: the build must have told it where the library is.
pub fn runs_alone(on: &Implementation, program: &Path, count: &mut Count) -> Result<()> {
    let done = on
        .mpiexec_without_library_path(2)
        .arg(program)
        .seconds(60)
        .run()?;
    count.check(
        done.ok() && done.stdout.contains("computed by 2 ranks"),
        || format!("{}: {}\n{}", program.display(), done.cause(), done.tail(8)),
    );
    Ok(())
}

fn wrappers(on: &Implementation, dir: &Path) -> Result<Count> {
    let mut count = Count::default();
    for (wrapper, language) in [
        ("mpicc", "c"),
        ("mpicc_abi", "c"),
        ("mpicxx", "c++"),
        ("mpic++", "c++"),
        ("mpiCC", "c++"),
    ] {
        let program = dir.join(format!("by-{wrapper}"));
        let built = Cmd::new(on.bin(wrapper))
            .args(["-x", language])
            .arg(hello())
            .arg("-o")
            .arg(&program)
            .run()?;
        count.check(built.ok(), || {
            format!("{wrapper}: {}\n{}", built.cause(), built.tail(8))
        });
        if built.ok() {
            runs_alone(on, &program, &mut count)?;
        }
    }
    Ok(count)
}

/// What CMake, autoconf, meson and users ask the wrappers and the information tools.
fn questions(on: &Implementation) -> Count {
    let mut count = Count::default();
    let include = on.prefix.join("include").display().to_string();
    let lib = on.lib().display().to_string();
    let mut ask = |program: &str, question: &[&str], wanted: &[&str]| {
        let done = Cmd::new(on.bin(program)).args(question).run();
        let shown = format!("{program} {}", question.join(" "));
        match done {
            Ok(done) => count.check(
                done.ok() && wanted.iter().all(|w| done.stdout.contains(w)),
                || {
                    format!(
                        "{shown}: {}, expected {wanted:?} in\n{}",
                        done.cause(),
                        done.tail(5)
                    )
                },
            ),
            Err(error) => count.check(false, || format!("{shown}: {error:#}")),
        }
    };
    for wrapper in ["mpicc", "mpicxx"] {
        ask(wrapper, &["-show"], &[&include, &lib, "-lmpi"]);
        ask(wrapper, &["--showme"], &[&include, &lib, "-lmpi"]);
        ask(wrapper, &["--showme:compile"], &[&include]);
        ask(wrapper, &["-showme:link"], &[&lib, "-lmpi"]);
        ask(wrapper, &["--showme:incdirs"], &[&include]);
        ask(wrapper, &["--showme:libdirs"], &[&lib]);
        ask(wrapper, &["-compile_info"], &[&include]);
        ask(wrapper, &["-link-info"], &[&lib, "-lmpi"]);
    }
    ask("mpi_info", &[], &["MPI"]);
    ask("mpiexec", &["--version"], &[]);
    ask(
        "ompi_info",
        &["--parsable", "--all"],
        &["mpi_built_with_cuda_support:value"],
    );
    let unknown = Cmd::new(on.bin("mpicc")).arg("--showme:nonsense").run();
    count.check(unknown.is_ok_and(|d| !d.ok()), || {
        "mpicc --showme:nonsense must fail".to_owned()
    });
    count
}

fn pkg_config(on: &Implementation, dir: &Path) -> Result<Count> {
    let mut count = Count::default();
    // The same prefix by a name that must be quoted.
    let quoted = dir.join("a prefix");
    let _ = fs::remove_file(&quoted);
    std::os::unix::fs::symlink(&on.prefix, &quoted)?;
    let modules = ["mpi", "mpi-c", "mpich", "ompi", "ompi-c"];
    let usual = modules.map(|module| (module, on.lib()));
    for (module, lib) in usual.into_iter().chain([("mpi", quoted.join("lib"))]) {
        let asked = Cmd::new("pkg-config")
            .args(["--cflags", "--libs", module])
            .env("PKG_CONFIG_PATH", lib.join("pkgconfig"))
            .run()?;
        count.check(asked.ok(), || {
            format!("{module}: {}\n{}", asked.cause(), asked.tail(5))
        });
        let program = dir.join(format!("pc-{module}"));
        let flags = shell_words::split(&asked.stdout)?;
        let built = Cmd::new("gcc")
            .arg(hello())
            .arg("-o")
            .arg(&program)
            .args(flags)
            .run()?;
        count.check(built.ok(), || {
            format!("{module}: {}\n{}", built.cause(), built.tail(5))
        });
        if built.ok() {
            runs_alone(on, &program, &mut count)?;
        }
    }
    Ok(count)
}

fn cmake(on: &Implementation, dir: &Path) -> Result<Count> {
    let mut count = Count::default();
    let source = dir.join("cmake");
    fs::create_dir_all(&source)?;
    fs::write(source.join("CMakeLists.txt"), CMAKE)?;
    fs::copy(hello(), source.join("hello.c"))?;
    fs::copy(hello(), source.join("hello.cpp"))?;
    let mut path = on.prefix.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let configured = Cmd::new("cmake")
        .args(["-S", ".", "-B", "build"])
        .dir(&source)
        .env("PATH", &path)
        .run()?;
    count.check(configured.ok(), || {
        format!("{}\n{}", configured.cause(), configured.tail(20))
    });
    let cache = fs::read_to_string(source.join("build/CMakeCache.txt")).unwrap_or_default();
    let mpiexec = format!(
        "MPIEXEC_EXECUTABLE:FILEPATH={}",
        on.bin("mpiexec").display()
    );
    count.check(cache.contains(&mpiexec), || {
        format!("CMake's cache lacks {mpiexec}")
    });
    let built = Cmd::new("cmake")
        .args(["--build", "build"])
        .dir(&source)
        .env("PATH", &path)
        .run()?;
    count.check(built.ok(), || {
        format!("{}\n{}", built.cause(), built.tail(20))
    });
    if built.ok() {
        runs_alone(on, &source.join("build/hello_c"), &mut count)?;
        runs_alone(on, &source.join("build/hello_cxx"), &mut count)?;
    }
    Ok(count)
}
