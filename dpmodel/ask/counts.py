"""How many workers: nodes times GPUs in each, workers added or lost, doubled or halved."""

from __future__ import annotations

from dataclasses import replace

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.scene import Scene

_JOINS = frozenset(
    [
        "with",
        "of",
        "x",
        "×",
        "*",
        "each",
        "having",
        "containing",
        "holding",
        "mit",
        "avec",
        "con",
        "com",
        "de",
        "a",
        "每",
        "times",
        "by",
        "à",
    ]
)


def settle_nodes(scene: Scene) -> tuple[Quantity | None, Quantity | None, Quantity | None]:
    """Read "4 nodes with 8 GPUs each" and "an 8-GPU node".

    Returns
    -------
    tuple of Quantity or None
        Nodes, workers per node, and the product, which is added to the scene's quantities.
        Where nodes stand alone they are workers.
    """
    name_hosts(scene)
    nodes = [q for q in scene.quantities if q.noun == "node" and q.dimension == "count"]
    inside = next((q for q in scene.quantities if _is_per_node(scene, q, nodes)), None)
    if inside is None:
        for q in nodes:
            if q.role != "placed":
                q.noun = q.role = "worker"
        return None, None, _product(scene)
    inside.role, inside.noun, inside.why = "per_node", "per_node", "workers in one node"
    several = next((q for q in nodes if abs(q.start - inside.start) < 40), None)
    for q in nodes:
        q.role = "nodes"
    if several is None:
        others = [
            q for q in scene.quantities if q.noun == "worker" and q.value > 1 and q is not inside
        ]
        if not others and not any(q.dimension == "price" for q in scene.quantities):
            inside.role = inside.noun = "worker"  # a box with nine of them
            return None, None, None
        return None, inside, None
    total = replace(
        several,
        value=several.value * inside.value,
        noun="worker",
        role="worker",
        text=f"{several.text} x {inside.text}",
        why="nodes times workers in each",
    )
    scene.quantities.append(total)
    scene.quantities.sort(key=lambda q: q.start)
    return several, inside, total


_HOSTS = (
    "machine",
    "server",
    "host",
    "box",
    "computer",
    "instance",
    "workstation",
    "maschine",
    "rechner",
    "máquina",
    "servidor",
    "serveur",
)


def name_hosts(scene: Scene) -> None:
    """Machines that hold GPUs are nodes: "4 machines with 4 GPUs each", "16 GPUs in two servers"."""
    counts = [
        q for q in scene.quantities if q.dimension == "count" and q.noun in ("worker", "node")
    ]
    for host, other in zip(counts, counts[1:], strict=False):
        between = [scene.word(i) for i in range(host.end, other.start)]
        if _is_host(host) and not _is_host(other) and 0 < len(between) <= 4:
            if between[0] in _JOINS and not {",", "and"} & set(between):
                host.noun = "node"
    for other, host in zip(counts, counts[1:], strict=False):
        between = [scene.word(i) for i in range(other.end, host.start)]
        placed = between and between[-1] in (
            "in",
            "across",
            "over",
            "on",
            "inside",
            "auf",
            "en",
            "sur",
            "em",
        )
        if (
            placed
            and len(between) <= 2
            and not _is_host(other)
            and (_is_host(host) or host.noun == "node")
        ):
            host.noun, host.role = "placed", "placed"


def _is_host(q: Quantity) -> bool:
    return any(word in q.text.lower() for word in _HOSTS) and "gpu" not in q.text.lower()


def _is_per_node(scene: Scene, q: Quantity, nodes: list[Quantity]) -> bool:
    if "node" in q.per and q.dimension in ("count", "bare") and q.value >= 1:
        return q.noun in ("worker", "") or q.dimension == "bare"
    if q.noun != "worker" or q.dimension != "count":
        return False
    if any(m.start == q.end for m in scene.by_idea.get("node", ())) and q.text[-1:] != "s":
        return True
    for mention in scene.by_idea.get("node", ()):
        gap = [scene.word(i) for i in range(mention.end, q.start)]
        inside = any(n.start <= mention.start < n.end for n in nodes)
        if (
            0 < len(gap) <= 3
            and not inside
            and gap[0] in ("of", "with", "has", "have", "holds", "contains")
        ):
            return True
    for node in nodes:
        between = [scene.word(i) for i in range(node.end, q.start)]
        if 0 < len(between) <= 4 and any(word in _JOINS for word in between):
            if not any(word in ("and", ",", "to", "->") for word in between):
                return True
    return False


def _product(scene: Scene) -> Quantity | None:
    """2 x 8 GPUs."""
    for q, after in zip(scene.quantities, scene.quantities[1:], strict=False):
        close = after.start - q.end == 1 and scene.word(q.end) in ("x", "×", "*")
        if close and q.dimension == "bare" and after.noun == "worker":
            after.value *= q.value
            after.why = "a product"
            q.role = "nodes"
            return after
    return None


