"""Small equations of the questions, on the model's own laws and collectives.

All take and return SI scalars: times [s], data [B], rates [1/s] or [B/s], money [$], ratios [1].
"""

from __future__ import annotations

import math

from dpmodel import collectives, laws
from dpmodel.answers import whole_workers


def product(a: float, b: float) -> float:
    """Return a b."""
    return a * b


def three(a: float, b: float, c: float) -> float:
    """Return a b c."""
    return a * b * c


def add(a: float, b: float) -> float:
    """Return a + b."""
    return a + b


def ratio(a: float, b: float) -> float:
    """Return a / b."""
    return a / b


def inverse(a: float) -> float:
    """Return 1 / a."""
    return 1 / a


def rest(share: float) -> float:
    """Return what a share leaves, 1 - a."""
    return 1 - share


def left_over(total: float, hidden: float) -> float:
    """Return what is not hidden of a time, never less than nothing."""
    return max(0.0, total - hidden)


def share_of_sum(part: float, other: float) -> float:
    """Return a / (a + b)."""
    return part / (part + other)


def second_share(part: float, other: float) -> float:
    """Return b / (a + b)."""
    return other / (part + other)


def time_between(base_time: float, base_workers: float, workers: float, efficiency: float) -> float:
    """Time of N workers from that of Na, at a relative efficiency [s]."""
    one = laws.ideal_one_worker_time(base_time, base_workers)
    return float(laws.ideal_time(one, workers, efficiency))


def base_time_between(time: float, workers: float, efficiency: float, base_workers: float) -> float:
    """Time of Na workers from that of N, at a relative efficiency [s]."""
    one = laws.ideal_one_worker_time(time, workers, efficiency)
    return float(laws.ideal_time(one, base_workers))


def ideal_between(base_time: float, base_workers: float, workers: float) -> float:
    """Ideal time of N workers from that of Na [s]."""
    return time_between(base_time, base_workers, workers, 1.0)


def workers_between(
    base_time: float, base_workers: float, deadline: float, efficiency: float
) -> float:
    """Workers for a deadline from the time of Na [1]."""
    one = laws.ideal_one_worker_time(base_time, base_workers)
    return float(laws.ideal_workers(one, deadline, efficiency))


def amdahl_between(base_time: float, base_workers: float, workers: float, serial: float) -> float:
    """Time of N workers from that of Na by Amdahl's law [s]."""
    one = laws.amdahl_one_worker_time(base_time, base_workers, serial)
    return float(laws.amdahl_time(one, workers, serial))


def amdahl_gain(base_workers: float, workers: float, serial: float) -> float:
    """Speed-up of N over Na workers by Amdahl's law [1]."""
    high, low = laws.amdahl_speed_up(workers, serial), laws.amdahl_speed_up(base_workers, serial)
    return float(high / low)


def gain_of(efficiency: float, workers: float, base_workers: float) -> float:
    """Speed-up from an efficiency, E N / Na [1]."""
    return efficiency * workers / base_workers


def efficiency_between(speedup: float, workers: float, base_workers: float) -> float:
    """Efficiency relative to Na workers, S Na / N [1]."""
    return float(laws.efficiency_of(speedup * base_workers, 1.0, workers))


def rate_efficiency(rate: float, unit_rate: float, workers: float) -> float:
    """Efficiency from a total and a one-worker throughput [1]."""
    return float(laws.efficiency_of(rate / unit_rate, 1.0, workers))


def split_gain(one: float, workers: float, exposed: float) -> float:
    """Speed-up of a step that splits evenly and then waits, t / (t/N + c) [1]."""
    return float(one / (laws.ideal_time(one, workers) + exposed))


def weak_gain(workers: float, base_step: float, new_step: float) -> float:
    """Gain in samples per second at a fixed batch per worker, N t1 / tN [1]."""
    return workers * base_step / new_step


def weak_gain_between(
    base_workers: float, workers: float, base_step: float, new_step: float
) -> float:
    """Gain in samples per second from Na to N workers at a fixed batch per worker [1]."""
    return workers * base_step / (base_workers * new_step)


def workers_near_limit(serial: float, closeness: float) -> float:
    """Workers whose speed-up is within a share of Amdahl's limit [1]."""
    return float(laws.amdahl_workers(laws.amdahl_limit(serial) * (1 - closeness), serial))


def workers_at_efficiency(serial: float, efficiency: float) -> float:
    """Most workers that still reach an efficiency under Amdahl's law, 1 + (1/E - 1)/f [1]."""
    return 1 + (1 / efficiency - 1) / serial


def workers_for_samples(
    samples: float, unit_rate: float, deadline: float, efficiency: float
) -> float:
    """Workers that train a number of samples in time [1]."""
    return float(laws.ideal_workers(samples / unit_rate, deadline, efficiency))


