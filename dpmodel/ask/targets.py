"""What is asked: one or several targets, each with the unit that is wanted."""

from __future__ import annotations

from dataclasses import dataclass

from dpmodel.ask.lexicon import Mention
from dpmodel.ask.scene import Scene
from dpmodel.units import UNITS


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing asked for; `unit` is "" where the question names none."""

    target: str
    unit: str = ""
    at: int = 0
    why: str = ""


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
_DONE_BY = {
    "efficiency": {"efficiency"},
    "serial": {"serial"},
    "parallel": {"parallel"},
    "speedup": {"speedup", "growth"},
    "lr": {"lr"},
    "throughput": {"throughput"},
    "price": {"price"},
    "bandwidth": {"bandwidth"},
    "memory": {"device_memory"},
    "cost": {"price", "budget", "cost"},
    "workerhours": {"work", "price"},
    "micro": {"micro"},
    "exposed": {"exposed_time"},
    "algbw": {"algbw"},
    "busbw": {"busbw"},
}
_COUNT_TARGETS = {
    "worker": "workers",
    "node": "workers",
    "epoch": "epochs",
    "step": "steps",
    "micro": "accumulation",
    "sample": "samples",
    "token": "samples",
    "param": "params",
    "bucket": "buckets",
}


def find_targets(scene: Scene) -> list[Asked]:
    """Return what the question asks for, in order, without repeats."""
    zone = scene.asked_sentences()
    counted = _how_many(scene, zone)
    strong = _by_idea(scene, zone) + _by_symbol(scene, zone) + _share_of_step(scene, zone)
    if not counted and not any(a.target in ("data", "memory", "algbw", "busbw") for a in strong):
        strong += _bytes_asked(scene, zone)
    strong = [a for a in strong if not _only_why(scene, a)]
    plain = _time_beside(scene, zone, counted + strong)
    plain = plain if counted or strong else _plain(scene, zone)
    found = sorted(counted + strong + plain, key=lambda a: a.at)
    others = [a for a in found if a.target != "workers"]
    if others and counted and _words_at(scene, counted[0].at) in _COUNT_NAMES:
        found = others
    found = _several(scene, found + _and_hours(scene, zone, found))
    if not found:
        found = _terse(scene)
    return [_with_unit(scene, one, zone, len(found)) for one in found]


def _and_hours(scene: Scene, zone: set[int], found: list[Asked]) -> list[Asked]:
    """Steps in total, and total hours? The unit alone asks for a second thing."""
    if not found or any(a.target in ("duration", "epoch_time", "data") or a.unit for a in found):
        if not (found and found[0].target in ("steps", "workers", "data") and len(found) == 1):
            return []
    for dimension, unit, at in _free_units(scene, zone):
        before = [scene.word(i) for i in range(max(at - 3, 0), at)]
        if dimension == "time" and "and" in before and found[0].at < at and "in" not in before:
            return [Asked("duration", unit, at, unit)]
    return []


def _free_units(scene: Scene, zone: set[int]) -> list[tuple[str, str, int]]:
    """Units named in the question without a number: (dimension, unit, token)."""
    inside = {k for q in scene.quantities for k in range(q.start, q.end)}
    found = []
    for i, token in enumerate(scene.tokens):
        if token.sentence not in zone or i in inside:
            continue
        single = (token.low,)
        if single in scene.lexicon.units and (len(token.low) > 1 or _stands_alone(scene, i)):
            capital = len(token.text) == 1 and token.text.isupper()
            if not capital and scene.word(i - 1) not in (
                "/",
                "per",
                "pro",
                "par",
                "por",
                "-",
                "an",
                "a",
                "each",
            ):
                found.append(("time", scene.lexicon.units[single], i))
        elif token.text in ("%",) or token.low in ("percent", "prozent", "percentage"):
            found.append(("share", "%", i))
        elif (
            token.text in UNITS["data"]
            and len(token.text) > 1
            or token.low in _SPELT
            or _spelt(scene, token.low, "")
        ):
            name = _spelt(scene, token.low, token.text)
            rate = (
                scene.word(i + 1) == "/"
                and scene.word(i + 2) == "s"
                or (scene.word(i + 1) == "per" and scene.word(i + 2) == "second")
            )
            found.append(("rate" if rate else "data", name + ("/s" if rate else ""), i))
        elif token.text in UNITS["rate"]:
            found.append(("rate", token.text, i))
    return found


_SPELT = {
    "gigabytes": "GB",
    "gigabyte": "GB",
    "megabytes": "MB",
    "megabyte": "MB",
    "terabytes": "TB",
    "kilobytes": "kB",
    "bytes": "B",
    "gigaoctets": "GB",
    "mégaoctets": "MB",
    "gib": "GiB",
    "mib": "MiB",
}


def _spelt(scene: Scene, low: str, text: str) -> str:
    """The unit a word spells; Mo and Go are French only."""
    if scene.language == "fr" and low in ("mo", "go"):
        return {"mo": "MB", "go": "GB"}[low]
    return _SPELT.get(low, text)


def _stands_alone(scene: Scene, i: int) -> bool:
    return scene.word(i - 1) in ("in", "(", "_", "=") or scene.word(i + 1) in (")", "?", "")


def _how_many(scene: Scene, zone: set[int]) -> list[Asked]:
    found = []
    for mention in scene.by_idea.get("howmany", ()):
        if scene.tokens[mention.start].sentence not in zone:
            continue
        asked = _counted_thing(scene, mention)
        if asked:
            found.append(asked)
    return found


def _counted_thing(scene: Scene, mention: Mention) -> Asked | None:
    hits = scene.lexicon.every(scene.tokens)
    words = _words(scene, mention).lower()
    if words == "number of" and _only_named(scene, mention.start):
        return None
    if words in ("cluster size", "which n", "what n", "optimal n", "best n", "worker count") or (
        words in ("gpu count", "which gpu count", "which worker count", "n?", "n =")
        or "cluster" in words
    ):
        return Asked("workers", "workers", mention.start, words)
    inside = {
        k for q in scene.quantities for k in range(q.start, q.end) if q.noun not in _COUNT_TARGETS
    }
    for i in range(mention.end, min(mention.end + 5, len(scene.tokens))):
        token = scene.tokens[i]
        if i in inside:
            continue
        if (token.low,) in scene.lexicon.units:
            unit = scene.lexicon.units[(token.low,)]
            return Asked("duration", unit, mention.start, words)
        if (
            token.text in UNITS["data"]
            and len(token.text) > 1
            or token.low in _SPELT
            or _spelt(scene, token.low, "")
        ):
            return Asked("data", _spelt(scene, token.low, token.text), mention.start, words)
        if token.low in ("times", "fold", "mal", "veces", "fois", "vezes"):
            return Asked("speedup", "x", mention.start, words)
        if token.low in ("percent", "%"):
            return None
        if token.low in ("dollars", "euros", "usd", "eur"):
            return Asked("cost", "", mention.start, words)
        ideas = {m.idea: m for m in hits.get(i, ()) if m.idea in _COUNT_TARGETS}
        if ideas:
            longest = max(ideas.values(), key=lambda m: m.end)
            target = _COUNT_TARGETS[longest.idea]
            follow = scene.word(longest.end)
            hours = scene.lexicon.units.get((follow,), "") in ("h", "d") and len(follow) > 1
            if target == "workers" and (follow == "-" or hours):
                return Asked("worker_hours", "h", mention.start, words)
            if target in ("samples", "steps") and _rate_follows(scene, longest.end):
                return Asked("throughput", "", mention.start, words)
            return Asked(target, "workers" if target == "workers" else "", mention.start, words)
    return None


_COUNT_NAMES = ("number", "nombre", "anzahl", "numero")


def _words_at(scene: Scene, i: int) -> str:
    quiet = scene.word(i - 1) in ("the", "le", "el", "o", "der", "die", "soit", "any", "of", "que")
    return (
        scene.word(i)
        if quiet and scene.word(i - 2) not in ("is", "what", "find", "was", "and")
        else ""
    )


def _only_named(scene: Scene, i: int) -> bool:
    """Triple the number of GPUs: the number is named, not asked."""
    if scene.word(i - 1) not in (
        "the",
        "any",
        "same",
        "infinite",
        "a",
        "large",
        "larger",
        "unlimited",
    ):
        return False
    return scene.word(i - 2) not in (
        "is",
        "what",
        "find",
        "give",
        "determine",
        "compute",
        "calculate",
        "estimate",
        "and",
        ":",
        "state",
        "was",
        "are",
    )


def _rate_follows(scene: Scene, i: int) -> bool:
    return scene.word(i) in ("/", "per", "a") and scene.word(i + 1) in ("s", "second", "sec")


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
            if idea == "price" and scene.word(mention.start) not in _PRICES:
                continue
            if scene.tokens[mention.start].sentence in zone and not _is_given(scene, mention):
                found.append(Asked(target, "", mention.start, _words(scene, mention)))
                break
    return found


def _by_symbol(scene: Scene, zone: set[int]) -> list[Asked]:
    """Compute S and E."""
    found = []
    for i, token in enumerate(scene.tokens):
        lone = token.text in ("S", "E") and token.sentence in zone
        if (
            lone
            and scene.word(i + 1) not in ("=", "(", "_", ":", "/")
            and scene.word(i - 1) not in ("=", "/", "(", "'")
        ):
            found.append(Asked(_SYMBOL_TARGETS[token.text], "", i, token.text))
    return found


def _share_of_step(scene: Scene, zone: set[int]) -> list[Asked]:
    """What fraction of the step is communication?"""
    both = {"comm_time", "compute_time"} <= {q.role for q in scene.quantities}
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
    named = [u for u in _free_units(scene, zone) if u[0] == "data"]
    return [Asked("data", named[0][1], named[0][2], named[0][1])] if named else []


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
                return [Asked("duration", "", mention.start, _words(scene, mention))]
    return []


def _words(scene: Scene, mention: Mention) -> str:
    return scene.text[scene.tokens[mention.start].start : scene.tokens[mention.end - 1].end]


_ONCE = (
    "price",
    "algbw",
    "busbw",
    "bandwidth",
    "memory",
    "efficiency",
    "serial",
    "parallel",
    "exposed",
)


def _is_given(scene: Scene, mention: Mention) -> bool:
    """Whether the idea only names a number that is given: "at 85 % efficiency"."""
    roles = _DONE_BY.get(mention.idea, set())
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


def _plain(scene: Scene, zone: set[int]) -> list[Asked]:
    """How long, time, needs; or only a unit: "Hours?"."""
    units = _free_units(scene, zone)
    inside = {k for q in scene.quantities for k in range(q.start, q.end)}
    for i, token in enumerate(scene.tokens):
        if (
            token.low in ("usd", "eur", "dollars", "euros", "$", "€")
            and i not in inside
            and token.sentence in zone
        ):
            if not any(q.start - 1 == i for q in scene.quantities):
                return [Asked("cost", "", i, token.text)]
    for dimension, unit, at in units:
        if dimension in ("data", "rate"):
            return [Asked("data" if dimension == "data" else "bandwidth", unit, at, unit)]
    needed = _needed_workers(scene, zone) or _batch_asked(scene, zone)
    if needed:
        return needed
    for idea in ("duration",):
        for mention in scene.by_idea.get(idea, ()):
            if scene.tokens[mention.start].sentence in zone:
                return [Asked("duration", "", mention.start, _words(scene, mention))]
    for dimension, unit, at in units:
        if dimension == "time":
            return [Asked("duration", unit, at, unit)]
    timed = any(q.role == "run" for q in scene.quantities)
    for idea in ("sample", "step", *(() if timed else ("worker",)), "split"):
        for mention in scene.by_idea.get(idea, ()):
            inside = any(q.start <= mention.start < q.end for q in scene.quantities)
            if scene.tokens[mention.start].sentence in zone and not inside:
                if idea in ("sample", "step") and _rate_follows(scene, mention.end):
                    return [Asked("throughput", "", mention.start, _words(scene, mention))]
                target = {"split": "samples"}.get(idea) or _COUNT_TARGETS[idea]
                return [Asked(target, "", mention.start, _words(scene, mention))]
    return []


def _needed_workers(scene: Scene, zone: set[int]) -> list[Asked]:
    """GPUs needed?"""
    for mention in scene.names(("worker", "node")):
        inside = any(q.start <= mention.start < q.end for q in scene.quantities)
        follow = {scene.word(mention.end), scene.word(mention.end + 1)}
        if scene.tokens[mention.start].sentence in zone and not inside:
            if follow & {"needed", "required", "necessary"}:
                return [Asked("workers", "workers", mention.start, _words(scene, mention))]
    return []


def _batch_asked(scene: Scene, zone: set[int]) -> list[Asked]:
    """Global batch size?"""
    for mention in scene.names(("batch", "perworkerbatch")):
        given = any(
            q.start - 5 <= mention.start < q.end
            for q in scene.quantities
            if q.noun == "sample" or q.dimension == "bare"
        )
        how_long = any(scene.in_sentence(s, "howlong") for s in zone)
        if scene.tokens[mention.start].sentence in zone and not given and not how_long:
            if scene.has("lr") or scene.has("throughput"):
                continue
            return [Asked("samples", "", mention.start, _words(scene, mention))]
    return []


_SUBSUMED = {
    # A strong target makes a weaker one beside it a mere word of the sentence.
    ("karp_flatt", "serial"),
    ("karp_flatt", "speedup"),
    ("algbw", "bandwidth"),
    ("busbw", "bandwidth"),
    ("algbw", "throughput"),
    ("accumulation", "steps"),
    ("worker_hours", "cost"),
    ("cost", "worker_hours"),
    ("serial", "parallel"),
    ("data", "memory"),
    ("memory", "data"),
    ("comm_ratio", "efficiency"),
    ("comm_ratio", "parallel"),
    ("workers", "parallel"),
    ("workers", "serial"),
    ("workers", "speedup"),
    ("workers", "efficiency"),
    ("workers", "memory"),
    ("workers", "throughput"),
    ("workers", "bandwidth"),
    ("workers", "lr"),
    ("data", "bandwidth"),
    ("data", "throughput"),
    ("steps", "throughput"),
    ("lr", "parallel"),
    ("lr", "throughput"),
    ("lr", "speedup"),
    ("efficiency", "parallel"),
    ("efficiency", "bandwidth"),
    ("speedup", "parallel"),
    ("duration", "serial"),
    ("duration", "parallel"),
    ("duration", "bandwidth"),
    ("throughput", "bandwidth"),
    ("speedup", "throughput"),
    ("accumulation", "memory"),
    ("duration", "cost"),
    ("cost", "bandwidth"),
    ("epoch_time", "duration"),
    ("duration", "data"),
    ("data", "duration"),
    ("workers", "data"),
    ("workers", "duration"),
    ("lr", "duration"),
    ("speedup", "duration"),
    ("saved", "duration"),
    ("base_time", "duration"),
    ("extra_seconds", "worker_hours"),
    ("extra_seconds", "duration"),
    ("base_time", "serial"),
    ("base_time", "parallel"),
    ("price", "worker_hours"),
    ("price", "cost"),
    ("cost", "price"),
    ("params", "memory"),
    ("params", "throughput"),
    ("duration", "price"),
    ("workers", "price"),
    ("comm_ratio", "algbw"),
    ("comm_ratio", "busbw"),
    ("comm_ratio", "bandwidth"),
    ("data", "memory"),
    ("efficiency", "duration"),
    ("algbw", "data"),
    ("busbw", "data"),
    ("accumulation", "data"),
    ("efficiency", "speedup"),
    ("duration", "speedup"),
    ("duration", "efficiency"),
    ("duration", "throughput"),
    ("duration", "memory"),
    ("steps", "memory"),
    ("steps", "accumulation"),
    ("cost", "speedup"),
    ("cost", "efficiency"),
    ("worker_hours", "speedup"),
    ("worker_hours", "efficiency"),
}


def _several(scene: Scene, found: list[Asked]) -> list[Asked]:
    """Keep distinct targets that are really asked beside each other."""
    names = {a.target for a in found}
    kept: list[Asked] = []
    paired = _side_by_side(scene, found)
    paired |= {
        a.target
        for a in found
        if a.target == "duration" and a.why in ("time", "duration", "runtime")
    }
    for asked in found:
        weaker = asked.target not in paired and any(
            (other, asked.target) in _SUBSUMED for other in names
        )
        joined = _joined(scene, asked, found)
        if (weaker and not joined) or asked.target in {k.target for k in kept}:
            continue
        kept.append(asked)
    return kept


def _side_by_side(scene: Scene, found: list[Asked]) -> set[str]:
    """Targets named next to each other: "the speed-up and the efficiency"."""
    pairs: set[str] = set()
    for a, b in zip(found, found[1:], strict=False):
        between = [scene.word(i) for i in range(a.at, b.at)]
        linked = {"and", "&", "und", "et", "y", "e", "和", "/", "+", ","} & set(between)
        if linked and len(between) <= 6 and {a.target, b.target} <= _NUMBERED:
            pairs |= {a.target, b.target}
    return pairs


_NUMBERED = frozenset(
    [
        "speedup",
        "efficiency",
        "throughput",
        "cost",
        "workers",
        "duration",
        "epoch_time",
        "algbw",
        "busbw",
        "worker_hours",
        "serial",
        "steps",
        "samples",
        "karp_flatt",
        "memory",
        "comm_ratio",
        "data",
    ]
)


def _joined(scene: Scene, asked: Asked, found: list[Asked]) -> bool:
    """Whether an "and" or a comma, with a question word near, makes this a question of its own."""
    words = [scene.word(i) for i in range(max(asked.at - 5, 0), asked.at)]
    linked = [w for w in words if w in ("and", ",", "&", "+", "?", "und", "et", "y", "e", "also")]
    if asked.unit and asked.target == "duration" and "and" in words:
        return True
    asks = [w for w in words if w in ("what", "which", "how", "wie", "quel", "quelle", "qual")]
    return bool(linked) and (bool(asks) or scene.word(asked.at) in ("how",))


_SYMBOL_TARGETS = {"S": "speedup", "E": "efficiency", "N": "workers", "T": "duration"}


def _terse(scene: Scene) -> list[Asked]:
    """Nothing asked in words: "1 GPU = 24 h, 6 GPUs ideal??"."""
    words = [t for t in scene.tokens if t.kind == "word"]
    if words and words[-1].text in _SYMBOL_TARGETS and len(scene.quantities) >= 2:
        return [Asked(_SYMBOL_TARGETS[words[-1].text], "", len(scene.tokens), words[-1].text)]
    whole = {t.sentence for t in scene.tokens}
    counted = _how_many(scene, whole)
    if counted:
        return counted[:1]
    strong = [a for a in _by_idea(scene, whole) if not _only_why(scene, a)]
    if strong:
        return strong[:1]
    if any(q.role in ("run", "ideal_time") for q in scene.quantities):
        return [Asked("duration", "", 0, "a time is the natural question")]
    return _plain(scene, whole)


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
    units = [u for u in _free_units(scene, zone) if u[0] == wanted]
    if not units:
        return asked
    near = min(units, key=lambda u: abs(u[2] - asked.at))
    return Asked(asked.target, near[1], asked.at, asked.why)
