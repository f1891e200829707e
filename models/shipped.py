"""Where the trained reranker lies that comes with the package."""

from __future__ import annotations

from pathlib import Path

CHECKPOINT = Path(__file__).parent / "rerankers" / "small"
"""Adapter, gate and head, with their manifest and model card; the backbone comes out of a package."""
