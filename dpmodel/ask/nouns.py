"""What bare numbers count: "on eight", "batch 256", "Units: 16", "a 30B model"."""

from __future__ import annotations

from dpmodel.ask.quantities import Quantity
from dpmodel.ask.scene import Scene

_ON = frozenset(
    [
        "our",
        "my",
        "existing",
        "these",
        "those",
        "on",
        "with",
        "to",
        "at",
        "using",
        "for",
        "from",
        "by",
        "of",
        "auf",
        "mit",
        "bei",
        "von",
        "zu",
        "sur",
        "avec",
        "a",
        "de",
        "en",
        "con",
        "com",
        "em",
        "para",
        "用",
        "在",
        "and",
        "between",
        "=",
        "->",
        "→",
        "über",
        "und",
        "über",
        "vs",
        "versus",
        "than",
        "as",
        "over",
        "across",
    ]
)
_VERBS = frozenset(
    [
        "give",
        "gives",
        "gave",
        "get",
        "gets",
        "take",
        "takes",
        "took",
        "need",
        "needs",
        "needed",
        "only",
        "finish",
        "finishes",
        "deliver",
        "delivers",
        "do",
        "does",
        "did",
        "reach",
        "reaches",
        "manage",
        "run",
        "runs",
        "would",
        "will",
        "reached",
        "brauchen",
        "liefern",
    ]
)
_LARGE = 1e6
_ARTICLES = frozenset(
    [
        "ein",
        "eine",
        "einer",
        "einem",
        "einen",
        "un",
        "une",
        "una",
        "uno",
        "um",
        "uma",
        "one",
        "a",
        "an",
        "一",
    ]
)


def name_bare_numbers(scene: Scene) -> None:
    """Give each bare number of the scene a dimension or a noun where its place tells."""
    for quantity in scene.quantities:
        if quantity.dimension == "bare":
            _name(scene, quantity)
        elif quantity.dimension in ("share", "factor"):
            _symbol(scene, quantity)
    for q in scene.quantities:
        if q.dimension == "bare" and q.value == 1 and q.text.lower() in _ARTICLES:
            verb = [m for m in scene.by_idea.get("duration", ()) if m.start == q.end]
            if verb and scene.has("worker", "node"):
                _count(q, "worker", "stands for one worker")
    scene.quantities = [
        q
        for q in scene.quantities
        if not (q.dimension == "bare" and q.text.lower() in _ARTICLES and not q.noun)
    ]


