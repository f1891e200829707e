"""What was last seen of a record's link, for a program and for a person."""

from __future__ import annotations

from typing import Any


def last_sighting(url: str | None) -> dict[str, Any] | None:
    """The last look at a link as plain JSON values; None when there is no link, or nobody has looked at it."""
    from app.settings import Settings
    from app.store import open_store
    from app.store.visits import visits_of

    if url is None:
        return None
    store = open_store(Settings())
    try:
        visit = visits_of(store, [url]).get(url)
    finally:
        store.close()
    if visit is None:
        return None
    seen = visit.sighting
    moments = {"broken_since": visit.broken_since, "changed_at": visit.changed_at}
    return {
        "checked_at": visit.checked_at.isoformat(),
        "state": seen.state,
        "status": seen.status,
        "final_url": seen.final_url,
        "detail": seen.detail,
        **{name: None if at is None else at.isoformat() for name, at in moments.items()},
    }


def told(sighting: dict[str, Any] | None) -> str:
    """The same on one line."""
    if sighting is None:
        return "never checked"
    checked = f"checked {sighting['checked_at'][:10]}"
    if sighting["broken_since"] is not None:
        what = sighting["status"] or sighting["state"]
        return f"link broken since {sighting['broken_since'][:10]} ({what}), {checked}"
    text = f"{sighting['state']} ({sighting['detail'] or sighting['status']}), {checked}"
    text += f", leads to {sighting['final_url']}" if sighting["final_url"] else ""
    return text + (f", page changed {sighting['changed_at'][:10]}" if sighting["changed_at"] else "")
