//! `cargo xtask gen`: the exported C functions, from the core's own signatures (decision 1).
//!
//! Reads the signatures in `src/core/api` (with syn) and the C prototypes in `ctests/abi/functions.tsv`. Writes
//! `src/exports*.rs` (the same functions for every front that exports them), `src/constants.rs` and, through
//! cbindgen, `include/mpi.h`. The signature says what a function is and what its arguments mean; the prototype says
//! how C spells them, because one meaning has several spellings (`int *`, `MPI_Count *`). rustc judges that both
//! agree: an argument for which no `FromC` exists does not compile.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::paths;
use crate::sh::Cmd;

#[derive(clap::Args)]
pub struct Args {
    /// Only say whether the committed files are up to date.
    #[arg(long)]
    check: bool,
}

impl Args {
    pub fn check() -> Args {
        Args { check: true }
    }
}

/// One line of `functions.tsv`.
pub struct Prototype {
    pub name: String,
    /// Libraries that export it: `a` standard ABI, `m` MPICH, `o` Open MPI.
    pub libraries: String,
    /// The function whose large-count form this is.
    pub large_of: Option<String>,
    pub area: String,
    pub returns: String,
    /// C type and name of each parameter.
    pub params: Vec<(String, String)>,
}

/// Reads the table of prototypes.
pub fn prototypes() -> Result<Vec<Prototype>> {
    let path = paths::root().join("ctests/abi/functions.tsv");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, libraries, large_of, area, returns, params] = fields[..] else {
            bail!("{}: not six fields: {line}", path.display());
        };
        let params = params
            .split("; ")
            .filter(|param| !param.is_empty())
            .map(|param| {
                let (kind, name) = param
                    .rsplit_once(' ')
                    .context("a parameter without a name")?;
                Ok((kind.to_string(), name.to_string()))
            })
            .collect::<Result<_>>()?;
        all.push(Prototype {
            name: name.into(),
            libraries: libraries.into(),
            large_of: (large_of != "-").then(|| large_of.into()),
            area: area.into(),
            returns: returns.into(),
            params,
        });
    }
    Ok(all)
}

/// A form of a collective, made from a function that takes `form: impl Form`.
struct Form {
    /// What its name has before and after that of the blocking form.
    name: [&'static str; 2],
    /// The type in `collective` that stands for it.
    kind: &'static str,
    /// The parameters that it has after those of the function.
    params: &'static [&'static str],
}

/// The forms of each collective (MPI-5.0, 6.12 and 6.13). Persistent ones had their name as an extension first.
const FORMS: [Form; 4] = [
    Form {
        name: ["", ""],
        kind: "Blocking",
        params: &[],
    },
    Form {
        name: ["i", ""],
        kind: "Started",
        params: &["Out<Request>"],
    },
    Form {
        name: ["", "_init"],
        kind: "Persistent",
        params: &["Info", "Out<Request>"],
    },
    Form {
        name: ["mpix_", "_init"],
        kind: "Persistent",
        params: &["Info", "Out<Request>"],
    },
];

/// What the generator needs to know of a core function.
#[derive(Clone)]
pub struct Operation {
    /// The function's path below `api`.
    path: String,
    /// Types of the parameters, without blanks.
    pub params: Vec<String>,
    /// The form of the collective, which is made of the last parameters.
    form: Option<&'static Form>,
    /// It returns `Result<()>`: an error code in C.
    pub fallible: bool,
    /// It returns some other `Result`.
    pub result: bool,
    /// The body is `unsupported()`.
    pub unsupported: bool,
}

