"""Which sources are read, what is left out of each, and one record of a source as `Facts`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from index.catalogue.compile import days, links, money, names, places, signals
from index.catalogue.compile.facts import Facts, Round, Row
from index.catalogue.compile.special import adjust
from index.catalogue.compile.tables import rows

# Best first: where two sources differ, the earlier one speaks.
ORDER = (
    "open_scholarships", "svenska_stipendier", "de_daad", "ncku", "kr_thedream", "au_joint", "ca_ufv",
    "intlscholarships", "mastersportal_edw", "kr_universities", "ncu", "grad_manager", "pe_becas", "achivr",
    "in_indiascholarships", "in_myscheme", "in_cusaathi", "co_icetex", "pl_stypendia", "us_lilgrant",
    "mastersportal_hai", "iefa", "vi_semscholars", "th_funding", "arnmx", "id_beasiswa",
)  # fmt: skip

_KEEP_ONLY = {
    "in_myscheme": r"scholarship|fellowship|ch+h?a+t+r+a*v+r|coaching|super 30|internship|\bloan\b|\bbeti\b|"
    r"ashram|voucher|free education|travel grant|financial assistance for the children|hostel"
    r"|academic (?:education|stud)",
    "th_funding": r"TAIST|TGIST|ธัชวิทย์|ทุนรัฐบาล|JSTP",
    "co_icetex": r"maestr|m[aá]ster|master|mba|doctorad|posgrado|pregrado|beca|estudios|premio|laurea|diploma de"
    r"|"
    r"intercambio|asistentes|colegiatura|investigaci",
}
_LEAVE_OUT = {
    "kr_universities": r"안내|공지|유의사항|월세|예술활동|영케어러|멘토 모집|입주생",
    "achivr": r"closed - historical",
    "in_myscheme": r"distinguished|professor|librarian|teacher|training|distribution|hostels: special guides",
    "ly_list": r".",
    "iefa": r"^browse awards",
    "intlscholarships": r"sentinel lymph|training course$|visa service",
    "kr_thedream": r"입주생",
    "pl_stypendia": r"^Staże |^Praktyki |Program stażowy",
}
_KINDS = (
    ("emergency", r"emergency|急難|긴급|재해|hardship"),
    ("loan", r"\bloans?\b|學貸|貸款|助学贷款|대출|\bcr[eé]dito\b|\blån\b"),
    ("internship",
        r"\binternships?\b|praktikant|praktika|pasant[ií]a|prakty[kc]|\bstaż|\bintern\b|實習|인턴"),
    ("studentship", r"\bstudentships?\b"),
    ("bursary", r"\bbursar(?:y|ies)\b|(?<!獎)助學金|學雜費|就學(?:補助|費用)"),
    ("waiver",
        r"waiver|tuition (?:discount|reduction|award|remission)|fee (?:discount|reduction|remission)"
        r"|reducci[oó]n de colegiatura|discount"),
    ("contest", r"\bcontest\b|competition|concurso|競賽|공모전|konkurs"),
    ("fellowship", r"\bfellowships?\b|\bfellows? program|\bfellow$|펠로"),
    ("scholarship",
        r"scholar|stipendi|stypend|\bbecas?\b|bourse|獎學金|獎助學金|奖学金|장학|ทุน|học bổng|beasiswa"
        r"|bolsa|chh?a+tr"),
    ("travel", r"travel (?:grant|award|burs)|resestip|reisebeihilfe|reisekosten|granty podróżne"),
    ("exchange", r"exchange|intercambio|mobility|movilidad|austausch|wymian"),
    ("prize", r"\bprize\b|\bmedal\b|\bpremio\b|nagroda|\bpreis\b|獎(?:項)?$|獎章"),
    ("assistantship", r"assistantship|asistentes"),
    ("hostel", r"\bhostels?\b|기숙사"),
    ("coaching", r"\bcoaching\b|super 30"),
    ("grant", r"\bgrants?\b|subsid|補助|獎勵|지원|\bgranty?\b|bidrag|anslag|förderung|beihilfe"),
    ("award", r"\bawards?\b"),
)  # fmt: skip


_PAID_LINES: dict[str, tuple[str, ...]] = {
    "mastersportal_edw": ("Coverage:", "Benefits:"), "intlscholarships": ("Includes:",), "iefa": ("Includes:",),
    "in_indiascholarships": ("\0",), "ncku": ("\0",), "ncu": ("\0",),
}  # fmt: skip


def kind(title: str) -> str:
    """The kind of award a title names; "scholarship" when it names none."""
    return next((name for name, pattern in _KINDS if re.search(pattern, title, re.I)), "scholarship")


def read(folder: Path, source: str) -> Iterator[Facts]:
    """The usable records of one source as facts, in file order."""
    with (folder / f"{source}.jsonl").open(encoding="utf-8") as handle:
        for line in handle:
            row = json.loads(line)
            if _wanted(source, row["title"] or ""):
                yield adjust(source, row, _plain(source, row))


def _wanted(source: str, title: str) -> bool:
    keep, leave = _KEEP_ONLY.get(source), _LEAVE_OUT.get(source)
    if keep and not re.search(keep, title, re.I):
        return False
    return bool(title.strip()) and not (leave and re.search(leave, title, re.I))


def _named_fields(row: Row) -> list[str]:
    named: list[str] = []
    for entry in row["fields"] or []:
        named += entry if isinstance(entry, list) else [entry]
    return named


def _plain(source: str, row: Row) -> Facts:
    """What every source is read for; `special.adjust` then adds or takes away what is particular to one."""
    raw_title = names.tidy(row["title"])
    title = names.without_years(raw_title)
    # The text of mastersportal_hai is invented; it never counts.
    prose = "" if source == "mastersportal_hai" else names.tidy_lines(row["description"], row["eligibility"])
    provider = names.cleaned_provider(row["provider"])
    # An "Institute of Technology" says nothing about the field.
    codes, any_field = signals.fields(_named_fields(row), _less(title, provider), _less(prose, provider))
    nationalities, residents = places.citizenship(prose)
    given = tuple(row["eligible_nationalities"] or ())
    notes: list[tuple[str, str]] = [("citizens_or_residents", residents)] if residents else []
    if not given or (given == ("any",) and (nationalities or residents)):
        given = nationalities
    paid = _paid(source, prose) + "\n" + names.tidy(row["amount_text"] or "")
    return Facts(
        source=source,
        source_id=row["id"].split(":", 1)[1],
        title=title,
        language=row["language"],
        provider=provider,
        aliases=(*(names.tidy(alias) for alias in row["aliases"] or ()), *_our_aliases().get(title, ())),
        hosts=tuple(sorted(set(row["host_countries"] or ()))),
        nationalities=given,
        levels=tuple(row["levels"] or ()) or signals.levels(title, prose),
        fields=codes,
        any_field=any_field,
        kind=kind(title),
        money=money.stated(row["amount_text"], row["amount_min"], row["amount_max"], row["currency"]),
        coverage=signals.coverage(paid),
        traits=signals.traits(title, prose),
        notes=tuple(notes),
        rounds=_rounds(row, raw_title),
        url=links.cleaned(row["url"]),
        sources=(source,),
    )


def _paid(source: str, prose: str) -> str:
    """The part of a record that says what is paid: the source's own lines for it, where it has such lines."""
    starts = _PAID_LINES.get(source)
    if starts is None:
        return prose
    return "\n".join(line for line in prose.split("\n") if line.startswith(starts))


@cache
def _our_aliases() -> dict[str, tuple[str, ...]]:
    return {entry["title"]: tuple(entry["aliases"].split("|")) for entry in rows("more_aliases")}


def _less(text: str, provider: str | None) -> str:
    return text.replace(provider, " ") if provider else text


def _rounds(row: Row, raw_title: str) -> tuple[Round, ...]:
    """The rounds of one record. A yearless day under a title that names an old year says nothing about today."""
    text = row["deadline_text"]
    if days.is_rolling(text):
        return (Round("rolling"),)
    deadline, opens = days.day(row["deadline"]), days.day(row["opens"])
    if deadline:
        return (days.fixed(deadline, opens),)
    found = days.from_text((text or "").split("\n")[0])
    year = names.named_year(raw_title)
    if year and year <= 2024:
        found = tuple(item for item in found if item.kind == "fixed") or (Round("unknown", cycle=str(year)),)
    return found
