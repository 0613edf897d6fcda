//! The description of a crossbar, as machine files have it.

use super::class::ClassSpec;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// A crossbar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossbarSpec {
    /// The clock that it runs at, by its name in `[clocks]`; without one, that of its own name or the one of all networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// A flit: what an input or an output moves in one cycle.
    pub flit: Bytes,
    /// What every packet carries beside its data: address, names, commands.
    pub header: Bytes,
    /// Cycles from the last flit's departure to the packet's arrival.
    pub latency: u32,
    /// Packets that may wait at an input.
    pub input_queue: u32,
    /// Packets that may be on the way to an output's receiver or wait there.
    pub output_queue: u32,
    /// Flits of replies after which an output turns to the next input that asks for it, in the middle of a packet too;
    /// with 0 it stays with a packet to its end. One flit stands for networks whose replies are packets of one flit each,
    /// one for every sector.
    #[serde(default)]
    pub interleave: u32,
    /// The same for requests.
    #[serde(default)]
    pub interleave_requests: u32,
    /// Flits of a request that the switch moves from input to output in one cycle, where links bring and take one
    /// (the internal speed-up of a router). More than one needs requests that are sent whole. A request of `n` flits then
    /// holds its input and its output for `(n + 1) / request_speedup` cycles, rounded up, and the links for `n`.
    #[serde(default = "links_alone")]
    pub request_speedup: u32,
    /// Message classes, if they are others than requests and replies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassSpec>,
}

/// No speed-up.
fn links_alone() -> u32 {
    1
}

/// Most packets of a queue: far more than any hardware has, and no machine file can make us allocate more.
pub(crate) const LONGEST_QUEUE: u32 = 1 << 16;

impl CrossbarSpec {
    /// Flits of a packet with so many bytes of data.
    pub fn flits(&self, data: u64) -> u32 {
        (self.header.0 + data).div_ceil(self.flit.0.max(1)).max(1) as u32
    }

    /// What is wrong with it, if anything: the key inside this description, and why.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        if !(1..=4096).contains(&self.flit.0) {
            return Some(("flit", format!("{} is not between 1 and 4096 bytes", self.flit)));
        }
        if self.header.0 > 4096 {
            return Some(("header", format!("{} is more than 4096 bytes", self.header)));
        }
        if self.latency > 1_000_000 {
            return Some(("latency", format!("{} cycles are more than 1000000", self.latency)));
        }
        let turns = [("interleave", self.interleave), ("interleave_requests", self.interleave_requests)];
        for (key, flits) in turns {
            if let Some(problem) = problem_of_turns(flits, 1) {
                return Some((key, problem));
            }
        }
        if let Some(problem) = problem_of_turns(0, self.request_speedup) {
            return Some(("request_speedup", problem));
        }
        if self.request_speedup > 1 && self.interleave_requests > 0 {
            let problem = format!(
                "{} flits per cycle need requests that are sent whole: interconnect.interleave_requests = 0, not {}",
                self.request_speedup, self.interleave_requests
            );
            return Some(("request_speedup", problem));
        }
        for (key, packets) in [("input_queue", self.input_queue), ("output_queue", self.output_queue)] {
            if !(1..=LONGEST_QUEUE).contains(&packets) {
                return Some((key, format!("{packets} is not between 1 and {LONGEST_QUEUE} packets")));
            }
        }
        self.problem_of_classes().map(|problem| ("classes", problem))
    }
}

/// What is wrong with flits of a turn and of the switch in a cycle, if anything.
pub(super) fn problem_of_turns(interleave: u32, speedup: u32) -> Option<String> {
    if interleave > 4096 {
        return Some(format!("{interleave} flits are more than 4096"));
    }
    if !(1..=64).contains(&speedup) {
        return Some(format!("{speedup} is not between 1 and 64 flits per cycle"));
    }
    let both = speedup > 1 && interleave > 0;
    both.then(|| {
        format!(
            "{speedup} flits per cycle need packets that are sent whole, not {interleave} flits at a time"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(flit: u64, header: u64) -> CrossbarSpec {
        let (flit, header) = (Bytes(flit), Bytes(header));
        CrossbarSpec {
            clock: None,
            classes: Vec::new(),
            flit,
            header,
            latency: 1,
            input_queue: 1,
            output_queue: 1,
            interleave: 0,
            interleave_requests: 0,
            request_speedup: 1,
        }
    }

    /// \[Lakshminarayana14\]: a data packet is 5 flits, an address packet 1, one with n sectors 1 + n.
    #[test]
    fn packets_of_the_source_document_have_its_sizes() {
        let fermi = spec(32, 32);
        assert_eq!((fermi.flits(0), fermi.flits(128)), (1, 5));
        assert!((1..4).all(|sectors| fermi.flits(32 * sectors) == 1 + sectors as u32));
        let gtx480 = spec(40, 8);
        assert_eq!((gtx480.flits(0), gtx480.flits(32), gtx480.flits(128)), (1, 1, 4));
    }

    #[test]
    fn nonsense_is_refused_with_its_key() {
        assert_eq!(spec(32, 8).problem(), None);
        assert_eq!(spec(0, 8).problem().unwrap().0, "flit");
        let fast = CrossbarSpec { request_speedup: 2, ..spec(32, 8) };
        assert_eq!(fast.problem(), None);
        let broken = CrossbarSpec { interleave_requests: 1, ..fast };
        assert_eq!(broken.problem().unwrap().0, "request_speedup");
        assert_eq!(CrossbarSpec { output_queue: 0, ..spec(32, 8) }.problem().unwrap().0, "output_queue");
    }
}
