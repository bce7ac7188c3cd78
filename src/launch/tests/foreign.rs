//! Ranks on another MPI: mpiexec puts its own library first where that is safe, and says so where another one is
//! used. Small libraries that the test compiles stand for the makers'.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A prefix with this mpiexec, and programs and libraries beside it.
struct Place {
    dir: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let dir =
            std::env::temp_dir().join(format!("anympi-foreign-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let place = Place { dir };
        fs::create_dir_all(place.path("bin")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_mpiexec"), place.path("bin/mpiexec")).unwrap();
        place.library("lib/libmpi.so.40", "MPI_ANYMPI_DIRECT", "anympi");
        fs::copy(
            place.path("lib/libmpi.so.40"),
            place.path("lib/libmpi_abi.so.1"),
        )
        .unwrap();
        place.library("other/libmpi.so.40", "ompi_mpi_comm_world", "other");
        let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nconst char *maker(void);\n\
            int main(int argc, char **argv) { puts(maker()); fflush(stdout);\n\
            if (argc > 1) sleep((unsigned)atoi(argv[1])); return 0; }\n";
        let source = place.path("hello.c");
        fs::write(&source, text).unwrap();
        for (program, flags) in [
            ("hello", vec![]),
            ("fixed", vec!["-Wl,--disable-new-dtags"]),
        ] {
            let mut cc = Command::new("gcc");
            cc.arg(&source).arg("-o").arg(place.path(program));
            cc.arg(place.path("other/libmpi.so.40"));
            if !flags.is_empty() {
                cc.args(flags)
                    .arg(format!("-Wl,-rpath,{}", place.path("other").display()));
            }
            assert!(cc.status().unwrap().success());
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn library(&self, file: &str, mark: &str, maker: &str) {
        let file = self.path(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let source = self.path("library.c");
        fs::write(
            &source,
            format!(
                "const char *mark = \"{mark}\"; const char *maker(void) {{ return \"{maker}\"; }}\n"
            ),
        )
        .unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let status = Command::new("gcc")
            .args(["-shared", "-fPIC", &format!("-Wl,-soname,{name}"), "-o"])
            .args([&file, &source])
            .status();
        assert!(status.unwrap().success());
    }

    /// Standard output and standard error.
    fn run(&self, env: &[(&str, &Path)], args: &[&str]) -> (String, String) {
        let mut command = Command::new(self.path("bin/mpiexec"));
        for name in [
            "LD_LIBRARY_PATH",
            "LD_PRELOAD",
            "MPIEXEC_LIBRARY_CHECK",
            "MPIEXEC_LIBRARY_PATH",
        ] {
            command.env_remove(name);
        }
        let output = command
            .envs(env.iter().copied())
            .args(["--timeout", "50", "-n", "2"])
            .args(args)
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
        (out, err)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

const OURS: &str = "anympi\nanympi\n";
const OTHER: &str = "other\nother\n";

#[test]
fn the_plain_case_just_works() {
    let place = Place::new("plain");
    assert_eq!(place.run(&[], &["./hello"]), (OURS.into(), String::new()));
    let nowhere = place.path("bin");
    assert_eq!(
        place.run(&[("LD_LIBRARY_PATH", &nowhere)], &["./hello"]).0,
        OURS
    );
}

#[test]
fn the_users_own_choice_stands_and_is_named() {
    let place = Place::new("choice");
    let other = place.path("other");
    let chosen: &[(&str, &Path)] = &[("LD_LIBRARY_PATH", &other)];
    let (out, err) = place.run(chosen, &["./hello"]);
    assert_eq!(out, OTHER);
    let said = |err: &str| {
        err.lines()
            .filter(|l| l.contains("has loaded another MPI"))
            .count()
    };
    assert_eq!(said(&err), 1, "{err}");
    let library = place.path("other/libmpi.so.40");
    let ours = place.path("lib/libmpi.so.40");
    assert!(err.contains(&format!("'{}'", library.display())), "{err}");
    let advice = format!("mpiexec -genv LD_PRELOAD {}", ours.display());
    assert!(err.contains(&advice), "{err}");
    // The advice helps.
    let (out, err) = place.run(
        chosen,
        &["-genv", "LD_PRELOAD", ours.to_str().unwrap(), "./hello"],
    );
    assert_eq!((out.as_str(), err.as_str()), (OURS, ""));
    // Knobs.
    for quiet in [&["--no-library-check", "./hello"][..], &["-q", "./hello"]] {
        assert_eq!(place.run(chosen, quiet), (OTHER.into(), String::new()));
    }
    let off = [chosen[0], ("MPIEXEC_LIBRARY_CHECK", Path::new("0"))];
    assert_eq!(place.run(&off, &["./hello"]), (OTHER.into(), String::new()));
}

#[test]
fn a_path_in_the_program_is_named() {
    let place = Place::new("rpath");
    let (out, err) = place.run(&[], &["./fixed"]);
    assert_eq!(out, OTHER);
    assert!(err.contains("has loaded another MPI"), "{err}");
}

#[test]
fn what_a_shell_starts_is_named_while_it_runs() {
    let place = Place::new("shell");
    // The shell itself loads nothing: only a look at its child finds it.
    let (out, err) = place.run(&[], &["sh", "-c", "./fixed 1; echo end"]);
    assert_eq!(out.matches("other").count(), 2);
    assert_eq!(err.matches("has loaded another MPI").count(), 1, "{err}");
    assert!(err.contains("rank "), "{err}");
}

#[test]
fn knob_of_the_path_and_programs_without_mpi() {
    let place = Place::new("knobs");
    let shown = &["sh", "-c", "echo ${LD_LIBRARY_PATH-none}"];
    let lib = place.path("lib").display().to_string();
    assert_eq!(
        place.run(&[], shown),
        (format!("{lib}\n{lib}\n"), String::new())
    );
    let without = [&["--no-library-path"], &shown[..]].concat();
    assert_eq!(
        place.run(&[], &without),
        ("none\nnone\n".into(), String::new())
    );
    let off: &[(&str, &Path)] = &[("MPIEXEC_LIBRARY_PATH", Path::new("0"))];
    assert_eq!(place.run(off, shown).0, "none\nnone\n");
}
