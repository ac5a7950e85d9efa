//! How many states the fixed deals take: a change that costs states, or loses a verdict, shows
//! here. The counts depend on nothing but the program.
//!
//! A change that is meant to alter the counts replaces `benches/fixed/deals.csv` by the text that
//! the failing test prints, and its commit says by how much the sum fell or rose.

#[path = "../benches/fixed/mod.rs"]
mod fixed;

/// Without optimization deals with more states are left out.
const MOST: u64 = if cfg!(debug_assertions) {
    20_000
} else {
    u64::MAX
};

#[test]
fn fixed_deals_take_the_recorded_states() {
    let deals = fixed::deals();
    assert_eq!(deals.len(), 22);
    let (mut text, mut before, mut now) = (format!("{}\n", fixed::HEAD), 0, 0);
    for deal in deals.iter().filter(|deal| deal.all_states() <= MOST) {
        let decision = deal.decide();
        before += deal.all_states();
        now += decision.stats.states + decision.stats.oracle_states;
        text += &deal.row(&decision);
        text.push('\n');
    }
    let recorded: String = std::iter::once(fixed::HEAD.to_owned())
        .chain(
            deals
                .iter()
                .filter(|deal| deal.all_states() <= MOST)
                .map(fixed::Fixed::recorded),
        )
        .map(|line| line + "\n")
        .collect();
    assert!(
        text == recorded,
        "{before} states in all before, {now} now. The file with what is found now:\n{text}"
    );
}
