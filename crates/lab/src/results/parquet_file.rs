//! Tables as Parquet.
//!
//! A row group for each block of rows, every column optional: text as `STRING`, whole numbers as signed 64-bit integers (so that differences
//! of counters do not wrap in other programs; a column with a number beyond them is unsigned), others as doubles. Values
//! repeat, so pages are dictionaries; they are not compressed. Every reader reads that, and it needs no codec.
//!
//! The footer's key/value metadata says what columns mean (`heddle.columns`, JSON by name) and which experiment it is;
//! Parquet has no place for it in a field.

use super::error::ResultsError;
use super::meaning::Meaning;
use super::seal::Sealing;
use super::table::{Column, Role, Table, TableKind, Values};
use super::{About, SCHEMA, seal};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

const KEY_SCHEMA: &str = "heddle.schema";
const KEY_TABLE: &str = "heddle.table";
const KEY_EXPERIMENT: &str = "heddle.experiment";
const KEY_QUESTION: &str = "heddle.question";
const KEY_COLUMNS: &str = "heddle.columns";

/// Rows that are read at a time: nothing is allocated because a footer promises many.
const BATCH: usize = 1 << 16;

/// The largest file that is read: far beyond any table of runs.
const BYTES_MAX: u64 = 4 << 30;

/// What a footer says of a column.
#[derive(Serialize, Deserialize)]
struct Described {
    unit: String,
    description: String,
    role: String,
}

/// A table that is written a block of rows at a time, each a row group.
pub(super) struct Writing<'a> {
    writer: SerializedFileWriter<Sealing<BufWriter<&'a mut File>>>,
}

impl<'a> Writing<'a> {
    /// Begins a file with the columns of a table, of which some have counts that no signed number holds.
    pub(super) fn begin(
        file: &'a mut File,
        table: &Table,
        large: &BTreeSet<String>,
        about: &About,
    ) -> Result<Writing<'a>, ParquetError> {
        let fields = table.columns.iter().map(|column| field(column, !large.contains(&column.name)));
        let fields: Vec<_> = fields.collect::<Result<_, ParquetError>>()?;
        let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
        let properties = WriterProperties::builder()
            .set_created_by(format!("heddle version {}", env!("CARGO_PKG_VERSION")))
            .set_compression(Compression::UNCOMPRESSED)
            // Nobody skips pages of tables as small as these.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_key_value_metadata(Some(metadata(table, about)?))
            .build();
        let sealing = Sealing::new(BufWriter::new(file));
        Ok(Writing { writer: SerializedFileWriter::new(sealing, schema, Arc::new(properties))? })
    }

    /// Writes rows.
    pub(super) fn add(&mut self, table: &Table) -> Result<(), ParquetError> {
        if table.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &table.columns {
            let mut open = group
                .next_column()?
                .ok_or_else(|| ParquetError::General(format!("no room for the column {}", column.name)))?;
            write_values(open.untyped(), &column.values)?;
            open.close()?;
        }
        group.close().map(drop)
    }

    /// Ends the file; gives its hash and where in it it belongs.
    pub(super) fn finish(self) -> Result<(u64, String), ParquetError> {
        let sealed = self.writer.into_inner()?.finish()?;
        sealed.ok_or_else(|| ParquetError::General("the footer has no place for a seal".to_owned()))
    }
}

/// Puts the hash of a file in its place.
pub(super) fn seal_file(file: &mut File, (at, hash): (u64, String)) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(hash.as_bytes())
}

fn field(column: &Column, is_signed: bool) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match &column.values {
        Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Values::Real(_) => (Physical::DOUBLE, None),
        Values::Count(_) => (Physical::INT64, Some(LogicalType::integer(64, is_signed))),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    field.build().map(Arc::new)
}

