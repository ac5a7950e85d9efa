"""The examples of all docstrings, and those of the pages."""

import doctest
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import klondike_solver as ks
import klondike_solver.cluster
import klondike_solver.env
import pytest

MODULES = (ks, klondike_solver.cluster, klondike_solver.env)
PUBLIC = [(module, name) for module in MODULES for name in module.__all__]


def documented() -> Iterator[tuple[str, str]]:
    """Everything that has a docstring with examples, also what is written in Rust."""
    for module in MODULES:
        yield module.__name__, module.__doc__ or ""
    for module, name in PUBLIC:
        item = getattr(module, name)
        found = [(name, item)]
        if inspect.isclass(item):
            members = vars(item).items()
            found += [(f"{name}.{key}", one) for key, one in members if type(one) is not item]
        for full, value in found:
            text = inspect.getdoc(value) or ""
            if ">>>" in text:
                yield full, text


DOCUMENTED = list(documented())


@pytest.mark.parametrize(("name", "text"), DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_examples(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert test.examples
    results = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test)
    assert results.failed == 0


def blocks_of(page: str) -> list[str]:
    """The programs of a page in `docs`, which `scripts/python.sh` puts beside the tests."""
    text = (Path(__file__).parent / page).read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in text.split("```python\n")[1:]]
    assert len(blocks) >= 3
    return blocks


@pytest.mark.parametrize("page", ["python.md", "gymnasium.md"])
def test_the_examples_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks_of(page):
        exec(compile(block, f"docs/{page}", "exec"), names)


def test_the_programs_for_clusters_run_as_files(tmp_path: Path) -> None:
    """Since workers of Dask import the file that begins them."""
    for block in blocks_of("clusters.md"):
        (tmp_path / "program.py").write_text(block, encoding="utf-8")
        ended = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, timeout=120)
        assert ended.returncode == 0


def test_everything_public_has_a_docstring() -> None:
    for module, name in PUBLIC:
        item = getattr(module, name)
        assert name.startswith("__") or inspect.getdoc(item), name
        if inspect.isclass(item):
            for key, value in vars(item).items():
                # A value, such as a member of an enum, has only the docstring of its type.
                if inspect.isroutine(value) or inspect.isdatadescriptor(value):
                    assert key.startswith("_") or inspect.getdoc(value), f"{name}.{key}"
