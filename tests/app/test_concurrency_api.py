"""The service while searches run: health answers, overload is refused, those who left are not computed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any

from app.call import SearchCall
from app.fake import FakeAnswerer

from .conftest import Caller, fake_app, ready_app


class Slow(FakeAnswerer):
    """Searches stand still until `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.began: list[SearchCall] = []

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        self.began.append(call)
        self.go.wait()
        return super().search(call)


def searching(app: Any, query: str, **rest: Any) -> tuple[Caller, asyncio.Task[Any]]:
    caller = Caller(app, "POST", "/v1/search", (json.dumps({"query": query, **rest}).encode(),))
    return caller, asyncio.create_task(caller.call())


async def until(holds: Any) -> None:
    while not holds():  # noqa: ASYNC110 - the thread has no event of this loop
        await asyncio.sleep(0)


def play(scene: Any, **settings: Any) -> None:
    async def stage() -> None:
        engine = Slow()
        app = fake_app(lambda _: engine, **settings)
        async with app.router.lifespan_context(app):
            await ready_app(app)
            try:
                await scene(app, engine)
            finally:
                engine.go.set()

    asyncio.run(stage())


def test_health_and_metrics_answer_while_every_thread_is_busy() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        tasks = [searching(app, "grant")[1] for _ in range(6)]
        await until(lambda: len(engine.began) == 2)
        # Nothing lets the searches go on before these have answered.
        for path in ("/healthz", "/readyz", "/metrics", "/v1/version", "/v1/opportunities/cinder-prize", "/"):
            assert (await Caller(app, "GET", path).call()).status == 200
        metrics = (await Caller(app, "GET", "/metrics").call()).body.decode()
        assert 'scholarsearch_queue_depth{priority="realtime"} 4.0' in metrics
        assert not any(task.done() for task in tasks)
        engine.go.set()
        assert [(await task).status for task in tasks] == [200] * 6

    play(scene)


def test_overload_is_refused_with_a_time_to_come_back() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        tasks = [searching(app, "grant")[1] for _ in range(5)]
        await until(lambda: app.state.runtime.searches.waiting("realtime") == 3)
        refused = await searching(app, "late")[1]
        assert refused.status == 429
        assert json.loads(refused.body)["type"] == "/docs#overloaded"
        assert int(refused.headers["retry-after"]) >= 1
        engine.go.set()
        assert [(await task).status for task in tasks] == [200] * 5
        metrics = (await Caller(app, "GET", "/metrics").call()).body.decode()
        assert 'scholarsearch_rejected_total{reason="queue-full"} 1.0' in metrics
        assert 'scholarsearch_requests_total{route="/v1/search",status="429"} 1.0' in metrics

    play(scene, queue_depth=3)


def test_a_caller_that_hangs_up_in_the_queue_is_not_computed() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        first = searching(app, "first")[1]
        await until(lambda: len(engine.began) == 1)
        gone, left = searching(app, "gone")
        _, stays = searching(app, "stays")
        await until(lambda: app.state.runtime.searches.waiting("realtime") == 2)
        gone.gone.set()
        await left
        assert app.state.runtime.searches.waiting("realtime") == 1
        engine.go.set()
        assert [(await task).status for task in (first, stays)] == [200, 200]
        assert [call.query.text for call in engine.began] == ["first", "stays"]
        metrics = (await Caller(app, "GET", "/metrics").call()).body.decode()
        assert 'scholarsearch_requests_total{route="/v1/search",status="499"} 1.0' in metrics

    play(scene, search_threads=1)


def test_a_budget_that_ends_in_the_queue() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        first = searching(app, "first")[1]
        await until(lambda: len(engine.began) == 1)
        late = await searching(app, "late", budget_ms=5)[1]
        assert (late.status, json.loads(late.body)["type"]) == (504, "/docs#budget-exhausted")
        assert not first.done()
        engine.go.set()
        assert (await first).status == 200
        metrics = (await Caller(app, "GET", "/metrics").call()).body.decode()
        assert 'scholarsearch_rejected_total{reason="budget"} 1.0' in metrics

    play(scene, search_threads=1)


def test_the_engine_gets_what_is_left_of_the_budget() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        engine.go.set()
        await searching(app, "a", budget_ms=1000)[1]
        await searching(app, "b")[1]
        left_ms = engine.began[0].budget_ms
        assert left_ms is not None
        assert 0 <= left_ms < 1000
        assert engine.began[1].budget_ms is None

    play(scene)


def test_health_answers_while_the_engine_is_being_opened() -> None:
    async def stage() -> None:
        go = threading.Event()

        def open_slowly(_: Any) -> FakeAnswerer:
            go.wait()
            return FakeAnswerer()

        app = fake_app(open_slowly)
        async with app.router.lifespan_context(app):
            assert (await Caller(app, "GET", "/healthz").call()).status == 200
            assert (await Caller(app, "GET", "/docs").call()).status == 200
            waiting = await Caller(app, "GET", "/readyz").call()
            assert waiting.status == 503
            assert "loaded" in json.loads(waiting.body)["errors"][0]["message"]
            assert int(waiting.headers["retry-after"]) >= 1
            assert (await searching(app, "grant")[1]).status == 503
            go.set()
            await ready_app(app)
            assert (await Caller(app, "GET", "/readyz").call()).status == 200
            assert (await searching(app, "grant")[1]).status == 200

    asyncio.run(stage())


def test_a_body_in_pieces_is_one_body_and_an_endless_one_is_cut_off() -> None:
    async def scene(app: Any, engine: Slow) -> None:
        engine.go.set()
        pieces = tuple(bytes([byte]) for byte in b'{"query": "grant"}')
        assert (await Caller(app, "POST", "/v1/search", pieces).call()).status == 200
        endless = Caller(app, "POST", "/v1/search", (b" " * 1000,) * 100_000)
        assert (await endless.call()).status == 413
        # A search by query string reads no body, and is not harmed by one.
        assert (await Caller(app, "GET", "/v1/search", (b" " * 1000,) * 10).call()).status == 200

    play(scene)


def test_a_service_may_be_started_again() -> None:
    async def stage() -> None:
        app = fake_app()
        assert (await searching(app, "before the start")[1]).status == 503
        for _ in range(2):
            async with app.router.lifespan_context(app):
                await ready_app(app)
                assert (await searching(app, "grant")[1]).status == 200
            assert (await searching(app, "after the end")[1]).status == 503

    asyncio.run(stage())


def test_who_waits_when_the_service_closes_is_told() -> None:
    async def stage() -> None:
        engine = Slow()
        app = fake_app(lambda _: engine, search_threads=1)
        async with app.router.lifespan_context(app):
            await ready_app(app)
            running = searching(app, "running")[1]
            await until(lambda: len(engine.began) == 1)
            waiting = searching(app, "waiting")[1]
            await until(lambda: app.state.runtime.searches.waiting("realtime") == 1)
        assert (await waiting).status == 503
        engine.go.set()
        assert (await running).status == 200

    asyncio.run(stage())
