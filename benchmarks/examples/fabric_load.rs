//! A saturating load for instruction counts: `fabric_load MACHINE LINES TRANSACTIONS`, to be run under
//! callgrind. Without arguments, reads of the `gtx480` that go to DRAM.

#[path = "../memory/fabric/load.rs"]
mod load;
#[path = "../../crates/memory/tests/fabric/machines.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod machines;

use heddle_memory::fabric::Fabric;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| match arguments.get(place) {
        Some(text) => text.parse(),
        None => Ok(otherwise),
    };
    let spec = match arguments.first().map(String::as_str) {
        Some("fermi") => machines::fermi(),
        _ => machines::gtx480(),
    };
    let clocks = machines::clocks(&spec, 700, 700, 700);
    let fabric = Fabric::new(&spec.fabric(), &clocks, 15)?;
    let mut load = load::Load::new(fabric, clocks, 15, number(1, 1 << 20)?);
    load.answer(number(2, 100_000)?);
    Ok(())
}
