//! The commands of a game: the same keys on the screen and line by line.

use super::hints::{Hint, NoMoves};
use super::sitting::Sitting;
use klondike_game::table::Move;

/// Most hints shown at once.
const HINTS: usize = 5;

/// What one key asks for, other than to name a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Draw,
    LastPass,
    Undo,
    Redo,
    Restart,
    Hint,
    Hints,
    MakeHint,
    Line,
    Truth,
    Finish,
    Save,
    Next,
    Leave,
    Help,
}

impl Command {
    /// The command of a key.
    pub(super) fn of(key: char) -> Option<Command> {
        Some(match key {
            'd' | ' ' => Command::Draw,
            'p' => Command::LastPass,
            'u' => Command::Undo,
            'r' => Command::Redo,
            'b' => Command::Restart,
            'h' => Command::Hint,
            'a' => Command::Hints,
            'm' => Command::MakeHint,
            'l' => Command::Line,
            't' => Command::Truth,
            'e' => Command::Finish,
            's' => Command::Save,
            'n' => Command::Next,
            'q' => Command::Leave,
            '?' => Command::Help,
            _ => return None,
        })
    }

    /// Whether the answer may take a moment.
    pub(super) fn is_slow(self) -> bool {
        use Command::{Finish, Hint, Hints, Line, Truth};
        matches!(self, Hint | Hints | Line | Truth | Finish)
    }

    /// Whether the program says something of the cards.
    fn helps(self) -> bool {
        use Command::{Hint, Hints, Line, Truth};
        matches!(self, Hint | Hints | Line | Truth)
    }
}

/// The keys, beside those that move cards.
pub(super) const HELP: &str = "\
p        begin the last pass by ones, if the rules have one
u r b    undo, redo, back to the beginning
h m a    show a hint, make it, show all hints
l        show all moves of a solution, with --thoughtful
t        say whether it can still be won (this looks at
         the hidden cards)
e        end the game by itself, once all cards are up
s        save the game in a file, now and after each move
n q      next deal, quit
";

/// What comes of a command.
pub(super) enum Reply {
    Done,
    Say(String),
    /// As `Say`, in place of help that there is not.
    NoHelp(String),
    Refuse(String),
    Hints(Vec<Hint>),
    /// The keys are to be shown.
    Help,
    /// The game is to be kept in a file.
    Save,
    /// The next deal is wanted.
    Next,
    Leave,
}

impl From<Result<(), String>> for Reply {
    fn from(done: Result<(), String>) -> Reply {
        match done {
            Ok(()) => Reply::Done,
            Err(reason) => Reply::Refuse(reason),
        }
    }
}

impl From<NoMoves> for Reply {
    fn from(reason: NoMoves) -> Reply {
        match reason {
            NoMoves::Says(text) => Reply::Say(text),
            NoMoves::Nothing(text) => Reply::NoHelp(text),
        }
    }
}

/// Does what can be done with the game alone. What is refused has not helped, nor what could not
/// be said.
pub(super) fn obey(sitting: &mut Sitting, command: Command) -> Reply {
    let reply = reply(sitting, command);
    let answered = !matches!(reply, Reply::Refuse(_) | Reply::NoHelp(_));
    sitting.helped |= command.helps() && answered;
    reply
}

fn reply(sitting: &mut Sitting, command: Command) -> Reply {
    let if_any = |done: bool, what: &str| match done {
        true => Reply::Done,
        false => Reply::Refuse(format!("There is nothing to {what}.")),
    };
    match command {
        Command::Draw => sitting.draw().map_err(|error| error.to_string()).into(),
        Command::LastPass => {
            let made = sitting.make(&[Move::LastPass]);
            made.map_err(|error| error.to_string()).into()
        }
        Command::Undo => if_any(sitting.undo(), "undo"),
        Command::Redo => if_any(sitting.redo(), "redo"),
        Command::Restart => {
            let any = sitting.undo();
            while sitting.undo() {}
            if_any(any, "undo")
        }
        Command::Finish => sitting.finish().into(),
        Command::Hint | Command::Hints => match sitting.hints() {
            Err(reason) => reason.into(),
            Ok(mut hints) => {
                hints.truncate(if command == Command::Hint { 1 } else { HINTS });
                sitting.hint = hints.first().map(|hint| hint.moves.clone());
                Reply::Hints(hints)
            }
        },
        Command::MakeHint => match sitting.hint.take() {
            None => Reply::Refuse("Ask for a hint first: h".to_owned()),
            Some(moves) => sitting
                .make(&moves)
                .map_err(|error| error.to_string())
                .into(),
        },
        Command::Line if !sitting.settings.thoughtful => {
            let text = "A solution shows the hidden cards: only with --thoughtful.";
            Reply::Refuse(text.to_owned())
        }
        Command::Line => sitting.line().map_or_else(Reply::from, Reply::Say),
        Command::Truth => sitting.truth().into(),
        Command::Save => Reply::Save,
        Command::Next => Reply::Next,
        Command::Leave => Reply::Leave,
        Command::Help => Reply::Help,
    }
}
