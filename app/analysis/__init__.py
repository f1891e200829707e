"""What the log says of experiments: evidence out of the store, reports, and the watch that stops an arm that harms."""
