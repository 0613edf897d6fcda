//! `heddle ptx run`: one launch, as a plan of one step; functionally, or in time on a machine.

use crate::arguments::{CommonArguments, PtxRunArguments};
use crate::bounded;
use crate::commands::job::{Job, Ran};
use crate::commands::save::save;
use crate::commands::simulate::{Simulated, rehearsed, simulate};
use crate::commands::task::Task;
use crate::failure::{Failure, Problems};
use crate::interrupt::Interrupt;
use crate::outputs::Outputs;
use crate::progress::Bar;
use crate::result::{self, RunResult};
use crate::timed::Timed;
use crate::timing::Build;
use crate::{output, view};
use heddle_device::Device;
use heddle_gpu::RunSettings;
use heddle_ptx::exec::Functional;
use heddle_workloads::plan::{Plan, SavedBuffer};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// What a buffer is called in the plan if it is only printed.
const NOT_SAVED: &str = "";

/// A launch that was run.
struct Launched {
    result: RunResult,
    /// The machine with every key; none for functional execution.
    resolved: Option<String>,
    buffers: Vec<SavedBuffer>,
    stopped: Option<Failure>,
}

/// Launches one kernel.
pub(in crate::commands) fn run(
    arguments: &PtxRunArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<(), Failure> {
    refuse_options(arguments)?;
    let kernel = kernel(arguments)?;
    let table = plan(arguments, &kernel)?;
    let name = arguments.file.display().to_string();
    let plan =
        Plan::from_table(&name, Path::new(""), table).map_err(|error| Failure::new(error.to_string()))?;
    let task = Task::launch(format!("{name}: {kernel}"), plan);
    let launched = match arguments.time.machine.is_some() {
        true => in_time(arguments, task, common, build)?,
        false => functional(arguments, task)?,
    };
    let Launched { result, resolved, buffers, stopped } = launched;
    let mut problems = Problems::default();
    if let Some(folder) = &arguments.out {
        problems.note(result::write_folder(folder, &result, resolved.as_deref()));
    }
    let saved = buffers.iter().filter(|saved| saved.file != NOT_SAVED);
    saved.for_each(|saved| problems.note(save(saved)));
    problems.note(stopped.map_or(Ok(()), Err));
    let printed = buffers.iter().filter(|saved| arguments.print.contains(&saved.buffer));
    match arguments.json {
        true => output::json(&view::launch::Launched::new(&result, printed))?,
        false => output::page(&view::launch::page(&result, printed))?,
    }
    problems.into_result()
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_options(arguments: &PtxRunArguments) -> Result<(), Failure> {
    let functional = [
        ("--resident", arguments.resident.is_some()),
        ("--limit", arguments.limit.is_some()),
        ("--sectors", arguments.sectors),
    ];
    let given = functional.into_iter().find(|(_, given)| *given).map(|(option, _)| option);
    match (arguments.time.machine.is_some(), given) {
        (true, Some(option)) => {
            let problem = format!("{option} concerns functional execution; --machine has time");
            Err(Failure::usage(problem, "leave one of the two out"))
        }
        (false, _) => match arguments.time.given().or((!arguments.with.is_empty()).then_some("--with")) {
            Some(option) => {
                let problem = format!("{option} concerns a machine with time");
                Err(Failure::usage(problem, "name one, such as --machine fermi"))
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Refuses files that could not be written, or should not be; `files` were read for the machine.
fn check_outputs(
    arguments: &PtxRunArguments,
    task: &Task,
    files: &[(&'static str, PathBuf)],
) -> Result<(), Failure> {
    let mut outputs = Outputs::new(arguments.force);
    // The user names these files, not a plan that somebody else may have written.
    task.claim(&mut outputs, true)?;
    outputs.reads_all(files);
    if let Some(folder) = &arguments.out {
        outputs.folder("--out", folder, &result::FILES);
    }
    outputs.check()
}

fn functional(arguments: &PtxRunArguments, task: Task) -> Result<Launched, Failure> {
    check_outputs(arguments, &task, &[])?;
    let job = Job::without_graph(task)?;
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let functional = Functional {
        resident_blocks: arguments.resident,
        instruction_limit: arguments.limit,
        count_sectors: arguments.sectors,
        interrupt: Some(interrupt.flag()),
        ..Functional::default()
    };
    let cut_off = functional.cut_off.clone();
    let machine = Timed::new(Box::new(functional));
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    let Ran { result, saved, stopped } =
        job.run(&mut device, &time, arguments.sectors, &|_, _| (), &|| cut_off.take())?;
    Ok(Launched { result, resolved: None, buffers: saved, stopped })
}

fn in_time(
    arguments: &PtxRunArguments,
    task: Task,
    common: CommonArguments,
    build: &Build,
) -> Result<Launched, Failure> {
    let (choice, settings) = (arguments.time.choice(arguments.with.concat()), arguments.time.settings());
    task.check_registers(&settings.registers)?;
    let (progress, interrupt) = (Bar::new(common.quiet), Interrupt::default());
    let hook = || progress.simulation(&task.name, &interrupt);
    let checked = build(&choice, settings.clone(), hook())?;
    check_outputs(arguments, &task, &checked.files)?;
    let hook = hook();
    let job = Job::without_graph(task)?;
    let settings = RunSettings { launches: job.chosen(arguments.time.launches.as_ref())?, ..settings };
    interrupt.watch()?;
    let settings = match checked.rehearses {
        true => rehearsed(&job, &choice, settings, build, progress.simulation(job.name(), &interrupt))?,
        false => settings,
    };
    let built = build(&choice, settings.clone(), hook)?;
    let simulated = simulate(&job, &choice, &settings, built, &|_, _| ());
    drop(progress);
    let Simulated { result, resolved, saved, stopped, .. } = simulated?;
    Ok(Launched { result, resolved: Some(resolved), buffers: saved, stopped })
}

/// The kernel that the user named, or the only one.
fn kernel(arguments: &PtxRunArguments) -> Result<String, Failure> {
    if let Some(kernel) = &arguments.kernel {
        return Ok(kernel.clone());
    }
    let path = &arguments.file;
    let text = bounded::PTX.text(path)?;
    let module = heddle_ptx::load(&path.display().to_string(), &text, heddle_ptx::exec::EXTERNALS);
    let module = module.map_err(|error| Failure::new(error.to_string()))?;
    let kernels: Vec<_> = module.functions.iter().filter(|function| function.is_kernel).collect();
    match &kernels[..] {
        [only] => Ok(only.name.clone()),
        [] => Err(Failure::new(format!("{}: it has no kernel", path.display()))),
        several => {
            let names: Vec<_> = several.iter().map(|kernel| kernel.name.as_str()).collect();
            Err(Failure::usage(
                format!("{} has several kernels", path.display()),
                format!("name one with --kernel: {}", names.join(", ")),
            ))
        }
    }
}

/// The plan that the options describe.
fn plan(arguments: &PtxRunArguments, kernel: &str) -> Result<Table, Failure> {
    let numbers = |list: &[u32]| Value::Array(list.iter().map(|&n| Value::Integer(n.into())).collect());
    let mut step = Table::new();
    step.insert("launch".into(), kernel.into());
    step.insert("block".into(), numbers(&arguments.block));
    step.insert("shared".into(), i64::from(arguments.shared).into());
    match arguments.grid_threads {
        Some(threads) => step.insert("threads".into(), Value::Integer(whole(threads)?)),
        None if arguments.grid.is_empty() => step.insert("grid".into(), Value::Integer(1)),
        None => step.insert("grid".into(), numbers(&arguments.grid)),
    };
    let listed: Vec<Value> =
        arguments.arguments.iter().map(|text| argument(text)).collect::<Result<_, _>>()?;
    step.insert("arguments".into(), Value::Array(listed));
    let buffers = arguments.buffers.iter().map(|text| buffer(text).map(Value::Table));
    let mut save: Table = arguments.print.iter().map(|name| (name.clone(), NOT_SAVED.into())).collect();
    for text in &arguments.save {
        let (name, file) = pair(text, "--save", "NAME=FILE")?;
        save.insert(name.into(), file.into());
    }
    let checks = arguments.expect.iter().map(|text| expectation(text).map(Value::Table));
    let mut table = Table::new();
    table.insert("ptx".into(), Value::Array(vec![arguments.file.display().to_string().into()]));
    table.insert("buffer".into(), Value::Array(buffers.collect::<Result<_, _>>()?));
    table.insert("step".into(), Value::Array(vec![Value::Table(step)]));
    table.insert("save".into(), Value::Table(save));
    table.insert("check".into(), Value::Array(checks.collect::<Result<_, _>>()?));
    Ok(table)
}

fn whole(value: u64) -> Result<i64, Failure> {
    i64::try_from(value).map_err(|_| Failure::usage(format!("{value} is too large"), "use a smaller number"))
}

fn pair<'a>(text: &'a str, option: &str, shape: &str) -> Result<(&'a str, &'a str), Failure> {
    let bad = || Failure::usage(format!("{option} {text}: expected {shape}"), "see `heddle ptx run --help`");
    text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(bad)
}

/// A number: whole where it can be.
fn number(text: &str) -> Value {
    let digits = text.trim();
    let hexadecimal = digits.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    // Numbers of 64 bits keep their bits; the highest is the sign in a plan.
    let unsigned = digits.parse::<u64>().ok().or(hexadecimal).map(|bits| bits as i64);
    match (digits.parse::<i64>().ok().or(unsigned), digits.parse::<f64>()) {
        (Some(whole), _) => Value::Integer(whole),
        (None, Ok(real)) => Value::Float(real),
        // Not a number: the plan says so, with the place.
        (None, Err(_)) => Value::String(digits.to_owned()),
    }
}

/// `NAME`, `NAME+BYTES`, `TYPE:VALUE` or `bytes:HEX`.
fn argument(text: &str) -> Result<Value, Failure> {
    if let Some((ty, value)) = text.split_once(':') {
        let value = if ty == "bytes" { Value::String(value.to_owned()) } else { number(value) };
        return Ok(Value::Table([(ty.to_owned(), value)].into_iter().collect()));
    }
    match text.split_once('+') {
        None => Ok(Value::String(text.to_owned())),
        Some((name, offset)) => {
            let entries = [("buffer".to_owned(), name.into()), ("offset".to_owned(), number(offset))];
            Ok(Value::Table(entries.into_iter().collect()))
        }
    }
}

/// `NAME=TYPE[LENGTH]`, `NAME=TYPE[LENGTH]:FILL`, `NAME=TYPE:V,V,V` or `NAME=TYPE@FILE`.
fn buffer(text: &str) -> Result<Table, Failure> {
    let (name, content) = pair(text, "--buffer", "NAME=TYPE[LENGTH], NAME=TYPE:VALUES or NAME=TYPE@FILE")?;
    let mut table = Table::new();
    table.insert("name".into(), name.into());
    let end = content.find(['[', ':', '@']).unwrap_or(content.len());
    let (ty, rest) = content.split_at(end);
    table.insert("type".into(), ty.into());
    let bad = || {
        let problem = format!("--buffer {text}: expected [LENGTH], :VALUES or @FILE after the type");
        Failure::usage(problem, "see `heddle ptx run --help`")
    };
    if let Some(file) = rest.strip_prefix('@') {
        table.insert("file".into(), file.into());
    } else if let Some(values) = rest.strip_prefix(':') {
        table.insert("values".into(), Value::Array(values.split(',').map(number).collect()));
    } else {
        let (length, fill) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(bad)?;
        table.insert("length".into(), number(length));
        match fill.strip_prefix(':') {
            Some(fill) => table.insert("fill".into(), number(fill)),
            None if fill.is_empty() => None,
            None => return Err(bad()),
        };
    }
    Ok(table)
}

/// `NAME=FILE` or `NAME=:V,V,V`.
fn expectation(text: &str) -> Result<Table, Failure> {
    let (name, content) = pair(text, "--expect", "NAME=FILE or NAME=:V,V,V")?;
    let mut table = Table::new();
    table.insert("buffer".into(), name.into());
    match content.strip_prefix(':') {
        Some(values) => table.insert("values".into(), Value::Array(values.split(',').map(number).collect())),
        None => table.insert("file".into(), content.into()),
    };
    Ok(table)
}
