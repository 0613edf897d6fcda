//! PTX text and launch plans.

use crate::{MEMORY_BYTES, sample};
use heddle_device::{Argument, Device, DeviceError, FunctionHandle, Launch, Machine};
use heddle_gpu::{Gpu, GpuSpec, RunSettings};
use heddle_ptx::exec::Functional;
use heddle_ptx::syntax;
use heddle_workloads::plan::Plan;
use std::path::Path;
use std::sync::OnceLock;
use toml::Value;

/// Core cycles of a program's launches.
const CYCLES: u64 = 20_000;

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

/// PTX text that loads is launched, on the functional machine and on one with time: kernels in two blocks, with
/// pointers to a small buffer, for few instructions.
pub fn ptx_run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if launch_all(&text, Box::new(functional())) {
        let settings = RunSettings { max_cycles: Some(CYCLES), ..RunSettings::default() };
        let gpu = Gpu::new(small_gpu().clone(), settings).expect("a checked machine can be built");
        launch_all(&text, Box::new(gpu));
    }
}

/// Whether the text could be loaded.
fn launch_all(text: &str, machine: Box<dyn Machine>) -> bool {
    let mut device = Device::with_memory(machine, MEMORY_BYTES);
    let module = match device.load_module("fuzz.ptx", text) {
        Ok(module) => module,
        Err(DeviceError::Ptx(errors)) => {
            check_errors(&errors);
            return false;
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let functions = device.module(module).functions.iter();
    let kernels: Vec<String> = functions.filter(|f| f.is_kernel).map(|f| f.name.clone()).collect();
    for kernel in kernels.iter().take(4) {
        let function = device.function(module, kernel).expect("a kernel of the module");
        launch(&mut device, function);
    }
    true
}

fn launch(device: &mut Device, function: FunctionHandle) {
    let Ok(buffer) = device.allocate_zeroed("buffer", 4096) else { return };
    let parameters = device.kernel(function).parameters.iter();
    let bytes: Vec<u32> = parameters.map(|parameter| parameter.bytes).collect();
    if bytes.iter().any(|&bytes| bytes > 1 << 16) {
        return;
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

/// A plan that is read is run, in the folder of the example plans, so that it finds their programs and files. Loops
/// may be as long as they say, so they are shortened first.
pub fn plan(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/plans"));
    if let Err(error) = Plan::parse("fuzz.toml", folder, &text) {
        return assert!(!error.to_string().is_empty());
    }
    let mut table: toml::Table = text.parse().expect("a plan is TOML");
    shorten(&mut table, 0);
    let plan = Plan::from_table("fuzz.toml", folder, table).expect("it is a plan with shorter loops");
    let mut device = Device::with_memory(Box::new(functional()), MEMORY_BYTES);
    match plan.run(Some(&sample(true)), None, &mut device, &|_, _| ()) {
        Ok(outcome) => {
            outcome
                .saved
                .iter()
                .for_each(|saved| assert!(saved.elements().all(|element| !element.is_empty())));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Bounds the passes of every loop, the more the deeper it lies; expressions stay expressions.
fn shorten(table: &mut toml::Table, depth: usize) {
    let most = [3, 2].get(depth).copied().unwrap_or(1);
    let repeat = table.get_mut("repeat").and_then(Value::as_table_mut);
    let inner = depth + usize::from(repeat.is_some());
    if let Some(repeat) = repeat {
        if repeat.contains_key("until") {
            repeat.entry("limit").or_insert(Value::Integer(most));
        }
        for (_, passes) in repeat.iter_mut().filter(|(key, _)| *key == "times" || *key == "limit") {
            match passes {
                Value::Integer(number) => *number = (*number).min(most),
                Value::String(expression) => *expression = format!("min({expression}, {most})"),
                _ => {}
            }
        }
    }
    for (_, value) in table.iter_mut() {
        match value {
            Value::Table(table) => shorten(table, inner),
            Value::Array(items) => {
                items.iter_mut().filter_map(Value::as_table_mut).for_each(|item| shorten(item, inner))
            }
            _ => {}
        }
    }
}

fn functional() -> Functional {
    Functional { instruction_limit: Some(20_000), ..Functional::default() }
}

/// Two cores of a preset.
fn small_gpu() -> &'static GpuSpec {
    static SPEC: OnceLock<GpuSpec> = OnceLock::new();
    SPEC.get_or_init(|| {
        let machine = heddle_machine::Machine::named("fermi").expect("a preset");
        machine.set(&["core.count=2"]).resolve().expect("two cores are a machine").spec
    })
}

fn check_errors(errors: &heddle_ptx::Diagnostics) {
    assert!(!errors.0.is_empty());
    assert!(errors.0.iter().all(|error| error.place.line > 0 && error.place.column > 0));
}
