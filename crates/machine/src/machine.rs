//! A machine as it is asked for, and as it is when everything has been put together.

use crate::blame::{Below, blame, is_users};
use crate::decode::Fault;
use crate::emit::emit;
use crate::error::MachineError;
use crate::fit::fit;
use crate::hash::fnv1a;
use crate::kind::{self, MachineKind, MachineSpec, ReadError};
use crate::layer::{self, Lineage};
use crate::lists;
use crate::mechanism;
use crate::nearest::{nearest, nearest_path};
use crate::origin::Origin;
use crate::part;
use crate::presets::MACHINES;
use crate::setting;
use crate::tree::{self, Table};
use heddle_engine::units::Bytes;
use heddle_gpu::GpuSpec;
use heddle_memory::crossbar::CrossbarSpec;
use heddle_memory::fabric::{keys_of, level_keys};
use heddle_memory::{SpecError, dram};
use heddle_ptx::analysis::CoreLimits;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A machine as it is asked for: a preset or a file, mechanisms, settings. They apply in this order.
#[derive(Clone, Debug)]
pub struct Machine {
    lineage: Lineage,
    mechanisms: Vec<String>,
    settings: Vec<String>,
}

/// A machine with every key known and checked: a GPU, which runs programs, or one of any kind ([`MachineSpec`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved<S = GpuSpec> {
    /// What is simulated.
    pub spec: S,
    /// The file that, given back, gives the same machine.
    pub toml: String,
    /// [`fnv1a`] of that file.
    pub hash: u64,
    /// The names of the mechanisms that it contains, in the order in which they were asked for.
    pub mechanisms: Vec<String>,
    /// What was chosen so that the keys that were changed go together with the others, a sentence each.
    pub notes: Vec<String>,
    /// Every file that was read for it, which no output may replace.
    pub files: Vec<PathBuf>,
}

impl Machine {
    /// A preset by its name, or a file by its path.
    pub fn named(name_or_path: &str) -> Result<Machine, MachineError> {
        layer::load(name_or_path, Path::new("")).map(Machine::of)
    }

    /// A machine file that is no file: `name` stands in errors, `folder` is where it would inherit from.
    pub fn from_text(name: &str, text: &str, folder: &Path) -> Result<Machine, MachineError> {
        layer::load_text(name, text, folder).map(Machine::of)
    }

    fn of(lineage: Lineage) -> Machine {
        Machine { lineage, mechanisms: Vec::new(), settings: Vec::new() }
    }

    /// All keys, before mechanisms and settings.
    pub(crate) fn tree(&self) -> &Table {
        &self.lineage.tree
    }

    /// The same with mechanisms; a word may name several with `+` between them.
    pub fn with<S: AsRef<str>>(mut self, mechanisms: &[S]) -> Machine {
        self.mechanisms.extend(mechanisms.iter().map(|word| word.as_ref().to_string()));
        self
    }

    /// The same with keys set, each as `path=value`.
    pub fn set<S: AsRef<str>>(mut self, settings: &[S]) -> Machine {
        self.settings.extend(settings.iter().map(|setting| setting.as_ref().to_string()));
        self
    }

    /// Puts everything together for a machine that runs programs, and refuses what no such machine can be.
    pub fn resolve(&self) -> Result<Resolved, MachineError> {
        self.resolve_any()?.into_gpu()
    }

    /// Puts everything together for a machine of any kind, and refuses what no machine can be.
    pub fn resolve_any(&self) -> Result<Resolved<MachineSpec>, MachineError> {
        let mut lineage = self.lineage.clone();
        lineage.add(mechanism::named(&self.mechanisms, Path::new(""))?)?;
        let Lineage { file: file_name, mut tree, preset, mechanisms, mut files, .. } = lineage;
        let below = tree.clone();
        for setting in &self.settings {
            apply(&mut tree, setting)?;
        }
        files.append(&mut part::expand(&mut tree, &below, Path::new(""))?);
        let (spec, notes) = assemble(&tree, &file_name).map_err(|error| match error {
            Refusal::Decoding(error) => error,
            Refusal::Check(error) => {
                let error = MachineError::from(error.clone()).at(tree::origin_of(&tree, &error.key));
                let below = Below { settings: &below, files: &preset };
                blame(error, &tree, &below, |tree| assemble(tree, &file_name).is_ok())
            }
        })?;
        let mechanisms = mechanisms.into_iter().map(|mechanism| mechanism.name).collect();
        Ok(Resolved { files, ..Resolved::new(spec, mechanisms, notes)? })
    }
}

