//! DRAM parts: files, what they inherit, and the description that comes of it; or the DRAM of a whole machine.
//!
//! A part file is read like a machine file: its values know where they were written, `inherits` names a built-in part
//! or a file beside it, and what is wrong is told with its place and the nearest known key.
//!
//! In a machine `dram.part` puts the figures of a part below every key that is stated. A key is stated where a file, a
//! mechanism or a `--set` gives it. The figures of a part are not: where another part is named on top, its figures take
//! their place, and no figure of the part before is left among them.

use crate::check::check_energy;
use crate::decode::decode;
use crate::error::MachineError;
use crate::layer::{self, OLDEST, Trail};
use crate::machine::Machine;
use crate::nearest::{nearest, nearest_path};
use crate::origin::{Origin, Source};
use crate::presets::MACHINES;
use crate::setting;
use crate::tree::{self, Node, Table, Value};
use heddle_memory::dram::{self, DramSpec, PARTS};
use std::path::{Path, PathBuf};

/// What a word on the command line means where a DRAM is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDram {
    /// The checked description, with all settings.
    pub spec: DramSpec,
    /// The part's own file, sources and all, where it says everything: no machine, nothing inherited, nothing set.
    pub text: Option<String>,
    /// Every file that was read for it.
    pub files: Vec<PathBuf>,
}

/// The DRAM that a word names: a built-in part, a part file, or a machine (preset or file), whose DRAM is meant with
/// all that the machine says about it. Settings are `key=value`, their keys those of a part, with or without
/// `dram.` in front.
pub fn named_dram<S: AsRef<str>>(word: &str, settings: &[S]) -> Result<NamedDram, MachineError> {
    let bare = |setting: &S| {
        let setting = setting.as_ref().trim_start();
        setting.strip_prefix("dram.").unwrap_or(setting).to_string()
    };
    let settings: Vec<String> = settings.iter().map(bare).collect();
    if is_machine(word, Path::new(""), 0)? {
        let settings: Vec<String> = settings.iter().map(|setting| format!("dram.{setting}")).collect();
        let resolved = Machine::named(word)?.set(&settings).resolve_any()?;
        return Ok(NamedDram {
            spec: resolved.spec.into_memory().memory.dram,
            text: None,
            files: resolved.files,
        });
    }
    let mut part = load_on(word, Path::new(""), &mut Trail::new())?;
    let known = dram::keys();
    for setting in &settings {
        setting::apply(&mut part.tree, setting, &known)?;
    }
    let spec = describe(&part.tree, &known, &settings)?;
    Ok(NamedDram { spec, text: part.text.filter(|_| settings.is_empty()), files: part.files })
}

/// Whether a word names a machine rather than a part. A file is one if it has a `[dram]`, or inherits from one.
fn is_machine(word: &str, folder: &Path, generation: usize) -> Result<bool, MachineError> {
    if MACHINES.iter().any(|preset| preset.name == word) {
        return Ok(true);
    }
    if dram::part(word).is_some() {
        return Ok(false);
    }
    let file = layer::open(word, folder)?.ok_or_else(|| unknown(word))?;
    let tree = tree::parse(&Source::new(&file.name, &file.text))?;
    let parent = tree.get("inherits").and_then(Node::as_str).filter(|_| generation < OLDEST);
    // Whoever reads the file for good says what is wrong with its parent.
    let inherits = parent.and_then(|parent| is_machine(parent, &file.folder, generation + 1).ok());
    Ok(tree.contains_key("dram") || inherits.unwrap_or(false))
}

/// A part with everything that it inherits.
struct Part {
    tree: Table,
    /// The text of its file, if that is all there is to it.
    text: Option<String>,
    /// Its file and those that it inherits, as far as they do not come with the program.
    files: Vec<PathBuf>,
}

fn load_on(word: &str, folder: &Path, trail: &mut Trail) -> Result<Part, MachineError> {
    if let Some(part) = dram::part(word) {
        return read_layer(&Source::of_part(&format!("part {word}"), part.text), folder, trail);
    }
    if MACHINES.iter().any(|preset| preset.name == word) {
        return Err(MachineError::new(format!("`{word}` is a machine, and a DRAM part is wanted")));
    }
    let file = layer::open(word, folder)?.ok_or_else(|| no_part(word))?;
    layer::enter(trail, file.identity)?;
    let mut part = read_layer(&Source::of_part(&file.name, &file.text), &file.folder, trail)?;
    part.files.push(file.path);
    Ok(part)
}

fn read_layer(source: &Source<'_>, folder: &Path, trail: &mut Trail) -> Result<Part, MachineError> {
    let mut own = tree::parse(source)?;
    place_energy(&mut own, folder);
    let Some(inherits) = own.remove("inherits") else {
        return Ok(Part { tree: own, text: Some(source.text.to_string()), files: Vec::new() });
    };
    let parent = layer::parent(&inherits, "the name of a DRAM part or the path of a file, in quotes")?;
    let below = load_on(parent, folder, trail).map_err(|error| layer::at_inherits(error, &inherits))?;
    let mut tree = below.tree;
    tree::merge(&mut tree, own);
    Ok(Part { tree, text: None, files: below.files })
}

