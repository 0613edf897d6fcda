//! `heddle claims --record`: points, ledgers and the summary in README, each of which follows from the one before.

use super::{LEDGER, POINTS, text_of};
use crate::arguments::CommonArguments;
use crate::failure::Failure;
use crate::view::text::plural;
use crate::{output, result};
use heddle_lab::claims::book::Book;
use heddle_lab::claims::ledger::{Committed, Heading, Ledger};
use heddle_lab::claims::recorded::Recorded;
use heddle_lab::claims::summary::{BEGIN, summary, updated};
use heddle_lab::scale::Scale;
use heddle_lab::simulate::Workbench;
use heddle_lab::store::pack;
use std::path::{Path, PathBuf};

/// The page that shows the summary.
pub(super) struct Readme {
    path: PathBuf,
    text: String,
}

impl Readme {
    /// The page beside the folder of records, which must have a place for the summary.
    pub(super) fn find(records: &Path) -> Result<Readme, Failure> {
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

/// What ledgers are recorded with.
pub(super) struct Recording<'a> {
    pub(super) book: &'a Book,
    pub(super) bench: &'a Workbench,
    /// The folder of records.
    pub(super) records: &'a Path,
    pub(super) common: CommonArguments,
}

impl Recording<'_> {
    /// Packs the points of a scale, judges them and the points of smaller scales, and writes ledgers and summary. The
    /// points come first: they are nearly all that is written, and what does not fit leaves the rest as it was.
    pub(super) fn record(
        &self,
        scale: Scale,
        heading: Heading,
        judged: &Recorded,
        mut committed: Vec<Committed>,
        readme: Readme,
    ) -> Result<Ledger, Failure> {
        let folder = self.records.join(scale.name());
        std::fs::create_dir_all(&folder).map_err(|error| with_help(Failure::at_path(&folder, &error)))?;
        pack(judged.records(), &folder.join(POINTS))?;
        let ledger = self.judge(scale, heading.clone(), &committed)?;
        self.write(&ledger, &mut committed)?;
        for smaller in Scale::ALL.into_iter().rev().filter(|smaller| *smaller < scale) {
            self.judge_again(smaller, &heading, &mut committed)?;
        }
        let page = updated(&readme.text, &summary(&committed)).unwrap_or(readme.text);
        result::write_text(&readme.path, &page).map_err(with_help)?;
        Ok(ledger)
    }

    /// The ledger that follows from the packed points of a scale.
    fn judge(&self, scale: Scale, heading: Heading, committed: &[Committed]) -> Result<Ledger, Failure> {
        let packed = Recorded::read(&self.records.join(scale.name()).join(POINTS))?;
        Ok(packed.judge(self.book, self.bench, scale, heading, committed)?)
    }

    /// A smaller scale's verdicts may rest on those of this one: where a sign has turned, it is not judged.
    fn judge_again(
        &self,
        scale: Scale,
        heading: &Heading,
        committed: &mut Vec<Committed>,
    ) -> Result<(), Failure> {
        let Some(old) = committed.iter().find(|ledger| ledger.scale == scale).cloned() else {
            return Ok(());
        };
        let ledger = self.judge(scale, old.heading.clone(), committed)?;
        let path = self.records.join(scale.name()).join(LEDGER);
        let text = text_of(&path)?.unwrap_or_default();
        if ledger.to_tsv() == text {
            return Ok(());
        }
        let command = old.heading.command.clone();
        let ledger = Ledger { heading: Heading { command, ..heading.clone() }, ..ledger };
        self.write(&ledger, committed)?;
        if !self.common.quiet {
            let moved = ledger.entries.iter().filter(|entry| {
                old.verdicts.get(&entry.id).is_none_or(|(verdict, _)| *verdict != entry.verdict)
            });
            let moved = plural(moved.count() as u64, "other verdict");
            output::note(&format!("{}: judged anew by its points, {moved}", path.display()));
        }
        Ok(())
    }

    fn write(&self, ledger: &Ledger, committed: &mut Vec<Committed>) -> Result<(), Failure> {
        let path = self.records.join(ledger.scale.name()).join(LEDGER);
        let text = ledger.to_tsv();
        committed.retain(|other| other.scale != ledger.scale);
        committed.push(Committed::parse(&path.display().to_string(), &text)?);
        result::write_text(&path, &text).map_err(with_help)
    }
}

/// What can be done where nothing can be written.
fn with_help(failure: Failure) -> Failure {
    failure.with_help(
        "see that README.md and the folder of records can be written and have room, and start again",
    )
}
