"""The examples of all docstrings."""

import doctest
import inspect
from collections.abc import Iterator

import klondike_solver as ks
import pytest


def documented() -> Iterator[tuple[str, str]]:
    """Everything that has a docstring with examples, also what is written in Rust."""
    yield "klondike_solver", ks.__doc__ or ""
    for name in ks.__all__:
        item = getattr(ks, name)
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


def test_everything_public_has_a_docstring() -> None:
    for name in ks.__all__:
        item = getattr(ks, name)
        assert name.startswith("__") or inspect.getdoc(item), name
        if inspect.isclass(item):
            for key, value in vars(item).items():
                assert key.startswith("_") or inspect.getdoc(value), f"{name}.{key}"
