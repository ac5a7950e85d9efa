//! `explain`: why a position cannot be won, in sentences, and which card waits for which.

use klondike_contract::{ExplainAnswer, Waiting, grouped};
use klondike_engine::prove::{Evidence, Verdict, decide};
use klondike_game::card::Card;
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::blocking::explain::{Explanation, Located, Place, StuckPile, Wait};

use crate::request::RequestedGame;
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(game: &RequestedGame, control: &Control) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let limits = control.limits(&game.limits);
    let decision = decide(&played.now, Lemmas::ALL, &limits).map_err(Refusal::program)?;
    let verdict = &decision.verdict;
    let mut answer = ExplainAnswer {
        verdict: verdict.into(),
        limit: None,
        proof: None,
        cards: Vec::new(),
        waits: Vec::new(),
        text: String::new(),
    };
    match verdict {
        Verdict::Winnable(solution) => {
            answer.text = format!("It can be won, in {} moves.", solution.moves().len());
        }
        Verdict::Undecided(limit) => {
            answer.limit = Some((*limit).into());
            answer.text = format!("It is not decided: the limit of {limit} was hit.");
        }
        Verdict::Unwinnable(evidence) => {
            answer.proof = Some(evidence.name());
            let weaker = matches!(evidence, Evidence::WeakerRules(..));
            let evidence = evidence.itself();
            let searched = decision.stats.states + decision.stats.oracle_states;
            if let Evidence::Blocked(set) = evidence {
                let explanation = set.explain();
                answer.waits = waits(&explanation);
                answer.cards = cards(&explanation, &answer.waits);
            }
            answer.text = in_words(evidence, &answer.waits, searched);
            if weaker {
                answer
                    .text
                    .push_str(" That holds even under rules that allow more.");
            }
        }
    }
    played.envelope(answer)
}

fn in_words(evidence: &Evidence, waits: &[Waiting], searched: u64) -> String {
    match evidence {
        Evidence::Blocked(_) => {
            let mut lines: Vec<&str> = waits.iter().map(|wait| wait.why.as_str()).collect();
            lines.insert(
                0,
                "These cards wait for each other, so none of them ever moves.",
            );
            lines.join(" ")
        }
        Evidence::Refuted => "It cannot be won. The first position shows that without a search: \
            cards wait for each other, whichever of two twins goes first and whichever king gets \
            an empty pile."
            .to_owned(),
        _ => format!(
            "It cannot be won. Every line of play that matters was searched: {} position{}. No \
             small set of cards that block each other was found.",
            grouped(searched),
            if searched == 1 { "" } else { "s" }
        ),
    }
}

/// The cards that wait or are waited for, each once, in the order of the waits.
fn cards(explanation: &Explanation, waits: &[Waiting]) -> Vec<String> {
    let named = waits
        .iter()
        .flat_map(|wait| std::iter::once(&wait.card).chain(&wait.waits_for));
    let mut cards: Vec<String> = Vec::new();
    for card in named
        .cloned()
        .chain(explanation.talon.iter().map(Card::to_string))
    {
        if !cards.contains(&card) {
            cards.push(card);
        }
    }
    cards
}

fn waits(explanation: &Explanation) -> Vec<Waiting> {
    let both = explanation.piles.iter().flat_map(|pile| {
        [
            waiting(pile, "tableau", &pile.to_pile),
            waiting(pile, "foundation", &pile.to_foundation),
        ]
    });
    both.collect()
}

fn waiting(pile: &StuckPile, to: &'static str, wait: &Wait) -> Waiting {
    let waits_for: Vec<String> = match wait {
        Wait::OneOf { cards, .. } => cards.iter().map(|one| one.card.to_string()).collect(),
        Wait::Lower { card } if card.card != pile.card => vec![card.card.to_string()],
        _ => Vec::new(),
    };
    Waiting {
        card: pile.card.to_string(),
        place: format!("tableau {}", pile.pile),
        to,
        waits_for,
        why: sentence(pile, wait),
    }
}

fn sentence(pile: &StuckPile, wait: &Wait) -> String {
    let card = pile.card.pretty();
    let number = pile.pile;
    match wait {
        Wait::OneOf { cards, or_space } => {
            let names: Vec<String> = cards.iter().map(|one| one.card.pretty()).collect();
            format!(
                "The {card} in pile {number} waits for the {}{}. {}",
                names.join(" or "),
                if *or_space {
                    ", or for an empty pile, and none is ever empty"
                } else {
                    ""
                },
                where_they_are(pile, cards)
            )
        }
        Wait::Lower { card: lower } if lower.card == pile.card => format!(
            "The {card} is the next of its suit to go up, but the cards on it never leave it."
        ),
        Wait::Lower { card: lower } => format!(
            "The {card} cannot go up before the {}, which {}.",
            lower.card.pretty(),
            place(pile, lower.place, false)
        ),
        Wait::Space => {
            format!(
                "The {card} in pile {number} waits for an empty pile, and no pile is ever empty."
            )
        }
        Wait::SpacesTakeNothing => format!(
            "The {card} in pile {number} is a king, and under these rules empty piles take nothing."
        ),
        Wait::NoParent => {
            format!("The deck has no card that the {card} in pile {number} could go on.")
        }
        _ => format!("The {card} in pile {number} never moves."),
    }
}

fn where_they_are(pile: &StuckPile, cards: &[Located]) -> String {
    let under =
        |one: &Located| matches!(one.place, Place::Under { pile: of, .. } if of == pile.pile);
    match cards {
        [one, other] if under(one) && under(other) => "Both lie under it.".to_owned(),
        cards => {
            let each = cards.iter().map(|one| {
                format!(
                    "The {} {}.",
                    one.card.pretty(),
                    place(pile, one.place, true)
                )
            });
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Where a card is that another one waits for; `for_pile` if it waits to be put on it.
fn place(pile: &StuckPile, place: Place, for_pile: bool) -> String {
    match place {
        Place::Under { pile: of, .. } if of == pile.pile => "lies under it".to_owned(),
        Place::Under { stays, pile } => format!("lies under the {} in pile {pile}", stays.pretty()),
        Place::Stuck { pile } => format!("is stuck itself, in pile {pile}"),
        Place::Talon if for_pile => "never comes from the talon to a pile".to_owned(),
        Place::Talon => "is never reached in the talon".to_owned(),
        Place::Covered => "is never uncovered".to_owned(),
        Place::Foundation => "never comes back from the foundation".to_owned(),
        _ => "is out of reach".to_owned(),
    }
}
