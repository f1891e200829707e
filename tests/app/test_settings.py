"""Settings: read from the environment alone, and unsafe ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.badsetting import BadSetting
from app.settings import Settings


def test_the_defaults_are_safe() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.home) == ("127.0.0.1", 8000, Path("artifacts"))
    assert not settings.debug
    assert settings.cors_origins == ()
    assert settings.queue_depth == 128
    assert not any(settings.is_admin(key) for key in (None, "", "None"))


def test_the_environment_is_read_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHOLARSEARCH_HOME", "/tmp/elsewhere")  # noqa: S108 - only a name
    monkeypatch.setenv("SCHOLARSEARCH_CORS_ORIGINS", "https://a.example, http://localhost:5173/")
    monkeypatch.setenv("SCHOLARSEARCH_DEBUG", "1")
    monkeypatch.setenv("SCHOLARSEARCH_ADMIN_KEY", "ключ")
    settings = Settings()
    assert settings.home == Path("/tmp/elsewhere")  # noqa: S108
    assert settings.cors_origins == ("https://a.example", "http://localhost:5173")
    assert settings.debug
    assert settings.is_admin("ключ")
    assert not settings.is_admin("ключ ")
    assert not settings.is_admin("\ud800")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ADMIN_KEY", ""),
        ("ADMIN_KEY", "  "),
        ("CURSOR_SECRET", ""),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("HOST", ""),
        ("BODY_LIMIT_BYTES", "10"),
        ("QUEUE_DEPTH", "0"),
        ("QUEUE_WAIT_MS", "0"),
        ("SEARCH_THREADS", "0"),
        ("CORS_ORIGINS", "example.org"),
        ("CORS_ORIGINS", "https://a.example/path"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_value_is_refused_and_not_repaired(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"SCHOLARSEARCH_{name}", value)
    with pytest.raises(BadSetting) as refused:
        Settings()
    said = str(refused.value)
    assert f"SCHOLARSEARCH_{name}" in said
    assert "\n" not in said
    assert "pydantic" not in said


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "many", "SCHOLARSEARCH_PORT is 'many': must be a whole number from 0 to 65535"),
        ("QUEUE_DEPTH", "0", "SCHOLARSEARCH_QUEUE_DEPTH is '0': must be a whole number of at least 1"),
        (
            "LOG_LEVEL",
            "loud",
            "SCHOLARSEARCH_LOG_LEVEL is 'loud': must be one of debug, info, warning, error",
        ),
        ("DEBUG", "perhaps", "SCHOLARSEARCH_DEBUG is 'perhaps': must be true or false"),
        ("HOST", "", "SCHOLARSEARCH_HOST is '': must be a text that is not empty"),
        ("CORS_ORIGINS", "x", "SCHOLARSEARCH_CORS_ORIGINS: 'x' is not an origin such as https://example.org"),
        ("WRITE_KEY", " ", "SCHOLARSEARCH_WRITE_KEY is set but blank: give it a value or unset it"),
    ],
)
def test_a_wrong_value_is_told_with_its_name_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"SCHOLARSEARCH_{name}", value)
    with pytest.raises(BadSetting) as refused:
        Settings()
    assert str(refused.value) == said


def test_several_wrong_values_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHOLARSEARCH_PORT", "many")
    monkeypatch.setenv("SCHOLARSEARCH_QUEUE_DEPTH", "few")
    with pytest.raises(BadSetting, match=r"SCHOLARSEARCH_PORT .*; SCHOLARSEARCH_QUEUE_DEPTH "):
        Settings()


def test_a_secret_of_the_wrong_kind_is_not_repeated() -> None:
    with pytest.raises(BadSetting) as refused:
        Settings(admin_key=["hunter2"])
    assert "hunter2" not in str(refused.value)


def test_any_origin_with_credentials_is_refused() -> None:
    with pytest.raises(BadSetting, match="cors_credentials"):
        Settings(cors_origins=("*",), cors_credentials=True)
    assert Settings(cors_origins=("https://a.example",), cors_credentials=True).cors_credentials


def test_secrets_are_not_shown() -> None:
    settings = Settings(admin_key="hunter2", cursor_secret="hunter3")  # noqa: S106
    assert "hunter" not in repr(settings)
    assert settings.cursor_key == "hunter3"
    assert Settings().cursor_key == Settings().cursor_key != ""


def test_every_setting_says_what_it_does() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
