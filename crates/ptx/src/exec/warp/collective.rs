//! Operations among the lanes of a warp, and the waiting for their members.
//!
//! An operation without `.sync` acts on the lanes that execute it together. One with a member mask waits until
//! all members that are alive have come to an operation of the same kind with the same mask, wherever in the
//! program that is; then it is performed for all of them at once.

use super::exchange::{Inputs, exchange};
use super::run::{Run, Stop};
use super::{Group, State, Warp};
use crate::exec::access::{Data, Fault, read_value, write_value};
use crate::exec::lanes::{LANES, Lanes, Mask};
use crate::exec::{Collective, CollectiveAction, KernelCode, Kind};

impl Run<'_, '_> {
    /// Performs a collective operation, or waits.
    pub(super) fn collective(
        &mut self,
        group: &mut Group,
        index: usize,
        active: Mask,
        number: u32,
    ) -> Result<Option<Stop>, Box<Fault>> {
        let code = self.engine.code;
        let collective = &code.collectives[number as usize];
        let live = self.warp.live;
        let mut lanes = self.warp.lanes(group.frame(), &code.constants);
        let at_once = match collective.members {
            None => true,
            Some(row) => {
                let members = lanes.u32(row);
                let mut same = true;
                let first = members[active.trailing_zeros() as usize];
                for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
                    if members[lane] >> lane & 1 == 0 {
                        let problem =
                            format!("the lane is not in its own member mask {:#010x}", members[lane]);
                        return Err(Fault::undefined(lane as u32, problem));
                    }
                    same &= members[lane] == first;
                }
                group.members = *members;
                same && first & live == active
            }
        };
        if at_once {
            let inputs = gather(&lanes, collective, active);
            scatter(&mut lanes, collective, active, &exchange(collective.action, &inputs, active));
            group.advance();
            return Ok(None);
        }
        group.set_aside(active);
        group.state = State::Collective;
        self.release_waiting(group, index);
        Ok(Some(Stop::Waiting))
    }
}

impl Warp {
    /// Performs every collective operation whose members are all there.
    pub(super) fn complete_collectives(&mut self, code: &KernelCode) {
        while let Some((action, members)) = self.complete(code) {
            let mut arrived = 0;
            let mut parts = Vec::new();
            for index in 0..self.groups.len() {
                let lanes = self.waiting_for(code, index, action, members);
                if lanes == 0 {
                    continue;
                }
                arrived |= lanes;
                // Lanes of the group that wait for others stay behind.
                let part =
                    if self.groups[index].place().mask == lanes { index } else { self.split(index, lanes) };
                parts.push(part);
            }
            let mut inputs = Inputs::default();
            for &part in &parts {
                let (collective, mask, frame) = self.standing(code, part);
                let own = gather(&self.lanes(frame, &code.constants), collective, mask);
                inputs.join(&own, mask);
            }
            let outputs = exchange(action, &inputs, arrived);
            for &part in &parts {
                let (collective, mask, frame) = self.standing(code, part);
                scatter(&mut self.lanes(frame, &code.constants), collective, mask, &outputs);
                self.groups[part].go_on();
            }
        }
    }

    /// An operation whose members have all arrived: what it is, and the members.
    fn complete(&self, code: &KernelCode) -> Option<(CollectiveAction, Mask)> {
        for (index, group) in self.groups.iter().enumerate() {
            if group.state != State::Collective {
                continue;
            }
            let action = collective_at(code, group.place().pc)?.action;
            let mask = group.place().mask;
            for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                let members = group.members[lane];
                let here = self.waiting_for(code, index, action, members);
                let arrived = (0..self.groups.len())
                    .fold(here, |lanes, other| lanes | self.waiting_for(code, other, action, members));
                if members & self.live & !arrived == 0 {
                    return Some((action, members));
                }
            }
        }
        None
    }

    /// The lanes of a group that wait at such an operation with these members.
    fn waiting_for(&self, code: &KernelCode, group: usize, action: CollectiveAction, members: Mask) -> Mask {
        let group = &self.groups[group];
        let place = group.place();
        let same = group.state == State::Collective
            && collective_at(code, place.pc).is_some_and(|collective| collective.action == action);
        if !same {
            return 0;
        }
        let lanes = (0..LANES).filter(|&lane| group.members[lane] == members);
        lanes.fold(0, |mask: Mask, lane| mask | 1 << lane) & place.mask
    }

    /// The operation that a waiting group stands at, its lanes and its frame.
    fn standing<'c>(&self, code: &'c KernelCode, group: usize) -> (&'c Collective, Mask, super::Frame) {
        let group = &self.groups[group];
        let place = group.place();
        let number = match code.operations[place.pc as usize].kind {
            Kind::Collective(number) => number,
            _ => 0,
        };
        (&code.collectives[number as usize], place.mask, group.frame())
    }
}

/// The collective operation at an instruction.
fn collective_at(code: &KernelCode, pc: u32) -> Option<&Collective> {
    match code.operations.get(pc as usize)?.kind {
        Kind::Collective(number) => code.collectives.get(number as usize),
        _ => None,
    }
}

/// What the lanes bring.
fn gather(lanes: &Lanes<'_>, collective: &Collective, mask: Mask) -> Inputs {
    let mut inputs = Inputs::default();
    if let CollectiveAction::Vote(_) = collective.action {
        let negate = if collective.negated { Mask::MAX } else { 0 };
        inputs.truth = (lanes.predicate(collective.source.0) ^ negate) & mask;
        return inputs;
    }
    let data = Data { row: collective.source, bytes: collective.bytes as u8 };
    for (lane, value) in inputs.values.iter_mut().enumerate() {
        *value = read_value(lanes, data, lane);
    }
    inputs.lanes = *lanes.u32(collective.lane);
    inputs.clamps = *lanes.u32(collective.clamp);
    inputs
}

/// Writes what the lanes take away.
fn scatter(lanes: &mut Lanes<'_>, collective: &Collective, mask: Mask, outputs: &Inputs) {
    if let Some(row) = collective.destination {
        write_value(lanes, Data { row, bytes: 4 }, mask, &outputs.values);
    }
    if let Some(predicate) = collective.predicate {
        lanes.set_predicate(predicate, mask, outputs.truth);
    }
}
