//! Keys are pressed, and what is drawn is read, without a terminal.

use super::*;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;

use crate::play::deals::{Chosen, Deals};
use crate::play::hints::NoMoves;
use crate::play::keeper::Keeper;
use crate::play::sitting::Settings;
use klondike_game::card::Suit;
use klondike_game::deal::Deal;
use klondike_game::deal::seed::DealId;
use klondike_game::rules::{self, Deck, Layout, Rules};
use klondike_game::table::Table;
use klondike_game::table::position::read_position;
use klondike_game::table::saved::SavedGame;

fn session_with(table: Table, settings: Settings) -> Session<'static> {
    let rules: &Arc<Rules> = Box::leak(Box::new(Arc::clone(table.rules())));
    let game = SavedGame::new(None, table, Vec::new()).unwrap();
    Session {
        sitting: Sitting::new("a deal".to_owned(), &game, settings),
        deals: Deals {
            named: Box::new(std::iter::empty()),
            rules,
            chosen: Chosen {
                winnable: false,
                grades: None,
            },
        },
        keeper: Keeper::new(None, None),
    }
}

const SETTINGS: Settings = Settings {
    iterations: Some(50),
    time: Duration::ZERO,
    thoughtful: false,
};

fn small(text: &str) -> Session<'static> {
    let rules = Rules::builder()
        .deck(Deck::new(4, 4).unwrap())
        .layout(rules::Layout::triangle(3).unwrap());
    let table = read_position(&Arc::new(rules.build().unwrap()), text).unwrap();
    session_with(table, SETTINGS)
}

fn session() -> Session<'static> {
    small(
        "foundations: C2 D1 H1 S0\nwaste: 4H 4D\nstock: 4C 2D\n\
        1: 4S 3H 2S\n2: <AS> 3S 2H\n3: <3C> 3D",
    )
}

fn of_deal(deal: &str, rules: &str, thoughtful: bool) -> Session<'static> {
    let rules = Arc::new(Rules::named(rules).unwrap());
    let table = Table::new(rules, &deal.parse::<Deal>().unwrap()).unwrap();
    session_with(
        table,
        Settings {
            thoughtful,
            ..SETTINGS
        },
    )
}

fn drawn(screen: &Screen, session: &Session<'_>) -> String {
    drawn_at((80, 24), screen, session)
}

fn drawn_at((width, height): (u16, u16), screen: &Screen, session: &Session<'_>) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let drawn = terminal.draw(|frame| screen.draw(&session.sitting, "0:42", frame));
    drawn.unwrap();
    let buffer = terminal.backend().buffer();
    let rows = buffer.content().chunks(usize::from(width));
    let text = rows.map(|row| row.iter().map(Cell::symbol).collect::<String>());
    text.map(|row| row.trim_end().to_owned() + "\n").collect()
}

fn press_code(screen: &mut Screen, session: &mut Session<'_>, code: KeyCode) -> Flow {
    screen.key(session, KeyEvent::from(code))
}

fn press(screen: &mut Screen, session: &mut Session<'_>, keys: &str) {
    for key in keys.chars() {
        let flow = press_code(screen, session, KeyCode::Char(key));
        assert_eq!(flow, Flow::On, "{key}");
    }
}

#[test]
fn the_cards_are_drawn_and_hidden_ones_are_not_shown() {
    let (mut screen, mut session) = (Screen::default(), session());
    screen.color = true;
    let text = drawn(&screen, &session);
    let expected = "\
a deal   0:42
draw 3   move 0   pass 1   redeals unlimited

stock  2   w  4♥   4♦      f  2♣   A♦   A♥   -♠

 1     2     3
 4♠    ▒▒    ▒▒
 3♥    3♠    3♦
 2♠    2♥


";
    assert!(text.starts_with(expected), "{text}");
    press(&mut screen, &mut session, "2");
    assert!(drawn(&screen, &session).contains("\n 1    >2     3\n"));
}

#[test]
fn a_thoughtful_game_shows_all_cards_and_the_reason_of_a_loss() {
    let (mut screen, mut session) = (Screen::default(), session());
    session.sitting.settings.thoughtful = true;
    let text = drawn(&screen, &session);
    assert!(text.contains("\nnext  4♣  2♦\n"), "{text}");
    assert!(text.contains("\n 4♠   (A♠)  (3♣)\n"), "{text}");
    // Hints are turns of one solution, to the end.
    for _ in 0..30 {
        if !session.sitting.table().is_won() {
            press(&mut screen, &mut session, "h");
            assert!(screen.message.contains("(this wins"), "{}", screen.message);
            press(&mut screen, &mut session, "m");
        }
    }
    assert!(session.sitting.table().is_won());

    let mut session = of_deal("solvitaire:1", "standard", true);
    press(&mut screen, &mut session, "h");
    let lost = "It cannot be won: cards wait for each other:";
    let page = screen.page.take().unwrap();
    assert!(page.starts_with(lost) && page.contains("6H"), "{page}");
}

