//! Reads a plan and runs it.

use super::buffers::{Content, content, elements};
use super::check::{Situation, check};
use super::error::{PlanError, Problem};
use super::files;
use super::model::{BufferModel, Model};
use super::names::{Names, Type, TypedBuffer};
use super::steps::{Runner, fill};
use crate::library::{Iteration, LaunchRecord, RegionRecord};
use heddle_device::{Device, TextureFormat};
use heddle_engine::nesting;
use heddle_graph::{Graph, Vertex};
use heddle_ptx::ir::ScalarType;
use std::path::{Path, PathBuf};

/// A plan, read and checked as far as it can be without running it.
#[derive(Debug)]
pub struct Plan {
    file: String,
    folder: PathBuf,
    model: Model,
}

/// What a plan did.
#[derive(Clone, Debug)]
pub struct PlanOutcome {
    /// The start vertex, if there is a graph with a vertex.
    pub source: Option<Vertex>,
    /// Passes of its loops, in the order in which they began.
    pub iterations: Vec<Iteration>,
    /// Launches, in order.
    pub launches: Vec<LaunchRecord>,
    /// Buffers, in order.
    pub regions: Vec<RegionRecord>,
    /// The buffers that the plan wants saved, with the file of each.
    pub saved: Vec<SavedBuffer>,
    /// Checks that were passed; a plan without any is run and not checked.
    pub checks: usize,
}

/// A plan that did not come to its end, with what it had done by then. The launch that failed is not among its launches.
#[derive(Clone, Debug)]
pub struct PlanUnfinished {
    /// Why.
    pub error: PlanError,
    /// The start vertex, if there is a graph with a vertex.
    pub source: Option<Vertex>,
    /// Passes of its loops that had begun.
    pub iterations: Vec<Iteration>,
    /// The launches that had ended.
    pub launches: Vec<LaunchRecord>,
    /// The buffers that had been allocated.
    pub regions: Vec<RegionRecord>,
}

impl From<PlanError> for Box<PlanUnfinished> {
    fn from(error: PlanError) -> Box<PlanUnfinished> {
        let (iterations, launches, regions) = (Vec::new(), Vec::new(), Vec::new());
        Box::new(PlanUnfinished { error, source: None, iterations, launches, regions })
    }
}

/// A buffer at the end of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedBuffer {
    /// Its name.
    pub buffer: String,
    /// The file that it is meant for.
    pub file: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    ty: Type,
}

impl SavedBuffer {
    /// The elements, as text.
    pub fn elements(&self) -> impl Iterator<Item = String> + '_ {
        self.bytes.chunks_exact(self.ty.bytes()).map(|element| match self.ty.decode_whole(element) {
            Some(whole) => whole.to_string(),
            None => self.ty.decode_real(element).map_or(String::new(), |real| real.to_string()),
        })
    }
}

/// Largest PTX file that a plan may name.
const PTX_BYTES_MAX: u64 = 256 << 20;

