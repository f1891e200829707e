"""`bench` refuses sizes that make no sense, before it does any work."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cli.bench import bench


@pytest.mark.parametrize("sizes", ["many", "99", "1000,,", "1000,5"])
def test_a_size_that_is_none_is_wrong_usage(sizes: str) -> None:
    done = CliRunner().invoke(bench, ["retrieval", "--documents", sizes])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "--documents" in done.stderr
