//! What no crossbar can be.

use super::class::{ClassSpec, PacketKind};
use super::spec::CrossbarSpec;

/// Most packets of a queue: far more than any hardware has, and no machine file can make us allocate more.
const LONGEST_QUEUE: u32 = 1 << 16;

impl CrossbarSpec {
    /// What is wrong with it, if anything: the key inside this description, and why.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        if !(1..=4096).contains(&self.flit.0) {
            return Some(("flit", format!("{} is not between 1 and 4096 bytes", self.flit)));
        }
        if !(1..=4096).contains(&self.width) {
            return Some(("width", format!("{} is not between 1 and 4096 flits per cycle", self.width)));
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
        if let Some(problem) = self.problem_of_width() {
            return Some(("width", problem));
        }
        for (key, packets) in [("input_queue", self.input_queue), ("output_queue", self.output_queue)] {
            if !(1..=LONGEST_QUEUE).contains(&packets) {
                return Some((key, format!("{packets} is not between 1 and {LONGEST_QUEUE} packets")));
            }
        }
        self.problem_of_classes().map(|problem| ("classes", problem))
    }

    /// Links of several flits move packets whole, and as fast as the switch: why a class does not fit them, if one does not.
    fn problem_of_width(&self) -> Option<String> {
        if self.width == 1 {
            return None;
        }
        let classes = self.message_classes();
        let other = classes.iter().find(|class| class.turns(self) != (0, 1))?;
        let (interleave, speedup) = other.turns(self);
        Some(format!(
            "links of {} flits need packets that are sent whole and no speed-up, and \"{}\" has interleave {interleave} and \
             speed-up {speedup}",
            self.width, other.name
        ))
    }

    /// What is wrong with the list of classes, if anything.
    fn problem_of_classes(&self) -> Option<String> {
        let classes = &self.classes;
        if classes.is_empty() {
            return None;
        }
        if let Some(problem) = classes.iter().find_map(|class| class.problem(self)) {
            return Some(problem);
        }
        for (place, class) in classes.iter().enumerate() {
            if classes[..place].iter().any(|other| other.name == class.name) {
                return Some(format!("there are two classes \"{}\"", class.name));
            }
        }
        for kind in PacketKind::ALL {
            let carrying =
                classes.iter().flat_map(|class| &class.carries).filter(|other| **other == kind).count();
            match carrying {
                0 => return Some(format!("no class carries \"{}\"", kind.name())),
                1 => {}
                _ => return Some(format!("\"{}\" is carried twice", kind.name())),
            }
        }
        let of_reads = classes.iter().find(|class| class.carries.contains(&PacketKind::Read))?;
        let apart =
            PacketKind::ALL.into_iter().find(|kind| kind.is_access() && !of_reads.carries.contains(kind))?;
        Some(format!(
            "\"{}\" must be in the class of \"read\", {:?}: accesses of a core to one line are in order because they are in \
             one queue, and nothing else keeps a read from overtaking a write",
            apart.name(),
            of_reads.name
        ))
    }
}

impl ClassSpec {
    /// What is wrong with its figures.
    fn problem(&self, spec: &CrossbarSpec) -> Option<String> {
        let name = &self.name;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_word) {
            return Some(format!("{name:?} cannot be a name: names are of letters, digits, `-` and `_`"));
        }
        let Some(first) = self.carries.first() else {
            return Some(format!("\"{name}\" carries nothing; leave it out"));
        };
        if let Some(other) = self.carries.iter().find(|kind| kind.goes_down() != first.goes_down()) {
            return Some(format!(
                "\"{name}\" carries {} and {}, which go opposite ways: replies that wait behind requests, which wait for \
                 replies, would never arrive",
                first.name(),
                other.name()
            ));
        }
        let queues = [("input_queue", self.input_queue), ("output_queue", self.output_queue)];
        let too_long =
            queues.into_iter().find(|(_, packets)| !packets.is_none_or(|n| (1..=LONGEST_QUEUE).contains(&n)));
        if let Some((key, packets)) = too_long {
            let packets = packets.unwrap_or(0);
            return Some(format!(
                "{key} of \"{name}\": {packets} is not between 1 and {LONGEST_QUEUE} packets"
            ));
        }
        let (interleave, speedup) = self.turns(spec);
        problem_of_turns(interleave, speedup).map(|problem| format!("\"{name}\": {problem}"))
    }
}

/// What is wrong with flits of a turn and of the switch in a cycle, if anything.
fn problem_of_turns(interleave: u32, speedup: u32) -> Option<String> {
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
    use heddle_engine::units::Bytes;

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
            width: 1,
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
        let wide = CrossbarSpec { width: 5, ..spec(32, 8) };
        assert_eq!(wide.problem(), None);
        assert_eq!(CrossbarSpec { interleave: 1, ..wide.clone() }.problem().unwrap().0, "width");
        assert_eq!(CrossbarSpec { request_speedup: 2, ..wide }.problem().unwrap().0, "width");
        assert_eq!(CrossbarSpec { output_queue: 0, ..spec(32, 8) }.problem().unwrap().0, "output_queue");
    }
}
