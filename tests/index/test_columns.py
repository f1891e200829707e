"""The columns say of every row what `availability` says of its windows, and survive the disk."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.attribute import Attribute
from index.availability import AVAILABILITY, availability
from index.columns import Columns
from index.document import Amount, Document, Translation, Window
from index.errors import SnapshotError
from index.record import from_beir
from index.timetable import NO_DAY, Timetable

days = st.dates(date(2025, 6, 1), date(2027, 6, 1))
instants = st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))


@st.composite
def window(draw: st.DrawFn) -> Window:
    first, last = sorted((draw(days), draw(days)))
    kind = draw(st.sampled_from(["fixed", "rolling", "recurring", "unknown"]))
    return Window(
        opens_on=draw(st.sampled_from([None, first])),
        deadline_on=draw(st.sampled_from([None, last])),
        month_day=draw(st.sampled_from([None, "--02-29", "--06-01", "--12-31"]))
        if kind == "recurring"
        else None,
        time=draw(st.sampled_from([None, None, "00:00", "01:30", "17:00"])),
        zone=draw(st.sampled_from([None, "AoE", "America/New_York", "Pacific/Kiritimati", "Mars/Olympus"])),
        kind=kind,
    )


timetables = st.lists(st.lists(window(), max_size=4).map(tuple), max_size=6)


def check(windows: Sequence[tuple[Window, ...]], as_of: datetime) -> None:
    """Asserts that the timetable and `availability` agree on every row."""
    timetable = Timetable.of(windows)
    flat = [one for own in windows for one in own]
    shown = timetable.shown(as_of)
    closes_on = timetable.closes_on(shown)
    expected_on = timetable.expected_on(as_of)
    assert (timetable.states(as_of) == shown.states).all()
    for row, own in enumerate(windows):
        found = availability(own, as_of)
        place = int(shown.windows[row])
        assert AVAILABILITY[shown.states[row]] == found.state
        assert (flat[place] if place >= 0 else None) == found.window
        stated = found.window.deadline_on if found.window and found.closes_at else None
        assert day_of(closes_on[row]) == stated
        if found.state == "unknown" and found.window:
            assert day_of(expected_on[place]) == found.expected_on


def day_of(days_since: int) -> date | None:
    return None if days_since == NO_DAY else date.fromordinal(date(1970, 1, 1).toordinal() + int(days_since))


@given(timetables, instants)
def test_every_row_has_the_availability_of_its_windows(
    windows: list[tuple[Window, ...]], as_of: datetime
) -> None:
    check(windows, as_of)


@pytest.mark.parametrize("late", [-1, 0, 1])
def test_the_columns_agree_to_the_second(late: int) -> None:
    shanghai = "Asia/Shanghai"
    windows = [
        (Window(opens_on=date(2026, 10, 1), deadline_on=date(2026, 10, 31), zone=shanghai),),
        (Window(month_day="--10-31", time="17:00", zone=shanghai, kind="recurring"),),
        (Window(month_day="--02-29", kind="recurring"),),
        tuple(Window(deadline_on=date(year, 3, 1)) for year in (2024, 2025, 2023)),
        tuple(Window(opens_on=date(2027, 3, 1), deadline_on=date(2027, end, 1)) for end in (6, 5, 7)),
    ]
    edges = ("2026-10-01T00:00:00", "2026-10-31T17:00:00", "2026-10-31T23:59:59")
    for edge in edges:
        check(windows, datetime.fromisoformat(f"{edge}+08:00") + timedelta(seconds=late))


def test_closes_on_has_a_day_per_row_and_none_where_no_deadline_is_known(
    twelve: tuple[Document, ...], frozen_now: datetime
) -> None:
    told = Columns.of(twelve).closes_on(frozen_now)
    assert told.dtype == np.dtype("datetime64[D]")
    assert [None if np.isnat(day) else str(day) for day in told] == [
        "2026-11-30", "2026-12-15", "2026-10-20", "2027-01-31", "2027-03-15", None, None, None,
        "2026-03-31", "2026-09-30", "2026-10-01", "2027-04-30",
    ]  # fmt: skip


def test_a_naive_instant_is_refused(twelve: tuple[Document, ...]) -> None:
    with pytest.raises(ValueError, match="time zone"):
        Columns.of(twelve).states(datetime(2026, 1, 1))


def test_rows_of_one_programme_share_a_code_and_others_do_not() -> None:
    documents = [
        Document(doc_id=str(at), title="T", programme_id=programme)
        for at, programme in enumerate([None, "p", None, "q", "p"])
    ]
    codes = Columns.of(documents).programmes.tolist()
    assert codes[1] == codes[4]
    assert len(set(codes)) == 4


def test_languages_are_primary_tags_of_the_record_and_its_translations() -> None:
    document = Document(doc_id="x", title="T", language="zh-Hant", translations={"en-GB": Translation("T")})
    assert Columns.of([document]).attributes["languages"].values == ("en", "zh")


def test_a_monthly_amount_counts_as_a_years_worth_and_a_currency_without_a_sum_is_not_stated() -> None:
    documents = [
        Document(doc_id="a", title="T", amount=Amount(100.0, 200.0, "EUR", "month")),
        Document(doc_id="b", title="T", amount=Amount(100.0, None, "EUR", "year")),
        Document(doc_id="c", title="T", amount=Amount(None, None, "EUR", text="some")),
        Document(doc_id="d", title="T"),
    ]
    columns = Columns.of(documents)
    np.testing.assert_array_equal(columns.least, [1200, 100, np.nan, np.nan])
    np.testing.assert_array_equal(columns.most, [2400, np.nan, np.nan, np.nan])
    assert columns.attributes["currency"].stated.tolist() == [True, True, False, False]


values = st.lists(st.none() | st.lists(st.sampled_from("abcdeé学"), max_size=3), max_size=8)


@given(values, st.lists(st.sampled_from("abcdeé学z"), max_size=3), st.data())
def test_an_attribute_masks_and_counts_like_a_loop(
    documents: list[list[str] | None], wanted: list[str], data: st.DataObject
) -> None:
    attribute = Attribute.of(documents)
    assert attribute.stated.tolist() == [bool(own) for own in documents]
    assert attribute.having(wanted).tolist() == [bool(set(own or ()) & set(wanted)) for own in documents]
    chosen = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    counts = attribute.counts(np.array(chosen, np.bool_))
    assert {value: int(count) for value, count in zip(attribute.values, counts, strict=True)} == {
        value: sum(take and value in (own or ()) for take, own in zip(chosen, documents, strict=True))
        for value in attribute.values
    }
    assert list(attribute.values) == sorted({value for own in documents for value in own or ()})


@pytest.mark.parametrize("mmap", [True, False])
def test_columns_come_back_from_the_disk_as_they_were(
    tmp_path: Path, twelve: tuple[Document, ...], frozen_now: datetime, mmap: bool
) -> None:
    for documents in (twelve, (), twelve[6:7]):
        columns = Columns.of(documents)
        columns.save(tmp_path)
        again = Columns.load(tmp_path, mmap=mmap)
        assert len(again) == len(documents)
        assert again.timetable.zone_names == columns.timetable.zone_names
        for (name, told), (other, read) in zip(columns._named(), again._named(), strict=True):
            assert name == other
            assert told.dtype == read.dtype
            np.testing.assert_array_equal(told, read)
            assert not told.flags.writeable
            assert not read.flags.writeable
        for name, attribute in columns.attributes.items():
            assert again.attributes[name].values == attribute.values
        assert (again.states(frozen_now) == columns.states(frozen_now)).all()


def test_only_arrays_and_json_are_written(tmp_path: Path, twelve: tuple[Document, ...]) -> None:
    Columns.of(twelve).save(tmp_path)
    for path in tmp_path.iterdir():
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        else:
            assert path.suffix == ".npy"
            assert np.load(path, allow_pickle=False).dtype != object


@pytest.mark.parametrize("name", ["columns.json", "windows.closes.npy", "levels.rows.npy", "least.npy"])
@pytest.mark.parametrize("harm", ["missing", "cut", "other"])
def test_a_damaged_directory_is_refused(
    tmp_path: Path, twelve: tuple[Document, ...], name: str, harm: str
) -> None:
    Columns.of(twelve).save(tmp_path)
    path = tmp_path / name
    if harm == "missing":
        path.unlink()
    elif harm == "cut":
        path.write_bytes(path.read_bytes()[:-8])
    elif path.suffix == ".json":
        path.write_text('{"format": 99}', encoding="utf-8")
    else:
        np.save(path, np.zeros(99, np.int64))
    with pytest.raises(SnapshotError):
        Columns.load(tmp_path)


@pytest.mark.slow
def test_real_windows_agree_over_the_years(shared: Path) -> None:
    with (shared / "data/awardbench/corpus.jsonl").open(encoding="utf-8") as corpus:
        windows = [from_beir(json.loads(text)).windows for text in corpus]
    for year, month, day in ((2018, 2, 28), (2024, 9, 25), (2026, 3, 1), (2026, 12, 31)):
        check(windows, datetime(year, month, day, 12, tzinfo=UTC))
