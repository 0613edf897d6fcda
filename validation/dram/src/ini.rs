//! DRAMsim3's file for one of Heddle's parts, so that both have the same figures.

use heddle_memory::SpecError;
use heddle_memory::dram::{AddressMap, DramSpec};

/// The protocol and the queues, which the two describe in different ways.
#[derive(Clone, Copy, Debug)]
pub struct Extras {
    pub protocol: &'static str,
    pub transactions: u32,
    pub commands_per_bank: u32,
}

/// The file. The part has one rank and the map `offset column group bank row`.
pub fn ini(spec: &DramSpec, extras: Extras) -> Result<String, SpecError> {
    let rows = u64::from(AddressMap::new(spec)?.rows());
    // A column of GDDR5 is a burst, of others a beat.
    let graphics = extras.protocol.starts_with("GDDR");
    let column = if graphics { spec.atom() } else { u64::from(spec.bus) };
    let size = (spec.row.0 * rows * u64::from(spec.banks)) >> 20;
    let t = &spec.timing;
    let least_turn = (t.tCL + spec.burst / spec.data_rate).saturating_sub(t.tWL);
    let structure = [
        ("bankgroups", spec.bank_groups.into()),
        ("banks_per_group", u64::from(spec.banks / spec.bank_groups)),
        ("rows", rows),
        ("columns", spec.row.0 / column),
        ("device_width", u64::from(spec.bus) * 8),
        ("BL", spec.burst.into()),
    ];
    let timing = [
        ("CL", t.tCL),
        ("CWL", t.tWL),
        ("tRCD", t.tRCD),
        ("tRCDRD", t.tRCD),
        ("tRCDWR", t.tRCDWR.unwrap_or(t.tRCD)),
        ("tRP", t.tRP),
        ("tRAS", t.tRAS),
        ("tRFC", t.tRFC),
        ("tREFI", if t.tREFI == 0 { 1 << 30 } else { t.tREFI }),
        ("tRRD_S", t.tRRD_S),
        ("tRRD_L", t.tRRD_L),
        ("tWTR_S", t.tWTR_S),
        ("tWTR_L", t.tWTR_L),
        ("tFAW", t.tFAW),
        ("t32AW", t.t32AW.unwrap_or(0)),
        ("tWR", t.tWR),
        ("tRTP", t.tRTP),
        ("tPPD", t.tPPD.unwrap_or(0)),
        ("tCCD_S", t.tCCD_S),
        ("tCCD_L", t.tCCD_L),
        // Added to the least distance from a read to a write.
        ("tRTRS", t.tRTW.map_or(2, |turn| turn.saturating_sub(least_turn))),
    ];
    let mut text = format!("[dram_structure]\nprotocol = {}\n", extras.protocol);
    for (key, value) in structure {
        text += &format!("{key} = {value}\n");
    }
    text += &format!("[timing]\ntCK = {}\n", 1e9 / spec.clock.hertz() as f64);
    for (key, value) in timing {
        text += &format!("{key} = {value}\n");
    }
    text += &format!(
        "[system]\nchannels = 1\nchannel_size = {size}\nbus_width = {}\naddress_mapping = rochrababgco\n\
         queue_structure = PER_BANK\nrow_buf_policy = OPEN_PAGE\ncmd_queue_size = {}\ntrans_queue_size = {}\n\
         [other]\nepoch_period = 100000000\noutput_level = 0\n",
        spec.bus * 8,
        extras.commands_per_bank,
        extras.transactions
    );
    Ok(text)
}
