//! The team that hands in. Names go into file names, a Java package, Makefiles and documents, so only letters and name
//! punctuation are accepted.

use deunicode::deunicode;
use unicode_normalization::UnicodeNormalization as _;

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 60;
/// Maximum length of a student's number.
const LONGEST_NUMBER: usize = 16;

/// One student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Student {
    /// First name or initial, then family name.
    pub name: String,
    /// The student's number at the school.
    pub number: Option<String>,
    /// The student's e-mail address.
    pub mail: Option<String>,
}

/// A team of one or more students.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The students in the order given.
    pub students: Vec<Student>,
}

/// An error in the team's data. The messages are in French, as the command line is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTeam {
    /// No name is given.
    #[error("--noms : il faut au moins un nom, par exemple --noms \"A. Dupont, B. Dupond\"")]
    Nobody,
    /// There is nothing before or after a separator.
    #[error("{option} : virgule ou « et » en trop dans « {text} »")]
    Empty {
        /// The option with the empty entry.
        option: &'static str,
        /// The option's text.
        text: String,
    },
    /// The team is larger than the assignment allows.
    #[error("--noms : {count} noms, mais une équipe compte {most} personnes au plus")]
    TooMany {
        /// The number of names given.
        count: usize,
        /// The maximum number of names.
        most: usize,
    },
    /// A name contains a character that is not allowed.
    #[error(
        "--noms : « {name} » : le caractère « {character} » n'est pas permis (lettres, espaces, points, \
         traits d'union, apostrophe entre deux lettres)"
    )]
    Character {
        /// The student's name as given.
        name: String,
        /// The character that names may not have.
        character: char,
    },
    /// A name has no letter at its start, or is too long.
    #[error(
        "--noms : « {name} » : un nom commence par une lettre et compte {LONGEST_NAME} caractères au plus"
    )]
    Name {
        /// An excerpt of the name.
        name: String,
    },
    /// Two students have the same name or number.
    #[error("{option} : « {text} » est donné deux fois")]
    Twice {
        /// The option with the repeated entry.
        option: &'static str,
        /// The text given twice.
        text: String,
    },
    /// An option does not have one entry for each name.
    #[error("{option} : {given} pour {names} nom(s)")]
    Count {
        /// The option with the wrong number of entries.
        option: &'static str,
        /// The number of entries.
        given: usize,
        /// The number of names.
        names: usize,
    },
    /// A student's number is not valid.
    #[error(
        "--matricules : « {0} » : un matricule a de 1 à {LONGEST_NUMBER} lettres sans accent ou chiffres"
    )]
    Number(String),
    /// An e-mail address is not valid.
    #[error("--courriels : « {0} » : une adresse comme nom@ecole.fr est attendue")]
    Mail(String),
}

impl Team {
    /// Parses the lists of the command line, separated by commas, semicolons, `&` or the word `et`. A letter and its
    /// accent may be two characters, as some systems write them.
    ///
    /// # Errors
    /// If a name is not valid, there are more than `most` students, or the lists differ in length.
    pub fn parse(
        names: &str,
        numbers: Option<&str>,
        mails: Option<&str>,
        most: usize,
    ) -> Result<Self, BadTeam> {
        if names.trim().is_empty() {
            return Err(BadTeam::Nobody);
        }
        let names = list("--noms", names)?;
        if names.len() > most {
            return Err(BadTeam::TooMany { count: names.len(), most });
        }
        names.iter().try_for_each(|name| check_name(name))?;
        let numbers = same_length("--matricules", numbers, names.len())?;
        for number in numbers.iter().flatten() {
            if number.len() > LONGEST_NUMBER || !number.chars().all(|c| c.is_ascii_alphanumeric()) {
                return Err(BadTeam::Number(cut(number)));
            }
        }
        let mails = same_length("--courriels", mails, names.len())?;
        for mail in mails.iter().flatten() {
            if !is_mail(mail) {
                return Err(BadTeam::Mail(cut(mail)));
            }
        }
        let students = names
            .into_iter()
            .zip(numbers)
            .zip(mails)
            .map(|((name, number), mail)| Student { name, number, mail })
            .collect();
        Ok(Self { students })
    }

