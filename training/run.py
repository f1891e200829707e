"""A whole run by its settings: examples in, a folder with a checkpoint, records and pictures out.

    best/            the checkpoint: adapters, gates and head, with a manifest (data, seed, versions, scores)
    run.json         how the run ended
    curves.png       loss, learning rate, gradient and validation over the steps
    events.out.*     the same for TensorBoard, where the package `tensorboard` is installed

and the records of `training.loop`. Calling it again on the same folder goes on where it stopped, or, when there is
nothing left to do, only draws the pictures again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

import torch

from index.fit import FIT_FEATURES, fit_fingerprint
from index.portrait import portrait_fingerprint
from index.timing import TIMING_FEATURES, timing_fingerprint
from models.backbones import load_backbone
from models.checkpoint import resume_checkpoint, save_checkpoint
from models.crossencoder import CrossEncoder, CrossSettings
from models.lora import LoraSettings, Share
from models.manifest import MANIFEST
from models.pairs import PairTokenizer
from training.blending import learn
from training.curves import draw_curves
from training.errors import ConfigError, ExampleError
from training.events import write_events
from training.example import Example, digest, read_examples
from training.loop import Loop, Outcome, Progress
from training.origin import origin
from training.settings import ModelSettings, TrainingSettings
from training.student import Student
from training.teacher import Teacher, asked, read_teacher
from training.validation import Logits, Validation

BEST, RUN, CURVES, TEACHER = "best", "run.json", "curves.png", "teacher.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run left. share: trained parameters, of all. examples: how many there were to learn from."""

    outcome: Outcome
    checkpoint: Path
    share: Share
    examples: int


def train(settings: TrainingSettings, base: Path, out: Path, progress: Progress, name: str) -> Trained:
    """Trains as `settings` say and leaves everything in `out`. Data paths are relative to `base`.

    Raises ConfigError, ExampleError, StateError, Diverged, or ModelError where the backbone is not here.
    """
    torch.set_num_threads(settings.run.threads)
    if settings.run.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("run.device", "is cuda, but there is no CUDA device here")
    files = {"train": base / settings.data.train, "validation": base / settings.data.validation}
    examples, validation = (list(read_examples(path)) for path in files.values())
    _check(examples, validation, files)
    out.mkdir(parents=True, exist_ok=True)
    teacher: Teacher = {}
    if settings.data.teacher:
        files["teacher"] = _teacher_file(base / settings.data.teacher, examples, out, progress)
        teacher = read_teacher(files["teacher"], examples)
    if settings.model.start:
        files["start"] = base / settings.model.start / MANIFEST
    data = {part: digest(path) for part, path in files.items()}
    student = _student(settings, base)
    share = student.network.share()
    remarks = {"data": data, "settings": asdict(settings), "trained": str(share), **origin(settings.run.seed)}

    def keep(step: int, found: Validation, logits: Sequence[Logits]) -> None:
        save_checkpoint(
            out / BEST,
            student.network,
            name=name,
            timing=timing_fingerprint(),
            portrait=portrait_fingerprint(),
            max_document_tokens=settings.model.max_document_tokens,
            metadata=remarks
            | {"step": step, "validation": asdict(found), "blend": _blend(validation, logits)},
        )

    run = {
        "settings": _hash(asdict(_lasting(settings))),
        "data": _hash(data),
        "network": student.network.backbone.fingerprint,
    }
    outcome = Loop(settings, student, out, run, keep, progress).train(examples, validation, teacher)
    ended = json.dumps(asdict(outcome) | {"trained": str(share)}, indent=2)
    (out / RUN).write_text(ended + "\n", encoding="utf-8")
    draw_curves(out, out / CURVES)
    write_events(out)
    return Trained(outcome, out / BEST, share, len(examples))


def network_of(model: ModelSettings, features: int, base: Path) -> CrossEncoder:
    """A cross-encoder that has learnt nothing yet, or the one of `model.start`, relative to `base`.

    Raises ModelError where the backbone is not here, ConfigError when the start has another shape.
    """
    lora = LoraSettings(model.lora_targets, model.lora_r, model.lora_alpha, model.lora_dropout)
    shape = CrossSettings(
        features=features,
        gates=model.gates,
        pooling=model.pooling,
        time_width=model.time_width,
        gate_width=model.gate_width,
        head_width=model.head_width,
        dropout=model.dropout,
        lora=lora,
    )
    if not model.start:
        return CrossEncoder(load_backbone(model.backbone), shape)
    begun = resume_checkpoint(base / model.start)
    if begun.settings != shape or begun.backbone.name != model.backbone:
        raise ConfigError("model.start", f"is a network of another shape: {begun.settings}")
    return begun


def _student(settings: TrainingSettings, base: Path) -> Student:
    torch.manual_seed(settings.run.seed)  # the weights one begins with belong to the seed too
    network = network_of(settings.model, len(TIMING_FEATURES), base)
    tokenizer = PairTokenizer(network.backbone, settings.model.max_document_tokens)
    return Student(network, tokenizer, settings.run.device, settings.run.precision)


def _blend(examples: Sequence[Example], logits: Sequence[Logits]) -> dict[str, object] | None:
    """How first stage, fit and logit are best weighed; None where no example knows its first stage."""
    try:
        return learn(examples, logits, FIT_FEATURES, fit_fingerprint()).record()
    except ValueError:
        return None


def _teacher_file(path: Path, examples: Sequence[Example], out: Path, progress: Progress) -> Path:
    """The file of the teacher's logits: `path` itself, or, when that is a checkpoint, what it says when asked."""
    if not path.is_dir():
        return path
    total = len(examples)
    return asked(path, examples, out / TEACHER, lambda done: progress("asking the teacher", done, total))


def _lasting(settings: TrainingSettings) -> TrainingSettings:
    """The settings without what may change between two sittings: how often one looks and saves, where files lie."""
    return replace(
        settings,
        run=replace(settings.run, save_steps=1),
        data=replace(settings.data, train="", validation="", teacher=""),
    )


def _check(examples: Sequence[Example], validation: Sequence[Example], files: Mapping[str, Path]) -> None:
    """Raises ExampleError when the parts are empty, share a group, or hold other time features than the index makes."""
    for part, some in (("train", examples), ("validation", validation)):
        if not some:
            raise ExampleError(f"{files[part]} holds no example")
        for number, example in enumerate(some, start=1):
            for candidate in example.candidates:
                if len(candidate.timing) != len(TIMING_FEATURES):
                    raise ExampleError(
                        f"{files[part]}:{number}: {len(candidate.timing)} time features, "
                        f"not {len(TIMING_FEATURES)}: build the data anew"
                    )
    shared = {e.group for e in examples if e.group} & {e.group for e in validation if e.group}
    if shared:
        raise ExampleError(f"{files['validation']}: group {min(shared)!r} is also trained on")


def _hash(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
