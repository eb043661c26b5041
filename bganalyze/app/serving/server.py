"""The server of the page, for one person on this machine only.

Other pages in the same browser and other users of the machine must not misuse it. So it listens on
the loopback interface and accepts only requests to its own address (against DNS rebinding) and from
its own origin. Every request needs a token that is new at each start; the token is in the fragment
of the address (after `#`), which browsers never send. Files come as bytes: no path is ever opened.

No client can block the others. A request is read completely before any work starts. Clients that
send or receive too slowly are disconnected, as is the longest idle one if there are too many. Each
answer is made by a separate process (`app/serving/processes.py`), which ends if it takes too long or
if the client has gone.
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
from bganalyze.app.serving.answers import answer_request, refusal_line
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
from bganalyze.app.serving.reports import can_make_tables
from bganalyze.app.serving.requests import ServerContext
from bganalyze.app.serving.site import MOST_SENT, page_files, security_policy
from bganalyze.app.serving.time_limits import PatientReader, PatientWriter
from bganalyze.files.reading import reason

LOOPBACK = "127.0.0.1"
HOSTS = (LOOPBACK, "localhost")
"""Host names the page may be opened by."""

ASK = "/ask"
TOKEN = "X-Bganalyze-Token"
MOST_HEAD = 2**20
"""Bytes of a request besides its files at most."""
MOST_CONNECTIONS = 128
"""Open connections at most, each with a thread; beyond that, the longest idle one is closed. A
connection is idle while no request of it is being answered."""
_SOON, _NOW_AND_THEN = 0.05, 0.2
"""Seconds between checks whether a client can receive more, and whether an answer takes long."""
MOST_UNSENT = 16 * 2**20
"""Bytes of an answer queued for a slow client before its process has to wait."""

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class Connections:
    """The open connections of a server. Their number is limited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._idle, self._busy = dict[socket.socket, None](), set[socket.socket]()

    def add(self, connection: socket.socket) -> bool:
        """Add a connection, if necessary in place of an idle one; return False if all are busy."""
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
        """Remove a connection that has ended."""
        with self._lock:
            self._idle.pop(connection, None)
            self._busy.discard(connection)

    @contextmanager
    def protect(self, connection: socket.socket) -> Iterator[None]:
        """During a `with` block, keep a connection from being closed because it is idle.

        Raises ConnectionError if it is closed already.
        """
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
    """Shut down a connection, so that its thread closes it."""
    with suppress(OSError):
        # The thread that waits for it then closes it.
        connection.shutdown(socket.SHUT_RDWR)


class PageServer(ThreadingHTTPServer):
    """The server of a page, which ends with its thread even if requests are in progress."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(
        self, context: ServerContext, port: int = 0, answer: Answer = answer_request
    ) -> None:
        """Bind a port, by default any free one; raise OSError if it is in use."""
        self.pool = Pool(answer, context)
        super().__init__((LOOPBACK, port), _Handler)
        self.token = secrets.token_urlsafe(24)
        self.page: Mapping[str, bytes] = page_files(
            {
                "backend": "server",
                "statistics": can_make_tables(),
                "analyze": context.database is not None,
            }
        )
        self.origins = {f"http://{host}:{self.server_port}" for host in HOSTS}
        self.connections = Connections(MOST_CONNECTIONS)

    @property
    def address(self) -> str:
        """The address of the page, with the secret token."""
        return f"http://{LOOPBACK}:{self.server_port}/#token={self.token}"

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Answer until the server is shut down."""
        self.pool.prepare()
        super().serve_forever(poll_interval)

    def server_close(self) -> None:
        """Close the port and end all processes."""
        super().server_close()
        self.pool.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a new thread, or close it if there are too many."""
        if not self.connections.add(request):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be started
            self.connections.remove(request)
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection until it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.remove(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors, such as that the page was closed during an answer."""


def _make_http_chunk(data: bytes) -> bytes:
    r"""Return data in the form of an HTTP chunk. An empty chunk ends the answer.

    >>> _make_http_chunk(b"abc")
    b'3\r\nabc\r\n'
    """
    return b"%x\r\n%b\r\n" % (len(data), data)