def changed_workers(scene: Scene, workers: list[Quantity]) -> tuple[float, Quantity, str] | None:
    """Find a change of the worker count told in words: half of them died, four more, doubled.

    Returns
    -------
    tuple of float, Quantity and str, or None
        The new count over the old one (or the count itself, see the text), the quantity it
        starts from, and the reason.
    """
    return (
        _lost(scene, workers)
        or _added(scene, workers)
        or _another(scene, workers)
        or _multiplied(scene, workers)
    )


_ORDINALS = {"second": 2.0, "2nd": 2.0, "third": 3.0, "3rd": 3.0, "fourth": 4.0, "4th": 4.0}


def _another(scene: Scene, workers: list[Quantity]) -> tuple[float, Quantity, str] | None:
    """A second GPU; a 2nd one."""
    if len(workers) > 1:
        return None
    for i, token in enumerate(scene.tokens):
        ordinal = _ORDINALS.get(token.low) or _ORDINALS.get(token.low + scene.word(i + 1))
        follow = scene.word(i + 1) + " " + scene.word(i + 2)
        thing = (
            any(m.start in (i + 1, i + 2) for m in scene.names(("worker", "node")))
            or "one" in follow.split()
        )
        if ordinal and scene.word(i - 1) in ("a", "the", "my", "our") and thing:
            base = workers[0] if workers else Quantity(1.0, "count", noun="worker", role="worker")
            if base.value < ordinal:
                return ordinal, base, "one more worker"
    return None


def _lost(scene: Scene, workers: list[Quantity]) -> tuple[float, Quantity, str] | None:
    gone = scene.by_idea.get("fewer", [])
    if not gone:
        return None
    for q in scene.quantities:
        near = any(-4 <= scene.distance(q, m) <= 10 for m in gone)
        if q.dimension == "share" and near:
            base = next((w for w in workers if abs(w.start - q.end) <= 4), None)
            named = any(0 <= m.start - q.end <= 5 for m in scene.names(("worker", "node")))
            timed = scene.word(q.end) in ("time", "its") or scene.word(q.end + 1) in ("its", "time")
            if timed:
                continue
            base = base or (next((w for w in workers if w.value > 1), None) if named else None)
            if base is not None:
                q.role, q.why = "lost", "the share of workers lost"
                return base.value * (1 - q.value), base, "some workers are lost"
        if q in workers and near and len(workers) > 1:
            base = next((w for w in workers if w is not q and w.value > q.value), None)
            if base is not None and not any(w.value == base.value - q.value for w in workers):
                q.role, q.why = "lost", "workers lost"
                return base.value - q.value, base, "some workers are lost"
    return None


def _added(scene: Scene, workers: list[Quantity]) -> tuple[float, Quantity, str] | None:
    for q in workers:
        words = {t.low for t in scene.tokens[q.start : q.end + 1]} | {scene.word(q.start - 1)}
        if not words & {"more", "additional", "extra", "further", "add", "adding", "another"}:
            continue
        if scene.word(q.end) == "than" or len(workers) < 2:
            continue
        earlier = [w for w in workers if w is not q and w.start < q.start]
        base = earlier[-1] if earlier else next(w for w in workers if w is not q)
        q.role, q.why = "added", "workers added"
        total = base.value + q.value
        if any(w.value == total for w in workers if w is not base):
            return None
        return total, base, "some workers are added"
    return None


_FACTORS = {"double": 2.0, "triple": 3.0, "quadruple": 4.0, "halve": 0.5}


def growth(scene: Scene) -> tuple[float, str] | None:
    """Ratio of new workers to old where only the ratio is told: "quadruple the machines"."""
    for idea, factor in _FACTORS.items():
        for mention in scene.by_idea.get(idea, ()):
            near = [
                m
                for m in scene.names(("worker", "node"))
                if 0 <= m.start - mention.end <= 4 or 0 <= mention.start - m.end <= 3
            ]
            if near:
                return factor, f"“{scene.word(mention.start)}”"
    for q in scene.quantities:
        if (
            q.dimension == "share"
            and scene.word(q.end) in ("more", "fewer", "less")
            and any(0 <= m.start - q.end <= 2 for m in scene.names(("worker", "node")))
        ):
            q.role, q.why = "growth", "a share of the workers more or fewer"
            return 1 + q.value * (1 if scene.word(q.end) == "more" else -1), q.why
    for q in scene.quantities:
        if q.dimension == "factor" and any(
            0 <= m.start - q.end <= 4
            and scene.word(q.end) in ("as", "the", "more", "many", "our", "increase", "larger")
            for m in scene.names(("worker", "node"))
        ):
            q.role, q.why = "growth", "times the workers"
            return q.value, q.why
    return None


def _multiplied(scene: Scene, workers: list[Quantity]) -> tuple[float, Quantity, str] | None:
    known = [w for w in workers if w.role == "worker"]
    ratio = growth(scene)
    if ratio is None or len(known) != 1 or scene.says("next doubling"):
        return None
    return known[0].value * ratio[0], known[0], f"{ratio[1]} the workers"
