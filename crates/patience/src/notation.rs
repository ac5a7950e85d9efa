//! Reads Brewis' notation: a JSON object that describes a patience game (thesis, section 8.3).
//!
//! Everything is checked, and an error says where it is, what is wrong and how to mend it. The same
//! rules, as far as a schema can tell them, are in `datasets/patience/schema.json`; the fields are
//! documented in `docs/patience.md`. Fields of ours are in the optional object `extensions`.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::game::{Direction, Foundation, MoveType, Patience, Ranks, Suits, Tableau, Takes};
use klondike_contract::Strict;
use klondike_game::card::Rank;
use klondike_game::rules::{Deck, Redeals};

/// Why a text does not describe a game: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    place: String,
    fault: String,
    mend: String,
}

impl NotationError {
    fn new(place: impl Into<String>, fault: impl Into<String>, mend: impl Into<String>) -> Self {
        NotationError {
            place: place.into(),
            fault: fault.into(),
            mend: mend.into(),
        }
    }

    /// The field at fault, such as `tableau.numTableaus`, or empty if it is the text as a whole.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}; {}", self.fault, self.mend)
    }
}

impl std::error::Error for NotationError {}

type Result<T> = std::result::Result<T, NotationError>;

/// Reads a game; `name` is what it will be called.
///
/// # Errors
/// If the text is no JSON, has a field missing, twice, unknown or with a wrong value, or describes
/// something that cannot be dealt or played.
pub fn read(name: &str, text: &str) -> Result<Patience> {
    let Strict(value) = serde_json::from_str(text).map_err(|error| {
        NotationError::new(
            "",
            format!("this is not JSON as it should be: {error}"),
            "mend it there (each field once, a colon after each name, commas between fields but \
             none before a closing bracket)",
        )
    })?;
    // What `klondike patience show --json` printed is a game file too.
    let shown = (value["kind"] == "patience-show").then(|| &value["description"]);
    let root = Object::new("", shown.unwrap_or(&value))?;
    root.only(&[
        "type",
        "numSuits",
        "cards per suit",
        "moves",
        "maxOneInTalon",
        "tableau",
        "foundation",
        "extensions",
    ])?;
    if let Some(kind) = root.map.get("type")
        && !kind.is_string()
    {
        return Err(root.wrong("type", "write a text such as \"K\", or leave it out"));
    }
    let suits = root.number("numSuits", 1, 4)?;
    let ranks = root.number("cards per suit", 1, 13)?;
    let deck = Deck::new(suits, ranks).expect("checked above");
    let allowed = root.moves()?;
    let one_in_talon = root.flag("maxOneInTalon", None)?;
    let extensions = root
        .map
        .get("extensions")
        .map(|value| Object::new("extensions", value))
        .transpose()?;
    let tableau = Object::new("tableau", root.get("tableau")?)?;
    let foundation = Object::new("foundation", root.get("foundation")?)?;
    let tableau = read_tableau(&tableau, ranks)?;
    let foundation = read_foundation(&foundation, ranks)?;
    let mut game = Patience {
        name: name.to_owned(),
        deck,
        allowed,
        one_in_talon,
        takes: Takes::new(deck, &tableau, &foundation),
        tableau,
        foundation,
        draw_count: 1,
        redeals: Redeals::Unlimited,
        turn_up_at_once: false,
    };
    if let Some(extensions) = extensions {
        read_extensions(&extensions, &mut game)?;
    }
    check(&game)?;
    Ok(game)
}

fn read_tableau(tableau: &Object<'_>, ranks: u8) -> Result<Tableau> {
    tableau.only(&[
        "numTableaus",
        "dealTableau",
        "talonToAnyTableau",
        "tableauToAnyTableau",
        "moveStacks",
        "stackAnySuit",
        "stackAsc",
        "cardsOnEmptySpace",
    ])?;
    let piles = tableau.number("numTableaus", 1, Patience::MAX_PILES as u8)?;
    let heights = if tableau.flag("dealTableau", None)? {
        (1..=piles).collect()
    } else {
        vec![0; usize::from(piles)]
    };
    Ok(Tableau {
        heights,
        talon_to_any: tableau.flag("talonToAnyTableau", None)?,
        tableau_to_any: tableau.flag("tableauToAnyTableau", None)?,
        // Listings 1 to 3 lack these two; Klondike moves stacks and alternates colours.
        move_stacks: tableau.flag("moveStacks", Some(true))?,
        any_suit: tableau.flag("stackAnySuit", Some(false))?,
        direction: tableau.direction()?,
        spaces: tableau.ranks("cardsOnEmptySpace", ranks)?,
    })
}

