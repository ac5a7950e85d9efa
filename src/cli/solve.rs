//! `klondike solve`: can this deal be won, and how?

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::best::Goal;
use crate::cli::deal_source::DealSource;
use crate::cli::in_turn::{InTurn, push_limit};
use crate::cli::limit_args::{LimitArgs, stop_on_interrupt};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::rules_args::RulesArgs;
use crate::cli::score;
use crate::cli::{CliError, Status};
use crate::prove::{self, Decision, Evidence, Verdict, WrongSolution};
use crate::prune::blocking::explain::Explanation;
use crate::prune::{Lemma, Lemmas};
use crate::rules::Rules;
use crate::search::idle_threads::IdleThreads;
use crate::search::shortest::Count;
use crate::search::{Limit, Stats};
use crate::table::Table;
use crate::table::notation::{Counts, Notation};

/// Decide whether deals can be won, with a replayed solution if so
///
/// Examples: `klondike solve solvitaire:3`, `klondike solve --draw 1 --quiet klondike:1..100`,
/// `klondike solve --json deals.txt`. Exit status 3: a limit was hit and something is undecided.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Print only `winnable`, `unwinnable` or `undecided` for each deal
    #[arg(long, short)]
    quiet: bool,

    /// Write solutions in this notation: klondike, minimal, klondike-solver or lonelybot
    #[arg(long, value_name = "NAME", value_parser = read_notation, default_value = "klondike")]
    notation: Notation,

    /// Leave the solutions out
    #[arg(long)]
    no_solution: bool,

    /// Do not use this proven rule (may be given several times, see docs/proofs.md)
    #[arg(long, value_name = "NAME")]
    no_lemma: Vec<Lemma>,

    /// Find a shortest solution; COUNT says what counts beside card moves [default: draws]
    ///
    /// `cards`: card moves only. `draws`: and draws (MinimalKlondike). `flips`: and cards turned up
    /// (Klondike-Solver, 21 more). `redeals`: card moves, draws and redeals. What is found before a
    /// limit or Ctrl-C ends the search is printed, with the length that no solution is shorter than.
    #[arg(long, value_name = "COUNT", num_args = 0..=1, require_equals = true, default_missing_value = "draws", value_parser = read_count)]
    shortest: Option<Count>,

    /// Find a solution with the fewest passes through the talon
    #[arg(long, conflicts_with = "shortest")]
    fewest_passes: bool,

    /// Find the most cards that can be on the foundations, also where not all can
    ///
    /// With a line of play that brings them there, and what they are worth in Vegas: five for each, less
    /// one for each card of the deck. The limit on passes comes from the rules, such as `--rules
    /// vegas3`. What is found before a limit or Ctrl-C ends the search is printed, with the number
    /// of cards that no line gets more of.
    #[arg(long, conflicts_with_all = ["shortest", "fewest_passes"])]
    best_score: bool,

    /// With --best-score: a line with the fewest moves; COUNT as for --shortest [default: draws]
    ///
    /// Of the lines to the best score one with the fewest moves, if redeals are unlimited. What is found
    /// before a limit or Ctrl-C ends the search is printed, with the length that no line to the best
    /// score is shorter than.
    #[arg(long, value_name = "COUNT", requires = "best_score", num_args = 0..=1, require_equals = true, default_missing_value = "draws", value_parser = read_count)]
    fewest_moves: Option<Count>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn read_notation(text: &str) -> Result<Notation, String> {
    Notation::ALL
        .into_iter()
        .find(|notation| notation.name() == text)
        .ok_or_else(|| {
            let names = Notation::ALL.map(Notation::name).join(", ");
            format!("there is no such notation; known: {names}")
        })
}

pub(super) fn read_count(text: &str) -> Result<Count, String> {
    Count::ALL
        .into_iter()
        .find(|count| count.name() == text)
        .ok_or_else(|| {
            let names = Count::ALL.map(Count::name).join(", ");
            format!("there is no such way of counting; known: {names}")
        })
}

/// One line of `klondike solve --json`.
#[derive(Serialize)]
struct SolveJson<'a> {
    kind: &'static str,
    version: u32,
    label: &'a str,
    rules: &'a Rules,
    verdict: &'static str,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<EvidenceJson>,
    states: u64,
    oracle_states: u64,
    dead_ends: u64,
    memory_bytes: u64,
    microseconds: u128,
}

