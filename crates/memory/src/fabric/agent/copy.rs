//! The copy agent: reads what commands name, line by line, and answers a command when its last line has come.
//!
//! - Commands are taken in order. A command becomes one message for each line of the level below that holds bytes of
//!   it, whichever lanes they are for; the slice that holds the line answers as it answers a cache.
//! - In each cycle of its clock, that of shared caches, one message goes to the outlet's queue. While the queue is
//!   full, or as many lines are outstanding as may be, the agent sleeps: room, or a reply, wakes it.
//! - Replies come in any order, and commands are answered in the order in which they are complete.

use super::AgentCommand;
use super::commands::CommandWay;
use crate::event::Event;
use crate::fabric::context::Context;
use crate::fabric::node::Route;
use crate::ids::NodeId;
use crate::message::{Kind, Message, NONE, Stage};
use crate::order;
use crate::request::{Access, LineAddress, Request, Token};
use heddle_engine::{Clock, Slab, Tick};
use std::collections::VecDeque;
use std::ops::Range;

heddle_engine::counters! {
    /// What a copy agent did. What its lines cost is counted by the network and the caches that serve them; no table has
    /// a price for its own part.
    pub struct CopyCounters {
        commands: "commands to agents", "Commands that were answered.";
        lines: "lines", "Lines that were asked for.";
        waited_queue: "times", "Waited for room in its queue to the network.";
        waited_outstanding: "times", "Waited for a reply because as many lines were outstanding as may be.";
        command_cycles: "cycles of the level", "From the arrival of a command to its answer, summed.";
    }
}

/// What the agent waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// A command.
    Command,
    /// An event that is scheduled.
    Scheduled,
    /// Room in its queue.
    Queue,
    /// A reply.
    Reply,
}

/// A command that is not answered.
#[derive(Clone, Debug)]
struct Copying {
    /// On whose behalf lines are read; the token is the core's.
    cause: Request,
    /// Lines, and the words of each.
    lines: Vec<(LineAddress, u32)>,
    /// Those that have been asked for, and those that have come.
    asked: usize,
    come: usize,
    /// The message that brought it, and when.
    message: u32,
    since: u64,
}

/// A copy agent.
#[derive(Clone, Debug)]
pub(in crate::fabric) struct CopyAgent {
    id: NodeId,
    name: String,
    clock: Clock,
    route: Route,
    way: CommandWay,
    /// Most lines that may be outstanding, and how many are.
    most: u32,
    outstanding: u32,
    commands: Slab<Copying>,
    /// Commands with lines to ask for, in order of arrival.
    waiting: VecDeque<u32>,
    waits: Waits,
    counters: CopyCounters,
    command_ticks: u64,
    /// Lines that have come.
    come: u64,
}

impl CopyAgent {
    pub(super) fn new(
        id: NodeId,
        name: String,
        clock: Clock,
        (route, way): (Route, CommandWay),
        most: u32,
    ) -> CopyAgent {
        CopyAgent {
            id,
            name,
            clock,
            route,
            way,
            most,
            outstanding: 0,
            commands: Slab::default(),
            waiting: VecDeque::new(),
            waits: Waits::Command,
            counters: CopyCounters::default(),
            command_ticks: 0,
            come: 0,
        }
    }

    /// A core gives a command, which sets out for the agent. Its lines are kept in a list of their own: commands are
    /// rare beside messages.
    pub(super) fn take(&mut self, ctx: &mut Context, now: Tick, command: &AgentCommand<'_>) {
        let &AgentCommand { token, core, warp, pc, bytes } = command;
        // The agent keeps no lines: an exclusive cache must not give it one.
        let nobodys = Request::nobodys(LineAddress(0));
        let cause = Request { access: Access::Read, token, core, warp, pc, passes: true, ..nobodys };
        let lines = lines_of(bytes, self.route.line_mask);
        let copying = Copying { cause, lines, asked: 0, come: 0, message: NONE, since: now.0 };
        let number = self.commands.insert(copying);
        self.way.send(ctx, now, self.id, number, cause);
    }

    /// A command has come.
    pub(super) fn arrive(&mut self, ctx: &mut Context, now: Tick, message: u32) {
        let number = ctx.messages[message].parent;
        ctx.messages[message].stage = Stage::Missing;
        let command = &mut self.commands[number];
        (command.message, command.since) = (message, now.0);
        self.waiting.push_back(number);
        ctx.take(now, self.id, message);
        if self.waits == Waits::Command {
            self.schedule(ctx, now);
        }
    }

    /// Wakes the agent at the next edge of its clock.
    fn schedule(&mut self, ctx: &mut Context, now: Tick) {
        self.waits = Waits::Scheduled;
        let at = self.clock.edge(Tick(now.0 + 1));
        ctx.wheel.schedule(at, order::agent(self.id), Event::Agent(self.id));
    }

