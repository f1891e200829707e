"""A query as somebody would type it, and what it asks for.

A template is drawn first; its gaps say which facts of the record are told, and only those become the need. So a query
asks for no more than it says. Time is read back from the finished text by the parser the service uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from babel import Locale

from index.language import script
from index.timeintent import time_intent
from training.synthesis import naming
from training.synthesis.need import Need
from training.synthesis.slips import slip
from training.synthesis.tables import templates, times
from training.synthesis.telling import Seed, Speaker, Told, season, year

GAP = re.compile(r"\{(\w+)\}")
_SPACED_HAN = re.compile(r"(?<=[一-鿿]) (?=[一-鿿])")
_ABROAD = re.compile(r"\babroad\b|出国|出國|留学|留學|\bausland|exterior|유학|utomlands|za granicą", re.I)
# How often a query is of a style, and how often one of that style also speaks of time.
_STYLES: Mapping[str, float] = {
    "keyword": 0.34,
    "question": 0.16,
    "story": 0.17,
    "name": 0.17,
    "deadline": 0.16,
}
_TIMED: Mapping[str, float] = {"keyword": 0.3, "question": 0.25, "story": 0.12, "name": 0.08, "deadline": 0.0}
_SLIP_SHARE = 0.1
# A name that only one record bears is found by its words alone; few such queries are enough.
_PLAIN_NAME_SKIPPED = 0.7
_OPEN_SHARE, _OWN_MONTH_SHARE = 0.45, 0.6
_LOWER_SHARE, _JOINED_SHARE = 0.8, 0.4
_TAIWANESE_SHARE, _TRADITIONAL_SHARE = 0.8, 0.22
_MOST_YEARS_OFF = 2
_TRIES = 6
_SCRIPTS: Mapping[str, str] = {"zh": "han", "ko": "hangul"}
# Where people write in a language; English is written everywhere.
_HOMES: Mapping[str, frozenset[str]] = {
    "zh-Hans": frozenset({"CN"}),
    "zh-Hant": frozenset({"TW", "HK", "MO"}),
    "de": frozenset({"DE", "AT", "CH"}),
    "es": frozenset({"ES", "MX", "CO", "PE", "AR", "CL", "EC", "BO", "VE", "GT", "CR", "UY", "PY"}),
    "ko": frozenset({"KR"}),
    "sv": frozenset({"SE"}),
    "pl": frozenset({"PL"}),
}


@dataclass(frozen=True, slots=True)
class Wording:
    """A query, its language (BCP 47), its style and what it asks for."""

    text: str
    language: str
    style: str
    need: Need


def ask(seed: Seed, language: str, as_of: date, rng: Random) -> Wording | None:
    """A query in `language` ("en", "zh" …) that the seed answers; None when its facts say too little."""
    speaker = Speaker(seed, language, as_of, rng)
    for _ in range(_TRIES):
        style = rng.choices(list(_STYLES), list(_STYLES.values()))[0]
        patterns = templates(language, style)
        if style in ("name", "deadline") and not seed.has_rivals and rng.random() < _PLAIN_NAME_SKIPPED:
            continue
        if patterns:
            template = rng.choice(patterns)
            told = speaker.fill(GAP.findall(template))
            if told is not None and _is_written_in(language, template, told):
                return _worded(speaker, template, told, style)
    return None


def _is_written_in(language: str, template: str, told: Mapping[str, Told]) -> bool:
    """Whether anything of a Chinese or Korean query is Chinese or Korean; a foreign name alone is not."""
    wanted = _SCRIPTS.get(language)
    text = template + "".join(words for words, _ in told.values())
    return wanted is None or any(script(character) == wanted for character in text)


def _worded(speaker: Speaker, template: str, told: Mapping[str, Told], style: str) -> Wording:
    rng = speaker.rng
    text = GAP.sub(lambda gap: told[gap[1]][0], template)
    if rng.random() < _TIMED[style]:
        text = _timed(text, speaker)
    tag = _tag(speaker)
    if speaker.language == "zh":
        if style in ("keyword", "name") and rng.random() < _JOINED_SHARE:
            text = _SPACED_HAN.sub("", text)
        text = naming.in_script(text, tag)
    elif style == "keyword" and rng.random() < _LOWER_SHARE:
        text = text.lower()
    elif style != "name" and rng.random() < 1 - _LOWER_SHARE:
        text = text.lower().rstrip("?")
    if rng.random() < _SLIP_SHARE:
        text = slip(text, rng)
    return Wording(text, tag, style, _need(speaker, told, tag, text))


def _need(speaker: Speaker, told: Mapping[str, Told], language: str, text: str) -> Need:
    values = {gap: value for gap, (_, value) in told.items()}
    home = values.get("home") or values.get("nat")
    return Need(
        names=speaker.seed.programme if "name" in values else frozenset(),
        level=values.get("level"),
        country=values.get("country"),
        field=values.get("field"),
        nationality=home,
        homes=_HOMES.get(language, frozenset()),
        group=values.get("group") or values.get("people"),
        coverage=values.get("cover"),
        place=values.get("place"),
        category=values.get("category"),
        provider=values.get("provider"),
        is_abroad=_leaves(values, home) or _ABROAD.search(text) is not None,
        intent=time_intent(text, speaker.as_of),
    )


def _leaves(values: Mapping[str, str], home: str | None) -> bool:
    """Whether the asker goes to another country than their own; templates with {home} are about leaving it."""
    return home is not None and ("home" in values or values.get("country", home) != home)


def _tag(speaker: Speaker) -> str:
    """The language with its script: who asks about Taiwan mostly writes as one does there."""
    if speaker.language != "zh":
        return speaker.language
    is_taiwanese = speaker.seed.facts.document.language == "zh"
    share = _TAIWANESE_SHARE if is_taiwanese else _TRADITIONAL_SHARE
    return "zh-Hant" if speaker.rng.random() < share else "zh-Hans"


def _timed(text: str, speaker: Speaker) -> str:
    """`text` with a phrase of time, at its end or, in Chinese and Korean, also at its head."""
    rng, language = speaker.rng, speaker.language
    phrases = times(language, "open" if rng.random() < _OPEN_SHARE else "period")
    if not phrases:
        return text
    closing = _near_closing(speaker)
    month = closing.month if closing and rng.random() < _OWN_MONTH_SHARE else rng.randrange(1, 13)
    named = int(year(speaker)[0])
    said = rng.choice(phrases).format(
        month=_month(month, language),
        day=rng.choice((1, 15, 28, closing.day if closing else 10)),
        year=named,
        next=str(named + 1)[2:],
        season=season(speaker)[0],
    )
    is_head = language in ("zh", "ko") and rng.random() < 0.5
    return f"{said} {text}" if is_head else f"{text.rstrip('?？。.')} {said}"


def _near_closing(speaker: Speaker) -> date | None:
    """The last day of the round that is nearest to the question."""
    days = [window.deadline_on for window in speaker.seed.facts.document.windows if window.deadline_on]
    near = [day for day in days if abs(day.year - speaker.as_of.year) <= _MOST_YEARS_OFF]
    return min(near, key=lambda day: abs((day - speaker.as_of).days), default=None)


def _month(month: int, language: str) -> str:
    if language in ("zh", "ko"):
        return f"{month}{'月' if language == 'zh' else '월'}"
    return str(Locale.parse(language).months["format"]["wide"][month])
