//! The C compiler as judge: prototypes by redeclaration, constants and layouts by programs.
//!
//! A conflicting redeclaration is a compile error, so no header needs to be parsed; a program compares every
//! constant with the table. Linked with our library, it also proves that the objects a constant points at are the
//! library's own (copy relocations included).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Header, letter};
use crate::r#gen::{self, Constant, Prototype};
use crate::implementation::Abi;
use crate::paths;
use crate::report::Count;
use crate::sh::Cmd;

/// C since C90 and C++ since C++98 take our header, each by the letter, without a warning.
pub fn compiles(include: &Path, count: &mut Count) -> Result<()> {
    let folder = scratch("header")?;
    let text = "#include <mpi.h>\n#include <mpi.h>\nint main(void) { return MPI_SUCCESS; }\n";
    let languages = [
        ("gcc", "-ansi", "header.c"),
        ("gcc", "-std=c99", "header.c"),
        ("gcc", "-std=c11", "header.c"),
        ("gcc", "-std=c17", "header.c"),
        ("g++", "-ansi", "header.cc"),
        ("g++", "-std=c++11", "header.cc"),
        ("g++", "-std=c++17", "header.cc"),
    ];
    for (compiler, standard, file) in languages {
        let source = folder.join(file);
        fs::write(&source, text)?;
        let done = Cmd::new(compiler)
            .args([
                standard,
                "-pedantic-errors",
                "-Wall",
                "-Wextra",
                "-Wundef",
                "-Wredundant-decls",
                "-Werror",
                "-fsyntax-only",
            ])
            .arg("-I")
            .arg(include)
            .arg(&source)
            .seconds(60)
            .run()?;
        count.check(done.ok(), || {
            format!("{compiler} {standard}:\n{}", done.tail(20))
        });
    }
    Ok(())
}

/// Headers differ from each other here, in `const` alone.
const CONST_DIFFERS: &[&str] = &[
    "MPI_Pready_list",
    "MPI_Request_get_status_all",
    "MPI_Request_get_status_any",
    "MPI_Request_get_status_some",
];

/// Declares every function of the table again, after the header.
pub fn redeclare(header: &Header, count: &mut Count) -> Result<()> {
    let folder = scratch(&header.name)?;
    let declared = declared(header)?;
    let mut text = prologue(header);
    let letter = letter(header.abi);
    let mut checked = 0;
    for prototype in r#gen::prototypes()? {
        let name = &prototype.name;
        if !prototype.libraries.contains(letter) || CONST_DIFFERS.contains(&name.as_str()) {
            continue;
        }
        if !declared.contains(name) {
            let ours = header.abi == Abi::Mpi5 && header.current;
            let standard = !name.starts_with("MPIX_") && prototype.area != "removed";
            if ours && standard {
                count.check(false, || format!("{name} is not declared"));
            }
            continue;
        }
        for prefix in ["", "P"] {
            writeln!(
                text,
                "#undef {prefix}{name}\n{}",
                declaration(&prototype, prefix)
            )?;
        }
        checked += 1;
    }
    let source = folder.join("redeclare.c");
    fs::write(&source, text)?;
    let done = compiler(header)
        .arg("-fsyntax-only")
        .arg(&source)
        .seconds(120)
        .run()?;
    if done.ok() {
        count.passed += checked;
        return Ok(());
    }
    for line in done.stderr.lines().filter(|line| line.contains("error:")) {
        count.check(false, || line.to_owned());
    }
    if count.failed == 0 {
        bail!("{}", done.tail(20));
    }
    Ok(())
}

/// One prototype in C.
fn declaration(prototype: &Prototype, prefix: &str) -> String {
    let mut params: Vec<String> = prototype
        .params
        .iter()
        .map(|(kind, name)| match kind.as_str() {
            "int(*)[3]" => format!("int {name}[][3]"),
            _ => format!("{kind} {name}"),
        })
        .collect();
    if prototype.name == "MPI_Pcontrol" {
        params.push("...".into());
    }
    if params.is_empty() {
        params.push("void".into());
    }
    format!(
        "{} {prefix}{}({});",
        prototype.returns,
        prototype.name,
        params.join(", ")
    )
}