    /// Asks for a line, if that is possible.
    pub(super) fn run(&mut self, ctx: &mut Context, now: Tick) {
        self.waits = Waits::Command;
        let Some(&number) = self.waiting.front() else { return };
        if self.commands[number].lines.is_empty() {
            self.waiting.pop_front();
            self.answer(ctx, now, number);
            return self.go_on(ctx, now);
        }
        if self.outstanding == self.most {
            self.waits = Waits::Reply;
            self.counters.waited_outstanding += 1;
            return;
        }
        let outlet = &mut ctx.outlets[self.route.outlet.index()];
        if outlet.is_full(self.route.lane) {
            outlet.await_room(self.route.lane);
            self.waits = Waits::Queue;
            self.counters.waited_queue += 1;
            return;
        }
        self.ask(ctx, now, number);
        self.go_on(ctx, now);
        ctx.pump(now, self.route.outlet);
    }

    fn go_on(&mut self, ctx: &mut Context, now: Tick) {
        if !self.waiting.is_empty() {
            self.schedule(ctx, now);
        }
    }

    /// Puts the next line of a command into the queue.
    fn ask(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let command = &mut self.commands[number];
        let (line, words) = command.lines[command.asked];
        command.asked += 1;
        if command.asked == command.lines.len() {
            self.waiting.pop_front();
        }
        self.outstanding += 1;
        self.counters.lines += 1;
        // By its token the command is found again. The core is told once, when all lines have come.
        let request = Request { line, words, token: Token(number), ..command.cause };
        let to = self.route.first.slice(self.route.slicing.slice_of(line));
        let outlet = self.route.outlet;
        let message = Message::new(request, (self.id, to), outlet, Kind::Forward, now, ctx.launch);
        let message = ctx.make(Message { words, link: self.route.link, ..message });
        ctx.queue(self.route.outlet, self.route.lane, message);
    }

    /// A line has come.
    pub(super) fn reply(&mut self, ctx: &mut Context, now: Tick, message: u32) {
        let Message { request, launch, .. } = ctx.messages[message];
        assert_eq!(launch, ctx.launch, "a line has outlived its launch");
        ctx.forget(message);
        self.outstanding -= 1;
        self.come += 1;
        let number = request.token.0;
        let command = &mut self.commands[number];
        command.come += 1;
        if command.come == command.lines.len() {
            self.answer(ctx, now, number);
        }
        if self.waits == Waits::Reply {
            self.schedule(ctx, now);
        }
    }

    /// There is room in the queue.
    pub(super) fn room(&mut self, ctx: &mut Context, now: Tick) {
        if self.waits == Waits::Queue {
            self.schedule(ctx, now);
        }
    }

    /// All lines of a command have come.
    fn answer(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let command = &self.commands[number];
        self.counters.commands += 1;
        self.command_ticks += now.0 - command.since;
        let words = command.lines.iter().map(|(_, words)| words.count_ones()).sum();
        let message = command.message;
        self.commands.release(number);
        self.way.answer(ctx, now, message, words);
    }

    pub(super) fn counters(&self) -> CopyCounters {
        CopyCounters { command_cycles: self.command_ticks / self.clock.period(), ..self.counters.clone() }
    }

    pub(super) fn assert_drained(&self) {
        assert_eq!(self.commands.taken(), 0, "a command was lost");
        assert_eq!((self.outstanding, self.waiting.len()), (0, 0), "a line was lost");
        assert_eq!(self.come, self.counters.lines, "lines that have come, and lines asked for");
        assert_eq!(self.waits, Waits::Command, "an idle agent waits for something");
    }

    pub(super) fn describe_waiting(&self) -> Option<String> {
        let commands = self.commands.taken();
        let wait = match self.waits {
            Waits::Command => "nothing more to ask for",
            Waits::Scheduled => "its turn",
            Waits::Queue => "room in its queue",
            Waits::Reply => "a line to come back",
        };
        let line = || {
            let (name, lines) = (&self.name, self.outstanding);
            format!("{name}: {commands} commands under way, {lines} lines outstanding; waits for {wait}")
        };
        (commands > 0).then(line)
    }
}

/// The lines that hold some bytes, each once, with the words of all bytes in it, in the order in which they are named.
fn lines_of(bytes: &[Range<u64>], line_mask: u64) -> Vec<(LineAddress, u32)> {
    let mut lines: Vec<(LineAddress, u32)> = Vec::new();
    for range in bytes {
        // By words: a line has at most as many as a mask has bits.
        for word in range.start / 4..range.end.div_ceil(4) {
            let line = LineAddress((word * 4) & !line_mask);
            let bit = 1 << ((word * 4 - line.0) / 4);
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, words)) => *words |= bit,
                None => lines.push((line, bit)),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_once_whoever_needs_it() {
        let lines = lines_of(&[124..132, 0..4, 128..136, 260..260], 127);
        assert_eq!(lines, [(LineAddress(0), 1 << 31 | 1), (LineAddress(128), 0b11)]);
    }
}
