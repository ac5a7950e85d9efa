//! A report as one page of HTML, with everything in it: style, pictures, tables; no script.

use super::ReportError;
use crate::mean::ratio;
use crate::plots::{self, report::Plot};
use crate::text::{self, Places, grouped};
use klondike_batch::interval::Interval;
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Beside, Pair, Run};
use klondike_contract::runs::{Audits, Hard, Published, RunLimits};

/// Light and dark by the wish of the reader. Tables of results fit a width of 360 pixels: values
/// stand first, sources are folded away. Each picture is there twice, for wide and narrow screens,
/// as the text of a picture shrinks with it.
const STYLE: &str = "\
:root{color-scheme:light dark;--text:#282828;--page:#fff;--line:#e1e1e1;--soft:#555;--bad:#b00020;\
--winnable:#0072b2;--undecided:#5a5a5a}\
@media(prefers-color-scheme:dark){\
:root{--text:#e2e2e2;--page:#16181b;--line:#3a3d42;--soft:#a4a8ae;--bad:#ff7a85;\
--winnable:#4aa8e0;--undecided:#a0a4aa}}\
body{font:15px/1.5 sans-serif;color:var(--text);background:var(--page);\
max-width:58em;margin:2em auto;padding:0 1em}\
h1{font-size:1.7em;overflow-wrap:anywhere}\
h2{margin-top:2.2em;border-bottom:1px solid var(--line);overflow-wrap:anywhere}\
h3{margin:1.6em 0 .3em}\
table{border-collapse:collapse;margin:.8em 0}\
th,td{padding:.25em 1.2em .25em 0;text-align:right;vertical-align:top;white-space:nowrap;\
border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}\
th{font-weight:400;color:var(--soft);white-space:normal;vertical-align:bottom}\
th.name{color:var(--text);font-weight:600;text-align:left;overflow-wrap:anywhere;\
padding-top:.7em;border-bottom:0}\
.text{text-align:left}\
.made th{text-align:left;vertical-align:top;white-space:nowrap}\
.made td{text-align:left;white-space:normal;overflow-wrap:anywhere}\
figure{margin:1.4em 0}figcaption{font-weight:600;margin-bottom:.4em}\
svg{display:block;width:100%;max-width:860px;height:auto}\
.narrow{display:none;max-width:520px}\
summary{cursor:pointer;color:var(--soft)}\
.bad{color:var(--bad);font-weight:600}.note,details{color:var(--soft);font-size:.92em}\
@media screen and (max-width:55.5em){.wide{display:none}.narrow{display:block}}\
@media(max-width:40em){th,td{font-size:.82em;padding-right:.75em}.text{white-space:normal}}";

