"""The report's files: shapes as promised, the same bytes every time, foreign text never markup or formula."""

import csv
import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from evaluation.assessment import assess
from evaluation.metrics import METRICS
from evaluation.report import write_report
from evaluation.run import SystemRun
from evaluation.testset import TestQuery

NASTY = '<script>alert("1")</script> | =HYPERLINK("x") [a](b) `c`'
CHINESE = "国家留学基金委 $x$ 奖学金"


def make(names=("bm25", "hybrid-open"), tags=("time", "<b>tag</b>"), latency=True):
    texts = [NASTY, "=1+1", CHINESE, "plain", ""]
    queries = tuple(
        TestQuery(
            f"q{number}",
            text,
            datetime(2026, 3, 1, 12, tzinfo=UTC) if number else None,
            "zh" if number == 2 else None,
            tags if number % 2 else (),
            {},
            None,
        )
        for number, text in enumerate(texts)
    )
    qrels = {query.query_id: {"good": 2, "bad": 0} for query in queries} | {"ghost": {"good": 2}}
    runs = {}
    for place, name in enumerate(names):
        hits = {
            f"q{number}": [("bad", 2.0), ("good", 1.0)]
            if (number + place) % 3
            else [("good", 2.0), ("bad", 1.0)]
            for number in range(4)
        }
        stages = {"lexical": [1.0, 2.0, 130.0], "total": [2.0, 20.0, 140.0]} if latency else {}
        runs[name] = SystemRun(hits, stages, f"snapshot=1&{NASTY}")
    return assess("awards", "dev", queries, qrels, runs, 2)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_report(make(), folder, {"bm25": "bm25.run", "hybrid-open": "hybrid-open.run"})
    return folder


class Reader(HTMLParser):
    """Collects tags, attributes and text; complains about tags that do not close."""

    VOID = frozenset({"meta", "br", "link", "img", "hr"})

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    assert reader.open == []
    return reader


def test_metrics_json_has_the_promised_shape(out):
    found = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert (found["set"], found["split"], found["queries"], found["baseline"]) == ("awards", "dev", 6, "bm25")
    for system in found["systems"].values():
        assert all(isinstance(system[metric], float) for metric in METRICS)
        assert set(system["ci95"]) == set(METRICS)
        assert all(low <= system[metric] <= high for metric, (low, high) in system["ci95"].items())
        assert system["slices"]["time"]["queries"] == 2
        assert {"mrr@5", "ndcg@10"} <= set(system["slices"]["time"])
        assert set(system["latency_ms"]["lexical"]) == {"p50", "p95", "p99"}
        assert system["fingerprint"].startswith("snapshot=1")
    promised = {"a", "b", "metric", "delta", "ci95", "p", "p_holm", "n"}
    assert promised | {"queries_needed", "smallest_effect"} == set(found["comparisons"][0])


def test_the_same_assessment_gives_the_same_bytes(out, tmp_path):
    write_report(make(), tmp_path, {"bm25": "bm25.run", "hybrid-open": "hybrid-open.run"})
    for path in sorted(out.iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_page_is_well_formed_and_reaches_for_nothing(out):
    page = read(out / "report.html")
    assert page.seen.count("svg") == 2
    assert not {"script", "link", "img", "iframe", "b>tag"} & set(page.seen)
    references = [value for _, name, value in page.attributes if name in ("src", "href", "xlink:href")]
    assert all(value.startswith("#") or re.fullmatch(r"[\w.-]+", value) for value in references)
    assert "@import" not in "".join(page.text)
    assert "url(http" not in "".join(page.text)
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    labelled = {value for _, name, value in page.attributes if name == "aria-labelledby"}
    assert labelled <= set(ids)


def test_foreign_text_is_shown_as_it_is_and_never_as_markup(out):
    page = read(out / "report.html")
    text = "".join(page.text)
    assert NASTY in text
    assert CHINESE in text
    assert "<b>tag</b>" in text
    assert ("span", "lang", "zh") in page.attributes
    source = (out / "report.md").read_text(encoding="utf-8")
    assert "<script>" not in source.replace("\\<script", "")
    row = next(line for line in source.splitlines() if "HYPERLINK" in line and line.startswith("|"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


def test_every_table_of_the_markdown_has_rows_as_wide_as_its_header(out):
    lines = (out / "report.md").read_text(encoding="utf-8").splitlines()
    tables = 0
    for number, line in enumerate(lines):
        if re.fullmatch(r"(\|---)+\|", line):
            tables += 1
            assert lines[number - 2] == "" if lines[number - 1].startswith("| ") else False
            width = line.count("|")
            following = lines[number + 1 :]
            rows = following[: following.index("")] if "" in following else following
            assert rows
            assert all(len(re.findall(r"(?<!\\)\|", row)) == width for row in rows)
    assert tables >= 5


def test_figures_on_the_page_are_those_of_the_json(out):
    found = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    text = "".join(read(out / "report.html").text)
    for system in found["systems"].values():
        for metric in METRICS:
            assert f"{system[metric]:.3f}" in text


def test_the_table_of_queries_is_complete_and_safe_in_a_spreadsheet(out):
    with (out / "per_query.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * 6
    assert {row["system"] for row in rows} == {"bm25", "hybrid-open"}
    texts = {row["query_id"]: row["text"] for row in rows}
    assert texts["q1"] == "'=1+1"
    assert texts["q0"] == NASTY
    assert texts["ghost"] == ""
    assert all(not value.startswith(("=", "+", "@")) for row in rows for value in row.values())
    found = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    mine = [float(row["mrr@5"]) for row in rows if row["system"] == "bm25"]
    assert sum(mine) / len(mine) == pytest.approx(found["systems"]["bm25"]["mrr@5"], abs=1e-6)
    assert {row["first_relevant_rank"] for row in rows} == {"1", "2", ""}


def test_one_system_without_tags_or_timings_still_makes_a_page(tmp_path):
    write_report(make(names=("bm25",), tags=(), latency=False), tmp_path / "deep" / "er", {})
    page = read(tmp_path / "deep" / "er" / "report.html")
    text = "".join(page.text)
    assert page.seen.count("svg") == 1
    assert "Against the baseline" not in text
    assert "Time per stage" not in text
    assert "By kind of query" not in text


def test_a_system_name_is_text_in_the_pictures_too(tmp_path):
    write_report(make(names=("a<b>&$x$", "奖学金")), tmp_path, {})
    page = read(tmp_path / "report.html")
    assert "b" not in page.seen or "a<b>&$x$" in "".join(page.text)
    assert "".join(page.text).count("a<b>&$x$") >= 4
    assert "".join(page.text).count("奖学金") >= 4
