//! The people of a session: who holds a seat, who only watches, and undo between two of them.

use super::{Analysis, Occupant, Refusal, Seat, Session, Settings, Study};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Maximum number of browsers whose hints are remembered.
const REMEMBERED: usize = 50;

/// A hint in preparation.
pub(super) struct Hinting {
    pub(super) number: u64,
    pub(super) began: Duration,
    pub(super) best: Option<String>,
    /// The engine, which ends with this.
    pub(super) _analysis: Box<dyn Analysis>,
}

/// A browser, by the hash of the secret that it sends; empty if it sends none.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Browser(pub String);

/// The browser that holds a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Holder {
    /// The holder, by the hash of its secret.
    pub browser: Browser,
    /// The name of its person; empty if none was given.
    #[serde(default)]
    pub name: String,
    /// The hash of the ticket that gives the seat to another browser.
    #[serde(default)]
    pub ticket: Option<String>,
}

/// A wish to take moves back, of one of several people.
pub(super) struct Offer {
    by: Browser,
    agreed: Vec<Browser>,
}

/// A wish to take moves back, as a visitor sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The visitor waits for an answer.
    Waiting,
    /// The person on this seat asks the visitor.
    By(usize),
}

/// The part of a session that one browser sees: its analysis, its hint, its invitation.
#[derive(Default)]
pub(super) struct Own {
    pub(super) study: Option<Study>,
    /// The best move for a position, by its ply.
    pub(super) hint: Option<(usize, String)>,
    pub(super) hinting: Option<Hinting>,
    /// The number of threads chosen for the analysis.
    pub(super) threads: Option<usize>,
    /// The number of news that this browser alone sees.
    pub(super) news: u64,
    /// The seat and the ticket of the latest invitation.
    invitation: Option<(usize, String)>,
}

impl Settings {
    /// Gives all seats to a browser. One that sends no secret leaves them to everybody.
    pub fn give(&mut self, browser: &Browser, name: &str) {
        let name: String = name.trim().chars().filter(|c| !wire::is_unprintable(*c)).take(40).collect();
        let holder = Holder { browser: browser.clone(), name, ticket: None };
        let count = if browser.0.is_empty() { 0 } else { self.seats.len() };
        self.holders = vec![holder; count];
    }

    /// Returns true if a browser may act for a seat. Seats without holders are everybody's.
    #[must_use]
    pub fn holds(&self, by: &Browser, seat: usize) -> bool {
        self.holders.is_empty() || self.holders.get(seat).is_some_and(|holder| holder.browser == *by)
    }

    /// Returns true if a browser may act for a seat, one of an engine included.
    #[must_use]
    pub fn takes_part(&self, by: &Browser) -> bool {
        (0..self.seats.len()).any(|seat| self.holds(by, seat))
    }

    /// Returns the other browsers whose people play.
    pub(super) fn others(&self, by: &Browser) -> Vec<&Browser> {
        let people = self.holders.iter().zip(&self.seats).filter(|(_, seat)| **seat == Seat::Person);
        let mut others: Vec<&Browser> =
            people.map(|(holder, _)| &holder.browser).filter(|browser| *browser != by).collect();
        others.sort();
        others.dedup();
        others
    }

    /// Returns the name of the person on a seat. One browser that plays several seats has none there; a seat to which
    /// somebody is invited is not its own.
    pub(super) fn person(&self, seat: usize) -> Option<Occupant<'_>> {
        let holder = self.holders.get(seat).filter(|holder| !holder.name.is_empty())?;
        let all = self.holders.iter().zip(&self.seats).enumerate();
        let own = all.filter(|(_, (other, of))| other.browser == holder.browser && **of == Seat::Person);
        let (given, kept): (Vec<_>, Vec<_>) = own.partition(|(_, (other, _))| other.ticket.is_some());
        let own = if kept.is_empty() { given } else { kept };
        (own.len() == 1 && own[0].0 == seat).then_some(Occupant::Named(&holder.name))
    }

    /// Returns the seat that a ticket gives, by the ticket's hash.
    #[must_use]
    pub fn invited(&self, ticket: &str) -> Option<usize> {
        self.holders.iter().position(|holder| holder.ticket.as_deref() == Some(ticket))
    }

    /// Exchanges the seats.
    pub(super) fn rotate(&mut self) {
        self.seats.rotate_right(1);
        if !self.holders.is_empty() {
            self.holders.rotate_right(1);
        }
    }
}

impl Session {
    /// Returns true if a browser sees something else than those who only watch.
    #[must_use]
    pub fn is_special(&self, by: &Browser) -> bool {
        let is_held = !self.settings.holders.is_empty();
        is_held && self.settings.takes_part(by) || self.own.contains_key(by) || self.has_notes(by)
    }

