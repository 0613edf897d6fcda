//! Experiment files: TOML with the line of everything that can be wrong.

use super::Experiment;
use super::axes::{Axis, points};
use super::values::{KEYS, Setting, Value, unknown_key};
use crate::error::LabError;
use crate::scale::Scale;
use heddle_engine::nesting;
use heddle_graph::error::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file with its name.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// Gives a file of lists by its name: its path, and its text.
pub(super) type Lists<'a> = &'a dyn Fn(&str) -> Result<(String, String), LabError>;

const TOP: [&str; 8] = ["name", "source", "question", "refuted_by", "lists", "fixed", "axes", "scale"];

type Entry<'a> = Spanned<DeValue<'a>>;

/// Reads an experiment at a scale; also the file of lists that it uses.
pub(super) fn experiment(
    source: &Source,
    scale: Option<Scale>,
    lists: Lists<'_>,
) -> Result<(Experiment, Option<String>), LabError> {
    let table = parse(source)?;
    refuse_unknown(source, &table, &TOP)?;
    let text = |key: &str| required_text(source, &table, key);
    let name = text("name")?;
    refuse_name(source, &table, &name)?;
    let list_source = match table.get("lists") {
        Some(_) => {
            let (name, text) = lists(&text("lists")?).map_err(|error| error.at(source.name.clone()))?;
            Some(Source { name, text })
        }
        None => None,
    };
    let list_table = list_source.as_ref().map(parse).transpose()?;
    let named = list_source.as_ref().zip(list_table.as_ref());
    let reader = Reader { source, named };
    let scales = scales(source, &table)?;
    let scaled = scale_table(source, &table, &scales, scale)?;
    let mut fixed = reader.fixed(&table)?;
    let mut axes = reader.axes(&table)?;
    axes.iter().try_for_each(refuse_empty)?;
    if let Some(scaled) = scaled {
        refuse_unknown(source, scaled, &["fixed", "axes"])?;
        fixed.extend(reader.fixed(scaled)?);
        for axis in reader.axes(scaled)? {
            match axes.iter_mut().find(|known| known.name == axis.name) {
                Some(known) => *known = axis,
                None => {
                    refuse_empty(&axis)?;
                    axes.push(axis);
                }
            }
        }
    }
    // An axis without rows is how a scale takes one away.
    axes.retain(|axis| !axis.rows.is_empty());
    let experiment = Experiment {
        source: optional_text(source, &table, "source")?.unwrap_or_default(),
        question: text("question")?,
        refuted_by: text("refuted_by")?,
        points: points(&fixed, &axes).map_err(|error| error.at(source.name.clone()))?,
        files: Vec::new(),
        scale: scale.or(scales.first().copied()).filter(|_| !scales.is_empty()),
        name,
        scales,
    };
    Ok((experiment, list_source.map(|list| list.name)))
}

/// An axis without rows would make no points, or be passed over.
fn refuse_empty(axis: &Axis) -> Result<(), LabError> {
    match axis.rows.is_empty() {
        false => Ok(()),
        true => Err(LabError::new(format!("axes.{}: a list without values", axis.name))
            .at(axis.place.clone())
            .with_help("leave the axis out; an empty list in a scale takes one away that the file has")),
    }
}

fn parse(source: &Source) -> Result<DeTable<'_>, LabError> {
    if let Some(at) = nesting::too_deep(&source.text) {
        return Err(LabError::new(nesting::TOO_DEEP).at(source.place(at)));
    }
    let parsed = DeTable::parse(&source.text).map_err(|error| {
        let place = source.place(error.span().map_or(0, |span| span.start));
        LabError::new(error.message().trim_end()).at(place)
    })?;
    Ok(parsed.into_inner())
}

impl Source {
    /// A place in it: its name and the line.
    fn place(&self, offset: usize) -> String {
        let line = self.text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() + 1;
        format!("{}:{line}", self.name)
    }
}

