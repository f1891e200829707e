"""The bi-encoders: each is loaded and has to put a known right passage before a known wrong one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from models.registry import DEFAULT_ENCODER, REGISTRY, load_encoder

from .finding import Finding

_SECTION = "encoders"


def encoders(
    clock: Callable[[], float],
    load: Callable[[str], object] = load_encoder,
    names: tuple[str, ...] = tuple(REGISTRY),
) -> Iterator[Finding]:
    """One finding an encoder, as it is loaded. Only the default one is needed to serve."""
    for name in names:
        yield _tried(name, clock, load)


def _tried(name: str, clock: Callable[[], float], load: Callable[[str], object]) -> Finding:
    default = name == DEFAULT_ENCODER
    package = REGISTRY[name].package if name in REGISTRY else None
    facts: dict[str, object] = {"default": default, "package": package, "load_ms": None}
    started = clock()
    try:
        load(name)
    except Exception as error:  # a broken wheel can raise anything; the others still have to be tried
        detail = " ".join(str(error).split()) or type(error).__name__
        fix = f"{sys.executable} -m pip install --force-reinstall --no-deps {package}" if package else None
        return Finding(_SECTION, name, "failure" if default else "warning", detail, fix, facts)
    seconds = clock() - started
    facts["load_ms"] = round(seconds * 1000, 1)
    detail = f"loads in {seconds:.1f} s and orders its probe{' (default)' if default else ''}"
    return Finding(_SECTION, name, "ok", detail, None, facts)
