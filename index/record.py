"""The public record (CONTRACT 5) and the lines of test sets, to `Document` and back.

A record of the contract form is read strictly: an unknown key is an error that names it. The flat form and
the metadata of a test set may carry other keys. Either way a value of the wrong kind is a `RecordError`, text
comes out in Unicode NFC, and what is unknown is None, never 0, "" or an empty list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import get_args

from index.amount import amount_record, parse_amount
from index.countries import ANY, COUNTRIES
from index.document import Document, Translation
from index.errors import RecordError
from index.flat import flat_amount, flat_fields, flat_url, flat_windows, is_flat
from index.remark import doubt_record, parse_doubts, parse_regions, region_record
from index.scalar import codes, day, instant, language, line, lines, prose, url
from index.types import Level
from index.window import iso, parse_windows, refuse_unknown, window_record

LEVELS: tuple[str, ...] = get_args(Level)
_COUNTRY = "an ISO 3166-1 alpha-2 code"
_NATIONALITIES = COUNTRIES | {ANY}
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

_KEYS = frozenset(
    (
        "id",
        "title",
        "aliases",
        "provider",
        "description",
        "eligibility",
        "host_countries",
        "eligible_nationalities",
        "levels",
        "fields",
        "amount",
        "coverage",
        "windows",
        "programme_id",
        "language",
        "translations",
        "url",
        "source",
        "licence",
        "verified_on",
        "updated_at",
        "regions",
        "doubts",
    )
)
# Any of these in a test set's metadata says that it is a record, not a stranger's remark.
_SIGNS = frozenset(
    (
        "windows",
        "host_countries",
        "eligible_nationalities",
        "eligibility",
        "deadline_text",
        "levels",
        "coverage",
    )
)


def parse_record(mapping: Mapping[str, object]) -> Document:
    """The document of one record, in the contract form or the flat form.

    Raises RecordError naming the field, the value and the reason.
    """
    if not isinstance(mapping, Mapping):
        raise RecordError("record", mapping, "must be an object")
    tolerant = is_flat(mapping)
    if not tolerant:
        refuse_unknown(mapping, _KEYS)
    return _document(mapping, _id(mapping.get("id"), "id"), _title(mapping.get("title")), tolerant)


def to_record(document: Document) -> dict[str, object]:
    """The JSON form of a document, every key present; `parse_record` gives the document back."""
    return {
        "id": document.doc_id,
        "title": document.title,
        "aliases": list(document.aliases),
        "provider": document.provider,
        "description": document.description,
        "eligibility": document.eligibility,
        "host_countries": _listed(document.host_countries),
        "eligible_nationalities": _listed(document.eligible_nationalities),
        "levels": _listed(document.levels),
        "fields": _listed(document.fields),
        "amount": amount_record(document.amount),
        "coverage": _listed(document.coverage),
        "windows": [window_record(window) for window in document.windows],
        "programme_id": document.programme_id,
        "language": document.language,
        "translations": {
            tag: {"title": text.title, "description": text.description}
            for tag, text in document.translations.items()
        },
        "url": document.url,
        "source": document.source,
        "licence": document.licence,
        "verified_on": iso(document.verified_on),
        "updated_at": _instant(document.updated_at),
        "regions": [region_record(rule) for rule in document.regions],
        "doubts": [doubt_record(doubt) for doubt in document.doubts],
    }


def from_stored(mapping: Mapping[str, object]) -> Document:
    """The document of a record that `to_record` wrote; its id and title were accepted when it came in."""
    return _document(mapping, str(mapping["id"]), str(mapping["title"]), tolerant=False)


def from_beir(mapping: Mapping[str, object]) -> Document:
    """The document of one `corpus.jsonl` line: `_id`, `title`, `text` and, where it is a record, `metadata`.

    The id is the line's `_id` and may be any text, and title and text may be blank, as other people's sets
    have them. Characters that cannot be stored become U+FFFD. Raises RecordError for a malformed line.
    """
    if not isinstance(mapping, Mapping):
        raise RecordError("line", mapping, "must be an object")
    doc_id = mapping.get("_id")
    if not isinstance(doc_id, str) or not doc_id:
        raise RecordError("_id", doc_id, "must be text")
    title = line(_storable(mapping.get("title")), "title") or ""
    text = prose(_storable(mapping.get("text")), "text")
    metadata = mapping.get("metadata")
    if not isinstance(metadata, Mapping) or _SIGNS.isdisjoint(metadata):
        return Document(doc_id=doc_id, title=title, description=text)
    told = line(metadata.get("title"), "metadata.title") or title
    if metadata.get("description") is None and metadata.get("eligibility") is None:
        metadata = {**metadata, "description": text}
    return _document(metadata, doc_id, told, tolerant=True)


def _document(mapping: Mapping[str, object], doc_id: str, title: str, tolerant: bool) -> Document:
    flat = is_flat(mapping)
    get = mapping.get
    return Document(
        doc_id=doc_id,
        title=title,
        aliases=lines(get("aliases"), "aliases"),
        provider=line(get("provider"), "provider"),
        description=prose(get("description"), "description"),
        eligibility=prose(get("eligibility"), "eligibility"),
        host_countries=codes(get("host_countries"), "host_countries", COUNTRIES, _COUNTRY),
        eligible_nationalities=_nationalities(get("eligible_nationalities")),
        levels=codes(get("levels"), "levels", LEVELS, f"one of {', '.join(LEVELS)}"),
        fields=lines(flat_fields(get("fields")) if tolerant else get("fields"), "fields") or None,
        amount=flat_amount(mapping) if flat else parse_amount(get("amount"), "amount", tolerant),
        coverage=lines(get("coverage"), "coverage") or None,
        windows=flat_windows(mapping) if flat else parse_windows(get("windows"), "windows", tolerant),
        programme_id=None if get("programme_id") is None else _id(get("programme_id"), "programme_id"),
        language=language(get("language"), "language"),
        translations=_translations(get("translations"), tolerant),
        url=flat_url(get("url")) if tolerant else url(get("url"), "url"),
        source=line(get("source"), "source"),
        licence=line(get("licence", get("source_licence")), "licence"),
        verified_on=day(get("verified_on"), "verified_on"),
        updated_at=instant(get("updated_at"), "updated_at"),
        regions=parse_regions(get("regions"), "regions"),
        doubts=parse_doubts(get("doubts"), "doubts"),
    )


def _id(value: object, field: str) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RecordError(field, value, "must be 1 to 128 characters of A-Z a-z 0-9 . _ : -")
    return value


def _title(value: object) -> str:
    title = line(value, "title")
    if title is None:
        raise RecordError("title", value, "must not be blank: a record needs a title")
    return title


def _nationalities(value: object) -> tuple[str, ...] | None:
    field = "eligible_nationalities"
    found = codes(value, field, _NATIONALITIES, f'{_COUNTRY}, or "any" alone')
    if found and ANY in found and len(found) > 1:
        raise RecordError(field, list(found), '"any" must stand alone')
    return found


def _translations(value: object, tolerant: bool) -> dict[str, Translation]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RecordError("translations", value, "must be an object or null")
    found: dict[str, Translation] = {}
    for key, item in value.items():
        field = f"translations.{key}"
        tag = language(key, field)
        if tag is None or not isinstance(item, Mapping):
            raise RecordError(field, item, "must be a language tag with a title and a description")
        if not tolerant:
            refuse_unknown(item, frozenset({"title", "description"}), f"{field}.")
        title = line(item.get("title"), f"{field}.title")
        if title is None:
            raise RecordError(f"{field}.title", item.get("title"), "must not be blank")
        found[tag] = Translation(title, prose(item.get("description"), f"{field}.description"))
    return found


def _storable(value: object) -> object:
    """Text with NULs and unpaired surrogates replaced; anything else as it is."""
    return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else value


def _listed(values: tuple[str, ...] | None) -> list[str] | None:
    return list(values) if values else None


def _instant(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()
