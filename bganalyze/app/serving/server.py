"""The page with the installed program behind it: a server for one person, on this machine only.

What could misuse such a server is other pages in the same browser and other users of the machine.
So it listens on the loopback interface; it answers only to its own address (a name that is pointed
at this machine gets nothing); it is asked only by its own page (the origin must be its own); and
every question carries a token that is made anew at each start and stands behind the `#` of the
address, which no browser sends anywhere. Files come as bytes: no path of a request is ever opened.

One client must not keep the others waiting, whatever it does. A question is read to its end before
anything is done about it; a client that sends or takes too slowly is hung up on, and so is the one
that is idle for longest where there are too many. Each answer is worked on by a process of its own
(`app/serving/processes.py`), which ends when it takes too long or when the client has gone.
"""

from __future__ import annotations

import io
import secrets
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import wait
from typing import Any
from urllib.parse import urlsplit

from bganalyze import NAME
from bganalyze.app.serving.answers import answered, refusal
from bganalyze.app.serving.patience import PatientReader, PatientWriter
from bganalyze.app.serving.processes import (
    Allowed,
    Answer,
    AnswerProcess,
    Done,
    Message,
    Pool,
    Refused,
    Stopped,
)
from bganalyze.app.serving.requests import Desk
from bganalyze.app.serving.site import MOST_SENT, page_files, policy
from bganalyze.files.reading import reason

LOOPBACK = "127.0.0.1"
HOSTS = (LOOPBACK, "localhost")
"""By which names the page may be opened."""

ASK = "/ask"
TOKEN = "X-Bganalyze-Token"
MOST_HEAD = 2**20
"""How much a request may hold besides its files, in bytes."""
MOST_CONNECTIONS = 128
"""So many connections are held, each by a thread: where there are more, the one that has been idle for
longest is closed. Idle are those that are not being answered, though they may send or take."""
_SOON, _NOW_AND_THEN = 0.05, 0.2
"""Seconds until it is looked again whether a client takes more, and whether an answer is a long one."""
MOST_UNSENT = 16 * 2**20
"""So many bytes of an answer may wait for a slow client before what makes them has to wait too."""

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class Connections:
    """The connections of a server, of which there are never too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._idle, self._busy = dict[socket.socket, None](), set[socket.socket]()

    def add(self, connection: socket.socket) -> bool:
        """Hold another connection, closing one if there are too many; return whether there is room."""
        with self._lock:
            oldest = next(iter(self._idle), None)
            if len(self._idle) + len(self._busy) >= self._most:
                if oldest is None:
                    return False
                del self._idle[oldest]
                _hang_up(oldest)
            self._idle[connection] = None
            return True

    def remove(self, connection: socket.socket) -> None:
        """Forget a connection that has ended."""
        with self._lock:
            self._idle.pop(connection, None)
            self._busy.discard(connection)

    @contextmanager
    def busy(self, connection: socket.socket) -> Iterator[None]:
        """Keep a connection, whatever others there are; raise ConnectionError if it is closed already."""
        with self._lock:
            if connection not in self._idle:
                raise ConnectionAbortedError
            del self._idle[connection]
            self._busy.add(connection)
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(connection)
                self._idle[connection] = None


def _hang_up(connection: socket.socket) -> None:
    """Wake the thread that waits for a connection; it closes it then."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class PageServer(ThreadingHTTPServer):
    """The server of one page; it ends with the thread that runs it, whatever is under way."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, desk: Desk, port: int = 0, answer: Answer = answered) -> None:
        """Bind a port, a free one where none is given; raise OSError where it is taken."""
        self.pool = Pool(answer, desk)
        super().__init__((LOOPBACK, port), _Handler)
        self.token = secrets.token_urlsafe(24)
        self.page: Mapping[str, bytes] = page_files(
            {"backend": "server", "statistics": True, "analyze": desk.database is not None}
        )
        self.origins = {f"http://{host}:{self.server_port}" for host in HOSTS}
        self.connections = Connections(MOST_CONNECTIONS)

    @property
    def address(self) -> str:
        """Where the page is, with the token that it needs."""
        return f"http://{LOOPBACK}:{self.server_port}/#token={self.token}"

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Answer until the server is shut down."""
        self.pool.prepare()
        super().serve_forever(poll_interval)

    def server_close(self) -> None:
        """Close the port, and end whatever is under way."""
        super().server_close()
        self.pool.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own; hang up where there are too many."""
        if not self.connections.add(request):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # No thread can be started.
            self.connections.remove(request)
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection until it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.remove(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed in the middle of an answer is nothing to be told."""


