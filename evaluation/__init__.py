"""Rankings against judgements: test sets, TREC files, metrics with intervals, reports.

Knows ids, grades, ranks and plain data only: no torch, no index, no service.
"""
