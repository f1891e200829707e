"""A test set is read exactly or refused with file and line."""

import gzip
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import TestSetError, UnknownSplit
from evaluation.testset import TestSet, instant_of, parse_as_of

HEADER = "query-id\tcorpus-id\tscore\n"
DOCUMENT = {"_id": "d1", "title": "Grant", "text": "money", "metadata": {"provider": "P"}}
QUERY = {
    "_id": "q1",
    "text": "grant",
    "as_of": "2026-03-01",
    "lang": "en",
    "tags": ["time", "alias", "time"],
    "filters": {"levels": ["phd"]},
    "metadata": {"a": 1},
}


def make_set(folder: Path, corpus=(DOCUMENT,), queries=(QUERY,), qrels=None) -> TestSet:
    folder.mkdir(exist_ok=True)
    for name, rows in (("corpus.jsonl", corpus), ("queries.jsonl", queries)):
        (folder / name).write_text(
            "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows),
            encoding="utf-8",
        )
    (folder / "qrels").mkdir(exist_ok=True)
    for split, text in (qrels or {"test": HEADER + "q1\td1\t2\n"}).items():
        (folder / "qrels" / f"{split}.tsv").write_text(text, encoding="utf-8")
    return TestSet(folder)


def pack(path: Path) -> None:
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()


def test_every_field_of_a_query_is_read(tmp_path):
    (query,) = make_set(tmp_path).queries()
    assert query.query_id == "q1"
    assert query.as_of == datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert query.tags == ("time", "alias")
    assert (query.lang, query.filters, query.metadata) == ("en", {"levels": ["phd"]}, {"a": 1})


def test_a_plain_beir_set_works_as_it_is(tmp_path):
    plain = make_set(
        tmp_path / "plain",
        corpus=[{"_id": 7, "text": "t"}, {"_id": "8", "title": None, "text": "", "metadata": "anything"}],
        queries=[{"_id": 3, "text": "q", "metadata": []}, "", {"_id": "4", "text": "r", "metadata": None}],
        qrels={"test": HEADER + "3\t7\t1\n"},
    )
    assert [(line, document["_id"]) for line, document in plain.corpus()] == [(1, "7"), (2, "8")]
    query, other = plain.queries()
    assert (query.query_id, query.as_of, query.lang, query.tags, query.filters) == ("3", None, None, (), {})
    assert other.query_id == "4"
    assert plain.qrels("test") == {"3": {"7": 1}}
    assert plain.name == "plain"


def test_gzipped_files_read_the_same(tmp_path):
    test_set = make_set(tmp_path)
    before = (list(test_set.corpus()), test_set.queries(), test_set.qrels("test"), test_set.splits())
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        pack(tmp_path / name)
    assert (list(test_set.corpus()), test_set.queries(), test_set.qrels("test"), test_set.splits()) == before


