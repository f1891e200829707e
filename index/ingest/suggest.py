"""A map proposed for a file from the names of its columns and from what stands in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from index.ingest.cells import paths
from index.ingest.clean.days import Order, decide_order, find_days, from_serial
from index.ingest.clean.disciplines import is_field
from index.ingest.clean.number import decide_dots
from index.ingest.clean.places import host_countries
from index.ingest.clean.rounds import cell_texts, read_rounds
from index.ingest.clean.sums import mentions
from index.ingest.mapping import ColumnMap
from index.language import detect

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# In the order in which they are tried; the first that fits a name wins.
_NAMES: tuple[tuple[str, str], ...] = (
    ("id", r"id|code|slug|(?:grant|award|opportunity|scholarship|record)[ _]id|編號|编号"),
    (
        "",
        r".*(?:fee|costo|income|helpline|phone|email|contact|scraped|updated|min_marks|age|edad"
        r"|duration|dauer|laufzeit|anzahl|quota|_type|"
        r"type|category|status|recurrence|gender|caste|lat|lng|logo|image|path|지급 기간|지급 방식|문의처|선발 인원).*",
    ),
    (
        "title",
        r"title|name|nombre|beca|titel|tytuł|nazwa|titulo|título|nom|bezeichnung"
        r"|(?:scholarship|award|program(?:me)?|grant)[ _]?(?:name|title)"
        r"|.*(?:제목|장학금명)|名稱|名称|獎學金名稱|ชื่อทุน",
    ),
    (
        "provider",
        r"provider|sponsor|organi[sz]er|organi[sz]ation|organizacion|organización|universidad"
        r"|university|institution|funder|agency|donor"
        r"|.*scholarship sponsor|anbieter|förderer|organizator|fundator|.*기관|主辦單位|提供單位|หน่วยงาน",
    ),
    ("nationalities", r".*(?:nationalit|citizenship|nacionalidad|國籍|国籍|국적).*"),
    (
        "opens",
        r"opens?|opens?[ _](?:on|at|date)|opening(?:[ _]date)?|start[ _]date|fecha_apertura"
        r"|apertura|접수 기간|申請開始.*|otwarcie",
    ),
    (
        "deadline",
        r".*deadline.*|.*closing.*|due[ _]?date|closes?(?:[ _]on)?|fecha_cierre|cierre"
        r"|plazo|bewerbungs(?:schluss|frist)|frist|마감.*|截止.*"
        r"|.*申請期限.*|termin|applications? ?accepted|application[ _]period"
        r"|sista ansökningsdag|หมดเขต",
    ),
    ("amount_max", r"amount[ _](?:max|annual|yearly)|max[ _]amount"),
    ("amount_min", r"amount[ _]min|min[ _]amount"),
    ("currency", r"currency|moneda|währung|幣別"),
    (
        "amount",
        r".*amount.*|beneficios|monto|importe|.*stipendienleistung(?:en)?|지원 금액|.*金額"
        r"|proposed_money|kwota|stipend|award value|value|funding"
        r"|höhe|belopp|จำนวนเงิน",
    ),
    (
        "levels",
        r"levels?(?:[ _]of[ _]study)?|(?:study|degree)[ _]levels?|degrees?|niveles|nivel"
        r"|stufe|studienstufe|(?:eligibility\.)?year|學制|年級|ระดับ",
    ),
    (
        "fields",
        r"fields?(?:[ _]of[ _]study)?|areas?|disciplines?|subjects?|fachrichtung(?:en)?|전공|領域|สาขา",
    ),
    (
        "host_countries",
        r"(?:host[ _]|study[ _])?countr(?:y|ies)|pais|país"
        r"|location(?:[ _]of[ _]study)?|ubicación|land|studienland|국가|國家|ประเทศ",
    ),
    (
        "eligibility",
        r".*eligib.*|requisitos|requirements?|criteria|wer kann sich bewerben\??"
        r"|zielgruppe|target[ _]group|선발 대상|신청 자격|.*條件"
        r"|(?:eligibility\.)?(?:identity|region_raw|other_requirements)|คุณสมบัติ|behörighet",
    ),
    (
        "description",
        r"desc(?:ription)?|summary.*|about|intro.*|notes.*|beschreibung|descripcion"
        r"|descripción|benefits?|상세 내용|raw_text|説明|opis|beskrivning",
    ),
    (
        "url",
        r"url|link|enlace|(?:scholarship[ _])?web[ _]?(?:site|page)|(?:apply|source"
        r"|application)_?url|submission_link|homepage|網址",
    ),
    ("language", r"lang(?:uage)?(?:_code)?"),
)
_RULES = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _NAMES)
_ONE_ONLY = frozenset({"id", "title", "url", "provider", "language", "currency"})


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in one column of a sample. shares are of the cells that say something."""

    name: str
    texts: tuple[str, ...]
    dates: float
    words_of_dates: float
    sums: float
    addresses: float
    places: float
    fields: float