impl Plan {
    /// Reads a plan.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let file = path.display().to_string();
        let text = read_text(path).map_err(PlanError::Unreadable)?;
        Plan::parse(&file, path.parent().unwrap_or(Path::new("")), &text)
    }

    /// Reads a plan from text; the files that it names are relative to `folder`.
    pub fn parse(file: &str, folder: &Path, text: &str) -> Result<Plan, PlanError> {
        let wrong = |at: usize, problem: &str| {
            let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            PlanError::File { file: format!("{file}:{line}"), problem: problem.trim().to_owned() }
        };
        if let Some(at) = nesting::too_deep(text) {
            return Err(wrong(at, nesting::TOO_DEEP));
        }
        let model: Model = toml::from_str(text)
            .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message()))?;
        Ok(Plan { file: file.to_owned(), folder: folder.to_owned(), model })
    }

    /// A plan from its keys; the files that it names are relative to `folder`.
    pub fn from_table(name: &str, folder: &Path, table: toml::Table) -> Result<Plan, PlanError> {
        let model = table.try_into().map_err(|error: toml::de::Error| PlanError::File {
            file: name.to_owned(),
            problem: error.message().trim().to_owned(),
        })?;
        Ok(Plan { file: name.to_owned(), folder: folder.to_owned(), model })
    }

    /// What the plan says that it does.
    pub fn description(&self) -> &str {
        &self.model.description
    }

    /// The graph that the plan names.
    pub fn graph(&self) -> Option<&str> {
        self.model.graph.as_deref()
    }

    /// The transforms that the plan names.
    pub fn transforms(&self) -> &[String] {
        &self.model.transforms
    }

    /// The PTX files that the plan names.
    pub fn programs(&self) -> Vec<PathBuf> {
        self.model.ptx.iter().map(|name| self.folder.join(name)).collect()
    }

    /// Whether the plan names a start vertex.
    pub fn names_source(&self) -> bool {
        self.model.source.is_some()
    }

    /// The files that the plan reads: PTX, contents of buffers, results to compare with.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let buffers = self.model.buffers.iter().filter_map(|buffer| buffer.file.as_ref());
        let checks = self.model.checks.iter().filter_map(|check| check.file.as_ref());
        let named = self.model.ptx.iter().chain(buffers).chain(checks);
        named.map(|name| self.folder.join(name)).collect()
    }

    /// The files that the plan writes, relative to the working folder, each with its buffer.
    pub fn saves(&self) -> impl Iterator<Item = (&str, &str)> {
        self.model.save.iter().map(|(buffer, file)| (buffer.as_str(), file.as_str()))
    }

    /// Runs the plan. `source` takes the place of the plan's own, `progress` is told of each pass of a loop.
    pub fn run(
        &self,
        graph: Option<&Graph>,
        source: Option<Vertex>,
        device: &mut Device,
        progress: &dyn Fn(usize, u64),
    ) -> Result<PlanOutcome, PlanError> {
        self.attempt(graph, source, device, progress).map_err(|unfinished| unfinished.error)
    }

    /// The same; a run that fails leaves what it had done by then.
    pub fn attempt(
        &self,
        graph: Option<&Graph>,
        source: Option<Vertex>,
        device: &mut Device,
        progress: &dyn Fn(usize, u64),
    ) -> Result<PlanOutcome, Box<PlanUnfinished>> {
        let source = self.source(graph, source)?;
        let names = Names::of_graph(graph, i64::from(source));
        let (iterations, launches, current) = (Vec::new(), Vec::new(), None);
        let file = &self.file;
        let mut runner =
            Runner { file, device, modules: Vec::new(), names, iterations, current, launches, progress };
        let mut regions = Vec::new();
        let saved = self.execute(&mut runner, graph, source, &mut regions);
        let Runner { iterations, launches, .. } = runner;
        let source = graph.filter(|graph| graph.num_vertices() > 0).map(|_| source);
        match saved {
            Ok(saved) => {
                let checks = self.model.checks.len();
                Ok(PlanOutcome { source, iterations, launches, regions, saved, checks })
            }
            Err(error) => Err(Box::new(PlanUnfinished { error, source, iterations, launches, regions })),
        }
    }

    /// Does what the plan says, and gives the buffers that are to be saved.
    fn execute(
        &self,
        runner: &mut Runner<'_>,
        graph: Option<&Graph>,
        source: Vertex,
        regions: &mut Vec<RegionRecord>,
    ) -> Result<Vec<SavedBuffer>, PlanError> {
        let file = &self.file;
        self.load(runner)?;
        runner.check_kernels(&self.model.steps, "")?;
        for (name, value) in &self.model.scalars {
            let place = || format!("scalar '{name}'");
            runner.names.is_free(name).map_err(|problem| problem.at(file, place()))?;
            let scalar = runner.names.scalar(value).map_err(|problem| problem.at(file, place()))?;
            runner.names.scalars.insert(name.clone(), scalar);
        }
        *regions = self.allocate(runner, graph)?;
        runner.steps(&self.model.steps, "", 0)?;
        let (names, device) = (&runner.names, &*runner.device);
        let situation = Situation { names, device, graph, source, folder: &self.folder };
        let saved = self.saved(names, device)?;
        for model in &self.model.checks {
            let verdict = check(model, &situation);
            let verdict = verdict.map_err(|p| p.at(file, format!("check of '{}'", model.buffer)))?;
            // A wrong result is worth looking at, so it is saved all the same.
            verdict.map_err(|problem| PlanError::Wrong {
                file: file.clone(),
                problem,
                saved: saved.clone(),
            })?;
        }
        Ok(saved)
    }

    fn saved(&self, names: &Names, device: &Device) -> Result<Vec<SavedBuffer>, PlanError> {
        let save = |(name, file): (&String, &String)| -> Result<SavedBuffer, Problem> {
            let TypedBuffer { buffer, ty } = names.buffer(name)?;
            Ok(SavedBuffer { buffer: name.clone(), file: file.clone(), bytes: device.read(buffer)?, ty })
        };
        let fail = |problem: Problem| problem.at(&self.file, "save");
        self.model.save.iter().map(|entry| save(entry).map_err(fail)).collect()
    }

    fn source(&self, graph: Option<&Graph>, source: Option<Vertex>) -> Result<Vertex, PlanError> {
        let Some(graph) = graph else { return Ok(0) };
        let vertices = graph.num_vertices();
        match source.or(self.model.source) {
            Some(source) if source >= vertices && vertices > 0 => {
                let problem =
                    format!("there is no vertex {source}: the graph has {vertices}, numbered from 0");
                Err(Problem::Words(problem).at(&self.file, "source"))
            }
            Some(source) => Ok(source),
            None => Ok(graph.out_edges().first_of_largest_degree().unwrap_or(0)),
        }
    }

    fn load(&self, runner: &mut Runner<'_>) -> Result<(), PlanError> {
        for name in &self.model.ptx {
            let path = self.folder.join(name);
            let place = || format!("ptx '{name}'");
            let text = read_text(&path).map_err(|problem| Problem::Words(problem).at(&self.file, place()))?;
            let module = runner.device.load_module(&path.display().to_string(), &text);
            runner.modules.push(module.map_err(|error| Problem::from(error).at(&self.file, place()))?);
        }
        Ok(())
    }

    fn allocate(
        &self,
        runner: &mut Runner<'_>,
        graph: Option<&Graph>,
    ) -> Result<Vec<RegionRecord>, PlanError> {
        let mut regions = Vec::new();
        for model in &self.model.buffers {
            let fail = |problem: Problem| problem.at(&self.file, format!("buffer '{}'", model.name));
            runner.names.is_free(&model.name).map_err(fail)?;
            let (buffer, bytes) = self.buffer(model, runner, graph).map_err(fail)?;
            runner.names.buffers.insert(model.name.clone(), buffer);
            regions.push(RegionRecord { name: model.name.clone(), bytes });
        }
        for model in &self.model.textures {
            let fail = |problem: Problem| problem.at(&self.file, format!("texture '{}'", model.name));
            let buffer = runner.names.buffer(&model.buffer).map_err(fail)?.buffer;
            let ty = Type::named(&model.ty).map_err(fail)?;
            let (components, normalised) = (model.components, model.normalised);
            let format = TextureFormat { components, ty: scalar_type(ty), normalised };
            format.check().map_err(|problem| fail(Problem::Words(problem)))?;
            let bound = runner
                .modules
                .iter()
                .any(|&module| runner.device.bind_texture(module, &model.name, buffer, format).is_ok());
            if !bound {
                return Err(fail(Problem::Words(
                    "no PTX file of the plan has a texture of this name".to_owned(),
                )));
            }
        }
        Ok(regions)
    }
}

