//! When a claim agrees, as the table writes it.

use heddle_lab::claims::band::parse;
use heddle_lab::claims::book::{Book, PUBLISHED};
use heddle_lab::claims::evaluation::Evaluation;
use heddle_lab::claims::published;

/// Numbers inside and outside of a band.
fn assert_band(text: &str, is_plain: bool, inside: &[f64], outside: &[f64]) {
    let band = parse(text).unwrap_or_else(|| panic!("{text}: no band"));
    assert_eq!(band.is_plain, is_plain, "{text}");
    for &number in inside {
        assert!(band.range.contains(number), "{text}: {number}");
    }
    for &number in outside {
        assert!(!band.range.contains(number), "{text}: {number}");
    }
}

#[test]
fn ranges_have_their_ends_and_units() {
    assert_band("1.02..1.15", true, &[1.02, 1.1, 1.15], &[1.019, 1.151]);
    assert_band("+20..+60%", true, &[0.2, 0.6], &[0.19, 0.61]);
    assert_band("0..+10%", true, &[0.0, 0.1], &[-0.01, 0.11]);
    assert_band("-40..-68%", true, &[-0.4, -0.68], &[-0.39, -0.69]);
    assert_band("3.5..7x", true, &[3.5, 7.0], &[3.4, 7.1]);
    assert_band("<= -70%", true, &[-0.7, -0.9], &[-0.69]);
    assert_band("> 50x", true, &[50.1], &[50.0]);
    assert_band(">= 24", true, &[24.0], &[23.0]);
    assert_band("18..30 of 36", true, &[18.0, 30.0], &[17.0, 31.0]);
    assert_band("above both, +30..+80%", false, &[0.3, 0.8], &[0.29, 0.81]);
    assert_band("all < 0", false, &[-0.1], &[0.0]);
}

#[test]
fn words_are_no_range() {
    for text in
        ["holds", "exact", "each up", "order and occupancy hold", "best of three", "..", "", "5..", "é"]
    {
        assert_eq!(parse(text), None, "{text}");
    }
}

/// What is a plain range is decided here by another rule than the parser's: an end or two, and no words.
#[test]
fn every_line_of_the_table_is_a_range_or_is_judged_by_an_expression() {
    let table = published::parse("claims.tsv", PUBLISHED).unwrap();
    let book = Book::built_in().unwrap();
    let mut plain = 0;
    for (line, claim) in table.iter().zip(&book.claims) {
        let is_plain = line.band().is_some_and(|band| band.is_plain);
        let starts = line.agrees_when.starts_with(['<', '>']) || line.agrees_when.contains("..");
        let has_words =
            line.agrees_when.replace(" of ", "").contains(|c: char| c.is_alphabetic() && c != 'x');
        let has_list = line.agrees_when.contains(", ");
        assert_eq!(is_plain, starts && !has_words && !has_list, "{}: {}", line.id, line.agrees_when);
        plain += usize::from(is_plain);
        if let Evaluation::Measured(measured) = &claim.evaluation {
            assert_eq!(measured.holds.is_none(), is_plain, "{}", line.id);
        }
    }
    assert!(plain >= 40, "{plain}");
}

/// The figures inside words that evaluations take from the table as `band`.
#[test]
fn bands_inside_words_are_those_that_expressions_use() {
    let table = published::parse("claims.tsv", PUBLISHED).unwrap();
    let text = |id: &str| table.iter().find(|claim| claim.id == id).unwrap().agrees_when.clone();
    assert_band(&text("combo"), false, &[0.3, 0.8], &[0.299, 0.801]);
    assert_band(&text("gran-one-sector"), false, &[6.0, 8.0], &[5.0]);
    assert_band(&text("gran-sssp-neg"), false, &[0.999], &[1.0]);
}