def test_byte_order_mark_crlf_and_unicode_separators_do_not_disturb(tmp_path):
    test_set = make_set(tmp_path)
    line = json.dumps({"_id": "q1", "text": "a\u2028b\x85c"}, ensure_ascii=False)
    (tmp_path / "queries.jsonl").write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n\r\n")
    (tmp_path / "qrels" / "test.tsv").write_bytes((HEADER + "q1\td1\t2\n").replace("\n", "\r\n").encode())
    assert test_set.queries()[0].text == "a\u2028b\x85c"
    assert test_set.qrels("test") == {"q1": {"d1": 2}}


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "JSON"),
        ("[1]", "object"),
        ("[" * 100_000, "JSON"),
        ('{"text": "no id"}', "_id"),
        ('{"_id": true, "text": "t"}', "_id"),
        ('{"_id": 1.5, "text": "t"}', "_id"),
        ('{"_id": " ", "text": "t"}', "_id"),
        ('{"_id": "q1", "text": "again"}', "line 1"),
        ('{"_id": "q2"}', "text"),
        ('{"_id": "q2", "text": 5}', "text"),
        ('{"_id": "q2", "text": "t", "as_of": "next week"}', "as_of"),
        ('{"_id": "q2", "text": "t", "as_of": 20260301}', "as_of"),
        ('{"_id": "q2", "text": "t", "as_of": "2026-02-30"}', "as_of"),
        ('{"_id": "q2", "text": "t", "as_of": "0001-01-01T00:00:00+14:00"}', "as_of"),
        ('{"_id": "q2", "text": "t", "lang": 1}', "lang"),
        ('{"_id": "q2", "text": "t", "tags": "time"}', "tags"),
        ('{"_id": "q2", "text": "t", "tags": [1]}', "tags"),
        ('{"_id": "q2", "text": "t", "filters": ["x"]}', "filters"),
    ],
)
def test_a_malformed_query_line_names_file_and_line(tmp_path, line, word):
    test_set = make_set(tmp_path, queries=[QUERY, "", line])
    with pytest.raises(TestSetError) as caught:
        test_set.queries()
    assert (caught.value.path, caught.value.line) == (tmp_path / "queries.jsonl", 3)
    assert f"queries.jsonl:3: {caught.value.reason}" in str(caught.value)
    assert word in caught.value.reason


@pytest.mark.parametrize("line", ['{"_id": "d1", "text": "twice"}', '{"_id": "d2", "title": 3}', "nonsense"])
def test_a_malformed_document_line_names_file_and_line(tmp_path, line):
    documents = make_set(tmp_path, corpus=[DOCUMENT, line]).corpus()
    assert next(documents)[0] == 1  # what comes before the fault is still streamed
    with pytest.raises(TestSetError, match=r"corpus\.jsonl:2: "):
        list(documents)


@pytest.mark.parametrize(
    "line",
    [
        "q1 d2 1",
        "q1\td2",
        "q1\td2\t1\t",
        "q1\td2\t1.0",
        "q1\td2\t",
        "\td2\t1",
        "q1\t\t1",
        "q1\td2\t٣",
        "q1\td2\t21",
    ],
)
def test_a_malformed_judgement_names_file_and_line(tmp_path, line):
    test_set = make_set(tmp_path, qrels={"test": HEADER + "q1\td1\t2\n" + line + "\n"})
    with pytest.raises(TestSetError, match=r"test\.tsv:3: "):
        test_set.qrels("test")


def test_two_grades_for_one_document_are_refused_and_the_same_grade_twice_is_not(tmp_path):
    twice = make_set(
        tmp_path, qrels={"test": HEADER + "q1\td1\t2\nq1\td1\t2\n", "dev": HEADER + "q1\td1\t2\nq1\td1\t1\n"}
    )
    assert twice.qrels("test") == {"q1": {"d1": 2}}
    with pytest.raises(TestSetError, match=r"dev\.tsv:3: .*two grades"):
        twice.qrels("dev")


def test_a_missing_header_is_refused_rather_than_eating_the_first_judgement(tmp_path):
    test_set = make_set(tmp_path, qrels={"test": "q1\td1\t2\n", "empty": HEADER, "blank": ""})
    with pytest.raises(TestSetError, match=r"test\.tsv:1: expected the header"):
        test_set.qrels("test")
    with pytest.raises(TestSetError, match="no judgement"):
        test_set.qrels("empty")
    with pytest.raises(TestSetError, match="header"):
        test_set.qrels("blank")


def test_bytes_that_are_not_utf8_and_damaged_gzip_name_file_and_line(tmp_path):
    test_set = make_set(tmp_path)
    (tmp_path / "queries.jsonl").write_bytes(b'{"_id": "a", "text": "b"}\n{"_id": "\xff"}\n')
    with pytest.raises(TestSetError, match=r"queries\.jsonl:2: not UTF-8"):
        test_set.queries()
    (tmp_path / "queries.jsonl").unlink()
    (tmp_path / "queries.jsonl.gz").write_bytes(gzip.compress(json.dumps(QUERY).encode())[:-12])
    with pytest.raises(TestSetError, match=r"queries\.jsonl\.gz.*gzip"):
        test_set.queries()
    (tmp_path / "queries.jsonl.gz").write_bytes(b"plain text")
    with pytest.raises(TestSetError, match="gzip"):
        test_set.queries()


