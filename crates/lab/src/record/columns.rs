//! Rows of launches as a file has them: names once, and a list of values for each launch, which is a quarter of the bytes.
//!
//! ```json
//! {"counts": {"names": ["cycles", "launch"], "rows": [[812, 1], [640, 2]]}, "texts": {"names": ["kernel"], "rows": …}}
//! ```
//!
//! A value that a row does not have is null. Records of schema 1 have a list of rows with names in its place.

use super::Row;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The values of all rows of one sort, as they are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns<T> {
    names: Vec<String>,
    rows: Vec<Vec<Option<T>>>,
}

/// The same as they are written: nothing is copied for that.
#[derive(Serialize)]
struct Written<'a, T> {
    names: Vec<&'a String>,
    rows: Vec<WrittenRow<'a, T>>,
}

/// The values of a row: all that it has, if these are those of the names, or one for each name.
enum WrittenRow<'a, T> {
    Alike(&'a BTreeMap<String, T>),
    Picked(Vec<Option<&'a T>>),
}

impl<T: Serialize> Serialize for WrittenRow<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            WrittenRow::Alike(row) => serializer.collect_seq(row.values()),
            WrittenRow::Picked(values) => serializer.collect_seq(values),
        }
    }
}

impl<'a, T> Written<'a, T> {
    /// None where no row has a value.
    fn of(rows: &'a [Row], sort: impl Fn(&'a Row) -> &'a BTreeMap<String, T>) -> Option<Written<'a, T>> {
        let first: Vec<&String> = rows.first().map(|row| sort(row).keys().collect()).unwrap_or_default();
        if rows.iter().all(|row| sort(row).keys().eq(first.iter().copied())) {
            let rows = || rows.iter().map(|row| WrittenRow::Alike(sort(row))).collect();
            return (!first.is_empty()).then(|| Written { rows: rows(), names: first });
        }
        let names: BTreeSet<&String> = rows.iter().flat_map(|row| sort(row).keys()).collect();
        let picked = |row| WrittenRow::Picked(names.iter().map(|name| sort(row).get(*name)).collect());
        Some(Written { rows: rows.iter().map(picked).collect(), names: names.into_iter().collect() })
    }
}

impl<T> Columns<T> {
    /// Gives each row its values.
    fn give<E: Error>(
        self,
        rows: &mut Vec<Row>,
        sort: impl Fn(&mut Row) -> &mut BTreeMap<String, T>,
    ) -> Result<(), E> {
        if rows.is_empty() {
            rows.resize_with(self.rows.len(), Row::default);
        }
        if rows.len() != self.rows.len() || self.rows.iter().any(|row| row.len() != self.names.len()) {
            return Err(E::custom("rows of launches that do not fit their names"));
        }
        for (row, values) in rows.iter_mut().zip(self.rows) {
            let named = self.names.iter().zip(values);
            *sort(row) = named.filter_map(|(name, value)| Some((name.clone(), value?))).collect();
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Compact<'a> {
    /// Of rows without any value there are still so many.
    launches: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Written<'a, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reals: Option<Written<'a, f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<Written<'a, String>>,
}

pub(super) fn serialize<S: Serializer>(rows: &[Row], serializer: S) -> Result<S::Ok, S::Error> {
    let compact = Compact {
        launches: rows.len(),
        counts: Written::of(rows, |row| &row.counts),
        reals: Written::of(rows, |row| &row.reals),
        texts: Written::of(rows, |row| &row.texts),
    };
    compact.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Row>, D::Error> {
    deserializer.deserialize_any(Rows)
}

/// Reads both forms.
struct Rows;

impl<'de> Visitor<'de> for Rows {
    type Value = Vec<Row>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rows of launches")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Row>, A::Error> {
        let mut rows = Vec::new();
        while let Some(row) = list.next_element()? {
            rows.push(row);
        }
        Ok(rows)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Row>, A::Error> {
        let (mut launches, mut rows) = (0, Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "launches" => launches = map.next_value::<usize>()?,
                "counts" => map.next_value::<Columns<u64>>()?.give(&mut rows, |row| &mut row.counts)?,
                "reals" => map.next_value::<Columns<f64>>()?.give(&mut rows, |row| &mut row.reals)?,
                "texts" => map.next_value::<Columns<String>>()?.give(&mut rows, |row| &mut row.texts)?,
                other => {
                    return Err(A::Error::unknown_field(other, &["launches", "counts", "reals", "texts"]));
                }
            }
        }
        match rows.len() {
            // A promise is not an allocation: rows without values have no bytes that would bound their number.
            0 if launches <= EMPTY_ROWS_MAX => rows.resize_with(launches, Row::default),
            found if found == launches => {}
            _ => return Err(A::Error::custom("another number of launches than it says")),
        }
        Ok(rows)
    }
}

/// Most rows without a single value.
const EMPTY_ROWS_MAX: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::super::{Outcome, Row};

    fn row(counts: &[(&str, u64)], real: Option<f64>, text: Option<&str>) -> Row {
        Row {
            counts: counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
            reals: real.map(|real| ("seconds".to_owned(), real)).into_iter().collect(),
            texts: text.map(|text| ("kernel".to_owned(), text.to_owned())).into_iter().collect(),
        }
    }

    fn outcome(launches: Vec<Row>) -> Outcome {
        Outcome::Done { run: Row::default(), launches }
    }

    #[test]
    fn rows_come_back_whatever_they_have() {
        let alike = vec![row(&[("a", 1), ("b", u64::MAX)], Some(0.1), Some("x")); 3];
        let differ = vec![
            row(&[("a", 1)], None, None),
            row(&[("b", 2), ("c", 3)], Some(1e-300), Some("")),
            Row::default(),
        ];
        for launches in [Vec::new(), alike, differ, vec![Row::default(); 4]] {
            let text = serde_json::to_string(&outcome(launches.clone())).unwrap();
            assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome(launches), "{text}");
        }
    }

    #[test]
    fn names_are_written_once_and_the_older_form_is_read() {
        let launches = vec![row(&[("cycles", 7)], Some(0.5), None), row(&[("cycles", 8)], Some(0.25), None)];
        let text = serde_json::to_string(&outcome(launches.clone())).unwrap();
        assert_eq!(text.matches("cycles").count(), 1, "{text}");
        let older = r#"{"done":{"run":{},"launches":[{"counts":{"cycles":7},"reals":{"seconds":0.5}},
            {"counts":{"cycles":8},"reals":{"seconds":0.25}}]}}"#;
        assert_eq!(serde_json::from_str::<Outcome>(older).unwrap(), outcome(launches));
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        for (launches, words) in [
            (r#"{"launches":1,"counts":{"names":["a","b"],"rows":[[1]]}}"#, "do not fit"),
            (r#"{"launches":2,"counts":{"names":["a"],"rows":[[1]]}}"#, "another number"),
            (
                r#"{"launches":1,"counts":{"names":["a"],"rows":[[1]]},"reals":{"names":["r"],"rows":[]}}"#,
                "fit",
            ),
            (r#"{"launches":99999999999}"#, "another number"),
            (r#"{"launches":0,"extra":1}"#, "unknown field"),
            ("7", "rows of launches"),
        ] {
            let text = format!(r#"{{"done":{{"run":{{}},"launches":{launches}}}}}"#);
            let error = serde_json::from_str::<Outcome>(&text).unwrap_err().to_string();
            assert!(error.contains(words), "{launches}: {error}");
        }
    }
}
