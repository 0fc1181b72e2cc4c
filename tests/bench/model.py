"""How fast the model is on one core: `python -m tests.bench.model [--points N]`.

A point is one (scenario, workers) pair carried through to the full breakdown: time, speed-up,
efficiency and every part of the step, all of them touched. Three kinds of sweep: a grid of
bandwidth x model size x workers with equal buckets; points that share nothing, where every knob
named differs at each point; and grids with a model's own layer profile. Processor time, so that
other work on the machine counts as little as it can; best of several rounds.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import subprocess
import sys
import time

import numpy as np

from dpmodel.overlap import profile_buckets
from dpmodel.scenario import Scenario
from dpmodel.step import gradient_size
from dpmodel.training import Prediction, predict

WORKERS = 2.0 ** np.arange(13)
BATCH = 65536.0
PARTS = ("compute", "contention", "exposed", "hidden", "straggler", "input", "serial", "total")
TARGET_EQUAL, TARGET_PROFILE, TARGET_IMPORT = 5e6, 3e5, 0.150


def touch(prediction: Prediction, shape: tuple[int, ...]) -> float:
    """Read every part of every point, so that nothing is left uncomputed."""
    step = prediction.step
    arrays = [getattr(step, part) for part in PARTS]
    arrays += [prediction.time, prediction.speed_up, prediction.efficiency]
    return float(sum(np.broadcast_to(array, shape).sum() for array in arrays))


def rate(scenario: Scenario, workers: np.ndarray, rounds: int) -> float:
    """Points per second of `predict` with the full breakdown, best of `rounds`."""
    shape = np.broadcast_shapes(
        np.shape(scenario.bandwidth), np.shape(scenario.parameters), workers.shape
    )
    best = np.inf
    for _ in range(rounds):
        began = time.process_time()
        touch(predict(scenario, workers), shape)
        best = min(best, time.process_time() - began)
    return float(np.prod(shape) / best)


def grid(points: int, **fields: object) -> Scenario:
    """Bandwidths x model sizes, to be swept over `WORKERS`."""
    side = max(int(np.sqrt(points / WORKERS.size)), 1)
    return Scenario(batch=BATCH, **fields).but(  # type: ignore[arg-type]
        bandwidth=np.geomspace(1e8, 1e11, side)[:, None, None],
        parameters=np.geomspace(1e6, 1e10, side)[:, None],
    )


def unrelated(points: int, **fields: object) -> tuple[Scenario, np.ndarray]:
    """Points at which bandwidth, size, latency, hours and workers all differ."""
    chance = np.random.default_rng(7)
    scenario = Scenario(batch=BATCH, **fields).but(  # type: ignore[arg-type]
        bandwidth=10 ** chance.uniform(8, 11, points),
        parameters=10 ** chance.uniform(6, 10, points),
        latency=10 ** chance.uniform(-6, -4, points),
        one_worker_time=10 ** chance.uniform(4, 7, points),
    )
    return scenario, chance.integers(1, 4097, points).astype(float)


def profile_grid(points: int, profile: str, buckets: int) -> tuple[Scenario, int]:
    """Bandwidths to be swept over `WORKERS`, a model's own layers, and how many buckets it has."""
    from dpmodel.catalogue import models
    from dpmodel.layers import layer_profile

    scenario = Scenario(batch=BATCH, layers=profile, parameters=float(models()[profile].params))
    size = float(gradient_size(scenario))
    scenario = scenario.but(
        bandwidth=np.geomspace(1e8, 1e11, max(points // WORKERS.size, 1))[:, None],
        bucket=max(size / buckets, 1e6),
    )
    layers = layer_profile(profile)
    sizes, _ = profile_buckets(
        layers.params, layers.backward_share, size, scenario.bucket, scenario.first_bucket
    )
    return scenario, int(sizes.size)


def import_time() -> float:
    """Seconds that `import dpmodel` and `predict` take beyond numpy's own import, best of 5."""
    code = (
        "import numpy, numpy.random, time; t = time.perf_counter(); import dpmodel;"
        "from dpmodel.training import predict; print(time.perf_counter() - t)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(5)
    ]
    return min(float(run.stdout) for run in runs)


def page_work(scenario: Scenario) -> float:
    """Seconds of the Explore page's model work: curves, all four families, one opened map."""
    from dpmodel.curves import curve_grid, curves_along, one_curve, points_along, speed_map
    from dpmodel.scenario import FIELD_KNOBS

    ladders = {
        field: np.array([knob.parse(rung) for rung in knob.ladder])
        for field, knob in FIELD_KNOBS.items()
        if knob.group == "headline" and not knob.choices
    }
    best = np.inf
    for _ in range(20):
        began = time.process_time()
        grid = curve_grid(scenario)
        one_curve(scenario, grid)
        for field, values in ladders.items():
            points_along(scenario, field, values)
            if field != "workers":
                curves_along(scenario, field, values, grid)
        speed_map(scenario, "bandwidth", ladders["bandwidth"], WORKERS)
        best = min(best, time.process_time() - began)
    return best


def pages() -> dict[str, Scenario]:
    """Scenarios whose Explore page is timed."""
    return {
        "default": Scenario(),
        "realistic": Scenario(mode="realistic"),
        "own layers": Scenario(mode="realistic", layers="bert-large", parameters=335_141_888.0),
    }


def report(name: str, value: float, target: float, unit: str, *, less: bool = False) -> bool:
    """Print one figure beside its target; return whether it holds."""
    holds = value <= target if less else value >= target
    sign = "<=" if less else ">="
    verdict = "holds" if holds else "FALLS SHORT"
    print(f"{name:58s} {value:10.3g} {unit:10s} target {sign} {target:g}: {verdict}")
    return holds


def main() -> int:
    """Print all figures; return 1 where one falls short."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    held = []
    for mode in ("ideal", "communication", "realistic"):
        got = rate(grid(options.points, mode=mode), WORKERS, options.rounds)
        held.append(report(f"grid, equal buckets, {mode}", got, TARGET_EQUAL, "points/s"))
    for mode in ("communication", "realistic"):
        got = rate(*unrelated(options.points, mode=mode), options.rounds)
        held.append(
            report(f"unrelated points, equal buckets, {mode}", got, TARGET_EQUAL, "points/s")
        )
    for profile, buckets in (("resnet-50", 5), ("vgg-16", 55), ("bert-large", 90)):
        scenario, many = profile_grid(options.points // 4, profile, buckets)
        got = rate(scenario, WORKERS, options.rounds)
        name = f"grid, layers of {profile} in {many} buckets"
        held.append(report(name, got, TARGET_PROFILE, "points/s"))
    scenario, workers = unrelated(options.points // 20, mode="realistic", layers="bert-large")
    scenario = scenario.but(bucket=gradient_size(scenario) / 55)
    got = rate(scenario, workers, options.rounds)
    held.append(report("unrelated points, layers of bert-large", got, TARGET_PROFILE, "points/s"))
    held.append(report("import dpmodel beyond numpy", import_time(), TARGET_IMPORT, "s", less=True))
    for name, page in pages().items():
        work = page_work(page)
        held.append(report(f"Explore page's model work, {name}", work, 0.010, "s", less=True))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
