//! Files, what they inherit, and the one tree that comes of it.

use crate::error::MachineError;
use crate::nearest::nearest;
use crate::origin::Source;
use crate::presets::MACHINES;
use crate::tree::{self, Node, Table, Value};
use heddle_memory::dram;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A machine file is a few kilobytes; what is larger than this is none.
const LARGEST_FILE: u64 = 1 << 20;
/// Generations of inheritance.
const OLDEST: usize = 16;

/// A machine with everything that it inherits.
#[derive(Clone, Debug)]
pub(crate) struct Lineage {
    /// All keys.
    pub(crate) tree: Table,
    /// The names of the machine and its ancestors, the machine first.
    pub(crate) names: Vec<String>,
}

/// The files on the way to where we are, to refuse circles.
type Trail = Vec<String>;

/// Whether a word is a path, not a name.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

/// A preset or a file.
pub(crate) fn load(word: &str, folder: &Path) -> Result<Lineage, MachineError> {
    load_on(word, folder, &mut Trail::new())
}

/// A text that came from elsewhere; paths that it inherits from are looked for in `folder`.
pub(crate) fn load_text(name: &str, text: &str, folder: &Path) -> Result<Lineage, MachineError> {
    read_layer(&Source::new(name, text), folder, &mut Trail::new())
}

fn load_on(word: &str, folder: &Path, trail: &mut Trail) -> Result<Lineage, MachineError> {
    if let Some(preset) = MACHINES.iter().find(|preset| preset.name == word) {
        enter(trail, preset.file.to_string())?;
        return read_layer(&Source::new(preset.file, preset.text), folder, trail);
    }
    let path = folder.join(word);
    if !is_path(word) && !path.is_file() {
        return Err(unknown(word));
    }
    let text = read_file(&path, word)?;
    enter(trail, path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string())?;
    let inner: PathBuf = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = if folder == Path::new("") { word.to_string() } else { path.display().to_string() };
    read_layer(&Source::new(&name, &text), &inner, trail)
}

fn enter(trail: &mut Trail, file: String) -> Result<(), MachineError> {
    let seen = trail.contains(&file);
    trail.push(file);
    let chain = || trail.join(" inherits ");
    if seen {
        return Err(MachineError::of_key("inherits", format!("goes round in a circle: {}", chain())));
    }
    if trail.len() > OLDEST {
        return Err(MachineError::of_key("inherits", format!("more than {OLDEST} generations: {}", chain())));
    }
    Ok(())
}

/// Reads a file that is not larger than such a file can be.
pub(crate) fn read_file(path: &Path, word: &str) -> Result<String, MachineError> {
    let told = |error: std::io::Error| {
        let text = error.to_string();
        let words = text.split(" (os error").next().unwrap_or_default().to_lowercase();
        MachineError::new(format!("{word}: {words}"))
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(told)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(MachineError::new(format!("{word}: larger than 1 MiB, which no such file is")));
    }
    String::from_utf8(bytes).map_err(|_| MachineError::new(format!("{word}: is not UTF-8 text")))
}

fn unknown(word: &str) -> MachineError {
    let error = MachineError::new(format!("no machine is called `{word}`"));
    match nearest(word, MACHINES.iter().map(|preset| preset.name)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`heddle machine list` shows the presets; a file is named by its path"),
    }
}

/// One file over what it inherits.
fn read_layer(source: &Source<'_>, folder: &Path, trail: &mut Trail) -> Result<Lineage, MachineError> {
    let mut own = tree::parse(source)?;
    expand_part(&mut own)?;
    let name = own.get("name").and_then(Node::as_str).map(str::to_string);
    let Some(inherits) = own.remove("inherits") else {
        return Ok(Lineage { tree: own, names: name.into_iter().collect() });
    };
    let place = Some(inherits.origin.clone());
    let Some(parent) = inherits.as_str() else {
        let problem = "expected the name of a machine or the path of a file, in quotes";
        return Err(MachineError::of_key("inherits", problem).at(place));
    };
    let mut lineage = load_on(parent, folder, trail).map_err(|error| match error.origin {
        None => MachineError { key: "inherits".to_string(), ..error }.at(place),
        Some(_) => error,
    })?;
    // A machine that does not describe itself is not described by its parent's words.
    tree::merge(&mut lineage.tree, own);
    lineage.names.splice(0..0, name);
    Ok(lineage)
}

/// Puts the figures of a DRAM part in place of its name; keys beside the name override them.
pub(crate) fn expand_part(tree: &mut Table) -> Result<(), MachineError> {
    let Some(Node { value: Value::Table(own), .. }) = tree.get_mut("dram") else { return Ok(()) };
    let Some(named) = own.remove("part") else { return Ok(()) };
    let wrong = |problem: String| MachineError::of_key("dram.part", problem).at(Some(named.origin.clone()));
    let Some(name) = named.as_str() else {
        return Err(wrong("expected the name of a part, in quotes".to_string()));
    };
    let Some(part) = dram::PARTS.iter().find(|part| part.name == name) else {
        let names: Vec<&str> = dram::PARTS.iter().map(|part| part.name).collect();
        let error = wrong(format!("no DRAM part is called '{name}'; known: {}", names.join(", ")));
        return Err(match nearest(name, names) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        });
    };
    let source = Source::new(&format!("part {name}"), part.text);
    let mut figures = tree::parse(&source)?;
    tree::merge(&mut figures, std::mem::take(own));
    *own = figures;
    Ok(())
}
