from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.ingest.clean.text import sound, stated
from index.ingest.encoding import detect, repair


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("room &amp;amp; board", "room & board"),
        ("is &amp;quot;to promote&quot;", 'is "to promote"'),
        ("Stypendium GdaÅ\x84ska", "Stypendium Gdańska"),
        ("UrzÄ\x85d Miejski", "Urząd Miejski"),
        ("supports students[1][2]", "supports students"),
        ("**Nationality:** any", "Nationality: any"),
        ("a<br>b <b>c</b>", "a\nb c"),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2"),
        ("1\u00a0290\u202fEuro", "1 290 Euro"),
        ("  Title \r\n", "Title"),
        ("Master’s by Thesis", "Master’s by Thesis"),
        ("[LEGACY] Award", "[LEGACY] Award"),
        ("AT&T award", "AT&T award"),
    ],
)
def test_scars_go_and_words_stay(dirty: str, clean: str) -> None:
    assert sound(dirty) == clean


@pytest.mark.parametrize(
    "nothing", ["N/A", "n/a", "Not specified", "-", " ", "/", "null", "ไม่ระบุ", "없음", "Value unknown"]
)
def test_words_for_nothing_are_nothing(nothing: str) -> None:
    assert stated(nothing) is None


@pytest.mark.parametrize("something", ["None of the above", "0", "不定", "Not Fully Funded", "Czekamy..."])
def test_other_words_are_kept(something: str) -> None:
    assert stated(something) == something


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = sound(text)
    assert sound(once) == once or "&" in text or "<" in text or repair(once) != once


@given(
    st.text(
        alphabet=st.characters(min_codepoint=0xA0, max_codepoint=0x17F, categories=["Ll", "Lu"]), min_size=2
    )
)
def test_a_text_read_as_latin_1_comes_back(text: str) -> None:
    mangled = text.encode().decode("latin-1")
    assert repair(mangled) == text


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=40))
def test_a_sound_text_of_another_script_is_not_touched(text: str) -> None:
    assert repair(text) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "cp1252", "utf-16-le"])
def test_the_encoding_is_found(encoding: str) -> None:
    words = (
        "每名奖学金申请截止日期，国立大学优秀学生补助，研究所硕士班"
        if encoding == "gb18030"
        else "Förderung für Österreich, größere Städte"
    )
    text = "id,title,amount\r\n" + "".join(f"{at},{words},5000\r\n" for at in range(12))
    head = text.encode(encoding)
    assert head.decode(detect(head)).lstrip("\ufeff") == text
