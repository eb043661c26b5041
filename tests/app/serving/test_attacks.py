"""Clients that hold the server of the page as long as they can, and one that is answered meanwhile."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from bganalyze.app.serving import time_limits
from bganalyze.app.serving.answers import stream_answer
from bganalyze.app.serving.processes import AnswerProcess, compute_allowed_seconds
from bganalyze.app.serving.requests import ServerContext
from bganalyze.app.serving.server import ASK, TOKEN, PageServer
from bganalyze.app.serving.time_limits import PatientReader, PatientWriter
from tests.app.serving.asking import SAMPLES, request, sample
from tests.app.serving.misbehaving import BUSY, misbehaving
from tests.app.serving.test_server import QUESTION, SOON, running, send_request

Attack = Callable[[PageServer], bytes]
"""Bytes that an attacker sends before it waits."""


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """Start a server whose answers can be made to misbehave."""
    with running(misbehaving) as started:
        yield started


def head(server: PageServer, size: object, **headers: str) -> bytes:
    host = f"127.0.0.1:{server.server_port}"
    usual = {"Host": host, "Origin": f"http://{host}", TOKEN: server.token, "Content-Length": size}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (usual | headers).items()]
    return "\r\n".join([f"POST {ASK} HTTP/1.1", *lines, "", ""]).encode()


def question(server: PageServer, name: str = "a.mat", content: bytes = b"x") -> bytes:
    body = request("check", {name: content})
    return head(server, len(body)) + body


def connect(server: PageServer) -> socket.socket:
    """Return a connection that takes little before it is read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(SOON)
    client.connect(("127.0.0.1", server.server_port))
    return client


def is_answered(server: PageServer) -> bool:
    status, _, body = send_request(server, "POST", ASK, QUESTION)
    return (status, json.loads(body.splitlines()[-1])) == (200, {"kind": "end"})


def last_line(server: PageServer, name: str) -> dict[str, str]:
    status, _, body = send_request(server, "POST", ASK, request("check", {name: b"x"}))
    assert status == 200
    line: dict[str, str] = json.loads(body.splitlines()[-1])
    return line


def wait_until(condition: Callable[[], object]) -> None:
    until = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def count_busy(folder: Path) -> int:
    """Return how many processes work in the folder. What is deleted meanwhile is passed over."""
    return sum(BUSY in files for _, _, files in os.walk(folder))


def page(server: PageServer) -> bytes:
    return f"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode()


