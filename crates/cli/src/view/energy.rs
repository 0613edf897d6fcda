//! The pages of `heddle energy`.

use super::page::Page;
use super::run::machine;
use super::text;
use crate::commands::Priced;
use heddle_energy::{Action, ComponentEnergy, Energy, EnergyRow, Fitted, RowKind, Share, Static, Table};

/// The energy of a run: totals, components, rows.
pub(crate) fn page(of: &Priced, table: &Table, energy: &Energy) -> String {
    let mut page = Page::new();
    page.section("Energy");
    page.row("machine", machine(&of.machine, of.machine_file.as_deref(), &of.mechanisms, &of.set));
    if let Some(why) = &of.partial {
        page.row("partial", format!("{why}; the energy is that of what was done until then"));
    }
    if of.skipped_launches > 0 {
        let skipped = text::thousands(of.skipped_launches);
        page.row("launches", format!("{skipped} were executed functionally, and are in none of the figures"));
    }
    page.row("table", format!("{}: {}", table.name, table.description));
    page.row("time", quantity(energy.seconds, "s"));
    page.row("dynamic energy", joules(energy.dynamic_joules, energy));
    page.row("static energy", joules(energy.static_joules, energy));
    page.row("total", quantity(energy.total_joules, "J"));
    page.row("average power", quantity(energy.average_watts, "W"));
    page.row("energy-delay product", quantity(energy.energy_delay, "Js"));
    page.section("By component");
    let component = |of: &ComponentEnergy| {
        let all = of.dynamic_joules + of.static_joules;
        let parts = [of.dynamic_joules, of.static_joules, all].map(|joules| quantity(joules, "J"));
        let [dynamic, fixed, all_text] = parts;
        vec![of.component.clone(), dynamic, fixed, all_text, share(all, energy.total_joules)]
    };
    let rows: Vec<_> = energy.components.iter().map(component).collect();
    page.table(&["component", "dynamic energy", "static energy", "energy", "share"], &[0], &rows);
    page.section("By action");
    let rows: Vec<_> = energy.rows.iter().map(|row| priced(row, energy)).collect();
    page.table(&["action", "component", "count", "each", "energy", "share"], &[0, 1], &rows);
    notes(&mut page, table);
    page.finish()
}

fn priced(row: &EnergyRow, energy: &Energy) -> Vec<String> {
    let each = match row.kind {
        RowKind::Dynamic => quantity(row.price * 1e-12, "J"),
        RowKind::Static => quantity(row.price, "W"),
    };
    vec![
        row.name.clone(),
        row.component.clone(),
        text::or_dash(row.count.map(text::thousands)),
        each,
        quantity(row.joules, "J"),
        share(row.joules, energy.total_joules),
    ]
}

fn joules(part: f64, energy: &Energy) -> String {
    format!("{} ({})", quantity(part, "J"), share(part, energy.total_joules))
}

/// The tables, one line each.
pub(crate) fn list(tables: &[Table]) -> String {
    let mut page = Page::new();
    page.section("Energy tables (`heddle energy RESULT --table NAME`)");
    let row = |table: &Table| {
        let process = table.nanometres.map(|nanometres| format!("{nanometres} nm"));
        let rows = table.actions.len() + table.statics.len();
        vec![table.name.clone(), text::or_dash(process), rows.to_string(), table.description.clone()]
    };
    let rows: Vec<_> = tables.iter().map(row).collect();
    page.table(&["name", "process", "rows", "what it is"], &[0, 3], &rows);
    page.section("`heddle energy --show NAME` shows every figure with its source.");
    page.finish()
}

/// One table in full.
pub(crate) fn show(table: &Table) -> String {
    let mut page = Page::new();
    page.section("Energy table");
    page.row("name", &table.name);
    page.row("what it is", &table.description);
    page.row("process", text::or_dash(table.nanometres.map(|nanometres| format!("{nanometres} nm"))));
    page.row("temperature", text::or_dash(table.kelvin.map(|kelvin| format!("{kelvin} K"))));
    for (clock, hertz) in &table.clocks {
        page.row(&format!("clock {clock}"), quantity(*hertz as f64, "Hz"));
    }
    if !table.include.is_empty() {
        page.row("includes", table.include.join(", "));
    }
    if let Some(derivation) = &table.derived_from {
        page.row("scaled from", format!("{}, times {}", derivation.table, derivation.factor));
        page.row("why", &derivation.why);
        page.row("source", &derivation.source);
    }
    notes(&mut page, table);
    page.section("Actions");
    table.actions.iter().for_each(|action| show_action(&mut page, action));
    page.section("Static power");
    table.statics.iter().for_each(|row| show_static(&mut page, row));
    page.section("Free");
    for free in &table.free {
        page.line(&format!("  {}", free.counts.join(", ")));
        page.line(&format!("      {}", free.reason));
    }
    page.finish()
}