/// Every operation that a public function of `src/core/api` declares, by name.
pub fn operations() -> Result<BTreeMap<String, Operation>> {
    let mut all = BTreeMap::new();
    let folder = paths::root().join("src/core/api");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    for file in files {
        let module = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if module == "mod" {
            continue;
        }
        let source = fs::read_to_string(&file)?;
        let parsed = syn::parse_file(&source).with_context(|| format!("{}", file.display()))?;
        for item in parsed.items {
            let syn::Item::Fn(function) = item else {
                continue;
            };
            if !matches!(function.vis, syn::Visibility::Public(_)) {
                continue;
            }
            let returns = match &function.sig.output {
                syn::ReturnType::Default => String::new(),
                syn::ReturnType::Type(_, kind) => quote::quote!(#kind).to_string().replace(' ', ""),
            };
            let body = quote::quote!(#function.block).to_string();
            let name = function.sig.ident.to_string();
            let mut params = function.sig.inputs.iter().map(|input| match input {
                syn::FnArg::Typed(typed) => {
                    let kind = &typed.ty;
                    quote::quote!(#kind).to_string().replace(' ', "")
                }
                syn::FnArg::Receiver(_) => String::new(),
            });
            let collective = params.next().is_some_and(|first| first == "implForm");
            let operation = Operation {
                path: format!("{module}::{name}"),
                params: params.collect(),
                form: None,
                fallible: returns == "Result<()>",
                result: returns.starts_with("Result<"),
                unsupported: function.block.stmts.len() == 1 && body.contains("{ unsupported () }"),
            };
            let operations = match collective {
                true => forms(&name, &operation),
                false => vec![(name, operation)],
            };
            for (name, operation) in operations {
                if all.insert(name.clone(), operation).is_some() {
                    bail!("two core functions are called {name}");
                }
            }
        }
    }
    Ok(all)
}

/// The operations that a collective's function declares.
fn forms(name: &str, function: &Operation) -> Vec<(String, Operation)> {
    let form = |form: &'static Form| {
        let [before, after] = form.name;
        let mut operation = function.clone();
        operation.form = Some(form);
        let params = form.params.iter().map(|kind| kind.to_string());
        operation.params.extend(params);
        (format!("{before}{name}{after}"), operation)
    };
    FORMS.iter().map(form).collect()
}

/// The core function behind a C name: `MPI_Comm_dup` is `comm_dup`, `MPIX_Query_cuda_support` is
/// `mpix_query_cuda_support`. A large-count form that takes other arguments has its own.
pub fn operation_of<'a>(
    prototype: &Prototype,
    operations: &'a BTreeMap<String, Operation>,
) -> Option<(String, &'a Operation)> {
    let key = |name: &str| {
        let lower = name.to_lowercase();
        lower
            .strip_prefix("mpi_")
            .map(str::to_string)
            .unwrap_or(lower)
    };
    let own = key(&prototype.name);
    if let Some(operation) = operations.get(&own) {
        return Some((own, operation));
    }
    let base = key(prototype.large_of.as_deref()?);
    operations.get(&base).map(|operation| (base, operation))
}

/// The Rust spelling of a C type.
fn rust_type(c: &str) -> String {
    if c == "int(*)[3]" {
        return "*mut [c_int; 3]".into();
    }
    let constant = c.starts_with("const ");
    let c = c.trim_start_matches("const ");
    let stars = c.matches('*').count();
    let base = match c.trim_end_matches('*').trim() {
        "int" => "c_int",
        "void" => "c_void",
        "char" => "c_char",
        "double" => "f64",
        "_Bool" => "bool",
        "unsigned long long" => "u64",
        other => other,
    };
    match stars {
        0 => base.into(),
        _ => {
            let inner = if constant && stars == 1 {
                "*const "
            } else {
                "*mut "
            };
            format!("{}{inner}{base}", "*mut ".repeat(stars - 1))
        }
    }
}

/// Calls that MPI allows before initialisation and after finalisation (MPI-5.0, 11.4.1).
fn any_time(prototype: &Prototype) -> bool {
    const NAMES: &[&str] = &[
        "MPI_Init",
        "MPI_Init_thread",
        "MPI_Initialized",
        "MPI_Finalized",
        "MPI_Get_version",
        "MPI_Get_library_version",
        "MPI_Pcontrol",
        "MPI_Session_init",
        "MPI_Session_create_errhandler",
        "MPI_Session_call_errhandler",
        "MPI_Errhandler_free",
        "MPI_Error_string",
        "MPI_Error_class",
    ];
    let name = prototype.name.as_str();
    NAMES.contains(&name)
        || name.starts_with("MPI_Add_error_")
        || name.starts_with("MPI_Remove_error_")
        || matches!(prototype.area.as_str(), "info" | "abi")
}

/// A parameter's name in Rust.
fn parameter(name: &str) -> String {
    match name {
        "type" | "in" | "ref" | "fn" | "mod" => format!("r#{name}"),
        other => other.to_string(),
    }
}

/// The object whose error handler a call's errors go to: the first one that it is given, by value or in a place
/// (MPI-5.0, 9.3). Calls on files that have none yet are about `MPI_FILE_NULL` (14.7), whatever else they are given.
/// Where a call is given an array of requests, the core says which one an error is about. A call that makes a
/// communicator or a session of nothing else is given the handler itself.
fn raised_on(prototype: &Prototype, operation: &Operation) -> String {
    const KINDS: [&str; 6] = ["File", "Comm", "Win", "Session", "Request", "Message"];
    let files = prototype.area == "io";
    let kinds = if files { &KINDS[..1] } else { &KINDS[..] };
    let parameters = || operation.params.iter().zip(&prototype.params);
    let given = parameters().find_map(|(semantic, (_, name))| {
        let place = semantic
            .strip_prefix("InOut<")
            .and_then(|rest| rest.strip_suffix('>'));
        let kind = place.unwrap_or(semantic);
        let at = if place.is_some() { "_at" } else { "" };
        kinds.contains(&kind).then(|| {
            let kind = kind.to_lowercase();
            format!("on::{kind}{at}::<Front>({})", parameter(name))
        })
    });
    let handler = parameters().find(|(semantic, _)| *semantic == "Errhandler");
    let makes = |kind: &str| operation.params.iter().any(|semantic| semantic == kind);
    let new = [("Out<Comm>", "new_comm"), ("Out<Session>", "new_session")];
    let new = new.into_iter().find(|(kind, _)| makes(kind));
    if let Some(given) = given {
        return given;
    }
    if let (Some((_, (_, name))), Some((_, new))) = (handler, new) {
        return format!("on::{new}::<Front>({})", parameter(name));
    }
    match files {
        true => "on::no_file()".into(),
        false => "On::Call".into(),
    }
}

/// Arguments as the core's functions take them, each after a comma.
fn arguments(params: &[(String, String)]) -> String {
    let argument = |(_, name): &(String, String)| {
        format!(", arg::<Front, _, _>({}, \"{name}\")?", parameter(name))
    };
    params.iter().map(argument).collect()
}

/// The exported function and its profiling twin.
fn export(prototype: &Prototype, operation: &(String, &Operation)) -> Result<String> {
    let (function, operation) = operation;
    if operation.params.len() != prototype.params.len() {
        bail!(
            "{} has {} parameters, core's {function} has {}",
            prototype.name,
            prototype.params.len(),
            operation.params.len()
        );
    }
    let name = &prototype.name;
    let signature: Vec<String> = prototype
        .params
        .iter()
        .map(|(kind, name)| format!("{}: {}", parameter(name), rust_type(kind)))
        .collect();
    let of_form = operation.form.map_or(0, |form| form.params.len());
    let (own, of_form) = prototype.params.split_at(prototype.params.len() - of_form);
    let first = match operation.form {
        Some(form) => format!("collective::{}::new(mpi{})", form.kind, arguments(of_form)),
        None => "mpi".into(),
    };
    let given = first + &arguments(own);
    let path = format!("api::{}", operation.path);
    // Closures own their arguments: what they refer to would have to lie in memory, on every call.
    let call = match operation.fallible || operation.result {
        true if given == "mpi" => path,
        true => format!("move |mpi| {path}({given})"),
        false => format!("move |mpi| Ok({path}({given}))"),
    };
    let returns = rust_type(&prototype.returns);
    let body = if !operation.fallible {
        format!("plain::<Front, _, _>({call})")
    } else if prototype.name.starts_with("MPI_T_") {
        format!("tool::<Front>({call})")
    } else {
        let on = raised_on(prototype, operation);
        let door = match name.as_str() {
            "MPI_Abort" => "unlocked",
            _ if any_time(prototype) => "anytime",
            _ => "enter",
        };
        match door {
            "enter" => format!("enter!(Front, \"{name}\", {on}, {call})"),
            _ => format!("{door}::<Front>(\"{name}\", move || {on}, {call})"),
        }
    };
    let body = if prototype.params.is_empty() {
        format!("    {body}\n")
    } else {
        format!(
            "    // SAFETY: the caller keeps what the C prototype promises.\n    unsafe {{ {body} }}\n"
        )
    };
    let mut text = String::new();
    // Open MPI's own extensions have no profiling name.
    let prefixes: &[&str] = if name.starts_with("OMPI_") {
        &[""]
    } else {
        &["", "P"]
    };
    for prefix in prefixes {
        write!(
            text,
            "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn {prefix}{name}({}) -> {returns} {{\n{body}}}\n\n",
            signature.join(", ")
        )?;
    }
    Ok(text)
}

/// The generated files: name and the libraries whose fronts include them.
const FILES: &[(&str, &str)] = &[
    ("exports.rs", "amo"),
    ("exports_native.rs", "mo"),
    ("exports_std_mpich.rs", "am"),
    ("exports_std.rs", "a"),
    ("exports_mpich.rs", "m"),
    ("exports_ompi.rs", "o"),
];

const HEAD: &str = "// @generated by `cargo xtask gen` from src/core/api; do not edit.\n\n";

fn exports() -> Result<Vec<(PathBuf, String)>> {
    let prototypes = prototypes()?;
    let operations = operations()?;
    let mut files = Vec::new();
    for (file, libraries) in FILES {
        let mut text = format!("{HEAD}use crate::prelude::*;\n\n");
        let mut any = false;
        for prototype in prototypes.iter().filter(|p| p.libraries == *libraries) {
            let Some(operation) = operation_of(prototype, &operations) else {
                bail!("{} has no function in src/core/api", prototype.name);
            };
            text += &export(prototype, &operation)?;
            any = true;
        }
        if any {
            files.push((paths::root().join("src").join(file), formatted(&text)?));
        }
    }
    Ok(files)
}

/// Runs rustfmt over generated text.
fn formatted(text: &str) -> Result<String> {
    let folder = paths::scratch("gen");
    fs::create_dir_all(&folder)?;
    let file = folder.join("generated.rs");
    fs::write(&file, text)?;
    Cmd::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(&file)
        .seconds(60)
        .check()?;
    Ok(fs::read_to_string(&file)?)
}

/// One line of `constants.tsv`.
pub struct Constant {
    pub name: String,
    pub kind: String,
    /// Values in the standard ABI, MPICH and Open MPI.
    pub values: [String; 3],
}

/// Reads the table of constants.
pub fn constants() -> Result<Vec<Constant>> {
    let path = paths::root().join("ctests/abi/constants.tsv");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, kind, a, m, o] = fields[..] else {
                bail!("{}: not five fields: {line}", path.display());
            };
            Ok(Constant {
                name: name.into(),
                kind: kind.into(),
                values: [a.into(), m.into(), o.into()],
            })
        })
        .collect()
}

