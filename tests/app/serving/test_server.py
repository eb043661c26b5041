"""The server of the page: it answers its own page on its own machine, and nobody else."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from bganalyze.app.serving import processes
from bganalyze.app.serving import server as module
from bganalyze.app.serving.answers import answer_request as answered_properly
from bganalyze.app.serving.processes import Answer
from bganalyze.app.serving.requests import ServerContext
from bganalyze.app.serving.server import ASK, TOKEN, PageServer
from tests.app.serving.asking import request, sample

SOON = 120.0
"""Seconds: a machine may be busy."""
QUESTION = request("check", sample("faulty/P403-wrong-direction.mat"))


@contextmanager
def running(answer: Answer = answered_properly) -> Iterator[PageServer]:
    """Run a server on a port of its own."""
    with PageServer(ServerContext(), answer=answer) as started:
        thread = threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield started
        started.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """A server on a port of its own."""
    with running() as started:
        yield started


def send_request(
    server: PageServer, method: str, path: str, body: bytes | None = None, **headers: str | None
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Return the status, the headers and the body; headers of None are left out."""
    address = f"127.0.0.1:{server.server_port}"
    usual: dict[str, str | None] = {"Host": address}
    if method == "POST":
        usual |= {"Origin": f"http://{address}", TOKEN: server.token}
        usual |= {"Content-Length": str(len(body or b""))}
    usual |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=SOON)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in usual.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    reply = response.status, response.headers, response.read()
    connection.close()
    return reply


def test_the_page_is_handed_out(server: PageServer) -> None:
    status, headers, body = send_request(server, "GET", "/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b'"backend": "server", "statistics": true' in body
    assert server.token.encode() not in body


def test_the_page_knows_that_packages_for_statistics_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "can_make_tables", lambda: False)
    with PageServer(ServerContext()) as started:
        assert b'"statistics": false' in started.page["index.html"]


def test_it_answers(server: PageServer) -> None:
    status, headers, body = send_request(server, "POST", ASK, QUESTION)
    checked, end = map(json.loads, body.splitlines())
    assert (status, checked["kind"], end) == (200, "checked", {"kind": "end"})
    assert headers["Content-Type"] == "application/x-ndjson"


@pytest.mark.parametrize("path", ["/", "/app.js", "/page.css", "/nothing", "/../pyproject.toml"])
def test_every_answer_says_what_a_browser_may_do_with_it(server: PageServer, path: str) -> None:
    _, headers, _ = send_request(server, "GET", path)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "Access-Control-Allow-Origin" not in headers
    assert "Python" not in headers["Server"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "", None, "0.0.0.0:{}"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_name_that_is_pointed_here_gets_nothing(
    server: PageServer, method: str, host: str | None
) -> None:
    address = host and host.format(server.server_port)
    body = QUESTION if method == "POST" else None
    origin = f"http://{address}" if method == "POST" else None
    status, _, content = send_request(server, method, "/", body, Host=address, Origin=origin)
    assert status == 421
    assert b"<html" not in content


def test_it_may_be_called_localhost(server: PageServer) -> None:
    address = f"localhost:{server.server_port}"
    status, _, _ = send_request(
        server, "POST", ASK, QUESTION, Host=address, Origin=f"http://{address}"
    )
    assert status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        None,
        "http://127.0.0.1",
        "https://127.0.0.1:{}",
        "http://localhost:{}",
    ],
)
def test_another_page_may_not_ask(server: PageServer, origin: str | None) -> None:
    allowed = origin and origin.format(server.server_port)
    status, _, body = send_request(server, "POST", ASK, QUESTION, Origin=allowed)
    assert (status, body) == (403, b"other sites may not send requests")


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_page_may_not_even_look(server: PageServer, method: str, site: str) -> None:
    status, _, _ = send_request(server, method, ASK, QUESTION, Sec_Fetch_Site=site)
    assert status == 403


@pytest.mark.parametrize("token", ["", "wrong", None, "x" * 10_000, "\xe9"])
def test_without_the_token_nothing_is_answered(server: PageServer, token: str | None) -> None:
    status, _, body = send_request(server, "POST", ASK, QUESTION, **{TOKEN: token})
    assert status == 403
    assert b"the whole address that bganalyze serve printed" in body