fn refuse_unknown(source: &Source, table: &DeTable<'_>, known: &[&str]) -> Result<(), LabError> {
    for key in table.keys() {
        if known.contains(&key.get_ref().as_ref()) {
            continue;
        }
        let help = match nearest(key.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        let problem = format!("`{}`: no such key", key.get_ref());
        return Err(LabError::new(problem).at(source.place(key.span().start)).with_help(help));
    }
    Ok(())
}

fn optional_text(source: &Source, table: &DeTable<'_>, key: &str) -> Result<Option<String>, LabError> {
    let Some(entry) = table.get(key) else { return Ok(None) };
    match entry.get_ref() {
        DeValue::String(text) if !text.trim().is_empty() => Ok(Some(text.to_string())),
        _ => Err(LabError::new(format!("{key}: expected a text")).at(source.place(entry.span().start))),
    }
}

fn required_text(source: &Source, table: &DeTable<'_>, key: &str) -> Result<String, LabError> {
    optional_text(source, table, key)?
        .ok_or_else(|| LabError::new(format!("`{key}` is missing")).at(source.name.clone()))
}

/// A name is a folder's.
fn refuse_name(source: &Source, table: &DeTable<'_>, name: &str) -> Result<(), LabError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_taken = crate::store::FOLDERS.contains(&name);
    if name.chars().all(is_plain) && !is_taken {
        return Ok(());
    }
    let at = table.get("name").map_or(0, |entry| entry.span().start);
    let problem = match is_taken {
        true => format!("name = \"{name}\": the folder of sweeps has a folder of that name for its own"),
        false => format!("name = \"{name}\": expected letters, digits, - and _, as it becomes a folder"),
    };
    Err(LabError::new(problem).at(source.place(at)))
}

fn table_of<'t, 'a>(source: &Source, entry: &'t Entry<'a>, what: &str) -> Result<&'t DeTable<'a>, LabError> {
    match entry.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => Err(LabError::new(format!("{what}: expected a table")).at(source.place(entry.span().start))),
    }
}

fn scales(source: &Source, table: &DeTable<'_>) -> Result<Vec<Scale>, LabError> {
    let Some(entry) = table.get("scale") else { return Ok(Vec::new()) };
    let table = table_of(source, entry, "scale")?;
    refuse_unknown(source, table, &Scale::ALL.map(Scale::name))?;
    Ok(Scale::ALL.into_iter().filter(|scale| table.get(scale.name()).is_some()).collect())
}

/// The table of the scale that was asked for; the smallest of the file if none was.
fn scale_table<'t, 'a>(
    source: &Source,
    table: &'t DeTable<'a>,
    scales: &[Scale],
    asked: Option<Scale>,
) -> Result<Option<&'t DeTable<'a>>, LabError> {
    let Some(scale) = asked.or(scales.first().copied()) else { return Ok(None) };
    if scales.is_empty() {
        // An experiment of one size is the same at every scale.
        return Ok(None);
    }
    if !scales.contains(&scale) {
        let names: Vec<&str> = scales.iter().map(|scale| scale.name()).collect();
        let problem = format!("the experiment has no scale `{scale}`");
        return Err(LabError::new(problem)
            .at(source.name.clone())
            .with_help(format!("it has {}", names.join(", "))));
    }
    let Some(all) = table.get("scale") else { return Ok(None) };
    let all = table_of(source, all, "scale")?;
    all.get(scale.name()).map(|entry| table_of(source, entry, scale.name())).transpose()
}

/// Reads settings and axes of one file, and of the lists that it names.
struct Reader<'a> {
    source: &'a Source,
    named: Option<(&'a Source, &'a DeTable<'a>)>,
}

