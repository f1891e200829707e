from __future__ import annotations

import pytest

from training.example import Candidate, Example
from training.leakage import Guard

JUDGED = ("Fully funded PhD scholarships in Norway for 2027", "挪威 博士 奖学金")


def example(query: str) -> Example:
    return Example(query, (Candidate("t", (), 1.0, "d"),), "award", "en", "", "g")


@pytest.mark.parametrize(
    "query",
    [
        "fully funded phd scholarships in norway for 2027",
        "fully funded phd scholarship in norway for 2027",
        "PhD scholarships fully funded in Norway for 2027",
        "  Fully   funded PhD scholarships in Norwy for 2027 ",
        "挪威 博士 獎學金",
    ],
)
def test_a_judged_query_is_caught_in_other_letters_and_other_order(query):
    assert Guard(JUDGED).holds(query)


@pytest.mark.parametrize("query", ["phd norway", "fully funded master grants in Chile", "瑞典 硕士 奖学金"])
def test_another_query_passes(query):
    assert not Guard(JUDGED).holds(query)


def test_what_is_dropped_is_counted():
    guard = Guard(JUDGED)
    kept = list(guard([example(JUDGED[0]), example("phd norway"), example(JUDGED[1])]))
    assert [one.query for one in kept] == ["phd norway"]
    assert guard.dropped == 2
