//! Record files without the feature `peers`: their heads alone, for texts that are kept elsewhere.

#![allow(dead_code, reason = "only files are compared")]

mod head;

pub use head::{CourseRanking, Format, Head};
