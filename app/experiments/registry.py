"""The experiments as this process knows them: read from the shelf, and looked at again twice a second."""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from app.call import SearchCall
from app.store.errors import StoreError

from .assignment import Assigner, Treatment
from .shelf import Allows, Shelf
from .spec import Experiment
from .version import Version, latest

log = logging.getLogger("scholarsearch")
POLL_S = 0.5


class Registry:
    """Experiments to ask and to change. A shelf that cannot be read leaves what was known last in force."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._mark = -1
        self._versions: tuple[Version, ...] = ()
        self._assigner = Assigner(())
        self._looking = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="experiments", daemon=True)

    def start(self) -> None:
        """Nothing; from here on changes of other processes are noticed."""
        self._thread.start()

    def close(self) -> None:
        """Nothing; the shelf is not looked at any more."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def refresh(self) -> None:
        """Nothing; what the shelf holds now is in force. Raises StoreError."""
        with self._looking:
            mark = self._shelf.mark()
            if mark == self._mark:
                return
            self._versions = tuple(self._shelf.versions())
            self._assigner = Assigner(self._versions)
            self._mark = mark

    def treatment(self, call: SearchCall, at: datetime) -> Treatment:
        """What the running experiments do to one search."""
        return self._assigner.treatment(call, at)

    def versions(self) -> tuple[Version, ...]:
        """All versions of all experiments, by key and number."""
        return self._versions

    def current(self) -> dict[str, Version]:
        """The newest version of each experiment, by key."""
        return latest(self._versions)

    def put(self, experiment: Experiment, allows: Allows, at: datetime) -> Version:
        """The version that holds from here on, here and within a second in other processes; see `Shelf.put`."""
        version = self._shelf.put(experiment, allows, at)
        self.refresh()
        return version

    def stop(self, key: str, reason: str, at: datetime) -> Version:
        """The newest version, stopped; see `Shelf.stop`."""
        version = self._shelf.stop(key, reason, at)
        self.refresh()
        return version

    def _follow(self) -> None:
        failing = False
        while not self._stopped.wait(POLL_S):
            try:
                self.refresh()
                failing = False
            except StoreError as error:
                if not failing:
                    log.warning("experiments stay as they were: %s", error)
                failing = True
            except Exception:
                log.exception("the experiments could not be read")
