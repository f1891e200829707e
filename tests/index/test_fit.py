from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.countries import COUNTRIES
from index.document import Document
from index.fit import FIT_FEATURES, NOTHING, fit, fits, named
from index.portrait import portrait

AWARD = Document(
    "a", "Nursing Award for Women", host_countries=("DE",), levels=("master",), eligible_nationalities=("NG",)
)


def told(query: str, document: Document = AWARD) -> dict[str, float]:
    values = fit(named(query), document, portrait(document))
    return {name: float(value) for name, value in zip(FIT_FEATURES, values, strict=True) if value}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("master in Germany for women", {"level_fits", "places_named", "topics_named", "topics_in_title"}),
        ("硕士 德国 女性", {"level_fits", "places_named", "topics_named", "topics_in_title"}),
        (
            "Promotion in Frankreich",
            {"level_clashes", "places_missing", "host_clashes", "nationality_clashes", "group_unasked"},
        ),
        ("money for Nigerian students", {"places_named", "group_unasked"}),
        ("piano", {"topics_missing", "group_unasked"}),
        ("", {"group_unasked"}),
    ],
)
def test_what_a_query_asks_is_compared_with_what_is_stated(query: str, expected: set[str]) -> None:
    assert set(told(query)) == expected


def test_silence_of_an_award_is_no_clash() -> None:
    silent = replace(AWARD, title="Award", host_countries=None, levels=None, eligible_nationalities=None)
    assert set(told("phd in France", silent)) == {"places_missing"}


def test_an_award_for_any_nationality_excludes_nobody() -> None:
    for_all = replace(AWARD, eligible_nationalities=("any",))
    assert "nationality_clashes" not in told("for students from Kenya", for_all)
    assert "nationality_clashes" in told("for students from Kenya")


def test_an_mba_is_a_master() -> None:
    assert named("MBA").levels == {"mba", "master"}


@given(
    st.text(max_size=40),
    st.lists(st.sampled_from(sorted(COUNTRIES)), max_size=3),
    st.lists(st.sampled_from(["bachelor", "master", "phd"]), max_size=2, unique=True),
)
def test_every_feature_is_a_share(query: str, countries: list[str], levels: list[str]) -> None:
    document = replace(
        AWARD, title=query, host_countries=tuple(countries) or None, levels=tuple(levels) or None
    )
    values = fits(named(query), [(document, portrait(document)), (document, "")])
    assert values.shape == (2, len(FIT_FEATURES))
    assert values.dtype == np.float32
    assert ((values >= 0) & (values <= 1)).all()
    assert not fit(NOTHING, replace(document, title=""), "").any()
