"""Which facts about an asker a programme's text speaks of.

It finds that a rule is there, not what it says: "under 26" and "applicants of any age" both speak of age.
That is enough to keep a verdict from claiming more than was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from index.document import Document

# German, Spanish, Korean and Chinese beside English: the languages most of the rules we hold are written in.
RULES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "residence": re.compile(
            r"\bresiden\w*|\bdomicil\w*|\bliving in\b|wohnsitz|\bwohnhaft|folkbokförd|\bzamieszka\w*"
            r"|거주|주민등록|[户戶]籍|[设設]籍|居住",
            re.IGNORECASE,
        ),
        "age": re.compile(
            r"\bage[sd]?\b|\byears? old\b|\balter\b|\blebensjahr|\bedad\b|\bunder \d\d\b|\bålder"
            r"|\bwiek\w*|만\s?\d\d\s?세|나이|연령|[岁歲]|年[龄齡]",
            re.IGNORECASE,
        ),
        "gender": re.compile(
            r"\bwom[ae]n\b|\bfemales?\b|\bgirls?\b|\bm[ae]n only\b|\bmales?\b|\bgender\b|\bfrauen\b"
            r"|\bmujer\w*|\bkvinn\w*|\bkobiet\w*|여성|여학생|女性|女生|女子|男生",
            re.IGNORECASE,
        ),
        "grades": re.compile(
            r"\bgpa\b|\bgrade point\b|\bgrades?\b|\bmarks?\b|\bcgpa\b|\bnotendurchschnitt|\bpromedio\b"
            r"|\bmedelbetyg|평점|성적|학점|成[绩績]|[绩績][点點]|平均",
            re.IGNORECASE,
        ),
    }
)
"""Kind of rule → what betrays it in a text."""


def speaks_of(document: Document, rule: str) -> bool:
    """Whether the title, description or eligibility text of a document speaks of `rule`, a key of `RULES`."""
    texts = (document.title, document.eligibility, document.description)
    return any(text is not None and RULES[rule].search(text) is not None for text in texts)
