//! Embeds `experiments/*.toml`, so that an experiment is one new file.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let folder = root.join("experiments");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.canonicalize()?;
        table += &format!("EmbeddedFile {{ name: {name:?}, text: include_str!({path:?}) }},\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("experiments.rs"), table + "]")?;
    Ok(())
}
