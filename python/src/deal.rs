//! `Deal`.

use std::hash::{DefaultHasher, Hash, Hasher};

use klondike_front::{Card, Deal, Deck, Rules, Table};
use klondike_game::table::start::Start;
use pyo3::prelude::*;

use crate::args::{
    List, RulesArg, Whole, argument_of_format, format_named, rules_or_standard, start_of,
};
use crate::error::{DealError, argument, with_words};
use crate::position::PyPosition;

/// The order of the cards before play.
///
/// Args:
///     text: A seed such as "solvitaire:3", or all cards in a format of this or another program.
///     rules: Rules, or the name of a set of them: deck and piles are those of the rules.
///     format: The name of the format; it is recognised if it is left out.
///
/// Raises:
///     DealError: If the text is no deal; the message says what is wrong with it, and where.
///
/// >>> from klondike_solver import Deal
/// >>> deal = Deal("solvitaire:3")
/// >>> len(deal.piles), len(deal.stock)
/// (7, 24)
/// >>> Deal(str(deal)) == deal
/// True
#[pyclass(frozen, name = "Deal", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyDeal {
    pub(crate) deal: Deal,
    /// The seed by which it was asked for.
    pub(crate) seed: Option<String>,
}

impl PyDeal {
    /// What it is called in a batch: its seed, or its cards.
    pub(crate) fn label(&self) -> String {
        self.seed.clone().unwrap_or_else(|| self.deal.to_string())
    }
}

/// Reads cards such as 7C.
fn cards(name: &str, texts: &[String]) -> PyResult<Vec<Card>> {
    let read = |text: &String| text.parse::<Card>().map_err(|error| argument(name, error));
    texts.iter().map(read).collect()
}

fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

/// A deal with these cards.
fn read_cards(piles: &[Vec<String>], stock: &[String], suits: u8, ranks: u8) -> PyResult<PyDeal> {
    let deck = Deck::new(suits, ranks).map_err(with_words!(RulesError))?;
    let piles = piles
        .iter()
        .map(|pile| cards("piles", pile))
        .collect::<PyResult<_>>()?;
    let deal = Deal::new(deck, piles, cards("stock", stock)?);
    let deal = deal.map_err(with_words!(DealError))?;
    Ok(PyDeal { deal, seed: None })
}

#[pymethods]
impl PyDeal {
    #[new]
    #[pyo3(signature = (text, rules = None, *, format = None))]
    fn new(text: &str, rules: Option<RulesArg>, format: Option<&str>) -> PyResult<PyDeal> {
        let format = format_named(format)?;
        match start_of(text, format, &rules_or_standard(rules))? {
            Start::Deal(deal) => {
                let seed = klondike_game::deal::seed::looks_like_seed(text.trim());
                let seed = seed.then(|| text.trim().to_owned());
                Ok(PyDeal { deal, seed })
            }
            Start::Partly(_) => Err(DealError::new_err(
                "cards are not known (`??`): a deal has all of them; `advise` takes the text",
            )),
            Start::Position(_) | Start::Game(_) => Err(DealError::new_err(
                "the text shows a game in progress: read it as a Position",
            )),
        }
    }

    /// A deal with these cards.
    ///
    /// Args:
    ///     piles: The piles from the left, each from the bottom; the last card lies face up.
    ///     stock: The stock, first drawn first.
    ///     suits: Suits of the deck, 4 if left out.
    ///     ranks: Ranks of each suit, 13 if left out.
    ///
    /// Raises:
    ///     ArgumentError: If a text is no card.
    ///     DealError: If the cards are not exactly those of the deck.
    ///
    /// >>> from klondike_solver import Deal
    /// >>> print(Deal.from_cards([["2C"], ["3C", "AC"]], [], suits=1, ranks=3))
    /// stock:
    /// 1: 2C
    /// 2: <3C> AC
    #[staticmethod]
    #[pyo3(signature = (piles, stock, *, suits = None, ranks = None))]
    fn from_cards(
        piles: List<List<String>>,
        stock: List<String>,
        suits: Option<Whole>,
        ranks: Option<Whole>,
    ) -> PyResult<PyDeal> {
        let count = |name, given: Option<Whole>, most| {
            given.map_or(Ok(most), |given| given.within(name, 1..=most as i64))
        };
        let (suits, ranks) = (count("suits", suits, 4)?, count("ranks", ranks, 13)?);
        let piles: Vec<_> = piles.0.into_iter().map(|pile| pile.0).collect();
        read_cards(&piles, &stock.0, suits as u8, ranks as u8)
    }

