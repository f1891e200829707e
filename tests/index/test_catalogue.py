"""The shipped catalogue: real, many, sane, ours, and made again byte for byte from the shared facts."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from index.availability import availability
from index.catalogue.compile import days, links, money, names, places, signals, statistics, tables
from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.flagships import Flagships
from index.catalogue.compile.merge import merge
from index.catalogue.compile.pipeline import agreeing, programmes, worth_keeping
from index.catalogue.compile.places import Gazetteer
from index.catalogue.compile.records import identifiers, records, save
from index.catalogue.compile.sentences import write
from index.record import parse_record, to_record

FOLDER = Path(__file__).resolve().parents[2] / "index" / "catalogue"
SHIPPED = FOLDER / "opportunities.jsonl.gz"
AS_OF = datetime(2026, 12, 1, tzinfo=UTC)
RUN_OF_WORDS = 8
RUN_OF_CHARACTERS = 20


@pytest.fixture(scope="module")
def catalogue() -> list[dict[str, Any]]:
    return statistics.shipped(SHIPPED)


def said(record: dict[str, Any]) -> list[str]:
    """Every sentence of a record that is ours."""
    texts = [record["description"], record["eligibility"] or ""]
    return texts + [translation["description"] for translation in record["translations"].values()]


# The file as it is shipped


def test_every_record_is_of_the_public_form(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        document = parse_record(record)
        assert parse_record(to_record(document)) == document


def test_ids_are_unique_ordered_and_plain(catalogue: list[dict[str, Any]]) -> None:
    ids = [record["id"] for record in catalogue]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{1,127}", identifier) for identifier in ids)


def test_there_are_enough_of_every_kind(catalogue: list[dict[str, Any]]) -> None:
    hosts = {code for record in catalogue for code in record["host_countries"] or ()}
    languages = Counter(record["language"] for record in catalogue)
    assert len(catalogue) >= 4000
    assert len(hosts) >= 40
    assert {"en", "zh", "es", "de", "ko", "pl", "sv", "th", "fr", "vi"} <= set(languages)
    scripts = statistics.scripts(catalogue)
    assert min(scripts["CJK"], scripts["HANGUL"], scripts["LATIN"]) >= 100
    assert SHIPPED.stat().st_size < 3_000_000


def test_nobody_is_shipped_twice(catalogue: list[dict[str, Any]]) -> None:
    seen = Counter(
        (names.key(record["title"]), names.provider_key(record["provider"]), str(record["host_countries"]))
        for record in catalogue
    )
    assert [key for key, count in seen.items() if count > 1] == []


def test_windows_are_sane(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        for window in record["windows"]:
            opens, deadline = window["opens_on"], window["deadline_on"]
            assert (window["kind"] == "fixed") == (deadline is not None), record["id"]
            assert (window["kind"] == "recurring") == (window["month_day"] is not None), record["id"]
            if deadline:
                assert 2000 <= date.fromisoformat(deadline).year <= 2035, record["id"]
                assert opens is None or opens <= deadline, record["id"]
            if window["month_day"]:
                date.fromisoformat("2024" + window["month_day"][1:])


def test_every_state_can_be_met(catalogue: list[dict[str, Any]]) -> None:
    states = Counter(availability(parse_record(record).windows, AS_OF).state for record in catalogue)
    assert {"open", "upcoming", "rolling", "unknown", "closed"} <= set(states)
    assert states["open"] + states["upcoming"] + states["rolling"] >= 300


def test_sums_have_a_currency_and_an_order(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        amount = record["amount"]
        if amount:
            assert re.fullmatch(r"[A-Z]{3}", amount["currency"])
            low, high = amount["min"], amount["max"]
            assert (low or high) > 0
            assert low is None or high is None or low <= high, record["id"]


def test_codes_come_from_our_tables(catalogue: list[dict[str, Any]]) -> None:
    fields = {row["code"] for row in tables.rows("fields")}
    covered = {key.split(":")[1] for key in tables.phrases() if key.startswith("cover:")}
    for record in catalogue:
        assert set(record["fields"] or ()) <= fields
        assert set(record["coverage"] or ()) <= covered


def test_addresses_can_be_followed_and_name_no_person(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        if record["url"]:
            assert links.cleaned(record["url"]) == record["url"]
            assert "safelinks" not in record["url"]


def test_no_address_or_telephone_number_of_a_person(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        texts = [record["title"], record["provider"] or "", *record["aliases"], *said(record)]
        for text in texts:
            assert not re.search(r"[\w.]+@[\w-]+\.\w+", text), record["id"]
            assert not re.search(r"\(?\b0\d{1,2}\)?-\d{3,4}-?\d{3,4}\b", text), record["id"]


def test_descriptions_are_short_and_there(catalogue: list[dict[str, Any]]) -> None:
    for record in catalogue:
        assert record["description"].endswith((".", "。")), record["id"]
        assert len(record["description"].split()) <= 90, record["id"]
        assert not re.search(r"&\w+;|Ã|  |None|\{|\}", record["description"] + record["title"]), record["id"]


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("NSF GRFP", "nsf-graduate-research-fellowship-program"),
        ("GRFP", "nsf-graduate-research-fellowship-program"),
        ("美国国家科学基金会研究生奖学金", "nsf-graduate-research-fellowship-program"),
        ("富布莱特奖学金", "fulbright-program"),
        ("志奋领奖学金", "chevening-scholarship"),
        ("罗德奖学金", "rhodes-scholarship"),
        ("盖茨剑桥奖学金", "gates-cambridge-scholarship"),
        ("EMJMD", "erasmus-mundus-joint-masters"),
        ("DAAD-Stipendium", "daad-scholarship"),
        ("日本文部科学省奖学金", "mext-scholarship"),
        ("文部科學省獎學金", "mext-scholarship"),
        ("国家留学基金委", "csc-state-sponsored-study-abroad-programme"),
        ("公派研究生", "csc-postgraduate-study-abroad"),
        ("中国政府奖学金", "chinese-government-scholarship"),
        ("CSC UK", "commonwealth-scholarship"),
        ("MSCA PF", "msca-postdoctoral-fellowships"),
        ("Bourse Eiffel", "eiffel-excellence-scholarship-program"),
        ("SISGP", "swedish-institute-scholarships-for-global-professionals"),
        ("Holland Scholarship", "nl-scholarship"),
        ("Stipendium Hungaricum", "stipendium-hungaricum"),
        ("Türkiye Scholarships", "turkiye-burslari"),
        ("KGSP", "global-korea-scholarship"),
        ("정부초청장학금", "global-korea-scholarship"),
        ("Vanier CGS", "vanier-canada-graduate-scholarships"),
        ("HKPFS", "hong-kong-phd-fellowship-scheme"),
        ("苏世民学者", "schwarzman-scholars"),
        ("Knight-Hennessy", "knight-hennessy-scholars"),
        ("Australia Awards", "australia-awards-scholarships"),
        ("RTP Scholarship", "research-training-program"),
        ("Manaaki", "manaaki-new-zealand-scholarships"),
        ("ESKAS", "swiss-government-excellence-scholarships"),
        ("GOI-IES", "government-of-ireland-international-education-scholarship"),
        ("Becas ICETEX", "icetex"),
        ("PRONABEC", "beca-18"),
        ("臺灣獎學金", "taiwan-moe-scholarship"),
        ("國合會獎學金", "taiwanicdf-international-higher-education-scholarship"),
    ],
)
def test_what_people_try_first_is_there_under_its_names(
    catalogue: list[dict[str, Any]], name: str, identifier: str
) -> None:
    record = next(record for record in catalogue if record["id"] == identifier)
    assert name in (record["title"], *record["aliases"])


def test_the_two_csc_are_told_apart(catalogue: list[dict[str, Any]]) -> None:
    by_id = {record["id"]: record for record in catalogue}
    abroad = by_id["csc-postgraduate-study-abroad"]
    assert abroad["eligible_nationalities"] == ["CN"]
    assert abroad["levels"] == ["phd"]
    assert by_id["chinese-government-scholarship"]["host_countries"] == ["CN"]
    assert "CN" not in (by_id["chinese-government-scholarship"]["eligible_nationalities"] or ())
    assert by_id["commonwealth-scholarship"]["host_countries"] == ["GB"]


def test_the_data_card_counts_the_shipped_file(catalogue: list[dict[str, Any]]) -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert statistics.markdown(catalogue) in card


# What it is made from


def runs(text: str, length: int) -> set[int]:
    """Hashes of every run of `length` words."""
    words = re.findall(r"[^\W_]+", text.lower())
    return {hash(tuple(words[start : start + length])) for start in range(len(words) - length + 1)}


def strings(text: str, length: int) -> set[int]:
    """Hashes of every run of `length` letters, for scripts without spaces."""
    letters = re.sub(r"\W+", "", text)
    return {hash(letters[start : start + length]) for start in range(len(letters) - length + 1)}


@pytest.mark.slow
def test_no_sentence_was_taken_over(catalogue: list[dict[str, Any]], shared: Path) -> None:
    foreign_words: set[int] = set()
    foreign_strings: set[int] = set()
    for file in sorted((shared / "data" / "scholarships" / "normalised").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            prose = f"{row['description'] or ''}\n{row['eligibility'] or ''}"
            foreign_words |= runs(prose, RUN_OF_WORDS)
            if row["language"] in ("zh", "th"):
                foreign_strings |= strings(prose, RUN_OF_CHARACTERS)
    assert len(foreign_words) > 100_000  # the check would pass on nothing
    assert len(foreign_strings) > 10_000
    for record in catalogue:
        for text in said(record):
            for name in (record["title"], record["provider"], *record["aliases"]):
                text = text.replace(name, "\0") if name else text  # names are facts
            for part in text.split("\0"):
                assert not runs(part, RUN_OF_WORDS) & foreign_words, record["id"]
                assert not strings(part, RUN_OF_CHARACTERS) & foreign_strings, record["id"]


@pytest.mark.slow
def test_the_shipped_file_is_made_again_byte_for_byte(shared: Path, tmp_path: Path) -> None:
    found, gazetteer = programmes(shared)
    save(records(found, gazetteer), tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == SHIPPED.read_bytes()


def test_field_codes_are_isced_f(shared: Path) -> None:
    text = (shared / "data" / "vocab" / "isced_f_2013.csv").read_text(encoding="utf-8")
    official = {line.split(",")[0] for line in text.splitlines()}
    assert {row["code"] for row in tables.rows("fields")} <= official


def test_doubtful_aliases_stay_out(shared: Path) -> None:
    flagships = Flagships(shared / "data" / "aliases.csv")
    fulbright = facts(title="Fulbright Scholarship", provider="Somewhere")
    assert flagships.canonical(fulbright) == "Fulbright Program"
    for doubtful in ("SSHRC", "NSFC", "Marshall", "Hertz"):
        assert flagships.canonical(facts(title=doubtful, provider=None)) is None


# How it is made


def facts(**changes: Any) -> Facts:
    given = {"source": "ncku", "source_id": "1", "title": "A Grant", "language": "en", "sources": ("ncku",)}
    return Facts(**(given | changes))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March 1", [("recurring", None, "--03-01")]),
        ("31 May", [("recurring", None, "--05-31")]),
        ("February 15; November 1", [("recurring", None, "--02-15"), ("recurring", None, "--11-01")]),
        (
            "15. Januar und 15. Juni eines Jahres",
            [("recurring", None, "--01-15"), ("recurring", None, "--06-15")],
        ),
        ("October 15, 2016", [("fixed", date(2016, 10, 15), None)]),
        ("30 March 2026", [("fixed", date(2026, 3, 30), None)]),
        ("31.01.2024", [("fixed", date(2024, 1, 31), None)]),
        ("31/10/2018", [("fixed", date(2018, 10, 31), None)]),
        ("2061-12-31", [("rolling", None, None)]),
        ("Rolling", [("rolling", None, None)]),
        ("Anytime", [("rolling", None, None)]),
        ("Bewerbungen sind jederzeit möglich.", [("rolling", None, None)]),
        ("Mid-April", [("unknown", None, None)]),
        ("2910-05-22", []),
        ("February 31", []),
        ("04/09/2018", []),
        ("varies by country", []),
        (None, []),
    ],
)
def test_deadline_texts(text: str | None, expected: list[tuple[str, date | None, str | None]]) -> None:
    assert [(item.kind, item.deadline_on, item.month_day) for item in days.from_text(text)] == expected


def test_a_day_that_came_back_is_expected_again() -> None:
    rounds = days.with_recurrence([days.fixed(date(2024, 5, 10)), days.fixed(date(2025, 5, 10))])
    assert [item.kind for item in rounds] == ["fixed", "fixed", "recurring"]
    assert rounds[-1].month_day == "--05-10"
    once = days.with_recurrence([days.fixed(date(2024, 5, 10)), days.fixed(date(2025, 5, 11))])
    assert [item.kind for item in once] == ["fixed", "fixed"]


def test_an_opening_after_the_deadline_is_dropped() -> None:
    assert days.fixed(date(2024, 3, 6), date(2026, 2, 25)).opens_on is None


@pytest.mark.parametrize(
    ("text", "low", "high", "currency", "expected"),
    [
        ("$1,000 - $1,500 USD", 1000, 1500, "USD", Money(1000, 1500, "USD")),
        ("Up to $6,000", 6000, 6000, "NZD", Money(None, 6000, "NZD")),
        ("每案補助3,000~30,000元。", 30000, 30000, "TWD", Money(3000, 30000, "TWD")),
        ("1,100 Euro per month", 1100, 1100, "EUR", Money(1100, 1100, "EUR", "month")),
        ("$500-$3,000 per year", 500, 3000, "USD", Money(500, 3000, "USD", "year")),
        ("$1,000", 1000, 1000, None, None),
        ("10 EUR", 10, 10, "EUR", None),
        ("50% of tuition", 50, 50, "USD", None),
        ("EUR 100 per month, EUR 1,200 per year", 100, 1200, "EUR", None),
    ],
)
def test_sums_only_where_certain(
    text: str, low: float, high: float, currency: str | None, expected: Money | None
) -> None:
    assert money.stated(text, low, high, currency) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("₹15,000 per annum for 2 years", Money(15000, 15000, "INR", "year")),
        ("ranging from ₹10,000 to ₹25,000 per year", Money(10000, 25000, "INR", "year")),
        ("up to ₹2.5 lakh", Money(None, 250000, "INR")),
        ("₹12,000 a year and ₹1,000 once and ₹50 daily", None),
        ("full tuition", None),
    ],
)
def test_rupees(text: str, expected: Money | None) -> None:
    assert money.rupees(text) == expected


def test_titles_lose_their_year_but_not_their_name() -> None:
    assert names.without_years("2026학년도 1학기 KU Pride Club 장학금") == "KU Pride Club 장학금"
    assert names.without_years("115學年度雁行台灣協會勵學金") == "雁行台灣協會勵學金"
    assert names.without_years("Alwernia – stypendia sportowe 2024") == "Alwernia – stypendia sportowe"
    assert names.without_years("Chevening Scholarships 2025-26") == "Chevening Scholarships"
    assert names.without_years("Class of 1984 Award") == "Class of 1984 Award"


def test_names_are_cleaned() -> None:
    assert names.tidy("Room &amp;amp; Board") == "Room & Board"
    assert names.tidy("Universität MÃ¼nchen") == "Universität MÃ¼nchen"  # mixed: cannot be undone for certain
    assert names.tidy("MÃ¼nchen") == "München"
    assert names.cleaned_provider("Fundator:  Komisja Europejska »") == "Komisja Europejska"
    assert names.cleaned_provider("N/A") is None
    assert names.key("The Rhodes Scholarships") == names.key("Rhodes Scholarship")


def test_addresses() -> None:
    assert links.cleaned("Https://www.gob.pe/pronabec") == "https://www.gob.pe/pronabec"
    assert links.cleaned("https://www.gob.pe/institución/pronabec") is None
    assert links.cleaned("www.eurodesk.pl/granty/cybermacs") == "https://www.eurodesk.pl/granty/cybermacs"
    wrapped = "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.org%2Fb&data=x%40y.org"
    assert links.cleaned(wrapped) == "https://a.org/b"
    assert links.cleaned("mailto:somebody@example.org") is None
    assert links.cleaned("http://localhost/x") is None


@pytest.mark.parametrize(
    ("title", "prose", "expected"),
    [
        ("Women in STEM Award", "", {"women", "stem"}),
        ("A Grant", "Open to female students with financial need.", {"women", "need"}),
        ("A Grant", "Female applicants are especially encouraged to apply.", {"women_welcome"}),
        ("A Grant", "Decisions are made on merit and not financial need.", set()),
        ("中華慈善協會-急難救助", "", {"emergency"}),
        ("A Grant", "She was a model for teachers and single parents.", set()),
        ("A Grant", "For refugees and asylum seekers.", {"refugee"}),
    ],
)
def test_whom_it_is_for(title: str, prose: str, expected: set[str]) -> None:
    assert set(signals.traits(title, prose)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Full tuition and a monthly stipend", {"tuition", "living"}),
        ("Full or partial tuition waiver", {"tuition-part"}),
        ("Fully funded", {"full"}),
        ("Travel costs are not covered. Health insurance included.", {"insurance"}),
    ],
)
def test_what_is_paid(text: str, expected: set[str]) -> None:
    assert set(signals.coverage(text)) == expected


@pytest.mark.parametrize(
    ("named", "title", "prose", "expected"),
    [
        (["Civil Engineering"], "", "", (("0732",), False)),
        ([], "Prize in Physics", "", (("0533",), False)),
        ([], "A Grant", "For students of nursing.", (("0913",), False)),
        ([], "A Grant", "The fund was set up by a lover of music.", ((), False)),
        (["Multiple disciplines"], "", "", ((), True)),
        (["化工系,化學系"], "", "", (("0531", "0711"), False)),
    ],
)
def test_fields_of_study(
    named: list[str], title: str, prose: str, expected: tuple[tuple[str, ...], bool]
) -> None:
    assert signals.fields(named, title, prose) == expected


def test_a_degree_already_held_is_no_level() -> None:
    assert signals.levels("A Grant", "Applicants must hold a master's degree.") == ()
    assert signals.levels("A Grant", "For students in a master's programme.") == ("master",)
    assert signals.levels("Postdoctoral Fellowship") == ("postdoc",)


def test_citizenship() -> None:
    assert places.citizenship("Applicants must be Canadian citizens.") == (("CA",), None)
    assert places.citizenship("Must be U.S. citizens or permanent residents.") == ((), "US")
    assert places.citizenship("Open to non-U.S. citizens.") == ((), None)


def test_rounds_and_sources_of_one_award_become_one_programme() -> None:
    first = facts(
        provider="P", source="mastersportal_edw", sources=("mastersportal_edw",), programme_key="x:1"
    )
    second = facts(
        provider="Q",
        source="mastersportal_hai",
        sources=("mastersportal_hai",),
        programme_key="x:1",
        hosts=("DE",),
    )
    other = facts(title="Another Grant", provider="P")
    found = merge([first, second, other])
    assert len(found) == 2
    assert found[0].sources == ("mastersportal_edw", "mastersportal_hai")
    assert (found[0].provider, found[0].hosts) == ("P", ("DE",))


def test_namesakes_of_different_givers_stay_apart() -> None:
    found = merge([facts(title="Global Merit Award", provider=provider) for provider in ("Yale", "Brown")])
    assert len(found) == 2
    said_shorter = ("Kotak Education Foundation", "Kotak Education Foundation and Kotak Mahindra Group")
    assert len(merge([facts(title="Kotak Kanya Award", provider=provider) for provider in said_shorter])) == 1


def test_a_university_in_two_countries_is_left_out() -> None:
    here = [
        facts(source="mastersportal_edw", provider="P", hosts=("IL",), source_id=str(n)) for n in range(3)
    ]
    there = facts(source="mastersportal_edw", provider="P", hosts=("CA",), source_id="9")
    assert agreeing([*here, there]) == here


def test_a_bare_name_is_not_worth_keeping() -> None:
    assert not worth_keeping(facts(provider="P"))
    assert worth_keeping(facts(provider="P", hosts=("DE",), levels=("phd",)))


def test_ids_do_not_depend_on_the_order() -> None:
    found = [
        facts(title="Excellence Award", provider="Yale", source_id="1"),
        facts(title="Excellence Award", provider="Brown", source_id="2"),
        facts(title="Sturm und Drang Preis der Stadt", provider="Ulm", source_id="3"),
        facts(title="清寒獎學金", provider="基金會", source_id="a1"),
    ]
    ids = identifiers(found)
    assert ids == [
        "excellence-award-yale",
        "excellence-award-brown",
        "sturm-und-drang-preis-der-stadt",
        "ncku-a1",
    ]
    assert identifiers(found[::-1]) == ids[::-1]


def test_writing_is_deterministic(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        save([{"id": "x", "title": "臺灣"}], tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert json.loads(gzip.decompress((tmp_path / "a.gz").read_bytes())) == {"id": "x", "title": "臺灣"}


@pytest.mark.parametrize(
    ("language", "description", "eligibility"),
    [
        (
            "en",
            "A PhD scholarship from DAAD for study in Germany. Field: engineering. Worth EUR 1,200 a month. "
            "Covers health insurance and travel. Closing date: 31 October 2026.",
            "For women and girls. For citizens of India. Age up to 30.",
        ),
        (
            "zh",
            "DAAD提供的獎學金（博士班），就讀地：德國。領域：工程。金額：每月歐元1,200元。補助項目：保險、旅費。"
            "申請截止日：2026年10月31日。",
            "限女性申請。限印度國籍。年齡上限30歲。",
        ),
        (
            "zh-Hans",
            "DAAD提供的奖学金（博士班），就读地：德国。领域：工程。金额：每月欧元1,200元。补助项目：保险、旅费。"
            "申请截止日：2026年10月31日。",
            "限女性申请。限印度国籍。年龄上限30岁。",
        ),
        (
            "de",
            "Stipendium (DAAD) für: Promotion. Studienland: Deutschland. Fachgebiete: Ingenieurwissenschaften. "
            "Höhe: 1.200 EUR im Monat. Übernommen werden: Krankenversicherung und Reisekosten. "
            "Bewerbungsschluss: 31. Oktober 2026.",
            "Für Frauen. Staatsangehörigkeit: Indien. Alter bis 30 Jahre.",
        ),
        (
            "es",
            "Beca de doctorado para estudiar en Alemania. Otorga: DAAD. Áreas: ingeniería. Monto: EUR 1,200 al mes. "
            "Cubre seguro de salud y pasajes. Fecha límite: 31 de octubre de 2026.",
            "Para mujeres. Para ciudadanos de India. Edad máxima: 30 años.",
        ),
        (
            "ko",
            "DAAD 장학금. 대상: 박사. 국가: 독일. 분야: 공학. 지원 금액: 월 1,200유로. 지원 항목: 보험, 항공료·여비. "
            "신청 마감: 2026년 10월 31일.",
            "여학생 대상. 국적: 인도. 만 30세 이하.",
        ),
        (
            "pl",
            "Stypendium. Fundator: DAAD. Etap: doktorat. Kraj: Niemcy. Dziedziny: inżynieria. "
            "Kwota: 1 200 EUR miesięcznie. Obejmuje: ubezpieczenie, podróż. "
            "Termin składania wniosków: 31 października 2026 r.",
            "Dla kobiet i dziewcząt. Obywatelstwo: Indie.",
        ),
        (
            "sv",
            "Stipendium från DAAD, doktorandnivå. Studieland: Tyskland. Ämnesområden: teknik. "
            "Belopp: 1 200 EUR i månaden. Täcker: försäkring och resor. Sista ansökningsdag: 31 oktober 2026.",
            "För kvinnor. För medborgare i Indien.",
        ),
    ],
)
def test_sentences(language: str, description: str, eligibility: str, shared: Path) -> None:
    known = facts(
        provider="DAAD",
        hosts=("DE",),
        levels=("phd",),
        fields=("07",),
        money=Money(1200, 1200, "EUR", "month"),
        coverage=("insurance", "travel"),
        traits=("women",),
        nationalities=("IN",),
        notes=(("age_max", "30"),),
        rounds=(Round("fixed", deadline_on=date(2026, 10, 31)),),
    )
    assert write(known, language, Gazetteer(shared / "data" / "vocab")) == (description, eligibility)


def test_every_phrase_is_said_in_every_language() -> None:
    for key, row in tables.phrases().items():
        for language in ("en", "zh", "de", "es", "ko", "pl", "sv"):
            assert row[language].strip(), (key, language)
