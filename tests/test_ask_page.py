"""The Ask page without a browser: asking, correcting, refusing, and a round of practice."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from dpmodel.ask import answer
from dpmodel.ask.exercises import BASELINE, BITS, KINDS, MULTIPLIED, PERCENTS, TOTAL
from dpmodel.ask.practice import exercises, show
from dpmodel.units import HOUR
from pages.ui import ask_answer, ask_picture, ask_reading, links, plain

ROOT = Path(__file__).resolve().parents[1]
TIME = "13.5 hours on one GPU at 90 % efficiency. How long on 7 GPUs?"
ODD = ["<b>bold</b>", "$x^2$", "[a](http://b.example)", "# x", ":red[x]", "1. x", "a\n\n- b"]


def opened(**parameters: str) -> AppTest:
    """Open the Ask page at an address."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, text in parameters.items():
        app.query_params[name] = text
    app.run()
    app.switch_page("pages/ask.py").run()
    assert not app.exception
    return app


def asked(question: str) -> AppTest:
    """Type a question into the box."""
    app = opened()
    app.text_area(key="q").set_value(question).run()
    assert not app.exception
    return app


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.text]


# --- asking -------------------------------------------------------------------------------------


def test_the_answer_comes_first_in_the_words_of_the_engine():
    """The page adds nothing to it and computes nothing."""
    app = asked(TIME)
    assert texts(app)[0] == answer(TIME).sentence
    assert app.text_input(key="fix_base_time").value == "13.5 h"
    assert app.text_input(key="fix_workers").value == "7"
    assert app.text_input(key="fix_efficiency").value == "90 %"


@pytest.mark.parametrize("name", list(ask_reading.EXAMPLES))
def test_every_example_is_one_click_and_answered(name):
    """None of them leads to a refusal."""
    question = ask_reading.EXAMPLES[name]
    result = answer(question)
    assert result.status == "answered"
    app = opened()
    number = list(ask_reading.EXAMPLES).index(name)
    app.button(key=f"example_{number}").click().run()
    assert not app.exception
    assert app.text_area(key="q").value == question
    assert texts(app)[0] == result.sentence


def test_every_nearest_kind_has_a_question_that_is_answered():
    """What a refusal offers works."""
    for question in ask_answer._OF_KIND.values():
        assert answer(question).status == "answered"


def test_correcting_a_quantity_answers_again_and_can_be_taken_back():
    """The corrected value stands in the box, in the address and in the answer."""
    app = asked(TIME)
    app.text_input(key="fix_workers").set_value("14").run()
    assert not app.exception
    assert texts(app)[0] == answer(TIME, {"workers": "14"}).sentence
    assert app.query_params["fix"] in ("workers=14", ["workers=14"])
    assert app.text_input(key="fix_workers").value == "14"
    assert "Corrected by you" in texts(app)
    app.text_input(key="fix_workers").set_value("").run()
    assert texts(app)[0] == answer(TIME).sentence
    assert app.text_input(key="fix_workers").value == "7"


def test_a_correction_that_is_no_number_is_refused_beside_its_box():
    """The answer stays as it was."""
    app = asked(TIME)
    app.text_input(key="fix_workers").set_value("many").run()
    assert texts(app)[0] == answer(TIME).sentence
    assert "cannot be read" in app.error[0].value


def test_another_question_forgets_the_corrections():
    """They belonged to the one before."""
    app = asked(TIME)
    app.text_input(key="fix_workers").set_value("14").run()
    app.text_area(key="q").set_value("40 hours on one GPU. How long on 8 GPUs?").run()
    assert app.text_input(key="fix_workers").value == "8"
    assert "fix" not in app.query_params


def test_a_link_brings_question_and_corrections():
    """What was shared is what is seen."""
    app = opened(q=TIME, fix="workers=14")
    assert texts(app)[0] == answer(TIME, {"workers": "14"}).sentence


def test_a_missing_quantity_is_offered_as_a_box_to_fill():
    """Filling it in answers the question."""
    app = asked("How long on 8 GPUs?")
    assert texts(app)[0] == answer("How long on 8 GPUs?").sentence
    assert any(m.value == "**Something is missing**" for m in app.markdown)
    app.text_input(key="fix_base_time").set_value("40 h").run()
    assert not app.exception
    assert texts(app)[0] == answer("40 hours on one GPU. How long on 8 GPUs?").sentence


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("How long on 8 GPUs?", "Something is missing"),
        (
            "One GPU needs 40 hours and 8 GPUs need 6 hours at 50 % efficiency. "
            "What is the speed-up?",
            "Two statements clash",
        ),
        ("40 hours on one GPU. How long on zero GPUs?", "This cannot be"),
        ("What is the weather like?", "Not understood"),
    ],
)
def test_each_refusal_is_one_sentence_under_its_name(question, head):
    """No number is shown as an answer, and nothing to open in Explore."""
    app = asked(question)
    assert any(m.value == f"**{head}**" for m in app.markdown)
    assert texts(app)[0] == answer(question).sentence
    assert not app.get("page_link")
    assert not app.get("plotly_chart")


def test_what_is_not_understood_offers_the_nearest_kinds():
    """Each is one click, and answered."""
    app = asked("What is the weather like?")
    app.button(key="near_0").click().run()
    assert texts(app)[0] == answer(ask_answer._OF_KIND["time on N workers"]).sentence


