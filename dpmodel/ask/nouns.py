"""What bare numbers count: "on eight", "batch 256", "Units: 16", "a 30B model"."""

from __future__ import annotations

from dpmodel.ask.counting import count
from dpmodel.ask.lexicon import listed
from dpmodel.ask.quantity import Quantity
from dpmodel.ask.scene import Scene
from dpmodel.ask.symbols import symbol
from dpmodel.ask.unit_sharing import like_the_last, shares_unit, unit_before
from dpmodel.units import UNITS

_ON = frozenset(listed("nouns_on"))
_VERBS = frozenset(listed("nouns_verbs"))
_LARGE = UNITS["count"]["M"]
_ARTICLES = frozenset(listed("nouns_articles"))


def name_bare_numbers(scene: Scene) -> None:
    """Give each bare number of the scene a dimension or a noun where its place tells."""
    for quantity in scene.quantities:
        if quantity.dimension == "bare":
            _name(scene, quantity)
        elif quantity.dimension in ("share", "factor"):
            symbol(scene, quantity)
    for q in scene.quantities:
        if q.dimension == "bare" and q.value == 1 and q.text.lower() in _ARTICLES:
            verb = [m for m in scene.by_idea.get("duration", ()) if m.start == q.end]
            if verb and scene.has("worker", "node"):
                count(q, "worker", "stands for one worker")
    scene.quantities = [
        q
        for q in scene.quantities
        if not (q.dimension == "bare" and q.text.lower() in _ARTICLES and not q.noun)
    ]


def _name(scene: Scene, q: Quantity) -> None:
    for rule in (
        shares_unit,
        unit_before,
        like_the_last,
        _each_gets,
        symbol,
        _ratio_of,
        _rate_of_learning,
        _batch,
        _model,
        _headed,
        _worker,
        _small_rate,
    ):
        if rule(scene, q):
            return


def _last_before(scene: Scene, q: Quantity, within: float) -> str:
    """The idea that stands closest before a number, of those a number can belong to."""
    ideas = (
        "lr",
        "batch",
        "perworkerbatch",
        "efficiency",
        "speedup",
        "serial",
        "parallel",
        "worker",
        "epoch",
        "step",
        "gradient",
    )
    near = [
        (abs(scene.distance(q, m)), m.idea)
        for m in scene.names(ideas)
        if -within <= scene.distance(q, m) < 0
    ]
    return min(near)[1] if near else ""


def _ratio_of(scene: Scene, q: Quantity) -> bool:
    """0.15 serial, efficiency 0.8, a speed-up of 8."""
    closest = _last_before(scene, q, 6)
    after_serial = scene.after(q, "serial", "parallel", within=7)
    at = q.start - 1
    if scene.word(at) in ("of", "is", "=", ":", "was"):
        at -= 1
    direct = scene.word(at) in ("fraction", "share", "portion", "part", "proportion")
    if 1 <= q.value <= 2 and direct and closest in ("serial", "parallel"):
        q.dimension, q.unit, q.why = "share", "fraction", "stands after its name"
        return True
    if 0 <= q.value < 1 and (closest in ("serial", "parallel", "efficiency") or after_serial):
        q.dimension, q.unit, q.why = "share", "fraction", f"stands with {closest or 'serial'}"
        return True
    if 0 < q.value < 1 and scene.after(q, "efficiency", within=3):
        q.dimension, q.unit, q.why = "share", "fraction", "stands with efficiency"
        return True
    if (q.value > 0 and not scene.lexicon.units.get((scene.word(q.end),))) and (
        _follows_speed_up(scene, q)
    ):
        q.dimension, q.unit, q.why = "factor", "x", "stands with speed-up"
        return True
    return False


def _each_gets(scene: Scene, q: Quantity) -> bool:
    """64 per gpu; bs 32/gpu: samples of one worker."""
    if "step" in q.per and q.value == int(q.value) and q.value > 1:
        return count(q, "sample", "samples of one step")
    if "worker" in q.per and q.value == int(q.value) and not scene.has("throughput"):
        return count(q, "sample", "the batch of one worker")
    return False


_LINKS = frozenset(listed("nouns_links"))


def _follows_speed_up(scene: Scene, q: Quantity) -> bool:
    """A speed-up of at least 8: only linking words stand between."""
    for m in scene.by_idea.get("speedup", ()):
        between = [scene.word(i) for i in range(m.end, q.start)]
        if _only_links(scene, m.end, q):
            inside = {
                k for o in scene.quantities if o.noun == "worker" for k in range(o.start, o.end)
            }
            kept = [scene.word(i) for i in range(m.end, q.start) if i not in inside]
            if len(kept) < len(between):
                between = [w for w in kept if w not in ("with", "on", "of", "using", "for", "at")]
            if between and between[-1] == "at":
                return False
            return not (scene.word(q.end) in ("->", "to", ":") and not between)
    return False


def _only_links(scene: Scene, start: int, q: Quantity) -> bool:
    """Whether only linking words, or a worker count with its preposition, stand in between."""
    inside = {k for o in scene.quantities if o.noun == "worker" for k in range(o.start, o.end)}
    words = [scene.word(i) for i in range(start, q.start) if i not in inside]
    skipped = q.start - start > len(words)
    extra = {"with", "on", "of", "using", "for"} if skipped else set()
    near = 0 <= q.start - start <= (8 if skipped else 5)
    return near and all(word in _LINKS or word in extra for word in words)


