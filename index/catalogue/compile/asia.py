"""What is particular to the Taiwanese, Korean, Thai and Indian sources: structured lines and local habits."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from index.catalogue.compile import capitals, days, money, signals, structured
from index.catalogue.compile.facts import Facts, Round, Row, facts_with
from index.catalogue.compile.tables import rows


def taiwan(row: Row, facts: Facts) -> Facts:
    """Bracketed instructions leave the title; "foundation-award" also gives a short name."""
    notes, department, nationalities = structured.taiwan(row["eligibility"], row["description"], row["title"])
    title = re.sub(
        r"[【(（\[][^】)）\]]*(?:請|戶籍|設籍|截止|前)[^】)）\]]*[】)）\]]", "", facts.title
    ).strip()
    title = re.sub(r"\s*-{1,2}\s*", "-", title)
    aliases = list(facts.aliases)
    short = re.sub(r"^(?:財團法人|社團法人|公益信託)", "", title).replace("-", "")
    if short != title:
        aliases.append(short)
    codes, any_field = signals.fields([department], "", "") if department else ((), False)
    provider = facts.provider
    if facts.source == "ncu":
        provider = None
        head = re.match(r"^(.{4,40}?(?:基金會|政府|協會|公司|總會|扶輪社))", title)
        if head:
            provider = head[1]
    if facts.source == "ncku" and not codes and not department:
        codes, any_field = signals.fields([], title, "")
        any_field = not codes and "系所條件：不限" in (row["eligibility"] or "")
    # Lists of papers to hand in name every hardship there is; only these lines say whom the award is for.
    group = "\n".join(
        re.sub(r"不含[^，。;；]*", "", line)
        for line in (row["eligibility"] or "").split("\n")
        if line.startswith(("身份條件", "身份限制"))
    )
    other = " ".join(line for line in (row["eligibility"] or "").split("\n") if line.startswith("其他條件"))
    traits = set(signals.traits(facts.title, group))
    if re.search(r"成績(?:優異|優良)|平均(?:成績)?\d\d分", other):
        traits.add("merit")
    return facts_with(
        facts,
        notes,
        title=title,
        aliases=tuple(aliases),
        provider=provider,
        fields=codes,
        any_field=any_field,
        traits=tuple(sorted(traits)),
        nationalities=nationalities or facts.nationalities,
    )


def korea(row: Row, facts: Facts) -> Facts:
    """Lines of the form "key: value"; serial-number deadlines were already turned into dates."""
    notes, majors, nationalities = structured.korea(row["eligibility"], row["description"])
    codes, any_field = (
        signals.fields([majors], facts.title, "") if majors else (facts.fields, facts.any_field)
    )
    if not majors:
        codes, any_field = signals.fields([], facts.title, "")
    hosts = facts.hosts
    named = tuple(
        entry["code"] for entry in rows("countries") if entry["ko"] in facts.title and entry["code"] != "KR"
    )
    if named:
        hosts = named
    elif re.search(r"해외|유학", facts.title) and "외국인" not in facts.title:
        hosts = ()
    return facts_with(
        facts,
        notes,
        fields=codes,
        any_field=any_field,
        nationalities=nationalities or facts.nationalities,
        hosts=hosts,
    )


def thailand(row: Row, facts: Facts) -> Facts:
    """The field tags are the collector's interests, so only titles count; a bare Buddhist year is no day."""
    codes, any_field = signals.fields([], facts.title, "")
    rounds = tuple(item for item in facts.rounds if item.kind != "recurring")
    return replace(facts, rounds=rounds, fields=codes, any_field=any_field)


def india(row: Row, facts: Facts) -> Facts:
    """Sums only as written in rupees; year-end closing days are likely placeholders and stay unconfirmed."""
    notes, level_words = structured.india(row["eligibility"])
    hosts = _india_hosts(row, facts)
    rounds = tuple(_unconfirmed(item, hosts == ("IN",)) for item in facts.rounds)
    text = row["amount_text"]
    cash = money.rupees(text) if hosts == ("IN",) else None
    stated = structured.lines(row["eligibility"], ":")
    category = stated.get("Category", "")
    group = "" if re.search(r"general|all\b|any", category, re.I) else category
    traits = set(signals.traits(facts.title, group)) | ({"need", "merit"} & set(facts.traits))
    if re.match(r"(?:female|girls)(?: only)?$", stated.get("Gender", ""), re.I):
        traits.add("women")
    if any(key == "income_max" for key, _ in notes):
        traits.add("need")
    if hosts != ("IN",):
        notes = [note for note in notes if note[0] in ("marks_min", "age", "age_max")]
    nationalities = ("IN",) if hosts == ("IN",) else ()
    # The running text is written by a machine and wanders; only the title is trusted for the field.
    codes, any_field = signals.fields([], facts.title, "")
    return facts_with(
        facts,
        notes,
        money=cash,
        rounds=rounds,
        traits=tuple(sorted(traits)),
        nationalities=nationalities,
        hosts=hosts,
        fields=codes,
        any_field=any_field,
        levels=facts.levels or structured.india_levels(level_words),
    )


