//! What a driver works with: the graph, the device, and a record of what it does.

use super::{Iteration, LaunchRecord, RegionRecord, Settings, Workload, WorkloadError};
use bytemuck::Pod;
use heddle_device::{Argument, Buffer, Device, FunctionHandle, Launch, LaunchReport, ModuleHandle};
use heddle_graph::{Csr, Graph, Vertex};

/// One run of a workload, seen from its driver.
pub struct Session<'a> {
    pub(super) workload: &'a Workload,
    pub(super) graph: &'a Graph,
    pub(super) device: &'a mut Device,
    pub(super) modules: Vec<ModuleHandle>,
    pub(super) source: Vertex,
    pub(super) target: Vertex,
    pub(super) settings: Settings,
    pub(super) block: u32,
    pub(super) iterations: Vec<Iteration>,
    pub(super) launches: Vec<LaunchRecord>,
    pub(super) regions: Vec<RegionRecord>,
    pub(super) notes: Vec<String>,
    pub(super) progress: &'a dyn Fn(usize, u64),
}

/// One row of a table of offsets, with 32 bits as the kernels read them.
fn narrow(offsets: &[u64]) -> Option<Vec<u32>> {
    offsets.iter().map(|&offset| u32::try_from(offset).ok()).collect()
}

impl<'a> Session<'a> {
    /// The graph; for problems on undirected edges, every edge is there in both directions. It has a vertex:
    /// drivers never see the graph without any.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The start vertex.
    pub fn source(&self) -> Vertex {
        self.source
    }

    /// The vertex to be reached, for connectivity.
    pub fn target(&self) -> Vertex {
        self.target
    }

    /// The value of a declared whole setting.
    pub fn whole(&self, name: &str) -> u32 {
        self.settings.whole(name)
    }

    /// The value of a declared real setting.
    pub fn real(&self, name: &str) -> f64 {
        self.settings.real(name)
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// A kernel of the workload's files.
    pub fn kernel(&self, name: &str) -> Result<FunctionHandle, WorkloadError> {
        let mut last = None;
        for &module in &self.modules {
            match self.device.function(module, name) {
                Ok(function) => return Ok(function),
                Err(error) => last = Some(error),
            }
        }
        let missing = || WorkloadError::Setting(format!("{} has no PTX file", self.workload.name));
        Err(last.map_or_else(missing, WorkloadError::Device))
    }

    /// A buffer that holds `data`.
    pub fn upload<T: Pod>(&mut self, name: &str, data: &[T]) -> Result<Buffer, WorkloadError> {
        self.record_region(name, size_of_val(data) as u64);
        Ok(self.device.allocate_with(name, data)?)
    }

    /// A buffer of `length` times `value`.
    pub fn filled<T: Pod>(&mut self, name: &str, length: usize, value: T) -> Result<Buffer, WorkloadError> {
        self.upload(name, &vec![value; length])
    }

    /// The first arc of each vertex, and the number of arcs at the end, as 32-bit numbers.
    pub fn upload_offsets(&mut self, name: &str, rows: &Csr) -> Result<Buffer, WorkloadError> {
        let offsets = self.narrow_offsets(rows)?;
        self.upload(name, &offsets)
    }

    /// The first arc of each vertex and how many there are, side by side.
    pub fn upload_rows(&mut self, name: &str, rows: &Csr) -> Result<Buffer, WorkloadError> {
        let offsets = self.narrow_offsets(rows)?;
        let starts_and_degrees: Vec<[u32; 2]> =
            offsets.windows(2).map(|pair| [pair[0], pair[1] - pair[0]]).collect();
        self.upload(name, &starts_and_degrees)
    }

    /// The weight of each arc; 1 in a graph without weights.
    pub fn upload_weights(&mut self, name: &str, rows: &Csr) -> Result<Buffer, WorkloadError> {
        match rows.weights() {
            Some(weights) => self.upload(name, weights),
            None => self.filled(name, rows.targets().len(), 1u32),
        }
    }

    fn narrow_offsets(&self, rows: &Csr) -> Result<Vec<u32>, WorkloadError> {
        narrow(rows.offsets()).ok_or_else(|| WorkloadError::Graph {
            workload: self.workload.name,
            problem: format!("its kernels number arcs with 32 bits, and there are {}", rows.num_arcs()),
        })
    }

    /// Overwrites the start of a buffer.
    pub fn write<T: Pod>(&mut self, buffer: Buffer, data: &[T]) -> Result<(), WorkloadError> {
        Ok(self.device.write(buffer, data)?)
    }

    /// Overwrites one element of a buffer.
    pub fn write_element<T: Pod>(
        &mut self,
        buffer: Buffer,
        index: usize,
        value: T,
    ) -> Result<(), WorkloadError> {
        Ok(self.device.write_at(buffer, (index * size_of::<T>()) as u64, &[value])?)
    }

    /// Fills a buffer.
    pub fn fill<T: Pod>(&mut self, buffer: Buffer, value: T) -> Result<(), WorkloadError> {
        Ok(self.device.fill(buffer, value)?)
    }

    /// Reads a whole buffer back.
    pub fn read<T: Pod>(&self, buffer: Buffer) -> Result<Vec<T>, WorkloadError> {
        Ok(self.device.read(buffer)?)
    }

    /// Reads the first word of a buffer back: a flag, a counter.
    pub fn read_word(&self, buffer: Buffer) -> Result<u32, WorkloadError> {
        Ok(self.device.read_element(buffer, 0)?)
    }

    /// Begins an iteration of the host's loop. An error after more of them than the algorithm can need
    /// (`bound`), so that a defect ends instead of running for ever.
    pub fn iteration(&mut self, frontier: Option<u64>, bound: u64) -> Result<(), WorkloadError> {
        if self.iterations.len() as u64 >= bound {
            return Err(WorkloadError::Endless { workload: self.workload.name, iterations: bound });
        }
        self.iterations.push(Iteration { frontier, first_launch: self.launches.len() });
        (self.progress)(self.iterations.len(), frontier.unwrap_or_default());
        Ok(())
    }

    /// Says how many vertices the current iteration found active, when that is known only later.
    pub fn set_frontier(&mut self, frontier: u64) {
        if let Some(iteration) = self.iterations.last_mut() {
            iteration.frontier = Some(frontier);
        }
    }

    /// Launches the kernel of this name with a thread for every vertex.
    pub fn over_vertices(&mut self, kernel: &str, arguments: &[Argument]) -> Result<(), WorkloadError> {
        let (kernel, vertices) = (self.kernel(kernel)?, self.graph.num_vertices());
        self.launch(kernel, vertices.into(), arguments)?;
        Ok(())
    }

    /// Launches a kernel with at least `threads` threads, in blocks of the run's size.
    pub fn launch(
        &mut self,
        function: FunctionHandle,
        threads: u64,
        arguments: &[Argument],
    ) -> Result<&LaunchReport, WorkloadError> {
        self.launch_with(function, Launch::linear(threads, self.block), arguments)
    }

    /// Launches a kernel.
    pub fn launch_with(
        &mut self,
        function: FunctionHandle,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<&LaunchReport, WorkloadError> {
        let report = self.device.launch(function, launch, arguments)?;
        let iteration = self.iterations.len().checked_sub(1);
        self.launches.push(LaunchRecord { iteration, report });
        Ok(&self.launches[self.launches.len() - 1].report)
    }

    /// Something worth telling.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    fn record_region(&mut self, name: &str, bytes: u64) {
        self.regions.push(RegionRecord { name: name.to_owned(), bytes });
    }
}
