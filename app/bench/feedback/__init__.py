"""The tally of feedback: real services under load, killed in the middle of it, and whether the log is the truth."""
