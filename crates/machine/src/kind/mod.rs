//! Kinds of machines. What all have is decoded once (`common`); a kind adds tables of its own, in a file here.
//!
//! A new kind is such a file, with its tables and its [`Kind`], and a line in the registry below. Names, the keys that
//! belong to it, decoding, writing and checking follow from that.

mod gpu;
mod memory;

use crate::blame::beyond_presets;
use crate::common::{BEFORE_OWN, Common};
use crate::decode::{Fault, decode};
use crate::error::MachineError;
use crate::tree::Table;
use gpu::GpuTables;
use heddle_gpu::GpuSpec;
use heddle_memory::SpecError;
use heddle_memory::fabric::{Clocks, FabricSpec, keys_of};
use memory::MemoryTables;
pub use memory::{MemorySpec, RequesterSpec};
use serde::{Deserialize, Serialize};

/// The tables that a kind of machine has for itself, and the machine that they describe with those of all.
trait Kind: Serialize + for<'de> Deserialize<'de> {
    /// The machine.
    type Spec;

    /// The paths of its own tables that `fermi`, which lends its paths to all kinds, does not have.
    fn paths() -> Vec<String> {
        Vec::new()
    }

    /// The machine that a file describes.
    fn into_spec(self, common: Common) -> Result<Self::Spec, Fault>;

    /// The file that describes a machine.
    fn of(spec: &Self::Spec) -> (Common, Self);

    /// The clocks.
    fn clocks_mut(spec: &mut Self::Spec) -> &mut Clocks;

    /// The memory system.
    fn memory_mut(spec: &mut Self::Spec) -> &mut FabricSpec;

    /// Whether this can be a machine.
    fn check(spec: &Self::Spec) -> Result<(), SpecError>;
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident = $name:literal: $tables:ty => $spec:ty,)*) => {
        /// What sort of machine a file describes.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum MachineKind {
            $($(#[$meta])* #[serde(rename = $name)] $kind,)*
        }

        impl MachineKind {
            /// All of them.
            pub const ALL: &'static [MachineKind] = &[$(MachineKind::$kind),*];

            /// The name that files use.
            pub fn name(self) -> &'static str {
                match self { $(MachineKind::$kind => $name,)* }
            }

            /// The keys at the top of a file that only some kinds have, this one among them.
            fn own_keys(self) -> &'static [&'static str] {
                match self { $(MachineKind::$kind => keys_of::<$tables>(),)* }
            }

            /// The paths of its own tables that `fermi`, which lends its paths to all kinds, does not have.
            pub(crate) fn further_paths(self) -> Vec<String> {
                match self { $(MachineKind::$kind => <$tables>::paths(),)* }
            }

            fn decode(self, common: Common, own: &Table) -> Result<MachineSpec, Fault> {
                match self {
                    $(MachineKind::$kind => {
                        decode::<$tables>(own)?.into_spec(common).map(|spec| MachineSpec::$kind(Box::new(spec)))
                    })*
                }
            }
        }

        /// A machine of any kind.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum MachineSpec {
            $(#[doc = concat!("One of kind `", $name, "`.")] $kind(Box<$spec>),)*
        }

        impl MachineSpec {
            /// What sort of machine it is.
            pub fn kind(&self) -> MachineKind {
                match self { $(MachineSpec::$kind(_) => MachineKind::$kind,)* }
            }

            /// The machine's name.
            pub fn name(&self) -> &str {
                match self { $(MachineSpec::$kind(spec) => &spec.name,)* }
            }

            /// What it is, in a line.
            pub fn description(&self) -> &str {
                match self { $(MachineSpec::$kind(spec) => &spec.description,)* }
            }

            /// Where its figures are from.
            pub fn source(&self) -> &str {
                match self { $(MachineSpec::$kind(spec) => &spec.source,)* }
            }

            /// Its memory system by itself, with a requester in place of each core.
            pub fn into_memory(self) -> MemorySpec {
                match self { $(MachineSpec::$kind(spec) => MemorySpec::from(*spec),)* }
            }

            pub(crate) fn clocks_mut(&mut self) -> &mut Clocks {
                match self { $(MachineSpec::$kind(spec) => <$tables>::clocks_mut(spec),)* }
            }

            pub(crate) fn memory_mut(&mut self) -> &mut FabricSpec {
                match self { $(MachineSpec::$kind(spec) => <$tables>::memory_mut(spec),)* }
            }

            pub(crate) fn check(&self) -> Result<(), SpecError> {
                match self { $(MachineSpec::$kind(spec) => <$tables>::check(spec),)* }
            }

            /// The whole file that describes it, with these mechanisms in it.
            pub(crate) fn to_file(&self, mechanisms: &[String]) -> Result<toml::Table, toml::ser::Error> {
                match self {
                    $(MachineSpec::$kind(spec) => {
                        let (mut common, own) = <$tables>::of(spec);
                        common.mechanisms = mechanisms.to_vec();
                        join(common, own)
                    })*
                }
            }
        }
    };
}