    /// Returns the family names joined in ASCII, as in the assignment's Java package: `DupontDupond`.
    pub fn identifier(&self) -> String {
        self.students.iter().map(Student::family_name).collect()
    }

    /// Returns the numbers joined by `_`, as in a file name, or `None` if a student has none.
    #[must_use]
    pub fn numbers(&self) -> Option<String> {
        let numbers: Option<Vec<_>> = self.students.iter().map(|student| student.number.as_deref()).collect();
        numbers.map(|numbers| numbers.join("_"))
    }

    /// Returns the names, separated by commas.
    #[must_use]
    pub fn names(&self) -> String {
        let names: Vec<_> = self.students.iter().map(|student| student.name.as_str()).collect();
        names.join(", ")
    }

    /// Returns one line a student: name, then number and address if given.
    #[must_use]
    pub fn lines(&self) -> String {
        self.students.iter().map(|student| format!("{}\n", student.line())).collect()
    }
}

impl Student {
    fn line(&self) -> String {
        let parts = [Some(&self.name), self.number.as_ref(), self.mail.as_ref()];
        parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
    }

    /// Returns the last word of the name in ASCII letters, each part capitalised.
    fn family_name(&self) -> String {
        let has_letter = |word: &&str| word.contains(char::is_alphabetic);
        let last = self.name.split([' ', '.']).rfind(has_letter).unwrap_or_default();
        let mut upper = true;
        let mut identifier = String::new();
        for character in deunicode(last).chars() {
            if character.is_ascii_alphabetic() {
                identifier.push(if upper { character.to_ascii_uppercase() } else { character });
            }
            upper = !character.is_ascii_alphabetic();
        }
        identifier
    }
}

fn list(option: &'static str, text: &str) -> Result<Vec<String>, BadTeam> {
    let composed: String = text.nfc().collect();
    let mut words = Vec::new();
    for part in composed.split([',', ';', '&']) {
        let part: Vec<&str> = part.split_whitespace().collect();
        words.extend(part.split(|word| word.eq_ignore_ascii_case("et")).map(|words| words.join(" ")));
    }
    if words.iter().any(String::is_empty) {
        return Err(BadTeam::Empty { option, text: cut(text) });
    }
    for (index, word) in words.iter().enumerate() {
        if words[..index].contains(word) {
            return Err(BadTeam::Twice { option, text: cut(word) });
        }
    }
    Ok(words)
}

fn same_length(
    option: &'static str,
    text: Option<&str>,
    names: usize,
) -> Result<Vec<Option<String>>, BadTeam> {
    let Some(text) = text else { return Ok(vec![None; names]) };
    let words = list(option, text)?;
    if words.len() != names {
        return Err(BadTeam::Count { option, given: words.len(), names });
    }
    Ok(words.into_iter().map(Some).collect())
}

fn check_name(name: &str) -> Result<(), BadTeam> {
    let characters: Vec<char> = name.chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        let between_letters = index > 0
            && characters[index - 1].is_alphabetic()
            && characters.get(index + 1).is_some_and(|next| next.is_alphabetic());
        // A letter without an ASCII form would leave a gap in the package's name.
        let fine = match character {
            ' ' | '.' | '-' => true,
            '\'' | '’' => between_letters,
            letter => letter.is_alphabetic() && deunicode(&letter.to_string()).contains(is_ascii_letter),
        };
        if !fine {
            return Err(BadTeam::Character { name: cut(name), character });
        }
    }
    if characters.len() > LONGEST_NAME || !characters.first().is_some_and(|first| first.is_alphabetic()) {
        return Err(BadTeam::Name { name: cut(name) });
    }
    Ok(())
}

fn is_ascii_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
}

fn is_mail(mail: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c))
    };
    mail.len() <= 100
        && mail.split_once('@').is_some_and(|(user, host)| part(user) && part(host) && host.contains('.'))
}