impl Plan {
    /// Allocates one buffer, and says how long it is.
    fn buffer(
        &self,
        model: &BufferModel,
        runner: &mut Runner<'_>,
        graph: Option<&Graph>,
    ) -> Result<(TypedBuffer, u64), Problem> {
        let (ty, content) = content(model, &runner.names, graph, &self.folder)?;
        let bytes = content.bytes();
        let set = elements(model, &runner.names, ty, bytes)?;
        let buffer = match content {
            Content::Bytes(bytes) => runner.device.allocate_with(&model.name, &bytes)?,
            Content::Fill(_, element) => {
                let buffer = runner.device.allocate_zeroed(&model.name, bytes)?;
                if element.iter().any(|&byte| byte != 0) {
                    fill(runner.device, buffer, &element)?;
                }
                buffer
            }
        };
        for (offset, value) in set {
            runner.device.write_at(buffer, offset, &value)?;
        }
        Ok((TypedBuffer { buffer, ty }, bytes))
    }
}

fn scalar_type(ty: Type) -> ScalarType {
    match ty {
        Type::U8 => ScalarType::U8,
        Type::S8 => ScalarType::S8,
        Type::U16 => ScalarType::U16,
        Type::S16 => ScalarType::S16,
        Type::U32 => ScalarType::U32,
        Type::S32 => ScalarType::S32,
        Type::F32 => ScalarType::F32,
        Type::U64 => ScalarType::U64,
        Type::S64 => ScalarType::S64,
        Type::F64 => ScalarType::F64,
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let bytes = files::read(path, PTX_BYTES_MAX)?;
    String::from_utf8(bytes).map_err(|_| format!("{}: it is not text in UTF-8", path.display()))
}
