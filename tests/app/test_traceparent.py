"""The W3C trace context: the caller's goes on, a broken one does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.traceparent import TraceContext, continue_trace

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
FRESH = TraceContext("ab" * 16, "ab" * 8, "01")


def mint(size: int) -> str:
    return "ab" * size


@pytest.mark.parametrize(
    ("header", "flags"),
    [
        (f"00-{TRACE}-{SPAN}-01", "01"),
        (f"00-{TRACE}-{SPAN}-00", "00"),
        (f"01-{TRACE}-{SPAN}-03", "03"),
        (f"cc-{TRACE}-{SPAN}-01-what-comes-later", "01"),
    ],
)
def test_the_trace_goes_on_with_a_span_of_ours(header: str, flags: str) -> None:
    found = continue_trace(header, mint)
    assert found == TraceContext(TRACE, "ab" * 8, flags)
    assert found.header() == f"00-{TRACE}-{'ab' * 8}-{flags}"


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{SPAN}-01-extra",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01\n",
        f" 00-{TRACE}-{SPAN}-01",
    ],
)
def test_a_broken_one_begins_a_trace(header: str | None) -> None:
    assert continue_trace(header, mint) == FRESH


@given(header=st.text(max_size=80))
def test_no_header_is_a_danger(header: str) -> None:
    assert continue_trace(header, mint).header().count("-") == 3