def _chunk(data: bytes) -> bytes:
    """Return a piece of an answer of unknown length; an empty one ends it."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class _Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Otherwise the end of each answer waits for the client to confirm its beginning: 40 ms."""

    def setup(self) -> None:
        """Read and write with patience, but not for ever."""
        super().setup()
        self._reader, self._writer = PatientReader(self.connection), PatientWriter(self.connection)
        self.rfile, self.wfile = io.BufferedReader(self._reader), self._writer

    def handle_one_request(self) -> None:
        """Answer a request, and give the client as much time for the next."""
        self._reader.begin()
        super().handle_one_request()

    def do_GET(self) -> None:
        """Hand out a file of the page."""
        if not self._is_from_here():
            return
        name = urlsplit(self.path).path.removeprefix("/") or "index.html"
        data = self.server.page.get(name)
        if data is None:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such file of the page")
            return
        self.send_response(HTTPStatus.OK)
        self._send_headers(TYPES.get(name.rpartition(".")[2], "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_HEAD = do_GET  # noqa: N815 - named by the standard library

    def do_POST(self) -> None:
        """Answer a question of the page."""
        if not self._is_from_here() or not self._is_asked_by_the_page():
            return
        size = self._size()
        if size is None:
            return
        body = self._body(size)
        if body is None:
            return
        with self.server.connections.busy(self.connection):
            self._answer_in_turn(body)
        self._writer.send_all_but(0)

    def _body(self, size: int) -> bytes | None:
        """Read a question to its end; None where that does not come, or too slowly."""
        self._reader.begin()
        try:
            body = self.rfile.read(size)
        except TimeoutError:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the question came too slowly")
            return None
        if len(body) < size:
            self._refuse(HTTPStatus.BAD_REQUEST, "the question is shorter than it says")
            return None
        return body

    def _answer_in_turn(self, body: bytes) -> None:
        """Answer when it is the turn of this question, if anybody still waits for the answer."""
        with ExitStack() as held:
            try:
                process = held.enter_context(self.server.pool.process(self._has_left))
            except TimeoutError:
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many questions at a time")
            except ConnectionError:
                self.close_connection = True
            except OSError as error:
                message = f"no process could be started: {reason(error)}"
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, message)
            else:
                process.ask(body)
                self._relay(process)

    def _relay(self, process: AnswerProcess) -> None:
        """Hand on what a process says as it comes.

        Raises OSError when the client has gone, or takes nothing for too long.
        """
        watched: list[Any] = [process.pipe, self.connection]
        self._has_begun = False
        while process.is_busy:
            ready = wait(watched, _SOON if self._writer.waits else _NOW_AND_THEN)
            if self.connection in ready:
                if self._has_left():
                    raise ConnectionAbortedError
                watched.remove(self.connection)  # It has sent the next question already.
            if process.pipe in ready:
                self._hand_on(process.take())
            elif process.is_silent:
                self._hand_on(process.stop())
            self._writer.send_some()
            self._writer.send_all_but(MOST_UNSENT)
            self.server.pool.make_room(process)

    def _hand_on(self, message: Message) -> None:
        match message:
            case str(line):
                self._writer.put(_chunk(line.encode()))
            case Allowed():
                self._begin_answer()
            case Refused(words):
                self._refuse(HTTPStatus.BAD_REQUEST, words)
            case Stopped(words):
                self._begin_answer()
                self._writer.put(_chunk(refusal(words).encode()) + _chunk(b""))
            case Done():
                self._writer.put(_chunk(b""))

    def _begin_answer(self) -> None:
        if self._has_begun:
            return
        self._has_begun = True
        self.send_response(HTTPStatus.OK)
        self._send_headers("application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _has_left(self) -> bool:
        """Whether the client has closed the connection, or its half of it."""
        self.connection.settimeout(0)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False

    # Who asks.

    def _is_from_here(self) -> bool:
        """Whether the page was opened by an address of its own, and by no other page."""
        if f"http://{self.headers.get('Host', '')}" not in self.server.origins:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this is not its address")
            return False
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN, "another page may not have this")
            return False
        return True

    def _is_asked_by_the_page(self) -> bool:
        own = f"http://{self.headers.get('Host', '')}"
        if urlsplit(self.path).path != ASK:
            self._refuse(HTTPStatus.NOT_FOUND, "nothing can be asked there")
        elif self.headers.get("Origin") != own:
            self._refuse(HTTPStatus.FORBIDDEN, "another page may not ask")
        elif not secrets.compare_digest(
            self.headers.get(TOKEN, "").encode(), self.server.token.encode()
        ):
            message = f"open the address that {NAME} serve has printed: its end is the key"
            self._refuse(HTTPStatus.FORBIDDEN, message)
        else:
            return True
        return False

    def _size(self) -> int | None:
        """How long the question is; None where that is not said, or it is too long."""
        size = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (size.isascii() and size.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the length of the question is missing")
        elif len(size) > len(str(MOST_SENT)) or int(size) > MOST_SENT + MOST_HEAD:
            message = f"more than {MOST_SENT // 2**20} MiB, the most that is taken at once"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        else:
            return int(size)
        return None

    # What is sent.

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Say why not, and hang up: what the body holds is not read."""
        self.close_connection = True
        data = message.encode()
        self.send_response(status)
        self._send_headers("text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_headers(self, kind: str) -> None:
        headers = {
            "Content-Type": kind,
            "Content-Security-Policy": f"{policy()}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        for name, value in headers.items():
            self.send_header(name, value)

    def version_string(self) -> str:
        """Name the program, and nothing of what it runs on."""
        return NAME

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the standard library
        """Say nothing: names of files are nobody's business."""
