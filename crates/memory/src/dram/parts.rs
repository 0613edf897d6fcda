//! Parts by name, and the texts of whole parts.

use super::spec::DramSpec;
use crate::spec_error::SpecError;
use heddle_engine::nesting;

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

/// The description in the text of a whole part, which inherits nothing, with settings `(key with dots, value)` on top. A value is TOML, or else a
/// bare word. Errors name the key, or `line L, column C` of the text. Files of users, which may inherit, are read by
/// `heddle-machine`.
pub fn read_part(text: &str, settings: &[(String, String)]) -> Result<DramSpec, SpecError> {
    let at = |error: toml::de::Error| {
        let key = match error.span() {
            Some(span) => position(text, span.start),
            None => "part".to_string(),
        };
        SpecError { key, problem: error.message().to_string() }
    };
    if let Some(deep) = nesting::too_deep(text) {
        return Err(SpecError { key: position(text, deep), problem: nesting::TOO_DEEP.to_string() });
    }
    let mut spec: DramSpec = toml::from_str(text).map_err(at)?;
    if !settings.is_empty() {
        let mut table: toml::Table = text.parse().map_err(at)?;
        let known = keys();
        for (key, value) in settings {
            set(&mut table, key, value, &known)?;
        }
        spec = table.try_into().map_err(|error| misfit(&error, settings))?;
    }
    spec.check()?;
    Ok(spec)
}

/// Every key that a part file may have, with dots.
pub fn keys() -> Vec<String> {
    let whole = PARTS.iter().filter_map(|part| toml::from_str::<DramSpec>(part.text).ok()).next();
    let whole = whole.and_then(|mut spec| {
        // Keys without a value are not written.
        (spec.timing.tRCDWR, spec.timing.tRTW) = (Some(0), Some(0));
        (spec.timing.t32AW, spec.timing.tPPD) = (Some(0), Some(0));
        spec.queue.transactions = 1;
        spec.energy = Some(String::new());
        toml::Table::try_from(spec).ok()
    });
    let mut keys = Vec::new();
    for (key, value) in whole.unwrap_or_default() {
        match value.as_table() {
            Some(inner) => keys.extend(inner.keys().map(|inner| format!("{key}.{inner}"))),
            None => keys.push(key),
        }
    }
    keys
}

/// What the types of the keys do not allow, by key.
fn misfit(error: &toml::de::Error, settings: &[(String, String)]) -> SpecError {
    // The path is behind the message: "in `timing.tCL`".
    let whole = error.to_string();
    let path = whole.rsplit_once("in `").and_then(|(_, rest)| rest.split_once('`'));
    let key = match path {
        Some((path, _)) => path.to_string(),
        None => settings.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", "),
    };
    SpecError { key, problem: error.message().trim().to_string() }
}

fn position(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}

fn set(table: &mut toml::Table, key: &str, value: &str, known: &[String]) -> Result<(), SpecError> {
    let wrong = |problem: String| SpecError { key: key.to_string(), problem };
    if key.is_empty() {
        return Err(SpecError { key: format!("={value}"), problem: "expected a key before `=`".to_string() });
    }
    let inside = |outer: &str, key: &str| key.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    // A table may be set as a whole: `write_queue={ entries = 8 }`.
    if !known.iter().any(|path| path == key || inside(key, path)) {
        let value = known.iter().find(|path| inside(path, key));
        let problem = value.map(|value| format!("'{value}' is a value, not a table"));
        return Err(wrong(problem.unwrap_or_else(|| "no such key".to_string())));
    }
    let written = format!("value = {value}");
    if nesting::too_deep(&written).is_some() {
        return Err(wrong(nesting::TOO_DEEP.to_string()));
    }
    let parsed = written.parse::<toml::Table>().ok();
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
        table = inner.as_table_mut().ok_or_else(|| wrong(format!("'{word}' is a value, not a table")))?;
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
    fn only_the_part_of_gpgpu_sim_goes_by_age() {
        for part in PARTS {
            let by_age =
                read_part(part.text, &[]).unwrap().scheduler == super::super::SchedulerKind::FrFcfsByAge;
            assert_eq!(by_age, part.name == "gddr5-gtx480", "{}", part.name);
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
            ("timing.tCLL", "20", "timing.tCLL: no such key"),
            ("nonsense", "20", "nonsense: no such key"),
            ("", "20", "=20: expected a key"),
            ("timing.tCL", "fast", "timing.tCL: invalid type"),
            ("timing.tCL", "-1", "timing.tCL: invalid value"),
            ("timing.tRAS", "0", "timing.tRAS: expected at least tRCD = 17"),
            ("timing.tRC", "20", "timing.tRC: expected at least tRAS = 39"),
            ("timing.tFAW", "2", "timing.tFAW: expected at least"),
            ("timing.tWL", "0", "timing.tWL: expected 1 to"),
            ("timing.tRFC", "0", "timing.tRFC: expected 1 to"),
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
    fn every_key_is_known_and_watermarks_may_be_left_out() {
        let known = keys();
        for key in [
            "clock",
            "address_map",
            "queue.entries",
            "queue.transactions",
            "write_queue.low",
            "timing.tRTW",
            "timing.tRCDWR",
            "timing.t32AW",
            "timing.tPPD",
        ] {
            assert!(known.iter().any(|known| known == key), "{key}: {known:?}");
        }
        let with = |part: &str, settings: &[(&str, &str)]| {
            let own = |&(key, value): &(&str, &str)| (key.to_string(), value.to_string());
            let settings: Vec<(String, String)> = settings.iter().map(own).collect();
            read_part(super::part(part).unwrap().text, &settings).map(|spec| spec.write_queue)
        };
        let ramulator = with("ddr4-2400", &[]).unwrap();
        assert_eq!(with("gddr5-gtx480", &[("write_queue.entries", "32")]), Ok(ramulator));
        for entries in 1..20 {
            let queue = with("gddr5-gtx480", &[("write_queue.entries", &entries.to_string())]).unwrap();
            assert!(queue.low < queue.high && queue.high <= entries, "{queue:?}");
        }
        let given = [("write_queue.entries", "8"), ("write_queue.low", "4")];
        assert_eq!(with("gddr5-gtx480", &given).unwrap().low, 4);
        // Without a queue there are no watermarks, though the part has some.
        assert_eq!(with("ddr4-2400", &[("write_queue.entries", "0")]).unwrap(), Default::default());
        let error = with("gddr5-gtx480", &[("write_queue.high", "4")]).unwrap_err().to_string();
        assert!(error.contains("write_queue") && error.contains("entries"), "{error}");
    }

    #[test]
    fn a_wrong_file_is_told_by_line_and_column() {
        let error = read_part("clock = \"1GHz\"\nbanks = \"many\"\n", &[]).unwrap_err();
        assert_eq!(error.key, "line 2, column 9");
    }
}