#[derive(Serialize)]
struct SolutionJson<'a> {
    notation: &'static str,
    moves: &'a str,
    counts: Counts,
}

/// Why a deal is unwinnable.
#[derive(Serialize)]
struct EvidenceJson {
    /// `blocked`, `refuted` or `searched`.
    proof: &'static str,
    /// The rules for which it was proved, if they are weaker than those asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    weaker_rules: Option<Rules>,
    /// The cards that wait for each other, if it is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocking_set: Option<Explanation>,
}

impl EvidenceJson {
    fn new(evidence: &Evidence) -> EvidenceJson {
        let (proof, blocking_set) = match evidence {
            Evidence::Blocked(explanation) => ("blocked", Some(explanation.clone())),
            Evidence::Refuted => ("refuted", None),
            Evidence::Searched => ("searched", None),
            Evidence::WeakerRules(rules, evidence) => {
                return EvidenceJson {
                    weaker_rules: Some(Rules::clone(rules)),
                    ..EvidenceJson::new(evidence)
                };
            }
        };
        EvidenceJson {
            proof,
            weaker_rules: None,
            blocking_set,
        }
    }

    fn in_words(&self) -> String {
        let mut text = match self.proof {
            "blocked" => "cards wait for each other",
            "refuted" => "the first position cannot be won, without search",
            _ => "every line of play that matters was searched",
        }
        .to_owned();
        if let Some(rules) = &self.weaker_rules {
            let _ = write!(text, ", even under weaker rules ({rules})");
        }
        if let Some(explanation) = &self.blocking_set {
            text.push(':');
            for line in explanation.to_string().lines() {
                let _ = write!(text, "\n    {line}");
            }
        }
        text
    }
}

/// A deal to decide.
struct Task {
    number: usize,
    label: String,
    table: Table,
}

/// A deal that was decided.
struct Done {
    task: Task,
    decision: Result<Decision, WrongSolution>,
    time: Duration,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let stop = stop_on_interrupt()?;
        let mut sources = self.source.open(&rules)?;
        let notation = (!self.no_solution && !self.quiet).then_some(self.notation);
        let in_turn = InTurn {
            lemmas: self.lemmas(),
            limits: &self.limits,
            rules: &rules,
            stop: &stop,
            notation,
        };
        let total = self.source.count();
        if self.best_score {
            return score::run(self.fewest_moves, &in_turn, &mut sources, total, output);
        }
        let goal = match self.shortest {
            Some(count) => Some(Goal::Shortest(count)),
            None => self.fewest_passes.then_some(Goal::FewestPasses),
        };
        if let Some(goal) = goal {
            return goal.run(&in_turn, &mut sources, total, output);
        }
        // With a single deal all the memory is for one search.
        let first = sources.next().transpose()?;
        let second = sources.next().transpose();
        let several = !matches!(second, Ok(None));
        let threads = self.limits.threads();
        let at_once = if several { threads } else { 1 };
        let spare = Arc::new(IdleThreads::default());
        let mut rest = first.map(Ok).into_iter().chain(second.transpose());
        let mut rest = std::iter::from_fn(|| rest.next().or_else(|| sources.next()));
        let mut printer = Printer {
            args: self,
            rules: &rules,
            output,
            status: Status::Answered,
            progress: Progress::new(self.source.count(), 0),
            interrupted: None,
            last: String::new(),
        };

