"""Which encoding a file is in, decided once per file from its first bytes, and the cells that were decoded wrongly."""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What people's tables are written in where a letter takes two bytes, with letters that any text of it is full of.
_MULTIBYTE = {
    "gb18030": "的一是在有大中人不年学學国國生金名奖獎助校日期月元资資请請申研究所上系民會会基財财",
    "big5": "的一是在有大中人不年學國生金名獎助校日期月元資請申研究所上系民會基財",
    "cp949": "이다의는을를에가한자학교생원대장금서지로인년과기사",
    "cp932": "のにをはがとでるしたいすなもれ学生金年月日大",
}
_SINGLE_BYTE = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp874"]
_ENOUGH = 0.08
"""Share of such letters among the foreign ones; a wrong reading gives a random sample of thousands."""
# Letters that UTF-8 read as Latin-1 or Windows-1252 is made of.
_SUSPECT = re.compile("[\u0080-\u009f\u00c2-\u00c5\u00e2-\u00ef]")


def detect(head: bytes) -> str:
    """The name of the codec of a file that begins with `head`; UTF-8 when nothing speaks against it."""
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    if _is_utf8(head):
        return "utf-8"
    if (wide := _without_bom(head)) is not None:
        return wide
    return _legacy(head)


def repair(text: str) -> str:
    """`text` with UTF-8 that somebody read as Latin-1 or Windows-1252 put right; other text as it is."""
    if text.isascii() or not _SUSPECT.search(text):
        return text
    try:
        # Strict success with a change is proof: accented Latin letters are no UTF-8 by chance.
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        pass
    from ftfy import fix_encoding

    return fix_encoding(text)


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _without_bom(head: bytes) -> str | None:
    """UTF-16 by its zero bytes, which stand on one side of every ASCII character."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    enough = len(head) // 10
    if max(even, odd) <= enough:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _legacy(head: bytes) -> str:
    """The encoding of bytes that are no Unicode: what reads as a real language, else Windows-1252."""
    shares = {name: _share(head, name, letters) for name, letters in _MULTIBYTE.items()}
    best = max(shares, key=lambda name: shares[name])
    if shares[best] >= _ENOUGH:
        return best
    from charset_normalizer import from_bytes

    found = from_bytes(head, cp_isolation=_SINGLE_BYTE).best()
    return "cp1252" if found is None else found.encoding


def _share(head: bytes, encoding: str, letters: str) -> float:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head, final=False)
    except UnicodeDecodeError:
        return 0.0
    foreign = [character for character in text if not character.isascii() and character.isalpha()]
    return sum(character in letters for character in foreign) / len(foreign) if foreign else 0.0
