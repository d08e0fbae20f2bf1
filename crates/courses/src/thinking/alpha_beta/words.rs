//! The steps of alpha-beta in sentences.

use super::{Effect, Entered, Left, Log, Node, Step};
use crate::drawing::Language;
use crate::thinking::scene::{counted, listed, score};
use search_core::alpha_beta::{NodeKind, Order, Origin};
use search_core::{Bound, Score};

/// Writes a value with its bound.
pub(super) fn bounded(left: &Left) -> String {
    let sign = match left.bound {
        Bound::Lower => "≥ ",
        Bound::Upper => "≤ ",
        Bound::Exact => "",
    };
    format!("{sign}{}", score(left.value))
}

pub(super) fn picture(language: Language) -> &'static str {
    language.choose("l'arbre de cette itération", "the tree of this iteration")
}

pub(super) fn beginning(language: Language) -> String {
    let text = language.choose(
        "La recherche va commencer : un demi-coup d'abord, puis toujours un de plus.",
        "The search is about to begin: one ply at first, then one more each time.",
    );
    text.to_owned()
}

/// Returns a step in a sentence. `node` is the last node of the path after it.
pub(super) fn sentence(log: &Log, step: &Step, node: Option<&Node>, language: Language) -> String {
    match (&step.entered, &step.left) {
        (Some(entered), Some(left)) => {
            let mv = format!("{}{}", entered.mv, order(entered.order, language));
            format!("{} {}", valued(&mv, left, language), effect(left, node, language))
        }
        (Some(entered), None) => self::entered(entered, language),
        (None, Some(left)) if step.node == 0 => iteration(log, step, left, language),
        (None, Some(left)) => {
            let mv = node.and_then(|node| node.chips.last()).map_or("", |chip| chip.text.as_str());
            format!("{} {}", valued(mv, left, language), effect(left, node, language))
        }
        (None, None) => end(log, language),
    }
}

/// Names the reason for a move's place in the order.
fn order(order: Order, language: Language) -> &'static str {
    match order {
        Order::Table => language.choose(", le coup de la table", ", the table's move"),
        Order::Killer => {
            language.choose(", un coup tueur (il a coupé à côté)", ", a killer (it cut a sibling)")
        }
        Order::Rank => "",
    }
}

fn entered(entered: &Entered, language: Language) -> String {
    let Entered { mv, depth, .. } = entered;
    let alpha = score(-entered.window.beta);
    let beta = score(-entered.window.alpha);
    let order = order(entered.order, language);
    match (entered.kind, language) {
        (NodeKind::Root, _) => {
            let plies = counted(*depth as usize, language, ["demi-coup", "demi-coups"], ["ply", "plies"]);
            match language {
                Language::French => format!("Itération {depth} : on regarde à {plies}."),
                Language::English => format!("Iteration {depth}: it looks {plies} ahead."),
            }
        }
        (_, Language::French) if entered.is_again => {
            format!("{mv} vaut mieux que {alpha} : on le reprend, pour sa valeur exacte.")
        }
        (_, Language::English) if entered.is_again => {
            format!("{mv} is better than {alpha}: it is searched again for its exact value.")
        }
        (NodeKind::NullWindow, Language::French) => {
            format!("{mv}{order} : vaut-il mieux que {alpha} ? Rien d'autre n'est demandé.")
        }
        (NodeKind::NullWindow, Language::English) => {
            format!("{mv}{order}: is it better than {alpha}? Nothing else is asked.")
        }
        (NodeKind::Pv, Language::French) => {
            format!("{mv}{order} : sa valeur exacte compte entre {alpha} et {beta}.")
        }
        (NodeKind::Pv, Language::English) => {
            format!("{mv}{order}: its exact value matters between {alpha} and {beta}.")
        }
    }
}

fn valued(mv: &str, left: &Left, language: Language) -> String {
    let value = bounded(left);
    match (left.by, language) {
        (Origin::Outcome, Language::French) => format!("{mv} finit la partie : {value}."),
        (Origin::Outcome, Language::English) => format!("{mv} ends the game: {value}."),
        (Origin::Leaf | Origin::Hook, Language::French) => {
            format!("{mv} : la profondeur est épuisée, l'évaluation dit {value}.")
        }
        (Origin::Leaf | Origin::Hook, Language::English) => {
            format!("{mv}: the depth is used up, the evaluation says {value}.")
        }
        (Origin::Table, Language::French) => format!("{mv} : la table le sait déjà, {value}."),
        (Origin::Table, Language::English) => format!("{mv}: the table knows it already, {value}."),
        (Origin::Moves, Language::French) => format!("{mv} vaut {value}."),
        (Origin::Moves, Language::English) => format!("{mv} is worth {value}."),
    }
}

fn effect(left: &Left, node: Option<&Node>, language: Language) -> String {
    let alpha = node.map_or(-Score::INFINITY, |node| node.window.alpha);
    let others = node.map_or(0, |node| node.legal.saturating_sub(node.chips.len()));
    match (left.effect, language) {
        (Effect::Best, Language::French) => format!("C'est le meilleur : α monte à {}.", score(left.value)),
        (Effect::Best, Language::English) => {
            format!("It is the best so far: α rises to {}.", score(left.value))
        }
        (Effect::Cut, Language::French) => {
            let others = counted(others, language, ["autre coup", "autres coups"], ["", ""]);
            format!("β est atteint : coupe, {others} de moins à regarder.")
        }
        (Effect::Cut, Language::English) => {
            let others = counted(others, language, ["", ""], ["other move", "other moves"]);
            format!("β is reached: a cut, {others} need no look.")
        }
        (Effect::Worse, Language::French) => format!("Pas mieux que {}.", score(alpha)),
        (Effect::Worse, Language::English) => format!("No better than {}.", score(alpha)),
        (Effect::Again, Language::French) => "Peut-être mieux : à revoir.".to_owned(),
        (Effect::Again, Language::English) => "It may be better: once more.".to_owned(),
    }
}

fn iteration(log: &Log, step: &Step, left: &Left, language: Language) -> String {
    let depth = step.tree + 1;
    let is_last = step.tree + 1 == log.trees.len();
    let value = bounded(left);
    let next = match (is_last, language) {
        (true, _) => "",
        (false, Language::French) => " On recommence plus loin, le meilleur coup d'abord.",
        (false, Language::English) => " It starts again one ply deeper, the best move first.",
    };
    match language {
        Language::French => format!("L'itération {depth} est finie : {value}.{next}"),
        Language::English => format!("Iteration {depth} is complete: {value}.{next}"),
    }
}

fn end(log: &Log, language: Language) -> String {
    let (line, value) = (listed(&log.line), score(log.score));
    match (log.is_proven, language) {
        (true, Language::French) => format!("C'est prouvé : {value}, par {line}."),
        (true, Language::English) => format!("It is proven: {value}, by {line}."),
        (false, Language::French) => format!("Le compte de positions est épuisé : {value}, par {line}."),
        (false, Language::English) => format!("The positions are used up: {value}, by {line}."),
    }
}
