//! What the source documents say: `claims/claims.tsv`.

use super::band::{self, Band};
use super::error::ClaimsError;

/// A published fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its name.
    pub id: String,
    /// Where it stands, by a key of docs/sources.md.
    pub source: String,
    /// What it says.
    pub what: String,
    /// The figure, as published.
    pub published: String,
    /// When ours agrees.
    pub agrees_when: String,
}

const HEAD: &str = "id\tsource\twhat\tpublished\tagrees_when";

impl Published {
    /// The range in `agrees_when`, if it has one.
    pub fn band(&self) -> Option<Band> {
        band::parse(&self.agrees_when)
    }
}

/// Reads the table.
pub fn parse(file: &str, text: &str) -> Result<Vec<Published>, ClaimsError> {
    let at = |line: usize, problem: &str| ClaimsError::new(file, format!("line {line}"), problem);
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if lines.next().is_none_or(|(_, head)| head != HEAD) {
        return Err(at(1, "the head is not `id source what published agrees_when` between tabs"));
    }
    let mut claims: Vec<Published> = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, source, what, published, agrees_when] = cells[..] else {
            return Err(at(number, &format!("there are {} cells, and five are expected", cells.len())));
        };
        if cells.iter().any(|cell| cell.is_empty()) {
            return Err(at(number, "a cell is empty"));
        }
        if claims.iter().any(|claim| claim.id == id) {
            return Err(at(number, &format!("`{id}` is a duplicate")));
        }
        let [id, source, what, published, agrees_when] =
            [id, source, what, published, agrees_when].map(str::to_owned);
        claims.push(Published { id, source, what, published, agrees_when });
    }
    Ok(claims)
}
