//! A report as one page of HTML, with everything in it: style, pictures, tables; no script.

use super::ReportError;
use crate::mean::ratio;
use crate::plots::{self, report::Plot};
use crate::text::{Places, grouped};
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Beside, Pair, Run};
use klondike_contract::runs::{Audits, Hard, Published};
use klondike_play::interval::Interval;

/// Light and dark by the wish of the reader. Figures keep their units beside them; on a narrow screen
/// names wrap, so that results stay in sight, and pictures scroll at a size that can be read.
const STYLE: &str = "\
:root{color-scheme:light dark;--text:#282828;--page:#fff;--line:#ddd;--soft:#555;--bad:#b00020}\
@media(prefers-color-scheme:dark){\
:root{--text:#e2e2e2;--page:#16181b;--line:#3a3d42;--soft:#a4a8ae;--bad:#ff7a85}}\
body{font:15px/1.5 sans-serif;color:var(--text);background:var(--page);\
max-width:62em;margin:2em auto;padding:0 1em}\
h1{font-size:1.7em;overflow-wrap:anywhere}\
h2{margin-top:2.2em;border-bottom:1px solid var(--line)}h3{margin:1.6em 0 .3em}\
table{border-collapse:collapse;margin:.8em 0;display:block;overflow-x:auto}\
th,td{padding:.2em .8em .2em 0;text-align:right;vertical-align:top;white-space:nowrap;\
font-variant-numeric:tabular-nums}\
th{font-weight:600;white-space:normal}th,td{border-bottom:1px solid var(--line)}\
th.text,td.text{text-align:left;white-space:normal}\
figure{margin:1em 0;overflow-x:auto}figcaption{font-weight:600}\
svg{max-width:100%;min-width:34em;height:auto;background:#fff;border-radius:6px}\
.bad{color:var(--bad);font-weight:600}.note{color:var(--soft);font-size:.92em}\
@media(max-width:40em){th,td{font-size:.86em;padding-right:.5em}\
td.text{max-width:7.5em;overflow-wrap:anywhere}}";

/// Most rows of a table of hard deals.
const HARDEST: usize = 10;

/// The page of a report.
///
/// # Errors
/// If a picture cannot be drawn.
pub fn html(report: &ReportAnswer) -> Result<String, ReportError> {
    let mut page = Page(String::new());
    let title = match report.runs.as_slice() {
        [run] => format!("Winnability: {}", run.name),
        runs => format!("Winnability: {} runs", runs.len()),
    };
    page.0.push_str(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        title = escape(&title)
    ));
    page.overview(report)?;
    if !report.pairs.is_empty() {
        page.pairs(report);
    }
    for run in &report.runs {
        page.run(run, report.confidence)?;
    }
    page.0.push_str(&format!(
        "<p class=\"note\">Made by klondike {}.</p>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    ));
    Ok(page.0)
}

/// `&amp;` and the like for what HTML would read as its own.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn duration(microseconds: u64) -> String {
    match microseconds {
        0..10_000 => format!("{} µs", grouped(microseconds)),
        10_000..10_000_000 => format!("{} ms", grouped(microseconds / 1000)),
        10_000_000..36_000_000_000 => format!("{} s", grouped(microseconds / 1_000_000)),
        _ => format!("{} h", grouped(microseconds / 3_600_000_000)),
    }
}

struct Page(String);

impl Page {
    /// Adds a picture, if the program can draw.
    fn figure(&mut self, plot: Plot<'_>) -> Result<(), ReportError> {
        if plots::built().is_err() {
            return Ok(());
        }
        let caption = escape(plot.caption());
        let (name, svg) = (plot.name(), plot.svg()?);
        self.0.push_str(&format!(
            "<figure class=\"{name}\"><figcaption>{caption}</figcaption>\n{svg}\n</figure>\n"
        ));
        Ok(())
    }

