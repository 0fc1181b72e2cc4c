"""Fuzz the Ask engine: `python -m tests.bench.ask_fuzz [COUNT] [SEED]`; fails on any exception."""

from __future__ import annotations

import random
import statistics
import sys
import time

from dpmodel.ask import answer
from tests.ask.mutations import mangled
from tests.ask.test_fuzz import TEXTS

SLOWEST = 0.05


def main() -> int:
    """Answer mangled questions; report the times, and those above 50 ms."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    dice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for text in TEXTS:
        answer(text)
    times, slow = [], []
    for _ in range(count):
        text = mangled(TEXTS, dice)
        begun = time.process_time()
        answer(text).document()
        times.append(time.process_time() - begun)
        if times[-1] > SLOWEST:
            slow.append((times[-1], text))
    print(
        f"{count} texts: median {1e3 * statistics.median(times):.2f} ms, worst "
        f"{1e3 * max(times):.1f} ms"
    )
    for spent, text in slow[:10]:
        print(f"  {1e3 * spent:.0f} ms: {text[:100]!r}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