kinds! {
    /// SIMT cores that execute PTX.
    #[default]
    Gpu = "gpu": GpuTables => GpuSpec,
    /// A memory system alone, driven by a trace of requests.
    Memory = "memory": MemoryTables => MemorySpec,
}

/// One file of the keys of all kinds and those of one.
fn join(common: Common, own: impl Serialize) -> Result<toml::Table, toml::ser::Error> {
    let mut own = Some(toml::Table::try_from(own)?);
    let mut file = toml::Table::new();
    for (key, value) in toml::Table::try_from(common)? {
        let is_place = key == BEFORE_OWN;
        file.insert(key, value);
        if is_place {
            file.extend(own.take().into_iter().flatten());
        }
    }
    Ok(file)
}

impl MachineKind {
    /// The kind that a tree names.
    pub(crate) fn of(tree: &Table) -> Result<MachineKind, Fault> {
        /// The one key that is looked at.
        #[derive(Deserialize)]
        struct KindAlone {
            #[serde(default)]
            kind: MachineKind,
        }
        let named: Table =
            tree.get_key_value("kind").map(|(key, node)| (key.clone(), node.clone())).into_iter().collect();
        decode::<KindAlone>(&named).map(|alone| alone.kind)
    }

    /// Whether a key at the top of files is known to other kinds, and not to this one.
    pub(crate) fn is_foreign(self, key: &str) -> bool {
        !keys_of::<Common>().contains(&key)
            && !self.own_keys().contains(&key)
            && MachineKind::ALL.iter().any(|other| other.own_keys().contains(&key))
    }

    /// What is wrong with a key that is foreign.
    pub(crate) fn refuse(self, key: &str) -> MachineError {
        let others = MachineKind::ALL.iter().filter(|other| other.own_keys().contains(&key));
        let others: Vec<&str> = others.map(|other| other.name()).collect();
        let problem = format!("[{key}] belongs to machines of kind {}", others.join(" and "));
        let help = format!("this machine is of kind {}; leave it out, or name another kind", self.name());
        MachineError::of_key(key, problem).with_help(help)
    }
}

/// The machine of a tree whose lists have been gathered. Keys of other kinds are left out if all that they say comes from
/// presets: a machine may inherit the memory system of one of another kind.
pub(crate) fn read(mut tree: Table) -> Result<MachineSpec, ReadError> {
    let kind = MachineKind::of(&tree)?;
    for (key, node) in tree.iter().filter(|(key, _)| kind.is_foreign(key)) {
        if let Some(origin) = beyond_presets(node) {
            return Err(ReadError::Foreign(kind.refuse(key).at(Some(origin.clone()))));
        }
    }
    tree.retain(|key, _| !kind.is_foreign(key));
    let (of_all, own) = (keys_of::<Common>(), kind.own_keys());
    let known: Vec<&'static str> = of_all.iter().chain(own).copied().collect();
    if let Some((key, node)) = tree.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(Fault::unknown_key(key, node, &known).into());
    }
    let (own, of_all): (Table, Table) = tree.into_iter().partition(|(key, _)| own.contains(&key.as_str()));
    Ok(kind.decode(decode(&of_all)?, &own)?)
}

/// Why a tree cannot be decoded.
pub(crate) enum ReadError {
    /// A key has no value that can be understood.
    Fault(Fault),
    /// A key belongs to another kind of machine.
    Foreign(MachineError),
}

impl From<Fault> for ReadError {
    fn from(fault: Fault) -> ReadError {
        ReadError::Fault(fault)
    }
}
