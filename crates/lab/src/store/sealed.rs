//! The bytes of a record's file: one line of JSON that carries the SHA-256 of the record in it, so that a file that was
//! torn or edited is recognised.

use crate::hash::{Key, sha256};
use crate::record::{Outcome, Record, Row, SCHEMA};
use serde::Deserialize;

const BEFORE_SUM: &str = "{\"sha256\":\"";
const BEFORE_RECORD: &str = "\",\"record\":";
const AFTER_RECORD: &str = "}\n";
const SUM_DIGITS: usize = 64;

/// The oldest schema that is read.
const FIRST_SCHEMA: u32 = 1;

/// Why bytes are no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsealed {
    /// They are not what was written.
    #[error("{0}")]
    Corrupt(String),
    /// A newer program wrote them.
    #[error("a record of schema {0}, which is newer than this program's, {SCHEMA}")]
    Newer(u32),
}

/// The line of a record. Refuses numbers that JSON does not have, by name.
pub fn seal(record: &Record) -> Result<String, String> {
    if let Outcome::Done { run, launches } = &record.outcome {
        std::iter::once(run).chain(launches).try_for_each(check_numbers)?;
    }
    let body =
        serde_json::to_string(record).map_err(|error| format!("it cannot be written as JSON: {error}"))?;
    let sum = sha256(body.as_bytes());
    Ok([BEFORE_SUM, &sum, BEFORE_RECORD, &body, AFTER_RECORD].concat())
}

fn check_numbers(row: &Row) -> Result<(), String> {
    match row.reals.iter().find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => Err(format!("its figure `{name}` is {value}, which is no number")),
        None => Ok(()),
    }
}

/// The record of a line, which must be that of `key` where one is given.
pub fn unseal(bytes: &[u8], key: Option<&Key>) -> Result<Record, Unsealed> {
    let corrupt = |why: &str| Unsealed::Corrupt(why.to_owned());
    let (sum, body) = parts(bytes).ok_or_else(|| corrupt("it is cut off, or no record"))?;
    if sha256(body).as_bytes() != sum {
        return Err(corrupt("its checksum does not agree with its content"));
    }
    let mut record: Record =
        serde_json::from_slice(body).map_err(|error| match serde_json::from_slice::<SchemaOnly>(body) {
            Ok(SchemaOnly { schema }) if schema > SCHEMA => Unsealed::Newer(schema),
            _ => Unsealed::Corrupt(format!("it is no record: {error}")),
        })?;
    match record.schema {
        schema if schema > SCHEMA => Err(Unsealed::Newer(schema)),
        FIRST_SCHEMA..=SCHEMA if key.is_some_and(|key| *key != record.key) => {
            Err(corrupt("it is the record of another point"))
        }
        FIRST_SCHEMA..=SCHEMA => {
            // What is written of it again is written in this program's form.
            record.schema = SCHEMA;
            Ok(record)
        }
        schema => Err(Unsealed::Corrupt(format!("its schema is {schema}, not {SCHEMA}"))),
    }
}

/// All that is certain of a record of another schema.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

/// The checksum and the record's JSON.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(BEFORE_SUM.as_bytes())?;
    let (sum, rest) = rest.split_at_checked(SUM_DIGITS)?;
    let body = rest.strip_prefix(BEFORE_RECORD.as_bytes())?.strip_suffix(AFTER_RECORD.as_bytes())?;
    Some((sum, body))
}
