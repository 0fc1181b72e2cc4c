"""Answer one question: choose the way it is answered, and never fail on any text."""

from __future__ import annotations

from collections.abc import Mapping

from dpmodel.ask.general import solve_situation
from dpmodel.ask.result import AskResult
from dpmodel.ask.scene import Scene
from dpmodel.ask.situation import situate


def answer(question: str, overrides: Mapping[str, str] | None = None) -> AskResult:
    """Answer a question about data-parallel training, asked in plain words.

    Parameters
    ----------
    question : str
        The question in English, German, French, Spanish, Portuguese or Chinese.
    overrides : mapping of str to str, optional
        Corrected quantities: role to text, such as ``{"workers": "7", "base_time": "13.5 h"}``.

    Returns
    -------
    AskResult
        The answer with its working, or a refusal that says why.
    """
    scene = Scene(question)
    result = AskResult(question, language=scene.language)
    made = situate(scene)
    return solve_situation(made, result)