def test_missing_files_and_splits_say_what_there_is(tmp_path):
    test_set = make_set(tmp_path, qrels={"test": HEADER + "q1\td1\t1\n", "dev": HEADER + "q1\td1\t1\n"})
    with pytest.raises(UnknownSplit, match="splits here: dev, test"):
        test_set.qrels("train")
    with pytest.raises(UnknownSplit):
        test_set.qrels("../qrels/test")
    (tmp_path / "corpus.jsonl").unlink()
    with pytest.raises(TestSetError, match=r"no corpus\.jsonl"):
        list(test_set.corpus())


def test_queries_of_a_split_are_all_but_those_only_other_splits_judge(tmp_path):
    queries = [{"_id": name, "text": name} for name in ("both", "test", "train", "nowhere")]
    qrels = {"test": HEADER + "both\td\t1\ntest\td\t1\n", "train": HEADER + "both\td\t1\ntrain\td\t1\n"}
    test_set = make_set(tmp_path, queries=queries, qrels=qrels)
    assert [query.query_id for query in test_set.queries_for("test")] == ["both", "test", "nowhere"]
    assert [query.query_id for query in test_set.queries_for("train")] == ["both", "train", "nowhere"]


def test_a_set_whose_judgements_are_kept_elsewhere_can_be_ranked(tmp_path):
    test_set = make_set(tmp_path)
    (tmp_path / "qrels" / "test.tsv").unlink()
    assert len(test_set.queries_for("test")) == 1
    (tmp_path / "qrels").rmdir()
    assert len(test_set.queries_for("test")) == 1


def test_a_split_without_a_query_is_an_unknown_split(tmp_path):
    with pytest.raises(UnknownSplit, match="splits here: dev"):
        make_set(tmp_path, qrels={"dev": HEADER + "q1\td1\t1\n"}).queries_for("test")


@given(
    st.dates(min_value=datetime(1900, 1, 2).date(), max_value=datetime(2200, 1, 1).date()),
    st.integers(-12, 11),
)
def test_the_instant_of_a_day_is_on_that_day_from_the_last_place_on_earth_to_utc_plus_11(day, hours):
    local = instant_of(day).astimezone(timezone(timedelta(hours=hours)))
    assert local.date() == day
    # One second earlier the last place on earth is still at the day before: its deadlines would look open.
    earlier = instant_of(day) - timedelta(seconds=1)
    assert earlier.astimezone(timezone(timedelta(hours=-12))).date() == day - timedelta(days=1)


@given(
    st.datetimes(
        min_value=datetime(1900, 1, 2), timezones=st.sampled_from([UTC, timezone(timedelta(hours=9))])
    )
)
def test_an_instant_keeps_its_moment_and_one_without_offset_is_utc(instant):
    assert parse_as_of(instant.isoformat()) == instant
    naive = instant.replace(tzinfo=None)
    assert parse_as_of(naive.isoformat()) == naive.replace(tzinfo=UTC)


@pytest.mark.parametrize("name", ["awardbench", "ir/scifact", "ir/cranfield", "ir/vaswani", "ir/cmrc2018_zh"])
def test_real_sets_are_read_whole(shared, name):
    test_set = TestSet(shared / "data" / name)
    queries = {query.query_id: query for query in test_set.queries()}
    documents = {document["_id"] for _, document in test_set.corpus()}
    for split in test_set.splits():
        qrels = test_set.qrels(split)
        assert qrels.keys() <= queries.keys()
        assert {doc_id for grades in qrels.values() for doc_id in grades} <= documents
    assert all((query.as_of is not None) == (name == "awardbench") for query in queries.values())
