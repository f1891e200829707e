"""How one training run is done, read from TOML. Every field has a default; a wrong one is named by its place.

Learning rates are per step of AdamW at the top of the schedule; `share` is a part of 1; lengths are tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from training.errors import ConfigError

Precision = Literal["fp32", "bf16", "fp16"]
Gains = Literal["linear", "exponential"]


@dataclass(frozen=True, slots=True)
class DataSettings:
    """What is read, relative to where the data lie, and how much each task counts.

    teacher: logits of a stronger network (`training.teacher`), "" for none.
    tasks: task → weight in the mix; a task that is not named counts `other_tasks`, and 0 leaves it out.
    """

    train: str = "train.jsonl.gz"
    validation: str = "validation.jsonl.gz"
    teacher: str = ""
    tasks: Mapping[str, float] = field(default_factory=dict)
    other_tasks: float = 1.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The network: its backbone by name, its adapters, what stands on it (`models.crossencoder.CrossSettings`).

    lora_targets: roles of linear maps that get an adapter. gates: where time is heard; none leaves time out.
    max_document_tokens: of the document's side of a pair; a query is never cut. start: a checkpoint's folder to begin
    from, "" for none; its shape must be the one asked for here.
    """

    backbone: str = "e5-small-6"
    lora_targets: tuple[str, ...] = ("query", "key", "value")
    lora_r: int = 8
    lora_alpha: int = 16
    lora_dropout: float = 0.0
    gates: tuple[Literal["input", "pooled"], ...] = ("input", "pooled")
    pooling: Literal["first_mean", "segments"] = "segments"
    time_width: int = 64
    gate_width: int = 96
    head_width: int = 128
    dropout: float = 0.1
    max_document_tokens: int = 96
    start: str = ""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What one step sees.

    lists: examples per step. list_size: candidates kept of each, the best always among them. group_tokens: how many
    tokens (padding included) have their activations in memory at once; forward_tokens: how many go through the network
    in one pass. Neither changes the gradient, only memory and speed.
    """

    lists: int = 16
    list_size: int = 8
    group_tokens: int = 16384
    forward_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class OptimiserSettings:
    """AdamW with a learning rate for each part; linear warm-up, then half a cosine down to `floor_share` of the top."""

    steps: int = 1000
    lora_rate: float = 5e-4
    gate_rate: float = 1e-3
    head_rate: float = 1e-3
    weight_decay: float = 0.01
    warmup_share: float = 0.06
    floor_share: float = 0.02
    clip_norm: float = 1.0


@dataclass(frozen=True, slots=True)
class LossSettings:
    """What is minimised: listwise × listwise + margin × margin + distillation × distillation.

    gains: how a grade becomes a share of the listwise target. margin_step: the gap of logits asked for per grade.
    temperature: of teacher and student alike in distillation.
    """

    listwise: float = 1.0
    margin: float = 0.2
    distillation: float = 0.0
    gains: Gains = "exponential"
    margin_step: float = 0.5
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The seed, the machine, and when to look and to stop.

    threads: of the arithmetic; the same seed and threads give the same scores. precision: fp32 on a CPU unless its
    arithmetic units know bf16; fp16 needs CUDA. patience: how many validations may pass without a better MRR@5;
    0 = never stop early. save_steps: how often the state to resume from is written.
    """

    seed: int = 17
    threads: int = 1
    precision: Precision = "fp32"
    device: Literal["cpu", "cuda"] = "cpu"
    validate_steps: int = 100
    patience: int = 5
    save_steps: int = 50
    monitor_window: int = 50
    monitor_decay: float = 0.9


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A whole run. Raises ConfigError, naming the field, when a value is out of range."""

    data: DataSettings = field(default_factory=DataSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    batch: BatchSettings = field(default_factory=BatchSettings)
    optimiser: OptimiserSettings = field(default_factory=OptimiserSettings)
    loss: LossSettings = field(default_factory=LossSettings)
    run: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        for place, value, least, most in self._ranges():
            if not least <= value <= most:
                raise ConfigError(place, f"must be between {least:g} and {most:g}, got {value:g}")
        for task, weight in self.data.tasks.items():
            if not 0 <= weight < float("inf"):
                raise ConfigError(f"data.tasks.{task}", f"must be 0 or more, got {weight:g}")
        if not self.model.lora_targets:
            raise ConfigError("model.lora_targets", "must name at least one layer")
        if not any((self.loss.listwise, self.loss.margin, self.loss.distillation)):
            raise ConfigError("loss", "at least one of listwise, margin and distillation must be above 0")
        if self.run.precision == "fp16" and self.run.device != "cuda":
            raise ConfigError("run.precision", 'fp16 needs run.device = "cuda"')
        if self.batch.forward_tokens > self.batch.group_tokens:
            raise ConfigError("batch.forward_tokens", "must not exceed batch.group_tokens")

    def _ranges(self) -> tuple[tuple[str, float, float, float], ...]:
        """(place, value, least, most) of every number; both ends are allowed."""
        model, batch, optimiser, loss, run = self.model, self.batch, self.optimiser, self.loss, self.run
        return (
            ("data.other_tasks", self.data.other_tasks, 0, 1e6),
            ("model.lora_r", model.lora_r, 1, 256),
            ("model.lora_alpha", model.lora_alpha, 1, 4096),
            ("model.lora_dropout", model.lora_dropout, 0, 0.9),
            ("model.time_width", model.time_width, 1, 4096),
            ("model.gate_width", model.gate_width, 1, 4096),
            ("model.head_width", model.head_width, 1, 4096),
            ("model.dropout", model.dropout, 0, 0.9),
            ("model.max_document_tokens", model.max_document_tokens, 8, 512),
            ("batch.lists", batch.lists, 1, 4096),
            ("batch.list_size", batch.list_size, 2, 256),
            ("batch.group_tokens", batch.group_tokens, 16, 1 << 24),
            ("batch.forward_tokens", batch.forward_tokens, 16, 1 << 24),
            ("optimiser.steps", optimiser.steps, 1, 10_000_000),
            ("optimiser.lora_rate", optimiser.lora_rate, 0, 1),
            ("optimiser.gate_rate", optimiser.gate_rate, 0, 1),
            ("optimiser.head_rate", optimiser.head_rate, 0, 1),
            ("optimiser.weight_decay", optimiser.weight_decay, 0, 10),
            ("optimiser.warmup_share", optimiser.warmup_share, 0, 1),
            ("optimiser.floor_share", optimiser.floor_share, 0, 1),
            ("optimiser.clip_norm", optimiser.clip_norm, 1e-6, 1e6),
            ("loss.listwise", loss.listwise, 0, 1e3),
            ("loss.margin", loss.margin, 0, 1e3),
            ("loss.distillation", loss.distillation, 0, 1e3),
            ("loss.margin_step", loss.margin_step, 0, 1e3),
            ("loss.temperature", loss.temperature, 1e-2, 1e2),
            ("run.seed", run.seed, 0, 2**63 - 1),
            ("run.threads", run.threads, 1, 1024),
            ("run.validate_steps", run.validate_steps, 1, 10_000_000),
            ("run.patience", run.patience, 0, 1_000_000),
            ("run.save_steps", run.save_steps, 1, 10_000_000),
            ("run.monitor_window", run.monitor_window, 2, 1_000_000),
            ("run.monitor_decay", run.monitor_decay, 0, 0.9999),
        )
