"""How fingers slip: one small change to one word, as typed on a Latin keyboard."""

from __future__ import annotations

from random import Random

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS = {
    letter: "".join(row[max(at - 1, 0) : at] + row[at + 1 : at + 2])
    for row in _ROWS
    for at, letter in enumerate(row)
}
_LEAST_LETTERS = 5


def slip(text: str, rng: Random) -> str:
    """`text` with one word mistyped: a letter lost, doubled, swapped or a neighbour's; unchanged when all are short."""
    words = text.split(" ")
    long = [
        at
        for at, word in enumerate(words)
        if len(word) >= _LEAST_LETTERS and word.isascii() and word.isalpha()
    ]
    if not long:
        return text
    at = rng.choice(long)
    words[at] = _mistyped(words[at], rng)
    return " ".join(words)


def _mistyped(word: str, rng: Random) -> str:
    # The first letter is seldom wrong.
    at = rng.randrange(1, len(word) - 1)
    match rng.randrange(4):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + word[at] + word[at:]
        case 2:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case _:
            beside = _NEIGHBOURS.get(word[at].lower(), "")
            return word[:at] + (rng.choice(beside) if beside else "") + word[at + 1 :]
