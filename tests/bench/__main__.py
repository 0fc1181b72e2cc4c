"""All benchmarks in turn: `python -m tests.bench`; a missed target is told, not an error."""

from __future__ import annotations

import sys

from tests.bench import model, screen


def main() -> None:
    """Measure the model on one core, then the screen."""
    print("== Model: processor time on one core", flush=True)
    sys.argv[1:] = []
    model.main()
    print("\n== Screen: wall-clock time in a browser", flush=True)
    screen.main([])


if __name__ == "__main__":
    main()
