"""Statements, options, orders, series and open questions."""

from __future__ import annotations

import pytest

from dpmodel.ask import answer


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("True or false: doubling the workers always halves the training time.", False),
        ("Doubling the workers always halves the training time. Is this correct?", False),
        ("In data parallelism every worker stores a different slice of the layers.", False),
        ("With 10% serial work no number of workers gives more than a tenfold speed-up.", True),
        ("Running at 50% efficiency on sixteen GPUs means an eightfold speed-up.", True),
        ("Running at 50% efficiency on sixteen GPUs means a tenfold speed-up.", False),
    ],
)
def test_statements_are_judged(text, truth):
    """By numbers where there are some, else by the cards, always with a reason."""
    got = answer(text)
    assert got.answer == {"type": "true_false", "value": truth}
    assert len(got.reason.split()) > 4


def test_the_most_critical_action_after_the_gradients():
    """Averaging comes before any update, in whatever order the options stand."""
    options = ["Save a checkpoint", "Average the gradients over all machines", "Update alone"]
    for turn in range(3):
        turned = options[turn:] + options[:turn]
        text = "Each machine has computed its own gradients. What must happen next? " + " ".join(
            f"{letter}) {words}" for letter, words in zip("ABC", turned, strict=True)
        )
        assert answer(text).answer["choice_text"] == options[1]


def test_events_of_a_step_are_put_in_order():
    """Split, compute gradients, average, update."""
    text = (
        "Arrange in chronological order: 1) gradients are averaged across workers "
        "2) data is split among workers 3) each worker computes gradients 4) weights are updated"
    )
    assert answer(text).answer["order"] == [2, 3, 1, 4]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Samples/s: 1: 250, 2: 481, 4: 893, 8: 1562, 16: 2500. What limits us?", "amdahl"),
        ("img/s: 1 -> 310, 2 -> 601, 4 -> 1,203, 8 -> 2,340, 16 -> 2,352. What limits?", "ceiling"),
        ("620 (1 GPU), 1228 (2), 1390 (4), 4780 (8), 9300 (16) samples/s. Bottleneck?", "outlier"),
        ("4 GPUs 1,010 samples/s; 8: 2,018; 16: 4,030; 32: 8,051. Verdict?", "near_linear"),
        (
            "gpus,img/s\n1,100\n2,196\n4,380\n8,735\n16,830\n32,1610\nWhat limits us?",
            "node_boundary",
        ),
    ],
)
def test_a_series_is_diagnosed(text, name):
    """Whatever layout the numbers come in."""
    assert answer(text).answer["class"] == name


def test_8_near_8_but_16_only_10_is_communication():
    """The classic pair, with options."""
    text = (
        "With 8 workers the speed-up was nearly 8x, with 16 only 10x. What is the most likely "
        "bottleneck? A) the dataset B) communication to synchronise gradients C) the activation"
    )
    assert answer(text).answer["choice"] == "B"


def test_a_plan_is_evaluated_with_numbers():
    """Gradient size, traffic, time and a verdict."""
    text = (
        "Evaluate the plan: a 1.3B model on 64 GPUs linked by 10 Gb Ethernet with plain data "
        "parallelism, fp32 gradients, compute 350 ms per step."
    )
    said = answer(text).answer["text"]
    assert "5.2 GB" in said and "10.24 GB" in said and "not viable" in said


def test_nothing_of_the_question_is_markup_in_the_answer():
    """Signs of HTML and Markdown in a question do not reach the sentence."""
    got = answer("<b>40</b> hours on one unit, **8** workers [x](y), how long?")
    assert not set("<>[]*`") & set(got.sentence)
