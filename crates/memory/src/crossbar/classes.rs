//! The classes of a network: the list of its file or the two that it has otherwise, a plane for each, and which class a
//! packet travels in.

use super::class::{ClassSpec, PacketKind};
use super::packet::Class;
use super::plane::Plane;
use super::spec::CrossbarSpec;

impl ClassSpec {
    /// Flits of a turn, and of the switch in a cycle.
    pub(super) fn turns(&self, spec: &CrossbarSpec) -> (u32, u32) {
        let (interleave, speedup) = match self.goes_down() {
            true => (spec.interleave_requests, spec.request_speedup),
            false => (spec.interleave, 1),
        };
        (self.interleave.unwrap_or(interleave), self.speedup.unwrap_or(speedup))
    }

    pub(super) fn plane(&self, spec: &CrossbarSpec) -> Plane {
        let (interleave, speedup) = self.turns(spec);
        let queues =
            (self.input_queue.unwrap_or(spec.input_queue), self.output_queue.unwrap_or(spec.output_queue));
        Plane::new(interleave, speedup, queues).with_links(spec.width)
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
