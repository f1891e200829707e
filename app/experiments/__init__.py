"""A/B tests: units split by number, arms that are plans, and nothing that moves anybody by accident."""
