"""Many links at one time: every one once, one host one thing at a time, and nothing lost when it ends early."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.freshness.agenda import Agenda
from app.freshness.checker import KEPT_TOGETHER, Seen, check
from app.freshness.crew import SILENT_TIMES, Crew
from app.freshness.pace import Pace
from app.store.sighting import Known, Sighting

OK = Sighting("ok", 200)


def links(hosts: int, each: int) -> dict[str, Known]:
    return {f"http://h{host}.example/{at}": Known() for at in range(each) for host in range(hosts)}


class Watched:
    """A look that answers at once, and notices two at one host."""

    def __init__(self, answers: dict[str, Sighting] | None = None) -> None:
        self.answers = answers or {}
        self.busy: dict[str, int] = defaultdict(int)
        self.crowded = False
        self.lock = threading.Lock()

    def __call__(self, url: str, known: Known) -> Sighting:
        host = url.split("/")[2]
        with self.lock:
            self.busy[host] += 1
            self.crowded |= self.busy[host] > 1
        time.sleep(0.001)
        with self.lock:
            self.busy[host] -= 1
        return self.answers.get(host, OK)


def now(host: str) -> float:
    return time.monotonic()


@pytest.mark.parametrize("threads", [1, 3, 16])
def test_every_link_is_looked_at_once_and_kept_in_small_batches(threads: int) -> None:
    look, kept, due = Watched(), [], links(5, 9)
    sizes: list[int] = []

    def keep(seen: list[Seen]) -> None:
        sizes.append(len(seen))
        kept.extend(seen)

    tally = check(due, Crew(look, now, threads), keep)  # type: ignore[arg-type]
    assert sorted(url for url, _ in kept) == sorted(due)
    assert (tally.due, tally.looked, tally.postponed, dict(tally.states)) == (45, 45, 0, {"ok": 45})
    assert max(sizes) <= KEPT_TOGETHER
    assert not look.crowded


def test_a_host_that_does_not_answer_or_is_busy_is_left_for_later() -> None:
    look = Watched({"h0.example": Sighting("unreachable"), "h1.example": Sighting("error", 429, busy=True)})
    kept: list[Seen] = []
    tally = check(links(3, 9), Crew(look, now, 4), kept.extend)
    assert dict(tally.states) == {"unreachable": SILENT_TIMES, "error": 1, "ok": 9}
    assert tally.postponed == 27 - len(kept) == (9 - SILENT_TIMES) + 8


def test_what_cannot_be_visited_is_told_without_a_host() -> None:
    kept: list[Seen] = []
    check({"mailto:a@b.example": Known()}, Crew(lambda url, known: Sighting("refused"), now, 2), kept.extend)
    assert [sighting.state for _, sighting in kept] == ["refused"]


def test_stopping_keeps_what_was_seen() -> None:
    stop, kept = threading.Event(), list[Seen]()
    seen = count(1)

    def look(url: str, known: Known) -> Sighting:
        if next(seen) == 7:
            stop.set()
        return OK

    tally = check(links(1, 500), Crew(look, now, 1), kept.extend, stop=stop)
    assert 0 < tally.looked == len(kept) < 500


def test_an_interruption_keeps_what_was_seen_and_goes_on() -> None:
    kept: list[Seen] = []

    def interrupt(step: str, done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(links(2, 50), Crew(Watched(), now, 2), kept.extend, interrupt)
    assert len(kept) == 5


def test_a_fault_of_the_look_itself_is_heard_of() -> None:
    def broken(url: str, known: Known) -> Sighting:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        check(links(2, 2), Crew(broken, now, 2), lambda seen: None)


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 6), min_size=1))
def test_an_agenda_gives_every_link_of_a_host_in_order_and_then_nothing(counts: dict[str, int]) -> None:
    wanted = {host: [f"{host}{at}" for at in range(number)] for host, number in counts.items()}
    agenda, given_out = Agenda(wanted, time.monotonic), defaultdict(list)
    while (turn := agenda.take()) is not None:
        given_out[turn.host].append(turn.url)
        agenda.done(turn.host, 0.0)
    assert dict(given_out) == {host: urls for host, urls in wanted.items() if urls}
    assert agenda.take() is None


@given(st.lists(st.sampled_from("ab"), max_size=12), st.floats(0.1, 5.0))
def test_requests_to_one_host_are_spaced_and_others_do_not_wait(hosts: list[str], interval: float) -> None:
    moment = [0.0]
    turns: dict[str, list[float]] = defaultdict(list)

    def sleep(seconds: float) -> None:
        moment[0] += seconds

    pace = Pace(interval, lambda: moment[0], sleep)
    pace.slow_down("b", 2 * interval)
    for host in hosts:
        pace.wait(host)
        turns[host].append(moment[0])
        assert pace.ready_at(host) == pytest.approx(moment[0] + interval * (1 + (host == "b")))
    for host, factor in (("a", 1), ("b", 2)):
        gaps = [later - earlier for earlier, later in pairwise(turns[host])]
        assert all(gap >= factor * interval - 1e-9 for gap in gaps)
