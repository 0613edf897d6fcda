//! Files, what they inherit, and the one tree that comes of it.

use crate::error::MachineError;
use crate::nearest::nearest;
use crate::origin::Source;
use crate::part;
use crate::presets::MACHINES;
use crate::tree::{self, Node, Table, Value};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A machine file is a few kilobytes; what is larger than this is none.
const LARGEST_FILE: u64 = 1 << 20;
/// Generations of inheritance.
pub(crate) const OLDEST: usize = 16;

/// A machine with everything that it inherits.
#[derive(Clone, Debug)]
pub(crate) struct Lineage {
    /// All keys.
    pub(crate) tree: Table,
    /// The names of the machine and its ancestors, the machine first.
    pub(crate) names: Vec<String>,
}

/// The files on the way to where we are, to refuse circles.
pub(crate) type Trail = Vec<String>;

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
    let file = open(word, folder)?.ok_or_else(|| unknown(word))?;
    enter(trail, file.identity)?;
    read_layer(&Source::new(&file.name, &file.text), &file.folder, trail)
}

/// A file that a user named.
pub(crate) struct Opened {
    /// What errors call it.
    pub(crate) name: String,
    /// What it is, by whatever path it was found.
    pub(crate) identity: String,
    pub(crate) text: String,
    /// Where the paths in it start from.
    pub(crate) folder: PathBuf,
}

/// Opens the file of a word, unless the word can only be a name.
pub(crate) fn open(word: &str, folder: &Path) -> Result<Option<Opened>, MachineError> {
    let path = folder.join(word);
    if !is_path(word) && !path.is_file() {
        return Ok(None);
    }
    Ok(Some(Opened {
        text: read_file(&path, word)?,
        name: if folder == Path::new("") { word.to_string() } else { path.display().to_string() },
        identity: path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
        folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
    }))
}

/// Goes into a file, unless that would be a circle.
pub(crate) fn enter(trail: &mut Trail, file: String) -> Result<(), MachineError> {
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
    let has_part = expand_part(&mut own, folder)?;
    let name = own.get("name").and_then(Node::as_str).map(str::to_string);
    let Some(inherits) = own.remove("inherits") else {
        return Ok(Lineage { tree: own, names: name.into_iter().collect() });
    };
    let parent = parent(&inherits, "the name of a machine or the path of a file, in quotes")?;
    let mut lineage = load_on(parent, folder, trail).map_err(|error| at_inherits(error, &inherits))?;
    // A machine that does not describe itself is not described by its parent's words.
    lay_over(&mut lineage.tree, own, has_part);
    lineage.names.splice(0..0, name);
    Ok(lineage)
}

/// The word behind `inherits`.
pub(crate) fn parent<'t>(inherits: &'t Node, expected: &str) -> Result<&'t str, MachineError> {
    let wrong = || MachineError::of_key("inherits", format!("expected {expected}"));
    inherits.as_str().ok_or_else(|| wrong().at(Some(inherits.origin.clone())))
}

/// What is wrong with a parent as a whole is wrong at `inherits`.
pub(crate) fn at_inherits(error: MachineError, inherits: &Node) -> MachineError {
    match error.origin {
        None => MachineError { key: "inherits".to_string(), ..error }.at(Some(inherits.origin.clone())),
        Some(_) => error,
    }
}

/// Lays keys over a machine. A part that they name is a whole DRAM, of which nothing is inherited.
pub(crate) fn lay_over(tree: &mut Table, own: Table, has_part: bool) {
    if has_part {
        tree.remove("dram");
    }
    tree::merge(tree, own);
}

/// Puts the figures of a DRAM part in place of its name; keys beside the name override them. Says whether there was
/// one. Paths start from `folder`.
pub(crate) fn expand_part(tree: &mut Table, folder: &Path) -> Result<bool, MachineError> {
    let Some(Node { value: Value::Table(own), .. }) = tree.get_mut("dram") else { return Ok(false) };
    part::place_energy(own, folder);
    let Some(named) = own.remove("part") else { return Ok(false) };
    let at_part = |error: MachineError| match error.origin {
        None => MachineError { key: "dram.part".to_string(), ..error }.at(Some(named.origin.clone())),
        Some(_) => error,
    };
    let Some(word) = named.as_str() else {
        return Err(at_part(MachineError::new(
            "expected the name of a part or the path of a file, in quotes",
        )));
    };
    let mut figures = part::load(word, folder).map_err(at_part)?;
    tree::merge(&mut figures, std::mem::take(own));
    *own = figures;
    Ok(true)
}

/// The same after a setting, which lays the part's name into a DRAM that has all its figures: these go.
pub(crate) fn expand_set_part(tree: &mut Table) -> Result<(), MachineError> {
    if let Some(Node { value: Value::Table(own), .. }) = tree.get_mut("dram")
        && own.contains_key("part")
    {
        own.retain(|key, _| key == "part");
    }
    expand_part(tree, Path::new("")).map(|_| ())
}
