//! Tables of any number of records, in bounded memory.
//!
//! Which columns there are, and of which type, is known when every record has been seen; so records are read twice, and
//! written block by block of rows the second time. What fits into one block is read once.

use super::build::{Dictionary, TablesBuilder};
use super::error::ResultsError;
use super::folder::{Heads, fill, write_folder};
use super::outline::Outline;
use super::{About, Tables};
use crate::record::{Labels, Outcome, Record};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Rows of both tables that are in memory at a time: some 40 MB. A sweep of a thousand small points is read once. Each
/// block is a row group, of which the footer describes every column.
const BLOCK_ROWS: usize = 4096;

/// Gives records in order, with the labels that the experiment has for them.
pub type Each<'a, E> = dyn Fn(&mut dyn FnMut(&Labels, &Record)) -> Result<(), E> + 'a;

/// Writes the tables of records into `folder/NAME`; gives that folder. `each` is called again if they are many.
pub fn write_records<E: From<ResultsError>>(
    folder: &Path,
    about: &About,
    dictionary: &Dictionary<'_>,
    each: &Each<'_, E>,
) -> Result<PathBuf, E> {
    let (mut outline, mut first) = (Outline::default(), Sha256::new());
    let mut block = TablesBuilder::new(dictionary);
    let mut blocks = 1;
    each(&mut |labels, record| {
        if block.rows() >= BLOCK_ROWS {
            outline.learn(&block);
            block = TablesBuilder::new(dictionary);
            blocks += 1;
        }
        note(&mut first, record);
        block.add(labels, record);
    })?;
    outline.learn(&block);
    if blocks == 1 {
        return Ok(write_folder(folder, about, &block.into_tables(&outline))?);
    }
    drop(block);
    let columns = TablesBuilder::new(dictionary).into_tables(&outline);
    let heads = Heads::new(&columns, &outline);
    fill(folder, about, &heads, |write| {
        let second = write_blocks(dictionary, &outline, each, write)?;
        match second.finalize() == first.finalize() {
            true => Ok(()),
            // Another runner works on the same store: the columns may be those of other records.
            false => Err(ResultsError::new("the records have changed while their tables were written")
                .with_help("start the command again when no other replaces or retries points of the folder")
                .into()),
        }
    })
}

/// Writes the rows of all records; gives what they were.
fn write_blocks<E>(
    dictionary: &Dictionary<'_>,
    outline: &Outline,
    each: &Each<'_, E>,
    write: &mut dyn FnMut(&Tables) -> Result<(), E>,
) -> Result<Sha256, E> {
    let mut seen = Sha256::new();
    let mut block = TablesBuilder::new(dictionary);
    let mut written = Ok(());
    each(&mut |labels, record| {
        if block.rows() >= BLOCK_ROWS && written.is_ok() {
            let full = std::mem::replace(&mut block, TablesBuilder::new(dictionary));
            written = write(&full.into_tables(outline));
        }
        note(&mut seen, record);
        block.add(labels, record);
    })?;
    written?;
    write(&block.into_tables(outline)).map(|()| seen)
}

/// Which record it is: a build gives one content to a point.
fn note(seen: &mut Sha256, record: &Record) {
    let is_done = matches!(record.outcome, Outcome::Done { .. });
    seen.update(format!("{} {} {is_done}\n", record.key, record.made.build));
}
