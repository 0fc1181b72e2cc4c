"""True or false: by numbers where the statement holds some, else by the concept cards."""

from __future__ import annotations

import re

from dpmodel import laws
from dpmodel.ask import checks
from dpmodel.ask.concepts import judge, spaced
from dpmodel.ask.facts import judge_by_facts
from dpmodel.ask.gloss import with_english
from dpmodel.ask.goals import assume
from dpmodel.ask.lexicon import listed
from dpmodel.ask.result import AskResult
from dpmodel.ask.scene import Scene
from dpmodel.ask.situation import Situation, situate
from dpmodel.units import HOUR, significant

_PREFIX = re.compile(
    r"^\s*(?:q\d*[:.)]\s*)?(?:true\s*(?:or|/)\s*false|t/f|true\?|right or wrong"
    r"|wahr oder falsch|richtig oder falsch|vrai ou faux"
    r"|verdadero o falso|verdadeiro ou falso|对还是错|判断(?:对错|正误)?|correct or not"
    r"|is this (?:true|correct|right)|agree or disagree|claim|statement"
    r"|decide whether this is true|is it true that|stimmt es[, ]+dass|est-il vrai que"
    r"|¿?es cierto que|é verdade que)\s*[:?.\-,)]*\s*",
    re.IGNORECASE,
)
_SUFFIX = re.compile(
    r"[\s(\[-]*(?:true\s*(?:or|/)\s*false|t/f|true|right or wrong|wahr oder falsch"
    r"|richtig oder falsch|vrai ou faux|verdadero o falso"
    r"|verdadeiro ou falso|对吗|correct|right|is that (?:true|right|correct)|agree"
    r"|is this (?:true|correct|right)|stimmt das|yes or no|is this statement (?:true"
    r"|correct)|true or not)\s*[?)\].]*\s*$",
    re.IGNORECASE,
)
_ABSOLUTE = listed("claims_absolute")
_HEDGED = listed("claims_hedged")
_GAINS = listed("claims_gains")


def bare_claim(question: str) -> tuple[str, bool]:
    """Take the words around a statement off; tell whether they asked for true or false."""
    text, asked = question.strip(), False
    for shape in (_PREFIX, _SUFFIX):
        cut = shape.sub("", text)
        if cut != text and len(cut) > 15:
            asks = re.search(
                r"false|falsch|faux|falso|t/f|wrong|对", text[len(cut) :], re.IGNORECASE
            )
            if shape is _SUFFIX and not text.rstrip().endswith("?") and not asks:
                continue
            text, asked = cut.strip(" \"'“”«»"), True
    return text, asked


def is_statement(scene: Scene, text: str) -> bool:
    """Whether a text states something and asks nothing."""
    if any(t.text == "?" for t in scene.tokens) or not scene.tokens:
        return False
    orders = scene.lexicon.every(scene.tokens)
    first = {0} | {i + 1 for i, t in enumerate(scene.tokens) if t.text in ".;!:"}
    asks = {"question", "order", "why", "strategy", "split"}
    for i in first:
        if {m.idea for m in orders.get(i, ())} & asks and scene.word(i) not in ("that", "when"):
            return False
    verbs = re.search(
        r"\b(is|are|means?|gives?|makes?|has|have|holds?|needs?|takes?|cuts?|stores?|uses?|stays?|can|cannot|must|will|does|do|always|never|improves?|lowers?|raises?|reduces?|sends?|grows?|doubles?|halves|remains?|equals?|becomes?|trains?|keeps?|runs?|costs?|requires?|ends?|falls?|ist|sind|bedeutet|est|sont|es|son|é|são)\b",
        text,
        re.IGNORECASE,
    )
    if all(q.value == 1 for q in scene.quantities) and len(scene.tokens) >= 6:
        return text.rstrip().endswith(".")
    return bool(verbs) and text.rstrip().endswith(".") and "___" not in text


def claim_answer(question: str, result: AskResult, asked: bool) -> AskResult | None:
    """Judge a statement; None where neither numbers nor cards can."""
    scene = Scene(question)
    by_numbers = _by_numbers(scene, question)
    if by_numbers is not None:
        return _fill(result, by_numbers[0], by_numbers[1])
    verdict = judge(with_english(question, scene.language))
    if abs(verdict.score) > 0.4 and verdict.card is not None:
        return _fill(result, verdict.score > 0, f"{verdict.card.reason} ({verdict.card.source})")
    known = judge_by_facts(with_english(question, scene.language))
    if known is not None:
        said = "Known" if known[0] else "A usual error"
        return _fill(result, known[0], f"{said}: {known[1]}.")
    flat = spaced(with_english(question, scene.language))
    if any(f" {word} " in flat for word in _ABSOLUTE) and any(f" {w} " in flat for w in _GAINS):
        return _fill(
            result,
            False,
            "A statement without exception fails: communication, serial work, waiting and small "
            "shares take their part. With 10 % serial work, 8 workers give 4.7x, 16 give 6.4x.",
        )
    return None


def _fill(result: AskResult, truth: bool, reason: str) -> AskResult:
    result.status, result.kind, result.reason = "answered", "true_false", reason
    result.answer = {"type": "true_false", "value": truth}
    result.sentence = f"{'True' if truth else 'False'}. {reason}"
    return result


