"""The bar that shows how far many deals are, on a terminal or in a notebook."""

import warnings
from typing import Protocol

with warnings.catch_warnings():
    # In a notebook without ipywidgets the bar is text, which is no reason to warn.
    warnings.simplefilter("ignore")
    from tqdm.auto import tqdm


class Bar(Protocol):
    """As much of a bar as is used."""

    def update(self, n: int) -> object: ...

    def set_postfix_str(self, s: str, refresh: bool) -> object: ...

    def close(self) -> None: ...


def bar(total: int | None) -> Bar:
    """A bar for so many deals, which shows itself after two seconds."""
    shown: Bar = tqdm(total=total, unit="deal", delay=2)
    return shown