impl Reader<'_> {
    fn fixed(&self, table: &DeTable<'_>) -> Result<Vec<Setting>, LabError> {
        let Some(entry) = table.get("fixed") else { return Ok(Vec::new()) };
        row(self.source, table_of(self.source, entry, "fixed")?)
    }

    fn axes(&self, table: &DeTable<'_>) -> Result<Vec<Axis>, LabError> {
        let Some(entry) = table.get("axes") else { return Ok(Vec::new()) };
        let mut axes: Vec<(usize, Axis)> = Vec::new();
        for (name, entry) in table_of(self.source, entry, "axes")?.iter() {
            axes.push((name.span().start, self.axis(name.get_ref(), entry)?));
        }
        // Tables are sorted by name; axes are crossed in the order of the file.
        axes.sort_by_key(|(at, _)| *at);
        Ok(axes.into_iter().map(|(_, axis)| axis).collect())
    }

    fn axis(&self, name: &str, entry: &Entry<'_>) -> Result<Axis, LabError> {
        let place = self.source.place(entry.span().start);
        match entry.get_ref() {
            DeValue::String(list) => self.list(name, list).map_err(|error| error.at(place.clone())),
            DeValue::Array(_) => rows(self.source, name, entry),
            _ => Err(LabError::new(format!("axes.{name}: expected a list, or the name of one")).at(place)),
        }
    }

    /// An axis of the file of lists.
    fn list(&self, name: &str, list: &str) -> Result<Axis, LabError> {
        let Some((source, table)) = self.named else {
            return Err(LabError::new(format!(
                "axes.{name} names a list, and the experiment has no `lists`"
            )));
        };
        match table.get(list) {
            Some(entry) => rows(source, name, entry),
            None => {
                let known: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
                let near = nearest(list, known.iter().copied());
                let help = near
                    .map_or(format!("it has {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
                Err(LabError::new(format!("{} has no list `{list}`", source.name)).with_help(help))
            }
        }
    }
}

/// The rows of an axis: tables of settings, or values of the setting that the axis is named after.
fn rows(source: &Source, name: &str, entry: &Entry<'_>) -> Result<Axis, LabError> {
    let place = source.place(entry.span().start);
    let DeValue::Array(items) = entry.get_ref() else {
        return Err(LabError::new(format!("{name}: expected a list")).at(place));
    };
    let mut rows = Vec::new();
    for item in items.iter() {
        let place = source.place(item.span().start);
        rows.push(match item.get_ref() {
            DeValue::Table(table) => row(source, table)?,
            _ if !KEYS.contains(&name) => {
                return Err(unknown_key(name).at(place).with_help(
                    "an axis of plain values is named after a setting; others have rows of tables",
                ));
            }
            _ => vec![Setting { key: name.to_owned(), value: value(source, item)?, place }],
        });
    }
    Ok(Axis { name: name.to_owned(), place, rows })
}

fn row(source: &Source, table: &DeTable<'_>) -> Result<Vec<Setting>, LabError> {
    let mut settings = Vec::new();
    for (key, entry) in table.iter() {
        let place = source.place(key.span().start);
        if !KEYS.contains(&key.get_ref().as_ref()) {
            return Err(unknown_key(key.get_ref()).at(place));
        }
        settings.push(Setting { key: key.get_ref().to_string(), value: value(source, entry)?, place });
    }
    Ok(settings)
}

fn value(source: &Source, entry: &Entry<'_>) -> Result<Value, LabError> {
    let wrong = || {
        let problem = "expected a text, a whole number of 0 or more, true, false or a list of texts";
        LabError::new(problem).at(source.place(entry.span().start))
    };
    Ok(match entry.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            Value::Number(u64::from_str_radix(&digits, number.radix()).map_err(|_| wrong())?)
        }
        DeValue::Array(items) => {
            let texts = items.iter().map(|item| match item.get_ref() {
                DeValue::String(text) => Ok(text.to_string()),
                _ => Err(wrong()),
            });
            Value::List(texts.collect::<Result<_, LabError>>()?)
        }
        _ => return Err(wrong()),
    })
}
