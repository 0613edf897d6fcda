//! `heddle query`.

use clap::{Args, ValueEnum};
use heddle_lab::results::TableKind;
use heddle_lab::results::query::{Aggregate, Condition, Query, Sort};
use std::path::PathBuf;

/// Which table of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableName {
    /// A row per point
    Runs,
    /// A row per launch that was simulated in time
    Launches,
}

impl TableName {
    /// As the lab knows it.
    pub(crate) fn kind(self) -> TableKind {
        match self {
            TableName::Runs => TableKind::Runs,
            TableName::Launches => TableKind::Launches,
        }
    }
}

/// `heddle query`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  heddle query results/ --list
  heddle query results/ --where workload=h-bfs --where 'cycles>1000' --columns workload,with,cycles,'l1.*'
  heddle query results/ --table launches --baseline with=none --ratio ipc --group with --harmonic ipc_ratio
  heddle query results/granularity-quick/runs.parquet --group workload,with --mean ipc --mean l1.mpki --csv

A ratio is to the row that equals this one in all labels but those that --baseline names; of launches, the launch of the
same number and kernel. It is a column NAME_ratio; figures of groups are columns NAME_mean, NAME_harmonic and so on, and n
tells how many rows a group has. Ratios of `heddle stats` that need no figure of the machine are columns, too.")]
pub(crate) struct QueryArguments {
    /// The folder of a sweep or of one of its experiments, or a .parquet or .csv file in it
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// The table, where PATH is a folder [default: runs]
    #[arg(long, value_enum)]
    pub(crate) table: Option<TableName>,
    /// List the columns, with units and meanings
    #[arg(long, conflicts_with_all = ["conditions", "baseline", "ratio", "group", "columns", "sort", "limit", "csv"])]
    pub(crate) list: bool,
    /// Rows that fit, such as workload=h-bfs, 'with=*sector*', 'cycles>1000' or error!= (there is one); repeat it for more
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) conditions: Vec<Condition>,
    /// The rows that --ratio divides by, such as with=none; repeat it where several labels differ together
    #[arg(long, value_name = "LABEL=VALUE")]
    pub(crate) baseline: Vec<Condition>,
    /// The ratio of a column to the baseline, as NAME_ratio
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) ratio: Vec<String>,
    /// One row for all rows with the same values in these columns
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) group: Vec<String>,
    #[command(flatten)]
    pub(crate) aggregates: AggregateArguments,
    /// Columns to show, where * stands for anything [default: labels that vary and the usual figures]
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Sort by a column; -COLUMN is the greatest first [default: the order of the experiment]
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub(crate) sort: Option<Sort>,
    /// Show the first N rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Print JSON instead of text
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print CSV instead of text
    #[arg(long)]
    pub(crate) csv: bool,
}

/// One figure for the rows of a group.
#[derive(Args, Debug)]
#[command(next_help_heading = "Figures of groups")]
pub(crate) struct AggregateArguments {
    /// Arithmetic mean, as NAME_mean
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    mean: Vec<String>,
    /// Harmonic mean, as NAME_harmonic
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    harmonic: Vec<String>,
    /// Geometric mean, as NAME_geometric
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    geometric: Vec<String>,
    /// Least value, as NAME_min
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    min: Vec<String>,
    /// Greatest value, as NAME_max
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    max: Vec<String>,
    /// Sum, as NAME_sum
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    sum: Vec<String>,
}

impl QueryArguments {
    /// The question.
    pub(crate) fn query(&self) -> Query {
        Query {
            conditions: self.conditions.clone(),
            baseline: self.baseline.clone(),
            ratios: self.ratio.clone(),
            group: self.group.clone(),
            aggregates: self.aggregates.all(),
            columns: self.columns.clone(),
            sort: self.sort.clone(),
            limit: self.limit,
        }
    }
}

impl AggregateArguments {
    fn all(&self) -> Vec<(Aggregate, String)> {
        let of = |aggregate| match aggregate {
            Aggregate::Mean => &self.mean,
            Aggregate::Harmonic => &self.harmonic,
            Aggregate::Geometric => &self.geometric,
            Aggregate::Min => &self.min,
            Aggregate::Max => &self.max,
            Aggregate::Sum => &self.sum,
        };
        let named = |aggregate| of(aggregate).iter().map(move |name| (aggregate, name.clone()));
        Aggregate::ALL.into_iter().flat_map(named).collect()
    }
}
