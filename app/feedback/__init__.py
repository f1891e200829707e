"""What was served and what became of it: kept durably, privately, and told by experiment."""
