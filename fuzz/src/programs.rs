//! PTX text and launch plans.

use crate::{MEMORY_BYTES, sample};
use heddle_device::{Argument, Device, DeviceError, FunctionHandle, Launch, Machine};
use heddle_gpu::{Gpu, GpuSpec, RunSettings};
use heddle_ptx::exec::Functional;
use heddle_ptx::syntax;
use heddle_workloads::plan::Plan;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::OnceLock;

/// Passes of all loops of a plan.
const PASSES: usize = 200;
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
/// may be as long as they say, so the run is given up after some passes.
pub fn plan(data: &[u8]) {
    struct Enough;
    let text = String::from_utf8_lossy(data);
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/plans"));
    let plan = match Plan::parse("fuzz.toml", folder, &text) {
        Ok(plan) => plan,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let passes = Cell::new(0);
    let progress = |_: usize, _: u64| {
        passes.set(passes.get() + 1);
        if passes.get() > PASSES {
            resume_unwind(Box::new(Enough));
        }
    };
    let mut device = Device::with_memory(Box::new(functional()), MEMORY_BYTES);
    let run = || plan.run(Some(&sample(true)), None, &mut device, &progress);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(outcome)) => outcome.saved.iter().for_each(|saved| assert!(saved.elements().all(|e| !e.is_empty()))),
        Ok(Err(error)) => assert!(!error.to_string().is_empty()),
        Err(thrown) if thrown.is::<Enough>() => {}
        Err(thrown) => resume_unwind(thrown),
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
