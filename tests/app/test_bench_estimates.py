"""The measurement of estimates, on histories whose figures can be worked out by hand."""

from __future__ import annotations

from datetime import date

from app.bench.estimates import bench_estimates
from index.document import Document, Window


def history(title: str, *days: str, opens: bool = False, source: str = "feed") -> list[Document]:
    """One record for each round, as feeds that publish every round anew have it."""
    return [
        Document(
            f"{title}-{day}",
            title,
            source=source,
            windows=(
                Window(
                    opens_on=date.fromisoformat(f"{day[:8]}01") if opens else None,
                    deadline_on=date.fromisoformat(day),
                    kind="fixed",
                ),
            ),
        )
        for day in days
    ]


def test_hidden_years_are_compared_with_what_the_years_before_suggest() -> None:
    told = bench_estimates(
        [
            *history("steady", "2023-05-10", "2024-05-10", "2025-05-10", opens=True),
            *history("drifting", "2023-05-10", "2024-05-10", "2025-05-20"),
            *history("moved", "2023-05-10", "2024-05-10", "2025-09-01", source="other"),
            *history("wild", "2022-01-10", "2023-07-10", "2025-03-01", source="other"),
            *history("young", "2024-05-10", "2025-05-10"),
        ]
    )
    assert told["all"]["programmes"] == 4
    assert told["all"]["estimated"] == 3
    assert told["all"]["closing"] == {"n": 3, "7": 0.3333, "14": 0.6667, "31": 0.6667}
    assert told["all"]["opening"] == {"n": 1, "7": 1.0, "14": 1.0, "31": 1.0}
    assert told["all"]["silent"] == 1
    assert told["all"]["silent_last_round"] == {"n": 1, "7": 0.0, "14": 0.0, "31": 0.0}
    assert told["sources"]["feed"]["programmes"] == 2


def test_with_two_years_a_programme_is_tried_and_stays_silent() -> None:
    told = bench_estimates(history("young", "2024-05-10", "2025-05-10"), least_years=2)
    assert (told["all"]["programmes"], told["all"]["estimated"], told["all"]["silent"]) == (1, 0, 1)
    assert told["all"]["silent_last_round"]["7"] == 1.0