/// Whether the standard header defines the constant by `#define` of a plain value.
pub fn in_standard_header(constant: &Constant) -> bool {
    let value = &constant.values[0];
    value != "absent"
        && !constant.kind.starts_with('(')
        && !constant.kind.starts_with("MPI_T_cb_safety")
        && !constant.kind.starts_with("MPI_T_source_order")
        && !constant.name.starts_with("MPIX_")
}

fn constants_file() -> Result<(PathBuf, String)> {
    let mut text =
        format!("{HEAD}use crate::types::*;\nuse std::ffi::{{c_char, c_int, c_void}};\n\n");
    for constant in constants()?.iter().filter(|c| in_standard_header(c)) {
        let kind = rust_type(&constant.kind);
        let value = &constant.values[0];
        let value = if kind == "c_int" {
            value.clone()
        } else {
            format!("{value} as {kind}")
        };
        writeln!(text, "pub const {}: {kind} = {value};", constant.name)?;
    }
    Ok((paths::root().join("src/constants.rs"), formatted(&text)?))
}

/// Text of `mpi.h` that cbindgen cannot make: function types, enumerations, the variadic call.
const BY_HAND: &str = include_str!("mpi_h.txt");

/// `include/mpi.h` from the standard front's types, constants and exports.
fn header(pending: &[(PathBuf, String)]) -> Result<String> {
    // cbindgen reads files: give it what is about to be written.
    let scratch = paths::scratch("header");
    fs::create_dir_all(&scratch)?;
    let mut builder = cbindgen::Builder::new().with_config(header_config());
    for name in [
        "types.rs",
        "constants.rs",
        "exports.rs",
        "exports_std_mpich.rs",
        "exports_std.rs",
    ] {
        let path = paths::root().join("src").join(name);
        let text = match pending.iter().find(|(other, _)| *other == path) {
            Some((_, text)) => text.clone(),
            None if path.exists() => fs::read_to_string(&path)?,
            None => continue,
        };
        // The standard's header declares the standard's names.
        let copy = scratch.join(name);
        fs::write(&copy, without_extensions(&text)?)?;
        builder = builder.with_src(copy);
    }
    let mut text = Vec::new();
    builder.generate().context("cbindgen")?.write(&mut text);
    finish_header(&String::from_utf8(text)?)
}

