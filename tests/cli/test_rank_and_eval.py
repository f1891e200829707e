"""`rank` and `eval` from the outside: files, stdout, stderr, exit codes. Only the last test has a real ranker."""

import json
import sys
from pathlib import Path
from types import ModuleType

import ir_measures
import pytest
import typer
from typer.testing import CliRunner

from cli.eval import evaluate
from cli.rank import rank
from cli.ranking import system_names
from evaluation.metrics import METRICS
from evaluation.run import SystemRun
from evaluation.trec import read_run

DOCUMENTS = ("best", "good", "other", "noise")
# What each fake system returns for a query, best first.
ORDERS = {
    "bm25": ("noise", "good", "best", "other"),
    "hybrid-open": ("best", "good", "other", "noise"),
    "dense": ("noise", "other"),
}


class FakeRanker:
    """Answers from a table; notes what it was asked."""

    def __init__(self, calls):
        self.calls = calls

    def rank(self, system, queries, k, progress):
        self.calls.append((system, [query.query_id for query in queries], k))
        progress(f"rank {system}", len(queries), len(queries))
        hits = [(doc_id, -float(place)) for place, doc_id in enumerate(ORDERS[system][:k])]
        if system == "dense":
            hits.reverse()  # an order its scores do not say
        return SystemRun(
            {query.query_id: hits for query in queries}, {"total": [1.0] * len(queries)}, f"fake {system}"
        )


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """The calls the fake ranker got; installed in place of the real one."""
    seen = []

    def open_ranker(set_dir, corpus, encoder, home, progress, judge):
        documents = [document["_id"] for document in corpus]
        seen.append((set_dir, documents, encoder, home))
        return FakeRanker(seen)

    module = ModuleType("app.ranker")
    module.open_ranker = open_ranker
    monkeypatch.setitem(sys.modules, "app.ranker", module)
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "home"))
    return seen


@pytest.fixture
def run():
    app = typer.Typer()
    app.command("rank")(rank)
    app.command("eval")(evaluate)
    runner = CliRunner()

    def call(*words):
        return runner.invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})

    return call


@pytest.fixture
def set_folder(tmp_path):
    folder = tmp_path / "awards"
    (folder / "qrels").mkdir(parents=True)
    corpus = "".join(json.dumps({"_id": doc_id, "title": doc_id, "text": ""}) + "\n" for doc_id in DOCUMENTS)
    (folder / "corpus.jsonl").write_text(corpus)
    queries = "".join(
        json.dumps({"_id": query_id, "text": f"text {query_id}", "as_of": "2026-03-01", "tags": ["time"]})
        + "\n"
        for query_id in ("q1", "q2", "spare", "train")
    )
    (folder / "queries.jsonl").write_text(queries)
    header = "query-id\tcorpus-id\tscore\n"
    judged = "".join(
        f"{query_id}\tbest\t3\n{query_id}\tgood\t2\n{query_id}\tnoise\t0\n" for query_id in ("q1", "q2")
    )
    (folder / "qrels" / "test.tsv").write_text(header + judged)
    (folder / "qrels" / "train.tsv").write_text(header + "train\tbest\t1\n")
    return folder


