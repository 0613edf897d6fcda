//! DRAMsim3.

use crate::Outcome;
use crate::ini::{Extras, ini};
use crate::streams::Request;
use dramsim3::MemorySystem;
use heddle_memory::dram::DramSpec;
use std::collections::{BTreeMap, VecDeque};

/// Drives DRAMsim3 with a stream.
pub fn run(spec: &DramSpec, extras: Extras, requests: &[Request]) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a folder for DRAMsim3's output: {error}"))?;
    let config = folder.path().join("part.ini");
    let text = ini(spec, extras).map_err(|error| error.to_string())?;
    std::fs::write(&config, text).map_err(|error| format!("{}: {error}", config.display()))?;
    let mut memory = MemorySystem::new(&config, folder.path())
        .map_err(|error| format!("DRAMsim3 refuses its file: {error:?}"))?;
    // Reads of one address are answered in the order in which they came.
    let mut waiting: BTreeMap<u64, VecDeque<u64>> = BTreeMap::new();
    let (mut now, mut accepted, mut next) = (0u64, 0u64, 0);
    let (mut reads, mut latency) = (0u64, 0u64);
    while next < requests.len() || !waiting.is_empty() {
        memory.tick(|address, write| {
            if write {
                return;
            }
            if let Some(came) = waiting.get_mut(&address) {
                latency += now - came.pop_front().unwrap_or(now);
                reads += 1;
                if came.is_empty() {
                    waiting.remove(&address);
                }
            }
        });
        now += 1;
        while let Some(&(address, write)) = requests.get(next)
            && memory.can_add(address, write)
        {
            memory.add(address, write);
            if !write {
                waiting.entry(address).or_default().push_back(now);
            }
            next += 1;
            accepted = now;
        }
    }
    let busy = requests.len() as f64 * spec.burst_clocks() as f64;
    Ok(Outcome {
        bandwidth: busy / accepted.max(1) as f64,
        read_latency: latency as f64 / reads.max(1) as f64,
    })
}
