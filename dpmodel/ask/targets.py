"""What is asked: one or several targets, each with the unit that is wanted."""

from __future__ import annotations

from dpmodel.ask.asked import Asked, several
from dpmodel.ask.asked_words import mention_words
from dpmodel.ask.counted import how_many
from dpmodel.ask.free_units import free_units
from dpmodel.ask.lexicon import Mention, listed, listed_table
from dpmodel.ask.plain_targets import plain_targets
from dpmodel.ask.scene import Scene

# Strong ideas first; an idea that already belongs to a given number asks for nothing.
_BY_IDEA: tuple[tuple[str, str], ...] = (
    ("algbw", "algbw"),
    ("busbw", "busbw"),
    ("karpflatt", "karp_flatt"),
    ("lr", "lr"),
    ("howlong", "duration"),
    ("saving", "saved"),
    ("onetime", "base_time"),
    ("extrahours", "extra_seconds"),
    ("epochtime", "epoch_time"),
    ("sending", "data"),
    ("datasize", "data"),
    ("micro", "accumulation"),
    ("workerhours", "worker_hours"),
    ("exposed", "exposed"),
    ("ratio", "comm_ratio"),
    ("efficiency", "efficiency"),
    ("serial", "serial"),
    ("parallel", "parallel"),
    ("speedup", "speedup"),
    ("cost", "cost"),
    ("modelsize", "params"),
    ("price", "price"),
    ("throughput", "throughput"),
    ("bandwidth", "bandwidth"),
    ("memory", "memory"),
    ("energy", "energy"),
)
_DONE_BY = listed_table("targets_done_by")


def find_targets(scene: Scene) -> list[Asked]:
    """Return what the question asks for, in order, without repeats."""
    zone = scene.asked_sentences()
    counted = how_many(scene, zone)
    strong = _by_idea(scene, zone) + _by_symbol(scene, zone) + _share_of_step(scene, zone)
    if not counted and not any(a.target in ("data", "memory", "algbw", "busbw") for a in strong):
        strong += _bytes_asked(scene, zone)
    strong = [a for a in strong if not _only_why(scene, a)]
    plain = _time_beside(scene, zone, counted + strong)
    plain = plain if counted or strong else plain_targets(scene, zone)
    found = sorted(counted + strong + plain, key=lambda a: a.at)
    others = [a for a in found if a.target != "workers"]
    if others and counted and _words_at(scene, counted[0].at) in _COUNT_NAMES:
        found = others
    found = several(scene, found + _and_hours(scene, zone, found))
    if not found:
        found = _terse(scene)
    return [_with_unit(scene, one, zone, len(found)) for one in found]


def _and_hours(scene: Scene, zone: set[int], found: list[Asked]) -> list[Asked]:
    """Steps in total, and total hours? The unit alone asks for a second thing."""
    if (
        not found or any(a.target in ("duration", "epoch_time", "data") or a.unit for a in found)
    ) and (not (found and found[0].target in ("steps", "workers", "data") and len(found) == 1)):
        return []
    for dimension, unit, at in free_units(scene, zone):
        before = [scene.word(i) for i in range(max(at - 3, 0), at)]
        if dimension == "time" and "and" in before and found[0].at < at and "in" not in before:
            return [Asked("duration", unit, at, unit)]
    return []


_COUNT_NAMES = ("number", "nombre", "anzahl", "numero")


def _words_at(scene: Scene, i: int) -> str:
    quiet = scene.word(i - 1) in ("the", "le", "el", "o", "der", "die", "soit", "any", "of", "que")
    return (
        scene.word(i)
        if quiet and scene.word(i - 2) not in ("is", "what", "find", "was", "and")
        else ""
    )


_PRICES = ("price", "tariff", "preis", "prix", "precio", "preco", "单", "hourly")


def _by_idea(scene: Scene, zone: set[int]) -> list[Asked]:
    found = []
    for idea, target in _BY_IDEA:
        if idea == "micro" and scene.says(
            "no accumulation",
            "without accumulation",
            "no gradient accumulation",
            "without gradient accumulation",
        ):
            continue
        for mention in scene.by_idea.get(idea, ()):
            if idea == "onetime" and scene.word(mention.start - 1) in ("%", "percent"):
                continue
            money = any(q.dimension in ("money", "price", "work") for q in scene.quantities)
            if idea == "cost" and not money and scene.word(mention.start) in ("costs", "cost"):
                timed = {"us", "ms"} & {q.unit for q in scene.quantities}
                if timed:
                    continue
            if idea == "price" and scene.word(mention.start) not in _PRICES:
                continue
            if scene.tokens[mention.start].sentence in zone and not _is_given(scene, mention):
                found.append(Asked(target, "", mention.start, mention_words(scene, mention)))
                break
    return found


def _by_symbol(scene: Scene, zone: set[int]) -> list[Asked]:
    """Compute S and E."""
    found = []
    for i, token in enumerate(scene.tokens):
        lone = token.text in ("S", "E") and token.sentence in zone
        sought = scene.word(i - 1) in ("find", "compute", "determine", "calculate", "what's")
        if token.text in ("f", "N") and token.sentence in zone and sought:
            found.append(Asked("serial" if token.text == "f" else "workers", "", i, token.text))
            continue
        if (
            lone
            and scene.word(i + 1) not in ("=", "(", "_", ":", "/")
            and scene.word(i - 1) not in ("=", "/", "(", "'")
        ):
            found.append(Asked(_SYMBOL_TARGETS[token.text], "", i, token.text))
    return found