#[test]
fn keys_make_moves_and_take_them_back() {
    let (mut screen, mut session) = (Screen::default(), session());
    let start = session.sitting.table().clone();
    // The two of hearts goes up by its pile's key twice.
    press(&mut screen, &mut session, "22");
    assert_eq!(session.sitting.table().foundation(Suit::Hearts), 2);
    press(&mut screen, &mut session, "u");
    assert_eq!(session.sitting.table(), &start);
    press(&mut screen, &mut session, "u");
    assert_eq!(screen.message, "There is nothing to undo.");
    press(&mut screen, &mut session, "13");
    assert_eq!(session.sitting.table().piles()[2].cards().len(), 3);
    press(&mut screen, &mut session, "31");
    assert_eq!(screen.message, "");
    press(&mut screen, &mut session, "w1");
    assert_eq!(screen.message, "There is no such move.");
    press(&mut screen, &mut session, " ");
    assert_eq!(session.sitting.moves_made(), 3);
    press(&mut screen, &mut session, "1");
    press_code(&mut screen, &mut session, KeyCode::Esc);
    assert_eq!(screen.picker.from, None);
    // Back to the beginning, and all moves again.
    let end = session.sitting.table().clone();
    press(&mut screen, &mut session, "b");
    assert_eq!(session.sitting.table(), &start);
    press(&mut screen, &mut session, "rrr");
    assert_eq!(session.sitting.table(), &end);
}

#[test]
fn arrow_keys_and_enter_make_moves() {
    use KeyCode::{Down, Enter, Left, Right, Up};
    let (mut screen, mut session) = (Screen::default(), session());
    let mut press = |codes: &[KeyCode]| {
        for &code in codes {
            assert_eq!(press_code(&mut screen, &mut session, code), Flow::On);
        }
        drawn(&screen, &session)
    };
    // The first arrow key goes to the first pile.
    assert!(press(&[Left]).contains("\n[1]    2     3\n"));
    assert!(press(&[Left, Right, Enter]).contains("\n 1    >2]    3\n"));
    // Up to the foundations: the two of hearts goes there.
    let text = press(&[Up, Right, Right, Enter]);
    assert!(text.contains("   [f] 2♣   A♦   2♥   -♠"), "{text}");
    // The stock, left of the waste: enter draws.
    let text = press(&[Left, Left, Left, Up, Enter]);
    assert!(text.contains("stock  0   w "), "{text}");
    assert!(press(&[Down]).contains("\n[1]    2     3\n"));
    assert!(press(&[Down, Right, Right, Right]).contains("\n 1     2    [3]\n"));
}

#[test]
fn which_of_several_cards_is_asked() {
    // Both red threes of the foundations fit the four of spades.
    let mut session = small(
        "foundations: C1 D3 H3 S0\nstock: 4C 4D 4H\nwaste: 2S\n1: 4S\n2: <2C> 3S\n3: <AS> 3C",
    );
    let mut screen = Screen::default();
    press(&mut screen, &mut session, "f1");
    assert_eq!(screen.message, "Which card? 1: 3♦  2: 3♥");
    press(&mut screen, &mut session, "2");
    let top = session.sitting.table().piles()[0].top();
    assert_eq!(top, "3H".parse().ok());
    // Any other key forgets the question.
    press(&mut screen, &mut session, "uf1");
    press_code(&mut screen, &mut session, KeyCode::Esc);
    press(&mut screen, &mut session, "2");
    assert_eq!(session.sitting.moves_made(), 0);
}

#[test]
fn a_small_screen_says_so_and_a_low_one_stacks_cards() {
    let (mut screen, mut session) = (Screen::default(), session());
    let text = drawn(&screen, &session);
    assert!(
        text.contains("? keys  q quit  space draw  u undo"),
        "{text}"
    );
    let text = drawn_at((30, 10), &screen, &session);
    assert!(text.contains("10 rows; 49 and 12 are needed."), "{text}");
    assert!(!text.contains("stock"), "{text}");
    let text = drawn_at((50, 12), &screen, &session);
    let keys = "\n? keys  q quit  space draw  u undo  h hint  r redo\n";
    assert!(text.contains(keys), "{text}");
    let title = "a very long name of a deal, longer than a row of the screen is";
    let game = session.sitting.to_saved().unwrap();
    session.sitting = Sitting::new(title.to_owned(), &game, SETTINGS);
    let text = drawn_at((50, 12), &screen, &session);
    assert!(
        text.starts_with("a very long name of a deal, longer than a …   0:42\n"),
        "{text}"
    );

    let session = of_deal("klondike:1", "standard", false);
    assert!(!drawn(&screen, &session).contains("6▒"));
    assert!(drawn_at((80, 14), &screen, &session).contains(" 6▒"));
    // Face-up cards in the middle of a run are counted.
    let run = "1: KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H\n2: <AS> KC\n3: QC\n4: QD\n5: QS\n6: KH\n\
        7: KD\nfoundations: CJ DJ H1 S0\nwaste: 2S 3H 4S 5H 6S 7H 8S 9H TS JH";
    let table = read_position(&Arc::new(Rules::standard()), run).unwrap();
    let session = session_with(table, SETTINGS);
    screen.page = None;
    let text = drawn_at((60, 15), &screen, &session);
    assert!(text.contains("\n K♠    ▒▒    Q♣"), "{text}");
    assert!(text.contains("\n +7    K♣\n"), "{text}");
    assert!(text.contains("\n 2♥\n"), "{text}");
}

