"""The page of an experiment: every figure of the record and no other, foreign text never markup, the same bytes."""

import copy
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.online.page import SAYS, report_page
from evaluation.online.pictures import forest
from evaluation.online.reading import Metric, metrics, says

NASTY = '<script>alert("1")</script><img src=x onerror=1> $x$ & "\'{{ 7*7 }}'
NONE = "—"
# By metric: what a figure of the record is multiplied with on the page, and the digits that are kept.
SCALES = {"click_mrr@5": (1, 4), "ctr@1": (100, 2), "latency_ms": (1, 1), "dwell_ms": (0.001, 1)}
BETTER = {"click_mrr@5": 1, "ctr@1": 1, "latency_ms": -1, "dwell_ms": 1}
EFFECTS = {"click_mrr@5": 0.02, "ctr@1": 0.02, "latency_ms": 20.0, "dwell_ms": 5_000.0}
VOID = {"meta", "br", "link", "img", "hr"}


class Tables(HTMLParser):
    """Strict about nesting; collects tags, attributes, text, and the cells of tables that have an id."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.text, self.tables = [], set(), [], [], {}
        self.table = self.cell = None
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.table = self.tables.setdefault(dict(attrs).get("id"), [])
        elif tag == "tr":
            self.table.append([])
        elif tag in ("td", "th"):
            self.cell = []
            self.table[-1].append(self.cell)
        elif tag == "small" and self.cell is not None:
            self.cell.append("|")

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        self.text.append(data)
        if self.cell is not None:
            self.cell.append(data)

    def rows(self, name):
        """The body of a table: lists of cells, each its own text without its small print."""
        found = [["".join(cell).strip() for cell in row] for row in self.tables[name]]
        return [[cell.split("|")[0].strip() for cell in row] for row in found[1:]]


def compared(name, arm, delta, error, control=0.34):
    return {
        **{"arm": arm, "delta": delta, "lift": delta / control, "always_p": 0.0123, "cuped": True},
        **{"ci": [delta - 2 * error, delta + 2 * error], "always_ci": [delta - 3 * error, delta + 3 * error]},
        **{"units": 2_100, "searches": 9_001},
    }


def made(arms=("control", "deep"), key="deeper"):
    found = {
        **{"key": key, "version": 3, "as_of": "2026-10-01T11:58:00+00:00", "alpha": 0.05},
        **{"begun_at": "2026-09-10T00:00:00+00:00", "ended_at": None, "days": 21.5, "crossed_units": 7},
        **{"comparison_alpha": 0.05 / (len(arms) - 1), "primary": "click_mrr@5", "control": arms[0]},
        "searches": 4_200,
        "units": sum(1_050 + place for place in range(len(arms))),
        "arms": [
            {"name": arm, "share": 1 / len(arms), "units": 1_050 + place, "searches": 2_000 + place}
            for place, arm in enumerate(arms)
        ],
        "daily": [
            {"day": f"2026-09-1{day}", "units": [90 + day + place for place in range(len(arms))]}
            for day in range(5)
        ],
        "ratio": {"p": 0.68, "always_p": 0.97, "mismatch": False, "sure": False},
        "metrics": [
            {
                **{"name": name, "words": f"words of {name}", "better": BETTER[name], "effect": effect},
                "arms": {arm: {"value": effect * (17.3 + place)} for place, arm in enumerate(arms)},
                "comparisons": [
                    compared(name, arm, effect * (1.43 - place), effect * (0.1 + place / 7))
                    for place, arm in enumerate(arms[1:])
                ],
            }
            for name, effect in EFFECTS.items()
        ],
        "guardrails": [
            {
                **{"name": "p95 latency_ms", "metric": "latency_ms", "arm": arms[1], "tolerance": 50.0},
                **{"delta": 21.04, "always_ci": [3.14, 38.9], "state": "holds"},
            }
        ],
        "slices": [
            {
                **{"tag": "lang", "value": value, "metric": "click_mrr@5", "better": 1, "effect": 0.02},
                **compared("click_mrr@5", arms[1], delta, 0.004),
            }
            for value, delta in (("en", 0.031), ("zh", -0.0177))
        ],
        "unevenness": [
            {"tag": "lang", "arm": arms[1], "slices": 2, "q": 9.876, "p": 0.0017, "p_holm": 0.0034}
        ],
        "plan": {
            **{"effect": 0.02, "alpha": 0.05, "power": 0.8, "units": 8_104, "days": 11},
            **{"sequential_units": 15_100, "sequential_days": None},
        },
        "verdict": {
            **{"kind": "better", "arm": arms[1], "sentence": "It raises.", "change": "A broken guardrail."},
            **{"needed_units": 15_100, "needed_days": 4},
        },
    }
    for one in found["metrics"][0]["comparisons"]:
        one["looks"] = [
            {"at": f"2026-09-1{day}T00:00:00+00:00", "delta": 0.02 + 0.001 * day, "always_ci": ends}
            for day, ends in ((1, None), (2, [-0.5, 0.5]), (3, [0.01, 0.04]))
        ]
    return found


def blocked():
    found = made()
    found["ratio"] = {"p": 8.1e-12, "always_p": 3.4e-9, "mismatch": True, "sure": True}
    found["verdict"] = {"kind": "blocked", "arm": None, "sentence": "Lost units.", "change": "The reason."}
    return found


def figures(text):
    """The numbers of a text of the page; a true minus is a minus."""
    return [
        float(found.replace(",", ""))
        for found in re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text.replace("−", "-"))
    ]


def written(number, name):
    scale, digits = SCALES[name]
    return pytest.approx(number * scale, abs=0.5 * 10**-digits * 1.001)


@pytest.mark.parametrize("arms", [("control", "deep"), ("control", "deep", "deeper", "deepest")])
def test_every_figure_of_the_metrics_is_the_records(arms):
    record = made(arms)
    rows = Tables(report_page(record)).rows("figures-table")
    expected = [(metric, one) for metric in record["metrics"] for one in metric["comparisons"]]
    assert len(rows) == len(expected)
    for row, (metric, one) in zip(rows, expected, strict=True):
        name = metric["name"]
        assert row[0].removesuffix("decides") == name
        assert row[0].endswith("decides") == (name == "click_mrr@5")
        for cell, arm in zip(row[1:3], (arms[0], one["arm"]), strict=True):
            assert figures(cell) == [written(metric["arms"][arm]["value"], name)]
        assert figures(row[3]) == [written(one["delta"], name)]
        assert row[3].endswith("C")
        assert figures(row[4]) == [pytest.approx(one["lift"] * 100, abs=0.0501)]
        for cell, ends in ((row[5], one["ci"]), (row[6], one["always_ci"])):
            assert figures(cell) == [written(end, name) for end in ends]
        assert figures(row[7]) == [pytest.approx(one["always_p"], rel=0.05)]
        assert row[8] in SAYS.values()


def test_arms_guardrails_slices_and_heads_show_the_records_figures():
    record = made()
    page = Tables(report_page(record))
    for row, arm in zip(page.rows("split-table"), record["arms"], strict=True):
        expected = arm["share"] * record["units"]
        assert row[0] == arm["name"]
        assert figures(row[1]) == [50.0]
        assert figures(row[2]) == [pytest.approx(100 * arm["units"] / record["units"], abs=0.0501)]
        assert figures(row[3]) == [pytest.approx(expected)]
        assert figures(row[4]) == [arm["units"]]
        assert figures(row[5]) == [pytest.approx(100 * (arm["units"] / expected - 1), abs=0.0501)]
        assert figures(row[6]) == [arm["searches"]]
    (guard,) = page.rows("guardrails-table")
    assert guard[:3] == ["p95 latency_ms", "deep", "holds"]
    assert [figures(cell) for cell in guard[3:]] == [[50.0], [21.0], [3.1, 38.9]]
    for row, one in zip(page.rows("slices-table"), record["slices"], strict=True):
        assert row[0] == f"{one['tag']} = {one['value']}"
        assert figures(row[1]) == [one["searches"]]
        assert figures(row[2]) == [written(one["delta"], "click_mrr@5")]
        assert figures(row[5]) == [written(end, "click_mrr@5") for end in one["always_ci"]]
    assert [figures(cell) for cell in page.rows("unevenness-table")[0][2:]] == [
        [2],
        [9.88],
        [0.0017],
        [0.0034],
    ]
    text = " ".join(" ".join(page.text).split())
    for words in (
        "deep is better",
        "It raises.",
        "A broken guardrail.",
        "p 0.68 at this look, 0.97 over all",
    ):
        assert words in text
    for words in (
        "1 Oct 2026, 11:58 UTC",
        "10 Sep 2026, 00:00 UTC",
        "version 3",
        "21.5",
        "8,104 units (11 days)",
        "15,100 units when",
    ):
        assert words in text


def test_the_verdict_comes_first_then_split_guardrails_time_and_the_rest():
    page = report_page(made())
    places = [
        page.index(f'id="{name}"')
        for name in ("verdict", "split", "guardrails", "looks", "figures", "slices", "reading", "made")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("only_kind", [False, True])
def test_a_blocked_verdict_takes_the_trust_from_every_lift(only_kind):
    record = blocked()
    if only_kind:
        record["ratio"] = {"p": 0.5, "always_p": 1.0, "mismatch": False}
    page = report_page(record)
    found = Tables(page)
    readings = [row[-1] for name in ("figures-table", "slices-table") for row in found.rows(name)]
    assert set(readings) == {SAYS["void"]}
    assert page.count('class="alarm"') == 4  # over guardrails, time, metrics, slices
    assert page.count('<div class="void">') == 1
    assert "Split is off" in page
    assert "figures cannot be trusted" in page
    assert 'class="alarm"' not in report_page(made())


def test_no_script_no_outside_resource_no_doubled_id():
    found = Tables(report_page(made()))
    assert not found.tags & {"script", "link", "iframe", "object", "base", "form", "image"}
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("src", "srcset")]
    links = [value for name, value in found.attributes if name in ("href", "xlink:href")]
    assert links
    ids = [value for name, value in found.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    assert all(link.startswith("#") and link[1:] in ids for link in links)


def test_foreign_text_is_text():
    record = made(arms=("control", NASTY), key=NASTY)
    record |= {"description": NASTY, "primary": NASTY}
    record["metrics"][0] |= {"name": NASTY, "words": NASTY}
    record["slices"][0] |= {"tag": NASTY, "value": NASTY}
    record["guardrails"][0] |= {"name": NASTY}
    record["verdict"] |= {"sentence": NASTY, "change": NASTY}
    found = Tables(report_page(record))
    assert not found.tags & {"script", "img"}
    assert sum(NASTY in text for text in found.text) >= 8
    assert NASTY in [row[0] for row in found.rows("split-table")]


def test_the_same_record_gives_the_same_bytes_and_is_not_changed():
    record = made(("control", "a", "b"))
    kept = copy.deepcopy(record)
    assert report_page(record) == report_page(kept)
    assert record == kept


def test_colours_are_the_pages_own_in_light_and_dark():
    page = report_page(made())
    pictures = "".join(re.findall(r"<svg xmlns.*?</svg>|<svg [^>]*width.*?</svg>", page, flags=re.DOTALL))
    assert "var(--gain)" in pictures
    assert not re.findall(r"(?:fill|stroke|color): ?#(?!7F)[0-9a-fA-F]{6}", pictures)
    texts = re.findall(r"<text style=\"([^\"]*)\"", pictures)
    assert texts
    assert all("fill: " in style for style in texts)  # text without a fill is black, and lost in the dark


def test_an_empty_record_is_a_page_of_dashes():
    page = Tables(report_page({}))
    assert NONE in "".join(page.text)
    assert "nan" not in "".join(page.text).lower()
    assert "None" not in "".join(page.text)


def paths(part, here=()):
    """Every place in a record."""
    pairs = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, inner in pairs:
        yield (*here, name)
        yield from paths(inner, (*here, name))


PATHS = sorted(paths(made()), key=str)
WRONG = st.sampled_from([None, math.nan, math.inf, -math.inf, [], {}, "", "missing"])


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(PATHS), WRONG), min_size=1, max_size=25))
def test_what_is_missing_is_a_dash_and_never_a_failure(changes):
    record = made()
    for path, wrong in changes:
        part = record
        try:
            for name in path[:-1]:
                part = part[name]
            if wrong == "missing":
                del part[path[-1]]
            else:
                part[path[-1]] = wrong
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took that place away
    page = Tables(report_page(record))
    assert not re.search(r"\b(nan|inf|None)\b", " ".join(page.text))


def test_a_missing_figure_leaves_only_its_own_cell_empty():
    record = made()
    record["metrics"][1]["comparisons"][0] |= {"always_ci": [None, 0.1], "always_p": math.nan, "lift": None}
    row = Tables(report_page(record)).rows("figures-table")[1]
    assert [cell == NONE for cell in row] == [False] * 4 + [True, False, True, True, False]
    assert row[8] == SAYS["open"]


@given(
    st.tuples(st.floats(-5, 5), st.floats(-5, 5)).map(sorted),
    st.sampled_from([1, -1]),
    st.floats(0.01, 3),
)
def test_a_reading_is_what_the_interval_says_of_both_directions(ends, better, effect):
    metric = Metric("m", "", better, effect)
    found = says(tuple(ends), metric)
    inside = all(-effect < end < effect for end in ends)
    good = all(end * better > 0 for end in ends)
    bad = all(end * better < 0 for end in ends)
    assert ("better" in found) == good
    assert ("worse" in found) == bad
    assert (found in ("alike", "little_better", "little_worse")) == inside


def test_nothing_is_drawn_of_what_is_not_known():
    record = made()
    for one in record["metrics"][1]["comparisons"]:
        one["delta"] = None
    found = [one for _, _, differences in metrics(record) for one in differences]
    assert "ctr@1" not in forest(found, "some")
    assert "latency_ms" in forest(found, "some")
    assert forest([one for one in found if one.delta is None], "none") is None
    assert "Not drawn, as no difference is known: ctr@1." in report_page(record)
