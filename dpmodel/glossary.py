"""The field's words in a dozen words each; the controls' help texts are part of it."""

from __future__ import annotations

from dpmodel.scenario import KNOBS

TERMS: dict[str, str] = {
    "All-gather": "Every worker ends with the pieces that all others held.",
    "All-reduce": "Every worker ends with the sum of all workers' gradients.",
    "Algorithm bandwidth": "Payload of an all-reduce over its time.",
    "Bucket": "Gradients sent together in one all-reduce.",
    "Bus bandwidth": "All-reduce rate times 2(N-1)/N, comparable over worker counts.",
    "Chunk": "Part of a gradient that travels as one message.",
    "Critical batch": "Batch beyond which doubling saves less than a quarter of the steps.",
    "Data parallelism": "Same model on every worker, each with a share of the batch.",
    "Efficiency": "Speed-up divided by the number of workers.",
    "Error feedback": "What was not sent is added to the next gradient.",
    "Exposed communication": "Exchange time that no computation hides.",
    "Gradient": "Direction and size of the change each parameter should make.",
    "Hidden communication": "Exchange that runs while the backward pass computes.",
    "Ideal": "N workers need one N-th of the time.",
    "Iso-efficiency line": "Settings that share the same efficiency.",
    "Knee": "Workers at which speed-up times efficiency is largest.",
    "Loss scaling": "Multiplying the loss so that small gradients survive 16 bits.",
    "N*": "Workers with the shortest time; more make it longer.",
    "Payload": "All gradient bytes that one worker brings to an all-reduce.",
    "Reduce-scatter": "Every worker ends with one piece of the sum.",
    "Replica": "One worker's own copy of the model.",
    "Shard": "One worker's share of the batch.",
    "Speed-up": "One worker's time divided by the time of N.",
    "Step": "One weight update: forward, backward, all-reduce, update.",
    "Straggler": "A worker slower than the others, for whom all wait.",
    "Strong scaling": "The batch stays the same while workers are added.",
    "Weak scaling": "The batch per worker stays the same while workers are added.",
    "Worker": "A device that holds the model and computes a share.",
    "Worker-hours": "Workers times hours: what you pay for.",
}


def glossary() -> dict[str, str]:
    """All terms with their explanation, in alphabetical order; a knob's help where it has one."""
    words = TERMS | {knob.label: knob.help for knob in KNOBS.values()}
    return dict(sorted(words.items(), key=lambda pair: pair[0].lower()))


def nomenclature() -> str:
    """Every knob as a Markdown table: symbol, meaning, unit, per what, key, range, source."""
    head = (
        "| symbol | quantity | unit | per | key | default | range | source |\n" + "|---" * 8 + "|"
    )
    rows = []
    for knob in KNOBS.values():
        limits = ", ".join(knob.choices) if knob.choices else f"{knob.low:g} to {knob.high:g}"
        cells = (
            knob.symbol,
            f"{knob.label}: {knob.help}",
            knob.unit,
            knob.per,
            f"`{knob.key}`",
            knob.text(knob.default_si),
            limits + (f", {knob.none}" if knob.none else ""),
            knob.source,
        )
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join([head, *rows])