/// Names that stand before a parenthesis in the preprocessed header.
fn declared(header: &Header) -> Result<BTreeSet<String>> {
    let folder = scratch(&header.name)?;
    let source = folder.join("include.c");
    fs::write(&source, prologue(header))?;
    let done = compiler(header)
        .args(["-E", "-P"])
        .arg(&source)
        .seconds(60)
        .check()?;
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let text = done.stdout.as_str();
    Ok(text
        .match_indices('(')
        .filter_map(|(at, _)| text[..at].trim_end().rsplit(word).next())
        .map(str::to_owned)
        .collect())
}

/// The handle types' C names, with what turns a handle into an `INTEGER` or number and back.
const HANDLES: &[(&str, &str)] = &[
    ("MPI_Comm", "Comm"),
    ("MPI_Group", "Group"),
    ("MPI_Datatype", "Type"),
    ("MPI_Op", "Op"),
    ("MPI_Info", "Info"),
    ("MPI_Errhandler", "Errhandler"),
    ("MPI_Request", "Request"),
    ("MPI_Win", "Win"),
    ("MPI_File", "File"),
    ("MPI_Message", "Message"),
    ("MPI_Session", "Session"),
];

/// Every constant of the table has its value, in a program linked with our library; so have the
/// sizes of the types that programs lay out themselves.
pub fn constants(header: &Header, lib: &Path, count: &mut Count) -> Result<()> {
    let mut text = prologue(header);
    text += "#include <dlfcn.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n\
        static int bad;\n\
        static void number(const char *name, long have, long want)\n\
        { if (have != want) { bad++; printf(\"%s is %ld (0x%lx); %ld was expected\\n\", name, have, have, want); } }\n\
        static void text(const char *name, const char *have, const char *want)\n\
        { if (strcmp(have, want)) { bad++; printf(\"%s is %s\\n\", name, have); } }\n\
        static void object(const char *name, const void *have, const char *symbol, int value)\n\
        { void *at = dlsym(RTLD_DEFAULT, symbol); int there = at != NULL;\n\
          if (there && value) at = *(void **)at;\n\
          if (!there || have != at) { bad++; printf(\"%s is %p; %s is %p\\n\", name, have, symbol, at); } }\n\
        int main(void) {\n";
    let mut checked = 0;
    for constant in r#gen::constants()? {
        let name = &constant.name;
        let Some(value) = value(&constant, header.abi) else {
            continue;
        };
        checked += 1;
        if let Some(symbol) = value.strip_prefix('&').or(value.strip_prefix("fn:")) {
            writeln!(
                text,
                "object(\"{name}\", (const void *){name}, \"{symbol}\", 0);"
            )?;
        } else if let Some(symbol) = value.strip_prefix('*') {
            writeln!(
                text,
                "object(\"{name}\", (const void *){name}, \"{symbol}\", 1);"
            )?;
        } else if value.starts_with('"') {
            writeln!(text, "text(\"{name}\", {name}, {value});")?;
        } else if value.starts_with("0x") && header.abi == Abi::Mpich && constant.kind != "MPI_File"
        {
            writeln!(text, "number(\"{name}\", (unsigned)({name}), {value}L);")?;
        } else {
            writeln!(text, "number(\"{name}\", (long)({name}), {value}L);")?;
        }
    }
    for (what, [a, m, o]) in LAYOUT {
        let want = match header.abi {
            Abi::Mpi5 => a,
            Abi::Mpich => m,
            Abi::Ompi => o,
        };
        writeln!(text, "number(\"{what}\", (long)({what}), {want});")?;
        checked += 1;
    }
    text += "return bad != 0; }\n";
    let output = run(header, lib, "constants", &text)?;
    judge(&output, checked, count);
    Ok(())
}

