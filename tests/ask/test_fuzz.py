"""No text makes the engine fail or dawdle."""

from __future__ import annotations

import json
import random
import time

from dpmodel.ask import answer
from tests.ask.mutations import mangled

TEXTS = [
    "One accelerator needs 56 hours. How long do seven identical accelerators take?",
    "Ring of 16, message 256 MB, 10 GB/s links, 20 microseconds latency. Time in ms?",
    "Samples/s by GPU count: 1: 250, 2: 481, 4: 893, 8: 1562, 16: 2500. What will 32 give?",
    "True or false: with 10% serial work no number of processors gives more than 10x.",
    "Which law grows the problem? A) Amdahl B) Little C) Moore D) Gustafson",
    "Order: (1) average gradients (2) forward pass (3) update (4) split the batch",
    "Um treino demora 7,2 horas com 4 GPUs e 1,2 horas com 32 GPUs. Qual é a eficiência?",
    "单个GPU训练需要64小时，使用16个GPU，理想情况下需要多少小时？",
    "gpus;min\n1;88\n8;12,8\nspeedup?",
]
SLOWEST = 0.25  # a shared machine may stall; the bench measures the real limit


def test_500_mangled_questions_neither_fail_nor_stall():
    """Each is answered or refused, as JSON, in time."""
    dice, worst = random.Random(4), 0.0
    for text in TEXTS:
        answer(text)
    for _ in range(500):
        text = mangled(TEXTS, dice)
        begun = time.process_time()
        document = answer(text).document()
        worst = max(worst, time.process_time() - begun)
        json.dumps(document, allow_nan=False)
        assert document["status"] == "answered" or document["reason"]
    assert worst < SLOWEST