def _by_numbers(scene: Scene, text: str) -> tuple[bool, str] | None:
    """Check a statement with numbers by the same equations that answer questions."""
    if not scene.quantities:
        return None
    made = situate(scene)
    bound = _limit(scene, made)
    if bound is not None:
        return bound
    compared = _compared(scene, made)
    if compared is not None:
        return compared
    assume(made, [])
    if made.clashes:
        return None
    stated = {n: g.value for n, g in made.givens.items() if not g.assumed}
    pairs = checks._pairs(made, stated)
    pairs += _more_pairs(scene, made, stated)
    if not pairs:
        return None
    wrong = [p for p in pairs if abs(p[2] - p[3]) > 0.02 * max(abs(p[2]), abs(p[3]))]
    first, second, a, b = (wrong or pairs)[0]
    truth = _with_bounds(scene, a, b, not wrong)
    return truth, f"By the numbers: {first}; {second}."


def _with_bounds(scene: Scene, computed: float, said: float, equal: bool) -> bool:
    """At least, at most, more than: the statement bounds the value."""
    if scene.says("at least", "no less than"):
        return computed >= said * 0.999
    if scene.says("at most", "no more than", "not more than"):
        return computed <= said * 1.001
    if scene.says("more than", "exceeds", "above", "over") and not equal:
        return computed > said
    if scene.says("less than", "below", "under") and not equal:
        return computed < said
    negated = scene.says("not", "never", "cannot")
    return equal != negated


def _limit(scene: Scene, made: Situation) -> tuple[bool, str] | None:
    """No number of workers gives more than 1/f."""
    serial, claimed = made.value("serial"), made.value("speedup")
    workers = made.value("workers")
    if serial is None or claimed is None or serial <= 0 or not 0 <= serial <= 1:
        return None
    if workers is not None and workers > 1:
        gain = float(laws.amdahl_speed_up(workers, serial))
        upper = scene.says(*listed("claims_limit_2"))
        reach = scene.says(*listed("claims_limit_3"))
        if scene.says("above", "more than", "over", "exceeds", "exceed"):
            truth = gain > claimed * (1 + 1e-9)
            denied = scene.says("not", "never", "cannot", "no")
            said = f"Amdahl's law gives {significant(gain)}x on {workers:g} workers."
            return truth != denied, said
        truth = (
            gain <= claimed * 1.005
            if upper
            else gain >= claimed * 0.995
            if reach
            else abs(gain / claimed - 1) < 0.02
        )
        return truth, f"Amdahl's law gives {significant(gain)}x on {workers:g} workers."
    limit = float(laws.amdahl_limit(serial))
    denies = scene.says(*listed("claims_limit"))
    truth = limit <= claimed * 1.005 if denies else claimed < limit * 0.995
    return truth, f"With that serial share the limit is 1/f = {significant(limit)}x."


def _compared(scene: Scene, made: Situation) -> tuple[bool, str] | None:
    """The larger run uses more worker-hours, is more efficient, costs less."""
    known = {n: g.value for n, g in made.givens.items() if not g.assumed}
    if not {"base_workers", "base_time", "workers", "time"} <= set(known):
        return None
    low = known["base_workers"] * known["base_time"]
    high = known["workers"] * known["time"]
    more = scene.says(*listed("claims_compared"))
    less = scene.says(*listed("claims_compared_2"))
    same = scene.says(*listed("claims_compared_3"))
    if scene.has("workerhours", "cost") or scene.says(*listed("claims_compared_5")):
        if not (more or less or same):
            return None
        apart = abs(high - low) > 0.01 * low
        truth = not apart if same else (high > low and apart) if more else (high < low and apart)
        hours = HOUR
        return (
            truth,
            f"Worker-hours: {significant(low / hours)} against {significant(high / hours)}.",
        )
    if scene.says("super linear", "superlinear"):
        return high < low, f"Worker-time {significant(high / low)} of the baseline's."
    if scene.says(*listed("claims_compared_4")):
        return high > 1.005 * low, f"Worker-time {significant(high / low)} of the baseline's."
    if scene.has("ideal") and not scene.has("efficiency"):
        return abs(
            high / low - 1
        ) < 0.02, f"Worker-time {significant(high / low)} of the baseline's."
    return None


def _more_pairs(
    scene: Scene, made: Situation, known: dict[str, float]
) -> list[tuple[str, str, float, float]]:
    """Pairs that only statements have: ideal times, bytes, batches, sent data."""
    found: list[tuple[str, str, float, float]] = []
    has = known.keys().__contains__

    def put(what: str, computed: float, said: float) -> None:
        found.append(
            (f"{what} {significant(computed, 4)}", f"stated {significant(said, 4)}", computed, said)
        )

    if has("base_time") and has("time") and has("workers") and made.scene.has("ideal"):
        base = known.get("base_workers", 1.0)
        put(
            "ideal time in hours",
            known["base_time"] * base / known["workers"] / HOUR,
            known["time"] / HOUR,
        )
    if has("share") and has("batch") and has("workers"):
        put("global batch", known["share"] * known["workers"], known["batch"])
    payloads = [q.value for q in scene.quantities if q.role == "payload"]
    if len(payloads) == 1 and has("params"):
        size = made.value("bytes_per_param")
        if size:
            put("gradient bytes", known["params"] * size, payloads[0])
    if len(payloads) == 2 and has("workers") and scene.has("ring"):
        n = known["workers"]
        put("bytes sent", 2 * (n - 1) / n * payloads[0], payloads[1])
    if has("serial") and has("limit"):
        put("limit", 1 / known["serial"], known["limit"])
    if has("lr") and has("base_batch") and has("new_batch"):
        rates = [q.value for q in scene.quantities if q.role == "lr"]
        if len(rates) == 2:
            put("learning rate", rates[0] * known["new_batch"] / known["base_batch"], rates[1])
    return found