/// Sizes and offsets in the standard ABI, MPICH's and Open MPI's (bytes).
const LAYOUT: &[(&str, [u32; 3])] = &[
    ("sizeof(MPI_Status)", [32, 20, 24]),
    ("offsetof(MPI_Status, MPI_SOURCE)", [0, 8, 0]),
    ("offsetof(MPI_Status, MPI_TAG)", [4, 12, 4]),
    ("offsetof(MPI_Status, MPI_ERROR)", [8, 16, 8]),
    ("sizeof(MPI_Comm)", [8, 4, 8]),
    ("sizeof(MPI_Group)", [8, 4, 8]),
    ("sizeof(MPI_Datatype)", [8, 4, 8]),
    ("sizeof(MPI_Op)", [8, 4, 8]),
    ("sizeof(MPI_Info)", [8, 4, 8]),
    ("sizeof(MPI_Errhandler)", [8, 4, 8]),
    ("sizeof(MPI_Request)", [8, 4, 8]),
    ("sizeof(MPI_Win)", [8, 4, 8]),
    ("sizeof(MPI_File)", [8, 8, 8]),
    ("sizeof(MPI_Message)", [8, 4, 8]),
    ("sizeof(MPI_Session)", [8, 4, 8]),
    ("sizeof(MPI_Aint)", [8, 8, 8]),
    ("sizeof(MPI_Offset)", [8, 8, 8]),
    ("sizeof(MPI_Count)", [8, 8, 8]),
    ("sizeof(MPI_T_enum)", [8, 8, 8]),
    ("sizeof(MPI_T_cvar_handle)", [8, 8, 8]),
    ("sizeof(MPI_T_pvar_handle)", [8, 8, 8]),
    ("sizeof(MPI_T_pvar_session)", [8, 8, 8]),
];

/// The value of a constant in an ABI, if C programs can use it there.
fn value(constant: &Constant, abi: Abi) -> Option<&str> {
    let value = match abi {
        Abi::Mpi5 => &constant.values[0],
        Abi::Mpich => &constant.values[1],
        Abi::Ompi => &constant.values[2],
    };
    let fortran_only = constant.kind.starts_with('(');
    // What tells the makers apart is in no standard header.
    let extension = abi == Abi::Mpi5 && constant.name.starts_with("MPIX_");
    let usable = value != "absent" && !value.is_empty() && !fortran_only && !extension;
    usable.then_some(value.as_str())
}

