//! Reference answers and checkers against closed forms and brute force.

mod any_graph;
mod brute_force;
mod checkers;
mod closed_forms;
mod edge_cases;
mod judged_by_brute_force;
mod messages;
mod shapes;
mod threads;