/// Puts the figures of a part in place of its name. `below` is what lay here before the name was given: if its
/// `[dram]` came of no part, as in a resolved file, it states every figure, and the part takes the place of all.
/// Paths start from `folder`. Gives the files that were read.
pub(crate) fn expand(tree: &mut Table, below: &Table, folder: &Path) -> Result<Vec<PathBuf>, MachineError> {
    let Some(Node { value: Value::Table(own), .. }) = tree.get_mut("dram") else { return Ok(Vec::new()) };
    let Some(named) = own.remove("part") else { return Ok(Vec::new()) };
    let at_part = |error: MachineError| match error.origin {
        None => MachineError { key: "dram.part".to_string(), ..error }.at(Some(named.origin.clone())),
        Some(_) => error,
    };
    let Some(word) = named.as_str() else {
        let problem = "expected the name of a part or the path of a file, in quotes";
        return Err(at_part(MachineError::new(problem)));
    };
    let Part { tree: mut figures, files, .. } = load_on(word, folder, &mut Trail::new()).map_err(at_part)?;
    let before = match below.get("dram").map(|node| &node.value) {
        Some(Value::Table(before)) if !has_part(before) => before.clone(),
        _ => Table::new(),
    };
    keep_stated(own, &before);
    tree::merge(&mut figures, std::mem::take(own));
    *own = figures;
    Ok(files)
}

/// Whether any figure comes of a part.
fn has_part(table: &Table) -> bool {
    tree::leaves(table).iter().any(|(_, node)| !is_stated(node))
}

/// Whether a value was written elsewhere than in a part; an array is, if one of its items is.
fn is_stated(node: &Node) -> bool {
    let items = match &node.value {
        Value::Array(items) => items.as_slice(),
        _ => &[],
    };
    !matches!(node.origin, Origin::Part { .. }) || items.iter().any(is_stated)
}

/// Leaves out the figures of parts, and those that were written where `before` has them.
fn keep_stated(table: &mut Table, before: &Table) {
    table.retain(|key, node| {
        let before = before.get(key);
        match &mut node.value {
            Value::Table(inner) => {
                let none = Table::new();
                let before = match before.map(|node| &node.value) {
                    Some(Value::Table(before)) => before,
                    _ => &none,
                };
                keep_stated(inner, before);
                !inner.is_empty()
            }
            _ => is_stated(node) && before.is_none_or(|before| before.origin != node.origin),
        }
    });
}

/// The paths of tables in a machine's `[dram]`: see [`place_energy`].
pub(crate) fn place_tables(keys: &mut Table, folder: &Path) {
    if let Some(Node { value: Value::Table(own), .. }) = keys.get_mut("dram") {
        place_energy(own, folder);
    }
}

/// The path of an energy table is relative to the file that names it; from here on it is whole, as whoever opens it
/// does not know that file any more.
fn place_energy(figures: &mut Table, folder: &Path) {
    let Some(Node { value: Value::String(table), .. }) = figures.get_mut("energy") else { return };
    if table.ends_with(".toml")
        && let Ok(path) = std::path::absolute(folder.join(&*table))
    {
        *table = path.display().to_string();
    }
}

/// The description that a tree has, if it can be a DRAM.
fn describe(tree: &Table, known: &[String], settings: &[String]) -> Result<DramSpec, MachineError> {
    let all_keys = || format!("`heddle dram show {}` shows a part with all its keys", PARTS[0].name);
    let spec: DramSpec = decode(tree).map_err(|fault| {
        let (lost, missing) = (fault.lost, fault.missing);
        let error = fault.into_error();
        let near = nearest_path(&error.key, known).filter(|_| lost);
        match (near, missing) {
            (Some(near), _) => error.with_help(format!("did you mean `{near}`?")),
            (None, true) => error.with_help("give it, or inherit it: inherits = \"ddr4-2400\""),
            (None, false) if lost => error.with_help(all_keys()),
            (None, false) => error,
        }
    })?;
    let checked = spec.check().map_err(|error| MachineError::of_key(error.key, error.problem));
    let checked = checked.and_then(|()| Ok(check_energy("energy", spec.energy.as_deref())?));
    checked.map_err(|error| {
        let origin = tree::origin_of(tree, &error.key);
        error.at(origin).with_help(match settings.is_empty() {
            true => all_keys(),
            // The key at fault may be another than the one that was set.
            false => format!("set on top of the part: {}", settings.join(", ")),
        })
    })?;
    Ok(spec)
}

fn unknown(word: &str) -> MachineError {
    let error = MachineError::new(format!("no DRAM part and no machine is called `{word}`"));
    let parts = PARTS.iter().map(|part| part.name);
    match nearest(word, parts.chain(MACHINES.iter().map(|preset| preset.name))) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`heddle dram list` shows the built-in parts; a file is named by its path"),
    }
}

fn no_part(word: &str) -> MachineError {
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    let error = MachineError::new(format!("no DRAM part is called '{word}'; known: {}", names.join(", ")));
    match nearest(word, names) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("a file is named by its path, relative to the file that names it"),
    }
}