/// Numbers survive the way into the core and out again: every predefined handle and error class, and
/// every predefined datatype knows its own name.
pub fn round_trips(header: &Header, lib: &Path, count: &mut Count) -> Result<()> {
    let constants = r#gen::constants()?;
    let mut text = prologue(header);
    text += "#include <stdio.h>\n#include <string.h>\nstatic int bad;\n\
        static void named(const char *name, MPI_Datatype type, const char *aliases)\n\
        { char have[MPI_MAX_OBJECT_NAME + 2] = \"\"; int length = 0; char list[MPI_MAX_OBJECT_NAME + 4];\n\
          if (MPI_Type_get_name(type, have, &length)) strcpy(have, \"(an error)\");\n\
          snprintf(list, sizeof list, \" %s \", have);\n\
          if (!strstr(aliases, list)) { bad++; printf(\"%s is called %s\\n\", name, have); } }\n\
        static void class(const char *name, int code)\n\
        { int have = -1; MPI_Error_class(code, &have);\n\
          if (have != code) { bad++; printf(\"class of %s = %d is %d\\n\", name, code, have); } }\n";
    let (out, back) = match header.abi {
        Abi::Mpi5 => ("toint", "fromint"),
        Abi::Mpich | Abi::Ompi => ("c2f", "f2c"),
    };
    for (kind, name) in HANDLES {
        writeln!(
            text,
            "static void same_{name}(const char *name, {kind} handle)\n\
             {{ if (MPI_{name}_{back}(MPI_{name}_{out}(handle)) != handle) \
             {{ bad++; printf(\"{out} and {back} change %s\\n\", name); }} }}"
        )?;
    }
    text += "int main(int argc, char **argv) {\nMPI_Init(&argc, &argv);\n\
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n\
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);\n";
    let mut checked = 0;
    for constant in &constants {
        let name = &constant.name;
        // What has no number in MPI-5.0 has none inside.
        let (Some(here), false) = (value(constant, header.abi), constant.values[0] == "absent")
        else {
            continue;
        };
        if let Some((_, handle)) = HANDLES.iter().find(|(kind, _)| *kind == constant.kind) {
            writeln!(text, "same_{handle}(\"{name}\", {name});")?;
            checked += 1;
        }
        if constant.kind == "MPI_Datatype" && name != "MPI_DATATYPE_NULL" {
            let aliases: Vec<&str> = constants
                .iter()
                .filter(|other| value(other, header.abi) == Some(here))
                .map(|other| other.name.as_str())
                .collect();
            writeln!(
                text,
                "named(\"{name}\", {name}, \" {} \");",
                aliases.join(" ")
            )?;
            checked += 1;
        }
        let class = name.starts_with("MPI_ERR_") || name.starts_with("MPI_T_ERR_");
        if class && constant.kind == "int" && name != "MPI_ERR_LASTCODE" {
            writeln!(text, "class(\"{name}\", {name});")?;
            checked += 1;
        }
    }
    text += "MPI_Finalize();\nreturn bad != 0; }\n";
    let output = run(header, lib, "roundtrips", &text)?;
    judge(&output, checked, count);
    Ok(())
}

/// One line of output is one failed check.
fn judge(output: &str, checked: usize, count: &mut Count) {
    for line in output.lines() {
        count.check(false, || line.to_owned());
    }
    count.passed += checked.saturating_sub(count.failed);
}

/// Compiles a program, both position-independent and not, and runs it with our library.
fn run(header: &Header, lib: &Path, name: &str, text: &str) -> Result<String> {
    let folder = scratch(&header.name)?;
    let source = folder.join(format!("{name}.c"));
    fs::write(&source, text)?;
    let mut output = String::new();
    for position in ["-pie", "-no-pie"] {
        let program = folder.join(format!("{name}{position}"));
        compiler(header)
            .args([
                if position == "-pie" {
                    "-fPIE"
                } else {
                    "-fno-pie"
                },
                position,
            ])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .arg("-L")
            .arg(lib)
            .arg(format!("-l:{}", header.abi.soname()))
            .arg("-ldl")
            .seconds(120)
            .check()?;
        let done = Cmd::new(&program)
            .env("LD_LIBRARY_PATH", lib)
            .seconds(60)
            .run()?;
        output += &done.stdout;
        // A mismatch is exit code 1 with a line each; anything else is a crash.
        if !done.ok() && (done.code() != Some(1) || done.stdout.is_empty()) {
            bail!(
                "{} {position}: {}\n{}",
                source.display(),
                done.cause(),
                done.tail(20)
            );
        }
    }
    Ok(output)
}

fn compiler(header: &Header) -> Cmd {
    Cmd::new("gcc")
        .args(["-std=gnu11", "-Wno-deprecated-declarations"])
        .arg("-I")
        .arg(&header.folder)
}

/// The include, with Open MPI's removed names left in.
fn prologue(header: &Header) -> String {
    format!(
        "#define _GNU_SOURCE\n#define OMPI_OMIT_MPI1_COMPAT_DECLS 0\n#define OMPI_REMOVED_USE_STATIC_ASSERT 0\n\
         #include <{}>\n{}",
        header.file,
        match header.abi {
            Abi::Ompi => "#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n",
            _ => "",
        }
    )
}

fn scratch(name: &str) -> Result<PathBuf> {
    let name: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let folder = paths::scratch("gates").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
