"""Published measurements beside the model: read, map to scenarios, predict, and score.

`reading` turns the files into cases, `cells` their text into catalogue entries, `mapping` a case
into a scenario, `curves` and `sweeps` predict, `bands` and `scores` say how far off that is.
"""