# More than the 128 connections that the server keeps open, where an attack costs it nothing else.
ATTACKS: dict[str, tuple[int, Attack]] = {
    "idle": (140, lambda server: b""),
    "half a request line": (140, lambda server: b"GET"),
    "half a head": (140, lambda server: head(server, 5)[:-2]),
    "headers without end": (40, lambda server: b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 99),
    "a huge header": (40, lambda server: b"GET / HTTP/1.1\r\nX-A: " + b"b" * 2**16),
    "half a body": (40, lambda server: head(server, len(QUESTION)) + QUESTION[:50]),
    "a large body that does not come": (40, lambda server: head(server, 2**27) + b"x"),
    "a length that is too long": (40, lambda server: head(server, 10**6) + QUESTION),
    "a length that is too short": (40, lambda server: head(server, 9) + QUESTION),
    "two lengths": (40, lambda server: head(server, "5\r\nContent-Length: 10")),
    "chunks": (40, lambda server: head(server, 5, Transfer_Encoding="chunked") + b"fffffff\r\n"),
    "HTTP/0.9": (40, lambda server: b"GET /\r\n"),
    "many questions at once": (20, lambda server: question(server) * 50),
    "many pages at once": (20, lambda server: page(server) * 200),
    "an answer that is not taken": (12, lambda server: question(server, "large")),
    "an endless answer that is not taken": (12, lambda server: question(server, "endless")),
    "work without end": (10, lambda server: question(server, "spin")),
    "waiting without end": (10, lambda server: question(server, "sleep")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_somebody_else_is_answered_meanwhile(server: PageServer, name: str) -> None:
    number, attack = ATTACKS[name]
    with ExitStack() as attackers:
        for _ in range(number):
            client = attackers.enter_context(connect(server))
            with suppress(OSError):  # The server may have hung up.
                client.sendall(attack(server))
        assert is_answered(server)


@pytest.mark.slow
def test_whoever_closes_its_half_has_gone(server: PageServer) -> None:
    with ExitStack() as attackers:
        clients = [attackers.enter_context(connect(server)) for _ in range(10)]
        for client in clients:
            client.sendall(question(server, "spin"))
            client.shutdown(socket.SHUT_WR)
        assert is_answered(server)
        assert all(client.recv(2**16) is not None and not client.recv(1) for client in clients)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such timers there")
def test_work_that_takes_too_much_processor_time_is_stopped(server: PageServer) -> None:
    assert last_line(server, "spin and be stopped soon") == {
        "kind": "refused",
        "message": "this took longer than 10 seconds and was stopped",
    }
    assert is_answered(server)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such timers there")
@pytest.mark.parametrize(("ask", "most"), [("check", 10), ("statistics", 60), ("profile", 60)])
def test_statistics_and_profiles_may_take_more_time(
    server: PageServer, ask: str, most: int
) -> None:
    body = request(ask, {"tell seconds left": b"x"})
    _, _, answer = send_request(server, "POST", ASK, body)
    assert most - 2 < float(answer) < most + 1


@pytest.mark.slow
def test_work_that_says_nothing_for_too_long_is_stopped(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(AnswerProcess, "is_silent", True)
        last = last_line(server, "sleep")
    assert last["message"] == "this took longer than 60 seconds and was stopped"
    assert is_answered(server)


@pytest.mark.slow
def test_a_process_that_dies_is_told_and_replaced(server: PageServer) -> None:
    assert "stopped while working" in last_line(server, "die")["message"]
    assert is_answered(server)


@pytest.mark.slow
def test_where_nobody_listens_any_more_the_work_is_ended_and_leaves_no_file() -> None:
    packed = (SAMPLES / "clean/archive.zip").read_bytes()
    with running(misbehaving) as server, ExitStack() as listening:
        folder = Path(server.pool.folder)

        def ask(*names: str) -> None:
            for name in names:
                client = listening.enter_context(connect(server))
                client.sendall(question(server, name, packed))
            wait_until(lambda: count_busy(folder) == len(names))

        ask("spin", "endless", "hold.zip")
        listening.close()
        wait_until(lambda: not count_busy(folder))
        ask("hold.zip")
        server.server_close()
        assert not folder.exists()


@pytest.mark.slow
def test_who_takes_slowly_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "PATIENCE", 0.1)
    server, client = socket.socketpair()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # Each byte taken buys more time.
    with server, client:
        writer = PatientWriter(server)
        with pytest.raises(TimeoutError):
            writer.write(b"x" * 2**22)
        writer.send_some()  # does not wait
        assert writer.has_unsent


def test_who_sends_slowly_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "PATIENCE", 0.1)
    server, client = socket.socketpair()
    is_over = threading.Event()

    def trickle() -> None:
        with suppress(OSError):
            while not is_over.wait(0.01):
                client.send(b"x")

    with server, client:
        sender = threading.Thread(target=trickle)
        sender.start()
        with pytest.raises(TimeoutError):
            io.BufferedReader(PatientReader(server)).read(2**20)
        is_over.set()
        sender.join()


def test_the_time_for_an_answer_follows_from_what_is_read() -> None:
    assert compute_allowed_seconds("check", 0) == 10
    assert compute_allowed_seconds("check", 100 * 2**20) == 110
    met: list[int] = []
    list(
        stream_answer(request("check", sample("clean/archive.zip")), ServerContext(meet=met.append))
    )
    with zipfile.ZipFile(SAMPLES / "clean/archive.zip") as archive:
        assert sorted(met) == sorted(member.file_size for member in archive.infolist())