fn metadata(table: &Table, about: &About) -> Result<Vec<KeyValue>, ParquetError> {
    let described = |column: &Column| {
        let Meaning { unit, description } = column.meaning.clone();
        (column.name.clone(), Described { unit, description, role: column.role.name().to_owned() })
    };
    let columns: BTreeMap<String, Described> = table.columns.iter().map(described).collect();
    let columns =
        serde_json::to_string(&columns).map_err(|error| ParquetError::General(error.to_string()))?;
    let entries = [
        (KEY_SCHEMA, SCHEMA.to_string()),
        (KEY_TABLE, table.kind.name().to_owned()),
        (KEY_EXPERIMENT, about.experiment.clone()),
        (KEY_QUESTION, about.question.clone()),
        (KEY_COLUMNS, columns),
        // The last one: see `seal`.
        (seal::KEY, seal::BLANK.to_owned()),
    ];
    Ok(entries.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect())
}

fn write_values(writer: &mut ColumnWriter<'_>, values: &Values) -> Result<(), ParquetError> {
    fn present<T>(values: &[Option<T>]) -> Vec<i16> {
        values.iter().map(|value| i16::from(value.is_some())).collect()
    }
    let written = match (writer, values) {
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(values)) => {
            let texts: Vec<ByteArray> = values.iter().flatten().map(|text| text.as_str().into()).collect();
            writer.write_batch(&texts, Some(&present(values)), None)
        }
        (ColumnWriter::Int64ColumnWriter(writer), Values::Count(values)) => {
            let numbers: Vec<i64> = values.iter().flatten().map(|&count| count.cast_signed()).collect();
            writer.write_batch(&numbers, Some(&present(values)), None)
        }
        (ColumnWriter::DoubleColumnWriter(writer), Values::Real(values)) => {
            let numbers: Vec<f64> = values.iter().flatten().copied().collect();
            writer.write_batch(&numbers, Some(&present(values)), None)
        }
        _ => Err(ParquetError::General("a column has another type than its field".to_owned())),
    };
    written.map(|_| ())
}

/// Reads a table that this crate wrote.
pub(super) fn read(path: &Path) -> Result<(Table, About), ResultsError> {
    let file = open(path)?;
    let reader = SerializedFileReader::new(file).map_err(|error| corrupt(path, &error))?;
    let metadata = reader.metadata().file_metadata();
    let entries: BTreeMap<&str, &str> = metadata
        .key_value_metadata()
        .into_iter()
        .flatten()
        .filter_map(|entry| Some((entry.key.as_str(), entry.value.as_deref()?)))
        .collect();
    let entry = |key: &str| entries.get(key).copied();
    check_schema(path, entry(KEY_SCHEMA))?;
    let kind = entry(KEY_TABLE).and_then(TableKind::by_name);
    let kind = kind.ok_or_else(|| corrupt(path, &format!("`{KEY_TABLE}` names no table")))?;
    let described: BTreeMap<String, Described> =
        serde_json::from_str(entry(KEY_COLUMNS).unwrap_or("{}")).map_err(|error| corrupt(path, &error))?;
    let rows = usize::try_from(metadata.num_rows()).unwrap_or_default();
    let mut columns = Vec::new();
    for (number, field) in metadata.schema_descr().columns().iter().enumerate() {
        let values = read_column(&reader, number).map_err(|error| corrupt(path, &error))?;
        let values = values.unwrap_or_else(|| no_values(field.physical_type()));
        if values.len() != rows {
            let words = format!("the column {} has {} rows of {rows}", field.name(), values.len());
            return Err(corrupt(path, &words));
        }
        columns.push(head(field.name(), &described, values));
    }
    let table = Table { kind, columns, rows };
    let text = |key| entry(key).unwrap_or_default().to_owned();
    Ok((table, About { experiment: text(KEY_EXPERIMENT), question: text(KEY_QUESTION) }))
}