    /// Returns true if people play at several browsers.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.settings.others(&Browser::default()).len() > 1
    }

    /// Returns the number of news that a browser alone sees.
    #[must_use]
    pub fn news(&self, by: &Browser) -> u64 {
        self.own.get(by).map_or(0, |own| own.news)
    }

    /// Returns true if a browser's analysis is on.
    #[must_use]
    pub fn studies(&self, by: &Browser) -> bool {
        self.own.get(by).is_some_and(|own| own.study.is_some())
    }

    /// Returns a browser's part, which is made if it is missing.
    pub(super) fn own(&mut self, by: &Browser) -> &mut Own {
        if self.own.len() >= REMEMBERED && !self.own.contains_key(by) {
            self.own.retain(|_, own| own.study.is_some() || own.hinting.is_some());
        }
        self.own.entry(by.clone()).or_default()
    }

    /// Makes an invitation to a seat. `ticket` is its text and its hash.
    ///
    /// # Errors
    /// If the browser does not hold the seat, or no person sits there.
    pub fn invite(&mut self, seat: usize, by: &Browser, ticket: (String, String)) -> Result<(), Refusal> {
        let is_person = self.settings.seats.get(seat) == Some(&Seat::Person);
        let held = self.settings.holders.get_mut(seat).filter(|holder| holder.browser == *by && is_person);
        held.ok_or(Refusal::Watching)?.ticket = Some(ticket.1);
        self.own(by).invitation = Some((seat, ticket.0));
        Ok(())
    }

    /// Gives a seat to the browser that has its ticket, by the ticket's hash. A ticket counts once.
    ///
    /// # Errors
    /// [`Refusal::Taken`].
    pub fn sit(&mut self, ticket: &str, by: &Browser, name: &str) -> Result<(), Refusal> {
        let seat = self.settings.invited(ticket).filter(|_| !by.0.is_empty()).ok_or(Refusal::Taken)?;
        let mut sitting = Settings { holders: Vec::new(), ..self.settings.clone() };
        sitting.give(by, name);
        let before = std::mem::replace(&mut self.settings.holders[seat], sitting.holders.swap_remove(seat));
        if let Some(own) = self.own.get_mut(&before.browser) {
            own.invitation = None;
        }
        self.offer = None;
        // A game of several people has no pause, and nobody could end one.
        self.paused = false;
        Ok(())
    }

    /// Returns the seat and the ticket of a browser's latest invitation.
    pub(super) fn invitation(&self, by: &Browser) -> Option<(usize, &str)> {
        let (seat, ticket) = self.own.get(by)?.invitation.as_ref()?;
        Some((*seat, ticket))
    }

    /// Returns the wish to take moves back, if it concerns a browser.
    pub(super) fn asked(&self, by: &Browser) -> Option<Asked> {
        let offer = self.offer.as_ref()?;
        if offer.by == *by {
            return Some(Asked::Waiting);
        }
        let is_open = self.settings.others(&offer.by).contains(&by) && !offer.agreed.contains(by);
        let person = |seat: &usize| {
            self.settings.seats[*seat] == Seat::Person && self.settings.holds(&offer.by, *seat)
        };
        let seat = (0..self.settings.seats.len()).find(person).unwrap_or(0);
        is_open.then_some(Asked::By(seat))
    }

    /// Takes moves back, or asks the other people for it.
    pub(super) fn ask_to_undo(&mut self, by: &Browser, now: Duration) -> Result<(), Refusal> {
        if self.settings.others(by).is_empty() || self.settings.late.is_some() {
            return self.undo(by, now);
        }
        if self.play.moves().is_empty() {
            return Err(Refusal::NothingToUndo);
        }
        self.offer = Some(Offer { by: by.clone(), agreed: Vec::new() });
        Ok(())
    }

    /// Answers the wish of another person to take moves back. All others have to agree.
    pub(super) fn answer_undo(&mut self, yes: bool, by: &Browser, now: Duration) -> Result<(), Refusal> {
        if !matches!(self.asked(by), Some(Asked::By(_))) {
            return Err(Refusal::NothingToUndo);
        }
        let Some(mut offer) = self.offer.take().filter(|_| yes) else { return Ok(()) };
        offer.agreed.push(by.clone());
        if self.settings.others(&offer.by).iter().all(|other| offer.agreed.contains(other)) {
            return self.undo(&offer.by, now);
        }
        self.offer = Some(offer);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_invites_to_a_seat_is_named_on_the_other_one() {
        let mut settings = Settings { seats: vec![Seat::Person; 2], ..Settings::default() };
        settings.give(&Browser("a".into()), "Prof");
        assert_eq!([0, 1].map(|seat| settings.person(seat)), [None, None], "one browser plays both");
        settings.holders[1].ticket = Some("hash".into());
        assert_eq!([0, 1].map(|seat| settings.person(seat)), [Some(Occupant::Named("Prof")), None]);
    }

    #[test]
    fn a_name_does_not_turn_the_text_around_it() {
        let mut settings = Settings { seats: vec![Seat::Person; 2], ..Settings::default() };
        settings.give(&Browser("a".into()), " \u{202e}An\0a\u{2066} ");
        assert_eq!(settings.holders.iter().map(|holder| &holder.name).collect::<Vec<_>>(), ["Ana", "Ana"]);
    }
}
