//! The PTX front end and functional execution. One binary, because each further one costs the time of a link.

mod corpus;
mod errors;
mod exec;
mod loads;
mod modules;
mod registers;
mod samples;
