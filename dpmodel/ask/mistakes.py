"""Usual mistakes of practice answers, and the units that exercises are made in."""

from dpmodel.units import UNITS

H, MIN, MS = UNITS["time"]["h"], UNITS["time"]["min"], UNITS["time"]["ms"]
PERCENT, GB, GBS = UNITS["fraction"]["%"], UNITS["data"]["GB"], UNITS["rate"]["GB/s"]
MILLION = UNITS["count"]["M"]
MULTIPLIED = "multiplied where it divides, or divided where it multiplies"
BITS = "bits taken for bytes: 8 bits are 1 byte"
BASELINE = "forgot that the baseline is not one worker"
PERCENTS = "percent and fraction mixed up: 25 % is 0.25"
TOTAL = "per worker and total mixed up"
IDEAL = "left out the efficiency"
SIDES = "took the wrong side: divide the other way round"
