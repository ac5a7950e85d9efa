"""Interrupts a question of the package."""

import signal
import subprocess
import sys

# The first two signals are let pass: with the third, the search has surely begun. TABLE is a game
# that is searched at the table, which takes far longer than the tests.
LONG = """
import signal
import klondike_solver as ks

def let_pass(*_):
    global left
    left -= 1
    if left == 0:
        raise KeyboardInterrupt

left = 3
TABLE = ks.Rules(draw=2, redeals=3, piles=[1, 1, 1, 1])
signal.signal(signal.SIGINT, let_pass)
print("on", flush=True)
ks.{}
"""


def interrupt(question: str) -> None:
    """Asks a question that takes long, and presses Ctrl-C until it ends."""
    child = subprocess.Popen(
        [sys.executable, "-c", LONG.format(question)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "on\n"
    for _ in range(100):
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=0.2)
            break
        except subprocess.TimeoutExpired:
            continue
    _, errors = child.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors and child.returncode != 0
