"""The tally of live updates: a real service, written to and searched at once, and killed in the middle of it."""
