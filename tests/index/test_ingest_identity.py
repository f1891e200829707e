import pytest

from index.ingest.identity import record_id


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("zz-1", "zz-1"),
        ("daad:10000016", "daad:10000016"),
        ("oceanfellowship", "oceanfellowship"),
        ("12", "feed:12"),
        ("2026-12", "feed:2026-12"),
        ("a7", "feed:a7"),
        ("award/7", "feed:award-7"),
    ],
)
def test_an_id_is_kept_where_it_tells_records_apart(own: str, expected: str) -> None:
    assert record_id("feed", own, "Title", None, None) == expected


def test_a_renamed_file_holds_the_same_records() -> None:
    assert record_id("a", "zz-1", "t", None, None) == record_id("b", "zz-1", "t", None, None)


def test_a_row_without_an_id_gets_one_of_what_does_not_change() -> None:
    assert record_id("feed", None, "Title", "P", "u") == record_id("feed", None, "Title", "P", "u")
    assert record_id("feed", None, "Title", "P", "u") != record_id("feed", None, "Title", "Q", "u")
