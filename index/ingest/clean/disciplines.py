"""Fields of study by ISCED-F 2013 code, where the words leave no doubt; other words stay words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Stated as whole items of a list ("Computer & Information Systems"), never searched for in sentences.
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
_EVERYTHING = frozenset(
    (
        "unrestricted",
        "any",
        "all",
        "all fields",
        "all subjects",
        "todas",
        "todos",
        "alle",
        "不限",
        "전공 무관",
        "any field",
    )
)


def _table() -> Mapping[str, str]:
    return {
        name: code
        for line in _NAMES.strip().splitlines()
        for code, _, names in (line.partition(" "),)
        for name in names.split("|")
    }


_CODES = _table()


def read_fields(items: Iterable[str]) -> tuple[str, ...] | None:
    """Codes and words of a list of fields; None when it names none or says that any will do."""
    found: dict[str, None] = {}
    for item in items:
        plain = " ".join(item.casefold().strip(" .…").split())
        if not plain or plain in _EVERYTHING:
            continue
        found[_CODES.get(plain) or item.strip(" .…")] = None
    return tuple(found) or None


def split_fields(text: str) -> list[str]:
    """The items of a cell; a comma or "and" inside a known name does not cut it."""
    text = re.sub(r"\.\.\.\s*$", "", text)
    parts: list[str] = []
    for part in re.split(r"\s*[;,|、/]\s*(?![^(]*\))", text) if text.casefold() not in _CODES else [text]:
        halves = re.split(r" and ", part) if part.casefold() not in _CODES else [part]
        parts.extend(halves if all(half.casefold().strip() in _CODES for half in halves) else [part])
    return [part.strip() for part in parts if part.strip()]


def is_field(text: str) -> bool:
    """Whether a cell is a list of fields of study, by its first item."""
    items = split_fields(text)
    return bool(items) and (items[0].casefold() in _CODES or items[0].casefold() in _EVERYTHING)
