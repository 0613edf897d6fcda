//! The steps of a plan.

use super::error::{PlanError, Problem};
use super::model::{RepeatModel, StepModel};
use super::names::Names;
use crate::library::{Iteration, LaunchRecord};
use heddle_device::{Buffer, Device, FunctionHandle, Launch, ModuleHandle};
use heddle_graph::error::nearest;
use toml::Value;

/// Passes of a loop unless the plan names another limit.
const PASSES_MAX: u64 = 1_000_000;

/// The name of the number of a pass, inside a loop.
pub(super) const ITERATION: &str = "iteration";

/// Kernels that an error names; of more it says how many.
const KERNELS_SHOWN: usize = 12;

/// Nesting of loops that is still run.
const DEPTH_MAX: usize = 16;

/// A plan while it runs.
pub(super) struct Runner<'a> {
    pub(super) file: &'a str,
    pub(super) device: &'a mut Device,
    pub(super) modules: Vec<ModuleHandle>,
    pub(super) names: Names,
    pub(super) iterations: Vec<Iteration>,
    /// The pass that is running, if any.
    pub(super) current: Option<usize>,
    pub(super) launches: Vec<LaunchRecord>,
    pub(super) progress: &'a dyn Fn(usize, u64),
}

impl Runner<'_> {
    /// Runs steps in order; `place` names the list that they stand in.
    pub(super) fn steps(&mut self, steps: &[StepModel], place: &str, depth: usize) -> Result<(), PlanError> {
        for (number, step) in steps.iter().enumerate() {
            let place = format!("{place}step {}", number + 1);
            match &step.repeat {
                Some(repeat) => self.repeat(repeat, step, &place, depth)?,
                None => self.step(step).map_err(|problem| problem.at(self.file, &place))?,
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &StepModel) -> Result<(), Problem> {
        one_action(step)?;
        if let Some(kernel) = &step.launch {
            return self.launch(kernel, step);
        }
        if let Some(name) = &step.fill {
            return self.fill(name, step);
        }
        if let (Some(from), Some(to)) = (&step.copy, &step.to) {
            let (from, to) = (self.names.buffer(from)?.buffer, self.names.buffer(to)?.buffer);
            let bytes: Vec<u8> = self.device.read(from)?;
            return Ok(self.device.write(to, &bytes)?);
        }
        if let Some(names) = &step.swap {
            let [a, b] = &names[..] else {
                return Err(Problem::Words("swap takes exactly two names".to_owned()));
            };
            let (first, second) = (self.names.buffer(a)?, self.names.buffer(b)?);
            self.names.buffers.insert(a.clone(), second);
            self.names.buffers.insert(b.clone(), first);
            return Ok(());
        }
        match (&step.assign, &step.be) {
            (Some(name), Some(value)) => self.assign(name, value),
            (Some(_), None) => Err(Problem::Words("let needs be".to_owned())),
            _ => Err(Problem::Words("copy needs to".to_owned())),
        }
    }

    fn launch(&mut self, kernel: &str, step: &StepModel) -> Result<(), Problem> {
        let function = self.kernel(kernel)?;
        let block = self.dimensions("block", step.block.as_ref())?.unwrap_or([256, 1, 1]);
        let launch = match (&step.threads, self.dimensions("grid", step.grid.as_ref())?) {
            (Some(_), Some(_)) => return Err(Problem::Words("give threads or grid, not both".to_owned())),
            (None, Some(grid)) => Launch::new(grid, block),
            (Some(threads), None) => {
                let threads = self.names.size(threads, 1 << 40)?;
                let [x, y, z] = block;
                if y != 1 || z != 1 {
                    return Err(Problem::Words("threads goes with a block of one dimension".to_owned()));
                }
                Launch::linear(threads, x)
            }
            (None, None) => return Err(Problem::Words(format!("launch {kernel}: expected threads or grid"))),
        };
        let shared = step.shared.as_ref().map_or(Ok(0), |shared| self.names.size(shared, 1 << 24))?;
        let arguments: Vec<_> =
            step.arguments.iter().map(|value| self.names.argument(value)).collect::<Result<_, _>>()?;
        let report = self.device.launch(function, launch.shared(shared as u32), &arguments)?;
        self.launches.push(LaunchRecord { iteration: self.current, report });
        Ok(())
    }

    /// Refuses kernels that there are not, before anything runs.
    pub(super) fn check_kernels(&self, steps: &[StepModel], place: &str) -> Result<(), PlanError> {
        for (number, step) in steps.iter().enumerate() {
            let place = format!("{place}step {}", number + 1);
            if let Some(kernel) = &step.launch {
                self.kernel(kernel).map_err(|problem| problem.at(self.file, &place))?;
            }
            self.check_kernels(&step.steps, &format!("{place}, "))?;
        }
        Ok(())
    }

    fn kernel(&self, name: &str) -> Result<FunctionHandle, Problem> {
        let found = self.modules.iter().find_map(|&module| self.device.function(module, name).ok());
        found.ok_or_else(|| Problem::Words(self.no_such_kernel(name)))
    }

    /// What there is in place of a kernel that there is not, the nearest name first.
    fn no_such_kernel(&self, name: &str) -> String {
        if self.modules.is_empty() {
            return format!("there is no kernel `{name}`: the plan has no PTX file");
        }
        let functions = self.modules.iter().flat_map(|&module| &self.device.module(module).functions);
        let mut names: Vec<&str> =
            functions.filter(|function| function.is_kernel).map(|function| function.name.as_str()).collect();
        if let Some(near) = nearest(name, names.iter().copied()) {
            names.sort_by_key(|known| *known != near);
        }
        let more = names.len().saturating_sub(KERNELS_SHOWN);
        names.truncate(KERNELS_SHOWN);
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        match (listed.is_empty(), more) {
            (true, _) => format!("there is no kernel `{name}`: the plan's PTX files have none"),
            (false, 0) => format!("there is no kernel `{name}`; there are {}", listed.join(", ")),
            (false, more) => {
                format!("there is no kernel `{name}`; there are {} and {more} more", listed.join(", "))
            }
        }
    }

    /// A number, an expression, or up to three of them.
    fn dimensions(&self, key: &str, value: Option<&Value>) -> Result<Option<[u32; 3]>, Problem> {
        let Some(value) = value else { return Ok(None) };
        let list = match value {
            Value::Array(list) if (1..=3).contains(&list.len()) => list.as_slice(),
            Value::Array(_) => return Err(Problem::Words(format!("{key}: expected one to three numbers"))),
            one => std::slice::from_ref(one),
        };
        let mut dimensions = [1; 3];
        for (dimension, value) in dimensions.iter_mut().zip(list) {
            *dimension = self.names.size(value, u32::MAX.into())? as u32;
        }
        Ok(Some(dimensions))
    }

    fn fill(&mut self, name: &str, step: &StepModel) -> Result<(), Problem> {
        let target = self.names.buffer(name)?;
        let value = step.value.as_ref().ok_or_else(|| Problem::Words("fill needs value".to_owned()))?;
        let element = self.names.element(target.ty, value)?;
        let offset = match &step.index {
            Some(index) => self.names.size(index, 1 << 40)?.saturating_mul(element.len() as u64),
            None => return fill(self.device, target.buffer, &element),
        };
        Ok(self.device.write_at(target.buffer, offset, &element)?)
    }

    fn assign(&mut self, name: &str, value: &Value) -> Result<(), Problem> {
        let ty = match self.names.scalars.get(name) {
            Some(scalar) => scalar.ty,
            None => {
                return Err(Problem::Words(format!(
                    "there is no scalar '{name}'; declare it under [scalars]"
                )));
            }
        };
        let bytes = match value {
            Value::Table(table) => {
                let Some(Value::String(buffer)) = table.get("element").filter(|_| table.len() == 1) else {
                    return Err(Problem::Words("expected { element = \"BUFFER\" }".to_owned()));
                };
                let whole = self.first_element(buffer)?;
                ty.encode_whole(whole)?
            }
            other => self.names.element(ty, other)?,
        };
        if let Some(scalar) = self.names.scalars.get_mut(name) {
            scalar.bytes = bytes;
        }
        Ok(())
    }

    /// The first element of a buffer, as a whole number.
    fn first_element(&self, name: &str) -> Result<i64, Problem> {
        let buffer = self.names.buffer(name)?;
        let contents = self.device.image().contents(buffer.buffer.region());
        if contents.len() < buffer.ty.bytes() {
            return Err(Problem::Words(format!("'{name}' has no element")));
        }
        let whole = buffer.ty.decode_whole(contents);
        whole.ok_or_else(|| Problem::Words(format!("the first element of '{name}' is not a whole number")))
    }

    fn repeat(
        &mut self,
        repeat: &RepeatModel,
        step: &StepModel,
        place: &str,
        depth: usize,
    ) -> Result<(), PlanError> {
        let file = self.file;
        let fail = |problem: Problem| problem.at(file, place);
        one_action(step).map_err(fail)?;
        if depth >= DEPTH_MAX {
            return Err(fail(Problem::Words(format!("loops are nested more than {DEPTH_MAX} deep"))));
        }
        let (passes, until) = self.passes(repeat).map_err(fail)?;
        for pass in 0..passes {
            self.pass(pass, &step.steps, place, depth)?;
            if let Some((name, wanted)) = &until
                && self.watched(name).map_err(fail)? == *wanted
            {
                return Ok(());
            }
        }
        match until {
            None => Ok(()),
            Some((name, wanted)) => {
                let problem = format!("'{name}' was not {wanted} after {passes} passes, the limit");
                Err(fail(Problem::Words(problem)))
            }
        }
    }

    /// One pass of a loop; `iteration` and the pass of the loop around it are what they were afterwards.
    fn pass(&mut self, pass: u64, steps: &[StepModel], place: &str, depth: usize) -> Result<(), PlanError> {
        let around = (self.current, self.names.figures.get(ITERATION).copied());
        self.current = Some(self.iterations.len());
        self.iterations.push(Iteration { frontier: None, first_launch: self.launches.len() });
        self.names.figures.insert(ITERATION.to_owned(), pass as i64);
        (self.progress)(self.iterations.len(), 0);
        self.steps(steps, &format!("{place}, "), depth + 1)?;
        self.current = around.0;
        match around.1 {
            Some(pass) => self.names.figures.insert(ITERATION.to_owned(), pass),
            None => self.names.figures.remove(ITERATION),
        };
        Ok(())
    }

    /// The most passes of a loop, and what ends it before.
    fn passes(&self, repeat: &RepeatModel) -> Result<(u64, Option<(String, i64)>), Problem> {
        match (&repeat.times, &repeat.until) {
            (Some(times), None) if repeat.is.is_none() && repeat.limit.is_none() => {
                Ok((self.names.size(times, PASSES_MAX)?, None))
            }
            (None, Some(name)) => {
                self.watched(name)?;
                let wanted = repeat.is.as_ref().map_or(Ok(0), |value| self.names.whole(value))?;
                let limit =
                    repeat.limit.as_ref().map_or(Ok(PASSES_MAX), |l| self.names.size(l, u64::MAX >> 1))?;
                Ok((limit, Some((name.clone(), wanted))))
            }
            _ => Err(Problem::Words("repeat takes { until, is, limit } or { times }".to_owned())),
        }
    }

    fn watched(&self, name: &str) -> Result<i64, Problem> {
        use super::expression::Values;
        match self.names.buffers.contains_key(name) {
            true => self.first_element(name),
            false => self
                .names
                .value(name)
                .ok_or_else(|| Problem::Words(format!("until: there is no buffer or whole scalar '{name}'"))),
        }
    }
}

/// Fills a buffer with an element of 1, 2, 4 or 8 bytes.
pub(super) fn fill(device: &mut Device, buffer: Buffer, element: &[u8]) -> Result<(), Problem> {
    if let Some(&bytes) = element.first_chunk::<8>() {
        device.fill(buffer, bytes)?;
    } else if let Some(&bytes) = element.first_chunk::<4>() {
        device.fill(buffer, bytes)?;
    } else if let Some(&bytes) = element.first_chunk::<2>() {
        device.fill(buffer, bytes)?;
    } else if let Some(&byte) = element.first() {
        device.fill(buffer, byte)?;
    }
    Ok(())
}

/// A step does one thing.
fn one_action(step: &StepModel) -> Result<(), Problem> {
    let actions = [
        ("launch", step.launch.is_some()),
        ("fill", step.fill.is_some()),
        ("copy", step.copy.is_some()),
        ("swap", step.swap.is_some()),
        ("let", step.assign.is_some()),
        ("repeat", step.repeat.is_some()),
    ];
    let given: Vec<_> = actions.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    let [action] = given[..] else {
        let problem = "a step has exactly one of launch, fill, copy, swap, let and repeat";
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        return Err(Problem::Words(format!("{problem}; found {found}")));
    };
    let keys = [
        ("threads", step.threads.is_some(), "launch"),
        ("grid", step.grid.is_some(), "launch"),
        ("block", step.block.is_some(), "launch"),
        ("shared", step.shared.is_some(), "launch"),
        ("arguments", !step.arguments.is_empty(), "launch"),
        ("value", step.value.is_some(), "fill"),
        ("index", step.index.is_some(), "fill"),
        ("to", step.to.is_some(), "copy"),
        ("be", step.be.is_some(), "let"),
        ("steps", !step.steps.is_empty(), "repeat"),
    ];
    match keys.iter().find(|(_, given, owner)| *given && *owner != action) {
        Some((key, _, owner)) => Err(Problem::Words(format!("{key} goes with {owner}, not with {action}"))),
        None => Ok(()),
    }
}
