//! What no on-chip store can be, and no way to divide it.

use super::{within, wrong};
use heddle_engine::units::Bytes;
use heddle_gpu::{GpuSpec, Split};
use heddle_memory::SpecError;
use heddle_memory::cache::CacheSpec;
use heddle_memory::request::Path;

const LARGEST_STORE: Bytes = Bytes(16 << 20);

pub(super) fn check(spec: &GpuSpec) -> Result<(), SpecError> {
    let shared = &spec.shared_memory;
    within("shared_memory.latency", shared.latency.into(), 0, 1 << 16)?;
    within("shared_memory.banks", shared.banks.into(), 1, 1024)?;
    if !shared.banks.is_power_of_two() {
        let problem = format!("expected a power of two, found {}", shared.banks);
        return wrong("shared_memory.banks", problem);
    }
    if shared.store.0 == 0 || shared.store > LARGEST_STORE {
        let problem = format!("expected 1B to {LARGEST_STORE}, found {}", shared.store);
        return wrong("shared_memory.store", problem);
    }
    if shared.unit.0 == 0 || shared.unit > shared.store {
        let problem = format!("expected 1B to shared_memory.store = {}, found {}", shared.store, shared.unit);
        return wrong("shared_memory.unit", problem);
    }
    within("split", spec.splits.len() as u64, 1, 16)?;
    check_unified(spec)?;
    spec.splits.iter().enumerate().try_for_each(|(number, split)| check_split(spec, number, split))
}

/// A unified store holds a full register file, the most shared memory, and a way of L1.
fn check_unified(spec: &GpuSpec) -> Result<(), SpecError> {
    let (store, l1) = (spec.shared_memory.unified, spec.memory.serving(Path::Global).slice());
    if store.0 == 0 {
        return Ok(());
    }
    l1.check(&spec.memory.serving(Path::Global).name)?;
    let registers = 4 * u64::from(spec.core.registers);
    let shared = spec.splits.iter().map(|split| split.shared.0).max().unwrap_or(0);
    let way = u64::from(l1.sets()).saturating_mul(l1.line.0);
    let least = Bytes(registers.saturating_add(shared).saturating_add(way));
    if store < least || store > LARGEST_STORE {
        let problem = format!(
            "expected 0, or {least} (the registers, the most shared memory and a way of L1) to {LARGEST_STORE}, found {store}"
        );
        return wrong("shared_memory.unified", problem);
    }
    Ok(())
}

fn check_split(spec: &GpuSpec, number: usize, split: &Split) -> Result<(), SpecError> {
    let key = |key: &str| format!("split.{number}.{key}");
    let l1 = &spec.memory.serving(Path::Global).slice();
    if (split.l1_size.0 == 0) != (split.l1_ways == 0) {
        let problem = "l1_size and l1_ways belong together: both 0 keep l1.size and l1.ways";
        return wrong(key("l1_ways"), problem);
    }
    let size = if split.l1_size.0 == 0 { l1.size } else { split.l1_size };
    let store = spec.shared_memory.store;
    let sum = split.shared.0.checked_add(size.0);
    if sum.is_none_or(|sum| sum > store.0) {
        let problem = format!(
            "{} of shared memory and {size} of L1 are more than shared_memory.store = {store}",
            split.shared
        );
        return wrong(key("shared"), problem);
    }
    if split.l1_size.0 == 0 {
        return Ok(());
    }
    let cache = CacheSpec { size, ways: split.l1_ways, ..l1.clone() };
    cache.check("l1").map_err(|error| match error.key.as_str() {
        "l1.size" => SpecError { key: key("l1_size"), ..error },
        "l1.ways" => SpecError { key: key("l1_ways"), ..error },
        _ => error,
    })
}
