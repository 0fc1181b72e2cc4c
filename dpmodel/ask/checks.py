"""What a question cannot say: impossible values, and statements that clash."""

from __future__ import annotations

from dpmodel.ask.situation import Situation
from dpmodel.ask.solve import Solution
from dpmodel.ask.wording import SHARES, shown, words
from dpmodel.units import significant

_CLOSE = 0.02


def invalid(made: Situation, wanted: list[str]) -> str:
    """Return why the question's values are impossible, or ""."""
    for q in made.scene.quantities:
        if q.role in ("worker", "nodes", "per_node") and q.dimension == "count":
            if q.value <= 0:
                return (
                    f"{q.text}: a run needs at least one worker; with "
                    f"{significant(q.value)} it would never finish. Choose 1 or more."
                )
            if q.value != int(q.value):
                low = int(q.value)
                return (
                    f"{q.text}: workers come in whole numbers. Choose {low} or {low + 1} workers."
                )
    for q in made.scene.quantities:
        if (
            q.value < 0
            and q.dimension not in ("lr",)
            and (not made.scene.has("gradient") or q.dimension not in ("bare", "count"))
        ):
            return f"{q.text}: it cannot be negative. Choose a value above zero."
    for name, given in made.givens.items():
        said = f"{words('en', name)} of {shown(name, given.value)}"
        if name in SHARES and not given.assumed:
            if name == "efficiency" and given.value == 0:
                return "At 0 % efficiency nothing gets done: the time would be without end."
            if given.value < 0 or (given.value > 1 + 1e-9):
                more = (
                    " (above 100 % would need a super-linear cause)" if name == "efficiency" else ""
                )
                return f"{said}: a share must lie between 0 and 100 %{more}."
        elif given.value < 0:
            return f"{said}: it cannot be negative. Choose a value above zero."
        elif given.value == 0 and name in _POSITIVE and given.quantity is not None:
            return f"{said}: it must be more than zero. Choose a value above zero."
    return ""


_POSITIVE = frozenset(
    [
        "base_time",
        "time",
        "speedup",
        "base_rate",
        "rate",
        "unit_rate",
        "bandwidth",
        "batch",
        "share",
        "steps",
        "epochs",
        "dataset",
        "params",
        "step_time",
        "deadline",
        "lr",
        "base_batch",
        "new_batch",
        "compute_time",
        "ideal_time",
        "price",
        "base_step",
        "new_step",
        "work",
        "budget",
        "known_speedup",
    ]
)


def contradiction(made: Situation) -> str:
    """Return the two statements that cannot both hold, or ""."""
    if made.clashes and made.clashes[0].sure:
        clash = made.clashes[0]
        return words("en", "clash").format(
            first=f"“{clash.first}”", second=f"“{clash.second}”", more=""
        )
    stated = {n: g.value for n, g in made.givens.items() if not g.assumed}
    for first, second, a, b in _pairs(made, stated):
        if abs(a - b) > _CLOSE * max(abs(a), abs(b)):
            return words("en", "clash").format(first=first, second=second, more="")
    return ""


def _pairs(made: Situation, known: dict[str, float]) -> list[tuple[str, str, float, float]]:
    """Two routes to one variable, both from what is stated."""
    found = []
    base = known.get("base_workers", 1.0)

    def has(*names: str) -> bool:
        return all(name in known for name in names)

    def put(what: str, first: str, a: float, second: str, b: float) -> None:
        found.append(
            (
                f"{first} ({what} {significant(a, 4)})",
                f"{second} ({what} {significant(b, 4)})",
                a,
                b,
            )
        )

    if has("efficiency", "speedup", "workers"):
        put(
            "speed-up",
            f"{shown('efficiency', known['efficiency'])} efficiency on {known['workers']:g} workers",
            known["efficiency"] * known["workers"] / base,
            "the stated speed-up",
            known["speedup"],
        )
    if has("base_time", "time", "speedup"):
        put(
            "speed-up",
            f"{shown('base_time', known['base_time'])} and {shown('time', known['time'])}",
            known["base_time"] / known["time"],
            "the stated speed-up",
            known["speedup"],
        )
    if has("base_time", "time", "workers"):
        measured = known["base_time"] * base / (known["time"] * known["workers"])
        times = f"{shown('base_time', known['base_time'])} and {shown('time', known['time'])} on {known['workers']:g}"
        if has("efficiency"):
            put("efficiency", times, measured, "the stated efficiency", known["efficiency"])
        elif assumes_ideal(made):
            put("efficiency", times, measured, "ideal scaling", 1.0)
    from dpmodel.ask.goals import accumulates

    if has("step_rate", "step_time") and known["step_time"] > 0:
        put(
            "steps per second",
            "the step rate",
            known["step_rate"],
            "one step after the other",
            1 / known["step_time"],
        )
    for one in ("base_rate", "unit_rate"):
        if has(one, "rate", "workers", "efficiency") and known[one] > 0:
            put(
                "efficiency",
                "the throughputs",
                known["rate"] * base / (known[one] * known["workers"]),
                "the stated efficiency",
                known["efficiency"],
            )
    if (
        has("batch", "share", "workers")
        and not accumulates(made)
        and not ({"accumulation"} & {a.target for a in made.asked})
    ):
        put(
            "batch",
            f"{known['share']:g} samples on each of {known['workers']:g} workers",
            known["share"] * known["workers"],
            "the stated global batch",
            known["batch"],
        )
    if has("params", "bytes_per_param", "payload"):
        put(
            "bytes",
            "parameters times bytes each",
            known["params"] * known["bytes_per_param"],
            "the stated gradient size",
            known["payload"],
        )
    if has("speedup", "serial", "workers") and base == 1 and "gustafson" not in made.flags:
        predicted = 1 / (known["serial"] + (1 - known["serial"]) / known["workers"])
        put(
            "speed-up",
            f"{shown('serial', known['serial'])} serial work on {known['workers']:g} workers",
            predicted,
            "the stated speed-up",
            known["speedup"],
        )
    if has("ideal_time", "base_time", "workers"):
        put(
            "ideal time in seconds",
            f"{shown('base_time', known['base_time'])} on {base:g}",
            known["base_time"] * base / known["workers"],
            "the stated ideal time",
            known["ideal_time"],
        )
    return found


def assumes_ideal(made: Situation) -> bool:
    """Whether the question says that scaling is ideal, not only asks for a share of the ideal."""
    scene = made.scene
    zone = scene.asked_sentences()
    said = [m for m in scene.by_idea.get("ideal", ()) if scene.tokens[m.start].sentence not in zone]
    return bool(said) or scene.says(
        "assume ideal", "assuming ideal", "assume linear", "perfect scaling"
    )


def sanity(made: Situation, solution: Solution) -> list[str]:
    """Plain checks of the result, each one sentence."""
    known, found = solution.known, []
    if "speedup" in known and "workers" in known and known.get("base_workers", 1.0) == 1.0:
        if known["speedup"] > known["workers"] * 1.0001:
            found.append(words("en", "superlinear"))
        else:
            found.append(
                f"Check: {significant(known['speedup'])}x is at most {known['workers']:g}x."
            )
    if (
        "time" in known
        and "base_time" in known
        and known.get("workers", 0) > known.get("base_workers", 1.0)
    ):
        faster = known["base_time"] / known["time"]
        found.append(f"Check: {significant(faster)} times faster than the baseline.")
    return found
