//! A second opinion on the timing rules: looks at a log of commands pair by pair, straight from the data
//! sheet's table, with nothing in common with the model's bookkeeping.

use heddle_memory::dram::{Command, DramSpec, Issued};

use Command::{Activate, Precharge, PrechargeAll, Read, ReadAuto, Refresh, Write, WriteAuto};

/// What is wrong with the log, if anything.
pub(crate) fn violation(spec: &DramSpec, log: &[Issued]) -> Option<String> {
    let mut rows: Vec<Option<u32>> = vec![None; spec.banks as usize];
    for (index, later) in log.iter().enumerate() {
        if index > 0 && later.at <= log[index - 1].at {
            return Some(format!("two commands at {}", later.at));
        }
        let before = rows.clone();
        if let Some(problem) = wrong_state(&mut rows, later) {
            return Some(format!("{problem} at {}", later.at));
        }
        for earlier in log[..index].iter().rev().take(400) {
            // A bank that closes by itself takes no notice of a precharge of all banks.
            if later.command == PrechargeAll && before[earlier.bank.index()].is_none() {
                continue;
            }
            let gap = gap(spec, earlier, later);
            if later.at < earlier.at + gap {
                return Some(format!("{later:?} needs {gap} after {earlier:?}"));
            }
        }
        if later.command == Activate {
            let mut activates = log[..index].iter().rev().filter(|issued| issued.command == Activate);
            if activates.nth(3).is_some_and(|fourth| later.at < fourth.at + u64::from(spec.timing.tFAW)) {
                return Some(format!("a fifth activate within tFAW at {}", later.at));
            }
            let mut activates = log[..index].iter().rev().filter(|issued| issued.command == Activate);
            let window = u64::from(spec.timing.t32AW.unwrap_or(0));
            if activates.nth(31).is_some_and(|first| later.at < first.at + window) {
                return Some(format!("a 33rd activate within t32AW at {}", later.at));
            }
        }
    }
    bus_conflict(spec, log)
}

fn wrong_state(rows: &mut [Option<u32>], issued: &Issued) -> Option<&'static str> {
    let bank = issued.bank.index();
    match issued.command {
        Activate if rows[bank].is_some() => return Some("activate of an open bank"),
        Activate => rows[bank] = Some(issued.row),
        Precharge if rows[bank].is_none() => return Some("precharge of a closed bank"),
        Precharge => rows[bank] = None,
        PrechargeAll => rows.fill(None),
        Read | Write | ReadAuto | WriteAuto => {
            if rows[bank] != Some(issued.row) {
                return Some("column command for a row that is not open");
            }
            if matches!(issued.command, ReadAuto | WriteAuto) {
                rows[bank] = None;
            }
        }
        Refresh if rows.iter().any(Option::is_some) => return Some("refresh with an open bank"),
        Refresh => {}
    }
    None
}

/// The least distance from one command to a later one.
fn gap(spec: &DramSpec, earlier: &Issued, later: &Issued) -> u64 {
    let t = &spec.timing;
    let burst = spec.burst_clocks() as u32;
    let per_group = spec.banks / spec.bank_groups;
    let same_group = earlier.bank.0 / per_group == later.bank.0 / per_group;
    let same_bank = earlier.bank == later.bank;
    let pick = |short: u32, long: u32| if same_group { long } else { short };
    let is_read = |command| matches!(command, Read | ReadAuto);
    let is_write = |command| matches!(command, Write | WriteAuto);
    let write_end = t.tWL + burst;
    let gap = match (earlier.command, later.command) {
        (Activate, Activate) if same_bank => t.tRC.max(t.tRRD_L),
        (Activate, Activate) => pick(t.tRRD_S, t.tRRD_L),
        (Activate, command) if same_bank && is_read(command) => t.tRCD,
        (Activate, command) if same_bank && is_write(command) => t.tRCDWR.unwrap_or(t.tRCD),
        (Activate, Precharge) if same_bank => t.tRAS,
        (Activate, PrechargeAll) => t.tRAS,
        (Activate, Refresh) => t.tRC,
        (Precharge, Activate) if same_bank => t.tRP,
        (PrechargeAll, Activate | Refresh) | (Precharge, Refresh) => t.tRP,
        (Precharge | PrechargeAll, Precharge | PrechargeAll) => t.tPPD.unwrap_or(1),
        (Refresh, Activate | Refresh) => t.tRFC,
        (Read, Precharge) if same_bank => t.tRTP,
        (Read, PrechargeAll) => t.tRTP,
        (Write, Precharge) if same_bank => write_end + t.tWR,
        (Write, PrechargeAll) => write_end + t.tWR,
        (ReadAuto, Activate) if same_bank => t.tRTP + t.tRP,
        (ReadAuto, Refresh) => t.tRTP + t.tRP,
        (WriteAuto, Activate) if same_bank => write_end + t.tWR + t.tRP,
        (WriteAuto, Refresh) => write_end + t.tWR + t.tRP,
        (a, b) if is_read(a) && is_read(b) => pick(t.tCCD_S, t.tCCD_L),
        (a, b) if is_write(a) && is_write(b) => pick(t.tCCD_S, t.tCCD_L),
        (a, b) if is_read(a) && is_write(b) => t.tRTW.unwrap_or((t.tCL + burst + 2).saturating_sub(t.tWL)),
        (a, b) if is_write(a) && is_read(b) => write_end + pick(t.tWTR_S, t.tWTR_L),
        _ => 1,
    };
    gap.into()
}

/// Whether two bursts overlap on the data bus.
fn bus_conflict(spec: &DramSpec, log: &[Issued]) -> Option<String> {
    let mut starts: Vec<u64> = log
        .iter()
        .filter_map(|issued| match issued.command {
            Read | ReadAuto => Some(issued.at + u64::from(spec.timing.tCL)),
            Write | WriteAuto => Some(issued.at + u64::from(spec.timing.tWL)),
            _ => None,
        })
        .collect();
    starts.sort_unstable();
    let overlap = starts.windows(2).find(|pair| pair[1] < pair[0] + spec.burst_clocks())?;
    Some(format!("bursts at {} and {} overlap", overlap[0], overlap[1]))
}
