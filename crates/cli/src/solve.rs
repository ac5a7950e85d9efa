//! `klondike solve`: can this deal be won, and how?

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::best::Goal;
use crate::deal_source::{DealName, DealSource, Source};
use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::lines::{counted, milliseconds, push_limit, push_line, whole_microseconds};
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::score;
use crate::sequential::Sequential;
use crate::values::{lemma, read_count, read_notation};
use crate::{About, CliError, Status};
use klondike_batch::parallel::Workers;
use klondike_contract::{Envelope, Line, SolveAnswer};
use klondike_engine::prove::{self, Decision, Verdict};
use klondike_engine::search::Limit;
use klondike_engine::search::idle_threads::{HelpAtTheEnd, IdleThreads};
use klondike_engine::search::shortest::Count;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::{Lemma, Lemmas};

/// Decide whether deals can be won, with a replayed solution if so
///
/// Examples: `klondike solve solvitaire:3`, `klondike solve --draw 1 --quiet klondike:1..100`,
/// `klondike solve --json deals.txt`. Exit status 3: a limit was hit and something is undecided.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Print only `winnable`, `unwinnable` or `undecided` for each deal, and leave the moves out of
    /// the answers to --shortest, --fewest-passes and --best-score
    #[arg(long, short)]
    quiet: bool,

    /// With --quiet: print the name of the deal before its verdict
    #[arg(long, requires = "quiet")]
    labels: bool,

    /// Write solutions in this notation: klondike, minimal, klondike-solver or lonelybot
    #[arg(long, value_name = "NAME", value_parser = read_notation, default_value = "klondike")]
    notation: Notation,

    /// Leave the solutions out
    #[arg(long)]
    no_solution: bool,

    /// With --json: give the position after every move of a solution
    #[arg(long, conflicts_with_all = ["quiet", "no_solution"])]
    boards: bool,

    /// Do not use this proven rule (may be given several times, see docs/proofs.md)
    #[arg(long, value_name = "NAME", value_parser = lemma())]
    no_lemma: Vec<Lemma>,

    /// Find a shortest solution; COUNT says what counts beside card moves [default: draws]
    ///
    /// `cards`: card moves only. `draws`: and draws (MinimalKlondike). `flips`: and cards turned up
    /// (Klondike-Solver, 21 more). `redeals`: card moves, draws and redeals. What is found before a
    /// limit or Ctrl-C ends the search is printed, with the length that no solution is shorter
    /// than.
    #[arg(
        long,
        value_name = "COUNT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "draws",
        value_parser = read_count,
    )]
    shortest: Option<Count>,

    /// Find a solution with the fewest passes through the talon
    #[arg(long, conflicts_with = "shortest")]
    fewest_passes: bool,

    /// Find the most cards that can be on the foundations, also where not all can
    ///
    /// With a line of play that brings them there, and what they are worth in Vegas: five for each,
    /// less one for each card of the deck. The limit on passes comes from the rules, such as
    /// `--rules vegas3`. What is found before a limit or Ctrl-C ends the search is printed, with
    /// the number of cards that no line gets more of.
    #[arg(long, conflicts_with_all = ["shortest", "fewest_passes"])]
    best_score: bool,

    /// With --best-score: a line with the fewest moves; COUNT as for --shortest [default: draws]
    ///
    /// Of the lines to the best score one with the fewest moves. What is found before a limit or
    /// Ctrl-C ends the search is printed, with the length that no line to the best score is shorter
    /// than.
    #[arg(
        long,
        value_name = "COUNT",
        requires = "best_score",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "draws",
        value_parser = read_count,
    )]
    fewest_moves: Option<Count>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

