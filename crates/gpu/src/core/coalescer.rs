//! Accesses of a warp become requests for lines.
//!
//! Lanes that touch the same line share a request; requests come in the order of the lowest lane that needs
//! them, or with their addresses descending ([`descend`]). Which words of a line are touched goes with the request, so that sectors of 32 bytes derive from it. A
//! lane whose bytes cross a line takes part in two requests, and is serviced by the first.

use heddle_memory::request::{LineAddress, Path};
use heddle_ptx::exec::{LANES, Mask};
use std::cmp::Reverse;

/// A request for a line, and the lanes that it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) line: LineAddress,
    /// Words of four bytes.
    pub(crate) words: u32,
    pub(crate) lanes: Mask,
}

/// Splits the accesses of some lanes by line. Adds to `parts`.
pub(crate) fn coalesce(
    addresses: &[u64; LANES],
    mask: Mask,
    bytes: u64,
    line_bytes: u64,
    parts: &mut Vec<Part>,
) {
    let mut places = Places::new(parts.len(), line_bytes);
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let address = addresses[lane];
        let line = address & !(line_bytes - 1);
        let first = (address - line) / 4;
        let last = (address - line + bytes - 1) / 4;
        let words = bits(first, last.min(line_bytes / 4 - 1));
        places.join(parts, Part { line: LineAddress(line), words, lanes: 1 << lane });
        if last >= line_bytes / 4 {
            let next = LineAddress(line.wrapping_add(line_bytes));
            let words = bits(0, last - line_bytes / 4);
            places.join(parts, Part { line: next, words, lanes: 0 });
        }
    }
}

/// The same for an atomic whose lanes may not share a word within one request: those that would, make requests of
/// their own, as many as the most lanes that are on one word (GPGPU-Sim's `memory_coalescing_arch_atomic`).
pub(crate) fn coalesce_apart(
    addresses: &[u64; LANES],
    mask: Mask,
    bytes: u64,
    line_bytes: u64,
    parts: &mut Vec<Part>,
) {
    let mut rest = mask;
    while rest != 0 {
        let (mut chosen, mut left) = (0, rest);
        while left != 0 {
            let lane = left.trailing_zeros();
            let same = |other: u32| addresses[other as usize] / 4 == addresses[lane as usize] / 4;
            chosen |= 1 << lane;
            left = (0..LANES as u32).filter(|&o| left >> o & 1 == 1 && !same(o)).fold(0, |m, o| m | 1 << o);
        }
        coalesce(addresses, chosen, bytes, line_bytes, parts);
        rest &= !chosen;
    }
}

/// Puts requests into the order in which GPGPU-Sim makes them: it collects them in a map by address and takes them from
/// its end. Of several for one address, which are in the order of their lowest lanes, the last goes first as well.
#[inline]
pub(crate) fn descend(parts: &mut [(Part, Path)]) {
    if parts.len() > 1 {
        // Addresses mostly ascend with the lanes, and little is left to sort. The stable sort would allocate.
        parts.reverse();
        let lowest = |part: &Part| Reverse(part.lanes.trailing_zeros());
        parts.sort_unstable_by(|(a, _), (b, _)| {
            b.line.0.cmp(&a.line.0).then_with(|| lowest(a).cmp(&lowest(b)))
        });
    }
}

/// Words `first` to `last`.
#[inline(always)]
fn bits(first: u64, last: u64) -> u32 {
    (u32::MAX >> (31 - (last - first).min(31))) << first
}

/// Where the requests of an access are found: lanes that go to lines of their own would otherwise have all requests
/// before them looked through.
struct Places {
    /// The first request of this access.
    first: usize,
    /// By the last bits of a line's number: the latest request for such a line, counted from the first.
    latest: [u8; 64],
    /// For which of these bits there are requests, a bit each.
    known: u64,
    /// Log2 of the bytes of a line.
    shift: u32,
}

impl Places {
    fn new(first: usize, line_bytes: u64) -> Places {
        Places { first, latest: [0; 64], known: 0, shift: line_bytes.trailing_zeros() }
    }

    /// Adds lanes to the request for their line, which may be a new one.
    #[inline(always)]
    fn join(&mut self, parts: &mut Vec<Part>, part: Part) {
        let place = (part.line.0 >> self.shift) as usize % 64;
        let latest = self.first + usize::from(self.latest[place]);
        let found = match self.known >> place & 1 {
            0 => None,
            _ if parts[latest].line == part.line => Some(latest),
            _ => self.search(parts, part.line),
        };
        let number = match found {
            Some(found) => {
                parts[found].words |= part.words;
                parts[found].lanes |= part.lanes;
                found
            }
            None => {
                parts.push(part);
                parts.len() - 1
            }
        };
        self.known |= 1 << place;
        // An access has at most two requests for each lane.
        self.latest[place] = (number - self.first) as u8;
    }

