//! Simulates one kernel and prints the warp instructions that it executed, for `scripts/instructions`:
//! `measure_gpu MACHINE compute|gather|scatter`.
//!
//! *compute* is a loop of additions, *gather* loads from scattered places, *scatter* stores to them.

use heddle_device::{Argument, Device, DeviceError, Launch};
use heddle_gpu::{Gpu, RunSettings};
use heddle_machine::Machine;

/// Elements of the buffer, a power of two.
const ELEMENTS: u32 = 1 << 20;
/// Threads.
const THREADS: u64 = 1 << 14;

/// A loop of 32 turns around one instruction, or three.
fn program(body: &str) -> String {
    format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n\
         .visible .entry k(.param .u64 p) {{\n\
         .reg .pred %q; .reg .b32 %r<6>; .reg .b64 %d<4>;\n\
         ld.param.u64 %d0, [p];\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n\
         mad.lo.u32 %r0, %r1, %r2, %r0;\n\
         mov.u32 %r3, 0; mov.u32 %r4, 0;\n\
         LOOP:\n\
         mad.lo.u32 %r0, %r0, 1664525, 1013904223;\n\
         shr.u32 %r5, %r0, 12;\n\
         mul.wide.u32 %d1, %r5, 4;\n\
         add.u64 %d2, %d0, %d1;\n\
         {body}\n\
         add.u32 %r3, %r3, 1;\n\
         setp.lt.u32 %q, %r3, 32;\n\
         @%q bra LOOP;\n\
         ret;\n}}\n"
    )
}

#[inline(never)]
fn measured(device: &mut Device, text: &str) -> Result<u64, DeviceError> {
    let module = device.load_module("measure.ptx", text)?;
    let kernel = device.function(module, "k")?;
    let buffer = device.allocate_with("data", &vec![1u32; ELEMENTS as usize])?;
    let report = device.launch(kernel, Launch::linear(THREADS, 256), &[Argument::from(buffer)])?;
    Ok(report.warp_instructions)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, machine, kind] = &arguments[..] else { return Err("measure_gpu MACHINE KIND".into()) };
    let body = match kind.as_str() {
        "compute" => "add.u32 %r4, %r4, %r5;",
        "gather" => "ld.global.u32 %r4, [%d2];",
        "scatter" => "st.global.u32 [%d2], %r4;",
        other => return Err(format!("{other}: expected compute, gather or scatter").into()),
    };
    let gpu = Gpu::new(Machine::named(machine)?.resolve()?.spec, RunSettings::default())?;
    let instructions = measured(&mut Device::new(Box::new(gpu)), &program(body))?;
    println!("{instructions}");
    Ok(())
}