def workers_for_rate(rate: float, unit_rate: float, efficiency: float) -> float:
    """Workers that reach a throughput [1]."""
    return rate / (unit_rate * efficiency)


def rate_between(base_rate: float, base_workers: float, workers: float, efficiency: float) -> float:
    """Throughput of N workers from that of Na at a relative efficiency [1/s]."""
    return base_rate * workers * efficiency / base_workers


def batch_share(batch: float, workers: float, parts: float) -> float:
    """Samples, or parts, that one of N workers gets of a batch [1]."""
    return batch / (workers * parts)


def whole_steps(dataset: float, batch: float) -> float:
    """Steps that go once through a data set; the last may be smaller [1]."""
    return float(whole_workers(dataset / batch))


def full_steps(dataset: float, batch: float) -> float:
    """Whole batches in a data set, an incomplete last one left out [1]."""
    return float(math.floor(dataset / batch * (1 + 1e-12)))


def epochs_done(rate: float, time: float, dataset: float) -> float:
    """Epochs that a throughput does in a time [1]."""
    return rate * time / dataset


def linear_rule(lr: float, base_batch: float, new_batch: float) -> float:
    """Learning rate in proportion to the batch [1]."""
    return lr * new_batch / base_batch


def root_rule(lr: float, base_batch: float, new_batch: float) -> float:
    """Learning rate in proportion to the root of the batch [1]."""
    return lr * math.sqrt(new_batch / base_batch)


def linear_rule_workers(lr: float, workers: float, base_workers: float) -> float:
    """Learning rate in proportion to the workers at a fixed batch each [1]."""
    return lr * workers / base_workers


def root_rule_workers(lr: float, workers: float, base_workers: float) -> float:
    """Learning rate in proportion to the root of the workers [1]."""
    return lr * math.sqrt(workers / base_workers)


def ring_bytes(payload: float, workers: float) -> float:
    """Bytes that each worker of a ring all-reduce sends, 2 (N-1)/N S [B]."""
    return float(collectives.ring(workers)[1] * payload)


def ring_total(payload: float, workers: float) -> float:
    """Bytes that all workers of a ring all-reduce send together, 2 (N-1) S [B]."""
    return float(collectives.ring(workers)[1] * payload * workers)


def ring_time(payload: float, bandwidth: float, workers: float, latency: float) -> float:
    """Textbook time of a ring all-reduce, 2 (N-1) a + 2 (N-1)/N S/B [s]."""
    steps, wire = collectives.ring(workers)
    return float(collectives.join(steps * latency, wire * payload / bandwidth, "textbook"))


def ring_rate(payload: float, workers: float, time: float) -> float:
    """Link rate that a ring all-reduce needs to end in a time [B/s]."""
    return ring_bytes(payload, workers) / time


def server_bytes(payload: float, workers: float) -> float:
    """Bytes in and out of one parameter server, 2 N S [B]."""
    return float(collectives.parameter_server(workers)[1] * payload)


def server_worker_bytes(payload: float) -> float:
    """Bytes that a worker exchanges with a parameter server, S out and S back [B]."""
    return 2 * payload


def server_time(payload: float, bandwidth: float, workers: float, latency: float) -> float:
    """Textbook time through one parameter server's link [s]."""
    steps, wire = collectives.parameter_server(workers)
    return float(collectives.join(steps * latency, wire * payload / bandwidth, "textbook"))


def bus_of_alg(algbw: float, workers: float) -> float:
    """Bus bandwidth from algorithm bandwidth [B/s]."""
    return float(collectives.bus_bandwidth(algbw, 1.0, workers))


def alg_of_bus(busbw: float, workers: float) -> float:
    """Algorithm bandwidth from bus bandwidth [B/s]."""
    return busbw / float(collectives.bus_bandwidth(1.0, 1.0, workers))


def affordable_time(budget: float, price: float, workers: float) -> float:
    """Time (or workers) that money pays for [s]."""
    return budget / (price * workers)


def gain_of_two_exchanges(
    workers: float, base_workers: float, compute: float, exchange: float, new_exchange: float
) -> float:
    """Gain in samples per second where the exchange takes another time, batch each fixed [1]."""
    return weak_gain_between(base_workers, workers, compute + exchange, compute + new_exchange)


def bus_factor(workers: float) -> float:
    """Bus bandwidth over algorithm bandwidth of an all-reduce, 2 (N-1)/N [1]."""
    return float(collectives.bus_bandwidth(1.0, 1.0, workers))


def extra_worker_time(workers: float, time: float, base_workers: float, base_time: float) -> float:
    """Worker-time of one run above that of another [s]."""
    return workers * time - base_workers * base_time
