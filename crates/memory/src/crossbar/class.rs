//! Message classes: what travels on which plane of a network, as machine files have it.
//!
//! A network has two classes unless its file lists others: `requests`, with all that goes down, and `replies`, with all
//! that comes back. A class of its own has queues of its own, so that its packets wait behind none of another.
//!
//! Two rules hold for every list, and are checked:
//!
//! - No class carries both ways. A reply behind a request that waits for replies would wait for itself.
//! - Whatever reads or writes memory is in one class. Accesses of a core to a line are in order because they are in one
//!   queue; nothing else keeps a read from overtaking the write or the write-back of its line.

use super::packet::Class;
use super::plane::Plane;
use super::spec::{CrossbarSpec, LONGEST_QUEUE, problem_of_turns};
use crate::choices::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// What a packet is to a network.
    PacketKind {
        /// Asks for data.
        Read = "read",
        /// Asks for data that nobody waits for.
        Prefetch = "prefetch",
        /// Carries what a core stores.
        Write = "write",
        /// Carries the operands of an atomic.
        Atomic = "atomic",
        /// Carries dirty sectors that a cache gives up.
        WriteBack = "write-back",
        /// Carries a victim that the cache below inserts.
        Victim = "victim",
        /// A core's command to an agent.
        Command = "command",
        /// Brings data: to a read, a prefetch or an atomic.
        Data = "data",
        /// Says that a write is done.
        Acknowledgement = "acknowledgement",
        /// Brings an agent's answer.
        Answer = "answer",
    }
}

impl PacketKind {
    /// All of them.
    pub const ALL: [PacketKind; 10] = [
        PacketKind::Read,
        PacketKind::Prefetch,
        PacketKind::Write,
        PacketKind::Atomic,
        PacketKind::WriteBack,
        PacketKind::Victim,
        PacketKind::Command,
        PacketKind::Data,
        PacketKind::Acknowledgement,
        PacketKind::Answer,
    ];

    /// Whether it goes towards memory.
    fn goes_down(self) -> bool {
        !matches!(self, PacketKind::Data | PacketKind::Acknowledgement | PacketKind::Answer)
    }

    /// Whether it reads or writes memory.
    fn is_access(self) -> bool {
        self.goes_down() && self != PacketKind::Command
    }

    fn name(self) -> &'static str {
        PacketKind::NAMES[self as usize]
    }
}

/// A message class, as machine files have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassSpec {
    /// Its name: that of its statistics, behind the network's.
    pub name: String,
    /// What it carries.
    pub carries: Vec<PacketKind>,
    /// Packets that may wait at an input; as the network's, if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_queue: Option<u32>,
    /// Packets that may be on the way to an output's receiver or wait there; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_queue: Option<u32>,
    /// Flits after which an output turns to the next input; as the network's for requests or for replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleave: Option<u32>,
    /// Flits that the switch moves in a cycle, of packets that are sent whole; as the network's for requests, and 1 for
    /// what comes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speedup: Option<u32>,
}

impl ClassSpec {
    fn new(name: &str, down: bool) -> ClassSpec {
        let carries = PacketKind::ALL.into_iter().filter(|kind| kind.goes_down() == down).collect();
        let name = name.to_owned();
        ClassSpec { name, carries, input_queue: None, output_queue: None, interleave: None, speedup: None }
    }

    fn goes_down(&self) -> bool {
        self.carries.first().is_some_and(|kind| kind.goes_down())
    }

    /// Flits of a turn, and of the switch in a cycle.
    fn turns(&self, spec: &CrossbarSpec) -> (u32, u32) {
        let (interleave, speedup) = match self.goes_down() {
            true => (spec.interleave_requests, spec.request_speedup),
            false => (spec.interleave, 1),
        };
        (self.interleave.unwrap_or(interleave), self.speedup.unwrap_or(speedup))
    }

    fn plane(&self, spec: &CrossbarSpec) -> Plane {
        let (interleave, speedup) = self.turns(spec);
        let queues =
            (self.input_queue.unwrap_or(spec.input_queue), self.output_queue.unwrap_or(spec.output_queue));
        Plane::new(interleave, speedup, queues)
    }

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

impl CrossbarSpec {
    /// The message classes: those that the file lists, or else requests and replies.
    pub fn message_classes(&self) -> Vec<ClassSpec> {
        match self.classes.is_empty() {
            true => vec![ClassSpec::new("requests", true), ClassSpec::new("replies", false)],
            false => self.classes.clone(),
        }
    }

    /// A plane for each class.
    pub fn planes(&self) -> Vec<Plane> {
        self.message_classes().iter().map(|class| class.plane(self)).collect()
    }

    /// What is wrong with the list of classes, if anything.
    pub(super) fn problem_of_classes(&self) -> Option<String> {
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

/// Which class a packet travels in, and what classes are called.
#[derive(Clone, Debug)]
pub(crate) struct ClassMap {
    of: [Class; PacketKind::ALL.len()],
    names: Vec<String>,
}

impl ClassMap {
    pub(crate) fn new(spec: &CrossbarSpec) -> ClassMap {
        let classes = spec.message_classes();
        let of = PacketKind::ALL.map(|kind| {
            let place = classes.iter().position(|class| class.carries.contains(&kind));
            Class(place.unwrap_or(0) as u8)
        });
        ClassMap { of, names: classes.into_iter().map(|class| class.name).collect() }
    }

    /// The class of a packet.
    #[inline(always)]
    pub(crate) fn of(&self, kind: PacketKind) -> Class {
        self.of[kind as usize]
    }

    /// The classes of packets that go down, or of those that come back.
    pub(crate) fn one_way(&self, down: bool) -> Vec<Class> {
        let kinds = PacketKind::ALL.into_iter().filter(|kind| kind.goes_down() == down);
        let mut classes: Vec<Class> = kinds.map(|kind| self.of(kind)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// All of them by name, in the order of their numbers.
    pub(crate) fn names(&self) -> impl Iterator<Item = (Class, &str)> {
        self.names.iter().enumerate().map(|(number, name)| (Class(number as u8), name.as_str()))
    }
}
