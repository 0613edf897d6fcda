//! Whatever is written, a machine is resolved or refused, and what is resolved can be given back.

use heddle_machine::{Machine, mechanisms};
use proptest::prelude::*;
use std::path::Path;

/// The keys of a machine, as its resolved file has them.
fn lines() -> Vec<String> {
    let fermi = Machine::named("fermi").unwrap().resolve().unwrap();
    fermi.to_toml().lines().map(str::to_string).collect()
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (0u32..70).prop_map(|exponent| (1u128 << exponent).to_string()),
        (0u64..300).prop_map(|number| number.to_string()),
        (0u64..5000, prop::sample::select(vec!["B", "KiB", "GiB", "MHz", "GHz", "Hz"]))
            .prop_map(|(number, unit)| format!("\"{number}{unit}\"")),
        prop::sample::select(vec![
            "true",
            "\"\"",
            "[]",
            "{}",
            "1.5",
            "\"obm\"",
            "\"sector\"",
            "\"exclusive\""
        ])
        .prop_map(str::to_string),
        ".{0,12}",
    ]
}

fn check(text: &str) {
    let resolved = Machine::from_text("any.toml", text, Path::new("/nowhere")).and_then(|m| m.resolve());
    match resolved {
        Ok(resolved) => {
            let again = Machine::from_text("again.toml", resolved.to_toml(), Path::new("/nowhere")).unwrap();
            assert_eq!(again.resolve().unwrap(), resolved);
        }
        Err(error) => assert!(!error.problem.is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_file_with_a_line_changed_is_resolved_or_refused(number: prop::sample::Index, value in value()) {
        let mut lines = lines();
        let number = number.index(lines.len());
        if let Some((key, _)) = lines[number].split_once('=') {
            lines[number] = format!("{key}= {value}");
        }
        check(&lines.join("\n"));
    }

    #[test]
    fn a_file_with_characters_changed_is_resolved_or_refused(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
    ) {
        let mut text: Vec<char> = lines().join("\n").chars().collect();
        for (place, character) in places {
            let place = place.index(text.len());
            text[place] = character;
        }
        check(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_setting_and_any_mechanisms_are_taken_or_refused(
        path in prop_oneof!["[a-z0-9.]{0,12}", Just("l1.size".to_string()), Just("split.0".to_string())],
        value in value(),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let known: Vec<String> = mechanisms().unwrap().into_iter().map(|mechanism| mechanism.name).collect();
        let chosen: Vec<&String> = chosen.iter().map(|index| &known[index.index(known.len())]).collect();
        let machine = Machine::named("fermi").unwrap().with(&chosen).set(&[format!("{path}={value}")]);
        if let Err(error) = machine.resolve() {
            prop_assert!(!error.problem.is_empty());
        }
    }
}
