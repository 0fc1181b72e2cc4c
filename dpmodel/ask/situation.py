"""From roles and observations to the variables of one situation, ready to be solved."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpmodel.ask.counts import changed_workers, growth, settle_nodes
from dpmodel.ask.nouns import name_bare_numbers
from dpmodel.ask.observations import Observation, observe
from dpmodel.ask.quantities import Quantity
from dpmodel.ask.roles import assign_roles
from dpmodel.ask.samples import settle_samples
from dpmodel.ask.scene import Scene
from dpmodel.ask.targets import Asked, find_targets


@dataclass(slots=True)
class Given:
    """One variable of the situation: its SI value and where it comes from."""

    value: float
    quantity: Quantity | None = None
    why: str = ""
    assumed: bool = False


@dataclass(slots=True)
class Clash:
    """Two statements that cannot both hold."""

    first: str
    second: str
    sure: bool = True


# Two different values of these are a contradiction; of times or samples, rather a misreading.
_NAMED_ONCE = frozenset(
    [
        "efficiency",
        "serial",
        "price",
        "budget",
        "bandwidth",
        "params",
        "epochs",
        "speedup",
        "base_time",
        "overlap",
        "ideal_time",
    ]
)


@dataclass
class Situation:
    """Everything the question gives, by variable, and what it asks."""

    scene: Scene
    givens: dict[str, Given] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    parts: set[int] = field(default_factory=set)

    def give(
        self, name: str, value: float, quantity: Quantity | None = None, why: str = ""
    ) -> None:
        """Set a variable; a second, different value for it is a clash."""
        known = self.givens.get(name)
        if known is not None and not known.assumed:
            if abs(known.value - value) > 0.005 * max(abs(value), abs(known.value)):
                first = known.quantity.text if known.quantity else f"{known.value:g}"
                second = quantity.text if quantity else f"{value:g}"
                self.clashes.append(Clash(first, second, name in _NAMED_ONCE))
            return
        if quantity is not None:
            quantity.used = True
        self.givens[name] = Given(value, quantity, why or (quantity.why if quantity else ""))

    def assume(self, name: str, value: float, why: str) -> None:
        """Set a variable that the question leaves open, if nothing else does."""
        if name not in self.givens:
            self.givens[name] = Given(value, None, why, assumed=True)

    def has(self, *names: str) -> bool:
        """Whether all these variables are known."""
        return all(name in self.givens for name in names)

    def value(self, name: str) -> float | None:
        """The value of a variable, or None."""
        known = self.givens.get(name)
        return None if known is None else known.value


_FLAGS = [
    "ideal",
    "amdahl",
    "gustafson",
    "karpflatt",
    "weak",
    "strong",
    "nooverlap",
    "fulloverlap",
    "ring",
    "ps",
    "tree",
    "zero1",
    "zero2",
    "zero3",
    "shard",
    "adam",
    "sqrtrule",
    "linrule",
    "infinite_workers",
    "limit",
    "average",
    "total",
    "each",
    "closeness",
]
_DIRECT = {
    "latency": "latency",
    "bandwidth": "bandwidth",
    "ideal_time": "ideal_time",
    "serial": "serial",
    "overlap": "overlap",
    "hidden_time": "hidden",
    "exposed_time": "exposed",
    "closeness": "closeness",
    "epoch": "epochs",
    "param": "params",
    "bytes_per_param": "bytes_per_param",
    "device_memory": "device_memory",
    "work": "work",
    "budget": "budget",
    "cost": "cost",
    "per_node": "per_node",
    "micro": "micro",
    "step_rate": "step_rate",
    "ps": "servers",
    "bucket": "buckets",
    "busbw": "busbw",
    "algbw": "algbw",
    "comm_share": "comm_share",
    "serial_time": "serial_time",
    "parallel_time": "parallel_time",
}


def situate(scene: Scene) -> Situation:
    """Work out the variables of the question."""
    name_bare_numbers(scene)
    nodes, per_node, total = settle_nodes(scene)
    assign_roles(scene)
    made = Situation(scene)
    made.flags = {flag for flag in _FLAGS if scene.has(flag)}
    made.asked = find_targets(scene)
    _time_of_exchange(made)
    if nodes is not None:
        made.give("nodes", nodes.value, nodes, "counted nodes")
    _give_direct(made)
    settle_samples(made)
    _give_prices(made)
    workers = _worker_counts(made, total)
    change = changed_workers(scene, workers)
    workers = [w for w in workers if w.role == "worker"]
    _mark_deadline(made)
    _mark_epoch_time(made)
    made.observations, loose = observe(scene, workers)
    if change is not None:
        made.observations.append(Observation(change[0], None, {}, asked=True))
    _settle(made, loose)
    _give_regime(made)
    return made


def _time_of_exchange(made: Situation) -> None:
    """Where a bandwidth is asked, the only time is that of the exchange."""
    times = [q for q in made.scene.quantities if q.dimension == "time"]
    wanted = {a.target for a in made.asked} & {"algbw", "busbw", "bandwidth"}
    if wanted and len(times) == 1 and times[0].role in ("run", "deadline", "step_time"):
        times[0].role, times[0].why = "comm_time", "the only time beside a bandwidth"


def _give_direct(made: Situation) -> None:
    times: dict[str, list[Quantity]] = {}
    for q in made.scene.quantities:
        if q.role == "epoch" and q.value == 1 and q.spoken != "digits":
            continue
        if q.role == "closeness":
            near = made.scene.before(q, "closeness", within=3)
            made.give("closeness", q.value if near else 1 - q.value, q)
        elif q.role in _DIRECT:
            made.give(_DIRECT[q.role], q.value, q)
        elif q.role == "parallel":
            made.give("serial", 1 - q.value, q, "the rest of the parallel share")
        elif q.role in ("comm_time", "compute_time"):
            times.setdefault(q.role, []).append(q)
        elif q.role == "payload":
            _give_payload(made, q)
    for role, found in times.items():
        _give_parts(made, role, found)


def _give_payload(made: Situation, q: Quantity) -> None:
    if (
        "params" not in made.givens
        and made.scene.says("each")
        and q.value <= 64
        and q.unit
        in (
            "B",
            "bit",
        )
    ):
        made.give("bytes_per_param", q.value, q)
    elif q.value <= 64 and q.unit in ("B", "bit"):
        made.give("bytes_per_param", q.value, q, "a few bytes, so of one parameter")
    else:
        made.give("payload", q.value, q)


def _give_parts(made: Situation, role: str, found: list[Quantity]) -> None:
    """Compute times add up: forward 100 ms, backward 200 ms. Exchange times of two sizes do not."""
    scene = made.scene
    if role == "compute_time" and len(found) == 2:
        forward = [q for q in found if scene.nearest(q, "forward") <= 3]
        backward = [q for q in found if scene.nearest(q, "backward") <= 3]
        if forward and backward:
            made.give("backward", backward[0].value, backward[0])
            total = sum(q.value for q in found)
            made.parts |= {id(q) for q in found}
            made.give("compute_time", total, None, "forward and backward together")
            return
    if role == "comm_time" and len(found) == 2 and found[0].value != found[1].value:
        made.give("comm_time", found[0].value, found[0])
        made.give("new_comm_time", found[1].value, found[1])
        return
    for q in found:
        made.give(role, q.value, q)


def _mark_epoch_time(made: Situation) -> None:
    """One epoch in 6 minutes, of 100."""
    scene = made.scene
    times = [q for q in scene.quantities if q.role == "run"]
    epochs = made.value("epochs")
    if len(times) != 1 or epochs is None or epochs <= 1 or made.has("dataset"):
        return
    single = any(
        abs(scene.distance(times[0], m)) <= 5
        and scene.word(m.end - 1) in ("epoch", "epoche", "epoque", "epoca")
        and not any(
            q.noun == "epoch" and q.value > 1 and q.start <= m.start < q.end
            for q in scene.quantities
        )
        for m in scene.by_idea.get("epoch", ())
    )
    if "epoch" in times[0].per or single:
        times[0].role = "epoch_time"
        made.give("epoch_time", times[0].value, times[0], "the time of one epoch")


def _mark_deadline(made: Situation) -> None:
    """Where workers are asked and two times are given, the shorter one is wanted."""
    times = [q for q in made.scene.quantities if q.role == "run" and "step" not in q.per]
    asks = any(a.target == "workers" for a in made.asked) and not made.scene.has("cheapest")
    if asks and len(times) == 2 and not made.has("deadline") and not made.has("dataset"):
        shorter = min(times, key=lambda q: q.value)
        if times[0].value != times[1].value and not any(
            q.role == "deadline" for q in made.scene.quantities
        ):
            shorter.role, shorter.why = "deadline", "the shorter time, where workers are asked"


def _give_prices(made: Situation) -> None:
    scene = made.scene
    for q in scene.quantities:
        if q.role != "price":
            continue
        per_node = "node" in q.per or (
            made.has("per_node")
            and scene.nearest(q, "node") < scene.nearest(q, "each")
            and (scene.nearest(q, "node") <= 6 and "worker" not in q.per)
        )
        whole = scene.says("whole cluster", "entire cluster", "the cluster costs", "cluster rents")
        name = "node_price" if per_node and made.has("per_node") else "price"
        value = q.value
        if q.dimension == "money":
            from dpmodel.units import HOUR

            value = q.value / HOUR
        made.give("cluster_price" if whole else name, value, q)


def _worker_counts(made: Situation, total: Quantity | None) -> list[Quantity]:
    """Worker counts in order; a number that only repeats an earlier one is left out."""
    kept: list[Quantity] = []
    for q in made.scene.quantities:
        if q.role != "worker" or q.dimension != "count":
            continue
        q.role = "worker"
        kept.append(q)
    if total is not None and total.role == "worker":
        stated = [q for q in kept if q is not total and _states_total(made.scene, q)]
        for q in stated:
            if q.value != total.value:
                made.clashes.append(Clash(f"{total.text} = {total.value:g}", q.text))
            kept.remove(q)
    return kept


def _states_total(scene: Scene, q: Quantity) -> bool:
    words = {t.low for t in scene.tokens if t.sentence == q.sentence}
    return bool(words & {"total", "altogether", "so", "all", "insgesamt"})


def _settle(made: Situation, loose: list[Quantity]) -> None:
    """Choose the baseline and the other side, and give their variables."""
    from dpmodel.ask.sides import settle_sides

    settle_sides(made, loose)
    ratio = growth(made.scene)
    if ratio is not None and "workers" not in made.givens:
        made.assume("base_workers", 1.0, "taken as one share")
        base = made.givens["base_workers"].value
        made.give("workers", base * ratio[0], None, ratio[1])
    if made.has("workers") and any(a.target == "steps" for a in made.asked):
        _steps_of_baseline(made)


def _give_regime(made: Situation) -> None:
    """Perfect scaling is an efficiency of 1, unless another law is in play."""
    bounded = made.scene.says(
        "limits",
        "limit",
        "ceiling",
        "maximum",
        "at most",
        "upper bound",
        "no more than",
        "never exceed",
    )
    if made.has("speedup") and not made.has("workers") and bounded and not made.has("serial"):
        if any(a.target in ("serial", "parallel") for a in made.asked):
            made.givens["limit"] = made.givens.pop("speedup")
    ideal = "ideal" in made.flags and not made.has("efficiency")
    measured = made.has("base_time", "time") or made.has("base_rate", "rate")
    told = made.has("serial") or made.has("serial_time") or made.has("known_speedup")
    if ideal and not told and not made.has("speedup") and not measured:
        if not {"efficiency"} & {a.target for a in made.asked}:
            made.give("efficiency", 1.0, None, "ideal scaling")


def _steps_of_baseline(made: Situation) -> None:
    """Steps that are given and asked again belong to the baseline."""
    for name in ("steps_per_epoch", "steps"):
        known = made.givens.get(name)
        if known is not None and not (made.has("batch") or made.has("step_time")):
            made.givens["base_steps"] = made.givens.pop(name)
            return
