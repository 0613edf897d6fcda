//! The load/store unit: one access at a time, one request per cycle and port.

use super::bank_conflicts::turns;
use super::coalescer::{Part, coalesce, coalesce_apart, descend};
use super::{Around, Cause, Core};
use crate::flight::LineRequest;
use crate::spec::RequestOrder;
use crate::statics::OperationKind;
use crate::wakes::ASLEEP;
use heddle_image::{Image, RegionId};
use heddle_memory::Pc;
use heddle_memory::fabric::Offer;
use heddle_memory::request::{Access, Answerer, Path, Request, Token};
use heddle_ptx::exec::LaunchError;
use heddle_ptx::exec::timed::PendingAccess;
use std::collections::VecDeque;

/// Where the threads' own memory lies for the caches: above everything that programs can allocate.
const LOCAL_BASE: u64 = 1 << 44;
/// Where kernel parameters lie for the caches.
const PARAMETER_BASE: u64 = 1 << 45;

/// Most banks of a core's cache.
const MOST_BANKS: usize = 64;

/// The unit.
#[derive(Debug, Default)]
pub(super) struct LoadStoreUnit {
    /// Accesses that wait, with the cycle from which they may be taken.
    queue: VecDeque<(u32, u64)>,
    /// The access that is being served.
    current: Option<u32>,
    /// Its requests, and how many of them have been made.
    parts: Vec<(Part, Path)>,
    next_part: usize,
    /// Until when shared memory is busy with it.
    busy_until: u64,
    /// The cache that refused its next request and has not said that it can take one.
    refused: Option<(Path, u64)>,
    scratch: Vec<Part>,
    /// For instructions that form no access.
    pub(super) unused: PendingAccess,
}

impl LoadStoreUnit {
    #[inline(always)]
    pub(super) fn is_full(&self, queue: u32) -> bool {
        self.queue.len() >= queue as usize
    }

    #[inline(always)]
    pub(super) fn push(&mut self, flight: u32, from: u64) {
        self.queue.push_back((flight, from));
    }

    /// The access that was put into the queue last, if it is still there.
    pub(super) fn last(&self) -> Option<u32> {
        self.queue.back().map(|&(flight, _)| flight)
    }

    /// Whether an access is being served.
    #[inline(always)]
    pub(super) fn is_current(&self, flight: u32) -> bool {
        self.current == Some(flight)
    }

    /// When there is something to do.
    #[inline(always)]
    pub(super) fn next_cycle(&self, now: u64) -> u64 {
        if self.current.is_some() {
            return if self.refused.is_some() { ASLEEP } else { self.busy_until.max(now + 1) };
        }
        self.queue.front().map_or(ASLEEP, |&(_, from)| from.max(self.busy_until).max(now + 1))
    }
}

impl Core {
    /// One cycle of the unit.
    #[inline(always)]
    pub(super) fn load_store_cycle(&mut self, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        if self.load_store.refused.is_some() || self.load_store.busy_until > around.now {
            return Ok(());
        }
        if self.load_store.current.is_none() {
            match self.load_store.queue.front() {
                Some(&(flight, from)) if from <= around.now => {
                    self.load_store.queue.pop_front();
                    self.take_access(flight, around)?;
                }
                _ => return Ok(()),
            }
        }
        self.make_requests(around)
    }

    /// Makes requests of the current access: each bank of the cache takes as many per cycle as it has ports, in order.
    #[inline(always)]
    pub(super) fn make_requests(&mut self, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        if self.caches.most_requests() == 1 {
            self.make_request(around)?;
            return Ok(());
        }
        let mut taken = [0u16; MOST_BANKS];
        while let Some(bank) = self.next_bank() {
            let (number, ports) = bank;
            taken[number] += 1;
            if u32::from(taken[number]) > ports || !self.make_request(around)? {
                break;
            }
        }
        Ok(())
    }

    /// The bank that the next request goes to, and its ports.
    #[inline(always)]
    fn next_bank(&self) -> Option<(usize, u32)> {
        self.load_store.current?;
        let &(part, path) = self.load_store.parts.get(self.load_store.next_part)?;
        let cache = self.caches.of(path);
        let banks = cache.banks.clamp(1, MOST_BANKS as u64);
        let bank = if banks == 1 { 0 } else { part.line.0 / cache.line % banks };
        Some((bank as usize, cache.ports.max(1)))
    }

