"""Benchmarks: scripts to run by hand, `python -m tests.bench.NAME`; no test collects them."""