    /// A table; the heads of columns of text begin with `*`.
    fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        let class = |head: &str| {
            if head.starts_with('*') {
                " class=\"text\""
            } else {
                ""
            }
        };
        self.0.push_str("<table>\n<tr>");
        for head in heads {
            let text = escape(head.trim_start_matches('*'));
            self.0.push_str(&format!("<th{}>{text}</th>", class(head)));
        }
        self.0.push_str("</tr>\n");
        for row in rows {
            self.0.push_str("<tr>");
            for (head, cell) in heads.iter().zip(row) {
                self.0
                    .push_str(&format!("<td{}>{}</td>", class(head), escape(cell)));
            }
            self.0.push_str("</tr>\n");
        }
        self.0.push_str("</table>\n");
    }

    fn paragraph(&mut self, text: &str) {
        self.0.push_str(&format!("<p>{}</p>\n", escape(text)));
    }

    fn note(&mut self, text: &str) {
        self.0
            .push_str(&format!("<p class=\"note\">{}</p>\n", escape(text)));
    }

    fn overview(&mut self, report: &ReportAnswer) -> Result<(), ReportError> {
        let level = 100.0 * report.confidence;
        let rows: Vec<_> = report.runs.iter().map(overview_row).collect();
        self.table(
            &[
                "*run",
                "*rules",
                "deals",
                "winnable",
                "unwinnable",
                "undecided",
                "share winnable",
                "Wilson",
                "Clopper–Pearson",
            ],
            &rows,
        );
        self.note(&format!(
            "The share is that of the decided deals. Intervals are at {level} %, with undecided \
            deals as lost at the lower end and as won at the upper one. They hold for a number of \
            deals that was fixed beforehand, looked at once."
        ));
        let published: Vec<_> = report
            .runs
            .iter()
            .flat_map(|run| {
                run.published
                    .iter()
                    .map(|beside| published_row(run, beside))
            })
            .collect();
        for plot in Plot::of_all(report) {
            self.figure(plot)?;
        }
        if !published.is_empty() {
            self.0.push_str("<h3>Beside published figures</h3>\n");
            self.table(
                &[
                    "*run",
                    "ours",
                    "published",
                    "difference",
                    "interval of it",
                    "*",
                    "*source",
                ],
                &published,
            );
            self.note(
                "Intervals at 95 %, as the sources give them. Ours and theirs are taken as \
                 independent samples; differences are in points of percent.",
            );
        }
        Ok(())
    }

    fn pairs(&mut self, report: &ReportAnswer) {
        self.0
            .push_str("<h2>The same deals under other rules</h2>\n");
        let rows: Vec<_> = report.pairs.iter().map(pair_row).collect();
        self.table(
            &[
                "*allows more",
                "*stricter",
                "deals",
                "won under both",
                "only under the first",
                "open",
                "share of the wins lost",
                "Wilson",
                "published",
            ],
            &rows,
        );
        self.note(
            "All that is allowed under the stricter rules is allowed under the others, so a deal \
            lost under the rules that allow more is lost under the stricter ones, and a win under \
            the stricter ones holds under both; no pair of records contradicts this.",
        );
    }

    fn run(&mut self, run: &Run, confidence: f64) -> Result<(), ReportError> {
        let (summary, proofs) = (&run.summary, run.summary.proofs);
        self.0
            .push_str(&format!("<h2>{}</h2>\n", escape(&run.name)));
        self.paragraph(&format!(
            "{}; {} deals of the scheme {}, {}.",
            summary.rules_text,
            grouped(summary.deals),
            summary.scheme,
            ranges(run)
        ));
        let lost = summary.verdicts.unwinnable;
        let undecided = summary.open();
        let all = summary.deals + summary.set_aside;
        let places = Places::of_share(run.estimate.wilson);
        let share = |won: u64| places.percent(ratio(won, all));
        if undecided > 0 {
            self.paragraph(&format!(
                "{} deals are undecided: {} hit the limit of states, {} of memory, {} of time, {} \
                are set aside and not finished. Counted as lost, {} of the deals are winnable; \
                counted as won, {}.",
                grouped(undecided),
                grouped(summary.hits.states),
                grouped(summary.hits.memory),
                grouped(summary.hits.time),
                grouped(summary.set_aside),
                share(summary.verdicts.winnable),
                share(summary.verdicts.winnable + undecided),
            ));
        }
        if summary.missing > summary.set_aside {
            self.paragraph(&format!(
                "{} deals of the run have not been looked at yet.",
                grouped(summary.missing - summary.set_aside)
            ));
        }
        let refuted = proofs.blocked + proofs.refuted;
        self.paragraph(&format!(
            "Refuted without search: {} deals, {} of all and {} of the {} unwinnable ones ({} \
            blocked from the start, {} by the relaxation of the first position); {} needed a \
            search.",
            grouped(refuted),
            share_text(refuted, summary.deals, confidence),
            share_text(refuted, lost, confidence),
            grouped(lost),
            grouped(proofs.blocked),
            grouped(proofs.refuted),
            grouped(proofs.searched)
        ));
        if proofs.weaker_rules > 0 {
            self.paragraph(&format!(
                "{} of the losses were proven under rules that allow more.",
                grouped(proofs.weaker_rules)
            ));
        }
        self.audit(summary.audits, run.audited());
        for plot in Plot::of_run(run) {
            self.figure(plot)?;
        }
        if run.growth.len() > 1 {
            self.note(&format!(
                "The deals are taken in the order of their seeds. At each number of deals the \
                interval is one of {} % by itself; looking at all of them and picking one has \
                less.",
                100.0 * confidence
            ));
        }
        self.0.push_str("<h3>Hardest deals</h3>\n");
        self.hard("states", &summary.hardest, grouped);
        if let Some(times) = &run.times {
            self.hard("processor time", &times.slowest, duration);
            self.paragraph(&format!(
                "All together: {} states of the main search, {} of the draw-1 oracle, {} of \
                processor time.",
                grouped(summary.states),
                grouped(summary.oracle_states),
                duration(times.microseconds)
            ));
        }
        Ok(())
    }

    fn audit(&mut self, audits: Audits, asked: u64) {
        if asked == 0 {
            return self.paragraph("No verdict was checked by a certificate.");
        }
        let text = format!(
            "Certificates: asked for {} verdicts; {} were made and checked, and held; {} losses \
            have none under these rules, {} were over the limits.",
            grouped(asked),
            grouped(audits.held),
            grouped(audits.impossible),
            grouped(audits.over_limit)
        );
        self.paragraph(&text);
        if audits.refused > 0 {
            self.0.push_str(&format!(
                "<p class=\"bad\">{} certificates were refused: this is a bug.</p>\n",
                grouped(audits.refused)
            ));
        } else {
            self.paragraph("None was refused.");
        }
    }

    fn hard(&mut self, what: &str, deals: &[Hard], text: fn(u64) -> String) {
        let rows: Vec<_> = deals
            .iter()
            .take(HARDEST)
            .map(|deal| {
                vec![
                    deal.seed.to_string(),
                    deal.verdict.clone(),
                    text(deal.amount),
                ]
            })
            .collect();
        self.table(&["seed", "*verdict", what], &rows);
    }
}

