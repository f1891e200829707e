"""Fields of study by the words people use for them: ISCED-F 2013 codes of names in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from index.fieldname import field_names

# Whole names as lists have them ("Computer & Information Systems"); never searched for in sentences.
_NAMES = """
0111 education science|erziehungswissenschaft
01 education|education & training|educación|pädagogik|教育|교육|teaching
0211 media production
0213 fine arts|visual arts|美術
0214 crafts
0215 music|performing arts|música|musik|音樂|音乐|음악
02 arts and humanities|humanities|arts|humanidades|geisteswissenschaften|人文|liberal arts/humanities
021 creative arts|arts, visual & performing|艺术|藝術|예술
0212 fashion, interior and industrial design
0221 religion and theology|theology and religious studies|theology|theologie
0222 history|history and archaeology|historia|geschichte|歷史|历史|archaeology
0223 philosophy|philosophie|filosofía|哲學
0231 language acquisition|languages
0232 literature and linguistics|language & literature|english literature|literature|linguistics
0311 economics|economía|volkswirtschaft|經濟|经济|경제학
0312 political science|political sciences
0313 psychology|psicología|psychologie|心理學|心理学|심리학
0314 sociology|cultural studies|sociology and cultural studies|anthropology
03 social sciences|social science|ciencias sociales|sozialwissenschaften|社會科學|社会科学|사회과학
0321 journalism|journalism and reporting|communications|periodismo
0411 accounting|accounting and taxation
0412 finance|finance, banking and insurance|banking
0413 management|management and administration|administración
0414 marketing|marketing and advertising
041 business|business & management|business/management|negocios|betriebswirtschaft|商|경영학
0421 law|legal studies|law & legal studies|derecho|jura|rechtswissenschaft|法律|法學|법학
0511 biology|biología|biologie|生物|生物學
0512 biochemistry
051 biology/life sciences|life sciences|biowissenschaften
052 environmental studies|environment
0521 environmental sciences
0531 chemistry|química|chemie|化學|化学|화학
0532 earth sciences|geology|geography
0533 physics|física|physik|物理|物理學|물리학|astronomy
05 natural sciences, mathematics and statistics
0541 mathematics|matemáticas|mathematik|數學|数学|수학
0542 statistics|estadística|statistik|統計
061 computer & information systems|computing & information technology|information technology
061 informatik|informática|資訊|計算機
0613 computer science|software engineering
07 engineering, manufacturing and construction
071 engineering|engineering & technology|ingeniería|ingenieurwissenschaften|工程|工學|공학
0711 chemical engineering
0713 electrical engineering
0714 electronics|electronic engineering
0715 mechanical engineering|วิศวกรรมเครื่องกล|maschinenbau
0731 architecture|architecture & design|arquitectura|architektur|建築
0732 civil engineering
0811 agriculture|agrarwissenschaften|農業
08 agriculture & natural resources
0841 veterinary|veterinary medicine|veterinary and animal sciences|veterinary studies & animal care
0911 dental studies|dentistry|zahnmedizin
0912 medicine|medicina|medizin|醫學|医学|의학|การแพทย์
0913 nursing|nursing and midwifery|enfermería|護理|간호학
0916 pharmacy|farmacia|pharmazie|藥學
0923 social work|social work and counselling|welfare & community services
091 health|health professions|medicine and health sciences|salud|health services & support
1013 tourism|hospitality|food & hospitality
1014 sport|sports|sport, leisure & recreation
"""


def _table() -> Mapping[str, str]:
    return {
        name: code
        for line in _NAMES.strip().splitlines()
        for code, _, names in (line.partition(" "),)
        for name in names.split("|")
    }


SYNONYMS: Mapping[str, str] = _table()
"""The code of a name, in lower case, where it leaves no doubt."""


@lru_cache(maxsize=4096)
def meant_by(name: str) -> frozenset[str]:
    """The codes that a folded name stands for, all that lies within them included; none where it is no field's name.

    A name of the classification first, then another word for one, then the narrow and detailed fields it is a part
    of: "law" is 042 and 0421, "jura" 0421, "business" not the broad 04, which takes in law.
    """
    exact = frozenset(code for code, one in field_names().items() if one == name)
    if exact or name in SYNONYMS:
        return exact or frozenset((SYNONYMS[name],))
    words = name.split()
    return frozenset(code for code, one in field_names().items() if len(code) > 2 and _holds(one, words))


@lru_cache(maxsize=65_536)
def named_in(text: str) -> frozenset[str]:
    """The codes whose whole names stand in a folded text, of two that overlap the longer one."""
    known = _by_name()
    words, found, at = text.replace(",", " ").split(), set[str](), 0
    while at < len(words):
        length = next(
            (
                n
                for n in range(min(_most_words(), len(words) - at), 0, -1)
                if " ".join(words[at : at + n]) in known
            ),
            0,
        )
        if length:
            found |= known[" ".join(words[at : at + length])]
        at += max(length, 1)
    return frozenset(found)


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    for code, name in (*field_names().items(), *((code, name) for name, code in SYNONYMS.items())):
        names.setdefault(" ".join(name.replace(",", " ").split()), set()).add(code)
    return {name: frozenset(codes) for name, codes in names.items()}


@lru_cache(maxsize=1)
def _most_words() -> int:
    return max(len(name.split()) for name in _by_name())


def _holds(name: str, words: list[str]) -> bool:
    """Whether `words` stand one after another in a name."""
    own = name.replace(",", " ").split()
    return bool(words) and any(own[at : at + len(words)] == words for at in range(len(own)))
