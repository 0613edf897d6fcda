//! An encoder of the format for tests: all parts of a list, all codes, both bit orders.
//!
//! It shares no code with the decoder: the numbers are written by `dsi-bitstream`. What it chooses (which list to copy
//! from) is not what a good compressor would, but what reaches every part of the format.

use super::flags::Flags;
use super::properties::BitOrder;
use dsi_bitstream::codes::ToNat;
use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::impls::{BufBitWriter, MemWordWriterVec};
use dsi_bitstream::traits::{BE, Endianness, LE};
use std::path::Path;

/// Writes `g.graph`, `g.properties` and an empty `g.offsets` into `folder`.
pub(super) fn store(lists: &[Vec<u32>], flags: &Flags, bit_order: BitOrder, folder: &Path) {
    let bytes = match bit_order {
        BitOrder::BigEndian => bit_stream::<BE>(lists, flags),
        BitOrder::LittleEndian => bit_stream::<LE>(lists, flags),
    };
    std::fs::write(folder.join("g.graph"), bytes).unwrap();
    std::fs::write(folder.join("g.properties"), properties(lists, flags, bit_order)).unwrap();
    std::fs::write(folder.join("g.offsets"), []).unwrap();
}

/// The text of the properties, in version 1, which names every code with its parameter.
fn properties(lists: &[Vec<u32>], flags: &Flags, bit_order: BitOrder) -> String {
    let endianness = match bit_order {
        BitOrder::BigEndian => "big",
        BitOrder::LittleEndian => "little",
    };
    let codes = [
        ("OUTDEGREES", flags.outdegrees),
        ("REFERENCES", flags.references),
        ("BLOCKS", flags.blocks),
        ("INTERVALS", flags.intervals),
        ("RESIDUALS", flags.residuals),
    ];
    let names: Vec<String> = codes.iter().map(|(part, code)| format!("{part}_{}", name(*code))).collect();
    format!(
        "#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nversion=1\nendianness={endianness}\n\
         nodes={}\narcs={}\nminintervallength={}\nmaxrefcount=-1\nwindowsize={}\ncompressionflags={}\n",
        lists.len(),
        lists.iter().map(Vec::len).sum::<usize>(),
        flags.min_interval_length,
        flags.compression_window,
        names.join("|"),
    )
}

fn name(code: Codes) -> String {
    match code {
        Codes::Zeta(parameter) => format!("ZETA{parameter}"),
        Codes::Pi(parameter) => format!("PI{parameter}"),
        other => format!("{other:?}").to_uppercase(),
    }
}

type Writer<E> = BufBitWriter<E, MemWordWriterVec<u32, Vec<u32>>>;

/// The lists as bits.
fn bit_stream<E: Endianness>(lists: &[Vec<u32>], flags: &Flags) -> Vec<u8>
where
    Writer<E>: dsi_bitstream::dispatch::CodesWrite<E>,
{
    let mut numbers: Vec<(Codes, u64)> = Vec::new();
    for vertex in 0..lists.len() {
        list(lists, vertex, flags, &mut numbers);
    }
    let mut writer: Writer<E> = BufBitWriter::new(MemWordWriterVec::new(Vec::new()));
    for (code, number) in numbers {
        code.write(&mut writer, number).unwrap();
    }
    let words = writer.into_inner().unwrap().into_inner();
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The numbers that the list of `vertex` consists of, each with its code.
fn list(lists: &[Vec<u32>], vertex: usize, flags: &Flags, numbers: &mut Vec<(Codes, u64)>) {
    let whole = &lists[vertex];
    numbers.push((flags.outdegrees, whole.len() as u64));
    if whole.is_empty() {
        return;
    }
    let mut rest = whole.clone();
    if flags.compression_window > 0 {
        let distance = reference(lists, vertex, flags.compression_window as usize);
        numbers.push((flags.references, distance as u64));
        if distance > 0 {
            let reference = &lists[vertex - distance];
            let blocks = blocks(reference, whole);
            numbers.push((flags.blocks, blocks.len() as u64));
            // No block but the first is empty, so the others are stored one less.
            numbers.extend(
                blocks.iter().enumerate().map(|(place, &length)| (flags.blocks, length - (place > 0) as u64)),
            );
            rest.retain(|target| !reference.contains(target));
        }
    }
    if !rest.is_empty() && flags.min_interval_length > 0 {
        intervals(vertex, flags, &mut rest, numbers);
    }
    for (place, &target) in rest.iter().enumerate() {
        let number = match place {
            0 => (i64::from(target) - vertex as i64).to_nat(),
            _ => u64::from(target - rest[place - 1] - 1),
        };
        numbers.push((flags.residuals, number));
    }
}

/// How far back the list is that has most in common, the farthest of several; 0 if none has anything.
fn reference(lists: &[Vec<u32>], vertex: usize, window: usize) -> usize {
    let common = |distance: &usize| {
        lists[vertex - distance].iter().filter(|target| lists[vertex].contains(target)).count()
    };
    let candidates = 1..=window.min(vertex);
    candidates.filter(|distance| common(distance) > 0).max_by_key(common).unwrap_or(0)
}

/// Lengths of the blocks of `reference` that are in `list` and are not, in turn. The last one goes without saying.
fn blocks(reference: &[u32], list: &[u32]) -> Vec<u64> {
    let mut lengths = vec![0];
    let mut is_copied = true;
    for target in reference {
        if list.contains(target) != is_copied {
            is_copied = !is_copied;
            lengths.push(0);
        }
        *lengths.last_mut().unwrap() += 1;
    }
    lengths.pop();
    lengths
}

/// Takes the runs that are long enough out of `rest`.
fn intervals(vertex: usize, flags: &Flags, rest: &mut Vec<u32>, numbers: &mut Vec<(Codes, u64)>) {
    let runs: Vec<Vec<u32>> = rest.chunk_by(|one, next| one + 1 == *next).map(<[u32]>::to_vec).collect();
    let (long, short): (Vec<_>, Vec<_>) =
        runs.into_iter().partition(|run| run.len() as u64 >= flags.min_interval_length);
    numbers.push((flags.intervals, long.len() as u64));
    let mut end = None;
    for run in &long {
        let first = match end {
            None => (i64::from(run[0]) - vertex as i64).to_nat(),
            Some(end) => u64::from(run[0] - end) - 1,
        };
        numbers.push((flags.intervals, first));
        numbers.push((flags.intervals, run.len() as u64 - flags.min_interval_length));
        end = Some(run[0] + run.len() as u32);
    }
    *rest = short.concat();
}
