//! Results for people: tables in the terminal, JSON, a page.

pub mod table;
