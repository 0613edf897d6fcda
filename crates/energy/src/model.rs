//! The keys of a table file.

use crate::quantity::{Picojoules, Watts};
use heddle_engine::units::Frequency;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileModel {
    pub(crate) name: Spanned<String>,
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    #[serde(default)]
    pub(crate) include: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) technology: TechnologyModel,
    pub(crate) derived_from: Option<Spanned<DerivedModel>>,
    #[serde(default)]
    pub(crate) action: Vec<Spanned<ActionModel>>,
    #[serde(default, rename = "static")]
    pub(crate) statics: Vec<Spanned<StaticModel>>,
    #[serde(default)]
    pub(crate) free: Vec<Spanned<FreeModel>>,
}

/// For what the figures hold.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TechnologyModel {
    pub(crate) nanometres: Option<u32>,
    pub(crate) kelvin: Option<u32>,
    #[serde(default)]
    pub(crate) clocks: BTreeMap<String, Frequency>,
}

/// Rows taken from another table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DerivedModel {
    pub(crate) table: String,
    pub(crate) factor: f64,
    /// Without it the other table's static rows are not taken.
    pub(crate) static_factor: Option<f64>,
    /// Whether fitted coefficients apply, in included tables too.
    #[serde(default = "yes")]
    pub(crate) fitted: bool,
    pub(crate) why: String,
    pub(crate) source: String,
}

fn yes() -> bool {
    true
}

/// `[[action]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionModel {
    pub(crate) name: String,
    pub(crate) component: String,
    pub(crate) count: Option<String>,
    pub(crate) counts: Option<Vec<String>>,
    pub(crate) per: Option<u64>,
    pub(crate) weight: Option<f64>,
    pub(crate) energy: Picojoules,
    pub(crate) scale: Option<f64>,
    pub(crate) scale_source: Option<String>,
    pub(crate) source: String,
}

/// `[[static]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StaticModel {
    pub(crate) name: String,
    pub(crate) component: String,
    pub(crate) power: Watts,
    pub(crate) per: PerModel,
    pub(crate) clock: Option<String>,
    pub(crate) scale: Option<f64>,
    pub(crate) scale_source: Option<String>,
    pub(crate) source: String,
}

/// `"machine"`, a statistic, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum PerModel {
    One(String),
    Sum(Vec<String>),
}

/// `[[free]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FreeModel {
    pub(crate) counts: Vec<String>,
    pub(crate) reason: String,
}
