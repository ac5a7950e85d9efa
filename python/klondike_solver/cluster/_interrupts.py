"""Ctrl-C that is not lost.

Python raises KeyboardInterrupt wherever the program is. In a callback of the garbage collector, as
Dask has one, it is printed and ignored; the call would then wait for workers that Ctrl-C has ended.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

SECONDS = 0.5


@contextlib.contextmanager
def insistent() -> Iterator[None]:
    """Raises KeyboardInterrupt again and again after Ctrl-C, until it has left this context.

    Only where Python's own handler is in place, and in the main thread, which alone hears signals.
    """
    main, heard = threading.main_thread(), signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not main or heard is not signal.default_int_handler:
        yield
        return
    begun, over = threading.Event(), threading.Event()

    def insist() -> None:
        while not over.wait(SECONDS):
            # A signal to the thread ends what it waits for.
            if main.ident is not None and hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main.ident, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def handler(number: int, frame: Any) -> None:
        if not begun.is_set():
            begun.set()
            threading.Thread(target=insist, daemon=True).start()
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        over.set()
        signal.signal(signal.SIGINT, heard)
