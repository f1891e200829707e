from __future__ import annotations

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.timeintent import time_intent
from training.synthesis.facts import facts
from training.synthesis.slips import slip
from training.synthesis.suitability import suitability
from training.synthesis.tables import LANGUAGES, rows, templates, times, words
from training.synthesis.telling import GAPS, Seed
from training.synthesis.wording import GAP, ask

DAY = date(2026, 10, 1)


def test_every_gap_of_every_template_can_be_filled():
    for row in rows("templates"):
        assert set(GAP.findall(row["template"])) <= GAPS, row


def test_every_language_asks_by_keyword_and_by_name():
    for language in LANGUAGES:
        assert templates(language, "keyword")
        assert templates(language, "name")


def test_every_word_is_said_in_every_language():
    for key, said in words().items():
        assert set(said) == set(LANGUAGES), key


def test_phrases_of_time_are_understood_by_the_parser():
    told = {"month": "March", "day": 15, "year": 2027, "next": "28", "season": "fall"}
    for kind, phrase in (("open", p) for p in times("en", "open")):
        assert time_intent(f"grant {phrase}", DAY).kind == "open_now", (kind, phrase)
    for phrase in times("en", "period"):
        assert time_intent(f"grant {phrase.format(**told)}", DAY).kind == "period", phrase


def seeds(twelve):
    for document in twelve:
        found = facts(document)
        yield Seed(found, frozenset({document.doc_id}), is_unique=True, has_rivals=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_answers_the_query_that_was_written_from_it(twelve, language):
    asked = 0
    for seed in seeds(twelve):
        for at in range(12):
            wording = ask(seed, language, DAY, Random(f"{seed.facts.doc_id}/{at}"))
            if wording is None:
                continue
            asked += 1
            assert "{" not in wording.text
            assert wording.language.partition("-")[0] == language
            assert wording.need.intent == time_intent(wording.text, DAY)
            # It may be asked for what the record does not state of the asker, never for what it rules out.
            assert suitability(wording.need, seed.facts) > 1, wording
    assert asked > 60


def test_the_same_chance_writes_the_same_query(twelve):
    seed = next(seeds(twelve))
    first, second = (ask(seed, "en", DAY, Random(5)) for _ in range(2))
    assert first == second


def test_chinese_is_written_in_the_script_its_tag_names(twelve):
    simplified, traditional = set("奖学汉语国为证"), set("獎學漢語國為證")
    for seed in seeds(twelve):
        for at in range(20):
            wording = ask(seed, "zh", DAY, Random(at))
            if wording:
                wrong = traditional if wording.language == "zh-Hans" else simplified
                assert not wrong & (set(wording.text) - set("学")), wording


@given(
    text=st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=60), chance=st.integers()
)
def test_a_slip_touches_one_word_by_one_letter(text, chance):
    before, after = text.split(" "), slip(text, Random(chance)).split(" ")
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) <= 1
    for a, b in changed:
        assert abs(len(a) - len(b)) <= 1
        assert a[0] == b[0]