/// Why a tree is no machine.
enum Refusal {
    /// A key has no value that can be understood.
    Decoding(MachineError),
    /// The values do not go together.
    Check(SpecError),
}

/// Sets one key, if machines of this kind can have it.
fn apply(tree: &mut Table, setting: &str) -> Result<(), MachineError> {
    let kind = MachineKind::of(tree).map_err(Fault::into_error)?;
    let first = setting.split(['.', '=']).next().unwrap_or_default().trim();
    if kind.is_foreign(first) {
        return Err(kind.refuse(first).at(Some(Origin::Setting(setting.into()))));
    }
    setting::apply(tree, setting, &known_paths(kind))
}

/// The machine of a tree with all keys, and what was chosen so that they go together.
fn assemble(tree: &Table, file_name: &str) -> Result<(MachineSpec, Vec<String>), Refusal> {
    let gathered = lists::gather(tree).map_err(Refusal::Decoding)?;
    let mut spec = kind::read(gathered).map_err(|error| {
        let fault = match error {
            ReadError::Fault(fault) => fault,
            ReadError::Foreign(error) => return Refusal::Decoding(error),
        };
        let (lost, missing) = (fault.lost, fault.missing);
        let mut error = fault.into_error();
        if missing && error.origin.is_none() {
            error.problem = format!("{} in {file_name}", error.problem);
        }
        let kind = MachineKind::of(tree).unwrap_or_default();
        Refusal::Decoding(match nearest_path(&error.key, &known_paths(kind)).filter(|_| lost) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        })
    })?;
    leave_out_clocks(&mut spec, tree).map_err(Refusal::Decoding)?;
    let notes = fit(spec.memory_mut(), tree);
    spec.check().map_err(Refusal::Check)?;
    Ok((spec, notes))
}

/// Leaves out clocks that nothing runs at although the file that was inherited has them. One that the user wrote is an
/// error.
fn leave_out_clocks(spec: &mut MachineSpec, tree: &Table) -> Result<(), MachineError> {
    let memory = spec.memory_mut().clone();
    let clocks = spec.clocks_mut();
    if clocks.check(&memory).is_err() {
        // Told with all others that are there; one of them may be meant.
        return Ok(());
    }
    let unused: Vec<String> = clocks.unused(&memory).into_iter().map(str::to_owned).collect();
    for name in unused {
        let key = format!("clocks.{name}");
        let written = tree::get(tree, &key).filter(|node| is_users(&node.key_origin));
        clocks.others.remove(&name);
        let Some(node) = written else { continue };
        let shared =
            memory.caches.iter().filter(|level| !level.is_private()).map(|level| level.name.as_str());
        let networks = memory.networks.iter().map(|network| network.name.as_str());
        let near = nearest(&name, shared.chain(networks).chain(["core"]));
        let problem = match memory.cache(&name) {
            Some(_) => "a core's own cache runs at clocks.core; leave it out",
            None => "no level and no network runs at it",
        };
        let error = MachineError::of_key(key, problem).at(Some(node.key_origin.clone()));
        return Err(match near {
            Some(near) => error.with_help(format!("did you mean `clocks.{near}`?")),
            None => error
                .with_help("leave it out, or name it with `clock` of the level or network that it is for"),
        });
    }
    Ok(())
}

impl Resolved<MachineSpec> {
    fn new(spec: MachineSpec, mechanisms: Vec<String>, notes: Vec<String>) -> Result<Self, MachineError> {
        let table = spec
            .to_file(&mechanisms)
            .map_err(|error| MachineError::new(format!("cannot be written as TOML: {error}")))?;
        let toml = emit(&lists::spread(table));
        let hash = fnv1a(toml.as_bytes());
        Ok(Resolved { spec, toml, hash, mechanisms, notes, files: Vec::new() })
    }

