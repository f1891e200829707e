from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.judging import LateJudge, name_of, open_judge
from app.reranking import Judge
from models.errors import ModelDamaged, ModelError, ModelForeign
from models.rung import Rung
from models.shipped import CHECKPOINT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CHECKPOINT, tmp_path / "checkpoint"))


def changed(folder: Path, **fields: object) -> Path:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, **fields}), "utf-8")
    return folder


def test_a_checkpoint_of_other_features_is_refused(copy: Path) -> None:
    with pytest.raises(ModelForeign, match="timing-old"):
        open_judge(changed(copy, timing="timing-old"))


def test_a_checkpoint_without_a_blend_is_refused(copy: Path) -> None:
    with pytest.raises(ModelError, match="how its logit counts"):
        open_judge(changed(copy, metadata={}))


def test_a_blend_of_other_features_is_refused(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    blend = {**manifest["metadata"]["blend"], "fit_fingerprint": "fit-old"}
    with pytest.raises(ModelError, match="fit-old"):
        open_judge(changed(copy, metadata={"blend": blend}))


def test_a_damaged_file_is_refused_and_searches_go_without(
    copy: Path, caplog: pytest.LogCaptureFixture
) -> None:
    weights = next(copy.glob("*.safetensors"))
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(ModelDamaged):
        open_judge(copy)
    assert LateJudge(lambda _: open_judge(copy)).get() is None
    assert "nothing reranks" in caplog.text


def test_it_is_named_without_being_loaded(copy: Path, tmp_path: Path) -> None:
    assert (name_of() or "").startswith("small-")
    assert name_of(tmp_path) is None


def test_it_is_opened_once_whoever_asks() -> None:
    opened: list[int] = []

    def open_(rung: Rung) -> Judge:
        opened.append(1)
        raise ModelError("none here")

    late = LateJudge(open_)
    late.begin()
    with ThreadPoolExecutor(4) as askers:
        assert [*askers.map(lambda _: late.get(), range(8))] == [None] * 8
    assert opened == [1]
    assert late.missing == {"fp16": "none here"}


def test_each_rung_is_opened_for_itself_and_the_reference_where_none_is_named() -> None:
    class Read:
        name, fingerprint = "r", "r-1"

        def score(self, query: str, documents: list[str], timings: object, gated: bool = True) -> None: ...

    asked: list[Rung] = []

    def open_(rung: Rung) -> Judge:
        asked.append(rung)
        return Judge(Read(), None, rung)  # type: ignore[arg-type]

    late = LateJudge(open_)
    assert late.known("int8") is None
    assert late.pick("int8").rung == "int8"
    assert late.pick(floor="int4", text="phd").rung == "fp16"
    assert late.known("int8").fingerprint != late.known("fp16").fingerprint
    assert late.pick("int8") is late.known("int8")
    assert asked == ["int8", "fp16"]
    assert late.reopened().known("int8") is None


@pytest.mark.slow
def test_the_shipped_one_tells_a_fitting_award_from_another() -> None:
    import numpy as np

    from index.timing import TIMING_FEATURES

    judge = LateJudge().get()
    assert judge is not None
    texts = [
        "DAAD Study Scholarships. DAAD. In Germany. Level master postgraduate. Field engineering.",
        "Prize for young poets. City of Lyon. In France. Level high school.",
    ]
    open_now = np.zeros((2, len(TIMING_FEATURES)), np.float32)
    open_now[:, TIMING_FEATURES.index("is_open")] = 1
    for query in ("master's scholarship in Germany for engineers", "德国 硕士 工程 奖学金"):
        fitting, other = judge.reranker.score(query, texts, open_now).logits.tolist()
        assert fitting > other
    closed = np.zeros_like(open_now)
    closed[:, TIMING_FEATURES.index("is_closed")] = 1
    query = "master's scholarship in Germany for engineers"
    assert (
        judge.reranker.score(query, texts, open_now).logits[0]
        > judge.reranker.score(query, texts, closed).logits[0]
    )