def _name(scene: Scene, q: Quantity) -> None:
    for rule in (
        _shares_unit,
        _each_gets,
        _symbol,
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


def _count(q: Quantity, noun: str, why: str) -> bool:
    q.dimension, q.noun, q.why = "count", noun, why
    return True


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
    if q.value > 0 and not scene.lexicon.units.get((scene.word(q.end),)):
        if _follows_speed_up(scene, q):
            q.dimension, q.unit, q.why = "factor", "x", "stands with speed-up"
            return True
    return False


def _shares_unit(scene: Scene, q: Quantity) -> bool:
    """From 96 to 8 minutes: the unit stands with the second number only."""
    if scene.word(q.start - 1) not in ("from", "von", "de", "between", "zwischen", "entre"):
        return False
    if scene.word(q.end) not in ("to", "auf", "a", "à", "para", "->", "and", "bis", "até", "up"):
        return False
    for other in scene.quantities:
        if 0 < other.start - q.end <= 2 and other.dimension in (
            "time",
            "throughput",
            "factor",
            "share",
        ):
            scale = other.value / _spoken_number(other) if _spoken_number(other) else 1.0
            q.dimension, q.unit, q.noun, q.per = other.dimension, other.unit, other.noun, other.per
            q.value, q.why = q.value * scale, "shares the unit of the next number"
            return True
    return False


def _spoken_number(q: Quantity) -> float:
    """The bare number of a quantity, before its unit."""
    from dpmodel.units import UNITS

    table = {"time": "time", "share": "fraction"}.get(q.dimension, "")
    return q.value / UNITS[table].get(q.unit, 1.0) if table else q.value


def _each_gets(scene: Scene, q: Quantity) -> bool:
    """64 per gpu; bs 32/gpu: samples of one worker."""
    if "worker" in q.per and q.value == int(q.value) and not scene.has("throughput"):
        return _count(q, "sample", "the batch of one worker")
    return False


_LINKS = frozenset(
    [
        "is",
        "of",
        "exactly",
        "at",
        "least",
        "about",
        "=",
        ":",
        "can",
        "never",
        "exceed",
        "exceeds",
        "reach",
        "reaches",
        "cannot",
        "be",
        "will",
        "would",
        "ever",
        "not",
        "a",
        "an",
        "was",
        "only",
        "to",
        "around",
        "roughly",
        "just",
        "most",
        "equals",
        "factor",
        "为",
        "是",
        "达",
        "到",
        "约",
        "了",
        "为",
        "von",
        "de",
        "d'un",
        "genau",
        "etwa",
        "ist",
        "est",
        "es",
        "um",
        "uma",
        "un",
        "une",
        "über",
        "ca",
        "measured",
        "observed",
        "target",
        "~",
        "than",
    ]
)


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
            if scene.word(q.end) in ("->", "to") and not between:
                return False
            return True
    return False


def _called(scene: Scene, q: Quantity, at: int) -> bool:
    """S(16) = 12.8; E(8) = 0.9: the number in brackets is no quantity of its own."""
    if scene.word(at) != ")" or scene.word(at - 2) != "(" or scene.word(at - 3) not in ("s", "e"):
        return False
    for inner in scene.quantities:
        if inner.start == at - 1:
            inner.role = inner.noun = "placed"
    if scene.word(at - 3) == "s":
        q.dimension, q.unit, q.role, q.why = "factor", "x", "speedup", "by its symbol"
    else:
        q.dimension, q.unit, q.role, q.why = "share", "fraction", "efficiency", "by its symbol"
    return True


def _only_links(scene: Scene, start: int, q: Quantity) -> bool:
    """Whether only linking words, or a worker count with its preposition, stand in between."""
    inside = {k for o in scene.quantities if o.noun == "worker" for k in range(o.start, o.end)}
    words = [scene.word(i) for i in range(start, q.start) if i not in inside]
    skipped = q.start - start > len(words)
    extra = {"with", "on", "of", "using", "for"} if skipped else set()
    near = 0 <= q.start - start <= (8 if skipped else 5)
    return near and all(word in _LINKS or word in extra for word in words)


_SYMBOLS = {"f": "serial", "s": "speedup", "e": "efficiency", "p": "parallel", "n": "worker"}


def _symbol(scene: Scene, q: Quantity) -> bool:
    """F = 0.05, n=50, S = 8, E = 0.9."""
    at = q.start - 1
    if scene.word(at) not in ("=", ":", ">", "≥", "~", "<"):
        return False
    while scene.word(at - 1) in ("=", ">", "<", "≥", "≤"):
        at -= 1
    called = _called(scene, q, at - 1)
    if called:
        return True
    head = _SYMBOLS.get(scene.word(at - 1), "")
    if head in ("worker",) and q.value == int(q.value):
        return _count(q, "worker", "N stands for the workers")
    if head in ("serial", "parallel", "efficiency") and 0 <= q.value <= 2:
        if head == "parallel" and q.value > 1:
            return _count(q, "worker", "p stands for the processors")
        q.dimension, q.unit, q.role, q.why = "share", "fraction", head, "by its symbol"
        return True
    if head == "speedup":
        if 0 < q.value < 1:
            q.dimension, q.unit, q.role, q.why = "share", "fraction", "serial", "by its symbol"
        else:
            q.dimension, q.unit, q.role, q.why = "factor", "x", "speedup", "by its symbol"
        return True
    return False


def _batch(scene: Scene, q: Quantity) -> bool:
    """Batch 256; a mini-batch of 1000; global batch stays at 256."""
    if q.value != int(q.value) or q.value < 1:
        return False
    closest = _last_before(scene, q, 6)
    if scene.has("lr") and scene.has("batch") and _linked_batch(scene, q):
        return _count(q, "sample", "a batch beside a learning rate")
    if scene.word(q.start - 1) == "of" and any(
        m.end == q.start - 1 for m in scene.by_idea.get("micro", ())
    ):
        return _count(q, "sample", "the size of a micro-batch")
    if closest in ("batch", "perworkerbatch") and scene.word(q.start - 1) not in ("on", "across"):
        return _count(q, "sample", "stands after batch")
    if scene.after(q, "batch", within=1.5) or _linked_batch(scene, q):
        return _count(q, "sample", "stands before batch")
    return False


def _linked_batch(scene: Scene, q: Quantity) -> bool:
    """From batch 256 to 8192."""
    if scene.word(q.start - 1) not in ("to", "auf", "a", "para", "->", "for", "für", "pour", "at"):
        return False
    if scene.has("lr", "batch") and scene.has("lr") and q.value >= 2:
        if scene.nearest(q, "worker", "node") > 4:
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
        return _count(q, "param", "a large number beside the model")
    return False


def _headed(scene: Scene, q: Quantity) -> bool:
    """Units: 16; epochs = 90; N=8; workers 8."""
    i = q.start - 1
    if scene.word(i) in (":", "=", "is", "of"):
        i -= 1
    head = scene.word(i)
    if head in ("n", "p") and (scene.word(i + 1) in ("=", ":", "is") or i == q.start - 1):
        return _count(q, "worker", "N stands for the workers")
    if head in ("f", "s") and scene.word(i + 1) in ("=", ":") and 0 <= q.value < 1:
        q.dimension, q.unit, q.why = "share", "fraction", "f stands for the serial share"
        return True
    if head in ("dataset", "datasets", "corpus", "set") and q.value == int(q.value):
        return _count(q, "sample", "stands after the data set")
    if head in ("ring",) and q.value == int(q.value):
        return _count(q, "worker", "a ring of that many workers")
    for mention in scene.names(("epoch", "step", "worker", "micro", "node", "sample", "param")):
        if mention.end == i + 1 and (scene.word(i + 1) in (":", "=", "is") or i == q.start - 1):
            singular = scene.word(mention.start)[-1:] != "s" and i == q.start - 1
            if not singular:
                return _count(q, mention.idea, "stands after its name")
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
        return _count(q, "worker", "workers that go")
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
        return _count(q, "worker", "of them")
    if scene.word(q.end) in _VERBS and q.value >= 1:
        return _count(q, "worker", "does what workers do")
    if scene.word(q.start - 1) in _ON and not scene.word(q.end).startswith("-"):
        following = scene.tokens[q.end].kind if q.end < len(scene.tokens) else "sign"
        if following != "word" or q.spoken == "words" or scene.word(q.end) in _ON | {"were", "is"}:
            return _count(q, "worker", "stands where workers stand")
        if not scene.lexicon.every(scene.tokens).get(q.end):
            return _count(q, "worker", "stands where workers stand")
    if scene.word(q.end) in ("have", "->", "→", "to") and q.value >= 1:
        return _count(q, "worker", "stands where workers stand")
    return False
