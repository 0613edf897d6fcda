//! A device: a machine with its memory and the modules loaded on it.

use crate::argument::parameter_buffer;
use crate::module::Loaded;
use crate::{Argument, DeviceError};
use bytemuck::Pod;
use heddle_image::{Image, RegionId, RegionKind};
use heddle_ptx::exec::{
    Dimensions, Functional, LaunchReport, LaunchRequest, Machine, Texture, TextureFormat,
};
use heddle_ptx::ir::{Function, FunctionId, Module, StateSpace};

/// Device memory unless something else is asked for: 12 GiB, as a Tesla K40c has.
const DEFAULT_MEMORY: u64 = 12 << 30;

/// A buffer is filled in pieces of this many bytes.
const FILL_BYTES: u64 = 1 << 20;

/// A module on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleHandle(usize);

/// A kernel on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionHandle {
    module: usize,
    function: FunctionId,
}

/// A named buffer on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer(pub(crate) RegionId);

impl Buffer {
    /// The region of the machine's memory that the buffer is.
    pub fn region(self) -> RegionId {
        self.0
    }
}

/// How a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: Dimensions,
    /// Threads of a block.
    pub block: Dimensions,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
}

impl Launch {
    /// A grid and a block in up to three dimensions.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Launch {
        let dimensions = |[x, y, z]: [u32; 3]| Dimensions { x, y, z };
        Launch { grid: dimensions(grid), block: dimensions(block), dynamic_shared: 0 }
    }

    /// At least `threads` threads in blocks of `block`; one block if there are none.
    pub fn linear(threads: u64, block: u32) -> Launch {
        let blocks = threads.div_ceil(u64::from(block.max(1))).clamp(1, u64::from(u32::MAX));
        Launch::new([blocks as u32, 1, 1], [block, 1, 1])
    }

    /// With dynamic shared memory.
    pub fn shared(self, bytes: u32) -> Launch {
        Launch { dynamic_shared: bytes, ..self }
    }
}

/// A machine with its memory and its modules.
#[derive(Debug)]
pub struct Device {
    machine: Box<dyn Machine>,
    image: Image,
    modules: Vec<Loaded>,
    textures: Vec<(usize, u64, Texture)>,
    texture_objects: Vec<(u64, Texture)>,
    launches: u64,
}

impl Device {
    /// A device that executes without any notion of time.
    pub fn functional() -> Device {
        Device::new(Box::new(Functional::default()))
    }

    /// A device around a machine.
    pub fn new(machine: Box<dyn Machine>) -> Device {
        Device::with_memory(machine, DEFAULT_MEMORY)
    }

    /// A device around a machine, with this many bytes of memory.
    pub fn with_memory(machine: Box<dyn Machine>, bytes: u64) -> Device {
        Device {
            machine,
            image: Image::new(bytes),
            modules: Vec::new(),
            textures: Vec::new(),
            texture_objects: Vec::new(),
            launches: 0,
        }
    }

    /// Loads PTX text; `file` names it in messages.
    pub fn load_module(&mut self, file: &str, text: &str) -> Result<ModuleHandle, DeviceError> {
        let module = heddle_ptx::load(file, text, heddle_ptx::exec::EXTERNALS)?;
        let loaded = Loaded::new(module, &mut self.image)?;
        self.modules.push(loaded);
        Ok(ModuleHandle(self.modules.len() - 1))
    }

    /// A kernel of a module.
    pub fn function(&self, module: ModuleHandle, name: &str) -> Result<FunctionHandle, DeviceError> {
        let ir = self.module(module);
        match ir.function(name).filter(|id| ir.functions[id.0 as usize].is_kernel) {
            Some(function) => Ok(FunctionHandle { module: module.0, function }),
            None => {
                let kernels = ir.functions.iter().filter(|function| function.is_kernel);
                let names = kernels.map(|function| function.name.as_str());
                Err(no_such_name(ir, "kernel", name, names))
            }
        }
    }

