"""The gradient of a finished reranker on given lists: real network, real adapters, small lists."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from app.precision.probe import STREAM, Probe
from index.timing import TIMING_FEATURES
from models.checkpoint import resume_checkpoint
from models.manifest import read_manifest
from models.pairs import PairTokenizer
from models.selftest import ProbeList
from models.shipped import CHECKPOINT
from training.example import Candidate, Example, read_examples
from training.probing import gradient_norms, is_known, main
from training.settings import LossSettings
from training.student import Student

pytestmark = pytest.mark.slow


def lists(count: int = 2) -> list[ProbeList]:
    rng = np.random.default_rng(3)
    texts = ("A grant for engineers in Germany.", "A prize for poets.", "Master's places in Japan.")
    return [
        ProbeList(
            f"grant for engineers {at}",
            texts,
            rng.uniform(size=(3, len(TIMING_FEATURES))).astype(np.float32),
            (3, 0, 1),
        )
        for at in range(count)
    ]


@pytest.fixture(scope="module")
def student() -> Student:
    network = resume_checkpoint(CHECKPOINT)
    return Student(network, PairTokenizer(network.backbone, read_manifest(CHECKPOINT).max_document_tokens))


def examples(count: int = 2) -> list[Example]:
    return [
        Example(
            one.query,
            tuple(
                Candidate(text, tuple(map(float, timing)), float(grade), str(at))
                for at, (text, timing, grade) in enumerate(
                    zip(one.texts, one.timings, one.grades, strict=True)
                )
            ),
            *("probe", "", "", str(number)),
        )
        for number, one in enumerate(lists(count))
    ]


def test_the_norm_is_that_of_the_mean_loss_taken_at_once_and_moves_no_weight(student: Student) -> None:
    before = [parameter.detach().clone() for parameter in student.network.parameters()]
    norms = gradient_norms(student, examples(), LossSettings(margin=0.0))
    assert set(norms) == {"lora", "gate", "head"}
    assert all(torch.equal(a, b) for a, b in zip(before, student.network.parameters(), strict=True))
    # The listwise loss by hand: cross entropy between the shares of gain and the softmax of the logits.
    student.network.eval()
    loss = torch.zeros(())
    for each in examples():
        pairs = student.pairs(each.query, [c.text for c in each.candidates])
        logits = student.logits(pairs, torch.tensor([c.timing for c in each.candidates]))
        gains = torch.tensor([2.0**c.grade - 1 for c in each.candidates])
        loss = loss - (gains / gains.sum() * torch.log_softmax(logits, 0)).sum() / 2
    loss.backward()
    for name, weights in student.groups().items():
        by_hand = torch.sqrt(sum((w.grad**2).sum() for w in weights if w.grad is not None))
        assert norms[name] == pytest.approx(float(by_hand), rel=1e-4)


def test_lists_without_an_order_have_no_gradient(student: Student) -> None:
    flat = [
        Example(
            "q", tuple(Candidate(c.text, c.timing, 1.0, c.doc_id) for c in each.candidates), "p", "", "", "g"
        )
        for each in examples()
    ]
    assert gradient_norms(student, flat, LossSettings()) == {}


def test_the_process_of_a_service_works_it_out_once(tmp_path: Path) -> None:
    probe = Probe(tmp_path, CHECKPOINT)
    probe.tend()  # nothing to read yet: no process
    probe.write(lists())
    assert [one.query for one in read_examples(probe.examples)] == [one.query for one in lists()]
    probe.tend()
    assert probe._child.wait(timeout=240) == 0
    told = (tmp_path / STREAM).read_text().splitlines()
    assert len(told) == 1
    line = json.loads(told[0])
    assert line["lists"] == 2
    assert line["grad_norm"] == pytest.approx(
        np.hypot(line["norms"]["lora"], line["norms"]["gate"]), rel=1e-5
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.probing._stand_back", lambda: None)  # this process has more to do
        main([str(CHECKPOINT), str(probe.examples), str(tmp_path / STREAM)])
    assert len((tmp_path / STREAM).read_text().splitlines()) == 1
    probe.close()


def test_a_process_that_is_told_nonsense_fails_and_leaves_no_line(tmp_path: Path) -> None:
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"{}\n"))
    out = tmp_path / "out.jsonl"
    arguments = [str(CHECKPOINT), str(tmp_path / "bad.gz"), str(out)]
    done = subprocess.run([sys.executable, "-m", "training.probing", *arguments], capture_output=True)
    assert done.returncode != 0
    assert out.read_text() == ""


def test_half_a_stream_is_not_taken_for_known(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert not is_known(out, {"checkpoint": "a"})
    out.write_text('{"checkpoint":"a"}\n{"check')
    assert not is_known(out, {"checkpoint": "a"})
    out.write_text('{"checkpoint":"a","grad_norm":1}\n')
    assert is_known(out, {"checkpoint": "a"})
    assert not is_known(out, {"checkpoint": "b"})
