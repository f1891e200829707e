"""Titles set in capitals brought back to ordinary case."""

from __future__ import annotations

import re

_SMALL = """
a an and as at by de del e el en for from in la las los of on or para por the to un una und y con
sin o
"""
_CAPITALS = """
EE&ICT MBA UNESCO OEA AICTE ICT STEM SDGs IT TVET PhD SME EE ESIC ENAE ESDEN UDIMA CEREM URJC MTCP KOICA
SCP OAS UTN PLC AC PV MEPP IDEPA XXXV II III KAIST IIT NIT JICA AGCI IUCT ICETEX
"""
_PROPER = """
taiwán japón china rusia suiza hungría francia españa canadá singapur colombia argentina chile
méxico perú brasil israel egipto india corea alemania italia polonia ecuador malasia tailandia
estados unidos reino unido ulster nebrija coruña francisco vitoria monbukagakusho kizuna keizo
obuchi mariano ospina pérez quebec pacífico kennedy
"""


def acronyms(text: str) -> frozenset[str]:
    """The words of two to six capitals that stand among ordinary words."""
    pairs = re.findall(r"(?<=[a-z,(] )\(?([A-Z]{2,6})\b(?= [a-z(]|[).,])|\(([A-Z]{2,6})\)", text)
    return frozenset(first or second for first, second in pairs)


def calmed(title: str, sentence: bool = False, keep: frozenset[str] = frozenset()) -> str:
    """A title in capitals set in ordinary case; other titles as they are. Words of `keep` stay in capitals."""
    letters = [char for char in title if char.isalpha()]
    if len(letters) < 8 or sum(char.isupper() for char in letters) < 0.85 * len(letters):
        return title
    words = [_calmed_word(word, position, sentence, keep) for position, word in enumerate(title.split(" "))]
    text = " ".join(words)
    text = re.sub(r"\b(universidad)(es)?\b(?= (?:de|del|\w+ de)\b)", r"Universidad\2", text)
    text = re.sub(r"\bbusiness (?:& marketing )?school\b", lambda found: found[0].title(), text)
    return text[:1].upper() + text[1:]


def _calmed_word(word: str, position: int, sentence: bool, keep: frozenset[str]) -> str:
    bare = word.strip("()[].,:;\"'“”¿?–-")
    if bare in keep or bare.upper() in _CAPITALS.upper().split():
        return word
    lower = word.lower()
    if sentence and bare.lower() not in _PROPER.split():
        return lower
    if bare.lower() in _SMALL.split() and position:
        return lower
    first = next((place for place, char in enumerate(word) if char.isalpha()), 0)
    return lower[:first] + lower[first : first + 1].upper() + lower[first + 1 :]