    /// The piles from the left, each from the bottom; the last card lies face up.
    #[getter]
    fn piles(&self) -> Vec<Vec<String>> {
        self.deal.piles().map(texts).collect()
    }

    /// The stock, first drawn first.
    #[getter]
    fn stock(&self) -> Vec<String> {
        texts(self.deal.stock())
    }

    /// The seed by which it was asked for, such as "solvitaire:3".
    #[getter]
    fn seed(&self) -> Option<String> {
        self.seed.clone()
    }

    /// The position before the first move, under these rules.
    ///
    /// >>> from klondike_solver import Deal
    /// >>> len(Deal("solvitaire:3").position("draw1").moves())
    /// 1
    #[pyo3(signature = (rules = None))]
    fn position(&self, rules: Option<RulesArg>) -> PyResult<PyPosition> {
        let table = Table::new(rules_or_standard(rules), &self.deal);
        Ok(PyPosition::new(table.map_err(with_words!(DealError))?))
    }

    /// The deal in this format.
    ///
    /// Args:
    ///     format: A name of `klondike deal --list-formats`, such as "pysol".
    ///
    /// Raises:
    ///     DealError: If the format cannot hold this deal.
    ///
    /// >>> from klondike_solver import Deal
    /// >>> Deal("solvitaire:3").write("klondike").splitlines()[1]
    /// '1: 4C'
    fn write(&self, format: &str) -> PyResult<String> {
        let text = Start::Deal(self.deal.clone()).write(argument_of_format(format)?);
        text.map_err(with_words!(DealError))
    }

    fn __str__(&self) -> String {
        self.deal.to_string()
    }

    fn __repr__(&self) -> String {
        let (deal, rules) = (&self.deal, Rules::standard());
        if (deal.deck(), deal.layout()) != (rules.deck(), rules.layout()) {
            // `Deal` would read the text under the standard rules.
            let name = self.seed.as_deref().unwrap_or("by its cards");
            return format!("<Deal {name} of {} cards>", deal.deck().len());
        }
        let text = self.label().replace('\n', "\\n");
        format!("Deal('{text}')")
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let rules = Rules::builder()
            .deck(self.deal.deck())
            .layout(self.deal.layout().clone());
        let rules = rules.build().map_err(with_words!(RulesError))?;
        let table = Table::new(rules.into(), &self.deal).map_err(with_words!(DealError))?;
        let caption = self.seed.as_deref().unwrap_or_default();
        Ok(klondike_front::svg::draw(&table, caption))
    }

    fn __eq__(&self, other: &PyDeal) -> bool {
        self.deal == other.deal
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.deal.hash(&mut hasher);
        hasher.finish()
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        (Vec<Vec<String>>, Vec<String>, usize, usize, Option<String>),
    )> {
        let (read, deal) = (slf.get_type().getattr("_restored")?, slf.get());
        let deck = deal.deal.deck();
        let (suits, ranks) = (deck.suit_count(), deck.rank_count());
        Ok((
            read,
            (deal.piles(), deal.stock(), suits, ranks, deal.seed.clone()),
        ))
    }

    /// The deal that was pickled.
    #[staticmethod]
    fn _restored(
        piles: Vec<Vec<String>>,
        stock: Vec<String>,
        suits: u8,
        ranks: u8,
        seed: Option<String>,
    ) -> PyResult<PyDeal> {
        let deal = read_cards(&piles, &stock, suits, ranks)?;
        Ok(PyDeal { seed, ..deal })
    }
}
