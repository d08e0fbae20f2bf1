//! Paths in students' work, from its root: their folders, and the kinds of files that their names tell.

use courses::archive::folder_of;

/// Endings of sources that a compiler reads, but Java's.
const COMPILED: [&str; 10] = ["c", "cc", "cpp", "cxx", "go", "h", "hpp", "hs", "ml", "rs"];
/// Endings of other files that a program is made from.
const OTHERS: [&str; 4] = ["java", "py", "sh", "toml"];
/// Endings of sources that are no program of their own.
const PARTS: [&str; 4] = ["h", "hpp", "sh", "toml"];
/// Endings of a report's texts, pictures and data.
const OF_REPORTS: [&str; 16] = [
    "bib", "cls", "csv", "dot", "eps", "gif", "jpeg", "jpg", "md", "pdf", "png", "rst", "sty", "svg", "tex",
    "txt",
];

/// True for a file from which a program is made.
pub(super) fn is_source(path: &str) -> bool {
    is_makefile(path) || is_to_compile(path) || ends_in(path, &OTHERS)
}

/// True for a source that may be a whole program.
pub(super) fn is_whole_program(path: &str) -> bool {
    (is_to_compile(path) || ends_in(path, &OTHERS)) && !ends_in(path, &PARTS)
}

/// True for a source that must be compiled, Java's apart.
pub(super) fn is_to_compile(path: &str) -> bool {
    ends_in(path, &COMPILED)
}

/// True for a file of a report.
pub(super) fn is_of_report(path: &str) -> bool {
    ends_in(path, &OF_REPORTS)
}

/// True for a file that `make` reads when it is given none.
pub(super) fn is_makefile(path: &str) -> bool {
    ["Makefile", "makefile", "GNUmakefile"].contains(&name_of(path))
}

/// Returns the name of a file without its folder.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the number of folders above a file.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// True if a file lies in a folder below that of another one.
pub(super) fn is_below(path: &str, other: &str) -> bool {
    let above = folder_of(other);
    folder_of(path) != above && is_within(path, above)
}

/// True if a file lies in this folder or below.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn ends_in(path: &str, endings: &[&str]) -> bool {
    let end = name_of(path).rsplit_once('.').map(|(_, end)| end);
    end.is_some_and(|end| endings.iter().any(|known| end.eq_ignore_ascii_case(known)))
}