    /// Begins with an access: shared memory is served at once, the rest is split into requests.
    fn take_access(&mut self, flight: u32, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        let Core { load_store: unit, caches, .. } = self;
        unit.parts.clear();
        unit.next_part = 0;
        unit.current = Some(flight);
        let entry = &mut around.flights.accesses[flight];
        let pending = &entry.pending;
        let code = &around.execution.code().accesses[pending.access.access as usize];
        let (bytes, touched) = (code.bytes(), pending.touched);
        let atomic = entry.kind == Some(OperationKind::Atomic);
        let split = match atomic && around.spec.core.separate_atomics {
            true => coalesce_apart,
            false => coalesce,
        };
        let segment = match entry.passes && around.spec.core.pass_segment.0 > 0 {
            true => around.spec.core.pass_segment.0,
            false => caches.of(Path::Global).line,
        };
        let mut add = |addresses: &[u64; 32], mask, path, line: u64| {
            unit.scratch.clear();
            split(addresses, mask, bytes, line, &mut unit.scratch);
            unit.parts.extend(unit.scratch.iter().map(|&part| (part, path)));
        };
        if touched.global != 0 {
            add(&pending.access.addresses, touched.global, Path::Global, segment);
        }
        if touched.local != 0 {
            let threads = u64::from(around.spec.core.threads) * u64::from(around.spec.core.count);
            let own =
                u64::from(self.number.0) * u64::from(around.spec.core.threads) + u64::from(entry.warp.0) * 32;
            let place = |lane: usize| {
                let address = pending.access.addresses[lane];
                LOCAL_BASE + (address / 4 * threads + own + lane as u64) * 4 + address % 4
            };
            add(&std::array::from_fn(place), touched.local, Path::Local, caches.of(Path::Local).line);
        }
        if touched.constant != 0 {
            let parameter = code.space != heddle_ptx::exec::Space::Constant;
            let base = if parameter { PARAMETER_BASE } else { 0 };
            let addresses = pending.access.addresses.map(|address| address.wrapping_add(base));
            add(&addresses, touched.constant, Path::Constant, caches.of(Path::Constant).line);
        }
        if touched.texture != 0 {
            add(&pending.access.addresses, touched.texture, Path::Texture, caches.of(Path::Texture).line);
        }
        if around.spec.core.request_order == RequestOrder::Descending {
            descend(&mut unit.parts);
        }
        entry.remaining = unit.parts.len() as u32;
        if touched.global != 0 {
            self.counters.global_transactions += u64::from(entry.remaining);
        }
        around.loads.transactions(entry.operation, entry.remaining);
        if touched.shared != 0 {
            self.shared_access(flight, atomic, around)?;
        }
        if around.flights.accesses[flight].is_foreseen {
            self.foresee(flight, around)?;
        }
        if around.flights.accesses[flight].remaining == 0 {
            self.load_store.current = None;
            self.complete(flight, around);
        }
        Ok(())
    }

    /// A load that needs not wait for its requests has its values after the latency of a hit.
    #[cold]
    fn foresee(&mut self, flight: u32, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        let entry = &mut around.flights.accesses[flight];
        let touched = entry.pending.touched;
        if touched.global == 0 || touched.shared | touched.local | touched.constant | touched.texture != 0 {
            return Ok(());
        }
        let slot = &self.warps[entry.warp.index()];
        let resident = &mut self.blocks[usize::from(slot.block)].resident;
        around.execution.service(resident, usize::from(slot.index), &mut entry.pending, touched.global)?;
        entry.ready_at = around.now + u64::from(self.caches.of(Path::Global).latency);
        self.give_early(flight, around);
        Ok(())
    }

