"""Ids of people as keyed hashes: the same for the same id, and of no use to anybody without the key."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from .errors import FeedbackError

_KEY_BYTES = 32
_FILE = "key"


class Pseudonyms:
    """Hashes under the key that `load` gives, asked for when it is first needed and again while that fails."""

    def __init__(self, load: Callable[[], bytes]) -> None:
        self._load = load
        self._key: bytes | None = None

    def of(self, text: str | None) -> str | None:
        """32 hex digits; None for None. Raises FeedbackError while there is no key."""
        if text is None:
            return None
        if self._key is None:
            self._key = blake2b(self._load(), digest_size=_KEY_BYTES).digest()
        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, key=self._key, digest_size=16).hexdigest()


def pseudonyms_of(folder: Path, key: str | None) -> Pseudonyms:
    """Under `key`, or without one under a random key that is kept in `folder`, made at the first need.

    Processes that share the folder share the key.
    """
    return Pseudonyms(lambda: key.encode() if key is not None else _kept(folder / _FILE))


def _kept(file: Path) -> bytes:
    """The key in the file, which is made if it is not there. Raises FeedbackError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not file.exists():
            _make(file)
        return bytes.fromhex(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise FeedbackError(f"{file}: the key of ids cannot be read or made ({error})") from error


def _make(file: Path) -> None:
    """Nothing; the file is there, whole. Of two processes that make it at once, the first one's stays."""
    draft = file.with_name(f"{_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, secrets.token_hex(_KEY_BYTES).encode())
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