def error_line(result, code):
    """The one line on stderr of a failed call."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_rank_writes_a_run_file_per_system(run, calls, set_folder, tmp_path):
    out = tmp_path / "deep" / "out"
    result = run("rank", "--set", set_folder, "--system", "bm25, hybrid-open,bm25", "--out", out, "--k", 3)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["bm25.run", "hybrid-open.run"]
    found = read_run(out / "bm25.run")
    assert found.tag == "bm25"
    assert list(found.run) == ["q1", "q2", "spare"]
    assert [doc_id for doc_id, _ in found.run["q1"]] == ["noise", "good", "best"]
    assert "bm25: 3 queries, 9 hits" in result.stdout
    assert calls[0] == (set_folder, list(DOCUMENTS), None, tmp_path / "home")
    assert calls[1:] == [("bm25", ["q1", "q2", "spare"], 3), ("hybrid-open", ["q1", "q2", "spare"], 3)]


def test_rank_json_is_all_there_is_on_stdout(run, calls, set_folder, tmp_path):
    result = run("rank", "--set", set_folder, "--system", "bm25", "--encoder", "hashing", "--json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    path = Path(found["runs"]["bm25"])
    assert path == tmp_path / "home" / "runs" / "awards-test" / "bm25.run"
    assert path.is_file()
    assert (found["set"], found["split"], found["queries"], found["k"]) == ("awards", "test", 3, 100)
    assert found["fingerprints"] == {"bm25": "fake bm25"}
    assert calls[0][2] == "hashing"


def test_eval_judges_compares_and_reports(run, calls, set_folder, tmp_path):
    out = tmp_path / "out"
    result = run(
        "eval", "--set", set_folder, "--system", "hybrid-open", "--baseline", "bm25", "--out", out, "--json"
    )
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert found == json.loads((out / "metrics.json").read_text())
    assert {path.name for path in out.iterdir()} == {
        "metrics.json",
        "report.md",
        "report.html",
        "per_query.csv",
        "bm25.run",
        "hybrid-open.run",
    }
    assert [call[0] for call in calls[1:]] == ["bm25", "hybrid-open"]
    assert calls[1][1] == ["q1", "q2"]
    assert found["queries"] == 2
    assert found["systems"]["bm25"]["mrr@5"] == 0.5
    assert found["systems"]["hybrid-open"]["mrr@5"] == 1.0
    (comparison,) = [found for found in found["comparisons"] if found["metric"] == "mrr@5"]
    assert (comparison["a"], comparison["b"], comparison["delta"], comparison["n"]) == (
        "bm25",
        "hybrid-open",
        0.5,
        2,
    )


def test_eval_says_in_words_what_it_found(run, calls, set_folder, tmp_path):
    result = run("eval", "--set", set_folder, "--system", "bm25,hybrid-open", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "hybrid-open reaches MRR@5 1.000" in result.stdout
    assert str(tmp_path / "out" / "report.html") in result.stdout.replace("\n", "")
    assert all(name in result.stdout for name in ("mrr@5", "ndcg@10", "judged@10"))


def test_the_relevant_grade_can_be_set(run, calls, set_folder, tmp_path):
    words = ("eval", "--set", set_folder, "--system", "bm25", "--out", tmp_path / "out", "--json")
    assert json.loads(run(*words).stdout)["systems"]["bm25"]["mrr@5"] == 0.5
    strict = json.loads(run(*words, "--relevant-grade", 3).stdout)
    assert strict["relevant_grade"] == 3
    assert strict["systems"]["bm25"]["mrr@5"] == pytest.approx(1 / 3)
    binary = json.loads(run(*words, "--split", "train").stdout)
    assert (binary["relevant_grade"], binary["queries"]) == (1, 1)
    assert set(METRICS) <= set(binary["systems"]["bm25"])


@pytest.mark.parametrize("verb", ["rank", "eval"])
def test_an_unknown_system_is_told_with_the_known_ones_before_any_work(run, calls, set_folder, verb):
    line = error_line(run(verb, "--set", set_folder, "--system", "bm25,bm52"), code=2)
    assert "'bm52'" in line
    assert "hybrid-open" in line
    assert calls == []


@pytest.mark.parametrize("verb", ["rank", "eval"])
def test_an_unknown_split_is_told_with_the_known_ones(run, calls, set_folder, verb):
    (set_folder / "queries.jsonl").write_text('{"_id": "train", "text": "t"}\n')
    line = error_line(run(verb, "--set", set_folder, "--system", "bm25", "--split", "dev"), code=2)
    assert "splits here: test, train" in line
    assert calls == []


@pytest.mark.parametrize("verb", ["rank", "eval"])
@pytest.mark.parametrize(
    "words",
    [
        ("--set", "/does/not/exist", "--system", "bm25"),
        ("--set", ".", "--system", " , "),
        ("--set", ".", "--system", "a/b"),
        ("--set", "."),
        ("--set", ".", "--system", "bm25", "--k", "0"),
        ("--set", ".", "--system", "bm25", "--relevant-grade", "0"),
    ],
)
def test_wrong_usage_exits_2_without_a_traceback(run, calls, verb, words):
    result = run(verb, *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        ("rank", "queries.jsonl"),
        ("rank", "corpus.jsonl"),
        ("rank", "qrels/test.tsv"),
        ("rank", "qrels/train.tsv"),  # read too, to leave its queries out
        ("eval", "queries.jsonl"),
        ("eval", "corpus.jsonl"),
        ("eval", "qrels/test.tsv"),
    ],
)
def test_a_malformed_line_exits_1_naming_file_and_line(run, calls, set_folder, verb, name):
    path = set_folder / name
    number = len(path.read_text().splitlines()) + 1
    with path.open("a") as stream:
        stream.write("what is this\n")
    line = error_line(run(verb, "--set", set_folder, "--system", "bm25"), code=1)
    assert line.startswith("error: ")
    assert f"{Path(name).name}:{number}: " in line


def test_a_system_that_scores_otherwise_than_it_orders_fails_and_leaves_no_files(
    run, calls, set_folder, tmp_path
):
    result = run("rank", "--set", set_folder, "--system", "bm25,dense", "--out", tmp_path / "out")
    assert "system 'dense'" in error_line(result, code=1)
    assert not (tmp_path / "out").exists()


def test_debug_lets_the_traceback_through(run, calls, set_folder):
    (set_folder / "corpus.jsonl").unlink()
    result = run("eval", "--set", set_folder, "--system", "bm25", "--debug")
    assert result.exit_code == 1
    assert type(result.exception).__name__ == "TestSetError"


@pytest.mark.parametrize("verb", ["rank", "eval"])
def test_help_shows_an_example(run, verb):
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert f"scholarsearch {verb} --set" in result.stdout


def test_system_names_are_kept_once_in_order():
    assert system_names("b, a,b ,,c") == ("b", "a", "c")


def test_with_the_real_ranker_an_outside_evaluator_finds_the_same_figures_in_the_run_files(
    run, tmp_path, monkeypatch
):
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "home"))
    folder, out = tmp_path / "plain", tmp_path / "out"
    (folder / "qrels").mkdir(parents=True)
    fields = ("chemistry", "history", "music", "nursing", "law")
    # Twins tie on every score: an evaluator with another tie rule would see another ranking.
    corpus = [
        {"_id": f"{field}-{copy}", "title": f"{field} grant", "text": "for students"}
        for field in fields
        for copy in "abc"
    ]
    queries = [{"_id": field, "text": f"{field} grant", "tags": ["plain"]} for field in fields]
    judged = "".join(f"{field}\t{field}-b\t2\n{field}\t{field}-c\t1\n" for field in fields)
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)

    result = run(
        "eval",
        "--set",
        folder,
        "--system",
        "bm25,hybrid-open",
        "--encoder",
        "hashing",
        "--out",
        out,
        "--json",
    )

    assert result.exit_code == 0, result.stderr
    qrels = {field: {f"{field}-b": 2, f"{field}-c": 1} for field in fields}
    measures = {
        "ndcg@10": ir_measures.nDCG @ 10,
        "hit@1": ir_measures.Success(rel=2) @ 1,
        "map@100": ir_measures.AP(rel=2) @ 100,
    }
    for name, figures in json.loads(result.stdout)["systems"].items():
        hits = list(ir_measures.read_trec_run(str(out / f"{name}.run")))
        found = ir_measures.pytrec_eval.calc_aggregate(measures.values(), qrels, hits)
        assert {metric: figures[metric] for metric in measures} == pytest.approx(
            {metric: found[measure] for metric, measure in measures.items()}
        )
        assert figures["mrr@5"] == 0.5  # the twin whose id comes first is not the relevant one
        assert figures["latency_ms"]["total"]["p50"] > 0
