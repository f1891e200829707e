"""Make the shipped catalogue again, or count it: `python -m index.catalogue.compile --shared ../shared`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from index.catalogue.compile.pipeline import programmes
from index.catalogue.compile.records import records, save
from index.catalogue.compile.statistics import markdown, shipped

CATALOGUE = Path(__file__).resolve().parent.parent / "opportunities.jsonl.gz"


def main() -> None:
    """Compile the catalogue (with --shared) and print its counts (with --stats)."""
    parser = argparse.ArgumentParser(prog="python -m index.catalogue.compile", description=main.__doc__)
    parser.add_argument("--shared", type=Path, help="the shared data folder (holds data/scholarships)")
    parser.add_argument("--out", type=Path, default=CATALOGUE, help="the file to write or count")
    parser.add_argument("--stats", action="store_true", help="print the counts of the data card")
    asked = parser.parse_args()
    if asked.shared:
        found, gazetteer = programmes(asked.shared)
        made = records(found, gazetteer)
        save(made, asked.out)
        sys.stdout.write(f"{len(made)} programmes, {asked.out.stat().st_size} bytes\n")
    elif not asked.stats:
        parser.error("give --shared to compile or --stats to count")
    if asked.stats:
        sys.stdout.write(markdown(shipped(asked.out)) + "\n")


if __name__ == "__main__":
    main()
