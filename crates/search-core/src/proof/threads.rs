//! Proof-number search on several threads, with one table.
//!
//! Near the root a thread marks the position that it searches; to the others its proof number then seems larger (virtual
//! proof numbers), so that they turn to another move unless this one is far easier.
//!
//! Source: T. Kaneko, "Parallel depth first proof number search", 2010.

use super::children::{Child, gather};
use super::{Estimate, Goal, Numbers, Prover, Verdict, limits_of};
use crate::limits::{Control, Limits, Searched, Stop, Stopwatch};
use crate::position::Position;
use crate::threads::Crew;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The distance from the root, in plies, up to which threads mark their positions.
const SHARED_PLIES: usize = 10;

impl<E> Prover<E> {
    /// Like [`prove`](Self::prove), with the threads of `crew`. The limits apply to this thread, and the others stop with
    /// it. Which proof is found may differ from run to run.
    pub fn prove_with<P>(
        &mut self,
        crew: &Crew,
        position: &mut P,
        goal: Goal,
        most: u64,
        control: &Control<'_>,
    ) -> Verdict
    where
        P: Position + Sync,
        E: Estimate<P> + Clone + Sync,
    {
        let known = self.known(position, goal);
        if known != Verdict::Unknown || crew.threads() == 1 {
            return self.prove(position, goal, most, control);
        }
        let (settled, start, spare) = (AtomicBool::new(false), position.clone(), self.sharing());
        let search = |prover: &mut Self, position: &mut P, control: &Control<'_>| {
            let found = prover.search_with(crew, position, goal, [Numbers::INFINITE; 2], 0, control);
            settled.fetch_or(found.is_ok(), Relaxed);
            found
        };
        let help = |done: &AtomicBool| {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::default(), &clock).with_stop_flag(done);
            control.arm();
            let mut prover = spare.sharing();
            prover.left = u64::MAX;
            let found = control.until(&settled, |control| search(&mut prover, &mut start.clone(), control));
            found.map(|numbers| (numbers, prover.proven))
        };
        self.left = most;
        let (led, helped) =
            crew.run(help, || control.until(&settled, |control| search(self, position, control)));
        match led {
            Ok(numbers) => numbers.verdict(),
            Err(Stop) => {
                let found = helped.into_iter().find_map(Result::ok);
                found.map_or(Verdict::Unknown, |(numbers, proven)| {
                    self.proven = proven.or(self.proven);
                    numbers.verdict()
                })
            }
        }
    }

    /// As [`search`](Self::search), where the numbers of the children may change meanwhile, and those that another thread
    /// searches seem harder.
    fn search_with<P: Position>(
        &mut self,
        crew: &Crew,
        position: &mut P,
        goal: Goal,
        limits: [u32; 2],
        ply: usize,
        control: &Control<'_>,
    ) -> Searched<Numbers>
    where
        E: Estimate<P>,
    {
        if ply >= SHARED_PLIES {
            return self.search(position, goal, limits, true, control);
        }
        control.tick()?;
        self.left = self.left.checked_sub(1).ok_or(Stop)?;
        let before = self.left;
        let key = self.key(position, goal);
        if let Some(numbers) = self.settled_at_once(position, goal, key) {
            return Ok(numbers);
        }
        let mut children = self.children(position, goal, key, true);
        let turn = |child: &Child<P::Move>| crew.turn(child.key, 0_u8);
        loop {
            for child in &mut children {
                if child.numbers.verdict() == Verdict::Unknown
                    && let Some(known) = self.proofs.probe(child.key)
                {
                    child.numbers = known;
                }
            }
            let (numbers, mut best, mut second) = gather(&children);
            if numbers.proof >= limits[0] || numbers.disproof >= limits[1] {
                return Ok(self.finish(position, goal, key, (&children, numbers, best), before));
            }
            if turn(&children[best]).is_taken() {
                let mut seeming = children.clone();
                let harder = &mut seeming[best].numbers.disproof;
                *harder = harder.saturating_add(*harder / 2 + 1).min(Numbers::INFINITE - 1);
                let (_, other, next) = gather(&seeming);
                if children[other].numbers.disproof < limits[0] {
                    (best, second) = (other, next);
                }
            }
            let child = children[best];
            let child_limits = limits_of::<P, E>(limits, numbers, child.numbers, second);
            let numbers = turn(&child).take(|| {
                self.after(position, child.mv, |prover, next| {
                    prover.search_with(crew, next, goal.denied(), child_limits, ply + 1, control)
                })
            })?;
            children[best].numbers = numbers;
        }
    }
}