/// The page of keys is readable on a screen of 60 columns and 20 rows.
#[test]
fn the_keys_fit_a_small_screen() {
    let (mut screen, mut session) = (Screen::default(), session());
    press(&mut screen, &mut session, "?");
    let text = drawn_at((60, 20), &screen, &session);
    for line in MOVES
        .lines()
        .chain(HELP.lines())
        .chain(["Any key goes back to the game."])
    {
        assert!(text.lines().any(|shown| shown == line), "{line}:\n{text}");
    }
    press(&mut screen, &mut session, "q");
    assert!(drawn(&screen, &session).starts_with("a deal"));
}

#[test]
fn a_hint_is_one_turn_that_can_be_undone_and_redone() {
    let (mut screen, mut session) = (Screen::default(), session());
    let start = session.sitting.table().clone();
    press(&mut screen, &mut session, "h");
    assert!(screen.message.contains(" to "), "{}", screen.message);
    assert!(!screen.message.contains('>'), "{}", screen.message);
    press(&mut screen, &mut session, "m");
    let after = session.sitting.table().clone();
    assert_ne!(after, start);
    press(&mut screen, &mut session, "u");
    assert_eq!(session.sitting.table(), &start);
    press(&mut screen, &mut session, "r");
    assert_eq!(session.sitting.table(), &after);
    press(&mut screen, &mut session, "r");
    assert_eq!(screen.message, "There is nothing to redo.");
    press(&mut screen, &mut session, "m");
    assert_eq!(screen.message, "Ask for a hint first: h");
    // After the move all cards are known, so the hint is a solution; before it, they are not.
    press(&mut screen, &mut session, "a");
    assert!(drawn(&screen, &session).starts_with("The next moves of a solution\n"));
    press(&mut screen, &mut session, " ua");
    let page = drawn(&screen, &session);
    assert!(
        page.starts_with("Moves, the one tried most first\n"),
        "{page}"
    );
}

#[test]
fn leaving_a_game_is_asked_about() {
    let (mut screen, mut session) = (Screen::default(), session());
    let [n, q] = ['n', 'q'].map(KeyCode::Char);
    assert_eq!(press_code(&mut screen, &mut session, n), Flow::NextDeal);
    assert_eq!(press_code(&mut screen, &mut session, q), Flow::Leave);
    press(&mut screen, &mut session, " n");
    assert!(
        screen.message.starts_with("n once more"),
        "{}",
        screen.message
    );
    assert_eq!(press_code(&mut screen, &mut session, n), Flow::NextDeal);
    press(&mut screen, &mut session, "nq");
    assert!(
        screen.message.starts_with("q once more"),
        "{}",
        screen.message
    );
    assert_eq!(press_code(&mut screen, &mut session, q), Flow::Leave);
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(screen.key(&mut session, interrupt), Flow::Interrupted);
}

/// As in other programs, also while a page is shown, which stays.
#[test]
fn the_screen_is_drawn_anew_and_left_for_the_shell() {
    let (mut screen, mut session) = (Screen::default(), session());
    press(&mut screen, &mut session, "?");
    let redraw = KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL);
    assert_eq!(screen.key(&mut session, redraw), Flow::Redraw);
    let suspend = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
    let flow = screen.key(&mut session, suspend);
    assert_eq!(flow == Flow::Suspend, cfg!(unix));
    assert!(screen.page.is_some());
}