        let (to_workers, tasks) = mpsc::sync_channel::<Task>(2 * threads);
        let tasks = Mutex::new(tasks);
        let (to_us, results) = mpsc::channel::<Done>();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let to_us = to_us.clone();
                let (tasks, stop, spare) = (&tasks, &stop, &spare);
                scope.spawn(move || {
                    self.work(at_once, tasks, &to_us, stop, spare);
                    // No deal is left for this thread: let it help with others.
                    spare.add_one();
                });
            }
            drop(to_us);
            let ended = feed(
                &rules,
                &mut rest,
                to_workers,
                &results,
                &mut printer,
                &stop,
                threads,
            );
            if ended.is_err() {
                // Whatever is still being searched is of no use any more.
                stop.store(true, Ordering::Relaxed);
            }
            ended
        })?;
        if stop.load(Ordering::Relaxed) && several {
            printer.status = Status::Undecided;
            let next = printer.interrupted.map_or_else(
                || format!("the deal after {}", printer.last),
                |label| format!("deal {label}"),
            );
            eprintln!("klondike: interrupted; to go on, begin with {next}");
        }
        Ok(printer.status)
    }

    /// The lemmas to use.
    fn lemmas(&self) -> Lemmas {
        self.no_lemma
            .iter()
            .fold(Lemmas::ALL, |lemmas, &lemma| lemmas.without(lemma))
    }

    /// Decides deals as long as there are any.
    fn work(
        &self,
        at_once: usize,
        tasks: &Mutex<mpsc::Receiver<Task>>,
        done: &mpsc::Sender<Done>,
        stop: &Arc<AtomicBool>,
        spare: &Arc<IdleThreads>,
    ) {
        let lemmas = self.lemmas();
        loop {
            let task = match tasks.lock() {
                Ok(tasks) => tasks.recv(),
                Err(_) => return,
            };
            let Ok(task) = task else { return };
            let start = Instant::now();
            let limits = self.limits.start(at_once, stop, spare);
            let decision = prove::decide(&task.table, lemmas, &limits);
            let result = Done {
                task,
                decision,
                time: start.elapsed(),
            };
            if done.send(result).is_err() {
                return;
            }
        }
    }
}

/// Hands out the deals and prints the answers in the order of the deals.
fn feed(
    rules: &Arc<Rules>,
    sources: &mut dyn Iterator<Item = Result<crate::cli::deal_source::Source, CliError>>,
    tasks: mpsc::SyncSender<Task>,
    results: &mpsc::Receiver<Done>,
    printer: &mut Printer<'_>,
    stop: &AtomicBool,
    threads: usize,
) -> Result<(), CliError> {
    let mut waiting: BTreeMap<usize, Done> = BTreeMap::new();
    let (mut sent, mut printed) = (0, 0);
    let mut failure = None;
    let mut tasks = Some(tasks);
    loop {
        // A bounded number of deals is under way, so that a slow one holds back few others.
        while let Some(sender) = &tasks
            && sent - printed < 64 * threads
        {
            // The first deal is always answered, if only with "interrupted": no answer at all would look like one.
            let next = if sent > 0 && stop.load(Ordering::Relaxed) {
                None
            } else {
                sources.next()
            };
            let task = match next.map(|source| {
                let source = source?;
                let table = source.table(rules)?;
                Ok(Task {
                    number: sent,
                    label: source.label,
                    table,
                })
            }) {
                Some(Ok(task)) => task,
                Some(Err(error)) => {
                    failure = Some(error);
                    tasks = None;
                    break;
                }
                None => {
                    tasks = None;
                    break;
                }
            };
            sent += 1;
            let mut pending = Some(task);
            while let Some(task) = pending.take() {
                match sender.try_send(task) {
                    Ok(()) => {}
                    Err(mpsc::TrySendError::Full(task)) => {
                        pending = Some(task);
                        receive(results, &mut waiting, printer);
                        print_ready(&mut waiting, &mut printed, printer)?;
                    }
                    Err(mpsc::TrySendError::Disconnected(_)) => {
                        return Err(CliError::Data("a search ended with an error".to_owned()));
                    }
                }
            }
        }
        if printed == sent {
            break;
        }
        if !receive(results, &mut waiting, printer) {
            return Err(CliError::Data("a search ended with an error".to_owned()));
        }
        print_ready(&mut waiting, &mut printed, printer)?;
    }
    failure.map_or(Ok(()), Err)
}

/// Waits for one answer; `false` if there can be none any more.
fn receive(
    results: &mpsc::Receiver<Done>,
    waiting: &mut BTreeMap<usize, Done>,
    printer: &mut Printer<'_>,
) -> bool {
    loop {
        match results.recv_timeout(Duration::from_millis(250)) {
            Ok(done) => {
                waiting.insert(done.task.number, done);
                return true;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => printer.progress.add(0),
            Err(mpsc::RecvTimeoutError::Disconnected) => return false,
        }
    }
}

fn print_ready(
    waiting: &mut BTreeMap<usize, Done>,
    printed: &mut usize,
    printer: &mut Printer<'_>,
) -> Result<(), CliError> {
    while let Some(done) = waiting.remove(printed) {
        *printed += 1;
        printer.print(&done)?;
    }
    Ok(())
}

struct Printer<'a> {
    args: &'a Args,
    rules: &'a Rules,
    output: &'a mut Output,
    status: Status,
    progress: Progress,
    /// The first deal whose search was interrupted.
    interrupted: Option<String>,
    last: String,
}

