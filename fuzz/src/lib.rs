//! What the fuzz targets do with the bytes that they are given.
//!
//! A reader may refuse anything, but it must not panic, hang, or take memory that the file does not
//! justify, and what it accepts must be a graph (or a program that prints and parses to itself). Readers get a file, as users give them, so that the
//! memory map and the search for companion files take part.

use heddle_device::{Argument, Device, Launch};
use heddle_graph::generate::{self, ParameterKind, Parameters};
use heddle_graph::limits::Limits;
use heddle_graph::progress::Silent;
use heddle_graph::read::{self, ReadOptions, WeightPolicy};
use heddle_graph::{Csr, Format, Graph, surrogate, transform, write};
use heddle_memory::dram::trace::{TraceReader, TraceRequest};
use heddle_memory::dram::{Arrival, DramSpec, Pattern, PatternRequests, SpecError, part, read_part, replay};
use heddle_machine::Machine;
use heddle_ptx::exec::Functional;
use heddle_ptx::syntax;
use heddle_workloads::plan::Plan;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

const MEMORY_BYTES: u64 = 16 << 20;
const POLICIES: [WeightPolicy; 6] = [
    WeightPolicy::Describe,
    WeightPolicy::Refuse,
    WeightPolicy::Drop,
    WeightPolicy::Round,
    WeightPolicy::Absolute,
    WeightPolicy::Scale(2.5),
];

/// Reads the bytes as a file of that format.
pub fn read_as(format: Format, data: &[u8]) {
    let path = store("graph", data);
    if let Some(graph) = read(&path, Some(format), data.len()) {
        write_and_read_again(graph, format);
    }
}

/// Reads the bytes as a file of whatever format they look like.
pub fn read_any(data: &[u8]) {
    read(&store("graph", data), None, data.len());
}

/// Reads the bytes up to the first zero as `.properties`, and the others as the bit stream beside it.
pub fn read_webgraph(data: &[u8]) {
    let mut parts = data.splitn(2, |&byte| byte == 0);
    let (properties, bits) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    store("web.properties", properties);
    read(&store("web.graph", bits), Some(Format::WebGraph), data.len());
}

/// Generates what the bytes say, if that is small; reads the names and shrinking of surrogates.
pub fn recipe(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(name) = text.strip_prefix("surrogate:") {
        let (name, shrink) = name.split_once(",shrink=").unwrap_or((name, "1"));
        if let (Some(surrogate), Ok(shrink)) = (surrogate::by_name(name), shrink.parse()) {
            let _ = surrogate.recipe_shrunk(shrink);
        }
        return;
    }
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    let small = match generate::by_name(name) {
        Some(generator) => Parameters::parse(generator.parameters, values).is_ok_and(|parameters| {
            generator.parameters.iter().all(|parameter| match parameter.kind {
                ParameterKind::Integer { .. } | ParameterKind::Size { .. } if parameter.name != "seed" => {
                    parameters.integer(parameter.name) <= if parameter.name == "scale" { 6 } else { 64 }
                }
                _ => true,
            })
        }),
        None => true,
    };
    if small && let Ok(loaded) = generate::generate(text, &Silent) {
        check(&loaded.graph);
    }
}

/// Applies the transforms that the lines say, one after the other, to a small graph.
pub fn transform(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let directed = data.len() % 2 == 0;
    let mut graph = sample(directed);
    for line in text.lines().take(8) {
        if let Ok(transform) = transform::parse(line) {
            graph = transform::apply(graph, &transform).graph;
            check(&graph);
        }
    }
}

/// Reads the bytes as PTX. What is accepted is printed, read again and the same; what is refused has a place.
pub fn ptx_syntax(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let tree = match syntax::parse("fuzz.ptx", &text) {
        Ok(tree) => tree,
        Err(errors) => return check_errors(&errors),
    };
    let printed = syntax::print(&tree);
    let again = syntax::parse("printed.ptx", &printed).unwrap_or_else(|errors| panic!("{errors}\n{printed}"));
    let module = |tree: &syntax::Tree| heddle_ptx::resolve::resolve("fuzz.ptx", tree, &["vprintf"]);
    match (module(&tree), module(&again)) {
        (Ok(first), Ok(second)) => assert_eq!(first.without_places(), second.without_places()),
        (Err(first), Err(_)) => check_errors(&first),
        (first, second) => panic!("{first:?}\n{second:?}"),
    }
    assert_eq!(tree.without_places(), again.without_places());
}

