//! Text traces: `address READ|WRITE cycle`, a request per line, as DRAMsim3 and Ramulator users have them.
//!
//! Addresses and cycles are decimal or, with `0x`, hexadecimal; `R`, `RD`, `W` and `WR` mean the same as the
//! words, in any case. `#` begins a comment. The cycle may be left out where it is not used. Lines are read
//! one at a time, so that a trace may be longer than memory.

use std::io::{self, BufRead, Read};
use thiserror::Error;

/// Longest line: keeps a file without line ends from being read into memory.
const LINE_BYTES: usize = 4096;

/// Cycles up to here leave room for sums in 64 bits, whatever the part's timings are.
pub(super) const LAST_CYCLE: u64 = 1 << 60;

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DramTraceRequest {
    /// A byte address.
    pub address: u64,
    /// Whether it writes.
    pub write: bool,
    /// When it comes, in command clocks.
    pub cycle: Option<u64>,
}

/// What is wrong with a trace, and in which line.
#[derive(Debug, Error)]
#[error("{line}: {problem}")]
pub struct DramTraceError {
    /// The line, from 1.
    pub line: u64,
    /// What was expected and what was found, or what the system said.
    pub problem: String,
}

/// Reads a trace.
#[derive(Debug)]
pub struct DramTraceReader<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> DramTraceReader<R> {
    /// From its first line.
    pub fn new(input: R) -> DramTraceReader<R> {
        DramTraceReader { input, line: 0, buffer: Vec::new() }
    }

    /// The line that was read last.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next request, if there is one.
    pub fn next_request(&mut self) -> Result<Option<DramTraceRequest>, DramTraceError> {
        loop {
            self.line += 1;
            let line = self.line;
            let wrong = |problem: String| DramTraceError { line, problem };
            self.buffer.clear();
            let limit = LINE_BYTES as u64 + 1;
            let mut limited = self.input.by_ref().take(limit);
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
                return parse(text).map(Some).map_err(wrong);
            }
        }
    }
}

fn words(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

fn parse(text: &str) -> Result<DramTraceRequest, String> {
    let mut words = text.split_whitespace();
    let address = words.next().unwrap_or_default();
    let address = number(address)
        .ok_or_else(|| format!("expected an address such as 0x1f40 or 8000, found {}", shown(address)))?;
    let kind = words.next().ok_or("expected READ or WRITE after the address, found the end of the line")?;
    let write = match kind.to_ascii_uppercase().as_str() {
        "READ" | "RD" | "R" => false,
        "WRITE" | "WR" | "W" => true,
        _ => return Err(format!("expected READ or WRITE, found {}", shown(kind))),
    };
    let cycle = match words.next() {
        None => None,
        Some(word) => {
            let cycle = number(word).filter(|&cycle| cycle <= LAST_CYCLE);
            Some(cycle.ok_or_else(|| format!("expected a cycle from 0 to 2^60, found {}", shown(word)))?)
        }
    };
    match words.next() {
        None => Ok(DramTraceRequest { address, write, cycle }),
        Some(word) => Err(format!("expected the end of the line after the cycle, found {}", shown(word))),
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

    fn read(text: &[u8]) -> Result<Vec<DramTraceRequest>, DramTraceError> {
        let mut reader = DramTraceReader::new(text);
        let mut requests = Vec::new();
        while let Some(request) = reader.next_request()? {
            requests.push(request);
        }
        Ok(requests)
    }

    #[test]
    fn all_spellings_mean_the_same() {
        let text = b"# a trace\n0x40 READ 7\n64 r 7 # again\n\n  0X40\tRd\t0x7\r\n64 W\n64 write 9";
        let requests = read(text).unwrap();
        let request = DramTraceRequest { address: 64, write: false, cycle: Some(7) };
        assert_eq!(requests[..3], [request; 3]);
        assert_eq!(requests[3], DramTraceRequest { write: true, cycle: None, ..request });
        assert_eq!(requests[4], DramTraceRequest { write: true, cycle: Some(9), ..request });
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, word) in [
            (b"0x40 READ 1\nnonsense".as_slice(), 2, "an address"),
            (b"-5 READ 1", 1, "an address"),
            (b"0x READ 1", 1, "an address"),
            (b"+5 READ 1", 1, "an address"),
            (b"0x11112222333344445 READ 1", 1, "an address"),
            (b"\n\n64", 3, "READ or WRITE"),
            (b"64 FETCH 1", 1, "'FETCH'"),
            (b"64 READ soon", 1, "a cycle"),
            (b"64 READ 0x1000000000000001", 1, "a cycle"),
            (b"64 READ 1 2", 1, "end of the line"),
            (b"\xff\xfe READ 1", 1, "an address"),
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