def suggest(rows: Sequence[Mapping[str, object]], header_found: bool = True) -> ColumnMap:
    """The map that the names and the values of `rows` speak for."""
    columns = _columns(rows)
    chosen: dict[str, str] = {}
    for column in columns:
        name = _by_name(column, columns)
        if name and not (name in _ONE_ONLY and name in chosen.values()):
            chosen[column.name] = name
    if "title" not in chosen.values():
        chosen |= _by_values(columns, chosen)
    if "amount" in chosen.values():
        # Numbers without a unit beside a text that has one: the text is what can be trusted.
        chosen = {column: name for column, name in chosen.items() if name not in {"amount_min", "amount_max"}}
    languages = Counter(detect(_told(row, chosen)) for row in rows[:100])
    language, times = languages.most_common(1)[0] if languages else ("en", 0)
    return ColumnMap(
        columns={column: (name,) for column, name in chosen.items()},
        language=language if times >= 0.8 * sum(languages.values()) else None,
        date_order=date_order(
            rows, [column for column, name in chosen.items() if name in {"deadline", "opens"}]
        ),
        header=None if header_found else False,
        decimal="," if decide_dots(_texts(rows, chosen, "amount")) else None,
    )


def _texts(rows: Sequence[Mapping[str, object]], chosen: Mapping[str, str], name: str) -> list[str]:
    values = _values(rows)
    columns = [column for column, field in chosen.items() if field == name]
    return [text for column in columns for value in values.get(column, ()) for text in cell_texts(value)]


def date_order(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> Order | None:
    """The order of day and month that the date columns of `rows` show."""
    values = dict(_values(rows))
    return decide_order(
        text for column in columns for value in values.get(column, ()) for text in cell_texts(value)
    )


def _columns(rows: Sequence[Mapping[str, object]]) -> list[Column]:
    return [_column(name, values) for name, values in _values(rows).items()]


def _values(rows: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for row in rows:
        for path, value in paths(row):
            found.setdefault(path, []).append(value)
    return found


def _column(name: str, values: list[object]) -> Column:
    texts = tuple("; ".join(cell_texts(value)) for value in values)
    said = [(text, value) for text, value in zip(texts, values, strict=True) if text]
    count = len(said) or 1

    def share(test: Callable[[str, object], object]) -> float:
        return sum(bool(test(text, value)) for text, value in said) / count

    return Column(
        name,
        tuple(text for text, _ in said),
        dates=share(lambda text, value: from_serial(value) or (len(text) < 200 and find_days(text, "dmy"))),
        words_of_dates=share(lambda text, value: _is_round(text)),
        sums=share(lambda text, value: bool(mentions(text))),
        addresses=share(lambda text, _: _URL.fullmatch(text)),
        places=share(lambda text, _: len(text) < 60 and host_countries(text)),
        fields=share(lambda text, _: is_field(text)),
    )


def _is_round(text: str) -> bool:
    return any(window.kind == "rolling" or window.month_day for window in read_rounds(text).windows)


def _by_name(column: Column, columns: Sequence[Column]) -> str:
    plain = " ".join(column.name.strip(" :*").split())
    name = next((name for name, pattern in _RULES if pattern.fullmatch(plain)), "")
    if not name or not column.texts:
        return name if column.texts else ""
    if (
        name in {"deadline", "opens"}
        and len(column.texts) >= 5
        and not column.dates
        and not column.words_of_dates
    ):
        # The name lies: look at what is there.
        return "fields" if column.fields > 0.3 else ""
    if name == "deadline" and any(other is not column and other.texts == column.texts for other in columns):
        return ""
    if name == "url" and column.addresses < 0.5:
        return ""
    if name == "eligibility" and set(column.texts) <= {"True", "False", "all", "0", "1"}:
        return ""
    return name


def _by_values(columns: Sequence[Column], chosen: Mapping[str, str]) -> dict[str, str]:
    """Columns without telling names: the title is the first of long, different texts."""
    found: dict[str, str] = {}
    for column in columns:
        if column.name in chosen or not column.texts:
            continue
        length = sum(map(len, column.texts)) / len(column.texts)
        different = len(set(column.texts)) / len(column.texts)
        name = ""
        if column.addresses > 0.8:
            name = "url"
        elif column.dates > 0.7 and length < 30:
            name = "deadline"
        elif column.places > 0.5:
            name = "host_countries"
        elif 12 <= length <= 200 and different > 0.6:
            name = "title"
        if name and name not in found.values():
            found[column.name] = name
    return found


def _told(row: Mapping[str, object], chosen: Mapping[str, str]) -> str:
    """The words of a row that show its language."""
    telling = {column for column, name in chosen.items() if name in {"title", "description", "eligibility"}}
    return " ".join(text for path, value in paths(row) if path in telling for text in cell_texts(value))[:600]
