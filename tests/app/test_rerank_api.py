"""`POST /v1/rerank`, over the shipped fake; and its answer, over a judge that counts words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import numpy as np
import pytest
from httpx import Client
from numpy.typing import NDArray

from app.blend import Blend
from app.rerank_answer import rerank_answer
from app.rerank_call import Offered, RerankCall
from app.reranking import Judge
from index.document import Window
from index.timing import TIMING_FEATURES
from models.scores import Scores

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CLOSED = Window(deadline_on=date(2026, 3, 1), kind="fixed")
OPEN = Window(deadline_on=date(2026, 7, 1), kind="fixed")


class Counting:
    """Logit: how often the query stands in the text; three less for what is closed; none for "unreadable"."""

    name = fingerprint = "counting"

    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        found = [np.nan if "unreadable" in text else text.count(query) for text in documents]
        closed = timings[:, TIMING_FEATURES.index("is_closed")]
        return Scores(
            np.array(found, np.float32) - 3 * closed * gated, np.array([len(t) > 1000 for t in documents])
        )


def ranked(*offered: Offered, **call: object) -> list[tuple[int, bool]]:
    judge = Judge(Counting(), Blend(1.0, 1.0, (), 9.0, 0.0))
    asked = RerankCall("nurse", NOW, offered, **call)
    results = rerank_answer(asked, judge, lambda: 0.0)["results"]
    known = [result["relevance_score"] for result in results if result["relevance_score"] is not None]
    assert known == sorted(known, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in known)
    return [(result["index"], result["truncated"]) for result in results]


def order(*offered: Offered, **call: object) -> list[int]:
    return [at for at, _ in ranked(*offered, **call)]


def test_best_first_and_ties_by_place() -> None:
    texts = (Offered("a"), Offered("nurse nurse"), Offered("b"), Offered("nurse"))
    assert order(*texts) == [1, 3, 0, 2]
    assert order(*texts, top_n=2) == [1, 3]


def test_windows_let_the_gate_speak() -> None:
    texts = (Offered("nurse nurse", (CLOSED,)), Offered("nurse", (OPEN,)), Offered("nurse"))
    assert order(*texts) == [1, 2, 0]
    assert order(*texts, gated=False) == [0, 1, 2]


def test_a_long_text_counts_by_its_best_stretch_and_says_when_it_is_cut() -> None:
    filler = "Nothing to see here at all. " * 30
    assert ranked(Offered("nurse"), Offered(filler + "nurse nurse. " + filler)) == [(1, False), (0, False)]
    assert ranked(Offered("nurse"), Offered(filler * 9 + "nurse nurse.")) == [(0, False), (1, True)]


def test_what_cannot_be_scored_comes_last() -> None:
    judge = Judge(Counting(), Blend(1.0, 1.0, (), 9.0, 0.0))
    call = RerankCall("nurse", NOW, (Offered("unreadable"), Offered("x")))
    results = rerank_answer(call, judge, lambda: 0.0)["results"]
    assert [result["index"] for result in results] == [1, 0]
    assert results[1]["relevance_score"] is None


def test_the_answer_has_the_names_that_rerank_clients_know(client: Client) -> None:
    body = {
        "query": "poets nurses",
        "documents": ["for nurses", {"id": "b", "text": "for poets and nurses"}, "for none"],
        "top_n": 2,
        "return_documents": True,
    }
    answer = client.post("/v1/rerank", json=body).json()
    assert [result["index"] for result in answer["results"]] == [1, 0]
    assert answer["results"][0] == {
        "index": 1,
        "relevance_score": 1.0,
        "truncated": False,
        "document": {"id": "b", "text": "for poets and nurses", "windows": []},
    }
    assert answer["served"]["pairs"] == 3
    assert answer["request_id"]


def test_as_many_and_as_long_texts_as_are_promised_fit_into_a_body(client: Client) -> None:
    body = {"query": "奖学金", "documents": ["学" * 20_000] * 200}
    answer = client.post("/v1/rerank", json=body)
    assert answer.status_code == 200, answer.text[:300]
    assert answer.json()["served"]["pairs"] == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"documents": ["a"]}, "/query"),
        ({"query": "q", "documents": []}, "/documents"),
        ({"query": "q", "documents": [""]}, "/documents/0"),
        ({"query": "q", "documents": ["a"] * 201}, "/documents"),
        ({"query": "q", "documents": ["a"], "top_n": 0}, "/top_n"),
        ({"query": "q", "documents": ["a"], "model": "other"}, "/model"),
        ({"query": "q", "documents": ["a"], "as_of": "tomorrow"}, "/as_of"),
        ({"query": "q", "documents": ["a"], "what": 1}, "/what"),
        (
            {"query": "q", "documents": [{"text": "a", "windows": [{"deadline_on": "soon"}]}]},
            "/documents/0/windows/0/deadline_on",
        ),
    ],
)
def test_a_wrong_field_is_named(client: Client, body: dict[str, object], pointer: str) -> None:
    answer = client.post("/v1/rerank", json=body)
    assert answer.status_code == 422
    assert any(error["pointer"].startswith(pointer) for error in answer.json()["errors"])