    /// The IR of a module.
    pub fn module(&self, module: ModuleHandle) -> &Module {
        &self.modules[module.0].program.module
    }

    /// The IR of a kernel.
    pub fn kernel(&self, function: FunctionHandle) -> &Function {
        &self.modules[function.module].program.module.functions[function.function.0 as usize]
    }

    /// A `.global` or `.const` variable of a module, as a buffer.
    pub fn variable(&self, module: ModuleHandle, name: &str) -> Result<Buffer, DeviceError> {
        let loaded = &self.modules[module.0];
        let variables = &loaded.program.module.variables;
        let found = variables.iter().position(|variable| variable.name == name);
        match found.and_then(|id| loaded.regions[id]) {
            Some(region) => Ok(Buffer(region)),
            None => {
                let spaces = [StateSpace::Global, StateSpace::Constant];
                let known = variables.iter().filter(|variable| spaces.contains(&variable.space));
                let names = known.map(|variable| variable.name.as_str());
                Err(no_such_name(&loaded.program.module, "variable in device memory", name, names))
            }
        }
    }

    /// Allocates a buffer. It reads as zero; reading it before writing it is noticed.
    pub fn allocate(&mut self, name: &str, bytes: u64) -> Result<Buffer, DeviceError> {
        Ok(Buffer(self.image.allocate(name, bytes, RegionKind::Buffer)?))
    }

    /// Allocates a buffer that holds `data`.
    pub fn allocate_with<T: Pod>(&mut self, name: &str, data: &[T]) -> Result<Buffer, DeviceError> {
        let buffer = self.allocate(name, size_of_val(data) as u64)?;
        self.write(buffer, data)?;
        Ok(buffer)
    }

    /// Allocates a buffer of zeros, which take no memory of the host before they are used.
    pub fn allocate_zeroed(&mut self, name: &str, bytes: u64) -> Result<Buffer, DeviceError> {
        let buffer = self.allocate(name, bytes)?;
        self.image.initialise(buffer.0);
        Ok(buffer)
    }

    /// Frees a buffer.
    pub fn free(&mut self, buffer: Buffer) {
        self.image.free(buffer.0);
    }

    /// Copies to the start of a buffer.
    pub fn write<T: Pod>(&mut self, buffer: Buffer, data: &[T]) -> Result<(), DeviceError> {
        self.write_at(buffer, 0, data)
    }

