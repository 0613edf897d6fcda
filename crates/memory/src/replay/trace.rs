//! Text traces of requests: `cycle requester read|write|atomic address bytes [pc]`, a request per line.
//!
//! Numbers are decimal or, with `0x`, hexadecimal; `R`, `RD`, `W`, `WR` and `A` mean the same as the words, in any case.
//! `#` begins a comment. The cycle may be left out, where requests come as soon as they can. Lines are read one at a time,
//! so that a trace may be longer than memory.

use crate::ids::{CoreId, Pc};
use crate::request::Access;
use std::io::{self, BufRead, Read};
use thiserror::Error;

/// Longest line: keeps a file without line ends from being read into memory.
const LINE_BYTES: usize = 4096;
/// Cycles up to here leave room for the ticks of any set of clocks in 64 bits.
const LAST_CYCLE: u64 = 1 << 36;
/// Addresses end here: no machine has more memory.
const ADDRESSES: u64 = 1 << 48;
/// Most bytes of a request: those of a page.
const MOST_BYTES: u64 = 4096;
/// Most bytes of an atomic.
const ATOMIC_BYTES: u64 = 16;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRequest {
    /// When it comes, in cycles of the requesters' clock.
    pub cycle: Option<u64>,
    /// Who asks.
    pub requester: CoreId,
    /// What it does.
    pub access: Access,
    /// The first byte.
    pub address: u64,
    /// How many.
    pub bytes: u32,
    /// The instruction, for policies that tell instructions apart.
    pub pc: Pc,
}

/// What is wrong with a trace, and in which line.
#[derive(Debug, Error)]
#[error("{line}: {problem}")]
pub struct TraceError {
    /// The line, from 1.
    pub line: u64,
    /// What was expected and what was found, or what the system said.
    pub problem: String,
}

/// Reads a trace.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    requesters: u32,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> TraceReader<R> {
    /// From its first line, for so many requesters.
    pub fn new(input: R, requesters: u32) -> TraceReader<R> {
        TraceReader { input, requesters, line: 0, buffer: Vec::new() }
    }

    /// The line that was read last.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next request, if there is one.
    pub fn next_request(&mut self) -> Result<Option<TraceRequest>, TraceError> {
        loop {
            self.line += 1;
            let line = self.line;
            let wrong = |problem: String| TraceError { line, problem };
            self.buffer.clear();
            let mut limited = self.input.by_ref().take(LINE_BYTES as u64 + 1);
            let length = limited.read_until(b'\n', &mut self.buffer).map_err(|error| wrong(words(&error)))?;
            if length == 0 {
                return Ok(None);
            }
            if self.buffer.len() > LINE_BYTES {
                return Err(wrong(format!("expected a line of at most {LINE_BYTES} bytes")));
            }
            let text = String::from_utf8_lossy(&self.buffer);
            let text = text.split('#').next().unwrap_or_default().trim();
            if !text.is_empty() {
                return parse(text, self.requesters).map(Some).map_err(wrong);
            }
        }
    }
}

fn words(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The access that a word names.
fn access(word: &str) -> Option<Access> {
    match word.to_ascii_lowercase().as_str() {
        "read" | "rd" | "r" => Some(Access::Read),
        "write" | "wr" | "w" => Some(Access::Write),
        "atomic" | "a" => Some(Access::Atomic),
        _ => None,
    }
}

fn parse(text: &str, requesters: u32) -> Result<TraceRequest, String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    // A line without a cycle has its access in the second place.
    let has_cycle = words.get(1).is_none_or(|word| access(word).is_none());
    let cycle = match has_cycle {
        true => {
            let word = words.remove(0);
            let cycle = number(word).filter(|&cycle| cycle <= LAST_CYCLE);
            Some(cycle.ok_or_else(|| format!("expected a cycle from 0 to 2^36, found {}", shown(word)))?)
        }
        false => None,
    };
    let mut words = words.into_iter();
    let mut next =
        |what: &str| words.next().ok_or_else(|| format!("expected {what}, found the end of the line"));
    let word = next("a requester")?;
    let requester = number(word).filter(|&requester| requester < u64::from(requesters)).ok_or_else(|| {
        format!("expected a requester from 0 to {}, found {}", requesters.saturating_sub(1), shown(word))
    })?;
    let word = next("read, write or atomic")?;
    let access =
        access(word).ok_or_else(|| format!("expected read, write or atomic, found {}", shown(word)))?;
    let word = next("an address such as 0x1f40 or 8000")?;
    let address = number(word).filter(|&address| address < ADDRESSES);
    let address = address.ok_or_else(|| format!("expected an address below 2^48, found {}", shown(word)))?;
    let word = next("a number of bytes")?;
    let bytes = number(word).filter(|bytes| (1..=MOST_BYTES).contains(bytes));
    let bytes = bytes.ok_or_else(|| format!("expected 1 to {MOST_BYTES} bytes, found {}", shown(word)))?;
    let is_whole = bytes.is_power_of_two() && bytes <= ATOMIC_BYTES && address.is_multiple_of(bytes);
    if access == Access::Atomic && !is_whole {
        let found = format!("{bytes} at {address:#x}");
        return Err(format!(
            "expected an atomic of 1, 2, 4, 8 or 16 bytes at a multiple of them, found {found}"
        ));
    }
    let pc = match words.next() {
        None => 0,
        Some(word) => number(word).and_then(|pc| u32::try_from(pc).ok()).ok_or_else(|| {
            format!("expected the number of an instruction below 2^32, found {}", shown(word))
        })?,
    };
    let (requester, pc) = (CoreId(requester as u16), Pc(pc));
    match words.next() {
        None => Ok(TraceRequest { cycle, requester, access, address, bytes: bytes as u32, pc }),
        Some(word) => Err(format!("expected the end of the line, found {}", shown(word))),
    }
}