fn read_foundation(foundation: &Object<'_>, ranks: u8) -> Result<Foundation> {
    foundation.only(&[
        "stackAsc",
        "cardsOnFoundationBottom",
        "stackAnySuit",
        "stackByColour",
    ])?;
    let bottoms = foundation.ranks("cardsOnFoundationBottom", ranks)?;
    if bottoms == Ranks::default() {
        return Err(NotationError::new(
            "foundation.cardsOnFoundationBottom",
            "no card may begin a foundation, so nothing can be won",
            "list a rank at least, such as [1] for the ace",
        ));
    }
    let suits = match (
        foundation.flag("stackAnySuit", None)?,
        foundation.flag("stackByColour", Some(false))?,
    ) {
        (false, false) => Suits::Same,
        (false, true) => Suits::Colour,
        (true, false) => Suits::Any,
        (true, true) => {
            return Err(NotationError::new(
                "foundation.stackByColour",
                "it contradicts stackAnySuit, which is 1 too",
                "set one of them to 0",
            ));
        }
    };
    Ok(Foundation {
        direction: foundation.direction()?,
        bottoms,
        suits,
    })
}

fn read_extensions(extensions: &Object<'_>, game: &mut Patience) -> Result<()> {
    extensions.only(&["drawCount", "redeals", "heights", "turnUpAtOnce"])?;
    if extensions.map.contains_key("drawCount") {
        game.draw_count = extensions.number("drawCount", 1, 52)?;
    }
    if let Some(value) = extensions.map.get("redeals") {
        let limit = value.as_u64().and_then(|number| u32::try_from(number).ok());
        game.redeals = match limit {
            Some(limit) => Redeals::Limited(limit),
            None if value == "unlimited" => Redeals::Unlimited,
            None => {
                let mend = "write a whole number from 0 on, or \"unlimited\"";
                return Err(extensions.wrong("redeals", mend));
            }
        };
    }
    if let Some(value) = extensions.map.get("heights") {
        let mend = format!(
            "list {} whole numbers from 0 to 52, the cards dealt to each pile",
            game.tableau.heights.len()
        );
        let heights = numbers(value, 0, 52);
        match heights {
            Some(heights) if heights.len() == game.tableau.heights.len() => {
                game.tableau.heights = heights;
            }
            _ => return Err(extensions.wrong("heights", &mend)),
        }
    }
    game.turn_up_at_once = extensions.flag("turnUpAtOnce", Some(false))?;
    Ok(())
}

/// What no single field can tell.
fn check(game: &Patience) -> Result<()> {
    let (dealt, deck) = (game.dealt(), game.deck.len());
    if dealt > deck {
        return Err(NotationError::new(
            "tableau.numTableaus",
            format!("the piles take {dealt} cards, but the deck has only {deck}"),
            "deal fewer piles, or use more suits or cards per suit",
        ));
    }
    let off = |kind: MoveType| !game.allows(kind);
    let need = |kind: MoveType, why: &str| {
        NotationError::new(
            format!("moves[{}]", kind as usize),
            format!("{} is 0, but {why}", kind.name()),
            "set it to 1",
        )
    };
    if off(MoveType::TurnOverStock) && dealt < deck {
        let why = format!(
            "{} cards lie in the stock and could never be played",
            deck - dealt
        );
        return Err(need(MoveType::TurnOverStock, &why));
    }
    let hidden = game.tableau.heights.iter().any(|&height| height > 1);
    if off(MoveType::TurnOverTableau) && hidden && !game.turn_up_at_once {
        return Err(need(
            MoveType::TurnOverTableau,
            "cards are dealt face down and could never be turned up",
        ));
    }
    if off(MoveType::TalonToFoundation) && off(MoveType::TalonToTableau) && dealt < deck {
        return Err(need(
            MoveType::TalonToFoundation,
            "TALONTOTABLEAU is 0 too, so no card could leave the talon",
        ));
    }
    let by_tableau = dealt > 0 || game.allows(MoveType::TalonToTableau);
    if off(MoveType::TableauToFoundation) && by_tableau {
        return Err(need(
            MoveType::TableauToFoundation,
            "cards get onto the piles and could never leave them",
        ));
    }
    if game.one_in_talon && game.draw_count > 1 {
        return Err(NotationError::new(
            "extensions.drawCount",
            "several cards are turned over at once, but maxOneInTalon lets only one lie there",
            "set drawCount or maxOneInTalon to another value",
        ));
    }
    Ok(())
}

