"""Processors: the container's share counts, not the host's number."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from models.cpu import available_cpus


def cpus(tmp_path: Path, files: dict[str, str], affinity: int = 64, membership: str = "0::/\n") -> int:
    for name, text in files.items():
        file = tmp_path / "cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "self").write_text(membership)
    return available_cpus(affinity, tmp_path / "cgroup", tmp_path / "self")


@pytest.mark.parametrize(
    ("files", "affinity", "expected"),
    [
        ({}, 8, 8),
        ({"cpu.max": "max 100000\n"}, 8, 8),
        ({"cpu.max": "200000 100000\n"}, 64, 2),
        ({"cpu.max": "150000 100000\n"}, 64, 2),
        ({"cpu.max": "10000 100000\n"}, 64, 1),
        ({"cpu.max": "800000 100000\n"}, 4, 4),
        ({"cpu.max": "broken"}, 3, 3),
        ({"cpu.max": "200000 0\n"}, 3, 3),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 5, 5),
    ],
)
def test_the_smallest_bound_counts(
    tmp_path: Path, files: dict[str, str], affinity: int, expected: int
) -> None:
    assert cpus(tmp_path, files, affinity) == expected


def test_a_quota_further_up_binds_too(tmp_path: Path) -> None:
    files = {"outer/cpu.max": "200000 100000\n", "outer/inner/cpu.max": "max 100000\n"}
    assert cpus(tmp_path, files, membership="0::/outer/inner\n") == 2
    assert cpus(tmp_path, files, membership="0::/elsewhere\n") == 64
    assert cpus(tmp_path, files, membership="0::/../../outer\n") == 2


def test_the_older_groups_name_their_controllers(tmp_path: Path) -> None:
    files = {"cpu/job/cpu.cfs_quota_us": "100000\n", "cpu/job/cpu.cfs_period_us": "100000\n"}
    assert cpus(tmp_path, files, membership="5:cpu,cpuacct:/job\n4:memory:/job\n") == 1
    assert cpus(tmp_path, files, membership="4:memory:/job\n") == 64


def test_this_machine_has_at_least_one_and_no_more_than_it_has() -> None:
    assert 1 <= available_cpus() <= (os.cpu_count() or 1)