    fn search(&self, parts: &[Part], line: LineAddress) -> Option<usize> {
        parts[self.first..].iter().position(|known| known.line == line).map(|found| self.first + found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(addresses: &[u64; LANES], mask: Mask, bytes: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        coalesce(addresses, mask, bytes, 128, &mut parts);
        parts
    }

    #[test]
    fn consecutive_words_are_one_request() {
        let addresses = std::array::from_fn(|lane| 0x1000 + 4 * lane as u64);
        let all = Part { line: LineAddress(0x1000), words: u32::MAX, lanes: Mask::MAX };
        assert_eq!(parts(&addresses, Mask::MAX, 4), [all]);
        let shifted = addresses.map(|address| address + 64);
        let found = parts(&shifted, Mask::MAX, 4);
        assert_eq!(found[0], Part { line: LineAddress(0x1000), words: 0xffff_0000, lanes: 0xffff });
        assert_eq!(found[1], Part { line: LineAddress(0x1080), words: 0xffff, lanes: 0xffff_0000 });
    }

    #[test]
    fn a_lane_that_crosses_a_line_needs_both() {
        let addresses = [0x107c; LANES];
        let found = parts(&addresses, 1, 8);
        assert_eq!(found[0], Part { line: LineAddress(0x1000), words: 1 << 31, lanes: 1 });
        assert_eq!(found[1], Part { line: LineAddress(0x1080), words: 1, lanes: 0 });
    }

    #[test]
    fn lanes_of_an_atomic_on_one_word_go_apart() {
        let on = |words: u64| {
            let addresses = std::array::from_fn(|lane| 0x1000 + 4 * (lane as u64 % words));
            let mut parts = Vec::new();
            coalesce_apart(&addresses, Mask::MAX, 4, 128, &mut parts);
            assert_eq!(parts.iter().fold(0, |lanes, part| lanes | part.lanes), Mask::MAX);
            assert!(parts.iter().all(|part| part.lanes.count_ones() == part.words.count_ones()));
            parts.len()
        };
        assert_eq!([1, 4, 32].map(on), [32, 8, 1]);
    }

    #[test]
    fn descending_requests_go_from_the_highest_address_and_lane_down() {
        // Eight lines out of order; then three words that lanes meet on, whose requests for a line descend by lane.
        let scattered = std::array::from_fn(|lane| 0x1000 + 128 * (lane as u64 * 5 % 8));
        let met: [u64; LANES] = std::array::from_fn(|lane| 0x1000 + 128 * (lane as u64 % 3));
        let order = |addresses: &[u64; LANES], split: fn(&[u64; LANES], _, _, _, &mut Vec<Part>)| {
            let mut parts = Vec::new();
            split(addresses, Mask::MAX, 4, 128, &mut parts);
            let mut parts: Vec<(Part, Path)> = parts.into_iter().map(|part| (part, Path::Global)).collect();
            descend(&mut parts);
            parts.iter().map(|(part, _)| (part.line.0, part.lanes.trailing_zeros())).collect::<Vec<_>>()
        };
        let lines: Vec<u64> = order(&scattered, coalesce).iter().map(|&(line, _)| line).collect();
        assert_eq!(lines, (0..8).rev().map(|line| 0x1000 + 128 * line).collect::<Vec<_>>());
        let lanes: Vec<u32> = order(&met, coalesce_apart).iter().map(|&(_, lane)| lane).collect();
        let on = |line: u32| (0..32).rev().filter(move |lane| lane % 3 == line);
        assert_eq!(lanes, on(2).chain(on(1)).chain(on(0)).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn every_lane_is_served_once_and_its_words_are_asked_for(
            lanes in prop::array::uniform32(0u64..4096), mask: u32, size in 0u32..4,
        ) {
            let bytes = 1u64 << size;
            let addresses = lanes.map(|address| address & !(bytes - 1));
            let found = parts(&addresses, mask, bytes);
            let mut served = 0;
            for (number, part) in found.iter().enumerate() {
                prop_assert_eq!(served & part.lanes, 0);
                served |= part.lanes;
                prop_assert!(found[..number].iter().all(|other| other.line != part.line));
            }
            prop_assert_eq!(served, mask);
            for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
                let part = found.iter().find(|part| part.lanes >> lane & 1 == 1).unwrap();
                let word = (addresses[lane] - part.line.0) / 4;
                prop_assert!(part.words >> word & 1 == 1);
            }
        }
    }
}
