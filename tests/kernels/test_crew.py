"""Units that are handed out are done once each, whoever is there to help."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit as typed_njit

from poker_solver.kernels.crew import (
    MOST_UNITS,
    _count,
    _look,
    _wait,
    call,
    code_of,
    gate_of,
    hand_out,
)
from poker_solver.kernels.records import place

njit: Any = typed_njit


class Job(NamedTuple):
    times: Any  # [U] how often each unit was done
    by: Any  # [U] the thread that did it last
    total: Any  # [1]


@njit(nogil=True, _nrt=False)
def _unit(job, thread, unit):
    job.times[unit] += 1
    job.by[unit] = thread


@njit(nogil=True, _nrt=False)
def _sum(job, thread, unit):
    job.total[0] = 0
    for u in range(len(job.times)):
        job.total[0] += job.times[u]


@njit(nogil=True, _nrt=False)
def _phases(job, units, total, gate, count, phases):
    """After every phase all its units must be done, and seen by the leader."""
    wrong = 0
    for phase in range(phases):
        hand_out(gate, units, job, count)
        call(total, job, 0)
        wrong += job.total[0] != (phase + 1) * count
    return wrong


def job_of(count: int) -> Job:
    return Job(np.zeros(count, np.int64), np.full(count, -1), np.zeros(1, np.int64))


def run(job: Job, threads: int, phases: int) -> Any:
    placed = place(job)
    with gate_of(threads) as gate:
        units, total = code_of(_unit, placed), code_of(_sum, placed)
        return _phases(placed, units, total, gate, len(job.times), phases)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 3, 64, 1000])
def test_every_unit_is_done_once_in_each_phase_before_the_next(threads, count):
    job = job_of(count)
    assert run(job, threads, 300) == 0
    assert (job.times == 300).all()
    assert set(job.by.tolist()) <= set(range(threads))


def test_no_units_is_nothing_to_wait_for():
    assert run(job_of(0), 3, 10) == 0


def test_the_most_units_there_may_be():
    job = job_of(MOST_UNITS)
    assert run(job, 3, 2) == 0
    assert (job.times == 2).all()


def test_leaders_side_by_side_do_not_meet():
    """Each has a gate of its own: more leaders than threads, all at once."""
    jobs = [job_of(37) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        wrong = list(pool.map(lambda job: run(job, 3, 200), jobs))
    assert wrong == [0] * 8
    assert all((job.times == 200).all() for job in jobs)


@njit(nogil=True, _nrt=False)
def _meet(job, thread, unit):
    """Not done before another thread is at the other unit, or after a very long time."""
    _count(job.times, unit)
    looks = 0
    while _look(job.times, 1 - unit) == 0 and looks < 100_000_000:
        _wait(looks)
        looks += 1
    job.by[unit] = thread


@njit(nogil=True, _nrt=False)
def _meeting(job, units, gate, count):
    hand_out(gate, units, job, count)


def meet_once() -> list[int]:
    """The thread that did each of two units, of which neither can be done alone."""
    job = job_of(2)
    placed = place(job)
    code = code_of(_meet, placed)
    for count in (0, 2):  # first to compile it: helpers that were called do not wait so long
        with gate_of(2) as gate:
            _meeting(placed, code, gate, count)
    return list(job.by.tolist())


def test_helpers_come_to_their_own_units_and_come_again_after_they_have_left():
    for _ in range(3):
        assert meet_once() == [0, 1]
        time.sleep(0.1)  # a helper leaves after some milliseconds without work


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_copy_of_the_process_has_helpers_of_its_own():
    meet_once()  # so that there is a crew to be copied
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends it if it hangs
        os._exit(0 if meet_once() == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0
