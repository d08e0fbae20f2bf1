//! The rules, the robots and the command line, each against the files in `test-data/gounki`.

mod player;
mod protocol;
mod rules;
mod screen;