/// PTX text that loads is launched: every kernel, two blocks, pointers to a small buffer, few instructions.
pub fn ptx_run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut device = small_device();
    let module = match device.load_module("fuzz.ptx", &text) {
        Ok(module) => module,
        Err(heddle_device::DeviceError::Ptx(errors)) => return check_errors(&errors),
        Err(_) => return,
    };
    let Ok(buffer) = device.allocate_zeroed("buffer", 4096) else { return };
    let functions = device.module(module).functions.iter();
    let kernels: Vec<String> = functions.filter(|f| f.is_kernel).map(|f| f.name.clone()).collect();
    for kernel in kernels.iter().take(4) {
        let function = device.function(module, kernel).expect("a kernel of the module");
        let parameters = device.kernel(function).parameters.iter();
        let bytes: Vec<u32> = parameters.map(|parameter| parameter.bytes).collect();
        if bytes.iter().any(|&bytes| bytes > 1 << 16) {
            continue;
        }
        let argument = |&bytes: &u32| match bytes {
            8 => Argument::from(buffer),
            bytes => Argument::from(vec![3; bytes as usize]),
        };
        let arguments: Vec<Argument> = bytes.iter().map(argument).collect();
        let launch = Launch::new([2, 1, 1], [40, 1, 1]).shared(256);
        if let Err(error) = device.launch(function, launch, &arguments) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A plan that is read is run, unless it has loops, which may be as long as they say. Paths lead nowhere, because
/// its folder does not exist.
pub fn plan(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let folder = Path::new("/nowhere/at/all");
    match Plan::parse("fuzz.toml", folder, &text) {
        Ok(_) if text.contains("repeat") => {}
        Ok(plan) => drop(plan.run(Some(&sample(true)), None, &mut small_device(), &|_, _| ())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A table that is read prices the largest counts without an infinite sum.
pub fn energy_table(data: &[u8]) {
    let table = match heddle_energy::load::parse("fuzz.toml", &String::from_utf8_lossy(data)) {
        Ok(table) => table,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let counts = table.counted().map(|(_, count)| (count.to_owned(), u64::MAX));
    let statistics: heddle_engine::Statistics = counts.collect();
    let run = heddle_energy::Run::new(1.0).expect("a second is a time");
    match heddle_energy::price(&table, &statistics, &run) {
        Ok(energy) => assert!(energy.total_joules.is_finite() && energy.total_joules > 0.0),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A trace that is read is replayed, open and closed loop; each request is served once.
pub fn dram_trace(data: &[u8]) {
    let mut reader = TraceReader::new(data);
    let mut requests = Vec::new();
    loop {
        match reader.next_request() {
            Ok(Some(request)) => requests.push(request),
            Ok(None) => break,
            Err(error) => return assert!(error.line > 0 && !error.problem.is_empty()),
        }
    }
    let part = part(if data.len() % 2 == 0 { "ddr4-2400" } else { "gddr5-gtx480" }).expect("a built-in part");
    let spec = read_part(part.text, &[]).expect("a built-in part is sound");
    serve(&spec, Arrival::ByCycle, &requests);
    serve(&spec, Arrival::Outstanding(1 + data.len() as u32 % 40), &requests);
}

/// A part that is accepted serves some requests.
pub fn dram_part(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let spec = match read_part(&text, &[]) {
        Ok(spec) => spec,
        Err(error) => return assert!(!error.key.is_empty() && !error.problem.is_empty()),
    };
    let requests = PatternRequests::new(&spec, Pattern::Random, 30, 3, 1).expect("the part was accepted");
    let requests: Vec<TraceRequest> = requests.take(200).collect();
    serve(&spec, Arrival::ByCycle, &requests);
    serve(&spec, Arrival::Outstanding(16), &requests);
}

fn serve(spec: &DramSpec, arrival: Arrival, requests: &[TraceRequest]) {
    let mut served = 0;
    let mut source = requests.iter().copied();
    let each = |_: &_| {
        served += 1;
        Ok(())
    };
    replay::<SpecError>(spec, arrival, || Ok(source.next()), each).expect("the part was accepted");
    assert_eq!(served, requests.len());
}

/// Reads the bytes up to the first zero as a machine file, and each line of the others as a setting. What is
/// accepted gives the same machine when its resolved file is read.
pub fn machine(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (file, settings) = text.split_once('\0').unwrap_or((&text, ""));
    let folder = Path::new("/nowhere/at/all");
    let settings: Vec<&str> = settings.lines().take(8).collect();
    let machine = Machine::from_text("fuzz.toml", file, folder);
    match machine.and_then(|machine| machine.set(&settings).resolve()) {
        Ok(resolved) => {
            let again = Machine::from_text("again.toml", resolved.to_toml(), folder);
            assert_eq!(again.and_then(|machine| machine.resolve()), Ok(resolved));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.problem.is_empty()),
    }
}

fn small_device() -> Device {
    let machine = Functional { instruction_limit: Some(20_000), ..Functional::default() };
    Device::with_memory(Box::new(machine), MEMORY_BYTES)
}

fn check_errors(errors: &heddle_ptx::Diagnostics) {
    assert!(!errors.0.is_empty());
    assert!(errors.0.iter().all(|error| error.place.line > 0 && error.place.column > 0));
}

fn sample(directed: bool) -> Graph {
    let arcs = [(0u32, 1u32), (1, 2), (2, 0), (2, 2), (0, 1), (5, 6), (6, 5), (4, 3)].into_iter().collect();
    let made = match directed {
        true => heddle_graph::build::from_arcs(&arcs, 9).map(Graph::directed),
        false => heddle_graph::build::from_undirected_arcs(&arcs, 9).map(Graph::undirected),
    };
    made.expect("the sample is a graph")
}

/// Writes a file into a folder of this process, below `TMPDIR`.
fn store(name: &str, data: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| TempDir::new().expect("a folder for temporary files"));
    let path = folder.path().join(name);
    std::fs::write(&path, data).expect("a temporary file can be written");
    path
}

/// The length decides about the options, so that a corpus consists of true files.
fn read(path: &Path, format: Option<Format>, length: usize) -> Option<Graph> {
    let options = ReadOptions {
        format,
        undirected: length % 2 == 1,
        weights: POLICIES[length / 2 % POLICIES.len()],
        limits: Some(Limits { memory_bytes: MEMORY_BYTES, decompressed_bytes: MEMORY_BYTES }),
        ..ReadOptions::default()
    };
    match read::read(path, &options) {
        Ok(loaded) => {
            check(&loaded.graph);
            Some(loaded.graph)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.problem.is_empty());
            None
        }
    }
}

/// What was accepted is a graph.
fn check(graph: &Graph) {
    let (offsets, targets, weights) = graph.out_edges().clone().into_parts();
    Csr::new(offsets, targets, weights).expect("an accepted graph is one");
    assert_eq!(graph.in_edges().num_arcs(), graph.num_arcs());
}

/// A graph that its format can hold comes back from a file with as many vertices and arcs.
fn write_and_read_again(graph: Graph, format: Format) {
    let mut bytes = Vec::new();
    if !write::WRITABLE.contains(&format) || write::write(&graph, format, &mut bytes).is_err() {
        return;
    }
    let path = store("again", &bytes);
    let options =
        ReadOptions { format: Some(format), weights: WeightPolicy::Describe, ..ReadOptions::default() };
    let again = read::read(&path, &options).unwrap_or_else(|error| panic!("{error}")).graph;
    assert_eq!(again.num_vertices(), graph.num_vertices());
    // Formats without undirected graphs hold every edge as two arcs.
    assert_eq!(again.num_arcs(), graph.num_arcs());
}
