"""Pooling: which pairs of query and document to judge next, and how judges' grades become judgements."""
