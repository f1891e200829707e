"""What a stronger network says of examples: its logits, in a file beside them.

JSON Lines, gzip: `{"row": 0-based row of the example, "logits": one number for each of its candidates}`. Rows that are
missing were not scored.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path

from models.checkpoint import load_checkpoint
from models.manifest import read_manifest
from models.pairs import PairTokenizer
from training.errors import ExampleError
from training.example import Example
from training.student import Student
from training.validation import score

Teacher = dict[int, list[float]]
"""Row of an example → a logit for each of its candidates."""

_FORWARD_TOKENS = 4096


def asked(folder: Path, examples: Sequence[Example], out: Path, progress: Callable[[int], None]) -> Path:
    """The file of what the checkpoint in `folder` says of `examples`: `out`, written whole unless it is there.

    Raises ModelError where the checkpoint cannot be loaded.
    """
    if out.exists():
        return out
    network = load_checkpoint(folder)
    tokenizer = PairTokenizer(network.backbone, read_manifest(folder).max_document_tokens)
    logits = score(Student(network, tokenizer), examples, _FORWARD_TOKENS, progress)
    part = out.with_name(out.name + ".part")
    write_teacher(part, enumerate(found.tolist() for found in logits))
    part.replace(out)
    return out


def read_teacher(path: Path, examples: Sequence[Example]) -> Teacher:
    """The logits in `path`. Raises ExampleError where they do not fit `examples`, naming the line."""
    found: Teacher = {}
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                fields = json.loads(line)
                row, logits = int(fields["row"]), [float(value) for value in fields["logits"]]
                if not 0 <= row < len(examples) or len(logits) != len(examples[row].candidates):
                    raise ExampleError(f"{path}:{number}: logits of other examples than these")
                found[row] = logits
    except (OSError, EOFError) as fault:
        raise ExampleError(f"{path}: cannot be read after line {number} ({fault})") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise ExampleError(f"{path}:{number}: no logits of a teacher ({fault!r})") from fault
    return found


def write_teacher(path: Path, logits: Iterable[tuple[int, Sequence[float]]]) -> int:
    """How many rows were written to `path`."""
    count = 0
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed,
        TextIOWrapper(packed, encoding="utf-8", newline="\n") as file,
    ):
        for row, values in logits:
            line = {"row": row, "logits": [round(float(value), 5) for value in values]}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            count += 1
    return count