/// What was found, in a form that fits a message.
fn shown(word: &str) -> String {
    let short: String = word.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("'{short}'")
}

fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    match digits {
        // Rust would take a sign.
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => u64::from_str_radix(digits, 16).ok(),
        None if word.bytes().all(|b| b.is_ascii_digit()) => word.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<TraceRequest>, TraceError> {
        let mut reader = TraceReader::new(text, 4);
        let mut requests = Vec::new();
        while let Some(request) = reader.next_request()? {
            requests.push(request);
        }
        Ok(requests)
    }

    #[test]
    fn all_spellings_mean_the_same() {
        let text = b"# a trace\n7 1 read 0x40 4 9\n0x7 1 R 64 4 9 # again\n\n  7\t1\tRD\t64\t0x4 0x9\r\n1 w 64 4\n3 a 8 8";
        let requests = read(text).unwrap();
        let request = TraceRequest {
            cycle: Some(7),
            requester: CoreId(1),
            access: Access::Read,
            address: 64,
            bytes: 4,
            pc: Pc(9),
        };
        assert_eq!(requests[..3], [request; 3]);
        assert_eq!(requests[3], TraceRequest { cycle: None, access: Access::Write, pc: Pc(0), ..request });
        let atomic = TraceRequest {
            requester: CoreId(3),
            access: Access::Atomic,
            address: 8,
            bytes: 8,
            ..requests[3]
        };
        assert_eq!(requests[4], atomic);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, word) in [
            (b"0 0 read 0 4\nnonsense".as_slice(), 2, "a cycle from 0"),
            (b"0", 1, "a requester, found the end"),
            (b"0 4 read 0 4", 1, "a requester from 0 to 3, found '4'"),
            (b"4 read 0 4", 1, "a requester from 0 to 3"),
            (b"0 -1 read 0 4", 1, "a requester from 0 to 3"),
            (b"0 1 fetch 0 4", 1, "read, write or atomic, found 'fetch'"),
            (b"\n\n0 1", 3, "read, write or atomic, found the end"),
            (b"0 1 read", 1, "an address"),
            (b"0 1 read 0x1000000000000 4", 1, "below 2^48"),
            (b"0 1 read +5 4", 1, "an address"),
            (b"0 1 read 5", 1, "a number of bytes"),
            (b"0 1 read 5 0", 1, "1 to 4096 bytes"),
            (b"0 1 read 5 4097", 1, "1 to 4096 bytes"),
            (b"0 1 atomic 4 8", 1, "at a multiple of them, found 8 at 0x4"),
            (b"0 1 atomic 0 32", 1, "an atomic of 1, 2, 4, 8 or 16"),
            (b"0 1 read 5 4 x", 1, "an instruction"),
            (b"0 1 read 5 4 0x100000000", 1, "an instruction"),
            (b"0 1 read 5 4 1 2", 1, "end of the line"),
            (b"0x1000000001 1 read 5 4", 1, "a cycle from 0 to 2^36"),
            (b"\xff 1 read 5 4", 1, "a cycle"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.line == line && error.problem.contains(word), "{error}");
        }
    }

    #[test]
    fn a_file_without_line_ends_is_refused_early() {
        assert!(read(&[b'1'; 1 << 20]).unwrap_err().problem.contains("at most"));
    }
}
