"""Tables brought to the version of this program, by migrations that ship with it."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from .engine import reading, writing
from .errors import StoreNewer

_LOCK = 0x5C401A5


def migrate(engine: Engine) -> None:
    """Brings the tables to this version, in one transaction. Raises StoreNewer when they are beyond it."""
    script = ScriptDirectory(str(Path(__file__).parent / "migrations"))
    with reading(engine) as connection:
        if _version(connection, script) == script.get_current_head():
            return
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":  # another process may be starting too
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        _version(connection, script)
        _upgrade(connection, script)


def version() -> str:
    """The version of the tables that this program works with."""
    return str(ScriptDirectory(str(Path(__file__).parent / "migrations")).get_current_head())


def _version(connection: Connection, script: ScriptDirectory) -> str | None:
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in {step.revision for step in script.walk_revisions()}:
        raise StoreNewer(
            f"the store has tables of version {found}, which a newer ScholarSearch has made: update this one"
        )
    return found


def _upgrade(connection: Connection, script: ScriptDirectory) -> None:
    def steps(revision: str, _context: object) -> list[RevisionStep]:
        return list(script._upgrade_revs("head", revision))

    with EnvironmentContext(Config(), script, fn=steps) as environment:
        environment.configure(connection=connection, render_as_batch=True)
        environment.run_migrations()
