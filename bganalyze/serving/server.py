"""The page with the installed program behind it: a server for one person, on this machine only.

What could misuse such a server is other pages in the same browser and other users of the machine.
So it listens on the loopback interface; it answers only to its own address (a name that is pointed
at this machine gets nothing); it is asked only by its own page (the origin must be its own); and
every question carries a token that is made anew at each start and stands behind the `#` of the
address, which no browser sends anywhere. Files come as bytes: no path of a request is ever opened.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from bganalyze import NAME
from bganalyze.serving.answers import answers
from bganalyze.serving.requests import Desk
from bganalyze.serving.site import MOST_SENT, page_files, policy

LOOPBACK = "127.0.0.1"
HOSTS = (LOOPBACK, "localhost")
"""By which names the page may be opened."""

ASK = "/ask"
TOKEN = "X-Bganalyze-Token"  # noqa: S105 - the name of a header
MOST_HEAD = 2**20
"""How much a request may hold besides its files, in bytes."""
MOST_AT_ONCE = 8
"""So many questions are answered at a time; others wait for their turn."""
MOST_CONNECTIONS = 256
"""So many connections are held: each has a thread, also one that never says what it wants."""
PATIENCE = 60.0
"""Seconds that a browser may take to send, or to receive, the next piece, or waits for its turn."""

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


class PageServer(ThreadingHTTPServer):
    """The server of one page; it ends with the thread that runs it, whatever is under way."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, desk: Desk, port: int = 0) -> None:
        """Bind a port, a free one where none is given; raise OSError where it is taken."""
        super().__init__((LOOPBACK, port), _Handler)
        self.desk, self.token = desk, secrets.token_urlsafe(24)
        self.page: Mapping[str, bytes] = page_files(
            {"backend": "server", "statistics": True, "judge": desk.database is not None}
        )
        self.origins = {f"http://{host}:{self.server_port}" for host in HOSTS}
        self.free = threading.BoundedSemaphore(MOST_AT_ONCE)
        self.connections = threading.BoundedSemaphore(MOST_CONNECTIONS)

    @property
    def address(self) -> str:
        """Where the page is, with the token that it needs."""
        return f"http://{LOOPBACK}:{self.server_port}/#token={self.token}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own; hang up where there are too many."""
        if self.connections.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection until it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed in the middle of an answer is nothing to be told."""


class _Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    wbufsize = 2**16

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
        if not self.server.free.acquire(timeout=PATIENCE):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many questions at a time")
            return
        try:
            body = self.rfile.read(size)
            if len(body) == size:
                self._answer(body)
        finally:
            self.server.free.release()

    def _answer(self, body: bytes) -> None:
        """Write the events as they come; where nobody listens any more, end what makes them."""
        self.send_response(HTTPStatus.OK)
        self._send_headers("application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with suppress(OSError), closing(answers(body, self.server.desk)) as lines:
            for line in lines:
                self._write_chunk(line.encode())
            self._write_chunk(b"")
            return
        self.close_connection = True

    def _write_chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

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
