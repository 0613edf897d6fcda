//! The points that claims rest on, with their records: run now, kept in the folder of sweeps, or recorded with the
//! project.

use crate::arguments::{ClaimsArguments, CommonArguments};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::sweep::experiments::{execute, identify};
use heddle_lab::claims::needed::{Needed, Sought};
use heddle_lab::claims::recorded::{Recorded, families, only};
use heddle_lab::experiment::Point;
use heddle_lab::hash::Key;
use heddle_lab::record::{Outcome, Record};
use heddle_lab::runner::{Stop, differences};
use heddle_lab::simulate::Workbench;
use heddle_lab::store::{Found, Store, unpack};
use heddle_lab::sweep::{Sweep, check};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Points with what is known of them.
pub(super) struct Gathered {
    /// The records that are judged, and no others.
    pub(super) judged: Recorded,
    /// By point: its key, or why it has none.
    sought: BTreeMap<*const Point, Result<Key, String>>,
    /// Builds of which each was compared with another of its set.
    families: Vec<BTreeSet<String>>,
    /// Which points failed.
    pub(super) failed: Result<(), Failure>,
}

/// Records, and builds that were compared.
struct Had {
    /// Of the folder of sweeps.
    kept: Recorded,
    /// Recorded with the project, less those that are known to differ from what is kept.
    packed: Recorded,
    compared: Vec<BTreeSet<String>>,
    failed: Result<(), Failure>,
}

impl Gathered {
    /// Finds the records of all points that are needed, and runs those that have none unless that was forbidden.
    pub(super) fn new(
        bench: &Workbench,
        needed: &Needed,
        arguments: &ClaimsArguments,
        common: CommonArguments,
        packed: &Path,
    ) -> Result<Gathered, Failure> {
        let refused = check(bench, &needed.experiments);
        let is_ready = |point: &&Point| !refused.iter().any(|refused| std::ptr::eq(refused.point, *point));
        let mut ready: Vec<&Point> = needed.points().filter(is_ready).collect();
        let mut unloaded: Vec<(&Point, Option<String>)> =
            refused.iter().map(|refused| (refused.point, Some(refused.error.to_string()))).collect();
        let mut recorded = match arguments.no_run {
            true => Some(recorded(arguments, packed)?),
            false => None,
        };
        if let Some(had) = &recorded {
            // Only what was run can be found: graphs are made where records do not tell which they are.
            let (without, with) = ready.into_iter().partition(|point| !had.needs_graph(bench, point));
            ready = with;
            unloaded.extend(Vec::into_iter(without).map(|point| (point, None)));
        }
        let sweep = identify(bench, ready, arguments.runner.time_limit, common.quiet);
        let had = match recorded.take() {
            Some(had) => had,
            None => ran(bench, arguments, common, &sweep, packed)?,
        };
        let unknown = sweep.unknown.iter();
        unloaded.extend(unknown.map(|unknown| (unknown.point, Some(unknown.error.to_string()))));
        let (mut judged, mut sought) = (Recorded::default(), BTreeMap::new());
        for (task, key) in sweep.tasks.iter().map(|task| &task.key).enumerate() {
            had.get(key).into_iter().for_each(|record| judged.insert(record.clone()));
            sought.insert(std::ptr::from_ref(sweep.point(task)), Ok(key.clone()));
        }
        for (point, problem) in unloaded {
            let found = had.find(bench, point, problem);
            let found = found.map(|found| found.inspect(|record| judged.insert((*record).clone())));
            sought.extend(
                found
                    .transpose()
                    .map(|found| (std::ptr::from_ref(point), found.map(|record| record.key.clone()))),
            );
        }
        // What is recorded was compared before it was.
        let alike: Vec<BTreeSet<String>> = had.compared.into_iter().chain([had.packed.builds()]).collect();
        let families = families(finished_builds(&judged), &alike);
        Ok(Gathered { judged, sought, families, failed: had.failed })
    }

    /// The record of a point, or why there is none.
    pub(super) fn seek(&self, point: &Point) -> Sought<'_> {
        match self.sought.get(&std::ptr::from_ref(point)) {
            Some(Ok(key)) => Ok(self.judged.get(key)),
            Some(Err(why)) => Err(why.clone()),
            None => Ok(None),
        }
    }

    /// Says where figures of builds are judged together that nobody has compared.
    pub(super) fn tell_strangers(&self, quiet: bool) {
        if self.families.len() > 1 && !quiet {
            output::note(&self.strangers());
        }
    }

    /// Refuses to record them together.
    pub(super) fn refuse_strangers(&self) -> Result<(), Failure> {
        match self.families.len() {
            0 | 1 => Ok(()),
            _ => Err(Failure::new(self.strangers()).with_help(
                "leave --no-run out: then one point in a hundred of other builds is run again and compared; or give \
                 --replace-older, which runs all of theirs again",
            )),
        }
    }

    fn strangers(&self) -> String {
        let words = |family: &BTreeSet<String>| family.iter().cloned().collect::<Vec<_>>().join(", ");
        let families: Vec<String> = self.families.iter().map(words).collect();
        format!("the points that are judged are of builds that were not compared: {}", families.join(" | "))
    }
}