/// A JSON object and its name in error messages.
struct Object<'a> {
    place: &'a str,
    map: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    fn new(place: &'a str, value: &'a Value) -> Result<Object<'a>> {
        match value {
            Value::Object(map) => Ok(Object { place, map }),
            other => Err(NotationError::new(
                place,
                format!("this is {}", shown(other)),
                "write an object in braces, as in `klondike patience show klondike --json`",
            )),
        }
    }

    fn at(&self, key: &str) -> String {
        if self.place.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.place)
        }
    }

    /// Only these fields may stand here.
    fn only(&self, known: &[&str]) -> Result<()> {
        let Some(key) = self.map.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let plain = |text: &str| text.replace([' ', '_', '-'], "").to_lowercase();
        let mend = match known.iter().find(|name| plain(name) == plain(key)) {
            Some(name) => format!("write `{name}`"),
            None => format!("take it out, or use one of {}", known.join(", ")),
        };
        let key: String = key.chars().take(40).collect();
        Err(NotationError::new(
            self.at(&key.escape_debug().to_string()),
            "there is no such field",
            mend,
        ))
    }

    fn get(&self, key: &str) -> Result<&'a Value> {
        self.map.get(key).ok_or_else(|| {
            let mend = format!("add it: {}", meaning(self.place, key));
            NotationError::new(self.at(key), "this field is missing", mend)
        })
    }

    fn wrong(&self, key: &str, mend: &str) -> NotationError {
        let value = self.map.get(key).unwrap_or(&Value::Null);
        NotationError::new(self.at(key), format!("this is {}", shown(value)), mend)
    }

    fn number(&self, key: &str, low: u8, high: u8) -> Result<u8> {
        let number = whole(self.get(key)?, low, high);
        number.ok_or_else(|| self.wrong(key, &format!("write a whole number from {low} to {high}")))
    }

    /// 1 or 0; without it `default`, if there is one.
    fn flag(&self, key: &str, default: Option<bool>) -> Result<bool> {
        if let (Some(default), None) = (default, self.map.get(key)) {
            return Ok(default);
        }
        match whole(self.get(key)?, 0, 1) {
            Some(number) => Ok(number == 1),
            None => Err(self.wrong(key, "write 1 for yes or 0 for no")),
        }
    }

    fn direction(&self) -> Result<Direction> {
        Ok(if self.flag("stackAsc", None)? {
            Direction::Up
        } else {
            Direction::Down
        })
    }

    fn ranks(&self, key: &str, high: u8) -> Result<Ranks> {
        let list = numbers(self.get(key)?, 1, high).ok_or_else(|| {
            let mend = format!("list ranks from 1 to {high} in brackets, such as [1] or [{high}]");
            self.wrong(key, &mend)
        })?;
        let ranks: Ranks = list.iter().copied().filter_map(Rank::new).collect();
        if ranks.iter().count() != list.len() {
            return Err(self.wrong(key, "list each rank once"));
        }
        Ok(ranks)
    }

    fn moves(&self) -> Result<[bool; 7]> {
        let list = numbers(self.get("moves")?, 0, 1);
        let list: Option<[u8; 7]> = list.and_then(|list| list.try_into().ok());
        let names = MoveType::ALL.map(MoveType::name).join(", ");
        match list {
            Some(list) => Ok(list.map(|flag| flag == 1)),
            None => Err(self.wrong(
                "moves",
                &format!("list seven times 1 (allowed) or 0 (not), for {names}"),
            )),
        }
    }
}

