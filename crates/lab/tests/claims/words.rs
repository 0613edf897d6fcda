//! No number of a band is another than the table's.

use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::words::problems;

#[test]
fn every_number_of_an_expression_is_one_of_the_table_or_has_its_source() {
    let book = Book::built_in().unwrap();
    let of_claim = |claim: &Claim| -> Vec<String> {
        problems(claim).into_iter().map(|problem| format!("{}: {problem}", claim.published.id)).collect()
    };
    let all: Vec<String> = book.claims.iter().flat_map(of_claim).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The problems of a claim with these words and this evaluation.
fn told(agrees_when: &str, evaluation: &str) -> Vec<String> {
    let table = format!(
        "id\tsource\twhat\tpublished\tagrees_when\nc\t[Che13]\tL2 of rgg-22 at 144 GB/s\t+6%\t{agrees_when}\n"
    );
    let text = format!("[[claim]]\nid = 'c'\nexperiment = 'e'\n{evaluation}\n");
    let book = Book::new(&table, &[("x.toml".to_owned(), &text)], "").unwrap();
    let claim: &Claim = &book.claims[0];
    problems(claim)
}

#[test]
fn a_band_that_was_changed_is_seen() {
    let nothing = Vec::<String>::new();
    assert_eq!(told("within 2 points of the best", "holds = 'abs(a - b) <= 0.02'"), nothing);
    assert_eq!(told("within 2 points of the best", "holds = 'abs(a - b) <= 0.03'").len(), 2);
    assert_eq!(told("min >= 0.99", "holds = 'min(a) in band'"), nothing);
    // The neutral ratio is no number that must be said, but the one that is said must be looked at.
    assert_eq!(told("min >= 0.99", "holds = 'min(a) >= 1'").len(), 1);
    assert_eq!(told("order holds, R-EX < 15%", "holds = 'a > b and b in band'"), nothing);
    assert_eq!(told("order holds, R-EX < 15%", "holds = 'a > b and b < 0.25'").len(), 2);
    assert_eq!(told("the two largest of seven", "holds = 'overlap(highest(2, a), [\"x\"]) == 2'"), nothing);
    let half = "each below half of its 100.8 value + 5";
    assert_eq!(told(half, "holds = 'a < 0.5 * b{bw=100.8} + 0.05'"), nothing);
    assert_eq!(told(half, "holds = 'a < 0.6 * b{bw=100.8} + 0.05'").len(), 1);
    assert_eq!(told(half, "holds = 'a < 0.5 * b{bw=fast} + 0.05'").len(), 1);
}

#[test]
fn numbers_of_other_origin_are_listed() {
    let chosen = "holds = 'a < 0.07'\nnumbers = [{ are = [0.07], from = 'chosen' }]";
    assert_eq!(told("holds", chosen), Vec::<String>::new());
    assert_eq!(told("holds", "holds = 'a < 0.07'").len(), 1);
    // Units, decimals and what is neutral are no figures of a band.
    assert_eq!(told("holds", "holds = 'round(100 * a, 3) > 1 and b / 1024 > 0'"), Vec::<String>::new());
    assert_eq!(told("holds", "holds = 'a > 100'").len(), 1);
    // Five comparisons are the five of the words; a plain range judges by itself.
    assert_eq!(told(">= 4 of 5 winners", "holds = 'count([a, b, c, d, e]) in band'"), Vec::<String>::new());
    assert_eq!(told(">= 4 of 5 winners", "holds = 'count([a, b, c]) in band'").len(), 1);
    assert_eq!(told("+1..+12%", "value = 'a - 1'"), Vec::<String>::new());
    assert_eq!(told("+1..+12%", "value = 'a + 0.2'").len(), 1);
}
