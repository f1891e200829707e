"""The guard of conftest.py works: another machine is out of reach, this one is not."""

from __future__ import annotations

import asyncio
import socket

import pytest

ELSEWHERE = "192.0.2.1"  # reserved for documentation: never a real machine


@pytest.mark.parametrize("call", ["connect", "connect_ex"])
@pytest.mark.parametrize("host", [ELSEWHERE, "example.invalid"])
def test_another_machine_is_out_of_reach(call: str, host: str) -> None:
    with socket.socket() as plug, pytest.raises(RuntimeError, match="only this machine"):
        getattr(plug, call)((host, 80))


def test_a_datagram_to_another_machine_is_refused() -> None:
    with (
        socket.socket(type=socket.SOCK_DGRAM) as plug,
        pytest.raises(RuntimeError, match="only this machine"),
    ):
        plug.sendto(b"x", (ELSEWHERE, 53))


def test_this_machine_can_be_talked_to_from_a_loop() -> None:
    async def echo() -> bytes:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readline())
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"hello\n")
            said = await reader.readline()
            writer.close()
            await writer.wait_closed()
            return said

    assert asyncio.run(echo()) == b"hello\n"


def test_a_local_pair_of_sockets_works() -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"x")
        assert right.recv(1) == b"x"