/// A deal that was decided.
struct Done {
    source: Source,
    table: Table,
    decision: Decision,
    time: Duration,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.boards && !output.json() {
            return Err(CliError::usage("--boards is for JSON: add --json"));
        }
        let rules = self.rules.rules()?;
        let stop = stop_on_interrupt()?;
        let mut sources = self.source.open(&rules)?;
        let total = self.source.count();
        let sequential = Sequential {
            source: &self.source,
            lemmas: self.lemmas(),
            limits: &self.limits,
            rules: &rules,
            stop: &stop,
            notation: self.notation(),
            boards: self.boards,
        };
        if self.best_score {
            return score::run(self.fewest_moves, &sequential, &mut sources, total, output);
        }
        let goal = match self.shortest {
            Some(count) => Some(Goal::Shortest(count)),
            None => self.fewest_passes.then_some(Goal::FewestPasses),
        };
        if let Some(goal) = goal {
            return goal.run(&sequential, &mut sources, total, output);
        }
        // With a single deal all the memory is for one search. What comes through a pipe may come
        // slowly: nobody waits for its second deal.
        let first = sources.next();
        let waits = self.source.may_wait();
        let second = if waits { None } else { sources.next() };
        let several = waits || second.is_some();
        let mut printer = Printer {
            args: self,
            rules: &rules,
            output,
            status: Status::Answered,
            progress: Progress::new(total, 0),
            several,
            interrupted: None,
            last: None,
        };
        let sources = first.into_iter().chain(second).chain(sources);
        // What comes slowly is answered deal by deal.
        let block = if waits { 1 } else { BLOCK };
        self.decide(sources, (several, block), &stop, &mut printer)?;
        if stop.load(Ordering::Relaxed) && several {
            printer.status = Status::Interrupted;
            let next = match printer.interrupted {
                Some(name) => self.source.go_on_from(&name),
                None => self.source.go_on_after(printer.last.as_ref()),
            };
            eprintln!("klondike: interrupted; {next}");
        }
        Ok(printer.status)
    }

    /// Decides the deals in parallel and prints the answers in the order of the deals.
    fn decide(
        &self,
        sources: impl Iterator<Item = Result<Source, CliError>> + Send,
        (several, block): (bool, usize),
        stop: &Arc<AtomicBool>,
        printer: &mut Printer<'_>,
    ) -> Result<(), CliError> {
        let threads = self.limits.threads();
        let at_once = if several { threads } else { 1 };
        let spare = Arc::new(IdleThreads::default());
        let (lemmas, rules) = (self.lemmas(), printer.rules);
        // The first deal is always answered, if only with "interrupted": no answer at all would
        // look like an empty list of deals.
        let sources = sources
            .enumerate()
            .take_while(|&(number, _)| number == 0 || !stop.load(Ordering::Relaxed));
        let decide = |source: Result<Source, CliError>| {
            let source = source?;
            let table = source.table(rules)?;
            let start = Instant::now();
            let limits = self.limits.start(at_once, stop, &spare);
            let decision = prove::decide(&table, lemmas, &limits).of_deal(&source)?;
            Ok(Done {
                source,
                table,
                decision,
                time: start.elapsed(),
            })
        };
        let ended = AtomicBool::new(false);
        let workers = Workers {
            threads,
            block,
            stop: &ended,
        };
        workers.run(
            sources.map(|(_, source)| source),
            || HelpAtTheEnd(Arc::clone(&spare)),
            |_, source| decide(source),
            |answers: Vec<Result<Done, CliError>>| {
                let mut answers = answers.into_iter();
                let printed = answers.try_for_each(|done| printer.answer(done));
                // Whoever reads gets each answer at once, and ends this program when it has enough,
                // also while the next deal is waited for.
                let printed = printed.and_then(|()| Ok(printer.output.flush()?));
                if printed.as_ref().is_err_and(CliError::is_closed_pipe) {
                    std::process::exit(0);
                }
                if printed.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                if printer.interrupted.is_some() {
                    ended.store(true, Ordering::Relaxed);
                }
                printed
            },
        )
    }

    /// The lemmas to use.
    fn lemmas(&self) -> Lemmas {
        self.no_lemma
            .iter()
            .fold(Lemmas::ALL, |lemmas, &lemma| lemmas.without(lemma))
    }

    /// The notation of solutions, unless they are left out.
    fn notation(&self) -> Option<Notation> {
        (!self.no_solution && !self.quiet).then_some(self.notation)
    }
}

