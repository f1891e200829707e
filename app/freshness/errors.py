"""Why a link was not looked at, or could not be.

LinkTrouble
├── Refused       it may not be visited from here: no web address, or one of this network
└── Unreachable   nobody answered, or nothing that is HTTP
"""

from __future__ import annotations


class LinkTrouble(Exception):  # noqa: N818 - what became of a link, not a fault of the program
    """Base of what keeps a link from being looked at."""


class Refused(LinkTrouble):
    """The address is not one that may be visited."""


class Unreachable(LinkTrouble):
    """No answer: no such host, no connection, too slow, a broken certificate, or no HTTP."""
