"""The door: bounded, fair, deaf to those who left, and never a waiter without an answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.admission import SHARES, Admission
from app.call import PRIORITIES, Priority
from app.errors import BudgetExhausted, NotReady, Overloaded

T = TypeVar("T")


class Gate:
    """Work that stands still until it is let through, and counts who came."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.began: list[str] = []
        self.most = 0
        self._inside = 0
        self._lock = threading.Lock()

    def work(self, name: str) -> Callable[[float], str]:
        def wait(_: float) -> str:
            with self._lock:
                self.began.append(name)
                self._inside += 1
                self.most = max(self.most, self._inside)
            self.opened.wait()
            with self._lock:
                self._inside -= 1
            return name

        return wait


def play(scene: Callable[[Admission, Gate], Awaitable[T]], **limits: Any) -> T:
    """What the scene gives, played on a loop of its own; the door and the gate are cleared away after it."""

    async def stage() -> T:
        door = Admission(**{"workers": 1, "depth": 8, "wait_ms": 60_000, **limits})
        gate = Gate()
        try:
            return await scene(door, gate)
        finally:
            gate.opened.set()
            door.close()

    return asyncio.run(stage())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - the thread has no event of this loop
        await asyncio.sleep(0)


def start(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    return asyncio.create_task(work)


@pytest.mark.parametrize("workers", [1, 3])
def test_no_more_at_once_than_workers_and_every_caller_is_answered(workers: int) -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        tasks = [start(door.run(gate.work(str(number)))) for number in range(8)]
        await until(lambda: len(gate.began) == workers)
        assert sum(map(door.waiting, PRIORITIES)) == 8 - workers
        gate.opened.set()
        assert await asyncio.gather(*tasks) == [str(number) for number in range(8)]
        assert gate.most <= workers

    play(scene, workers=workers)


def test_the_queue_is_bounded_and_says_when_to_come_back() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        tasks = [start(door.run(gate.work(str(number)))) for number in range(4)]
        await until(lambda: door.waiting("realtime") == 3)
        with pytest.raises(Overloaded) as refused:
            await door.run(gate.work("late"))
        assert refused.value.reason == "queue-full"
        assert refused.value.retry_after_s == door.retry_after_s() >= 1
        gate.opened.set()
        assert len(await asyncio.gather(*tasks)) == 4
        assert await door.run(gate.work("later")) == "later"
        assert "late" not in gate.began

    play(scene, depth=3)


def test_the_time_to_come_back_follows_the_work() -> None:
    async def scene(door: Admission, gate: Gate) -> tuple[int, int]:
        before = door.retry_after_s()
        for _ in range(60):
            await door.run(lambda _: None)
        return before, door.retry_after_s()

    ticks = iter(range(0, 10**9, 4))  # each reading of the clock is four seconds after the last
    before, after = play(scene, clock=lambda: next(ticks))
    assert before == 1
    assert after == 4


def test_the_queue_is_served_by_shares_and_in_order() -> None:
    async def scene(door: Admission, gate: Gate) -> list[str]:
        first = start(door.run(gate.work("first")))
        await until(lambda: gate.began == ["first"])
        tasks = [
            start(door.run(gate.work(f"{priority} {number}"), priority))
            for number in range(20)
            for priority in ("debug", "batch", "realtime")
        ]
        await until(lambda: sum(map(door.waiting, PRIORITIES)) == 60)
        gate.opened.set()
        await asyncio.gather(first, *tasks)
        return gate.began[1:]

    began = play(scene, depth=100)
    # While all three wait, every ten places are shared as the shares say.
    for at in (0, 10, 20):
        ten = [name.split()[0] for name in began[at : at + 10]]
        assert {priority: ten.count(priority) for priority in PRIORITIES} == SHARES
    for priority in PRIORITIES:
        assert [name for name in began if name.startswith(priority)] == [f"{priority} {n}" for n in range(20)]


def test_who_leaves_while_waiting_is_never_computed() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        tasks = [start(door.run(gate.work(str(number)))) for number in range(4)]
        await until(lambda: door.waiting("realtime") == 3)
        tasks[1].cancel()
        tasks[3].cancel()
        await until(lambda: door.waiting("realtime") == 1)
        gate.opened.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert [done[0], done[2]] == ["0", "2"]
        assert isinstance(done[1], asyncio.CancelledError)
        assert gate.began == ["0", "2"]

    play(scene)


def test_who_leaves_while_computing_keeps_the_place_until_the_thread_is_free() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        first = start(door.run(gate.work("first")))
        await until(lambda: gate.began == ["first"])
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        second = start(door.run(gate.work("second")))
        await until(lambda: door.waiting("realtime") == 1)
        assert gate.began == ["first"]
        gate.opened.set()
        assert await second == "second"

    play(scene)


def test_a_wait_is_no_longer_than_allowed() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        first = start(door.run(gate.work("first")))
        await until(lambda: gate.began == ["first"])
        with pytest.raises(Overloaded) as refused:
            await door.run(gate.work("second"))
        assert refused.value.reason == "queue-wait"
        assert door.waiting("realtime") == 0
        gate.opened.set()
        assert await first == "first"
        assert await door.run(gate.work("third")) == "third"
        assert gate.began == ["first", "third"]

    play(scene, wait_ms=5)


def test_a_budget_that_ends_in_the_queue_is_told_then_and_not_when_a_place_is_free() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        first = start(door.run(gate.work("first")))
        await until(lambda: gate.began == ["first"])
        with pytest.raises(BudgetExhausted, match="5 ms"):
            await door.run(gate.work("second"), budget_ms=5)
        assert not first.done()

    play(scene)


def test_an_error_reaches_its_own_caller_and_frees_the_place() -> None:
    def fail(_: float) -> None:
        raise ValueError("mine")

    async def scene(door: Admission, gate: Gate) -> None:
        gate.opened.set()
        with pytest.raises(ValueError, match="mine"):
            await door.run(fail)
        assert await door.run(gate.work("next")) == "next"

    play(scene)


def test_closing_answers_everybody() -> None:
    async def scene(door: Admission, gate: Gate) -> None:
        tasks = [start(door.run(gate.work(str(number)))) for number in range(3)]
        await until(lambda: door.waiting("realtime") == 2)
        door.close()
        gate.opened.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert done[0] == "0"
        assert [type(error) for error in done[1:]] == [NotReady, NotReady]
        with pytest.raises(NotReady):
            await door.run(gate.work("late"))
        assert gate.began == ["0"]

    play(scene)


def test_the_work_is_told_how_long_it_waited() -> None:
    async def scene(door: Admission, gate: Gate) -> list[float]:
        return [await door.run(lambda waited_ms: waited_ms) for _ in range(2)]

    ticks = iter([0.0, 0.25, 1.0, 1.0, 2.0, 2.5, 3.0, 3.0])
    assert play(scene, clock=lambda: next(ticks))[0] == 250.0


STEPS = st.lists(
    st.tuples(st.sampled_from(["come", "leave", "finish", "breathe"]), st.integers(0, 30)), max_size=40
)


@given(steps=STEPS, workers=st.integers(1, 3), depth=st.integers(1, 4))
def test_no_sequence_loses_a_place_or_a_waiter(
    steps: list[tuple[str, int]], workers: int, depth: int
) -> None:
    """Whatever comes and goes, in the end every caller has an answer and every place is free."""

    async def scene(door: Admission, gate: Gate) -> None:
        tasks: list[asyncio.Task[str]] = []
        locks: list[threading.Event] = []

        def work(number: int) -> Callable[[float], str]:
            def wait(_: float) -> str:
                locks[number].wait()
                return str(number)

            return wait

        for step, number in steps:
            if step == "come":
                locks.append(threading.Event())
                priority: Priority = PRIORITIES[number % 3]
                tasks.append(start(door.run(work(len(locks) - 1), priority)))
            elif step == "leave" and tasks:
                tasks[number % len(tasks)].cancel()
            elif step == "finish" and locks:
                locks[number % len(locks)].set()
            else:
                await asyncio.sleep(0)
        for lock in locks:
            lock.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        for number, result in enumerate(done):
            assert result == str(number) or isinstance(result, asyncio.CancelledError | Overloaded)
        assert sum(map(door.waiting, PRIORITIES)) == 0
        # All places are free again: as many as there are workers run at once.
        gate.began.clear()
        full = [start(door.run(gate.work("x"))) for _ in range(workers)]
        await until(lambda: len(gate.began) == workers)
        gate.opened.set()
        await asyncio.gather(*full)

    play(scene, workers=workers, depth=depth)
