"""Who waits for whom inside one process, where searches share an interpreter with everything else."""

from __future__ import annotations

import gc
import os
import sys
import threading

# So long a thread waits for the interpreter before the one that has it is asked to hand it over. The forward pass of a
# network lets go of it some hundred times: at the standard 5 ms, a busy thread beside it costs a search half a second.
_TURN_S = 0.0005
_NICENESS = 10


def take_short_turns() -> None:
    """Nothing; from here on no thread of this process keeps the interpreter for long while another one waits."""
    sys.setswitchinterval(_TURN_S)


def settle() -> None:
    """Nothing; what was made so far is never looked through again for circles of references.

    A snapshot in memory is millions of objects, which the collector would go through at every full round: a pause of
    a third of a second for every search under way. What nobody refers to is freed all the same.
    """
    gc.collect()
    gc.freeze()


def give_way() -> None:
    """Nothing; the calling thread gets a processor after the others of this process.

    Only for threads that spend their time in networks and files: one that holds the interpreter while it waits for a
    processor would keep everybody waiting. Where threads have no priority of their own nothing happens.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