/// What was found out once about a position stays known, also when it is left and come back to.
#[test]
fn a_loss_stays_known_after_undo() {
    let mut session = of_deal("klondike:5", "standard", false);
    let mut screen = Screen::default();
    // Moves without sense until the game is lost.
    let mut turn = 0;
    let lost = NoMoves::Says("It cannot be won any more.".to_owned());
    while session.sitting.truth() != lost {
        let moves = session.sitting.table().legal_moves();
        turn += 1;
        session.sitting.make(&[moves[turn % moves.len()]]).unwrap();
    }
    // Draws change nothing, whether they are made or taken back.
    press(&mut screen, &mut session, " h");
    assert_eq!(screen.message, "It cannot be won any more.");
    press(&mut screen, &mut session, "u");
    assert!(session.sitting.status().ends_with("lost"));
    press(&mut screen, &mut session, "uh");
    assert_ne!(screen.message, "It cannot be won any more.");
    press(&mut screen, &mut session, "rh");
    assert_eq!(screen.message, "It cannot be won any more.");

    // This deal is lost before its first move.
    let mut session = of_deal("solvitaire:1", "standard", false);
    press(&mut screen, &mut session, " t");
    assert_eq!(screen.message, "It cannot be won.");
    press(&mut screen, &mut session, "uh");
    assert_eq!(screen.message, "It cannot be won.");
}

/// A position that a move leads back to from a lost one is lost, too.
#[test]
fn undoing_a_move_that_can_be_reversed_does_not_unlose() {
    let (mut screen, mut session) = (Screen::default(), session());
    press(&mut screen, &mut session, "22");
    let table = session.sitting.table().clone();
    session
        .sitting
        .facts
        .note_lost(&table, &"as the test says".into());
    press(&mut screen, &mut session, "u");
    assert!(session.sitting.status().ends_with("lost"));
    press(&mut screen, &mut session, "r13");
    assert!(session.sitting.status().ends_with("lost"));
}

#[test]
fn hints_leave_out_what_is_known_to_lose() {
    let (mut screen, mut session) = (
        Screen::default(),
        of_deal("solvitaire:3", "standard", false),
    );
    press(&mut screen, &mut session, "h");
    let best = session.sitting.hint.clone().unwrap();
    let mut after = session.sitting.table().clone();
    for &made in &best {
        after.make(made).unwrap();
    }
    session
        .sitting
        .facts
        .note_lost(&after, &"as the test says".into());
    press(&mut screen, &mut session, "h");
    assert_ne!(session.sitting.hint.as_ref(), Some(&best));
    press(&mut screen, &mut session, "t");
    assert_eq!(screen.message, "It can be won.");
}

#[test]
fn a_layout_that_is_too_large_has_no_hints_but_something_else() {
    let rules = Rules::builder().layout(Layout::rectangle(3, 1).unwrap());
    let rules = Arc::new(rules.build().unwrap());
    let id: DealId = "klondike:1".parse().unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    let table = Table::new(rules, &deal).unwrap();
    let (mut screen, mut session) = (Screen::default(), session_with(table, SETTINGS));
    press(&mut screen, &mut session, "h");
    // Two rows are too few for it on a narrow screen.
    let page = screen.page.take().unwrap();
    assert!(page.contains("--thoughtful"), "{page}");
}

#[test]
fn limited_redeals_are_counted_and_hints_are_for_money() {
    let (mut screen, mut session) = (Screen::default(), of_deal("solvitaire:3", "vegas3", false));
    press(&mut screen, &mut session, "h");
    assert!(screen.message.ends_with(" in Vegas)"), "{}", screen.message);
    assert_eq!(
        session.sitting.status(),
        "draw 3   move 0   pass 1   redeals left 2"
    );
    press(&mut screen, &mut session, "         ");
    assert_eq!(
        session.sitting.status(),
        "draw 3   move 9   pass 2   redeals left 1"
    );
}

#[test]
fn the_end_is_offered_when_all_cards_are_up() {
    let (mut screen, mut session) = (Screen::default(), session());
    press(&mut screen, &mut session, "e");
    assert_eq!(screen.message, "Some cards are still face down.");
    assert!(!drawn(&screen, &session).contains("e ends"));
    let mut session = small("foundations: C4 D4 H4 S1\nwaste: 2S\n1: 4S\n2: 3S\n3:");
    screen.message.clear();
    let text = drawn(&screen, &session);
    assert!(
        text.contains("\nAll cards are up: e ends the game by itself.\n"),
        "{text}"
    );
    press(&mut screen, &mut session, "e");
    assert!(
        screen.message.starts_with("You have won in 3 moves"),
        "{}",
        screen.message
    );
}

#[test]
fn hints_are_made_until_the_game_is_won() {
    let (mut screen, mut session) = (Screen::default(), session());
    press(&mut screen, &mut session, "t");
    assert_eq!(screen.message, "It can be won.");
    press(&mut screen, &mut session, " t");
    assert_eq!(screen.message, "It can still be won.");
    for _ in 0..40 {
        if !session.sitting.table().is_won() {
            press(&mut screen, &mut session, "hm");
        }
    }
    let won = screen.message.starts_with("You have won in ");
    assert!(won, "{}", screen.message);
    let q = KeyCode::Char('q');
    assert_eq!(press_code(&mut screen, &mut session, q), Flow::Leave);
}
