"""Many links looked at, the results kept as they come: an interrupted check goes on where it stopped."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from app.store.sighting import Known, Sighting

from .crew import Crew

KEPT_TOGETHER = 20
_KEPT_AFTER_S = 2.0

Seen = tuple[str, Sighting]
Keep = Callable[[Sequence[Seen]], None]
Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Tally:
    """What a check has seen. states: links by state. postponed: left for the next check, because of their host."""

    due: int = 0
    looked: int = 0
    postponed: int = 0
    redirected: int = 0
    states: Counter[str] = field(default_factory=Counter)

    def count(self, sighting: Sighting) -> None:
        """Counts one look."""
        self.looked += 1
        self.redirected += sighting.final_url is not None
        self.states[sighting.state] += 1


def check(
    due: Mapping[str, Known],
    crew: Crew,
    keep: Keep,
    progress: Progress = lambda step, done, total: None,
    stop: threading.Event | None = None,
) -> Tally:
    """The tally of looking at every link that is due; `keep` has been given every sighting on return.

    Ends early when `stop` is set. Whatever ends it, what was seen until then is kept.
    """
    tally, seen = Tally(due=len(due)), list[Seen]()
    kept_at = crew.clock()
    with closing(crew.results(due)) as results:
        try:
            for result in results:
                if result is not None and result.sighting is None:
                    tally.postponed += 1
                elif result is not None and result.sighting is not None:
                    seen.append((result.url, result.sighting))
                    tally.count(result.sighting)
                    progress("links", tally.looked, len(due))
                if len(seen) >= KEPT_TOGETHER or (seen and crew.clock() - kept_at > _KEPT_AFTER_S):
                    keep(seen)
                    seen, kept_at = [], crew.clock()
                if stop is not None and stop.is_set():
                    break
        finally:
            if seen:
                keep(seen)
    return tally
