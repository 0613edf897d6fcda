//! A preset with a program on it, and a program that saturates its memory system.

use heddle_device::{Argument, Buffer, Device, DeviceError, Launch, LaunchReport, ModuleHandle};
use heddle_gpu::{Gpu, GpuSpec, LaunchTiming, LoadWait, RunSettings, SharedRecord};
use heddle_machine::Machine;

/// All machines that are compiled in.
pub(crate) const PRESETS: [&str; 4] = ["fermi", "gtx480", "gtx480-mff", "k40c"];

/// A preset with keys set.
pub(crate) fn spec(preset: &str, settings: &[&str]) -> GpuSpec {
    let machine = Machine::named(preset).unwrap().set(settings);
    machine.resolve().unwrap_or_else(|error| panic!("{preset} {settings:?}: {error}")).spec
}

/// A device around a GPU, with a module.
pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) record: SharedRecord,
    module: ModuleHandle,
}

impl Bench {
    /// A GPU that executes the kernels of `ptx`.
    pub(crate) fn new(spec: GpuSpec, run: RunSettings, ptx: &str) -> Bench {
        let gpu = Gpu::new(spec, run).unwrap();
        let record = gpu.record();
        Bench::around(Device::new(Box::new(gpu)), record, ptx)
    }

    /// The same without time; its record stays empty.
    pub(crate) fn functional(ptx: &str) -> Bench {
        Bench::around(Device::functional(), SharedRecord::default(), ptx)
    }

    /// Around a device.
    pub(crate) fn around(mut device: Device, record: SharedRecord, ptx: &str) -> Bench {
        let text = format!(".version 6.0\n.target sm_35\n.address_size 64\n{ptx}");
        let module = device.load_module("test.ptx", &text).unwrap_or_else(|error| panic!("{error}"));
        Bench { device, record, module }
    }

