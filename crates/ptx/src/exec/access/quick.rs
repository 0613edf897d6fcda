//! The accesses that most kernels spend their time with, without the detour over a [`WarpAccess`]: loads of
//! parameters, and loads and stores of single elements of global memory by a few lanes.
//!
//! Each static access has a function of its own kind, chosen when it is decoded by the sizes of element and
//! register. A lane that does not fit (another region, misaligned, out of bounds) is left to the general way.
//!
//! [`WarpAccess`]: super::WarpAccess

use super::bytes::{Word, load_element, words, words_mut};
use super::flat::fits;
use super::value::broadcast;
use super::{AccessCode, Action, Base, Memory, Space};
use crate::exec::lanes::{Lanes, Mask, is_few};

/// Performs the access with this number as far as it can be done quickly; returns the lanes that are left.
pub(crate) type Quick = fn(&mut Memory<'_>, u32, &AccessCode, Mask, &mut Lanes<'_>) -> Mask;

/// The quick function of an access.
pub(crate) fn choose(code: &AccessCode) -> Quick {
    if code.elements != 1 {
        return nothing;
    }
    let wide = code.data[0].bytes == 8;
    match (code.space, code.action, code.address.base) {
        (Space::Parameter, Action::Load { .. }, Base::Absolute) => parameter,
        (Space::Global, Action::Load { signed }, Base::Row64(_)) => {
            choose_load(code.element, code.data[0].bytes, signed)
        }
        (Space::Global, Action::Store, Base::Row64(_)) => match (code.element, wide) {
            (1, false) => store::<u8, false>,
            (2, false) => store::<u16, false>,
            (4, false) => store::<u32, false>,
            (8, true) => store::<u64, true>,
            _ => nothing,
        },
        _ => nothing,
    }
}

/// By the sizes of element and register. Narrow registers are rows of 32 bits whose upper ones are zero.
fn choose_load(element: u8, register: u8, signed: bool) -> Quick {
    match (element, register, signed && element < register) {
        (1, 1..=4, false) => load::<u8, false, false>,
        (1, 4, true) => load::<u8, false, true>,
        (2, 2..=4, false) => load::<u16, false, false>,
        (2, 4, true) => load::<u16, false, true>,
        (4, 4, _) => load::<u32, false, false>,
        (4, 8, false) => load::<u32, true, false>,
        (8, 8, _) => load::<u64, true, false>,
        _ => nothing,
    }
}

/// Leaves all lanes to the general way.
pub(super) fn nothing(_: &mut Memory<'_>, _: u32, _: &AccessCode, mask: Mask, _: &mut Lanes<'_>) -> Mask {
    mask
}

/// A load of a parameter, which is the same for all lanes.
fn parameter(memory: &mut Memory<'_>, _: u32, code: &AccessCode, mask: Mask, lanes: &mut Lanes<'_>) -> Mask {
    let offset = code.address.offset;
    let signed = matches!(code.action, Action::Load { signed: true });
    if fits(memory.parameters, offset, code.bytes())
        && let Some(value) = load_element(memory.parameters, offset, code.element, signed)
    {
        broadcast(lanes, code.data[0], mask, value);
        return 0;
    }
    mask
}

fn load<T: Word, const WIDE: bool, const SIGNED: bool>(
    memory: &mut Memory<'_>,
    number: u32,
    code: &AccessCode,
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    let Base::Row64(base) = code.address.base else { return mask };
    let hint = memory.hints[number as usize];
    let Some((start, bytes)) = memory.image.readable(hint).filter(|_| is_few(mask)) else { return mask };
    let words: &[T] = words(bytes);
    let size = size_of::<T>() as u64;
    let shift = code.address.offset.wrapping_sub(start);
    let row = code.data[0].row;
    let (mut rest, mut left) = (mask, 0);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let offset = lanes.register_u64(base, lane).wrapping_add(shift);
        match words.get((offset / size) as usize) {
            Some(word) if offset.is_multiple_of(size) => {
                let value = super::value::extend(word.extended(), size as u8, SIGNED);
                if WIDE {
                    lanes.set_lane_u64(row, lane, value);
                } else {
                    lanes.set_lane_u32(row, lane, value as u32);
                }
            }
            _ => left |= 1 << lane,
        }
    }
    left
}

fn store<T: Word, const WIDE: bool>(
    memory: &mut Memory<'_>,
    number: u32,
    code: &AccessCode,
    mask: Mask,
    lanes: &mut Lanes<'_>,
) -> Mask {
    let Base::Row64(base) = code.address.base else { return mask };
    let hint = memory.hints[number as usize];
    let Some((start, bytes, changes)) = memory.image.writable(hint).filter(|_| is_few(mask)) else {
        return mask;
    };
    let words: &mut [T] = words_mut(bytes);
    let size = size_of::<T>() as u64;
    let shift = code.address.offset.wrapping_sub(start);
    let row = code.data[0].row;
    let (mut rest, mut left) = (mask, 0);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let offset = lanes.register_u64(base, lane).wrapping_add(shift);
        match words.get_mut((offset / size) as usize) {
            Some(word) if offset.is_multiple_of(size) => {
                let value = if WIDE { lanes.lane_u64(row, lane) } else { lanes.lane_u32(row, lane).into() };
                let value = T::cut(value);
                *changes += u64::from(*word != value);
                *word = value;
            }
            _ => left |= 1 << lane,
        }
    }
    left
}
