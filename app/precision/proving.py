"""Opening the engines of all rungs and trying each: at the start, after a reset, and on the week's queries."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from app.judging import LateJudge, scores
from app.turns import give_way
from models.recalibration import Calibration, due
from models.rung import RUNGS
from models.selftest import ProbeList, Verdict, self_test

log = logging.getLogger("scholarsearch")

Lists = Callable[[Sequence[str]], Sequence[ProbeList]]


class Proving:
    """Tries the rungs, off the request path, one trial at a time.

    lists: probe lists of the queries given, or of the shipped ones. take: told the verdicts of each trial.
    """

    def __init__(
        self,
        judges: LateJudge,
        lists: Lists,
        take: Callable[[tuple[Verdict, ...]], None],
        clock: Callable[[], float],
    ) -> None:
        self.judges = judges
        self._lists, self._take, self._clock = lists, take, clock
        self._last: Calibration | None = None
        self._one = threading.Lock()
        self._stopped = False

    @property
    def tested_on(self) -> int:
        """How many of the week's queries the last trial was made on; 0 = the shipped probe."""
        return len(self._last.queries) if self._last else 0

    def begin(self) -> None:
        """Nothing; the rungs are being opened and tried."""
        self._apart(lambda: self.test())

    def reload(self) -> None:
        """Nothing; every engine is being opened anew, while the old ones serve what they can."""

        def work() -> None:
            fresh = self.judges.reopened()
            fresh.get()
            self.judges = fresh
            self.test()

        self._apart(work)

    def renew(self, week: Sequence[str], left_since: bool, now: float) -> None:
        """Nothing; the rungs are being tried on the week's frequent queries, if that is due."""
        if self._last is not None and (cause := due(self._last, week, left_since, now)):
            log.info(
                "the rungs are tried on the week's queries", extra={"cause": cause, "queries": len(week)}
            )
            self._apart(lambda: self.test(week))

    def test(self, queries: Sequence[str] = ()) -> None:
        """Nothing; every rung that opens is tried, on `queries` or the shipped ones, and the verdicts are told."""
        with self._one:
            judges = self.judges
            engines = {rung: scores(judge) for rung in RUNGS if (judge := judges.get(rung)) is not None}
            lists = self._lists(queries)
            if not engines or not lists or self._stopped:
                return
            verdicts = self_test(engines, judges.missing, lists, self._clock)
            self._last = Calibration(self._clock(), frozenset(queries))
            self._take(verdicts)
        for one in verdicts:
            told = {"rung": one.rung, "on_ladder": one.on_ladder, "why": one.why, "detail": one.detail}
            log.info("rung tested", extra=told)

    def close(self) -> None:
        """Nothing; a trial under way tells nobody."""
        self._stopped = True

    def _apart(self, work: Callable[[], None]) -> None:
        def careful() -> None:
            give_way()
            try:
                work()
            except Exception:
                log.exception("the rungs could not be tried")

        threading.Thread(target=careful, name="rungs", daemon=True).start()