@pytest.mark.parametrize("odd", ODD)
def test_nothing_of_the_question_is_read_as_formatting(odd):
    """It is shown as plain text, or with every sign escaped."""
    app = asked(f"{odd} 40 hours on one GPU, {odd}8 GPUs need 6 hours at 50 %. Speed-up?")
    shown = [m.value for m in app.markdown if not m.value.startswith("<style>")]
    shown += [e.value for e in (*app.caption, *app.subheader, *app.error, *app.warning)]
    shown += [box.label for box in app.text_input]
    assert not [words for words in shown if odd in words]


def test_escaped_words_hold_no_sign_that_markdown_reads():
    """Every sign is preceded by a backslash."""
    for odd in ODD:
        words = plain.escaped(odd)
        assert "\n" not in words
        for i, sign in enumerate(words):
            if sign in "<>$[]()#*_`:~|!.-":
                assert words[i - 1] == "\\"


def test_putting_a_box_back_unchanged_changes_nothing():
    """What a box shows is what was read, in words that can be read again."""
    for question in (*ask_reading.EXAMPLES.values(), TIME):
        result = answer(question)
        if ask_reading.can_correct(question, ()):
            own = {u.role: ask_reading.box_text(u) for u in ask_reading.quantities(result)[0]}
            assert answer(question, own).answer == result.answer


def test_explore_opens_the_situation_of_the_question():
    """Seven workers and 13.5 hours are on the sliders."""
    app = asked(TIME)
    link = app.get("page_link")[0].proto
    for name, text in parse_qsl(link.query_string):
        app.query_params[name] = text
    app.switch_page("pages/explore.py").run()
    assert not app.exception
    assert links.OPEN not in app.query_params
    assert app.select_slider(key="n").value == "7"
    assert app.select_slider(key="hours").value == "13.5"


def test_the_marked_point_is_the_speed_up_that_was_told():
    """90 % of seven."""
    result = answer(TIME)
    scenario = ask_picture.scenario_of(result)
    assert scenario is not None
    assert (scenario.workers, scenario.one_worker_time) == (7, 13.5 * HOUR)
    figure = ask_picture.picture(result, scenario)
    marked = figure.spec["data"][-1]
    assert (marked["x"], marked["y"]) == ([7], [pytest.approx(6.3)])
    assert "6.3x" in figure.alt


# --- practice -----------------------------------------------------------------------------------

MISTAKES = {"gradient": BITS, "ideal_time": MULTIPLIED, "baseline": BASELINE}
MISTAKES |= {"efficiency": PERCENTS, "cost": TOTAL}


def practising() -> AppTest:
    """Open the page and go to its other room."""
    app = opened()
    app.button_group(key="room").set_value("Practice").run()
    return app


def check(app: AppTest, typed: str) -> AppTest:
    box = next(b for b in app.text_input if b.key.startswith("typed_"))
    box.set_value(typed)
    next(b for b in app.button if b.label == "Check").click().run()
    assert not app.exception
    return app


def set_of(app: AppTest) -> tuple[int, list[str]]:
    box = next(b for b in app.text_input if b.key.startswith("typed_"))
    return int(box.key.split("_")[1]), list(app.multiselect(key="practice_kinds").value)


def test_a_round_of_five_with_each_usual_mistake():
    """Every wrong answer is told what went wrong, then the solution; the score counts them."""
    app = practising()
    app.multiselect(key="practice_kinds").set_value(list(MISTAKES)).run()
    seed, kinds = set_of(app)
    for number, exercise in enumerate(exercises(seed, kinds, 1, len(MISTAKES)), 1):
        mistake = MISTAKES[exercise.kind]
        if mistake in exercise.draft.mistakes:
            check(app, show(exercise.draft.mistakes[mistake], exercise.draft))
            words = app.error[0].value
            assert plain.escaped(mistake) in words and plain.escaped(exercise.shown) in words
        assert app.code[0].value == "\n".join(exercise.solution)
        assert f"0 of {number} right" in next(t for t in texts(app) if t.startswith("Question"))
        app.button(key="next_question").click().run()


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_right_answer_of_every_kind_is_right(kind):
    """As the solution shows it, and as the engine answers the question."""
    app = practising()
    app.multiselect(key="practice_kinds").set_value([kind]).run()
    seed, kinds = set_of(app)
    exercise = exercises(seed, kinds, 1, 1)[0]
    check(app, exercise.shown)
    assert app.success
    assert answer(exercise.question).status == "answered"


def test_what_cannot_be_read_is_never_wrong():
    """It does not count, and the box stays for another try."""
    app = practising()
    check(app, "no idea")
    assert app.info and not app.error
    assert "right" not in next(t for t in texts(app) if t.startswith("Question"))
    check(app, "   ")
    assert not app.info and not app.error


def test_the_sheet_prints_ten_questions_with_and_without_solutions():
    """The same questions as on the screen, and no controls but the way back."""
    app = practising()
    seed, _ = set_of(app)
    wanted = exercises(seed, (), 1, 10)
    app.button(key="sheet_questions").click().run()
    shown = texts(app)
    assert all(any(e.question in t for t in shown) for e in wanted)
    assert not app.code and not app.text_input
    app.button(key="leave_sheet").click().run()
    app.button(key="sheet_solutions").click().run()
    assert [code.value for code in app.code] == ["\n".join(e.solution) for e in wanted]