def _batch(scene: Scene, q: Quantity) -> bool:
    """Batch 256; a mini-batch of 1000; global batch stays at 256."""
    if q.value != int(q.value) or q.value < 1:
        return False
    closest = _last_before(scene, q, 6)
    if scene.has("lr") and scene.has("batch") and _linked_batch(scene, q):
        return count(q, "sample", "a batch beside a learning rate")
    if scene.word(q.start - 1) == "of" and any(
        m.end == q.start - 1 for m in scene.by_idea.get("micro", ())
    ):
        return count(q, "sample", "the size of a micro-batch")
    if closest in ("batch", "perworkerbatch") and scene.word(q.start - 1) not in ("on", "across"):
        return count(q, "sample", "stands after batch")
    if scene.after(q, "batch", within=1.5) or _linked_batch(scene, q):
        return count(q, "sample", "stands before batch")
    return False


def _linked_batch(scene: Scene, q: Quantity) -> bool:
    """From batch 256 to 8192."""
    if scene.word(q.start - 1) not in ("to", "auf", "a", "para", "->", "for", "für", "pour", "at"):
        return False
    if (scene.has("lr", "batch") and scene.has("lr") and q.value >= 2) and (
        scene.nearest(q, "worker", "node") > 4
    ):
        return True
    earlier = [p for p in scene.quantities if p.end <= q.start and q.start - p.end <= 2]
    return bool(earlier) and earlier[-1].noun == "sample" and scene.has("batch")


def _rate_of_learning(scene: Scene, q: Quantity) -> bool:
    if _last_before(scene, q, 6) == "lr" and 0 < abs(q.value) < 100:
        q.dimension, q.noun, q.why = "lr", "lr", "stands after learning rate"
        return True
    return False


def _model(scene: Scene, q: Quantity) -> bool:
    if q.value >= _LARGE and scene.nearest(q, "model", "param", "gradient") <= 6:
        return count(q, "param", "a large number beside the model")
    return False


def _headed(scene: Scene, q: Quantity) -> bool:
    """Units: 16; epochs = 90; N=8; workers 8."""
    i = q.start - 1
    if scene.word(i) in (":", "=", "is", "of"):
        i -= 1
    head = scene.word(i)
    if head in ("n", "p") and (scene.word(i + 1) in ("=", ":", "is") or i == q.start - 1):
        return count(q, "worker", "N stands for the workers")
    if head in ("f", "s") and scene.word(i + 1) in ("=", ":") and 0 <= q.value < 1:
        q.dimension, q.unit, q.why = "share", "fraction", "f stands for the serial share"
        return True
    if head in ("dataset", "datasets", "corpus", "set") and q.value == int(q.value):
        return count(q, "sample", "stands after the data set")
    if head in ("ring",) and q.value == int(q.value):
        return count(q, "worker", "a ring of that many workers")
    for mention in scene.names(
        ("epoch", "step", "worker", "micro", "node", "sample", "token", "param")
    ):
        if mention.end == i + 1 and (scene.word(i + 1) in (":", "=", "is") or i == q.start - 1):
            singular = scene.word(mention.start)[-1:] != "s" and i == q.start - 1
            if not singular:
                return count(q, mention.idea, "stands after its name")
    return False


def _small_rate(scene: Scene, q: Quantity) -> bool:
    """A number below one in a question on learning rates."""
    if scene.has("lr") and 0 < q.value < 1 and not scene.has("gradient"):
        q.dimension, q.noun, q.why = "lr", "lr", "the only small number beside a learning rate"
        return True
    return False


def _worker(scene: Scene, q: Quantity) -> bool:
    """On eight; sixteen only 9.8x; from 4 to 32: workers left unsaid."""
    if _last_before(scene, q, 5) == "gradient" and scene.has("average"):
        return False
    lost = any(-2 <= scene.distance(q, m) <= 2 for m in scene.by_idea.get("fewer", ()))
    if lost and q.value == int(q.value) and q.value >= 1 and scene.has("worker", "node"):
        return count(q, "worker", "workers that go")
    them = scene.word(q.end) == "of" and scene.word(q.end + 1) == "them"
    if them and q.value > 1000 and scene.has("step"):
        return count(q, "step", "of the steps")
    if q.value != int(q.value) or q.value < 0 or q.value > 1e5 or not scene.has("worker", "node"):
        return False
    if scene.word(q.end) == "of" and scene.word(q.end + 1) in (
        "them",
        "these",
        "those",
        "which",
        "our",
        "the",
        "my",
        "its",
    ):
        return count(q, "worker", "of them")
    if scene.word(q.end) in _VERBS and q.value >= 1:
        return count(q, "worker", "does what workers do")
    if scene.word(q.start - 1) in _ON and not scene.word(q.end).startswith("-"):
        following = scene.tokens[q.end].kind if q.end < len(scene.tokens) else "sign"
        if following != "word" or q.spoken == "words" or scene.word(q.end) in _ON | {"were", "is"}:
            return count(q, "worker", "stands where workers stand")
        if not scene.lexicon.every(scene.tokens).get(q.end):
            return count(q, "worker", "stands where workers stand")
    if scene.word(q.end) in ("have", "->", "→", "to") and q.value >= 1:
        return count(q, "worker", "stands where workers stand")
    return False
