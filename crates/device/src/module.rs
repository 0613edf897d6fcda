//! A module on a device: its program, and where its variables are.

use crate::DeviceError;
use heddle_image::{Image, RegionId, RegionKind};
use heddle_ptx::exec::Program;
use heddle_ptx::ir::{Initialiser, Module, StateSpace, Symbol};

/// A loaded module.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) program: Program,
    /// The region of each variable that is in device memory.
    pub(crate) regions: Vec<Option<RegionId>>,
}

impl Loaded {
    /// Allocates and initialises the variables of a module.
    pub(crate) fn new(module: Module, image: &mut Image) -> Result<Loaded, DeviceError> {
        let mut regions = Vec::new();
        for variable in &module.variables {
            let kind = match variable.space {
                StateSpace::Global => Some(RegionKind::Global),
                StateSpace::Constant => Some(RegionKind::Constant),
                _ => None,
            };
            let kind = kind.filter(|_| !variable.is_texture);
            let allocate = |kind| image.allocate(&variable.name, variable.bytes, kind);
            regions.push(kind.map(allocate).transpose()?);
        }
        let address = |region: &Option<RegionId>| region.map_or(0, |region| image.region(region).start());
        let addresses: Vec<u64> = regions.iter().map(address).collect();
        initialise(&module, &regions, &addresses, image)?;
        Ok(Loaded { regions, program: Program::decode(module, &addresses)? })
    }
}

fn initialise(
    module: &Module,
    regions: &[Option<RegionId>],
    addresses: &[u64],
    image: &mut Image,
) -> Result<(), DeviceError> {
    for (variable, region) in module.variables.iter().zip(regions) {
        let Some(region) = *region else { continue };
        // Only what the module names is touched: a huge variable costs no memory before it is used.
        image.initialise(region);
        for initialiser in &variable.initialisers {
            let (offset, bytes) = initial_bytes(initialiser, addresses);
            // The front end refuses values beyond the end of their variable; a module that was made otherwise may
            // have them.
            if !image.write(region, offset, &bytes) {
                return Err(DeviceError::CopySize {
                    name: variable.name.clone(),
                    length: variable.bytes,
                    offset,
                    given: bytes.len() as u64,
                });
            }
        }
    }
    Ok(())
}

fn initial_bytes(initialiser: &Initialiser, addresses: &[u64]) -> (u64, Vec<u8>) {
    match initialiser {
        Initialiser::Bytes { offset, bytes } => (*offset, bytes.clone()),
        Initialiser::Address { offset, bytes, symbol, addend, .. } => {
            let address = match symbol {
                Symbol::Variable(id) => addresses[id.0 as usize],
                Symbol::Function(id) => heddle_ptx::exec::function_address(*id),
                Symbol::Parameter(_) | Symbol::Result(_) | Symbol::CallParameter(_) => 0,
            };
            let value = address.wrapping_add_signed(*addend).to_le_bytes();
            (*offset, value[..(*bytes as usize).min(8)].to_vec())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_initial_value_beyond_its_variable_is_an_error() {
        let text = ".version 6.0\n.target sm_35\n.address_size 64\n.global .u32 word[2] = { 7, 8 };\n";
        let mut module = heddle_ptx::load("test.ptx", text, heddle_ptx::exec::EXTERNALS).unwrap();
        assert!(Loaded::new(module.clone(), &mut Image::new(1 << 20)).is_ok());
        module.variables[0].initialisers = vec![Initialiser::Bytes { offset: 6, bytes: vec![1; 4] }];
        let error = Loaded::new(module, &mut Image::new(1 << 20)).unwrap_err().to_string();
        assert_eq!(error, "4 bytes at offset 6 do not fit into 'word', which has 8 bytes");
    }
}
