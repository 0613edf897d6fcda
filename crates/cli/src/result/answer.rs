//! An answer in figures.

use heddle_workloads::UNREACHED;
use heddle_workloads::library::Answer;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The figures of an answer that a reader can compare at a glance, and a path in full.
pub(super) fn figures(answer: &Answer) -> Map<String, Value> {
    let reached = |values: &[u32]| values.iter().filter(|&&value| value != UNREACHED).count();
    let largest =
        |values: &[u32]| values.iter().filter(|&&value| value != UNREACHED).max().copied().unwrap_or(0);
    let distinct = |values: &[u32]| values.iter().collect::<BTreeSet<_>>().len();
    let largest_real = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let figures = match answer {
        Answer::Depths(depths) => json!({ "reached": reached(depths), "depth": largest(depths) }),
        Answer::Distances(distances) => {
            json!({ "reached": reached(distances), "largest_distance": largest(distances) })
        }
        Answer::Colours(colours) => json!({ "colours": distinct(colours) }),
        Answer::Set(set) => json!({ "members": set.iter().filter(|&&member| member).count() }),
        Answer::Forest(edges) => json!({ "edges": edges.len() }),
        Answer::Path(None) => json!({ "connected": false }),
        Answer::Path(Some(path)) => {
            json!({ "connected": true, "hops": path.len().saturating_sub(1), "path": path })
        }
        Answer::Ranks { ranks, tolerance, .. } => {
            json!({ "largest_rank": largest_real(ranks), "tolerance": tolerance })
        }
        Answer::Labels(labels) => json!({ "components": distinct(labels) }),
        Answer::Centrality { values, sources, tolerance } => json!({
            "sources": sources.len(), "largest_centrality": largest_real(values), "tolerance": tolerance,
        }),
    };
    match figures {
        Value::Object(figures) => figures,
        _ => Map::new(),
    }
}
