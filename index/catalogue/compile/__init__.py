"""From other people's records to the shipped catalogue: facts are read, sentences are written anew.

    sources -> facts -> merge (+ flagships) -> sentences -> records -> opportunities.jsonl.gz

Run `python -m index.catalogue.compile --shared ../shared` to make the file again, `--stats` to count it.
"""
