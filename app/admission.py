"""The door in front of the worker threads: a bounded queue, so that overload is refused and not endured.

Lives on one event loop and takes no locks: only the work itself leaves the loop. Waiting callers are served
in the ratio 6 : 3 : 1 of their priorities, first come first served inside one priority. A caller that leaves
while it waits is never computed; a thread that computes cannot be stopped, and keeps its place until done.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from .call import PRIORITIES, Priority
from .errors import BudgetExhausted, NotReady, Overloaded

T = TypeVar("T")

SHARES: dict[Priority, int] = {"realtime": 6, "batch": 3, "debug": 1}
_LONGEST_RETRY_S = 60


class Admission:
    """At most `workers` calls at once and `depth` waiting, none of them longer than `wait_ms`."""

    def __init__(
        self,
        workers: int,
        depth: int,
        wait_ms: float,
        name: str = "search",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._workers = workers
        self._free = workers
        self._depth = depth
        self._wait_ms = wait_ms
        self._clock = clock
        self._queues: dict[Priority, deque[asyncio.Future[None]]] = {key: deque() for key in PRIORITIES}
        self._credit: dict[Priority, int] = dict.fromkeys(PRIORITIES, 0)
        self._service_ms = 50.0
        self._closed = False

    def waiting(self, priority: Priority) -> int:
        """How many callers of that priority wait now."""
        return len(self._queues[priority])

    def retry_after_s(self) -> int:
        """When a refused caller may find room: the time to work off the queue, as calls went lately."""
        backlog = sum(map(len, self._queues.values())) + self._workers
        seconds = math.ceil(backlog * self._service_ms / self._workers / 1000)
        return min(max(seconds, 1), _LONGEST_RETRY_S)

    async def run(
        self,
        work: Callable[[float], T],
        priority: Priority = "realtime",
        budget_ms: float | None = None,
    ) -> T:
        """What `work(waited_ms)` returns, called on a worker thread when it is this caller's turn.

        Raises Overloaded when the queue is full or the wait too long, BudgetExhausted when the caller's own
        budget is over before its turn, NotReady when the service is closing, and what `work` raises.
        """
        entered = self._clock()
        await self._enter(priority, budget_ms)
        waited_ms = (self._clock() - entered) * 1000
        return await asyncio.wrap_future(self._begin(work, waited_ms))

    def close(self) -> None:
        """Nothing; every waiter is answered with NotReady and the threads end after their current call."""
        self._closed = True
        for queue in self._queues.values():
            for turn in queue:
                if not turn.done():
                    turn.set_exception(NotReady(("the service is closing",)))
            queue.clear()
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _enter(self, priority: Priority, budget_ms: float | None) -> None:
        if self._closed:
            raise NotReady(("the service is closing",))
        if self._free:
            self._free -= 1
            return
        if sum(map(len, self._queues.values())) >= self._depth:
            raise Overloaded("The queue is full.", "queue-full", self.retry_after_s())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues[priority].append(turn)
        limit_ms = self._wait_ms if budget_ms is None else min(self._wait_ms, budget_ms)
        try:
            async with asyncio.timeout(limit_ms / 1000):
                await turn
        except TimeoutError as error:
            self._abandon(turn, priority)
            if budget_ms is not None and budget_ms <= self._wait_ms:
                raise BudgetExhausted(f"The budget of {budget_ms:g} ms ran out in the queue.") from error
            raise Overloaded("The wait was too long.", "queue-wait", self.retry_after_s()) from error
        except asyncio.CancelledError:
            self._abandon(turn, priority)
            raise

    def _abandon(self, turn: asyncio.Future[None], priority: Priority) -> None:
        if turn in self._queues[priority]:
            self._queues[priority].remove(turn)
        elif turn.done() and not turn.cancelled() and turn.exception() is None:
            # The place was handed over in the same breath as the caller left: pass it on.
            self._pass_on()

    def _begin(self, work: Callable[[float], T], waited_ms: float) -> Future[T]:
        loop = asyncio.get_running_loop()
        started = self._clock()

        def leave(_: Future[T]) -> None:
            # Runs on the worker thread: the place is free only when the thread is. The loop may be gone.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._leave, (self._clock() - started) * 1000)

        try:
            future = self._executor.submit(work, waited_ms)
        except RuntimeError as error:
            self._pass_on()
            raise NotReady(("the service is closing",)) from error
        future.add_done_callback(leave)
        return future

    def _leave(self, elapsed_ms: float) -> None:
        self._service_ms += 0.1 * (elapsed_ms - self._service_ms)
        self._pass_on()

    def _pass_on(self) -> None:
        """Nothing; the place goes to the next in turn (smooth weighted round robin), or is free."""
        for queue in self._queues.values():
            while queue and queue[0].done():
                queue.popleft()  # left while waiting; its own task has not been told yet
        live = [priority for priority in PRIORITIES if self._queues[priority]]
        if not live:
            self._free += 1
            return
        for priority in live:
            self._credit[priority] += SHARES[priority]
        chosen = max(live, key=self._credit.__getitem__)
        self._credit[chosen] -= sum(SHARES[priority] for priority in live)
        self._queues[chosen].popleft().set_result(None)
