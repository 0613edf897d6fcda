//! Figures in sentences.

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 arc`, `2,000 arcs`: the plural by a mere `s`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `1 vertex`, `2,000 vertices`.
pub(super) fn vertices(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "vertex" } else { "vertices" })
}

/// `1 arc remains`, `2,000 arcs remain`.
pub(super) fn remaining_arcs(number: u64) -> String {
    format!("{} remain{}", count(number, "arc"), if number == 1 { "s" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_grouped_and_nouns_agree() {
        let numbers = [0, 999, 1000, 418_956, u64::MAX].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "418,956", "18,446,744,073,709,551,615"]);
        assert_eq!([vertices(1), vertices(2000)], ["1 vertex", "2,000 vertices"]);
        assert_eq!(remaining_arcs(1), "1 arc remains");
        assert_eq!(remaining_arcs(1089), "1,089 arcs remain");
    }
}
