"""The notebooks run from start to end, and show what their text says."""

import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent / "notebooks"


def outputs(name: str) -> list[tuple[str, str]]:
    """The kind and the text of everything that a notebook shows."""
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    found: list[tuple[str, str]] = []
    cells: list[Any] = notebook.cells
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                found.append((str(output.name), str(output.text)))
            else:
                found += [(str(kind), str(text)) for kind, text in output.data.items()]
    return found


def test_a_first_verdict() -> None:
    shown = outputs("first_verdict.ipynb")
    pictures = [text for kind, text in shown if kind == "image/svg+xml"]
    assert len(pictures) == 3 and "share of games won" in pictures[2]
    texts = "\n".join(text for kind, text in shown if kind in ("text/plain", "stdout"))
    for words in (
        "<Decision winnable",
        "Verdict.UNWINNABLE",
        "<Verified unwinnable>",
        "<Decision undecided, limit of states>",
        "<Decisions of 500 deals: ",
        "<Comparison: the second less the first",
    ):
        assert words in texts


def test_grading_deals() -> None:
    shown = outputs("grading_deals.ipynb")
    assert [kind for kind, _ in shown].count("image/svg+xml") == 1
    texts = "\n".join(text for kind, text in shown if kind in ("text/plain", "stdout"))
    for words in (
        "<Graded 2 of 10, chance 77 %>",
        "286 of 1024 games won, version 1",
        "verdict\nundecided ",
        "hard - 10 of 54 deals tried, 0 undecided",
        "30 deals, and the solution of each wins",
        "[<Advised ",
    ):
        assert words in texts


def test_a_winnability_study() -> None:
    shown = outputs("winnability_study.ipynb")
    pictures = [text for kind, text in shown if kind == "image/svg+xml"]
    captions = ("after the first deals", "Share", "States")
    for picture, caption in zip(pictures, captions, strict=True):
        assert caption in picture
    texts = "\n".join(text for kind, text in shown if kind in ("text/plain", "stdout"))
    # How many are undecided depends on how good the search is.
    shares = r"<Estimate 8\d\.\d % winnable, 7\d\.\d to 8\d\.\d %, of 1000 deals, \d+ undecided>"
    assert re.search(shares, texts)
    for words in (
        "draw  share    low   high  undecided",
        "<Estimate 90.5 % winnable, 85.6 to 93.8 %, of 200 deals, 0 undecided>",
        "{'held': 15, 'impossible': 0, 'over_limit': 0, 'refused': 0}",
    ):
        assert words in texts
