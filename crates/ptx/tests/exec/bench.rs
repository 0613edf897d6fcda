//! Runs kernels of a PTX text on the functional machine.

use heddle_image::{Image, RegionId, RegionKind};
use heddle_ptx::exec::{
    Dimensions, EXTERNALS, Functional, LaunchError, LaunchReport, LaunchRequest, Machine, Program, Texture,
};
use heddle_ptx::ir::StateSpace;

/// An argument of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    /// The address of a buffer.
    Buffer(RegionId),
    /// 32 bits.
    U32(u32),
}

/// A program with its memory.
pub(crate) struct Bench {
    pub(crate) image: Image,
    pub(crate) machine: Functional,
    pub(crate) dynamic_shared: u32,
    pub(crate) textures: Vec<(u64, Texture)>,
    program: Program,
}

impl Bench {
    /// Loads a text; the head of the file is put before it.
    pub(crate) fn new(text: &str) -> Bench {
        let text = format!(".version 8.0\n.target sm_80\n.address_size 64\n{text}");
        let module =
            heddle_ptx::load("test.ptx", &text, EXTERNALS).unwrap_or_else(|problems| panic!("{problems}"));
        let mut image = Image::new(1 << 30);
        let mut addresses = Vec::new();
        for variable in &module.variables {
            let in_memory = matches!(variable.space, StateSpace::Global | StateSpace::Constant);
            let region = (in_memory && !variable.is_texture).then(|| {
                let region =
                    image.allocate(&variable.name, variable.bytes, RegionKind::Global).expect("room");
                let mut contents = vec![0; variable.bytes as usize];
                for initialiser in &variable.initialisers {
                    if let heddle_ptx::ir::Initialiser::Bytes { offset, bytes } = initialiser {
                        contents[*offset as usize..*offset as usize + bytes.len()].copy_from_slice(bytes);
                    }
                }
                assert!(image.write(region, 0, &contents));
                region
            });
            addresses.push(region.map_or(0, |region| image.region(region).start()));
        }
        let program = Program::decode(module, &addresses).unwrap_or_else(|problems| panic!("{problems}"));
        let machine = Functional { instruction_limit: Some(20_000_000), ..Functional::default() };
        Bench { image, machine, dynamic_shared: 0, textures: Vec::new(), program }
    }

    /// A kernel `k` with one parameter `out`, some registers, its address in `%out`, and `%tid.x` in `%t`.
    pub(crate) fn body(body: &str) -> Bench {
        Bench::with_functions("", body)
    }

    /// The same, with functions and variables before it.
    pub(crate) fn with_functions(functions: &str, body: &str) -> Bench {
        Bench::new(&format!(
            "{functions}
            .visible .entry k(.param .u64 out_address)
            {{
                .reg .pred %p<10>;
                .reg .b32 %r<40>;
                .reg .b64 %rd<20>;
                .reg .b32 %t;
                .reg .b64 %out, %slot;
                ld.param.u64 %out, [out_address];
                mov.u32 %t, %tid.x;
                mul.wide.u32 %slot, %t, 4;
                add.u64 %slot, %out, %slot;
                {body}
                ret;
            }}"
        ))
    }

    /// A buffer that holds these words.
    pub(crate) fn buffer(&mut self, name: &str, words: &[u32]) -> RegionId {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let region = self.image.allocate(name, bytes.len() as u64, RegionKind::Buffer).expect("room");
        assert!(self.image.write(region, 0, &bytes));
        region
    }

    /// The words of a buffer.
    pub(crate) fn words(&self, buffer: RegionId) -> Vec<u32> {
        let words = self.image.contents(buffer).chunks_exact(4);
        words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    }

    /// Launches a kernel.
    pub(crate) fn launch(
        &mut self,
        kernel: &str,
        grid: u32,
        block: u32,
        arguments: &[Arg],
    ) -> Result<LaunchReport, LaunchError> {
        self.launch_shaped(kernel, [grid, 1, 1], [block, 1, 1], arguments)
    }

    /// Launches a kernel with a grid and a block of three axes.
    pub(crate) fn launch_shaped(
        &mut self,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Arg],
    ) -> Result<LaunchReport, LaunchError> {
        let mut parameters = Vec::new();
        for argument in arguments {
            let bytes = match *argument {
                Arg::Buffer(region) => self.image.region(region).start().to_le_bytes().to_vec(),
                Arg::U32(value) => value.to_le_bytes().to_vec(),
            };
            parameters.resize(parameters.len().next_multiple_of(bytes.len()), 0);
            parameters.extend(bytes);
        }
        let dimensions = |[x, y, z]: [u32; 3]| Dimensions { x, y, z };
        self.machine.launch(LaunchRequest {
            image: &mut self.image,
            program: &self.program,
            kernel: self.program.module.function(kernel).expect("the kernel exists"),
            grid: dimensions(grid),
            block: dimensions(block),
            dynamic_shared: self.dynamic_shared,
            parameters: &parameters,
            textures: &self.textures,
            grid_id: 1,
        })
    }

    /// Runs the kernel of [`Bench::body`] with one block; the words that it left in a buffer of `words` words.
    pub(crate) fn run(&mut self, block: u32, words: usize) -> Vec<u32> {
        let (output, _) = self.run_with_report(block, words);
        output
    }

    /// The same, with the report.
    pub(crate) fn run_with_report(&mut self, block: u32, words: usize) -> (Vec<u32>, LaunchReport) {
        let out = self.buffer("out", &vec![0; words]);
        let report =
            self.launch("k", 1, block, &[Arg::Buffer(out)]).unwrap_or_else(|error| panic!("{error}"));
        (self.words(out), report)
    }

    /// Runs the kernel of [`Bench::body`], which must fail.
    pub(crate) fn fail(&mut self, block: u32, words: usize) -> LaunchError {
        let out = self.buffer("out", &vec![0; words]);
        self.launch("k", 1, block, &[Arg::Buffer(out)]).expect_err("the launch must fail")
    }
}
