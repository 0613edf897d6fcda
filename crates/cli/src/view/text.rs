//! Figures in words: thousands, bytes, shares; and words that are safe to show.

use std::borrow::Cow;

/// `1,234,567`.
pub(crate) fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2,000 files`.
pub(crate) fn plural(count: u64, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {one}{end}", thousands(count))
}

/// `123 B`, `1.5 KiB`, `32 MiB`.
pub(crate) fn bytes(value: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if value < 1024 {
        return format!("{value} B");
    }
    let mut scaled = value as f64 / 1024.0;
    let mut unit = UNITS[0];
    for &larger in &UNITS[1..] {
        if scaled < 1024.0 {
            break;
        }
        scaled /= 1024.0;
        unit = larger;
    }
    if scaled == scaled.trunc() { format!("{scaled} {unit}") } else { format!("{scaled:.1} {unit}") }
}

/// `75.0 %`; of nothing, `0.0 %`.
pub(crate) fn share(part: u64, whole: u64) -> String {
    let percent = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    format!("{percent:.1} %")
}

/// A figure with as many decimals as tell something: `1,234,567`, `12.35`, `0.0123`, `1.20e-6`.
pub(crate) fn figure(value: f64) -> String {
    let size = value.abs();
    if value.trunc() == value && size < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", thousands(size as u64));
    }
    match size {
        _ if size >= 100.0 => format!("{value:.1}"),
        _ if size >= 1.0 => format!("{value:.3}"),
        _ if size >= 1e-3 => format!("{value:.5}"),
        _ => format!("{value:.3e}"),
    }
}

/// Simulated time: `1.234 ms`, `56.7 us`.
pub(crate) fn seconds(value: f64) -> String {
    let (factor, unit) = match value {
        _ if value >= 1.0 => (1.0, "s"),
        _ if value >= 1e-3 => (1e3, "ms"),
        _ if value >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    };
    format!("{:.3} {unit}", value * factor)
}

/// Energy: `1.234 mJ`.
pub(crate) fn joules(value: f64) -> String {
    let (factor, unit) = match value {
        _ if value >= 1.0 => (1.0, "J"),
        _ if value >= 1e-3 => (1e3, "mJ"),
        _ if value >= 1e-6 => (1e6, "µJ"),
        _ => (1e9, "nJ"),
    };
    format!("{:.3} {unit}", value * factor)
}

/// A bar of `width` characters for a part of a whole, the rest blank.
pub(crate) fn bar(part: f64, whole: f64, width: usize) -> String {
    let share = if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    let filled = (share * width as f64).round() as usize;
    format!("{}{}", "#".repeat(filled), " ".repeat(width - filled))
}

/// A text whose characters cannot command a terminal: what is neither printed nor a line's end or a tab is shown as
/// its escape. Names of files and what kernels print are anybody's bytes.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let commands = |c: char| (c.is_control() && c != '\n' && c != '\t') || is_direction(c);
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match commands(c) {
        true if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        true => format!("\\u{{{:x}}}", u32::from(c)),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The same for JSON, where such characters stand in strings only and have escapes of their own.
pub(crate) fn harmless_json(text: &str) -> String {
    let shown = |c: char| match c == '\u{7f}' || (c.is_control() && !c.is_ascii()) || is_direction(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// Characters that change the direction of what follows them, and so what a line seems to say.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `yes` or `no`.
pub(crate) fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// A figure, or a dash where there is none.
pub(crate) fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_from_the_right() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn bytes_have_the_unit_that_keeps_them_short() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(32 << 10), "32 KiB");
        assert_eq!(bytes(3 << 19), "1.5 MiB");
        assert_eq!(bytes(1 << 50), "1024 TiB");
    }

    #[test]
    fn a_share_of_nothing_is_nothing() {
        assert_eq!(share(3, 4), "75.0 %");
        assert_eq!(share(0, 0), "0.0 %");
    }

    #[test]
    fn figures_have_the_decimals_that_tell_something() {
        assert_eq!(figure(1_234_567.0), "1,234,567");
        assert_eq!(figure(-1_234.0), "-1,234");
        assert_eq!(figure(12.3456), "12.346");
        assert_eq!(figure(0.0123456), "0.01235");
        assert_eq!(figure(1.2e-6), "1.200e-6");
        assert_eq!(seconds(0.00123456), "1.235 ms");
        assert_eq!(joules(2.5e-5), "25.000 µJ");
    }

    #[test]
    fn nothing_that_commands_a_terminal_is_left() {
        assert_eq!(harmless("\u{1b}[2Ja\tb\nc\r\u{9b}31m\u{7f}"), "\\x1b[2Ja\tb\nc\\x0d\\u{9b}31m\\x7f");
        assert_eq!(harmless("é\u{202e}x"), "é\\u{202e}x");
        let json = serde_json::to_string("\u{1b}\u{9b}\u{7f}").unwrap();
        assert_eq!(harmless_json(&json), "\"\\u001b\\u009b\\u007f\"");
    }

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(1.0, 2.0, 4), "##  ");
        assert_eq!(bar(3.0, 2.0, 4), "####");
        assert_eq!(bar(1.0, 0.0, 2), "  ");
    }
}
