//! Arguments to the library.

fn main() {}