/// A share with the digits that its interval deserves.
fn share_text(part: u64, whole: u64, confidence: f64) -> String {
    let interval = Interval::wilson(part, whole, confidence);
    Places::of_share(interval).percent(ratio(part, whole))
}

/// A published share with half the width of its interval.
fn published_text(published: &Published) -> String {
    let interval = published.interval;
    let places = Places::of_share(interval);
    let half = (interval.high - interval.low) / 2.0;
    let share = places.number(100.0 * published.share);
    format!("{share} ± {}", places.percent(half))
}

fn overview_row(run: &Run) -> Vec<String> {
    let summary = &run.summary;
    let places = Places::of_share(run.estimate.wilson);
    vec![
        run.name.clone(),
        summary.rules_text.clone(),
        grouped(summary.deals),
        grouped(summary.verdicts.winnable),
        grouped(summary.verdicts.unwinnable),
        grouped(summary.open()),
        places.percent(run.estimate.share),
        places.percent_range(run.estimate.wilson),
        places.percent_range(run.estimate.clopper_pearson),
    ]
}

fn published_row(run: &Run, beside: &Beside) -> Vec<String> {
    let published = &beside.published;
    let places = Places::of_share(beside.difference_interval);
    let deals = published
        .deals
        .map_or_else(String::new, |deals| format!(" ({} deals)", grouped(deals)));
    vec![
        run.name.clone(),
        Places::of_share(run.estimate.wilson).percent(run.estimate.share),
        published_text(published),
        places.points(beside.difference),
        places.points_range(beside.difference_interval),
        if beside.agrees { "agrees" } else { "differs" }.to_owned(),
        format!("{}{deals}", published.source),
    ]
}

fn pair_row(pair: &Pair) -> Vec<String> {
    let variants = &pair.variants;
    let published = pair.published.as_ref();
    let places = Places::of_share(pair.wilson);
    vec![
        pair.free_run.clone(),
        pair.strict_run.clone(),
        grouped(variants.deals),
        grouped(variants.both),
        grouped(variants.only_free),
        grouped(variants.strict_open + variants.free_open + variants.both_open),
        places.percent(pair.share),
        places.percent_range(pair.wilson),
        published.map_or_else(String::new, published_text),
    ]
}

/// Seeds in words.
fn ranges(run: &Run) -> String {
    match run.summary.ranges.as_slice() {
        [] => "none yet".to_owned(),
        [range] => format!(
            "seeds {} to {}",
            range.first,
            range.first.plus(range.deals.saturating_sub(1))
        ),
        ranges => format!("in {} ranges of seeds", ranges.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escape("<b a=\"1\">R&D</b>"),
            "&lt;b a=&quot;1&quot;&gt;R&amp;D&lt;/b&gt;"
        );
    }

    #[test]
    fn durations_have_a_unit_that_fits() {
        for (microseconds, text) in [
            (0, "0 µs"),
            (9_999, "9,999 µs"),
            (12_345, "12 ms"),
            (61_000_000, "61 s"),
            (36_000_000_000, "10 h"),
        ] {
            assert_eq!(duration(microseconds), text);
        }
    }
}