def test_the_token_is_another_each_time(server: PageServer) -> None:
    with PageServer(ServerContext()) as other:
        assert other.token != server.token
        assert len(other.token) >= 32
        assert other.server_port != server.server_port


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/__init__.py",
        "/app.js/",
        "/./app.js",
        "/C:/x",
        "/" + "a" * 50_000,
    ],
)
def test_nothing_but_the_files_of_the_page_is_handed_out(server: PageServer, path: str) -> None:
    status, _, _ = send_request(server, "GET", path)
    assert status in (404, 414)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"])
def test_other_methods_are_not_known(server: PageServer, method: str) -> None:
    assert send_request(server, method, ASK)[0] == 501


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (str(10**9), 413),
        ("9" * 1000, 413),
        ("-1", 411),
        ("+5", 411),
        ("٣", 411),
        ("", 411),
        (None, 411),
    ],
)
def test_a_question_that_is_too_long_is_not_read(
    server: PageServer, length: str | None, status: int
) -> None:
    value = length.encode().decode("latin-1") if length else length
    assert send_request(server, "POST", ASK, b"x", **{"Content-Length": value})[0] == status


def test_a_question_of_unknown_length_is_not_read(server: PageServer) -> None:
    headers = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    assert send_request(server, "POST", ASK, b"1\r\nx\r\n0\r\n\r\n", **headers)[0] == 411


def test_so_many_are_answered_at_a_time(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(processes, "MOST_SHORT", 0)
        patched.setattr(processes, "TURN", 0.05)
        assert send_request(server, "POST", ASK, QUESTION)[0] == 503
    assert send_request(server, "POST", ASK, QUESTION)[0] == 200


@pytest.mark.slow
def test_a_hundred_that_ask_at_once_are_all_answered(server: PageServer) -> None:
    with ThreadPoolExecutor(100) as askers:
        pending = [askers.submit(send_request, server, "POST", ASK, QUESTION) for _ in range(100)]
    assert {answer.result()[0] for answer in pending} == {200}


def test_where_there_are_too_many_connections_the_one_that_is_idle_for_longest_is_closed(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "connections", module.Connections(2))
    place = "127.0.0.1", server.server_port
    with (
        socket.create_connection(place, timeout=SOON) as first,
        socket.create_connection(place, timeout=SOON) as second,
    ):
        second.sendall(b"GET")
        assert send_request(server, "GET", "/")[0] == 200
        assert first.recv(1) == b""
        second.sendall(b" / HTTP/1.0\r\n\r\n")
        assert second.recv(1) == b"H"


def test_a_question_that_breaks_off_costs_nothing(
    server: PageServer, capfd: pytest.CaptureFixture[str]
) -> None:
    head = (
        f"POST {ASK} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        f"Origin: http://127.0.0.1:{server.server_port}\r\n{TOKEN}: {server.token}\r\n"
        "Content-Length: 1000\r\n\r\nhalf"
    )
    for text in ("", "GET", "\x00\xff\r\n\r\n", head):
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.sendall(text.encode("latin-1"))
    assert send_request(server, "POST", ASK, QUESTION)[0] == 200
    assert capfd.readouterr() == ("", "")


def start_command(*options: str) -> tuple[subprocess.Popen[str], str]:
    """Start the command, and return it with the address that it prints."""
    call = [sys.executable, "-m", "bganalyze", "serve", "--no-browser", *options]
    running = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None
    return running, running.stdout.readline().strip()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_the_command_ends_when_it_is_told_to(number: signal.Signals, status: int) -> None:
    running, address = start_command()
    match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=[\w-]{32}", address)
    assert match
    with socket.create_connection(("127.0.0.1", int(match[1]))):  # somebody is at it
        running.send_signal(number)
        out, complaints = running.communicate(timeout=SOON)
    assert (running.returncode, out) == (status, "")
    assert "Traceback" not in complaints


@pytest.mark.slow
def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        call = [sys.executable, "-m", "bganalyze", "serve", "--no-browser", "--port", str(port)]
        process = subprocess.run(call, capture_output=True, text=True, check=False, timeout=SOON)
    assert process.returncode == 2
    assert process.stderr == f"bganalyze: port {port}: Address already in use\n"


def test_it_listens_on_this_machine_only(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_a_process_is_prepared_only_if_none_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    monkeypatch.setattr(
        processes.Pool, "_start_processes", lambda _, number: started.append(number)
    )
    pool = processes.Pool(answered_properly, ServerContext())
    pool.prepare()
    assert started == [1]
    vars(pool)["_idle"].append(object())
    pool.prepare()
    assert started == [1]
    shutil.rmtree(pool.folder)