impl Had {
    /// The record of a key. A failure that is kept does not hide figures that are recorded.
    fn get(&self, key: &Key) -> Option<&Record> {
        let (kept, packed) = (self.kept.get(key), self.packed.get(key));
        kept.filter(|record| matches!(record.outcome, Outcome::Done { .. })).or(packed).or(kept)
    }

    /// Whether a point's graph is to be made, so that its record can be found: a recipe of which the project has records
    /// is known by them, and of what was never run there is nothing.
    fn needs_graph(&self, bench: &Workbench, point: &Point) -> bool {
        let is_told = bench.is_recipe(point) && self.packed.knows_graph(point);
        let is_anywhere = self.packed.knows_graph(point) || self.kept.knows_graph(point);
        point.measure.has_graph() && is_anywhere && !is_told
    }

    /// The record of a point whose graph is not there; if there is none, why that cannot be had.
    fn find(
        &self,
        bench: &Workbench,
        point: &Point,
        problem: Option<String>,
    ) -> Result<Option<&Record>, String> {
        let keys = self.packed.keys(bench, point).map_err(|error| error.to_string())?;
        let found = keys.iter().filter_map(|key| self.get(key)).collect();
        match (only(found).map_err(|error| error.to_string())?, problem) {
            (None, Some(problem)) => Err(problem),
            (found, _) => Ok(found),
        }
    }
}

/// The builds of finished points.
fn finished_builds(records: &Recorded) -> BTreeSet<String> {
    let finished = records.records().filter(|record| matches!(record.outcome, Outcome::Done { .. }));
    finished.map(|record| record.made.build.clone()).collect()
}

/// Runs the points that have not been.
fn ran(
    bench: &Workbench,
    arguments: &ClaimsArguments,
    common: CommonArguments,
    sweep: &Sweep<'_>,
    packed: &Path,
) -> Result<Had, Failure> {
    let store = Store::create(&arguments.runner.store)?;
    let mut known = Recorded::default();
    if packed.exists() {
        let unpacked = unpack(packed, &store, bench.build(), arguments.runner.replace_older)?;
        known = Recorded::read(packed)?.without(&unpacked.left_out);
    }
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let execute = |task: usize, stop: &Stop<'_>| execute(sweep, task, stop);
    let summary = crate::sweep::run(&store, &sweep.tasks, &execute, &arguments.runner, common, &interrupt)?;
    let failed = crate::sweep::whole(&store, &sweep.tasks, &summary);
    if summary.interrupted {
        failed?;
        return Err(Failure::Interrupted { problem: "interrupted".to_owned() });
    }
    let keys = sweep.tasks.iter().map(|task| &task.key);
    Ok(Had { kept: kept(&store, keys)?, packed: known, compared: store.compared_builds()?, failed })
}

/// The points that have been run: those of the folder of sweeps if there is one, and those recorded with the project.
fn recorded(arguments: &ClaimsArguments, packed: &Path) -> Result<Had, Failure> {
    let packed = Recorded::read(packed)?;
    let Some(store) = Store::open_if_there(&arguments.runner.store)? else {
        return Ok(Had { kept: Recorded::default(), packed, compared: Vec::new(), failed: Ok(()) });
    };
    let keys = store.keys()?;
    let kept = kept(&store, &keys)?;
    // What is kept is the later. A build that differs in one point is not trusted with the others.
    let done = kept.records().filter(|record| matches!(record.outcome, Outcome::Done { .. }));
    let both = done.filter_map(|record| Some((packed.get(&record.key)?, record)));
    let others = both.filter(|(old, new)| !differences(old, new).is_empty());
    let others: BTreeSet<String> = others.map(|(old, _)| old.made.build.clone()).collect();
    Ok(Had { kept, packed: packed.without(&others), compared: store.compared_builds()?, failed: Ok(()) })
}

/// What a store has of points.
fn kept<'a>(store: &Store, keys: impl IntoIterator<Item = &'a Key>) -> Result<Recorded, Failure> {
    let mut kept = Recorded::default();
    for key in keys {
        match store.find(key)? {
            Found::Done(record) | Found::Failed(record) => kept.insert(*record),
            Found::Corrupt { path, why } => {
                output::note(&format!("{}: {why}; its point counts as one that has not run", path.display()));
            }
            Found::Missing => {}
        }
    }
    Ok(kept)
}
