//! The order of the modules, checked against what the sources name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            Some(extension) if extension == "rs" => all.push(path),
            _ if path.is_dir() => sources(&path, all),
            _ => (),
        }
    }
}

/// The module of the crate that a file belongs to; `None` for the crate itself and for tests.
fn module(file: &Path) -> Option<String> {
    let mut parts = file.iter().map(|part| part.to_str().unwrap());
    let first = parts.next()?.trim_end_matches(".rs");
    let last = file.file_stem()?.to_str()?;
    let test = last.ends_with("tests") || file.iter().any(|part| part == "tests");
    (!test && !["lib", "layers"].contains(&first)).then(|| first.to_owned())
}

/// The modules that a text names after `crate::`, its unit tests at the end apart.
fn named(text: &str) -> BTreeSet<String> {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let code = product
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.collect::<Vec<_>>().join(" ");
    let word = |text: &str| -> String {
        let name = text.trim_start().chars();
        name.take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => _ = names.insert(word(rest)),
            Some(list) => {
                let list = list.split('}').next().unwrap_or(list);
                names.extend(list.split(',').map(word));
            }
        }
    }
    names
}

#[test]
fn modules_name_lower_ones_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = fs::read_to_string(root.join("lib.rs")).unwrap();
    let mut layers = BTreeMap::new();
    for (layer, group) in lib.split("\n\n").enumerate() {
        let modules = group
            .lines()
            .filter_map(|line| line.strip_prefix("pub mod "));
        layers.extend(modules.map(|name| (name.trim_end_matches(';').to_owned(), layer)));
    }
    let mut files = Vec::new();
    sources(root, &mut files);
    let mut below: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in &files {
        let Some(module) = module(file.strip_prefix(root).unwrap()) else {
            continue;
        };
        for name in named(&fs::read_to_string(file).unwrap()) {
            let Some(layer) = layers.get(&name) else {
                continue;
            };
            if name == module {
                continue;
            }
            if *layer > layers[&module] {
                wrong.push(format!("{} names {name}, which is above", file.display()));
            }
            below.entry(module.clone()).or_default().insert(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        below["api"].contains("mpi") && below["mpi"].contains("runtime"),
        "{below:?}"
    );
    // Who names nobody that is left is taken away; those of a circle stay.
    let mut left: BTreeSet<String> = layers.into_keys().collect();
    loop {
        let free = |name: &String| below.get(name).is_none_or(|names| names.is_disjoint(&left));
        let gone: Vec<String> = left.iter().filter(|name| free(name)).cloned().collect();
        if gone.is_empty() {
            break;
        }
        left.retain(|name| !gone.contains(name));
    }
    assert!(left.is_empty(), "a circle is among {left:?}");
}