/// Drops the functions that are extensions of a family.
fn without_extensions(text: &str) -> Result<String> {
    let mut file = syn::parse_file(text)?;
    file.items.retain(|item| match item {
        syn::Item::Fn(function) => {
            let name = function.sig.ident.to_string();
            !name.trim_start_matches('P').starts_with("MPIX_")
        }
        _ => true,
    });
    Ok(quote::quote!(#file).to_string())
}

fn header_config() -> cbindgen::Config {
    cbindgen::Config {
        language: cbindgen::Language::C,
        cpp_compat: true,
        documentation: false,
        style: cbindgen::Style::Both,
        include_guard: Some("ANYMPI_MPI_H".into()),
        no_includes: true,
        header: Some(
            "/* MPI-5.0, standard ABI. Made by cbindgen (`cargo xtask gen`); do not edit. */"
                .into(),
        ),
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        export: cbindgen::ExportConfig {
            exclude: by_hand(),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// The names that [`BY_HAND`] declares.
fn by_hand() -> Vec<String> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let declared = |line: &str| {
        let line = line.trim_start_matches("} ");
        let name = match line.split_once('(') {
            Some((before, _)) => before.rsplit(word).next(),
            None => line.split(';').next(),
        };
        name.filter(|name| name.contains("MPI_"))
            .map(str::to_string)
    };
    let lines = BY_HAND.lines();
    lines
        .filter(|line| line.contains(';'))
        .filter_map(declared)
        .collect()
}

/// Puts the declarations by hand before the prototypes, makes constants safe inside expressions
/// (`(MPI_Comm)257` becomes `((MPI_Comm)0x101)`), and comments such that C90 knows them.
fn finish_header(text: &str) -> Result<String> {
    let mut out = String::new();
    let mut inserted = false;
    for line in text.lines() {
        if !inserted && line.starts_with("#ifdef __cplusplus") {
            out += BY_HAND;
            inserted = true;
        }
        let rewritten = line.strip_prefix("#define ").and_then(|rest| {
            let (name, value) = rest.split_once(' ')?;
            if value.starts_with('-') {
                return Some(format!("#define {name} ({value})"));
            }
            let (kind, number) = value.strip_prefix('(')?.rsplit_once(')')?;
            let number: u64 = number.trim().parse().ok()?;
            Some(format!("#define {name} (({kind})0x{number:x})"))
        });
        match line.split_once("//") {
            Some((code, comment)) => out += &format!("{code}/* {} */", comment.trim()),
            None => out += rewritten.as_deref().unwrap_or(line),
        }
        out.push('\n');
    }
    Ok(out)
}

/// Writes a file if it differs, or says that it does.
pub fn ensure(path: &Path, text: &str, check: bool, command: &str) -> Result<bool> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    if check {
        bail!("{} is out of date: run `{command}`", path.display());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)?;
    println!("wrote {}", path.display());
    Ok(true)
}

pub fn main(args: &Args) -> Result<()> {
    let mut files = exports()?;
    files.push(constants_file()?);
    let header = header(&files)?;
    files.push((paths::root().join("include/mpi.h"), header));
    for (path, text) in files {
        ensure(&path, &text, args.check, "cargo xtask gen")?;
    }
    Ok(())
}