_COUNTRY_OF_SITE = {
    "in": "IN",
    "uk": "GB",
    "de": "DE",
    "au": "AU",
    "ca": "CA",
    "se": "SE",
    "fr": "FR",
    "ch": "CH",
    "nl": "NL",
    "jp": "JP",
    "sg": "SG",
    "nz": "NZ",
    "ie": "IE",
    "it": "IT",
    "kr": "KR",
    "be": "BE",
    "dk": "DK",
    "fi": "FI",
    "no": "NO",
    "edu": "US",
    "cn": "CN",
    "hk": "HK",
    "tw": "TW",
    "hu": "HU",
    "tr": "TR",
    "at": "AT",
    "es": "ES",
    "mil": "US",
}


def _india_hosts(row: Row, facts: Facts) -> tuple[str, ...]:
    """The portal calls every award Indian; the award's own site and state say where it is really held."""
    state = structured.lines(row["eligibility"], ":").get("State", "")
    if state and not re.match(r"all|any|multiple|selected|international|global|n/?a", state, re.I):
        return ("IN",)
    host = re.sub(r"^https?://([^/]+).*$", r"\1", facts.url or "")
    site = _COUNTRY_OF_SITE.get(host.rsplit(".", 1)[-1])
    if site:
        return (site,)
    words = f"{row['title']} {row['provider'] or ''}"
    if re.search(r"\bindian?\b|bharat|yojana|\btata\b|reliance|\bnsp\b|\bugc\b|\bcsir\b", words, re.I):
        return ("IN",)
    abroad = re.search(
        r"international students|global citizens|fully funded|university of|erasmus|fulbright|commonwealth",
        words,
        re.I,
    )
    rupees = "₹" in (row["amount_text"] or "") and not re.search(
        r"[€£]|USD|EUR|GBP|CAD|AUD|CHF|US\$", row["amount_text"] or ""
    )
    return ("IN",) if rupees and not abroad else ()


def _unconfirmed(item: Round, at_home: bool) -> Round:
    """A day that the portal probably filled in: the ends of three autumn months, for foreign awards of any month."""
    day = item.deadline_on
    placeholder = day is not None and (
        (day.month, day.day) in {(10, 31), (11, 30), (12, 31)}
        or (not at_home and (day + timedelta(1)).day == 1)
    )
    if item.kind == "fixed" and day and placeholder:
        return Round(
            "unknown",
            cycle=item.cycle,
            text=f"about {day.day} {days.ENGLISH_MONTHS[day.month - 1]} {day.year}, not confirmed",
        )
    return item


def west_bengal(row: Row, facts: Facts) -> Facts:
    """The list gives months ("July - September"); the days were filled in by its author and are not used."""
    text = row["deadline_text"] or ""
    rounds = facts.rounds
    months = re.fullmatch(r"([A-Z][a-z]+) - ([A-Z][a-z]+)", text)
    if months:
        rounds = (Round("unknown", text=f"{months[1]} to {months[2]}"),)
    return facts_with(
        facts,
        structured.cusaathi(row["eligibility"]),
        rounds=rounds,
        nationalities=("IN",),
        money=money.rupees(row["amount_text"]),
    )


def myscheme(row: Row, facts: Facts) -> Facts:
    """Schemes of Indian ministries: capitals calmed, the council that gives an AICTE scheme named."""
    provider = facts.provider
    if provider is None and facts.title.upper().startswith("AICTE"):
        provider = "All India Council for Technical Education (AICTE)"
    title = capitals.calmed(re.sub(r"\s+[–-]\s*|\s*–\s*", " - ", facts.title))
    return replace(facts, title=title, provider=provider, nationalities=("IN",))
