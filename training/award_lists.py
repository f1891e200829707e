"""Lists of awards for written queries: what the first stage finds, graded by the oracle, on one day or on several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from index.timeintent import time_intent
from training.candidate import candidate_sides
from training.days import ageing_days, draw_day, noon
from training.example import Example
from training.first_stage import Progress, Retrieved
from training.pool import Pool, is_validation
from training.synthesis.facts import Facts
from training.synthesis.kinship import is_sibling
from training.synthesis.need import Need
from training.synthesis.oracle import together
from training.synthesis.standing import standing
from training.synthesis.suitability import suitability
from training.synthesis.wording import Wording, ask

LANGUAGES: Mapping[str, float] = {
    "en": 0.52, "zh": 0.25, "de": 0.075, "es": 0.07, "ko": 0.045, "sv": 0.02, "pl": 0.015, "fr": 0.01,
}  # fmt: skip
"""How often a query is in which language."""

DEPTH = 50
_LIST_SIZE = (9, 12)
_LEAST_SPREAD = 0.8
_AGEING_SHARE = 0.65
_AGEING_DAYS = 3
_RELEVANT, _RELATED = 2.0, 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """A written query before anything was retrieved for it. held: kept for validation."""

    at: int
    row: int
    day: date
    wording: Wording
    held: bool = False


def asked(pool: Pool, count: int, seed: int, *, validation: bool) -> Iterator[Asked]:
    """`count` written queries from the pool's records, those kept for validation or the others.

    The n-th query depends on the pool, the seed and n alone.
    """
    made = tried = 0
    while made < count and tried < 20 * count:
        rng = Random(f"{pool.name}/{seed}/{validation}/{tried}")
        tried += 1
        language = rng.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
        row = _drawn(pool, language, rng, validation)
        if row is None:
            continue
        others = [pool.facts[rng.randrange(len(pool.facts))] for _ in range(12)]
        day = draw_day(pool.facts[row], others, rng)
        wording = ask(pool.seed(row), language, day, rng)
        if wording is not None:
            yield Asked(tried - 1, row, day, wording, validation)
            made += 1


def lists(pool: Pool, questions: Sequence[Asked], seed: int, progress: Progress) -> Iterator[Example]:
    """One example for each question that can teach anything; several, sharing a group, where time turns the order."""
    vectors = pool.first_stage.encoded([question.wording.text for question in questions], progress)
    for done, (question, vector) in enumerate(zip(questions, vectors, strict=True), start=1):
        found = pool.first_stage.retrieve(question.wording.text, vector, DEPTH)
        yield from _examples(pool, question, found, Random(f"{pool.name}/{seed}/list/{question.at}"))
        progress("lists", done, len(questions))


def _drawn(pool: Pool, language: str, rng: Random, validation: bool) -> int | None:
    for _ in range(60):
        row = pool.draw(language, rng)
        if row is not None and is_validation(pool.facts[row]) == validation:
            return row
    return None


def _examples(pool: Pool, question: Asked, found: Retrieved, rng: Random) -> Iterator[Example]:
    wording = question.wording
    rows = _considered(pool, question, found, rng)
    suits = {row: _suits(pool, wording.need, row, question.row) for row in rows}

    def graded(row: int, day: date) -> float:
        need = replace(wording.need, intent=time_intent(wording.text, day))
        return together(suits[row], _stands(pool, need, row, day))

    days = [question.day]
    if rng.random() < _AGEING_SHARE:
        chosen = _rivals(rows, suits, lambda row: _is_dated(pool.facts[row]), rng)
        relevant = [pool.facts[row] for row in chosen if suits[row] >= _RELEVANT]
        days = [question.day, *ageing_days(relevant, rng, _AGEING_DAYS - 1)]
    if len(days) == 1:
        chosen = _chosen(rows, suits, lambda row: graded(row, question.day), rng)
    grades = {day: [graded(row, day) for row in chosen] for day in dict.fromkeys(days)}
    grades = _turning(grades)
    task = "ageing" if len(grades) > 1 else "award"
    fused = dict(zip(found.ranked.rows.tolist(), found.ranked.scores.tolist(), strict=True))
    sides = candidate_sides(pool.first_stage, found, chosen, wording.text)
    for day, values in grades.items():
        if max(values) - min(values) >= _LEAST_SPREAD:
            candidates = tuple(
                side.on(day, value, fused.get(row))
                for row, side, value in zip(chosen, sides, values, strict=True)
            )
            group = f"{pool.name}-{'held-' if question.held else ''}{question.at}"
            yield Example(wording.text, candidates, task, wording.language, day.isoformat(), group)


def _considered(pool: Pool, question: Asked, found: Retrieved, rng: Random) -> list[int]:
    """What the first stage found, the record asked about, its programme's other rounds, its namesakes, and two others.

    Records of the other part (training or validation) are left out.
    """
    rows = [*found.ranked.rows.tolist(), question.row, *pool.rounds[question.row]]
    if question.wording.need.names:
        rows += pool.family(question.row)
    rows += [rng.randrange(len(pool.facts)) for _ in range(2)]
    is_held = is_validation(pool.facts[question.row])
    return [row for row in dict.fromkeys(rows) if is_held or not is_validation(pool.facts[row])]


def _suits(pool: Pool, need: Need, row: int, asked_row: int) -> float:
    """The award's fit; a named programme's namesakes are related, and its level decides when it was told."""
    facts = pool.facts[row]
    value = suitability(need, facts)
    if not need.names:
        return value
    if value:
        wrong = need.level and facts.levels and need.level not in facts.levels
        return 2.0 if wrong else value
    return 1.0 if is_sibling(pool.facts[asked_row], facts) else 0.0


def _stands(pool: Pool, need: Need, row: int, day: date) -> float:
    rounds = [pool.facts[other] for other in pool.rounds[row]]
    return standing(pool.facts[row], rounds, noon(day), need.intent, named=bool(need.names))


def _chosen(
    rows: Sequence[int], suits: Mapping[int, float], grade: Callable[[int], float], rng: Random
) -> list[int]:
    """About ten rows: a few that answer, more that are nearly right, the rest what the first stage liked wrongly."""
    size = rng.randrange(_LIST_SIZE[0], _LIST_SIZE[1] + 1)
    grades = {row: grade(row) for row in rows}
    answers = [row for row in rows if grades[row] >= _RELEVANT]
    over = [row for row in rows if grades[row] < _RELEVANT <= suits[row]]
    near = [row for row in rows if _RELATED <= suits[row] < _RELEVANT]
    wrong = [row for row in rows if suits[row] < _RELATED]
    picked = [
        *_some(answers, rng.choice((1, 2, 2, 3, 4)), rng),
        *_some(over, 3, rng),
        *_some(near, 3, rng),
        *_some(wrong, size, rng),
    ]
    return _filled(picked, rows, size)


def _rivals(
    rows: Sequence[int], suits: Mapping[int, float], is_dated: Callable[[int], bool], rng: Random
) -> list[int]:
    """About ten rows of which more than half would answer if only they were open: time has to tell them apart."""
    size = rng.randrange(_LIST_SIZE[0], _LIST_SIZE[1] + 1)
    suiting = [row for row in rows if suits[row] >= _RELEVANT]
    near = [row for row in rows if _RELATED <= suits[row] < _RELEVANT]
    wrong = [row for row in rows if suits[row] < _RELATED]
    picked = [
        *_some([row for row in suiting if is_dated(row)], rng.choice((4, 5, 6)), rng),
        *_some([row for row in suiting if not is_dated(row)], 2, rng),
        *_some(near, 2, rng),
        *_some(wrong, size, rng),
    ]
    return _filled(picked, rows, size)


def _filled(picked: Sequence[int], rows: Sequence[int], size: int) -> list[int]:
    """`size` of the picked rows, more where they are too few, in the first stage's order."""
    kept = list(dict.fromkeys(picked))[:size]
    kept += [row for row in rows if row not in set(kept)][: size - len(kept)]
    place = {row: at for at, row in enumerate(rows)}
    return sorted(kept, key=lambda row: place[row])


def _is_dated(facts: Facts) -> bool:
    return any(window.deadline_on for window in facts.document.windows)


def _some(rows: Sequence[int], count: int, rng: Random) -> list[int]:
    """At most `count` rows, those that the first stage ranked higher drawn more often."""
    keyed = [(rng.random() ** (1.0 + at / 16.0), row) for at, row in enumerate(rows)]
    return [row for _, row in sorted(keyed, reverse=True)[:count]]


def _turning(grades: Mapping[date, list[float]]) -> dict[date, list[float]]:
    """The days whose order differs from that of the first; the first day alone when none does."""
    days = list(grades)
    kept = {days[0]: grades[days[0]]}
    for day in days[1:]:
        if all(_order(grades[day]) != _order(other) for other in kept.values()):
            kept[day] = grades[day]
    return kept


def _order(values: Sequence[float]) -> tuple[int, ...]:
    return tuple(sorted(range(len(values)), key=lambda at: (-values[at], at)))[:5]
