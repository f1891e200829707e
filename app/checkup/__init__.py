"""What works here and what is missing, each finding with the command that mends it."""
