"""What an operator may set, read once from the environment (`SCHOLARSEARCH_…`); refuses unsafe values.

The only reader of the environment. Units are in the names.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from models.rung import Rung

from .badsetting import bad_setting

_PREFIX = "SCHOLARSEARCH_"
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")


class Settings(BaseSettings):
    """Every setting of the service, with its default."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, frozen=True, hide_input_in_errors=True)

    home: Path = Field(default=Path("artifacts"), description="Folder of everything the service writes.")
    store_url: SecretStr | None = Field(
        default=None, description="PostgreSQL URL of the records; unset = a SQLite file in the home folder."
    )
    host: str = Field(default="127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    debug: bool = Field(default=False, description="Let any caller choose the system that answers.")
    admin_key: SecretStr | None = Field(
        default=None, description="Key of the administrator; unset = nobody is one."
    )
    write_key: SecretStr | None = Field(
        default=None, description="Key of whoever may write records; unset = only the administrator may."
    )
    cursor_secret: SecretStr | None = Field(
        default=None,
        description="Signs page cursors; unset = a public constant, which catches accidents but not forgers.",
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Origins whose pages may call the service, comma separated; * = any."
    )
    cors_credentials: bool = Field(default=False, description="Let those pages send credentials.")
    body_limit_bytes: int = Field(default=65_536, ge=1024, description="Longest request body accepted.")
    bulk_limit_bytes: int = Field(
        default=16_777_216,
        ge=1024,
        description="Longest body of many records (packed and unpacked) or of texts to rerank.",
    )
    queue_depth: int = Field(
        default=128, ge=1, description="Searches that may wait; the next one is refused with 429."
    )
    queue_wait_ms: int = Field(default=10_000, ge=1, description="Longest wait in that queue before a 429.")
    search_threads: int | None = Field(
        default=None,
        ge=1,
        le=256,
        description="Searches at the same time; unset = processors this process may use.",
    )
    compact_at: int = Field(
        default=2_000,
        ge=1,
        description="Changed records after which the snapshot is built anew, by a process of its own.",
    )
    link_check_hours: int | None = Field(
        default=None,
        ge=1,
        le=8760,
        description="Hours between the service's own checks of the records' links; unset = it makes none.",
    )
    contact: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        pattern=r"^[!-~][ -~]*$",
        description="Address or page by which the link checker introduces itself to the sites it visits.",
    )
    canary_minutes: float | None = Field(
        default=60.0,
        gt=0,
        le=10_080,
        description="Minutes between two rounds of the judged canary; `none` = no round is made.",
    )
    canary_set: Path | None = Field(
        default=None,
        description="Folder of judged queries for it (queries.jsonl, qrels/); unset = the shipped ones.",
    )
    experiment_watch_s: float | None = Field(
        default=300.0,
        ge=1,
        le=86_400,
        description="Seconds between two looks at the guardrails of running experiments; `none` = nobody looks.",
    )
    experiment_guard: bool = Field(default=True, description="Whether an arm that breaks a guardrail stops.")
    precision_policy: Literal["stable", "pressure"] = Field(
        default="stable",
        description="What moves the precision ladder: settled signals, or searches that wait.",
    )
    precision_floor: Rung = Field(default="int4", description="Lowest rung the ladder may reach.")
    precision_pin: Rung | None = Field(
        default=None, description="Rung to serve on whatever is seen; unset = the policy decides."
    )
    precision_shadow: float = Field(
        default=0.02,
        ge=0,
        le=1,
        description="Share of the reranked searches that is scored on the reference rung too; 0 = none.",
    )
    precision_probe: bool = Field(
        default=True, description="Let a process of low priority work out the adapter's gradient."
    )
    precision_gradient_log: Path | None = Field(
        default=None, description="A trainer's gradient.jsonl to read in place of that probe."
    )
    precision_grad_std: float = Field(
        default=0.03,
        gt=0,
        description="Deviation of the gradient's norm below which the adapter has settled.",
    )
    precision_qps_std: float = Field(
        default=12.5, gt=0, description="Deviation of the searches a second below which traffic has settled."
    )
    precision_queue_ms: float = Field(
        default=100.0, gt=0, description="Wait from which the policy `pressure` steps down."
    )
    precision_calm_ms: float = Field(
        default=20.0, gt=0, description="Wait below which it steps up again; less than the one above."
    )
    precision_down_s: float = Field(
        default=30.0, ge=0, description="Seconds for which a policy has to want a lower rung."
    )
    precision_up_s: float = Field(
        default=10.0, ge=0, description="Seconds for which a policy has to want a higher rung."
    )
    precision_dwell_s: float = Field(
        default=60.0, ge=0, description="Least seconds between two moves of a policy."
    )
    precision_agreement: float = Field(
        default=0.9,
        gt=0,
        le=1,
        description="Agreement with the reference's top 5 below which a rung is left.",
    )
    feedback: bool = Field(
        default=True, description="Log what is served and take `/v1/feedback`; false does neither."
    )
    feedback_key: SecretStr | None = Field(
        default=None,
        description="Key of a program that may send any amount of feedback; the admin key may too.",
    )
    feedback_open: bool = Field(
        default=True, description="Take feedback without a key too, as pages send it; limited by caller."
    )
    feedback_per_minute: int = Field(
        default=600, ge=1, description="Events a minute from one address without a key, in each process."
    )
    feedback_hash_key: SecretStr | None = Field(
        default=None,
        description="Key under which ids of people are hashed; unset = a random one, made once in the home folder.",
    )
    feedback_days: int | None = Field(
        default=180,
        ge=1,
        le=3650,
        description="Days after which exposures and events are deleted; `none` = they stay.",
    )
    feedback_spool_bytes: int = Field(
        default=268_435_456,
        ge=1_048_576,
        description="How much may wait on the disk for the store; beyond it feedback is refused.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least level logged."
    )

    def __init__(self, **values: Any) -> None:  # noqa: ANN401 - as the base class has it
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise bad_setting(error, type(self).model_fields, _PREFIX) from None

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip().rstrip("/") for part in value.split(",") if part.strip())
        return value

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is not an origin such as https://example.org")
        return value

    @field_validator("canary_minutes", "experiment_watch_s", "feedback_days", mode="before")
    @classmethod
    def _may_be_none(cls, value: object) -> object:
        return None if isinstance(value, str) and value.strip().lower() == "none" else value

    @field_validator(
        *("admin_key", "write_key", "feedback_key", "feedback_hash_key", "cursor_secret", "store_url")
    )
    @classmethod
    def _not_blank(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().strip():
            raise ValueError("is set but blank: give it a value or unset it")
        return value

    @model_validator(mode="after")
    def _safe_together(self) -> Self:
        if self.cors_credentials and "*" in self.cors_origins:
            raise ValueError("cors_credentials needs named cors_origins: * would let any site act for a user")
        if self.precision_calm_ms >= self.precision_queue_ms:
            raise ValueError("precision_calm_ms must be below precision_queue_ms")
        return self

    @property
    def cursor_key(self) -> str:
        """The text that signs cursors, the same in every worker and after a restart."""
        return self.cursor_secret.get_secret_value() if self.cursor_secret else "public"

    def is_admin(self, key: str | None) -> bool:
        """Whether `key` is the administrator's."""
        return _same(self.admin_key, key)

    def is_writer(self, key: str | None) -> bool:
        """Whether `key` is a writer's: the write key or the administrator's."""
        return _same(self.write_key, key) | _same(self.admin_key, key)

    def is_feeder(self, key: str | None) -> bool:
        """Whether `key` is one for sending feedback: the feedback key or the administrator's."""
        return _same(self.feedback_key, key) | _same(self.admin_key, key)


def _same(ours: SecretStr | None, theirs: str | None) -> bool:
    """Whether the two are one key; compared by digest, in constant time. A key that is not set is nobody's."""
    if ours is None or theirs is None:
        return False
    ours_digest = hashlib.sha256(ours.get_secret_value().encode()).digest()
    theirs_digest = hashlib.sha256(theirs.encode("utf-8", "surrogatepass")).digest()
    return hmac.compare_digest(ours_digest, theirs_digest)
