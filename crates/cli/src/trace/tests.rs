//! Decodes traces with a reader that shares nothing with the writer.

use crate::commands::trace_for_tests;
use std::collections::BTreeMap;

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
enum Field {
    Number(u64),
    Real(f64),
    Bytes(Vec<u8>),
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
    }
    panic!("a number of more than ten bytes");
}

/// The fields of a message, by number, in their order.
fn decode(bytes: &[u8]) -> BTreeMap<u64, Vec<Field>> {
    let (mut fields, mut at) = (BTreeMap::<u64, Vec<Field>>::new(), 0);
    while at < bytes.len() {
        let key = varint(bytes, &mut at);
        let field = match key & 7 {
            0 => Field::Number(varint(bytes, &mut at)),
            1 => {
                at += 8;
                Field::Real(f64::from_le_bytes(bytes[at - 8..at].try_into().unwrap()))
            }
            2 => {
                let length = varint(bytes, &mut at) as usize;
                at += length;
                Field::Bytes(bytes[at - length..at].to_vec())
            }
            other => panic!("wire type {other}"),
        };
        fields.entry(key >> 3).or_default().push(field);
    }
    fields
}

type Fields = BTreeMap<u64, Vec<Field>>;

fn message(fields: &Fields, number: u64) -> Option<Fields> {
    match fields.get(&number)?.first()? {
        Field::Bytes(bytes) => Some(decode(bytes)),
        _ => None,
    }
}

fn text(fields: &Fields, number: u64) -> Option<String> {
    match fields.get(&number)?.first()? {
        Field::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

fn number(fields: &Fields, number: u64) -> Option<u64> {
    match fields.get(&number)?.first()? {
        Field::Number(value) => Some(*value),
        _ => None,
    }
}

const SEARCH: [&str; 6] = ["--graph", "grid:width=8,height=4", "--source", "0", "--interval", "100"];

/// The packets of a trace of a small search, with samples.
fn packets() -> Vec<Fields> {
    let decoded = decode(&trace_for_tests(&SEARCH).0);
    assert_eq!(decoded.keys().collect::<Vec<_>>(), [&1], "a trace is packets and nothing else");
    let packet = |field: &Field| match field {
        Field::Bytes(bytes) => decode(bytes),
        other => panic!("{other:?}"),
    };
    decoded[&1].iter().map(packet).collect()
}

#[test]
fn cores_block_slots_launches_and_counters_have_named_tracks() {
    let packets = packets();
    let tracks: Vec<Fields> = packets.iter().filter_map(|packet| message(packet, 60)).collect();
    let processes: Vec<String> = tracks.iter().filter_map(|track| text(&message(track, 3)?, 6)).collect();
    assert_eq!(processes, ["fermi", "core 0", "core 1"]);
    let rows: Vec<String> = tracks.iter().filter_map(|track| text(&message(track, 4)?, 5)).collect();
    assert_eq!(rows, ["launches", "block slot 0", "block slot 0"]);
    let counters: Vec<String> =
        tracks.iter().filter(|track| track.contains_key(&8)).filter_map(|track| text(track, 2)).collect();
    assert_eq!(counters, ["IPC", "L2 MPKI", "DRAM bandwidth", "power"]);
    let numbers: std::collections::BTreeSet<_> =
        tracks.iter().map(|track| number(track, 1).unwrap()).collect();
    assert_eq!(numbers.len(), tracks.len(), "every track has a number of its own");
}

#[test]
fn slices_open_and_close_on_their_tracks_in_the_order_of_time() {
    let packets = packets();
    let (mut time, mut open, mut slices) = (0, BTreeMap::<u64, Vec<u64>>::new(), 0);
    for packet in packets.iter().filter(|packet| packet.contains_key(&11)) {
        let event = message(packet, 11).unwrap();
        let now = number(packet, 8).unwrap();
        assert!(now >= time);
        time = now;
        let track = number(&event, 11).unwrap();
        match number(&event, 9).unwrap() {
            1 => open.entry(track).or_default().push(now),
            2 => {
                let begun = open.get_mut(&track).and_then(Vec::pop).expect("an end has a begin");
                assert!(now > begun);
                slices += 1;
            }
            _ => {}
        }
        assert!(open.values().all(|open| open.len() <= 1), "blocks of one slot do not overlap");
    }
    assert!(open.values().all(Vec::is_empty));
    let launches = 2 * 11;
    assert_eq!(slices, 3 * launches, "a slice per launch and per block");
}

#[test]
fn counter_samples_have_the_values_of_intervals() {
    let packets = packets();
    let values: Vec<f64> = packets
        .iter()
        .filter_map(|packet| message(packet, 11))
        .filter(|event| number(event, 9) == Some(4) && number(event, 11) == Some(16))
        .map(|event| match event[&44][0] {
            Field::Real(value) => value,
            ref other => panic!("{other:?}"),
        })
        .collect();
    // The stand-in takes ten cycles per warp instruction; after a launch the rate is 0.
    assert!(values.iter().all(|&value| value == 0.0 || (value - 0.1).abs() < 0.02), "{values:?}");
    assert!(values.iter().any(|&value| value > 0.05));
}

#[test]
fn power_has_the_samples_of_the_result() {
    let packets = packets();
    let samples = packets.iter().filter_map(|packet| Some((number(packet, 8)?, message(packet, 11)?)));
    let samples = samples.filter(|(_, event)| number(event, 9) == Some(4) && number(event, 11) == Some(19));
    let shown: Vec<(u64, f64)> = samples
        .map(|(time, event)| match event[&44][0] {
            Field::Real(value) => (time, value),
            ref other => panic!("{other:?}"),
        })
        .collect();
    let power = trace_for_tests(&SEARCH).1.time.unwrap().power;
    let stored: Vec<(u64, f64)> =
        power.iter().map(|point| ((point.seconds * 1e9).round() as u64, point.watts)).collect();
    assert!(shown.len() > 4);
    assert_eq!(shown, stored);
}
