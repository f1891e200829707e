"""Countries: their codes, their names in our sentences, and the citizenship rules that texts state."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

from index.catalogue.compile.tables import rows

_ARTICLE = frozenset(
    ["US", "GB", "NL", "PH", "AE", "DO", "BS", "GM", "MV", "CZ", "KM", "SC", "SB", "MH", "CF", "CD", "CG"]
)
_SHORT = {
    "GB": "United Kingdom",
    "US": "United States",
    "KR": "South Korea",
    "KP": "North Korea",
    "RU": "Russia",
    "IR": "Iran",
    "TW": "Taiwan",
    "HK": "Hong Kong",
    "MO": "Macao",
    "VN": "Vietnam",
    "CZ": "Czech Republic",
    "TR": "Türkiye",
    "SY": "Syria",
    "LA": "Laos",
    "BO": "Bolivia",
    "VE": "Venezuela",
    "TZ": "Tanzania",
    "MD": "Moldova",
    "PS": "Palestine",
    "CD": "Democratic Republic of the Congo",
    "BN": "Brunei",
}
_ADJECTIVES = {
    "US": r"u\.?\s?s\.?(?:a\.?)?|united states|american",
    "CA": "canadian",
    "GB": r"u\.?k\.?|british",
    "AU": "australian",
    "IN": "indian",
    "CN": "chinese",
    "KE": "kenyan",
    "NG": "nigerian",
    "GH": "ghanaian",
    "MX": "mexican",
    "IE": "irish",
    "DE": "german",
    "FR": "french",
    "ZA": "south african",
    "SG": "singapore(?:an)?",
    "IL": "israeli",
    "BR": "brazilian",
    "PK": "pakistani",
    "BD": "bangladeshi",
    "ID": "indonesian",
    "VN": "vietnamese",
    "TH": "thai",
    "MY": "malaysian",
    "PH": "filipino",
    "JP": "japanese",
    "NL": "dutch",
    "SE": "swedish",
    "NO": "norwegian",
    "DK": "danish",
    "FI": "finnish",
    "IT": "italian",
    "GR": "greek",
    "TR": "turkish",
}
_PERMANENT = re.compile(
    r"permanent resident|landed immigrant|nationals?,? or permanent|green card|protected person|PR\b", re.I
)


class Gazetteer:
    """Country names in English, Chinese and the other languages of our sentences."""

    def __init__(self, vocabulary: Path) -> None:
        with (vocabulary / "iso3166_countries.csv").open(encoding="utf-8", newline="") as handle:
            self._rows = {row["alpha2"]: row for row in csv.DictReader(handle)}
        self._ours = {row["code"]: row for row in rows("countries")}

    def name(self, code: str, language: str) -> str:
        """The country's name for a sentence in `language`, with its article in English."""
        ours = self._ours.get(code, {})
        if language == "zh":
            return self._rows[code]["name_zh_hant"]
        if language == "zh-Hans":
            return self._rows[code]["name_zh_hans"]
        if ours.get(language):
            return ours[language]
        plain = _SHORT.get(code) or self._rows[code]["name_en"].replace(" & ", " and ").replace(
            "St. ", "Saint "
        )
        return f"the {plain}" if code in _ARTICLE else plain

    def known(self, code: str) -> bool:
        """Whether the code is a country we can name."""
        return code in self._rows

    def named_in(self, text: str) -> tuple[str, ...]:
        """The countries that end or stand in a title such as "PhD in Physics, Ghent University, Belgium"."""
        return tuple(code for code, pattern in self._patterns() if pattern.search(text))

    @cache  # noqa: B019 - one gazetteer lives for the whole run
    def _patterns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        compiled = []
        for code, row in self._rows.items():
            names = {row["name_en"], _SHORT.get(code, row["name_en"])}
            words = "|".join(re.escape(name) for name in sorted(names) if len(name) > 3)
            if words and code not in {"GE", "JE", "TD", "JO", "GU"}:
                compiled.append((code, re.compile(rf"\b(?:{words})\b")))
        return tuple(compiled)


def citizenship(text: str) -> tuple[tuple[str, ...], str | None]:
    """(nationalities required, code whose citizens or permanent residents qualify) as a text states them."""
    only: list[str] = []
    with_residents: str | None = None
    for code, adjective in _ADJECTIVES.items():
        pattern = (
            rf"\b(?:{adjective})(?: and new zealand| or new zealand)?[- ]?(?:citizen|national)s?(?:hip)?\b"
        )
        for match in re.finditer(pattern, text, re.I):
            around = text[max(0, match.start() - 60) : match.end() + 90]
            before = text[max(0, match.start() - 40) : match.start()]
            if re.search(
                r"\b(?:non|not|except|excluding|other than|dual|if you are|unless|either)\b[- ]", before, re.I
            ):
                continue
            if _PERMANENT.search(around):
                with_residents = with_residents or code
            elif re.search(
                r"must|only|open to|restricted|available to|be an? |applicants?|eligib|for ", around, re.I
            ):
                only.append(code)
    if with_residents or len(set(only)) != 1:
        return (), with_residents if len(set(only)) <= 1 else None
    return (only[0],), None
