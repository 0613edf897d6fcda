//! How long static loads and atomics kept their warps waiting.

use heddle_gpu::Record;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// One static load or atomic, over all launches of its kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LoadRow {
    pub(crate) kernel: String,
    /// The instruction, by number in the kernel's code.
    pub(crate) pc: u32,
    /// PTX file with line and column, source line if known, mnemonic.
    pub(crate) place: String,
    /// Warp instructions.
    pub(crate) count: u64,
    /// Lines that lanes touched, summed over warp instructions.
    pub(crate) transactions: u64,
    /// Core cycles from issue to the last reply, summed.
    pub(crate) wait_cycles: u64,
    pub(crate) answered: Answered,
}

/// Transactions by the name of who answered them, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answered(pub(crate) Vec<(String, u64)>);

impl Serialize for Answered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

/// Nobody waits for a store. The mnemonic stands at the end of a place.
fn is_store(place: &str) -> bool {
    place.rsplit(": ").next().is_some_and(|mnemonic| mnemonic.starts_with("st."))
}

/// The loads of all launches, the one that kept warps waiting longest first.
pub(super) fn load_rows(record: &Record) -> Vec<LoadRow> {
    let mut rows: BTreeMap<(&str, u32), LoadRow> = BTreeMap::new();
    for launch in &record.launches {
        for load in launch.loads.iter().filter(|load| !is_store(&load.place)) {
            let row = rows.entry((&launch.kernel, load.pc)).or_insert_with(|| LoadRow {
                kernel: launch.kernel.clone(),
                pc: load.pc,
                place: load.place.clone(),
                count: 0,
                transactions: 0,
                wait_cycles: 0,
                answered: Answered(record.answerers.iter().map(|name| (name.clone(), 0)).collect()),
            });
            row.count += load.count;
            row.transactions += load.transactions;
            row.wait_cycles += load.wait_cycles;
            for ((_, sum), count) in row.answered.0.iter_mut().zip(&load.answered) {
                *sum += count;
            }
        }
    }
    let mut rows: Vec<LoadRow> = rows.into_values().collect();
    // The sort is stable: equal ones stay in the order of kernels and instructions.
    rows.sort_by_key(|row| std::cmp::Reverse(row.wait_cycles));
    rows
}