    /// Launches a kernel.
    pub(crate) fn try_launch(
        &mut self,
        kernel: &str,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<LaunchReport, DeviceError> {
        let function = self.device.function(self.module, kernel).unwrap();
        self.device.launch(function, launch, arguments)
    }

    /// Launches a kernel that must end.
    pub(crate) fn launch(&mut self, kernel: &str, launch: Launch, arguments: &[Argument]) -> LaunchReport {
        self.try_launch(kernel, launch, arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A buffer of zeros.
    pub(crate) fn zeros(&mut self, name: &str, words: u64) -> Buffer {
        self.device.allocate_zeroed(name, 4 * words).unwrap()
    }

    /// A buffer with these contents.
    pub(crate) fn words(&mut self, name: &str, words: &[u32]) -> Buffer {
        self.device.allocate_with(name, words).unwrap()
    }

    /// What is in a buffer.
    pub(crate) fn read(&self, buffer: Buffer) -> Vec<u32> {
        self.device.read(buffer).unwrap()
    }

    /// The device address of a buffer.
    pub(crate) fn address(&self, buffer: Buffer) -> u64 {
        self.device.image().region(buffer.region()).start()
    }

    /// The last launch in time.
    pub(crate) fn last(&self) -> LaunchTiming {
        self.record.borrow().launches.last().unwrap().clone()
    }
}

/// So many blocks of so many threads.
pub(crate) fn grid(blocks: u32, threads: u32) -> Launch {
    Launch::new([blocks, 1, 1], [threads, 1, 1])
}

/// One count of a launch.
pub(crate) fn count(timing: &LaunchTiming, name: &str) -> u64 {
    timing.statistics.get(name).unwrap_or_else(|| panic!("{name} is not counted"))
}

/// The static accesses of a launch with this word in their description, in the order of the program.
pub(crate) fn accesses(timing: &LaunchTiming, mnemonic: &str) -> Vec<LoadWait> {
    timing.loads.iter().filter(|load| load.place.contains(mnemonic)).cloned().collect()
}

/// Every thread reads four random words per round, sums them up, and writes its number to a place that is its own.
pub(crate) const GATHER: &str = r#"
.visible .entry gather(.param .u64 data, .param .u64 out, .param .u64 sums, .param .u32 mask,
                       .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<24>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [out];
    ld.param.u64 %rd3, [sums];
    ld.param.u32 %r1, [mask];
    ld.param.u32 %r2, [rounds];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mov.u32 %r6, %nctaid.x;
    mad.lo.u32 %r7, %r3, %r4, %r5;
    mul.lo.u32 %r8, %r4, %r6;
    mul.lo.u32 %r9, %r7, 2654435761;
    mov.u32 %r10, 0;
    mov.u32 %r11, %r7;
    mov.u32 %r12, 0;
LOOP:
    mad.lo.u32 %r9, %r9, 1664525, 1013904223;
    shr.u32 %r13, %r9, 8;
    and.b32 %r13, %r13, %r1;
    mul.wide.u32 %rd4, %r13, 4;
    add.u64 %rd4, %rd1, %rd4;
    ld.global.u32 %r14, [%rd4];
    mad.lo.u32 %r9, %r9, 1664525, 1013904223;
    shr.u32 %r15, %r9, 8;
    and.b32 %r15, %r15, %r1;
    mul.wide.u32 %rd5, %r15, 4;
    add.u64 %rd5, %rd1, %rd5;
    ld.global.u32 %r16, [%rd5];
    mad.lo.u32 %r9, %r9, 1664525, 1013904223;
    shr.u32 %r17, %r9, 8;
    and.b32 %r17, %r17, %r1;
    mul.wide.u32 %rd6, %r17, 4;
    add.u64 %rd6, %rd1, %rd6;
    ld.global.u32 %r18, [%rd6];
    mad.lo.u32 %r9, %r9, 1664525, 1013904223;
    shr.u32 %r19, %r9, 8;
    and.b32 %r19, %r19, %r1;
    mul.wide.u32 %rd7, %r19, 4;
    add.u64 %rd7, %rd1, %rd7;
    ld.global.u32 %r20, [%rd7];
    mul.lo.u32 %r21, %r11, 2654435761;
    and.b32 %r21, %r21, %r1;
    mul.wide.u32 %rd8, %r21, 4;
    add.u64 %rd8, %rd2, %rd8;
    st.global.u32 [%rd8], %r7;
    add.u32 %r10, %r10, %r14;
    add.u32 %r10, %r10, %r16;
    add.u32 %r10, %r10, %r18;
    add.u32 %r10, %r10, %r20;
    add.u32 %r11, %r11, %r8;
    add.u32 %r12, %r12, 1;
    setp.lt.u32 %p1, %r12, %r2;
    @%p1 bra LOOP;
    mul.wide.u32 %rd9, %r7, 4;
    add.u64 %rd9, %rd3, %rd9;
    st.global.u32 [%rd9], %r10;
    ret;
}
"#;

/// How `gather` is launched.
#[derive(Clone, Copy)]
pub(crate) struct Gather {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Words of each buffer, a power of two of at least `blocks × threads × rounds`.
    pub(crate) words: u32,
    pub(crate) rounds: u32,
}

/// The buffers of `gather`.
pub(crate) struct Gathered {
    pub(crate) data: Buffer,
    pub(crate) out: Buffer,
    pub(crate) sums: Buffer,
}

impl Gather {
    /// Makes the buffers.
    pub(crate) fn buffers(&self, bench: &mut Bench) -> Gathered {
        let data: Vec<u32> = (0..self.words).map(|place| place.wrapping_mul(7) ^ 0x55).collect();
        Gathered {
            data: bench.words("data", &data),
            out: bench.zeros("out", self.words.into()),
            sums: bench.zeros("sums", u64::from(self.blocks * self.threads)),
        }
    }

    /// Launches the kernel.
    pub(crate) fn launch(&self, bench: &mut Bench, buffers: &Gathered) -> LaunchReport {
        let Gathered { data, out, sums } = *buffers;
        let arguments = [data.into(), out.into(), sums.into(), (self.words - 1).into(), self.rounds.into()];
        bench.launch("gather", grid(self.blocks, self.threads), &arguments)
    }

    /// Checks what it wrote.
    pub(crate) fn check(&self, bench: &Bench, buffers: &Gathered) {
        let threads = self.blocks * self.threads;
        let mask = self.words - 1;
        let mut out = vec![0; self.words as usize];
        let mut sums = vec![0u32; threads as usize];
        for thread in 0..threads {
            let mut state = thread.wrapping_mul(2_654_435_761);
            for round in 0..self.rounds {
                for _ in 0..4 {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let value = ((state >> 8) & mask).wrapping_mul(7) ^ 0x55;
                    sums[thread as usize] = sums[thread as usize].wrapping_add(value);
                }
                let place = (thread + round * threads).wrapping_mul(2_654_435_761) & mask;
                out[place as usize] = thread;
            }
        }
        assert!(bench.read(buffers.sums) == sums, "sums of what was gathered");
        assert!(bench.read(buffers.out) == out, "what was scattered");
    }
}