def _share_of_step(scene: Scene, zone: set[int]) -> list[Asked]:
    """The share of communication in a step, asked as a fraction or percentage."""
    roles = {q.role for q in scene.quantities}
    both = bool(roles & {"comm_time", "exposed_time"}) and bool(
        roles & {"compute_time", "step_time"}
    )
    shares = [
        m for m in scene.by_idea.get("percent_word", ()) if scene.tokens[m.start].sentence in zone
    ]
    named = any(scene.in_sentence(s, "comm") for s in zone)
    if both and shares and named and not any(scene.in_sentence(s, "efficiency") for s in zone):
        return [Asked("comm_share", "%", shares[0].start, "the share of communication")]
    return []


def _bytes_asked(scene: Scene, zone: set[int]) -> list[Asked]:
    """Bytes named in the question beside a payload or parameters ask for data."""
    if not any(q.role in ("payload", "param") for q in scene.quantities):
        return []
    named = [u for u in free_units(scene, zone) if u[0] == "data"]
    if not named:
        return []
    # "Bytes" is the word for data, "GB" the unit to answer in.
    unit = "" if named[0][1] == "B" else named[0][1]
    return [Asked("data", unit, named[0][2], named[0][1])]


def _only_why(scene: Scene, asked: Asked) -> bool:
    """Why the speed-up is so low: the speed-up is not what is asked."""
    before = [scene.word(i) for i in range(max(asked.at - 5, 0), asked.at)]
    return "why" in before and "what" not in before


def _time_beside(scene: Scene, zone: set[int], strong: list[Asked]) -> list[Asked]:
    """Time and GPU-hours; bytes per GPU in GB and time in seconds."""
    for mention in scene.by_idea.get("duration", ()):
        if scene.word(mention.start) not in (
            "time",
            "duration",
            "zeit",
            "tiempo",
            "tempo",
            "duree",
            "runtime",
        ):
            continue
        for asked in strong:
            if asked.target not in (
                "worker_hours",
                "data",
                "cost",
                "steps",
                "throughput",
                "workers",
            ):
                continue
            low, high = sorted((mention.start, asked.at))
            between = {scene.word(i) for i in range(low, high)}
            linked = bool(between & {"and", "und", "et", "y", "e", "&", "和"})
            close = high - low <= 7 and scene.tokens[mention.start].sentence in zone
            if linked and close and not any(low < q.start < high for q in scene.quantities):
                return [Asked("duration", "", mention.start, mention_words(scene, mention))]
    return []


_ONCE = listed("targets_once")


def _is_given(scene: Scene, mention: Mention) -> bool:
    """Whether the idea only names a number that is given: "at 85 % efficiency"."""
    roles = set(_DONE_BY.get(mention.idea, ()))
    if mention.idea == "cost":
        return any(
            q.role in roles and 0 <= q.start - mention.end <= 2 and scene.word(mention.end) != "at"
            for q in scene.quantities
        )
    if mention.idea in _ONCE and any(q.role in roles for q in scene.quantities):
        return True
    if mention.idea in ("sending", "datasize"):
        return not any(q.role in ("payload", "param") for q in scene.quantities)
    for q in scene.quantities:
        if (
            q.role in roles
            and abs(scene.distance(q, mention)) <= 4.6
            and "?" not in (scene.word(i) for i in range(*sorted((q.start, mention.start))))
        ):
            return True
    return False


_SYMBOL_TARGETS = {"S": "speedup", "E": "efficiency", "N": "workers", "T": "duration"}


def _terse(scene: Scene) -> list[Asked]:
    """Nothing asked in words: "1 GPU = 24 h, 6 GPUs ideal??"."""
    words = [t for t in scene.tokens if t.kind == "word"]
    if words and words[-1].text in _SYMBOL_TARGETS and len(scene.quantities) >= 2:
        return [Asked(_SYMBOL_TARGETS[words[-1].text], "", len(scene.tokens), words[-1].text)]
    whole = {t.sentence for t in scene.tokens}
    counted = how_many(scene, whole)
    if counted:
        return counted[:1]
    strong = [a for a in _by_idea(scene, whole) if not _only_why(scene, a)]
    if strong:
        return strong[:1]
    if any(q.role in ("run", "ideal_time") for q in scene.quantities):
        return [Asked("duration", "", 0, "a time is the natural question")]
    return plain_targets(scene, whole)


def _with_unit(scene: Scene, asked: Asked, zone: set[int], many: int) -> Asked:
    if asked.unit:
        return asked
    wanted = {
        "duration": "time",
        "worker_hours": "",
        "comm_time": "time",
        "step_time": "time",
        "exposed": "time",
        "bandwidth": "rate",
        "algbw": "rate",
        "busbw": "rate",
        "memory": "data",
        "data": "data",
        "efficiency": "share",
        "serial": "share",
        "parallel": "share",
        "karp_flatt": "share",
    }.get(asked.target, "")
    units = [u for u in free_units(scene, zone) if u[0] == wanted]
    if not units:
        return asked
    near = min(units, key=lambda u: abs(u[2] - asked.at))
    return Asked(asked.target, near[1], asked.at, asked.why)
