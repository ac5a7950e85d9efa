"""Fits the formula of the grade to datasets/difficulty/draw1.csv and draw3.csv.

Prints the constants of crates/play/src/grade.rs and the tables of docs/figures.md, and draws
docs/difficulty.svg. The data are made by `cargo run --release -p klondike-papers --example
difficulty`.

Needs numpy, scikit-learn and matplotlib. Run it in the project's folder: python3 scripts/difficulty.py
"""

import csv

import matplotlib
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "klondike"
import matplotlib.pyplot as plt  # noqa: E402

GAMES = 1024  # of the frozen player, for each deal
TREE, HOP, KORTSMIT = 3, 1, 4  # games of the players, for each deal


def load(draw):
    with open(f"datasets/difficulty/draw{draw}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def terms(data):
    wins = data["wins"]
    return np.log((wins + 0.5) / (GAMES - wins + 0.5))[:, None]


def fit(x, won, games):
    """Logistic regression, every game a point: maximum likelihood."""
    both = np.vstack([x, x])
    ends = np.r_[np.ones(len(x)), np.zeros(len(x))]
    model = LogisticRegression(C=1e9, tol=1e-10, max_iter=10_000)
    model.fit(both, ends, sample_weight=np.r_[won, games - won])
    return model.intercept_[0], model.coef_[0]


def chance(x, base, weights):
    return 1 / (1 + np.exp(-(base + x @ weights)))


def cuts(wins):
    """The fewest wins of the grades 1 to 9: tenths of the deals."""
    return np.quantile(wins, np.arange(9, 0, -1) / 10, method="higher")


def grade(wins, limits):
    return 1 + (wins[:, None] < limits).sum(axis=1)


def auc(chances, won, games):
    ends = np.r_[np.ones(len(won)), np.zeros(len(won))]
    return roc_auc_score(ends, np.r_[chances, chances], sample_weight=np.r_[won, games - won])


figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2), sharey=True, layout="constrained")
for draw, axis in ((1, axes[0]), (3, axes[1])):
    data = load(draw)
    x, won, games = terms(data), data["tree"] + data["hop"], TREE + HOP
    # Half of the deals for the fit, the other half to see how good it is.
    here = np.arange(len(x)) % 2 == 0
    there = ~here
    base, weights = fit(x[here], won[here], games)
    limits = cuts(data["wins"][here])
    held = chance(x[there], base, weights)
    grades = grade(data["wins"][there], limits)
    print(f"## Draw {draw}, {len(x)} deals; fitted to {here.sum()}, seen on the other {there.sum()}\n")
    print(f"AUC {auc(held, won[there], games):.3f}, ", end="")
    print(f"correlation with the share won {np.corrcoef(held, won[there] / games)[0, 1]:.3f}; ", end="")
    # What a perfect formula would reach is below 1, because each deal is played only four times.
    drawn = np.random.default_rng(1).binomial(games, np.tile(held, (200, 1)))
    best = [auc(held, row, games) for row in drawn]
    print(f"AUC if the formula were the truth {np.mean(best):.3f}")
    # Does it help to know how much search a deal needs of somebody who sees all cards?
    more = np.column_stack([x, data["beam"]])
    both = chance(more[there], *fit(more[here], won[here], games))
    alone = data["beam"][:, None]
    alone = chance(alone[there], *fit(alone[here], won[here], games))
    print(f"AUC with the beam too {auc(both, won[there], games):.3f}, ", end="")
    print(f"of the beam alone {auc(alone, won[there], games):.3f}\n")
    print("| grade | deals | predicted, % | won by `tree` and `hop`, % | ± | won by `kortsmit-greedy`, % |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    shown = []
    for number in range(1, 11):
        those = grades == number
        share = won[there][those] / games
        error = 1.96 * share.std(ddof=1) / np.sqrt(those.sum())
        greedy = data["kortsmit"][there][those].mean() / KORTSMIT
        shown.append((number, held[those].mean(), share.mean(), error, greedy))
        print(f"| {number} | {those.sum()} | {100 * held[those].mean():.0f} | {100 * share.mean():.0f} ", end="")
        print(f"| {100 * error:.0f} | {100 * greedy:.0f} |")
    shown = np.array(shown)
    base, weights = (np.round(part, 4) for part in fit(x, won, games))
    limits = cuts(data["wins"]).astype(int)
    print(f"\nconst DRAW_{draw}: base: {base}, slope: {weights[0]}, fewest_wins: {limits.tolist()}\n")

    axis.errorbar(shown[:, 0], 100 * shown[:, 2], 100 * shown[:, 3], fmt="o", color="#1f5fa8",
                  capsize=3, label="won by tree and hop (95 %)")
    axis.plot(shown[:, 0], 100 * shown[:, 1], color="#c05020", label="predicted")
    axis.plot(shown[:, 0], 100 * shown[:, 4], "s", color="#5a8f3c", markersize=5,
              label="won by kortsmit-greedy")
    axis.set_title(f"draw {draw}")
    axis.set_xlabel("grade")
    axis.set_xticks(range(1, 11))
    axis.set_ylim(0, 100)
    axis.grid(alpha=0.3)
axes[0].set_ylabel("games won, % (deals not used for the fit)")
axes[0].legend(loc="lower left")
figure.savefig("docs/difficulty.svg", metadata={"Date": None})
