//! What is compared.

use crate::ini::Extras;
use heddle_memory::dram::{DramSpec, read_part};

/// A part.
#[derive(Debug)]
pub struct Part {
    pub name: &'static str,
    toml: &'static str,
    settings: &'static [(&'static str, &'static str)],
    pub extras: Extras,
    /// Streams and percent of writes with which DRAMsim3 and the transcription of Ramulator 2's controller are more than 10 % apart.
    pub disputed: &'static [(&'static str, u32)],
}

/// All parts. DRAMsim3 has its usual queues everywhere.
pub const PARTS: &[Part] = &[
    Part {
        name: "ddr4-2400, as built in",
        toml: include_str!("../../../crates/memory/parts/ddr4-2400.toml"),
        settings: &[],
        extras: DDR4,
        disputed: &[],
    },
    Part {
        name: "ddr4-2400 with DRAMsim3's queues",
        toml: include_str!("../../../crates/memory/parts/ddr4-2400.toml"),
        settings: &[("queue", "{ organisation = \"per-bank\", entries = 8, transactions = 32 }")],
        extras: DDR4,
        disputed: &[],
    },
    Part {
        name: "ddr4-3200, timings of DDR4_8Gb_x8_3200.ini",
        toml: include_str!("../parts/ddr4-3200.toml"),
        settings: &[],
        extras: DDR4,
        disputed: &[],
    },
    Part {
        name: "gddr5, timings of GDDR5_8Gb_x32.ini",
        toml: include_str!("../parts/gddr5.toml"),
        settings: &[],
        extras: Extras { protocol: "GDDR5", ..DDR4 },
        disputed: &[
            ("sequential", 50),
            ("same row", 50),
            ("over banks, four columns a row", 33),
            ("over banks, four columns a row", 50),
            ("every 17th atom", 50),
        ],
    },
];

const DDR4: Extras = Extras { protocol: "DDR4", transactions: 32, commands_per_bank: 8 };

impl Part {
    /// The description that both simulators get.
    pub fn spec(&self) -> Result<DramSpec, String> {
        let settings: Vec<(String, String)> =
            self.settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        read_part(self.toml, &settings).map_err(|error| format!("{}: {error}", self.name))
    }
}
