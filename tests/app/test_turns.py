"""Turns and priorities of threads, as the operating system and the interpreter report them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from app.turns import give_way


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux alone")
def test_one_thread_gives_way_and_no_other() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    seen: list[int] = []

    def polite() -> None:
        give_way()
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    thread = threading.Thread(target=polite)
    thread.start()
    thread.join()
    assert seen == [max(before, 10)]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_a_waiting_thread_gets_its_turn_soon() -> None:
    """In a process of its own: the setting is the whole interpreter's."""
    program = "import sys; from app.turns import take_short_turns; take_short_turns(); print(sys.getswitchinterval())"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0 < float(told.stdout) < 0.005


def test_the_service_takes_short_turns() -> None:
    program = "import sys; from app.main import create; create(); print(sys.getswitchinterval())"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(told.stdout) < 0.005


def test_what_was_made_before_is_settled() -> None:
    program = (
        "import gc; from app.turns import settle; kept = [[] for _ in range(1000)]; settle();"
        "print(gc.get_freeze_count() >= 1000, any(one is kept for one in gc.get_objects()))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "False"]