    /// Shared memory serves an access in as many turns as its busiest bank needs.
    fn shared_access(
        &mut self,
        flight: u32,
        atomic: bool,
        around: &mut Around<'_, '_>,
    ) -> Result<(), LaunchError> {
        let entry = &mut around.flights.accesses[flight];
        let spec = &around.spec.shared_memory;
        let bytes = around.execution.code().accesses[entry.pending.access.access as usize].bytes();
        let mask = entry.pending.touched.shared;
        let serial = atomic && spec.serial_atomics;
        let turns = u64::from(turns(&entry.pending.access.addresses, mask, bytes, spec.banks, serial));
        self.counters.shared_accesses += turns;
        self.counters.bank_conflict_cycles += turns - 1;
        self.load_store.busy_until = around.now + turns;
        entry.ready_at = around.now + turns - 1 + u64::from(spec.latency);
        entry.cause = Some(Cause::Shared);
        let slot = &self.warps[entry.warp.index()];
        let resident = &mut self.blocks[usize::from(slot.block)].resident;
        around.execution.service(resident, usize::from(slot.index), &mut entry.pending, mask)
    }

    /// Makes the next request of the current access; whether another may follow in the same cycle.
    #[inline(never)]
    fn make_request(&mut self, around: &mut Around<'_, '_>) -> Result<bool, LaunchError> {
        let Some(flight) = self.load_store.current else { return Ok(false) };
        let Some(&(part, path)) = self.load_store.parts.get(self.load_store.next_part) else {
            return Ok(false);
        };
        let entry = &mut around.flights.accesses[flight];
        let transaction = LineRequest { flight, lanes: part.lanes, serviced: entry.is_given };
        let token = around.flights.transactions.insert(transaction);
        let visibility = around.statics.operations[entry.pending.pc as usize].visibility;
        let request = Request {
            line: part.line,
            words: part.words,
            access: match entry.kind {
                Some(OperationKind::Store) => Access::Write,
                Some(OperationKind::Atomic) => Access::Atomic,
                _ => Access::Read,
            },
            path,
            core: self.number,
            region: around.loads.region(entry.pending.pc, part.line.0, around.execution.image()),
            pc: Pc(entry.pending.pc),
            warp: entry.warp,
            scope: visibility.scope,
            ordering: visibility.ordering,
            token: Token(token),
            policy_bits: 0,
            lanes: part.lanes.count_ones() as u8,
            passes: entry.passes && path == Path::Global,
        };
        match around.fabric.offer(around.tick, request) {
            Offer::Refused(_) => {
                around.flights.transactions.release(token);
                self.load_store.refused = Some((path, around.now));
                return Ok(false);
            }
            Offer::Accepted => fetch_ahead(&request, around.execution.image()),
            Offer::Hit { latency } => {
                around.flights.transactions.release(token);
                let cause =
                    if path == Path::Constant { Cause::Constant } else { Cause::Answered(Answerer::CORE) };
                entry.ready_at = entry.ready_at.max(around.now + u64::from(latency));
                entry.cause.get_or_insert(cause);
                entry.remaining -= 1;
                around.loads.answered(entry.operation, Answerer::CORE);
                if matches!(path, Path::Global | Path::Texture) && !entry.is_given {
                    let slot = &self.warps[entry.warp.index()];
                    let resident = &mut self.blocks[usize::from(slot.block)].resident;
                    let index = usize::from(slot.index);
                    around.execution.service(resident, index, &mut entry.pending, part.lanes)?;
                }
            }
        }
        self.load_store.next_part += 1;
        if self.load_store.next_part < self.load_store.parts.len() {
            return Ok(true);
        }
        self.load_store.current = None;
        if around.flights.accesses[flight].remaining == 0 {
            self.complete(flight, around);
        }
        Ok(false)
    }

    /// A data cache can take a request again.
    pub(super) fn load_store_ready(&mut self, path: Path, around: &mut Around<'_, '_>) {
        // Global and local accesses share the data cache.
        let data = |path| matches!(path, Path::Global | Path::Local);
        if let Some((waiting, since)) = self.load_store.refused
            && (waiting == path || data(waiting) && data(path))
        {
            self.counters.load_store_stall_cycles += around.now - since;
            self.load_store.refused = None;
            self.wake_at(around.now, around);
        }
    }
}

/// The values of a request that misses are taken when it is serviced, a good while from now.
#[inline(always)]
fn fetch_ahead(request: &Request, image: &Image) {
    let Some(region) = u32::from(request.region.0).checked_sub(1) else { return };
    let word = |number: u32| request.line.0 + 4 * u64::from(number);
    let (first, last) = (request.words.trailing_zeros(), 31 - request.words.leading_zeros().min(31));
    image.fetch_ahead(RegionId(region), word(first), word(last));
}
