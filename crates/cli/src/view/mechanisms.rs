//! The page of `heddle mechanisms`.

use super::page::Page;
use super::text::thousands;
use crate::commands::MechanismEntry;
use heddle_energy::area::Basis;

/// All mechanisms with what they set.
pub(crate) fn list(machine: &str, mechanisms: &[MechanismEntry]) -> String {
    let mut page = Page::new();
    page.line(&format!(
        "Mechanisms (--with NAME, --with A+B; bits are those added to all caches and cores of {machine})"
    ));
    for mechanism in mechanisms {
        page.section(&mechanism.name);
        page.row("what it does", &mechanism.description);
        page.row("source", &mechanism.source);
        if !mechanism.settings.is_empty() {
            let sets: Vec<String> =
                mechanism.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            page.row("sets", sets.join(", "));
        }
        if !mechanism.conflicts.is_empty() {
            page.row("not with", mechanism.conflicts.join(", "));
        }
        if !mechanism.machines.is_empty() {
            page.row("for", mechanism.machines.join(", "));
        }
        match mechanism.bits {
            Some(0) => {}
            Some(bits) => {
                page.row("bits", signed(bits));
                page.row("area", area(bits));
            }
            None => page.row("bits", "-"),
        }
    }
    page.finish()
}

/// Bits that are added, or saved.
pub(crate) fn signed(bits: i64) -> String {
    let sign = if bits < 0 { "-" } else { "" };
    format!("{sign}{}", thousands(bits.unsigned_abs()))
}

/// What bits cost in area, as if they were one array.
pub(crate) fn area(bits: i64) -> String {
    let cost = heddle_energy::area::cost("", bits.unsigned_abs());
    let sign = if bits < 0 { "-" } else { "" };
    let how = match &cost.basis {
        Basis::Point(point) => format!("that of {point}"),
        Basis::Interpolated(low, high) => format!("between {low} and {high}"),
        Basis::AtMost(point) => format!("at most: that of {point}"),
        Basis::Extrapolated(point) => format!("beyond {point}, as dense"),
    };
    format!("{sign}{:.4} mm² at 32 nm, as one array ({how})", cost.square_millimetres)
}
