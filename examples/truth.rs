//! scratch: check truth
use klondike::{
    card::Card,
    deal::Deal,
    prove,
    prune::{Lemma, Lemmas},
    rules::*,
    search::Limits,
    table::Table,
};
use std::sync::Arc;
use std::time::Instant;
fn mt(seed: u32) -> impl FnMut() -> u32 {
    let mut s = [0u32; 624];
    s[0] = seed;
    for i in 1..624 {
        s[i] = 1812433253u32
            .wrapping_mul(s[i - 1] ^ (s[i - 1] >> 30))
            .wrapping_add(i as u32);
    }
    let mut idx = 624;
    move || {
        if idx == 624 {
            for i in 0..624 {
                let y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7fffffff);
                s[i] = s[(i + 397) % 624] ^ (y >> 1) ^ (if y & 1 == 1 { 0x9908b0df } else { 0 });
            }
            idx = 0;
        }
        let mut y = s[idx];
        idx += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        y ^= y >> 18;
        y
    }
}
fn solv(n: u32) -> Deal {
    let mut r = mt(n);
    let mut d: Vec<Card> = vec![];
    for k in "A23456789TJQK".chars() {
        for s in "CHSD".chars() {
            d.push(format!("{k}{s}").parse().unwrap());
        }
    }
    for i in (1..=51u64).rev() {
        let b = (1u64 << 32) / (i + 1);
        let j = loop {
            let j = (r() as u64) / b;
            if j <= i {
                break j;
            }
        };
        d.swap(i as usize, j as usize);
    }
    let stock = d[28..].to_vec();
    let mut piles = vec![vec![]; 7];
    let mut k = 28;
    for row in 0..7 {
        for c in (row..7).rev() {
            k -= 1;
            piles[c].push(d[k]);
        }
    }
    Deal::new(Deck::FULL, piles, stock).unwrap()
}
fn refute(draw: u8, from: u32, to: u32, lem: Lemmas) {
    let rules = Arc::new(Rules::standard_draw(draw).unwrap());
    let (mut a, mut b, mut c, mut un) = (0, 0, 0, 0);
    let mut tt = 0.0;
    let mut bad = 0;
    for n in from..=to {
        let t = Table::new(rules.clone(), &solv(n)).unwrap();
        let g = klondike::kplus::Game::new(&t).unwrap();
        let s = g.start();
        let p = klondike::prune::blocking::is_dead(&g, &s, lem, false);
        let q = klondike::prune::blocking::is_dead(&g, &s, lem, true);
        let t1 = Instant::now();
        let r = klondike::prune::blocking::is_refuted(&g, &s, lem);
        tt += t1.elapsed().as_secs_f64();
        a += p as u32;
        b += q as u32;
        c += r as u32;
        let d = prove::decide(&t, lem, &Limits::default()).unwrap();
        if d.verdict.name() == "unwinnable" {
            un += 1
        } else if p || q || r {
            bad += 1;
            println!("BAD {n}");
        }
    }
    println!(
        "draw {draw}: unwin {un} plain {a} twins {b} strong {c} ({:.1}%) bad {bad}, {:.3} ms each",
        100.0 * c as f64 / un as f64,
        tt * 1e3 / (to - from + 1) as f64
    );
}
fn main() {
    if std::env::var("REFUTE").is_ok() {
        let a: Vec<String> = std::env::args().collect();
        let mut lem = Lemmas::ALL;
        for x in &a[4..] {
            lem = lem.without(x.parse::<Lemma>().unwrap());
        }
        refute(
            a[1].parse().unwrap(),
            a[2].parse().unwrap(),
            a[3].parse().unwrap(),
            lem,
        );
        return;
    }
    let a: Vec<String> = std::env::args().collect();
    let draw: u8 = a[1].parse().unwrap();
    let from: u32 = a[2].parse().unwrap();
    let to: u32 = a[3].parse().unwrap();
    let mut lem = Lemmas::ALL;
    for x in &a[4..] {
        lem = lem.without(x.parse::<Lemma>().unwrap());
    }
    let truth = std::fs::read_to_string("../shared/truth/solvitaire.csv").unwrap();
    let mut map = std::collections::HashMap::new();
    for l in truth.lines().skip(1) {
        let f: Vec<&str> = l.split(',').collect();
        map.insert(
            (f[0].parse::<u8>().unwrap(), f[1].parse::<u32>().unwrap()),
            f[2].to_string(),
        );
    }
    let rules = Arc::new(Rules::standard_draw(draw).unwrap());
    let mut wrong = 0;
    let t0 = Instant::now();
    let (mut st, mut os) = (0, 0);
    let mut times = vec![];
    for n in from..=to {
        let t = Table::new(rules.clone(), &solv(n)).unwrap();
        let t1 = Instant::now();
        let d = prove::decide(
            &t,
            lem,
            &Limits {
                max_states: Some(100_000_000),
                ..Limits::default()
            },
        )
        .unwrap();
        let el = t1.elapsed().as_secs_f64();
        st += d.stats.states;
        os += d.stats.oracle_states;
        times.push((el, n, d.verdict.name(), d.stats));
        if let Some(v) = map.get(&(draw, n)) {
            if v != d.verdict.name() {
                wrong += 1;
                println!("WRONG {n} {} truth {v}", d.verdict.name());
            }
        }
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    for x in times.iter().take(6) {
        println!("{:.3} {} {} {:?}", x.0, x.1, x.2, x.3);
    }
    println!(
        "draw {draw} {from}..{to}: {:.2}s states {st} oracle {os} wrong {wrong} median {:.3}ms p99 {:.1}ms unwin time {:.2}",
        t0.elapsed().as_secs_f64(),
        times[times.len() / 2].0 * 1e3,
        times[times.len() / 100].0 * 1e3,
        times
            .iter()
            .filter(|x| x.2 != "winnable")
            .map(|x| x.0)
            .sum::<f64>()
    );
}