/// A whole number in this range.
fn whole(value: &Value, low: u8, high: u8) -> Option<u8> {
    let number = u8::try_from(value.as_u64()?).ok()?;
    (low..=high).contains(&number).then_some(number)
}

fn numbers(value: &Value, low: u8, high: u8) -> Option<Vec<u8>> {
    let list = value.as_array()?.iter();
    list.map(|value| whole(value, low, high)).collect()
}

/// The beginning of a value, for messages.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    let begin: String = text.chars().take(40).collect();
    let rest = if begin.len() < text.len() { "..." } else { "" };
    format!("{begin}{rest}")
}

/// What a field that must be there says.
fn meaning(place: &str, key: &str) -> &'static str {
    match (place, key) {
        (_, "numSuits") => "number of suits, 1 to 4",
        (_, "cards per suit") => "number of cards per suit, 1 to 13",
        (_, "moves") => "a list of seven times 1 or 0, the types of move that are allowed",
        (_, "maxOneInTalon") => "1 if only one card may lie in the talon, or 0",
        (_, "tableau") => "an object that describes the piles",
        (_, "foundation") => "an object that describes the foundations",
        (_, "numTableaus") => "number of piles, 1 to 52",
        (_, "dealTableau") => "1 if piles of 1, 2, 3 ... cards are dealt, or 0",
        (_, "talonToAnyTableau") => "1 if a card of the talon may go on any pile, or 0",
        (_, "tableauToAnyTableau") => "1 if a card of a pile may go on any other, or 0",
        ("tableau", "stackAsc") => "1 if piles go up in rank, or 0 if they go down",
        (_, "stackAsc") => "1 if foundations go up in rank, or 0 if they go down",
        (_, "cardsOnEmptySpace") => "the ranks that may go on an empty pile, such as [13]",
        (_, "cardsOnFoundationBottom") => "the ranks that may begin a foundation, such as [1]",
        _ => "1 or 0",
    }
}

/// The game in the notation again, with every field.
#[must_use]
pub fn write(game: &Patience) -> Value {
    let flag = u8::from;
    let up = |direction| flag(direction == Direction::Up);
    let ranks = |ranks: Ranks| ranks.iter().map(Rank::get).collect::<Vec<u8>>();
    let heights = &game.tableau.heights;
    let triangle: Vec<u8> = (1..=heights.len() as u8).collect();
    let dealt = *heights == triangle;
    let mut value = json!({
        "numSuits": game.deck.suit_count(),
        "cards per suit": game.deck.rank_count(),
        "moves": game.allowed.map(flag),
        "maxOneInTalon": flag(game.one_in_talon),
        "tableau": {
            "numTableaus": heights.len(),
            "dealTableau": flag(dealt),
            "talonToAnyTableau": flag(game.tableau.talon_to_any),
            "tableauToAnyTableau": flag(game.tableau.tableau_to_any),
            "moveStacks": flag(game.tableau.move_stacks),
            "stackAnySuit": flag(game.tableau.any_suit),
            "stackAsc": up(game.tableau.direction),
            "cardsOnEmptySpace": ranks(game.tableau.spaces),
        },
        "foundation": {
            "stackAsc": up(game.foundation.direction),
            "cardsOnFoundationBottom": ranks(game.foundation.bottoms),
            "stackAnySuit": flag(game.foundation.suits == Suits::Any),
            "stackByColour": flag(game.foundation.suits == Suits::Colour),
        },
    });
    let mut extensions = Map::new();
    if game.draw_count != 1 {
        extensions.insert("drawCount".to_owned(), game.draw_count.into());
    }
    if let Redeals::Limited(limit) = game.redeals {
        extensions.insert("redeals".to_owned(), limit.into());
    }
    if !dealt && heights.iter().any(|&height| height > 0) {
        extensions.insert("heights".to_owned(), heights.clone().into());
    }
    if game.turn_up_at_once {
        extensions.insert("turnUpAtOnce".to_owned(), 1.into());
    }
    if !extensions.is_empty() {
        value["extensions"] = extensions.into();
    }
    value
}