/// Returns a short excerpt for messages.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn team(names: &str) -> Result<Team, BadTeam> {
        Team::parse(names, None, None, 2)
    }

    #[test]
    fn the_package_is_the_family_names_run_together() {
        assert_eq!(team("A. Dupont, B. Dupond").unwrap().identifier(), "DupontDupond");
        assert_eq!(team("Zoé d'Été-Lœuf").unwrap().identifier(), "DEteLoeuf");
        assert_eq!(team("Jean-Éric de la Tour").unwrap().identifier(), "Tour");
        assert_eq!(team("A. Dupont -").unwrap().identifier(), "Dupont");
    }

    #[test]
    fn names_may_be_joined_as_in_a_sentence() {
        for names in [
            "A. Dupont et B. Dupond",
            "A. Dupont & B. Dupond",
            "A. Dupont ; B. Dupond",
            "A. Dupont ET\nB. Dupond",
        ] {
            let team = Team::parse(names, Some("1 et 2"), None, 2).unwrap();
            assert_eq!(
                (team.names(), team.identifier()),
                ("A. Dupont, B. Dupond".into(), "DupontDupond".into())
            );
            assert_eq!(team.numbers().unwrap(), "1_2");
        }
        assert_eq!(team("Etienne Tetet-Fillet").unwrap().students.len(), 1, "no word of its own");
        assert!(matches!(team("A, B et C"), Err(BadTeam::TooMany { count: 3, .. })));
    }

    #[test]
    fn an_accent_may_be_a_character_of_its_own() {
        let both = team("Zoe\u{301} Be\u{301}rube\u{301}, Franc\u{327}ois Noe\u{308}l").unwrap();
        assert_eq!(both.names(), "Zoé Bérubé, François Noël");
        assert_eq!(both.identifier(), "BerubeNoel");
        assert!(matches!(team("Zoe\u{301} B, Zoé B"), Err(BadTeam::Twice { .. })));
    }

    #[test]
    fn a_line_has_what_is_known_of_a_student() {
        let team = Team::parse("A. Dupont, B. Dupond", Some("123, 456"), Some("a@b.fr, c@d.fr"), 2).unwrap();
        assert_eq!(team.lines(), "A. Dupont, 123, a@b.fr\nB. Dupond, 456, c@d.fr\n");
        assert_eq!(team.numbers().unwrap(), "123_456");
    }

    #[test]
    fn bad_names_are_refused_with_their_reason() {
        let reason = |names: &str| team(names).unwrap_err().to_string();
        assert!(reason("").contains("au moins un nom"));
        for names in [" , ", "A. Dupont et", "A. Dupont, et B. Dupond", "&"] {
            assert!(reason(names).contains("en trop"), "{names}");
        }
        assert!(reason("A. \"Bob\" Dupont").contains("« \" »"));
        assert!(reason("'Dupont'").contains("« ' »"));
        assert!(reason("../Dupont").contains("« / »"));
        assert!(reason("Dupont\\").contains("« \\ »"));
        assert!(reason("$(HOME)").contains("« $ »"));
        assert!(reason("Dupont\nDurand2").contains("« 2 »"));
        assert!(reason("- -").contains("commence par une lettre"));
        assert!(reason("A. Dupont, A. Dupont").contains("deux fois"));
        let forty = (0..40).map(|n| format!("E{}", "x".repeat(n))).collect::<Vec<_>>().join(", ");
        assert!(reason(&forty).contains("40 noms"));
    }

    #[test]
    fn numbers_and_addresses_go_with_the_names() {
        let parse = |numbers, mails| Team::parse("A. Dupont, B. Dupond", numbers, mails, 2);
        assert!(parse(Some("1"), None).unwrap_err().to_string().contains("1 pour 2 nom(s)"));
        assert!(parse(Some("1, 2/3"), None).unwrap_err().to_string().contains("« 2/3 »"));
        assert!(parse(Some("1, 1"), None).unwrap_err().to_string().contains("deux fois"));
        assert!(parse(None, Some("a@b.fr, c")).unwrap_err().to_string().contains("« c »"));
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_is_safe_in_a_file_name(names in "\\PC{0,40}|[A-Ca-cé' .-]{1,8}(, [A-Ca-cé' .-]{1,8})?") {
            if let Ok(team) = Team::parse(&names, None, None, 4) {
                let identifier = team.identifier();
                prop_assert!(!identifier.is_empty());
                prop_assert!(identifier.chars().all(|c| c.is_ascii_alphabetic()));
            }
        }
    }
}