fn show_action(page: &mut Page, action: &Action) {
    let each = quantity(action.picojoules_per_count() * 1e-12, "J");
    page.line(&format!(
        "  {} ({}): {each} for each of {}",
        action.name,
        action.component,
        action.counts.join(" + ")
    ));
    let mut parts = vec![action.energy.to_string()];
    parts.extend((action.per != 1).then(|| format!("for {} of them", action.per)));
    parts.extend((action.weight != 1.0).then(|| format!("times a weight of {}", action.weight)));
    sources(page, &mut parts, action.fitted.as_ref(), action.factor, &action.source);
}

fn show_static(page: &mut Page, row: &Static) {
    let time = match &row.share {
        Share::Machine => "all the time".to_owned(),
        Share::Cycles { counts, clock } => format!("for {} of the clock `{clock}`", counts.join(" + ")),
    };
    page.line(&format!("  {} ({}): {} {time}", row.name, row.component, quantity(row.watts(), "W")));
    sources(page, &mut vec![row.power.to_string()], row.fitted.as_ref(), row.factor, &row.source);
}

fn sources(page: &mut Page, parts: &mut Vec<String>, fitted: Option<&Fitted>, factor: f64, source: &str) {
    parts.extend(fitted.map(|fitted| format!("times a fitted {}", fitted.scale)));
    parts.extend((factor != 1.0).then(|| format!("scaled by {factor}")));
    page.line(&format!("      {}", parts.join(", ")));
    page.line(&format!("      source: {source}"));
    if let Some(fitted) = fitted {
        page.line(&format!("      fitted: {}", fitted.source));
    }
}

fn notes(page: &mut Page, table: &Table) {
    if !table.notes.is_empty() {
        page.section("Notes");
        table.notes.iter().for_each(|note| page.line(&format!("  {note}")));
    }
}

/// `75.0 %`; of nothing, `0.0 %`.
fn share(part: f64, whole: f64) -> String {
    format!("{:.1} %", if whole > 0.0 { 100.0 * part / whole } else { 0.0 })
}

/// Four digits and the prefix that keeps the number between 1 and 1000: `12.98 W`, `2.119 nJ`.
fn quantity(value: f64, unit: &str) -> String {
    const PREFIXES: [(&str, f64); 9] = [
        ("G", 1e9),
        ("M", 1e6),
        ("k", 1e3),
        ("", 1.0),
        ("m", 1e-3),
        ("u", 1e-6),
        ("n", 1e-9),
        ("p", 1e-12),
        ("f", 1e-15),
    ];
    if value <= 0.0 {
        return format!("0 {unit}");
    }
    // What would be rounded up to 1000 belongs to the next prefix.
    let fits = |&&(_, factor): &&(&str, f64)| value >= factor * 0.99995;
    let (prefix, factor) = PREFIXES.iter().find(fits).unwrap_or(&PREFIXES[8]);
    let scaled = value / factor;
    let decimals = if scaled >= 99.995 {
        1
    } else if scaled >= 9.9995 {
        2
    } else {
        3
    };
    format!("{scaled:.decimals$} {prefix}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_four_digits_and_a_prefix() {
        assert_eq!(quantity(2.119e-9, "J"), "2.119 nJ");
        assert_eq!(quantity(12.98, "W"), "12.98 W");
        assert_eq!(quantity(700e6, "Hz"), "700.0 MHz");
        assert_eq!(quantity(0.999_99, "W"), "1.000 W");
        assert_eq!(quantity(0.0, "J"), "0 J");
        assert_eq!(quantity(1e-20, "J"), "0.000 fJ");
        assert_eq!(quantity(4e12, "W"), "4000.0 GW");
    }
}