/// Opens a file that is as this crate wrote it.
fn open(path: &Path) -> Result<File, ResultsError> {
    let failed = |error| ResultsError::of_system(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > BYTES_MAX {
        return Err(ResultsError::at_path(path, "it is larger than any table of results"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    match seal::is_whole(bytes) {
        Some(true) => Ok(file),
        Some(false) => Err(corrupt(path, &"its bytes are not those that were written")),
        None => Err(ResultsError::at_path(path, "it is no table of heddle, or it is damaged")
            .with_help("name a folder of results, or a runs.parquet or launches.parquet of one")),
    }
}

fn head(name: &str, described: &BTreeMap<String, Described>, values: Values) -> Column {
    let said = described.get(name);
    Column {
        name: name.to_owned(),
        role: said.and_then(|said| Role::by_name(&said.role)).unwrap_or(Role::Figure),
        meaning: said.map(|said| Meaning::new(&said.unit, &said.description)).unwrap_or_default(),
        values,
    }
}

fn check_schema(path: &Path, schema: Option<&str>) -> Result<(), ResultsError> {
    let schema = schema.unwrap_or_default();
    match schema.parse::<u32>() {
        Ok(schema) if schema <= SCHEMA => Ok(()),
        _ => {
            let problem = format!("its schema is {schema}; this program knows schemas up to {SCHEMA}");
            Err(ResultsError::at_path(path, problem)
                .with_help("read it with the version that wrote it, or a newer one"))
        }
    }
}

fn corrupt(path: &Path, error: &dyn std::fmt::Display) -> ResultsError {
    ResultsError::at_path(path, format!("it is damaged: {error}"))
        .with_help("a sweep writes the tables of its folder again; or read the .csv beside it")
}

/// The values of a column over all row groups; none where there are no groups.
fn read_column(reader: &SerializedFileReader<File>, number: usize) -> Result<Option<Values>, ParquetError> {
    let mut all: Option<Values> = None;
    for group in 0..reader.num_row_groups() {
        let group: Box<dyn RowGroupReader + '_> = reader.get_row_group(group)?;
        let values = match group.get_column_reader(number)? {
            ColumnReader::ByteArrayColumnReader(mut column) => {
                let text = |bytes: ByteArray| bytes.as_utf8().map(str::to_owned);
                Values::Text(drain(&mut column, text)?)
            }
            ColumnReader::Int64ColumnReader(mut column) => {
                Values::Count(drain::<Int64Type, _>(&mut column, |number| Ok(number.cast_unsigned()))?)
            }
            ColumnReader::DoubleColumnReader(mut column) => {
                Values::Real(drain::<DoubleType, _>(&mut column, Ok)?)
            }
            _ => {
                return Err(ParquetError::General(
                    "a column has a type that no table of heddle has".to_owned(),
                ));
            }
        };
        all = Some(match (all, values) {
            (None, values) => values,
            (Some(Values::Text(a)), Values::Text(b)) => Values::Text([a, b].concat()),
            (Some(Values::Count(a)), Values::Count(b)) => Values::Count([a, b].concat()),
            (Some(Values::Real(a)), Values::Real(b)) => Values::Real([a, b].concat()),
            _ => return Err(ParquetError::General("a column changes its type".to_owned())),
        });
    }
    Ok(all)
}

/// Reads a column to its end, a batch at a time.
fn drain<T: DataType, V>(
    column: &mut ColumnReaderImpl<T>,
    value: impl Fn(T::T) -> Result<V, ParquetError>,
) -> Result<Vec<Option<V>>, ParquetError> {
    let mut all = Vec::new();
    loop {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (records, _, _) = column.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Ok(all);
        }
        let mut values = values.into_iter();
        for level in levels {
            all.push(match level {
                0 => None,
                _ => {
                    let missing = || ParquetError::General("a column has fewer values than rows".to_owned());
                    Some(value(values.next().ok_or_else(missing)?)?)
                }
            });
        }
    }
}

fn no_values(physical: Physical) -> Values {
    match physical {
        Physical::INT64 => Values::Count(Vec::new()),
        Physical::DOUBLE => Values::Real(Vec::new()),
        _ => Values::Text(Vec::new()),
    }
}
