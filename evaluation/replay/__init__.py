"""What a log can say of rankings that were not served, and which clicks it can trust. Pure; no store, no network."""
