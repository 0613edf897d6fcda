//! The keys of a plan's file.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Value;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    /// What it does, for people.
    #[serde(default)]
    pub(super) description: String,
    /// PTX files, relative to the plan.
    pub(super) ptx: Vec<String>,
    /// The graph, unless the command names another.
    pub(super) graph: Option<String>,
    /// Transforms of the graph, as `--transform` takes them.
    #[serde(default)]
    pub(super) transforms: Vec<String>,
    /// The start vertex; the first of largest degree if absent.
    pub(super) source: Option<u32>,
    /// Scalars by name.
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Value>,
    /// Buffers, in the order of allocation.
    #[serde(default, rename = "buffer")]
    pub(super) buffers: Vec<BufferModel>,
    /// Linear textures over buffers.
    #[serde(default, rename = "texture")]
    pub(super) textures: Vec<TextureModel>,
    /// What is done.
    #[serde(default, rename = "step")]
    pub(super) steps: Vec<StepModel>,
    /// Buffers that are written to files at the end, relative to the working folder.
    #[serde(default)]
    pub(super) save: BTreeMap<String, String>,
    /// What the result must be.
    #[serde(default, rename = "check")]
    pub(super) checks: Vec<CheckModel>,
}

/// `[[buffer]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BufferModel {
    pub(super) name: String,
    /// Type of an element; `u32` if absent.
    #[serde(rename = "type")]
    pub(super) ty: Option<String>,
    /// Elements: a number or an expression.
    pub(super) length: Option<Value>,
    /// The value of every element.
    pub(super) fill: Option<Value>,
    /// The elements themselves.
    pub(super) values: Option<Vec<Value>>,
    /// A file of little-endian elements, relative to the plan.
    pub(super) file: Option<String>,
    /// An array of the graph.
    pub(super) graph: Option<String>,
    /// Single elements with other values.
    #[serde(default)]
    pub(super) set: Vec<ElementModel>,
}

/// `{ index = "source", value = 0 }`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ElementModel {
    pub(super) index: Value,
    pub(super) value: Value,
}

/// `[[texture]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextureModel {
    /// The `.texref`.
    pub(super) name: String,
    pub(super) buffer: String,
    /// Type of a component.
    #[serde(rename = "type")]
    pub(super) ty: String,
    #[serde(default = "one")]
    pub(super) components: u8,
    #[serde(default)]
    pub(super) normalised: bool,
}

fn one() -> u8 {
    1
}

/// One step: exactly one of `launch`, `fill`, `copy`, `swap`, `let`, `repeat`, and the keys that go with it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepModel {
    /// A kernel.
    pub(super) launch: Option<String>,
    /// Threads in all; blocks follow from the block size.
    pub(super) threads: Option<Value>,
    /// Blocks: a number, an expression, or up to three.
    pub(super) grid: Option<Value>,
    /// Threads of a block: likewise.
    pub(super) block: Option<Value>,
    /// Dynamic shared memory in bytes.
    pub(super) shared: Option<Value>,
    /// Buffers and scalars by name, or constants with a type.
    #[serde(default)]
    pub(super) arguments: Vec<Value>,
    /// A buffer or variable to be filled, or a single element of it with `index`.
    pub(super) fill: Option<String>,
    /// What with.
    pub(super) value: Option<Value>,
    /// One element of `fill`.
    pub(super) index: Option<Value>,
    /// From this buffer …
    pub(super) copy: Option<String>,
    /// … to that one.
    pub(super) to: Option<String>,
    /// Two buffers whose names change places.
    pub(super) swap: Option<Vec<String>>,
    /// A scalar …
    #[serde(rename = "let")]
    pub(super) assign: Option<String>,
    /// … and its new value: an expression, or the first element of a buffer by `{ element = "name" }`.
    pub(super) be: Option<Value>,
    /// A loop.
    pub(super) repeat: Option<RepeatModel>,
    /// Its body.
    #[serde(default)]
    pub(super) steps: Vec<StepModel>,
}

/// `{ until = "flag", is = 0, limit = 1000 }` or `{ times = 10 }`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepeatModel {
    /// A buffer, whose first element is looked at after each pass, or an integer scalar.
    pub(super) until: Option<String>,
    /// The value that ends the loop; 0 if absent.
    pub(super) is: Option<Value>,
    /// Passes after which the run fails.
    pub(super) limit: Option<Value>,
    /// A fixed number of passes.
    pub(super) times: Option<Value>,
}

/// `[[check]]`: a buffer against a file, values, or the reference answer of a problem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckModel {
    pub(super) buffer: String,
    /// A file of little-endian elements, relative to the plan.
    pub(super) file: Option<String>,
    /// The elements themselves.
    pub(super) values: Option<Vec<Value>>,
    /// A problem: bfs, sssp, wcc, cc, colouring, mis, pagerank, bc.
    pub(super) reference: Option<String>,
    /// How far floats may be off, relative to the expected value, or to 1 if that is larger.
    pub(super) tolerance: Option<f64>,
    /// Damping of PageRank.
    pub(super) damping: Option<f64>,
    /// How the buffer says "not reached": a number; all bits set, 2147483647 or infinity if absent.
    pub(super) unreached: Option<Value>,
}
