//! Parts by name, and part files.

use super::spec::{DramSpec, SpecError};

/// A part that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its file, with the sources of its figures.
    pub text: &'static str,
}

/// All of them.
pub const PARTS: &[Part] = &[
    Part {
        name: "gddr5-gtx480",
        summary: "GDDR5 of a GTX 480 as GPGPU-Sim describes it: 6 channels, 924 MHz, 177.4 GB/s",
        text: include_str!("../../parts/gddr5-gtx480.toml"),
    },
    Part {
        name: "gddr5-fermi",
        summary: "GDDR5 of the simulated Fermi: 8 channels, queues per bank, 100.8 GB/s",
        text: include_str!("../../parts/gddr5-fermi.toml"),
    },
    Part {
        name: "gddr5-k40c",
        summary: "GDDR5 of a Tesla K40c: 6 channels of 64 bits, 1.5 GHz, 288 GB/s",
        text: include_str!("../../parts/gddr5-k40c.toml"),
    },
    Part {
        name: "ddr4-2400",
        summary: "DDR4-2400, one channel of eight 8 Gb x8 devices, 19.2 GB/s",
        text: include_str!("../../parts/ddr4-2400.toml"),
    },
];

/// The embedded part of this name.
pub fn part(name: &str) -> Option<&'static Part> {
    PARTS.iter().find(|part| part.name == name)
}

/// The description in a part file, with settings `(key with dots, value)` on top. A value is TOML, or else a
/// bare word. Errors name the key, or `line L, column C` of the file.
pub fn read_part(text: &str, settings: &[(String, String)]) -> Result<DramSpec, SpecError> {
    let at = |error: toml::de::Error| {
        let key = match error.span() {
            Some(span) => position(text, span.start),
            None => "part".to_string(),
        };
        SpecError { key, problem: error.message().to_string() }
    };
    let mut spec: DramSpec = toml::from_str(text).map_err(at)?;
    if !settings.is_empty() {
        let mut table: toml::Table = text.parse().map_err(at)?;
        for (key, value) in settings {
            set(&mut table, key, value)?;
        }
        spec = table.try_into().map_err(|error: toml::de::Error| {
            let keys: Vec<&str> = settings.iter().map(|(key, _)| key.as_str()).collect();
            SpecError { key: keys.join(", "), problem: error.to_string().trim().replace('\n', " ") }
        })?;
    }
    spec.check()?;
    Ok(spec)
}

fn position(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}

fn set(table: &mut toml::Table, key: &str, value: &str) -> Result<(), SpecError> {
    let parsed = format!("value = {value}").parse::<toml::Table>().ok();
    let value = parsed
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| toml::Value::String(value.to_string()));
    let mut table = table;
    let mut words = key.split('.').peekable();
    while let Some(word) = words.next() {
        if words.peek().is_none() {
            table.insert(word.to_string(), value);
            return Ok(());
        }
        let inner = table.entry(word).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = inner.as_table_mut().ok_or_else(|| SpecError {
            key: key.to_string(),
            problem: format!("'{word}' is a value, not a table"),
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_part_is_sound_and_has_its_published_bandwidth() {
        let peaks = [177_408_000_000, 100_800_000_000, 288_000_000_000, 19_200_000_000];
        for (part, peak) in PARTS.iter().zip(peaks) {
            let spec = read_part(part.text, &[]).unwrap_or_else(|error| panic!("{}: {error}", part.name));
            assert_eq!(spec.peak_bandwidth().bytes_per_second(), peak, "{}", part.name);
            let written = toml::to_string(&spec).unwrap();
            assert_eq!(read_part(&written, &[]).unwrap(), spec, "{}", part.name);
        }
    }

    #[test]
    fn settings_change_keys_and_are_checked() {
        let text = part("ddr4-2400").unwrap().text;
        let with = |key: &str, value: &str| read_part(text, &[(key.to_string(), value.to_string())]);
        assert_eq!(with("timing.tCL", "20").unwrap().timing.tCL, 20);
        assert_eq!(with("clock", "1GHz").unwrap().clock.hertz(), 1_000_000_000);
        assert_eq!(with("page_policy", "closed").unwrap().page_policy, super::super::PagePolicy::Closed);
        for (key, value, word) in [
            ("timing.tCLL", "20", "tCLL"),
            ("timing.tRAS", "57", "tRC"),
            ("clock", "12", "unit"),
            ("clock.now", "12", "not a table"),
            ("banks", "12", "power of two"),
            ("banks", "0", "1 to 64"),
            ("channels", "3", "channel:modulo"),
            ("burst", "1", "multiple"),
            ("row", "4KiB", "column"),
            ("queue.entries", "0", "1 to"),
            ("write_queue.low", "30", "write_queue.low"),
            ("timing.tREFI", "500", "other timings"),
            ("timing.tRTW", "1", "tWL"),
            ("timing.tFAW", "4000000000", "timing.tFAW"),
            ("data_rate", "0", "data_rate"),
        ] {
            let error = with(key, value).unwrap_err().to_string();
            assert!(error.contains(word), "{key}={value}: {error}");
        }
    }

    #[test]
    fn a_wrong_file_is_told_by_line_and_column() {
        let error = read_part("clock = \"1GHz\"\nbanks = \"many\"\n", &[]).unwrap_err();
        assert_eq!(error.key, "line 2, column 9");
    }
}
