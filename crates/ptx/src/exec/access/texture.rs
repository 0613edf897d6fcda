//! Fetches from linear textures.
//!
//! The coordinate is the number of an element; outside of the texture everything is zero, as are components
//! that an element does not have. There is no filtering: a linear texture has none.

use super::{AccessCode, Action, Fault, Memory, WarpAccess, bytes::lanes_of, flat::write_lane};
use super::{read_value, value::extend, value::from_bytes};
use crate::exec::lanes::Lanes;
use crate::exec::{Texture, TextureFormat};
use crate::ir::ScalarType;
use half::f16;

impl Memory<'_> {
    /// Performs a fetch; the access's addresses are the coordinates, and those of the elements afterwards (the
    /// first one's, where a coordinate lies outside).
    pub(super) fn texture(
        &mut self,
        code: &AccessCode,
        access: &mut WarpAccess,
        lanes: &mut Lanes<'_>,
    ) -> Result<(), Box<Fault>> {
        let Action::Texture { texture, ty, float_coordinate } = code.action else { return Ok(()) };
        for lane in lanes_of(access.mask) {
            let handle = read_value(lanes, texture, lane);
            let Some(&(_, bound)) = self.textures.iter().find(|(known, _)| *known == handle) else {
                let problem = format!("no texture is bound to handle {handle}");
                return Err(Fault::undefined(lane as u32, problem));
            };
            let bits = access.addresses[lane] as u32;
            let index = if float_coordinate {
                // Rust's conversion saturates; below zero and above the end are outside in any case.
                libm::floorf(f32::from_bits(bits)) as i64
            } else {
                i64::from(bits as i32)
            };
            let values = match u64::try_from(index).ok().filter(|&index| index < bound.elements) {
                Some(index) => self.element(access, lane, bound, index, ty)?,
                None => [0; 4],
            };
            let TextureFormat { components, ty: stored, .. } = bound.format;
            let element = u64::from(components) * u64::from(stored.bytes());
            let offset = u64::try_from(index).ok().filter(|&index| index < bound.elements).unwrap_or(0);
            access.addresses[lane] = bound.address.wrapping_add(offset * element);
            for (data, value) in code.data.iter().zip(values) {
                write_lane(lanes, *data, lane, u64::from(value));
            }
        }
        Ok(())
    }

    fn element(
        &mut self,
        access: &WarpAccess,
        lane: usize,
        texture: Texture,
        index: u64,
        ty: ScalarType,
    ) -> Result<[u32; 4], Box<Fault>> {
        let TextureFormat { components, ty: stored, .. } = texture.format;
        let size = u64::from(stored.bytes());
        let mut values = [0; 4];
        for (component, value) in values.iter_mut().enumerate().take(usize::from(components)) {
            let place = index * u64::from(components) + component as u64;
            let address = texture.address.wrapping_add(place * size);
            let hint = &mut self.hints[access.access as usize];
            let part = self.image.read(address, size, hint);
            let part = part.map_err(|error| Fault::access(lane as u32, error))?;
            *value = converted(part, texture.format, ty);
        }
        Ok(values)
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
