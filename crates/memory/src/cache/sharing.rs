//! Hits to private and to shared data, where somebody asks for them (`count_sharing`): a line that one core alone has
//! read since it came is private (\[Lakshminarayana14\] section 4.5.8).

use crate::ids::CoreId;

heddle_engine::counters! {
    /// Whose data the reads of a shared cache hit.
    pub struct SharingCounters {
        private_hits: "times", "Reads that hit a line which no other core has read since it came.";
        shared_hits: "times", "Reads that hit a line which several cores have read since it came.";
    }
}

/// What is known of each place, beside its tag.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    pub(super) counters: SharingCounters,
    /// More than one core has read the line.
    several: Vec<bool>,
}

impl Sharing {
    pub(super) fn new(lines: usize) -> Sharing {
        Sharing { counters: SharingCounters::default(), several: vec![false; lines] }
    }

    /// A line comes.
    pub(super) fn comes(&mut self, place: u32) {
        self.several[place as usize] = false;
    }

    /// A core has hit a line that was fetched for another or for itself.
    pub(super) fn hit(&mut self, place: u32, core: CoreId, fetched_for: CoreId) {
        let several = &mut self.several[place as usize];
        *several |= core != fetched_for;
        match several {
            true => self.counters.shared_hits += 1,
            false => self.counters.private_hits += 1,
        }
    }
}
