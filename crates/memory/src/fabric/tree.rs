//! The tree of nodes of a memory system, drawn in text.

use super::agent::{AgentKind, AgentSpec};
use super::spec::{DIRECT, FabricSpec, LevelSpec};

/// A line for every level, under the one below it, memory first:
///
/// ```text
/// dram  6 channels
/// └─ l2  12 slices of 64KiB, shared by all 15 cores
///    ├─ l1  15 × 16KiB, one per core, serves global, local  (interconnect)
/// ```
///
/// Agents stand beside the caches that ask the same level, behind them.
pub fn draw(spec: &FabricSpec, cores: u32) -> Vec<String> {
    draw_for(spec, cores, "cores")
}

/// The same where those that ask are called something else than cores.
pub fn draw_for(spec: &FabricSpec, count: u32, askers: &str) -> Vec<String> {
    let channels = spec.dram.channels;
    let mut lines = vec![format!("dram  {channels} channel{}", if channels == 1 { "" } else { "s" })];
    branch(spec, Requesters { count, name: askers }, super::MEMORY, "", &mut lines);
    lines
}

/// Who asks, and how many there are.
#[derive(Clone, Copy)]
struct Requesters<'a> {
    count: u32,
    name: &'a str,
}

fn branch(spec: &FabricSpec, askers: Requesters<'_>, below: &str, indent: &str, lines: &mut Vec<String>) {
    let above: Vec<&LevelSpec> = spec.caches.iter().filter(|level| level.below == below).collect();
    let agents: Vec<&AgentSpec> = spec.agents.iter().filter(|agent| agent.below == below).collect();
    let all = above.len() + agents.len();
    for (place, level) in above.iter().enumerate() {
        let last = place + 1 == all;
        let (mark, more) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        lines.push(format!("{indent}{mark}{}", describe(level, askers)));
        // A chain longer than the list would be a circle, which checks refuse.
        if lines.len() <= spec.caches.len() + spec.agents.len() + 1 {
            branch(spec, askers, &level.name, &format!("{indent}{more}"), lines);
        }
    }
    for (place, agent) in agents.iter().enumerate() {
        let mark = if above.len() + place + 1 == all { "└─ " } else { "├─ " };
        lines.push(format!("{indent}{mark}{}", describe_agent(agent, askers)));
    }
}

fn describe_agent(agent: &AgentSpec, askers: Requesters<'_>) -> String {
    let AgentSpec { name, kind, outstanding, link, commands, command_latency, .. } = agent;
    let what = AgentKind::NAMES[*kind as usize];
    let all = askers.name;
    let commands = match commands == DIRECT {
        true => format!("commands by a direct link, {command_latency} cycles"),
        false => format!("commands by {commands}"),
    };
    format!("{name}  {what} agent of all {all}, {outstanding} lines outstanding, {commands}  (by {link})")
}

fn describe(level: &LevelSpec, askers: Requesters<'_>) -> String {
    let Requesters { count: cores, name: all } = askers;
    let LevelSpec { name, slices, size, .. } = level;
    let instances = level.instances(cores);
    let each = match *slices {
        1 => size.to_string(),
        slices => format!("{size} in {slices} slices"),
    };
    let who = match (level.is_private(), level.cores_each(cores)) {
        (true, _) => format!("one for each of {cores} {all}"),
        (false, shared) if shared >= cores => format!("shared by all {cores} {all}"),
        (false, some) => match cores % some {
            0 => format!("one for every {some} {all}"),
            fewer => format!("one for every {some} {all}, the last for {fewer}"),
        },
    };
    let count = if instances == 1 { String::new() } else { format!("{instances} × ") };
    let paths: Vec<&str> = level.serves.iter().map(|path| path.name()).collect();
    let serves = if paths.is_empty() { String::new() } else { format!(", serves {}", paths.join(", ")) };
    let link = match level.is_last() {
        true => String::new(),
        false if level.link == DIRECT => format!("  (direct link, {} cycles)", level.link_latency),
        false => format!("  (by {})", level.link),
    };
    format!("{name}  {count}{each}, {who}{serves}{link}")
}