/// Most deals that a thread takes at once, so that handing quick ones over costs little.
const BLOCK: usize = 64;

struct Printer<'a> {
    args: &'a Args,
    rules: &'a Arc<Rules>,
    output: &'a mut Output,
    status: Status,
    progress: Progress,
    /// Whether there may be more deals than one.
    several: bool,
    /// The first deal whose search was interrupted.
    interrupted: Option<DealName>,
    /// The last deal that was answered.
    last: Option<DealName>,
}

impl Printer<'_> {
    /// Prints the answer, or that the deal is none.
    fn answer(&mut self, done: Result<Done, CliError>) -> Result<(), CliError> {
        let name = DealName::of(&done, |done| &done.source);
        let limit = |done: &Done| match done.decision.verdict {
            Verdict::Undecided(limit) => Some(limit),
            _ => None,
        };
        if done.as_ref().ok().and_then(limit) == Some(Limit::Interrupt) {
            self.interrupted = self.interrupted.take().or_else(|| name.clone());
        }
        // The run goes on with the deal that was interrupted: neither it nor what the same block
        // holds behind it must be there twice.
        if self.several && self.interrupted.is_some() && name.is_some() {
            return Ok(());
        }
        self.last = name;
        let output = &mut self.output;
        let status = &mut self.status;
        match self.progress.aside(|| output.unless_bad(done, status))? {
            Some(done) => self.print(&done),
            None => {
                self.progress.add(1);
                // As many lines as deals.
                match self.args.quiet && !self.output.json() {
                    true => self.text("error\n"),
                    false => Ok(()),
                }
            }
        }
    }

    fn print(&mut self, done: &Done) -> Result<(), CliError> {
        let Done {
            source, decision, ..
        } = done;
        let (label, verdict) = (&source.label, &decision.verdict);
        if let Verdict::Undecided(limit) = verdict {
            self.status = match limit {
                Limit::Interrupt => Status::Interrupted,
                _ => self.status.max(Status::Undecided),
            };
        }
        self.progress
            .answered(matches!(verdict, Verdict::Undecided(_)));
        if self.args.quiet && !self.output.json() {
            let name = match self.args.labels {
                true => format!("{label} "),
                false => String::new(),
            };
            return self.text(&format!("{name}{}\n", verdict.name()));
        }
        let solution = match (verdict, self.args.notation()) {
            (Verdict::Winnable(solution), Some(notation)) => Some(
                Line::new(notation, &done.table, solution.moves(), self.args.boards)
                    .about(label)?,
            ),
            _ => None,
        };
        let answer = SolveAnswer {
            solution,
            microseconds: whole_microseconds(done.time),
            ..SolveAnswer::win(decision)
        };
        let answer = Envelope::of_deal(label, self.rules, answer);
        let output = &mut self.output;
        self.progress
            .aside(|| output.answer(answer, |answer| in_words(done, answer)))
    }

    fn text(&mut self, text: &str) -> Result<(), CliError> {
        let output = &mut self.output;
        Ok(self.progress.aside(|| output.text(text))?)
    }
}

fn in_words(done: &Done, answer: &SolveAnswer) -> String {
    let mut text = format!("{}: {}", done.source.label, answer.verdict);
    push_limit(&mut text, answer.limit);
    if let Verdict::Unwinnable(evidence) = &done.decision.verdict {
        let _ = writeln!(text, "  {}", evidence.to_string().replace('\n', "\n  "));
    }
    if let Some(solution) = &answer.solution {
        push_line(&mut text, solution, "solution");
    }
    let Decision { engine, stats, .. } = &done.decision;
    let _ = writeln!(
        text,
        "  {}, {}, engine {engine}",
        counted(stats.states + stats.oracle_states, "state"),
        milliseconds(answer.microseconds),
    );
    text
}