    /// Copies into a buffer, at an offset in bytes.
    pub fn write_at<T: Pod>(&mut self, buffer: Buffer, offset: u64, data: &[T]) -> Result<(), DeviceError> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        if self.image.write(buffer.0, offset, bytes) {
            let start = self.image.region(buffer.0).start() + offset;
            self.machine.host_copied(start..start + bytes.len() as u64);
            return Ok(());
        }
        let region = self.image.region(buffer.0);
        Err(DeviceError::CopySize {
            name: region.name().to_owned(),
            length: region.length(),
            offset,
            given: bytes.len() as u64,
        })
    }

    /// Fills a buffer with one value, as often as it fits.
    pub fn fill<T: Pod>(&mut self, buffer: Buffer, value: T) -> Result<(), DeviceError> {
        let (length, size) = (self.image.region(buffer.0).length(), size_of::<T>().max(1) as u64);
        let piece = vec![value; (FILL_BYTES / size).clamp(1, (length / size).max(1)) as usize];
        let mut offset = 0;
        while length - offset >= size {
            let elements = ((length - offset) / size).min(piece.len() as u64);
            self.write_at(buffer, offset, &piece[..elements as usize])?;
            offset += elements * size;
        }
        Ok(())
    }

    /// Copies a whole buffer back.
    pub fn read<T: Pod>(&self, buffer: Buffer) -> Result<Vec<T>, DeviceError> {
        let region = self.image.region(buffer.0);
        let name = || region.name().to_owned();
        if region.is_freed() {
            return Err(DeviceError::Freed { name: name() });
        }
        let (length, element) = (region.length(), size_of::<T>() as u64);
        if element == 0 || length % element != 0 {
            return Err(DeviceError::ElementSize { name: name(), length, element });
        }
        Ok(bytemuck::allocation::pod_collect_to_vec(self.image.contents(buffer.0)))
    }

    /// Copies one element back.
    pub fn read_element<T: Pod>(&self, buffer: Buffer, index: u64) -> Result<T, DeviceError> {
        let (region, size) = (self.image.region(buffer.0), size_of::<T>() as u64);
        let offset = index.saturating_mul(size);
        let bytes = self.image.contents(buffer.0).get(offset as usize..offset.saturating_add(size) as usize);
        bytes.map(bytemuck::pod_read_unaligned).ok_or_else(|| DeviceError::CopySize {
            name: region.name().to_owned(),
            length: region.length(),
            offset,
            given: size,
        })
    }

    /// Launches a kernel and waits for its end.
    pub fn launch(
        &mut self,
        function: FunctionHandle,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<LaunchReport, DeviceError> {
        let loaded = &self.modules[function.module];
        let module = &loaded.program.module;
        let kernel = &module.functions[function.function.0 as usize];
        let address = |buffer: Buffer| self.image.region(buffer.0).start();
        let parameters = parameter_buffer(kernel, module.address_bytes, arguments, address)?;
        let bound = self.textures.iter().filter(|(owner, ..)| *owner == function.module);
        let mut textures: Vec<_> = bound.map(|&(_, handle, texture)| (handle, texture)).collect();
        textures.extend_from_slice(&self.texture_objects);
        self.launches += 1;
        let request = LaunchRequest {
            image: &mut self.image,
            program: &loaded.program,
            kernel: function.function,
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.dynamic_shared,
            parameters: &parameters,
            textures: &textures,
            grid_id: self.launches,
        };
        Ok(self.machine.launch(request)?)
    }

    /// The machine's memory.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Binds a buffer to a `.texref` of a module, as a linear texture.
    pub fn bind_texture(
        &mut self,
        module: ModuleHandle,
        name: &str,
        buffer: Buffer,
        format: TextureFormat,
    ) -> Result<(), DeviceError> {
        let ir = self.module(module);
        let Some(id) = ir.variables.iter().position(|variable| variable.is_texture && variable.name == name)
        else {
            let names = ir.variables.iter().filter(|variable| variable.is_texture);
            return Err(no_such_name(ir, "texture", name, names.map(|variable| variable.name.as_str())));
        };
        let texture = self.linear_texture(buffer, format);
        self.textures.retain(|&(owner, handle, _)| (owner, handle) != (module.0, id as u64));
        self.textures.push((module.0, id as u64, texture));
        Ok(())
    }

    /// Makes a texture object of a buffer; the handle is passed to a kernel as a `u64`.
    pub fn texture_object(&mut self, buffer: Buffer, format: TextureFormat) -> u64 {
        // Handles of objects never meet those of `.texref` variables, which are small.
        let handle = (1 << 32) + self.texture_objects.len() as u64;
        let texture = self.linear_texture(buffer, format);
        self.texture_objects.push((handle, texture));
        handle
    }

    fn linear_texture(&self, buffer: Buffer, format: TextureFormat) -> Texture {
        let region = self.image.region(buffer.0);
        let element = u64::from(format.components) * u64::from(format.ty.bytes());
        Texture { address: region.start(), elements: region.length() / element.max(1), format }
    }
}

fn no_such_name<'a>(
    module: &Module,
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> DeviceError {
    let nearest = known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().max(name.len()) / 2)
        .map(|(_, candidate)| candidate.to_owned());
    DeviceError::NoSuchName { file: module.file.clone(), what, name: name.to_owned(), nearest }
}
