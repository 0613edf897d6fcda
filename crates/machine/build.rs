//! Tables of the machines and mechanisms that are compiled in: every file of `machines/` and `machines/mechanisms/`.
//!
//! `presets.rs` includes the tables, so that a new file in one of the folders needs no line of code.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The constants, and the folders whose files they hold.
const TABLES: [(&str, &str, &str); 2] = [
    ("The machines, by name.", "MACHINES", "machines"),
    ("The mechanisms, by name; the empty one is the first.", "MECHANISMS", "machines/mechanisms"),
];

/// The mechanism that changes nothing.
const EMPTY: &str = "none";

fn main() -> io::Result<()> {
    let folder_of = |variable: &str| env::var_os(variable).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let root = folder_of("CARGO_MANIFEST_DIR")?.join("../..").canonicalize()?;
    let mut code = String::new();
    for (description, constant, folder) in TABLES {
        let place = root.join(folder);
        // A folder has changed when a file in it has, or when one has come or gone.
        println!("cargo::rerun-if-changed={}", place.display());
        code += &format!("/// {description}\npub(crate) const {constant}: &[Embedded] = &[\n");
        for name in names_in(&place)? {
            let file = format!("{folder}/{name}.toml");
            let text = root.join(&file);
            code +=
                &format!("Embedded {{ name: {name:?}, file: {file:?}, text: include_str!({text:?}) }},\n");
        }
        code += "];\n";
    }
    fs::write(folder_of("OUT_DIR")?.join("presets.rs"), code)
}

/// The names of the TOML files in a folder, sorted, so that a program does not depend on the order of the folder.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|extension| extension == "toml")) {
            names.push(stem.to_owned());
        }
    }
    names.sort_by_key(|name| (name != EMPTY, name.clone()));
    Ok(names)
}
