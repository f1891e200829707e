"""One module per step; `down_revision` gives their order."""
