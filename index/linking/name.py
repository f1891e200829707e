"""The name of a programme without what changes from round to round, as terms that meet across spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from index.analyzer import analyze, fold
from index.language import script

# Years, school years, terms and months change with the round; the programme stays. So does the edition in front.
_ROUND = re.compile(
    r"(?:\b(?:fy|fiscal year|academic year)\s*)?\b(?:19|20)\d\d(?:\s*[-/–]\s*(?:(?:19|20)?\d\d))?(?!\d)"
    r"(?:년도?|年度?|학년도)?"
    r"|\d{2,3}\s*學?学?年度?(?:第?[一二1-2上下]學?学?期)?|[-–]?\s*[12]\s*학기|제?\d+기(?!\w)"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|^\s*(?:the )?\d{1,2}(?:st|nd|rd|th)\b"
    r"|\b(?:first|second|third|fourth|fifth|sixth|\d{1,2}(?:st|nd|rd|th))\s+(?=(?:open )?(?:call|round|edition)\b)"
)
# Notes to the applicant after a name, as boards in Chinese write them.
_NOTE = re.compile(r"[(（][^()（）]*[\u4e00-\u9fff][^()（）]{11,}[)）]|【[^【】]*】")
# "24 cr", "R01", "유형2", "A유형": what tells the parts of one scheme apart.
_NUMBER = re.compile(r"(?<![a-z\d])[a-z]{0,2}\d+[a-z]{0,2}(?![a-z\d])|[a-z](?=유형)")
_NEGATED = re.compile(r"\bnon[- ](?=\w)")
_LEGAL = re.compile(r"財團法人|财团法人|社團法人|社团法人|有限公司|股份|\((?:재|주)\)|재단법인")
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(
    _WORD.findall("a an and at by de del der des di do du e et for in la le of on the to und y")
)
_INITIALS = 3
# What awards and givers are called in other languages, as lists of one language name those of another.
_SPOKEN = {
    "scholarship": "becas?|bolsas?|bourses?|borse?|stipendi(?:um|en|ums|a|et)|stypendi(?:um|a|ow)",
    "program": "programm?[ae]?s?|programs",
    "foundation": "stiftung(?:en)?|stiftelsen|fundacion|fundacao|fondation|fondazione|fundacja",
    "government": "gobierno|regierung|gouvernement|governo|rzad",
    "university": "universidad|universidade|universitat|universite|universita|universitet|uniwersytet",
    "ministry": "ministerio|ministerium|ministere|ministero|ministerstwo",
}
_FOREIGN = re.compile("|".join(rf"(?P<{said}>\b(?:{forms})\b)" for said, forms in _SPOKEN.items()))

_LEVELS = {
    word: level
    for level, words in {
        "bachelor": "undergraduate undergrad undergraduates bachelor bachelors bsc bba pregrado licenciatura 대학생",
        "master": "postgraduate postgraduates master masters msc mba emba llm mphil maestria magister 대학원생 硕士",
        "phd": "phd doctoral doctorate doctorado dphil hdr 박사 博士",
        "postdoc": "postdoc postdoctoral",
        "school": "freshman freshmen 고등학생",
        "transfer": "transfer",
        "advance": "progression",
        "executive": "emba",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True, slots=True)
class Name:
    """One name. terms: its stems. initials: of its words, in order. numbers, levels: what it says of them."""

    terms: frozenset[str]
    initials: str
    numbers: frozenset[str]
    levels: frozenset[str]

    def abbreviated(self, term: str) -> bool:
        """Whether `term` is made of the first letters of this name's words; a stem may have lost a final s."""
        if term in self.initials:
            return len(term) >= _INITIALS or (len(term) == _INITIALS - 1 and f"{term}s" in self.initials)
        return False


def names(title: str, language: str | None) -> Iterator[Name]:
    """The name that `title` is. One without a single telling word is its own only term."""
    folded = fold(title)
    for text in (_ROUND.sub(" ", _NOTE.sub(" ", folded)), folded):
        words = _WORD.findall(text)
        found = frozenset(terms(text, language))
        if found:
            yield Name(
                terms=found,
                initials="".join(word[0] for word in words if word not in _SMALL),
                numbers=frozenset(_NUMBER.findall(text)),
                levels=frozenset(_LEVELS[word] for word in words if word in _LEVELS),
            )
            return
    yield Name(frozenset((folded.strip(),)), "", frozenset(), frozenset())


def terms(text: str, language: str | None) -> list[str]:
    """The terms of a name or a giver.

    Names in Latin letters are stemmed as English whatever list they stand in: stems must meet across lists.
    """
    wide = any(script(character) in ("han", "hangul", "kana", "thai") for character in text)
    text = _NEGATED.sub("non", _LEGAL.sub(" ", text))
    if not wide:
        text = _FOREIGN.sub(lambda found: f" {found.lastgroup} ", fold(text))
    return analyze(text, language if wide else "en")
