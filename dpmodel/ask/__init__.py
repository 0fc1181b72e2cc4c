"""Ask: questions in plain words, read, answered with their working, or refused with a reason."""

from dpmodel.ask.answer import answer
from dpmodel.ask.result import AskResult, Step, Understood, Value

__all__ = ["AskResult", "Step", "Understood", "Value", "answer"]
