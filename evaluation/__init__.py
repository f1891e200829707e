"""Rankings against judgements: test sets, TREC files, metrics with intervals, reports. No torch, no service."""