/// Colours of the pictures that differ in the dark.
const COLOURS: [(&str, &str); 5] = [
    ("#282828", "var(--text)"),
    ("#FFFFFF", "var(--page)"),
    ("#E1E1E1", "var(--line)"),
    ("#0072B2", "var(--winnable)"),
    ("#5A5A5A", "var(--undecided)"),
];

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
        let name = plot.name();
        let chosen = |svg: String| {
            (COLOURS.iter()).fold(svg, |svg, (fixed, chosen)| {
                svg.replace(&format!("\"{fixed}\""), &format!("\"{chosen}\""))
            })
        };
        self.0.push_str(&format!(
            "<figure class=\"{name}\"><figcaption>{caption}</figcaption>\n\
             <div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n</figure>\n",
            chosen(plot.svg()?),
            chosen(plot.narrow_svg()?),
        ));
        Ok(())
    }

    /// A table. The heads of columns of text begin with `*`; a row of one cell is the name of what
    /// the rows below are about.
    fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        let class = |head: &str| match head.starts_with('*') {
            true => " class=\"text\"",
            false => "",
        };
        self.0.push_str("<table>\n<tr>");
        for head in heads {
            let text = escape(head.trim_start_matches('*'));
            self.0.push_str(&format!("<th{}>{text}</th>", class(head)));
        }
        self.0.push_str("</tr>\n");
        for row in rows {
            self.0.push_str("<tr>");
            if let [name] = row.as_slice() {
                let (columns, name) = (heads.len(), escape(name));
                self.0.push_str(&format!(
                    "<th class=\"name\" colspan=\"{columns}\">{name}</th>"
                ));
            } else {
                for (head, cell) in heads.iter().zip(row) {
                    self.0
                        .push_str(&format!("<td{}>{}</td>", class(head), escape(cell)));
                }
            }
            self.0.push_str("</tr>\n");
        }
        self.0.push_str("</table>\n");
    }

    /// A table of names and what they stand for.
    fn facts(&mut self, rows: &[(&str, String)]) {
        self.0.push_str("<table class=\"made\">\n");
        for (name, text) in rows.iter().filter(|row| !row.1.is_empty()) {
            let text = escape(text);
            self.0
                .push_str(&format!("<tr><th>{name}</th><td>{text}</td></tr>\n"));
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
        let level = text::level(report.confidence);
        let rows = report.runs.iter().flat_map(overview_rows);
        self.table(
            &[
                "winnable",
                &format!("{level} % interval"),
                "deals",
                "undecided",
            ],
            &rows.collect::<Vec<_>>(),
        );
        self.note(&format!(
            "The share is that of the decided deals. Intervals are Wilson's at {level} %, with \
            undecided deals as lost at the lower end and as won at the upper one. They hold for a \
            number of deals that was fixed beforehand, looked at once."
        ));
        for plot in Plot::of_all(report) {
            self.figure(plot)?;
        }
        self.published(report);
        Ok(())
    }

    fn published(&mut self, report: &ReportAnswer) {
        let all = report.runs.iter().filter(|run| !run.published.is_empty());
        let rows = all.clone().flat_map(|run| {
            let beside = run.published.iter().map(published_row);
            std::iter::once(vec![run.name.clone()]).chain(beside)
        });
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            return;
        }
        self.0.push_str("<h3>Beside published figures</h3>\n");
        self.table(
            &["published", "ours less theirs", "interval", "*", "*source"],
            &rows,
        );
        self.note(
            "Intervals at 95 %, as the sources give them. A difference is ours less the published \
             one, in points of percent, of independent samples; its interval has the errors of \
             both.",
        );
        let mut sources: Vec<String> = all.flat_map(|run| &run.published).map(source).collect();
        sources.sort();
        sources.dedup();
        self.0
            .push_str("<details><summary>Sources</summary>\n<ul>\n");
        for source in sources {
            self.0.push_str(&format!("<li>{}</li>\n", escape(&source)));
        }
        self.0.push_str("</ul>\n</details>\n");
    }

    fn pairs(&mut self, report: &ReportAnswer) {
        self.0
            .push_str("<h2>The same deals under other rules</h2>\n");
        let rows: Vec<_> = report.pairs.iter().flat_map(pair_rows).collect();
        self.table(&["wins lost", "interval", "published", "deals"], &rows);
        for pair in &report.pairs {
            let variants = &pair.variants;
            self.note(&format!(
                "{} and {}: {} deals are won under both, {} only under the first, {} are open.",
                pair.free_run,
                pair.strict_run,
                grouped(variants.both),
                grouped(variants.only_free),
                grouped(variants.strict_open + variants.free_open + variants.both_open),
            ));
        }
        self.note(
            "Of the deals that can be won under the rules that allow more, the share that cannot \
            be won under the stricter ones. All that is allowed under the stricter rules is \
            allowed under the others, so a deal lost under the rules that allow more is lost \
            under the stricter ones, and a win under the stricter ones holds under both; no pair of \
            records contradicts this.",
        );
    }

    /// How the run was made.
    fn made(&mut self, run: &Run) {
        let summary = &run.summary;
        let programs: Vec<&str> = summary.programs.iter().map(String::as_str).collect();
        let limits: Vec<String> = summary.limits.iter().map(|&one| limits(one)).collect();
        let mut rows = vec![
            ("rules", summary.rules_text.clone()),
            (
                "deals",
                format!(
                    "{} of the scheme {}, {}",
                    grouped(summary.looked_at()),
                    summary.scheme,
                    ranges(run)
                ),
            ),
            ("limits", limits.join("; ")),
            ("program", format!("klondike {}", programs.join(", "))),
        ];
        for session in &run.sessions {
            rows.extend([
                ("date", session.started.clone()),
                ("command", session.command.clone()),
                (
                    "machine",
                    match session.threads {
                        1 => format!("{}, 1 thread", session.machine),
                        threads => format!("{}, {threads} threads", session.machine),
                    },
                ),
            ]);
        }
        self.facts(&rows);
    }

    fn run(&mut self, run: &Run, confidence: f64) -> Result<(), ReportError> {
        let (summary, proofs) = (&run.summary, run.summary.proofs);
        self.0
            .push_str(&format!("<h2>{}</h2>\n", escape(&run.name)));
        self.made(run);
        let estimate = &run.estimate;
        self.paragraph(&format!(
            "{} deals are winnable, {} unwinnable, {} undecided. Clopper and Pearson's interval of \
            the share is {}.",
            grouped(summary.verdicts.winnable),
            grouped(summary.verdicts.unwinnable),
            grouped(summary.open()),
            Places::of_share(estimate.wilson).percent_range(estimate.clopper_pearson),
        ));
        let lost = summary.verdicts.unwinnable;
        let undecided = summary.open();
        let all = summary.looked_at();
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
            "Unwinnable deals: {}. Lost by search: {}; refuted without search, by the relaxation \
            of the first position: {}; blocked from the start: {}. The last two together: {}, {} \
            of all deals and {} of the unwinnable ones.",
            grouped(lost),
            grouped(proofs.searched),
            grouped(proofs.refuted),
            grouped(proofs.blocked),
            grouped(refuted),
            share_text(refuted, summary.deals, confidence),
            share_text(refuted, lost, confidence),
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
                text::level(confidence)
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

fn overview_rows(run: &Run) -> [Vec<String>; 2] {
    let places = Places::of_share(run.estimate.wilson);
    let values = vec![
        places.percent(run.estimate.share),
        places.percent_range(run.estimate.wilson),
        grouped(run.summary.looked_at()),
        grouped(run.summary.open()),
    ];
    [vec![run.name.clone()], values]
}

fn published_row(beside: &Beside) -> Vec<String> {
    let places = Places::of_share(beside.difference_interval);
    vec![
        published_text(&beside.published),
        places.points(beside.difference).replace('-', "−"),
        places
            .points_range(beside.difference_interval)
            .replace('-', "−"),
        if beside.agrees { "agrees" } else { "differs" }.to_owned(),
        beside.published.name.clone(),
    ]
}

/// A source with all that is known of it.
fn source(beside: &Beside) -> String {
    let Published {
        name,
        source,
        deals,
        ..
    } = &beside.published;
    let deals = deals.map_or_else(String::new, |deals| format!(" ({} deals)", grouped(deals)));
    format!("{name}: {source}{deals}")
}

fn pair_rows(pair: &Pair) -> [Vec<String>; 2] {
    let places = Places::of_share(pair.wilson);
    let values = vec![
        places.percent(pair.share),
        places.percent_range(pair.wilson),
        pair.published
            .as_ref()
            .map_or_else(String::new, published_text),
        grouped(pair.variants.deals),
    ];
    [
        vec![format!("{} → {}", pair.free_run, pair.strict_run)],
        values,
    ]
}

/// Limits in words.
fn limits(limits: RunLimits) -> String {
    let states = limits.max_states.map_or_else(
        || "any number of states".to_owned(),
        |states| format!("{} states", grouped(states)),
    );
    let memory = grouped(limits.memory_bytes >> 20);
    let seconds = limits
        .seconds
        .map_or_else(String::new, |seconds| format!(" and {seconds} s"));
    let states = match limits.max_states {
        Some(most) if most <= limits.first_states => format!("{states} of a deal"),
        _ => format!(
            "{} states of a deal at first, then {states}",
            grouped(limits.first_states)
        ),
    };
    format!("{states}{seconds}; {memory} MiB for all searches")
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
    fn limits_name_a_first_search_only_if_there_is_another() {
        let words = |max_states| {
            limits(RunLimits {
                first_states: 1_000,
                max_states,
                memory_bytes: 1 << 30,
                seconds: None,
                share_hard: false,
            })
        };
        let memory = "1,024 MiB for all searches";
        assert_eq!(words(Some(200)), format!("200 states of a deal; {memory}"));
        let first = "1,000 states of a deal at first, then";
        for (most, then) in [
            (Some(5_000), "5,000 states"),
            (None, "any number of states"),
        ] {
            assert_eq!(words(most), format!("{first} {then}; {memory}"));
        }
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
