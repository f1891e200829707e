"""All training data in one folder: built from facts, the same for the same inputs and seed.

OUT/train.jsonl.gz        written queries over the shipped catalogue and, where it is, a judged set's corpus;
other people's question sets and translations
OUT/validation.jsonl.gz   written queries about programmes that no training list holds
OUT/judged.jsonl.gz       the judged queries with the first stage's candidates: to choose a model, never to train
OUT/manifest.json         seed, plan, counts, hashes of what went in and came out
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from random import Random

from index.catalogue.shipped import RECORDS, VECTORS, programmes
from index.document import Document
from index.fit import fit_fingerprint
from index.portrait import portrait_fingerprint
from index.record import from_beir
from index.timing import timing_fingerprint
from index.types import Encoder
from training.award_lists import asked, lists
from training.borrowed import question_sets, record_questions, translations
from training.devset import judged_examples
from training.example import Example, digest, write_examples
from training.first_stage import FirstStage, Progress, open_first_stage
from training.leakage import Guard
from training.pool import Pool, make_pool

MANIFEST = "manifest.json"
TRAIN, VALIDATION, JUDGED = "train.jsonl.gz", "validation.jsonl.gz", "judged.jsonl.gz"
JUDGED_DEPTH = 50
_TABLES = ("words", "templates", "times", "places", "jobs", "countries")


@dataclass(frozen=True, slots=True)
class DataPlan:
    """How much is written. Questions asked on several days become several lists.

    catalogue, corpus: questions about the shipped catalogue and about the judged set's corpus. validation: questions
    kept apart, half about each. borrowed_share: of the usual number of other people's questions.
    """

    catalogue: int = 5000
    corpus: int = 5500
    validation: int = 500
    borrowed_share: float = 1.0
    seed: int = 17


@dataclass(frozen=True, slots=True)
class Sources:
    """Where data outside the package lies; what is absent is left out, and the manifest says so.

    judged_set: a folder with corpus, queries and judgements. question_sets: a folder of `*.jsonl.gz`.
    record_questions, translations: JSON Lines over the judged set's corpus.
    """

    judged_set: Path | None = None
    question_sets: Path | None = None
    record_questions: Path | None = None
    translations: Path | None = None

    @staticmethod
    def under(shared: Path | None) -> Sources:
        """The sources in a folder of shared data, those that are there."""
        if shared is None:
            return Sources()
        data = shared / "data"
        return Sources(
            _there(data / "awardbench"),
            _there(data / "ir" / "train_pairs"),
            _there(data / "scholarships" / "query_record_pairs.jsonl"),
            _there(data / "scholarships" / "parallel_sv_en.jsonl"),
        )


def build_data(
    out: Path,
    plan: DataPlan,
    sources: Sources,
    home: Path,
    encoder: Encoder,
    books: Sequence[Path],
    progress: Progress,
) -> Mapping[str, object]:
    """The manifest of the data written to `out`; it is written last.

    home: the folder of test sets' indexes, where the first stages are kept. books: folders of vectors that need not be
    made again; the catalogue's own is always read. `progress(step, done, total)` is told as it goes.
    """
    known = (VECTORS, *books)
    stage = open_first_stage(list(programmes()), home / "catalogue", encoder, books=known, progress=progress)
    catalogue = _pool("catalogue", stage, (), progress)
    pools = [(catalogue, plan.catalogue)]
    judged: list[str] = []
    if folder := sources.judged_set:
        corpus = [from_beir(line) for line in _json_lines(folder / "corpus.jsonl")]
        # Where the ranker keeps the index of this set too, so that neither encodes what the other has.
        stage = open_first_stage(
            corpus, home / folder.resolve().name, encoder, books=known, progress=progress
        )
        twins = [facts.document for facts in catalogue.facts]
        pools.append((_pool("corpus", stage, twins, progress), plan.corpus))
        judged = [str(line["text"]) for line in _json_lines(folder / "queries.jsonl")]
    guard = Guard(judged)
    train = list(guard([*_written(pools, plan, progress), *_borrowed(sources, stage, plan)]))
    Random(plan.seed).shuffle(train)
    parts: dict[str, list[Example]] = {TRAIN: train, VALIDATION: _unseen(_held(pools, plan, progress), train)}
    if sources.judged_set:
        parts[JUDGED] = list(judged_examples(sources.judged_set, "dev", stage, JUDGED_DEPTH, progress))
    for name, examples in parts.items():
        write_examples(out / name, examples)
    return _manifest(out, plan, sources, parts, guard.dropped, encoder)


def _pool(name: str, stage: FirstStage, twins: Sequence[Document], progress: Progress) -> Pool:
    count = len(stage.snapshot)
    progress(f"facts of the {name}", 0, count)
    pool = make_pool(name, stage, twins)
    progress(f"facts of the {name}", count, count)
    return pool


def _written(pools: Sequence[tuple[Pool, int]], plan: DataPlan, progress: Progress) -> Iterator[Example]:
    for pool, count in pools:
        questions = list(asked(pool, count, plan.seed, validation=False))
        yield from lists(pool, questions, plan.seed, progress)


def _held(pools: Sequence[tuple[Pool, int]], plan: DataPlan, progress: Progress) -> Iterator[Example]:
    for pool, _ in pools:
        questions = list(asked(pool, plan.validation // len(pools), plan.seed, validation=True))
        yield from lists(pool, questions, plan.seed, progress)


def _unseen(held: Iterable[Example], train: Iterable[Example]) -> list[Example]:
    """The held examples whose query is not also one to train on: short ones come about more than once."""
    known = {example.query for example in train}
    return [example for example in held if example.query not in known]


def _borrowed(sources: Sources, stage: FirstStage, plan: DataPlan) -> Iterator[Example]:
    if sources.question_sets:
        yield from question_sets(sources.question_sets, plan.seed, plan.borrowed_share)
    if sources.judged_set:
        about: list[Iterator[Example]] = []
        if sources.record_questions:
            about.append(record_questions(stage, sources.record_questions, plan.seed))
        if sources.translations:
            about.append(translations(stage, sources.translations, plan.seed))
        rng = Random(f"borrowed/{plan.seed}")
        yield from (example for example in chain(*about) if rng.random() < plan.borrowed_share)


def _manifest(
    out: Path,
    plan: DataPlan,
    sources: Sources,
    parts: Mapping[str, Sequence[Example]],
    dropped: int,
    encoder: Encoder,
) -> dict[str, object]:
    inputs = [
        RECORDS,
        *_files(sources),
        *(Path(__file__).parent / "synthesis" / f"{name}.tsv" for name in _TABLES),
    ]
    manifest: dict[str, object] = {
        "plan": asdict(plan),
        "encoder": encoder.fingerprint,
        "features": {
            "timing": timing_fingerprint(),
            "portrait": portrait_fingerprint(),
            "fit": fit_fingerprint(),
        },
        "inputs": {path.name: digest(path) for path in inputs},
        "dropped_as_judged": dropped,
        "files": {
            name: {"sha256": digest(out / name), "examples": len(examples), "counts": counts(examples)}
            for name, examples in parts.items()
        },
    }
    (out / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
    return manifest


def counts(examples: Iterable[Example]) -> dict[str, dict[str, int]]:
    """How many examples there are by task and by language, the most first."""
    tasks, languages = Counter[str](), Counter[str]()
    for example in examples:
        tasks[example.task] += 1
        languages[example.language] += 1
    return {"tasks": dict(tasks.most_common()), "languages": dict(languages.most_common())}


def _files(sources: Sources) -> list[Path]:
    found = [path for path in (sources.record_questions, sources.translations) if path]
    if sources.judged_set:
        found += [sources.judged_set / name for name in ("corpus.jsonl", "queries.jsonl", "qrels/dev.tsv")]
    if sources.question_sets:
        found += sorted(sources.question_sets.glob("*.jsonl.gz"))
    return found


def _there(path: Path) -> Path | None:
    return path if path.exists() else None


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
