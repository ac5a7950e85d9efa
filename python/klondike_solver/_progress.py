"""The bar that shows how far many deals are, on a terminal or in a notebook."""

from typing import Protocol

from tqdm.auto import tqdm


class Bar(Protocol):
    """As much of a bar as is used."""

    def update(self, n: int) -> object: ...

    def close(self) -> None: ...


def bar(total: int | None) -> Bar:
    """A bar for so many deals, which shows itself after two seconds."""
    shown: Bar = tqdm(total=total, unit="deal", delay=2)
    return shown
