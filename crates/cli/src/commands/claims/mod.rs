//! `heddle claims`.

mod points;
mod recording;

use crate::arguments::{ClaimsArguments, CommonArguments};
use crate::failure::Failure;
use crate::outputs::Outputs;
use crate::pattern::fits;
use crate::sweep::experiments::workbench;
use crate::{date, output, result, view};
use heddle_graph::error::nearest;
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::error::ClaimsError;
use heddle_lab::claims::ledger::{Committed, Heading, Ledger};
use heddle_lab::claims::needed::Needed;
use heddle_lab::scale::Scale;
use points::Gathered;
use recording::{Readme, Recording};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

const LEDGER: &str = "ledger.tsv";
const LEDGER_JSON: &str = "ledger.json";
const POINTS: &str = "points.jsonl.gz";
/// Largest ledger and README.
const TEXT_BYTES_MAX: u64 = 16 << 20;

impl From<ClaimsError> for Failure {
    fn from(error: ClaimsError) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Judges the claims.
pub(super) fn run(arguments: &ClaimsArguments, common: CommonArguments) -> Result<(), Failure> {
    let book = Book::built_in()?;
    let is_chosen = chosen(&book, arguments.only.as_deref())?;
    let scale = arguments.scale.scale();
    let readme = match arguments.record {
        true => Some(Readme::find(&arguments.records)?),
        false => None,
    };
    check_outputs(arguments)?;
    let committed = committed(&arguments.records)?;
    let needed = Needed::by(book.claims.iter().filter(|claim| is_chosen(claim)), scale)?;
    let bench = workbench(arguments.graphs.as_deref())?;
    let packed = arguments.records.join(scale.name()).join(POINTS);
    let gathered = Gathered::new(&bench, &needed, arguments, common, &packed)?;
    let heading = heading(arguments, scale);
    let ledger = match readme {
        Some(readme) => {
            gathered.refuse_strangers()?;
            let recording = Recording { book: &book, bench: &bench, records: &arguments.records, common };
            recording.record(scale, heading, &gathered.judged, committed, readme)?
        }
        None => {
            gathered.tell_strangers(common.quiet);
            let results = |experiment: &str| {
                Ok::<_, Failure>(needed.observations(&bench, experiment, |point| gathered.seek(point)))
            };
            Ledger::judge(&book, scale, heading, is_chosen, results, &committed)?
        }
    };
    if let Some(folder) = &arguments.out {
        write(folder, &ledger)?;
    }
    match arguments.json {
        true => output::json(&ledger)?,
        false => output::page(&view::claims::page(&ledger))?,
    }
    gathered.failed
}

fn heading(arguments: &ClaimsArguments, scale: Scale) -> Heading {
    Heading {
        command: command(arguments, scale),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: arguments.date.clone().unwrap_or_else(date::today),
    }
}

/// The command as it was given, as far as the ledger depends on it; folders are those of whoever gives it again.
fn command(arguments: &ClaimsArguments, scale: Scale) -> String {
    let only = arguments.only.as_ref().map(|pattern| format!("--only '{pattern}'"));
    let limit = arguments.runner.time_limit.map(|limit| format!("--time-limit {}", limit.as_secs_f64()));
    let words = [
        Some(format!("heddle claims --scale {scale}")),
        only,
        arguments.graphs.as_ref().map(|_| "--graphs DIR".to_owned()),
        arguments.no_run.then(|| "--no-run".to_owned()),
        limit,
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Which claims are judged.
fn chosen<'a>(book: &Book, only: Option<&'a str>) -> Result<impl Fn(&Claim) -> bool + 'a, Failure> {
    let is_chosen = move |claim: &Claim| only.is_none_or(|pattern| fits(pattern, &claim.published.id));
    if book.claims.iter().any(is_chosen) {
        return Ok(is_chosen);
    }
    let pattern = only.unwrap_or_default();
    let near = nearest(pattern, book.claims.iter().map(|claim| claim.published.id.as_str()));
    let failure = Failure::new(format!("no claim fits '{pattern}'"));
    Err(match near {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle claims` lists them; * stands for anything"),
    })
}

fn check_outputs(arguments: &ClaimsArguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.out else { return Ok(()) };
    let mut outputs = Outputs::new(arguments.force);
    outputs.folder("--out", folder, &[LEDGER, LEDGER_JSON]);
    outputs.check()
}

/// The text of a file, or nothing where there is none.
fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::at_path(path, &error)),
    };
    let mut text = String::new();
    file.take(TEXT_BYTES_MAX).read_to_string(&mut text).map_err(|error| Failure::at_path(path, &error))?;
    Ok(Some(text))
}

/// The ledgers that were recorded last.
fn committed(records: &Path) -> Result<Vec<Committed>, Failure> {
    let mut ledgers = Vec::new();
    for scale in Scale::ALL {
        let path = records.join(scale.name()).join(LEDGER);
        let Some(text) = text_of(&path)? else { continue };
        let ledger = Committed::parse(&path.display().to_string(), &text).map_err(|error| {
            Failure::from(error).with_help(
                "take the file from the project's history again, or remove it and record the scale with --record",
            )
        })?;
        if ledger.scale != scale {
            let problem = format!("{}: it is a ledger of the scale {}", path.display(), ledger.scale);
            return Err(Failure::new(problem).with_help("every scale has its own folder"));
        }
        ledgers.push(ledger);
    }
    Ok(ledgers)
}

fn write(folder: &Path, ledger: &Ledger) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::at_path(folder, &error))?;
    let json = serde_json::to_string_pretty(ledger);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    result::write_text(&folder.join(LEDGER), &ledger.to_tsv())?;
    result::write_text(&folder.join(LEDGER_JSON), &(json + "\n"))
}