impl Printer<'_> {
    fn print(&mut self, done: &Done) -> Result<(), CliError> {
        let decision = done
            .decision
            .as_ref()
            .map_err(|error| CliError::Data(format!("{}: {error}", done.task.label)))?;
        let verdict = &decision.verdict;
        let mut limit = None;
        if let Verdict::Undecided(hit) = verdict {
            limit = Some(*hit);
            self.status = Status::Undecided;
            if *hit == Limit::Interrupt && self.interrupted.is_none() {
                self.interrupted = Some(done.task.label.clone());
            }
        }
        self.last.clone_from(&done.task.label);
        self.progress.add(1);
        if self.args.quiet && !self.output.json() {
            return self.text(&format!("{}\n", verdict.name()));
        }
        let solution = self.solution(done, verdict)?;
        let evidence = match verdict {
            Verdict::Unwinnable(evidence) => Some(EvidenceJson::new(evidence)),
            _ => None,
        };
        if self.output.json() {
            let Stats {
                states,
                oracle_states,
                dead_ends,
                memory_bytes,
                ..
            } = decision.stats;
            return Ok(self.output.object(&SolveJson {
                kind: "solve",
                version: 1,
                label: &done.task.label,
                rules: self.rules,
                verdict: verdict.name(),
                engine: decision.engine.name(),
                limit: limit.map(Limit::name),
                solution: solution.as_ref().map(|(moves, counts)| SolutionJson {
                    notation: self.args.notation.name(),
                    moves,
                    counts: *counts,
                }),
                evidence,
                states,
                oracle_states,
                dead_ends,
                memory_bytes,
                microseconds: done.time.as_micros(),
            })?);
        }
        let mut text = format!("{}: {}", done.task.label, verdict.name());
        push_limit(&mut text, limit);
        if let Some(evidence) = evidence {
            let _ = writeln!(text, "  {}", evidence.in_words());
        }
        if let Some((moves, counts)) = solution {
            let Counts {
                card_moves,
                draws,
                redeals,
                ..
            } = counts;
            let _ = writeln!(
                text,
                "  replayed solution: {card_moves} card moves, {draws} draws, {redeals} redeals"
            );
            push_wrapped(&mut text, &moves);
        }
        let _ = writeln!(
            text,
            "  {} states, {:.1} ms, engine {}",
            decision.stats.states + decision.stats.oracle_states,
            done.time.as_secs_f64() * 1e3,
            decision.engine.name()
        );
        self.text(&text)
    }

    fn text(&mut self, text: &str) -> Result<(), CliError> {
        let output = &mut self.output;
        Ok(self.progress.aside(|| output.text(text))?)
    }

    /// The solution in the notation asked for, unless there is none or it is not wanted.
    fn solution(
        &self,
        done: &Done,
        verdict: &Verdict,
    ) -> Result<Option<(String, Counts)>, CliError> {
        let Verdict::Winnable(solution) = verdict else {
            return Ok(None);
        };
        if self.args.no_solution || self.args.quiet {
            return Ok(None);
        }
        let table = &done.task.table;
        let error =
            |error: &dyn std::fmt::Display| CliError::Data(format!("{}: {error}", done.task.label));
        let moves = self
            .args
            .notation
            .write(table, solution.moves())
            .map_err(|bad| error(&bad))?;
        let counts = Counts::of(table, solution.moves()).map_err(|bad| error(&bad))?;
        Ok(Some((moves, counts)))
    }
}

/// Adds words in lines of at most a hundred columns, indented.
pub(super) fn push_wrapped(text: &mut String, words: &str) {
    const WIDTH: usize = 100;
    const INDENT: &str = "   ";
    let mut column = INDENT.len();
    text.push_str(INDENT);
    for word in words.split_whitespace() {
        let width = word.chars().count() + 1;
        if column > INDENT.len() && column + width > WIDTH {
            text.push('\n');
            text.push_str(INDENT);
            column = INDENT.len();
        }
        text.push(' ');
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}
