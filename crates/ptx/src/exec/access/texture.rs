//! Fetches from linear textures.
//!
//! The coordinate is the number of an element; outside of the texture everything is zero, as are components
//! that an element does not have. There is no filtering: a linear texture has none.

use super::{AccessCode, Action, Fault, Memory, WarpAccess, bytes::lanes_of, flat::write_lane};
use super::{read_value, value::extend, value::from_bytes};
use crate::exec::lanes::{Lanes, Mask};
use crate::exec::{Texture, TextureFormat};
use crate::ir::ScalarType;
use half::f16;

impl Memory<'_> {
    /// Performs a fetch, from coordinates to values.
    pub(super) fn texture(
        &mut self,
        code: &AccessCode,
        access: &mut WarpAccess,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let inside = self.locate_texels(code, access, lanes)?;
        self.fetch_texels(code, access, inside, lanes)
    }

    /// Finds the elements that a fetch means: the access's addresses are the coordinates, and those of the elements
    /// afterwards (the first one's, where a coordinate lies outside). Returns the lanes whose elements exist; the others
    /// get their zeros now, as no memory is read for them.
    pub(crate) fn locate_texels(
        &self,
        code: &AccessCode,
        access: &mut WarpAccess,
        lanes: &mut Lanes<'_>,
    ) -> Result<Mask, Box<Fault>> {
        let Action::Texture { texture, float_coordinate, .. } = code.action else { return Ok(0) };
        let mut inside = 0;
        for lane in lanes_of(access.mask) {
            let bound = self.bound(read_value(lanes, texture, lane), lane)?;
            let bits = access.addresses[lane] as u32;
            let index = if float_coordinate {
                // Rust's conversion saturates; below zero and above the end are outside in any case.
                libm::floorf(f32::from_bits(bits)) as i64
            } else {
                i64::from(bits as i32)
            };
            let TextureFormat { components, ty: stored, .. } = bound.format;
            let element = u64::from(components) * u64::from(stored.bytes());
            let index = u64::try_from(index).ok().filter(|&index| index < bound.elements);
            access.addresses[lane] = bound.address.wrapping_add(index.unwrap_or(0) * element);
            match index {
                Some(_) => inside |= 1 << lane,
                None => give(code, lane, [0; 4], lanes),
            }
        }
        Ok(inside)
    }

    /// Takes the values of elements that were found.
    pub(super) fn fetch_texels(
        &mut self,
        code: &AccessCode,
        access: &WarpAccess,
        mask: Mask,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let Action::Texture { texture, ty, .. } = code.action else { return Ok(()) };
        for lane in lanes_of(mask) {
            let bound = self.bound(read_value(lanes, texture, lane), lane)?;
            let values = self.element(access, lane, bound, ty)?;
            give(code, lane, values, lanes);
        }
        Ok(())
    }

    /// The texture of a handle.
    fn bound(&self, handle: u64, lane: usize) -> Result<Texture, Box<Fault>> {
        let known = self.textures.iter().find(|(known, _)| *known == handle);
        known
            .map(|&(_, texture)| texture)
            .ok_or_else(|| Fault::undefined(lane as u32, format!("no texture is bound to handle {handle}")))
    }

    fn element(
        &mut self,
        access: &WarpAccess,
        lane: usize,
        texture: Texture,
        ty: ScalarType,
    ) -> Result<[u32; 4], Box<Fault>> {
        let TextureFormat { components, ty: stored, .. } = texture.format;
        let size = u64::from(stored.bytes());
        let mut values = [0; 4];
        for (component, value) in values.iter_mut().enumerate().take(usize::from(components)) {
            let address = access.addresses[lane].wrapping_add(component as u64 * size);
            let hint = &mut self.hints[access.access as usize];
            let part = self.image.read(address, size, hint);
            let part = part.map_err(|error| Fault::access(lane as u32, error))?;
            *value = converted(part, texture.format, ty);
        }
        Ok(values)
    }
}

/// Writes the components of an element to a lane's registers.
fn give(code: &AccessCode, lane: usize, values: [u32; 4], lanes: &mut Lanes<'_>) {
    for (data, value) in code.data.iter().zip(values) {
        write_lane(lanes, *data, lane, u64::from(value));
    }
}

/// A stored component as the 32 bits of the destination.
fn converted(part: &[u8], format: TextureFormat, ty: ScalarType) -> u32 {
    let bits = from_bytes(part);
    let size = part.len() as u8;
    if format.ty == ScalarType::F16 {
        return f16::from_bits(bits as u16).to_f32().to_bits();
    }
    let value = extend(bits, size, format.ty.is_signed());
    if format.normalised && ty.is_float() && size < 4 {
        let largest =
            if format.ty.is_signed() { (1i64 << (8 * size - 1)) - 1 } else { (1i64 << (8 * size)) - 1 };
        return (value as i64 as f32 / largest as f32).max(-1.0).to_bits();
    }
    value as u32
}