    /// The same as a GPU, if it is one.
    pub fn into_gpu(self) -> Result<Resolved, MachineError> {
        let Resolved { spec, toml, hash, mechanisms, notes, files } = self;
        match spec {
            MachineSpec::Gpu(spec) => Ok(Resolved { spec: *spec, toml, hash, mechanisms, notes, files }),
            MachineSpec::Memory(spec) => {
                let problem = format!("{}: a machine of kind memory runs no programs", spec.name);
                let help = "`heddle memory replay MACHINE TRACE` drives it with a trace of requests; a program needs a \
                            machine of kind gpu, such as `fermi`";
                Err(MachineError::new(problem).with_help(help))
            }
        }
    }
}

impl Resolved {
    /// What bounds the blocks and warps of a core, for the calculation of occupancy.
    pub fn core_limits(&self) -> CoreLimits {
        let shared: Vec<Bytes> = self.spec.splits.iter().map(|split| split.shared).collect();
        heddle_gpu::core_limits(&self.spec, &shared)
    }
}

impl<S> Resolved<S> {
    /// The full machine file; see [`Resolved::toml`].
    pub fn to_toml(&self) -> &str {
        &self.toml
    }

    /// The keys whose values differ from another machine's: path, value here, value there, as TOML writes them.
    pub fn differences<T>(&self, other: &Resolved<T>) -> Vec<(String, String, String)> {
        let (ours, theirs) = (flat(&self.toml), flat(&other.toml));
        let mut paths: Vec<&String> = ours.iter().map(|(path, _)| path).collect();
        paths
            .extend(theirs.iter().map(|(path, _)| path).filter(|path| !ours.iter().any(|(p, _)| p == *path)));
        let value = |of: &[(String, String)], path: &String| {
            of.iter().find(|(known, _)| known == path).map_or("-".to_string(), |(_, value)| value.clone())
        };
        paths
            .into_iter()
            .map(|path| (path.clone(), value(&ours, path), value(&theirs, path)))
            .filter(|(_, ours, theirs)| ours != theirs)
            .collect()
    }
}

/// All values of a resolved file with their paths, in its order; items of arrays of tables by number.
pub(crate) fn flat(text: &str) -> Vec<(String, String)> {
    fn walk(path: &str, value: &toml::Value, found: &mut Vec<(String, String)>) {
        let inner = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(table) => {
                table.iter().for_each(|(key, value)| walk(&inner(key), value, found));
            }
            toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
                let numbered = items.iter().enumerate();
                numbered.for_each(|(number, value)| walk(&inner(&number.to_string()), value, found));
            }
            plain => found.push((path.to_string(), plain.to_string())),
        }
    }
    let mut found = Vec::new();
    if let Ok(table) = text.parse::<toml::Table>() {
        walk("", &toml::Value::Table(table), &mut found);
    }
    found
}

/// Every path of a machine of a kind, in the order of resolved files.
fn known_paths(kind: MachineKind) -> Vec<String> {
    static PATHS: OnceLock<Vec<String>> = OnceLock::new();
    let of_presets = PATHS.get_or_init(|| {
        let resolved = Machine::named("fermi").and_then(|machine| machine.resolve_any());
        let text = resolved.map(|resolved| resolved.toml).unwrap_or_default();
        let mut paths: Vec<String> = flat(&text).into_iter().map(|(path, _)| path).collect();
        // Keys without a value are not written.
        let keys = dram::keys().into_iter().map(|key| format!("dram.{key}"));
        let of_levels = level_keys().into_iter().flat_map(|key| {
            ["l1", "constant", "texture", "instruction", "l2"].map(|level| format!("{level}.{key}"))
        });
        let of_network = keys_of::<CrossbarSpec>().iter().map(|key| format!("interconnect.{key}"));
        let more: Vec<String> =
            keys.chain(of_levels).chain(of_network).filter(|key| !paths.contains(key)).collect();
        paths.extend(more);
        paths
    });
    let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
    let is_known = |path: &&String| !kind.is_foreign(&first(path));
    of_presets.iter().filter(is_known).cloned().chain(kind.further_paths()).collect()
}

/// The machines that are compiled in.
pub fn presets() -> Result<Vec<Resolved<MachineSpec>>, MachineError> {
    MACHINES.iter().map(|preset| Machine::named(preset.name)?.resolve_any()).collect()
}
