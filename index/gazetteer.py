"""Names of countries and levels in the languages we hold, and the names used in indexed text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from babel import Locale

# Languages whose country names are understood in queries; CLDR through Babel.
LOCALES = (
    "en",
    "zh_Hans",
    "zh_Hant",
    "es",
    "de",
    "fr",
    "it",
    "pt",
    "ko",
    "ja",
    "pl",
    "sv",
    "th",
    "vi",
    "nl",
    "tr",
    "id",
)

LEVEL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "bachelor": "bachelor undergraduate",
        "master": "master postgraduate",
        "phd": "PhD doctoral",
        "postdoc": "postdoctoral",
        "highschool": "high school",
        "vocational": "vocational",
        "other": "",
    }
)


@lru_cache(maxsize=32)
def country_names(locale: str) -> Mapping[str, str]:
    """ISO 3166-1 alpha-2 code → name in `locale`, e.g. {"DE": "Germany"} for "en"."""
    territories = Locale.parse(locale).territories
    return MappingProxyType(
        {code: str(name) for code, name in territories.items() if len(code) == 2 and code.isalpha()}
    )


def country_name(code: str) -> str:
    """The English name of a country code, or the code itself when CLDR has none."""
    return country_names("en").get(code, code)
