//! `heddle claims`.

use crate::arguments::ClaimsArguments;
use crate::failure::{Failure, words};
use crate::outputs::Outputs;
use crate::pattern::fits;
use crate::{date, output, result, view};
use flate2::read::MultiGzDecoder;
use heddle_graph::error::nearest;
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::error::ClaimsError;
use heddle_lab::claims::ledger::{Committed, Heading, Ledger};
use heddle_lab::claims::observations::Observations;
use heddle_lab::claims::scale::Scale;
use heddle_lab::claims::summary::{BEGIN, summary, updated};
use heddle_lab::record::{Labels, Record, SCHEMA};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

const LEDGER: &str = "ledger.tsv";
const LEDGER_JSON: &str = "ledger.json";
const POINTS: &str = "points.jsonl.gz";
/// The label of a record that says which experiment made it.
const EXPERIMENT: &str = "experiment";
/// Largest file of points, unpacked.
const POINTS_BYTES_MAX: u64 = 8 << 30;
/// Largest ledger and README.
const TEXT_BYTES_MAX: u64 = 16 << 20;

impl From<ClaimsError> for Failure {
    fn from(error: ClaimsError) -> Failure {
        Failure::new(error.to_string())
    }
}

/// Judges the claims.
pub(super) fn run(arguments: &ClaimsArguments) -> Result<(), Failure> {
    let book = Book::built_in()?;
    let is_chosen = chosen(&book, arguments.only.as_deref())?;
    let scale = arguments.scale.scale();
    let readme = match arguments.record {
        true => Some(Readme::find(&arguments.records)?),
        false => None,
    };
    check_outputs(arguments)?;
    let committed = committed(&arguments.records)?;
    let points = read_points(&arguments.records.join(scale.name()).join(POINTS))?;
    let results = |experiment: &str| Ok::<_, Failure>(results_of(&points, experiment));
    let ledger = Ledger::judge(&book, scale, heading(arguments, scale), is_chosen, results, &committed)?;
    if let Some(folder) = &arguments.out {
        write(folder, &ledger)?;
    }
    if let Some(readme) = readme {
        record(&arguments.records, readme, &ledger, committed)?;
    }
    match arguments.json {
        true => output::json(&ledger),
        false => output::page(&view::claims::page(&ledger)),
    }
}

/// What an experiment has measured. This is the one place that knows where results come from.
fn results_of(points: &[Record], experiment: &str) -> Observations {
    let own =
        points.iter().filter(|record| record.labels.get(EXPERIMENT).is_some_and(|name| name == experiment));
    let named: Vec<(Labels, &Record)> = own
        .map(|record| {
            let mut labels = record.labels.clone();
            labels.remove(EXPERIMENT);
            (labels, record)
        })
        .collect();
    Observations::of_points(named.iter().map(|(labels, record)| (labels, Some(*record))))
}

fn heading(arguments: &ClaimsArguments, scale: Scale) -> Heading {
    Heading {
        command: format!("heddle claims --scale {scale}"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: arguments.date.clone().unwrap_or_else(date::today),
    }
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
        let ledger = Committed::parse(&path.display().to_string(), &text)?;
        if ledger.scale != scale {
            let problem = format!("{}: it is a ledger of the scale {}", path.display(), ledger.scale);
            return Err(Failure::new(problem).with_help("every scale has its own folder"));
        }
        ledgers.push(ledger);
    }
    Ok(ledgers)
}

/// The records of a file of points; none where there is no file.
fn read_points(path: &Path) -> Result<Vec<Record>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::at_path(path, &error)),
    };
    let lines = BufReader::new(MultiGzDecoder::new(file).take(POINTS_BYTES_MAX)).lines();
    let mut records = Vec::new();
    for (index, line) in lines.enumerate() {
        let at = |problem: String| Failure::new(format!("{}: line {}: {problem}", path.display(), index + 1));
        let line = line.map_err(|error| at(words(&error)))?;
        let record: Record = serde_json::from_str(&line).map_err(|error| at(error.to_string()))?;
        if record.schema != SCHEMA {
            return Err(at(format!("its shape is {}, and this program reads {SCHEMA}", record.schema)));
        }
        records.push(record);
    }
    Ok(records)
}

fn write(folder: &Path, ledger: &Ledger) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::at_path(folder, &error))?;
    let json = serde_json::to_string_pretty(ledger);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    result::write_text(&folder.join(LEDGER), &ledger.to_tsv())?;
    result::write_text(&folder.join(LEDGER_JSON), &(json + "\n"))
}

/// The page that shows the summary.
struct Readme {
    path: PathBuf,
    text: String,
}

impl Readme {
    /// The page beside the folder of records, which must have a place for the summary.
    fn find(records: &Path) -> Result<Readme, Failure> {
        let path = records.parent().unwrap_or(Path::new("")).join("README.md");
        let text = text_of(&path)?.unwrap_or_default();
        match updated(&text, "") {
            Some(_) => Ok(Readme { path, text }),
            None => Err(Failure::new(format!("{}: there is no place for the summary", path.display()))
                .with_help(format!(
                    "the place begins with a line `{BEGIN}`; --records names the folder beside the page"
                ))),
        }
    }
}

/// Writes the ledger of a scale, and the summary of all.
fn record(
    records: &Path,
    readme: Readme,
    ledger: &Ledger,
    mut committed: Vec<Committed>,
) -> Result<(), Failure> {
    let folder = records.join(ledger.scale.name());
    std::fs::create_dir_all(&folder).map_err(|error| Failure::at_path(&folder, &error))?;
    let (path, text) = (folder.join(LEDGER), ledger.to_tsv());
    committed.retain(|other| other.scale != ledger.scale);
    committed.push(Committed::parse(&path.display().to_string(), &text)?);
    result::write_text(&path, &text)?;
    let page = updated(&readme.text, &summary(&committed)).unwrap_or(readme.text);
    result::write_text(&readme.path, &page)
}
