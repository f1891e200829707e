"""What an experiment on live traffic says: lifts, intervals, checks, verdicts. Pure; no store, no network."""