class _Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Avoids a delay of 40 ms at the end of each answer."""

    def setup(self) -> None:
        """Set up reading and writing with time limits."""
        super().setup()
        self._reader, self._writer = PatientReader(self.connection), PatientWriter(self.connection)
        self.rfile, self.wfile = io.BufferedReader(self._reader), self._writer

    def handle_one_request(self) -> None:
        """Start a new time limit, then read and answer one request."""
        self._reader.restart_deadline()
        super().handle_one_request()

    def do_GET(self) -> None:
        """Send a file of the page."""
        if not self._is_from_here():
            return
        name = urlsplit(self.path).path.removeprefix("/") or "index.html"
        data = self.server.page.get(name)
        if data is None:
            self._refuse(HTTPStatus.NOT_FOUND, "the page has no such file")
            return
        self.send_response(HTTPStatus.OK)
        self._send_headers(TYPES.get(name.rpartition(".")[2], "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_HEAD = do_GET  # noqa: N815 - named by the standard library

    def do_POST(self) -> None:
        """Answer a request of the page."""
        if not self._is_from_here() or not self._is_asked_by_the_page():
            return
        size = self._read_size()
        if size is None:
            return
        body = self._read_body(size)
        if body is None:
            return
        with self.server.connections.protect(self.connection):
            self._answer_in_turn(body)
        self._writer.send_all_but(0)

    def _read_body(self, expected_size: int) -> bytes | None:
        """Return the body of a request; refuse the request if the body is late or too short."""
        self._reader.restart_deadline()
        try:
            body = self.rfile.read(expected_size)
        except TimeoutError:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request came too slowly")
            return None
        if len(body) < expected_size:
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is shorter than its stated length")
            return None
        return body

    def _answer_in_turn(self, body: bytes) -> None:
        """Wait for a free process, and let it answer a request, unless the client leaves before."""
        with ExitStack() as held:
            try:
                process = held.enter_context(self.server.pool.lend_process(self._has_left))
            except TimeoutError:
                self._refuse(
                    HTTPStatus.SERVICE_UNAVAILABLE,
                    "too many requests at the same time: try again later",
                )
            except ConnectionError:
                self.close_connection = True
            except OSError as error:
                message = f"the program could not be started: {reason(error)}"
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, message)
            else:
                process.send_request(body)
                self._relay_messages(process)

    def _relay_messages(self, process: AnswerProcess) -> None:
        """Send the messages of a process to the client until the answer is complete.

        Raises OSError if the client leaves.
        """
        watched: list[Any] = [process.pipe, self.connection]
        self._has_begun = False
        while process.is_busy:
            ready = wait(watched, _SOON if self._writer.has_unsent else _NOW_AND_THEN)
            if self.connection in ready:
                if self._has_left():
                    raise ConnectionAbortedError
                watched.remove(self.connection)  # The client has already sent the next request.
            if process.pipe in ready:
                self._relay_message(process.receive())
            elif process.is_silent:
                self._relay_message(process.stop())
            self._writer.send_some()
            self._writer.send_all_but(MOST_UNSENT)
            self.server.pool.count_as_long(process)

    def _relay_message(self, message: Message) -> None:
        """Send a message of a process to the client, as part of the response."""
        match message:
            case str(line):
                self._writer.put(_make_http_chunk(line.encode()))
            case Allowed():
                self._send_response_head()
            case Refused(words):
                self._refuse(HTTPStatus.BAD_REQUEST, words)
            case Stopped(words):
                self._send_response_head()
                self._writer.put(
                    _make_http_chunk(refusal_line(words).encode()) + _make_http_chunk(b"")
                )
            case Done():
                self._writer.put(_make_http_chunk(b""))

    def _send_response_head(self) -> None:
        """Send the status and headers of an answer, unless they were sent before."""
        if self._has_begun:
            return
        self._has_begun = True
        self.send_response(HTTPStatus.OK)
        self._send_headers("application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _has_left(self) -> bool:
        """Whether the client has closed its side of the connection."""
        self.connection.settimeout(0)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False

    # Checks of the sender.

    def _is_from_here(self) -> bool:
        """Whether a request has the address of this page and comes from no other site.

        If not, it is refused.
        """
        if f"http://{self.headers.get('Host', '')}" not in self.server.origins:
            self._refuse(
                HTTPStatus.MISDIRECTED_REQUEST,
                "wrong address: open the page at the address that bganalyze serve printed",
            )
            return False
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN, "other sites have no access to this page")
            return False
        return True

    def _is_asked_by_the_page(self) -> bool:
        """Whether a request has the page's origin and secret token. If not, it is refused."""
        own = f"http://{self.headers.get('Host', '')}"
        if urlsplit(self.path).path != ASK:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing at this address")
        elif self.headers.get("Origin") != own:
            self._refuse(HTTPStatus.FORBIDDEN, "other sites may not send requests")
        elif not secrets.compare_digest(
            self.headers.get(TOKEN, "").encode(), self.server.token.encode()
        ):
            message = (
                f"the token is missing or wrong: open the whole address that {NAME} serve printed"
            )
            self._refuse(HTTPStatus.FORBIDDEN, message)
        else:
            return True
        return False

    def _read_size(self) -> int | None:
        """Return the number of bytes in a request's body; refuse the request if that is wrong."""
        size = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (size.isascii() and size.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the length of the request is missing")
        elif len(size) > len(str(MOST_SENT)) or int(size) > MOST_SENT + MOST_HEAD:
            message = f"the files have more than {MOST_SENT // 2**20} MiB, the most that can be sent at once"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        else:
            return int(size)
        return None

    # Responses.

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Send an error response with its reason, and close the connection."""
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
        """Send the headers that all responses have; `kind` is the content type."""
        headers = {
            "Content-Type": kind,
            "Content-Security-Policy": f"{security_policy()}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        for name, value in headers.items():
            self.send_header(name, value)

    def version_string(self) -> str:
        """Return the name of the program without any version."""
        return NAME

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the standard library
        """Log nothing, because requests contain names of files."""
