//! Settings of a workload: declared with a default and bounds, set by the user by name.

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it means, with the unit.
    pub summary: &'static str,
    /// Its value unless the user names another.
    pub default: f64,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Whether it is a whole number.
    pub is_whole: bool,
}

impl Setting {
    /// A whole number.
    pub const fn whole(name: &'static str, summary: &'static str, default: u32, range: [u32; 2]) -> Setting {
        let range = [range[0] as f64, range[1] as f64];
        Setting { name, summary, default: default as f64, range, is_whole: true }
    }

    /// A real number.
    pub const fn real(name: &'static str, summary: &'static str, default: f64, range: [f64; 2]) -> Setting {
        Setting { name, summary, default, range, is_whole: false }
    }
}

/// The settings of one run, checked against their declarations.
#[derive(Clone, Debug, Default)]
pub struct Settings(Vec<(&'static str, f64)>);

impl Settings {
    /// The defaults, with what the user named (`limit=4`) in their place.
    pub fn new(declared: &[Setting], named: &[String]) -> Result<Settings, String> {
        let mut values: Vec<_> = declared.iter().map(|setting| (setting.name, setting.default)).collect();
        let mut given: Vec<&str> = Vec::new();
        for text in named {
            let Some((name, value)) = text.split_once('=') else {
                return Err(format!("'{text}' is not of the form NAME=VALUE"));
            };
            let Some(index) = declared.iter().position(|setting| setting.name == name) else {
                return Err(unknown(declared, name));
            };
            if given.contains(&name) {
                return Err(format!("'{name}' is given twice"));
            }
            given.push(name);
            values[index].1 = checked(&declared[index], value)?;
        }
        Ok(Settings(values))
    }

    /// The value of a declared setting.
    pub fn real(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| *known == name).map_or(0.0, |&(_, value)| value)
    }

    /// The value of a declared whole number.
    pub fn whole(&self, name: &str) -> u32 {
        self.real(name) as u32
    }

    /// All names and values, in the order of declaration.
    pub fn all(&self) -> &[(&'static str, f64)] {
        &self.0
    }
}

fn checked(setting: &Setting, value: &str) -> Result<f64, String> {
    let [low, high] = setting.range;
    let number: Option<f64> = value.parse().ok();
    let fits = |number: &f64| (low..=high).contains(number) && (!setting.is_whole || number.fract() == 0.0);
    number.filter(fits).ok_or_else(|| {
        let kind = if setting.is_whole { "a whole number" } else { "a number" };
        format!("{}={value}: expected {kind} from {low} to {high}", setting.name)
    })
}

fn unknown(declared: &[Setting], name: &str) -> String {
    if declared.is_empty() {
        return format!("there is no setting '{name}': this workload has none");
    }
    let names: Vec<_> = declared.iter().map(|setting| setting.name).collect();
    format!("there is no setting '{name}'; this workload has: {}", names.join(", "))
}
