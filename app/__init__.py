"""The service: HTTP face, and the pipeline it serves."""
