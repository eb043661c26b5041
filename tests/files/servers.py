"""Servers on this machine, for what is read from elsewhere; each ends with the test."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from typing import ClassVar
from urllib.parse import urlsplit

import pytest

HOST = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder; `/403` and `/500` are refused, `/late` never answers, `/secret` wants a name."""

    asked: ClassVar[list[str]] = []
    """The paths that were asked for."""

    def do_GET(self) -> None:
        self.asked.append(urlsplit(self.path).path)
        if self._is_answered():
            super().do_GET()

    def do_HEAD(self) -> None:
        if self._is_answered():
            super().do_HEAD()

    def _is_answered(self) -> bool:
        path = urlsplit(self.path).path
        if path == "/late":
            sleep(60)
        elif path[1:].isdecimal():
            self.send_error(int(path[1:]))
        elif path.startswith("/secret") and not self.headers.get("Authorization"):
            self.send_error(401)
        else:
            self.path = path.removeprefix("/secret")
            return True
        return False

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path, certificate: Path | None = None) -> Iterator[str]:
    """Serve a folder; give its URL."""
    with ThreadingHTTPServer((HOST, 0), partial(Handler, directory=str(folder))) as server:
        server.daemon_threads = True
        server.block_on_close = False
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http{'s' if certificate else ''}://{HOST}:{server.server_port}"
        server.shutdown()


@contextmanager
def answering(
    *answers: bytes, last: bytes = b"", pause: float = 0, asked: threading.Event | None = None
) -> Iterator[str]:
    """Serve pieces of an answer to every request, and then one without end; give the URL.

    Whatever is asked is answered alike, and `asked` is set then. All ends with the context.
    """
    is_asked, is_over = asked or threading.Event(), threading.Event()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(2**16)
            is_asked.set()
            for piece in answers:
                connection.sendall(piece)
            while last and not is_over.wait(pause):
                connection.sendall(last)

    def accept() -> None:
        while not is_over.is_set():
            with suppress(OSError):
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(0.1)
        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        yield f"http://{HOST}:{listener.getsockname()[1]}"
        is_over.set()
        accepting.join()


def self_signed(path: Path) -> Path:
    """Write a certificate that nobody else has signed, with its key."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    signed = (
        builder.not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    pem = serialization.Encoding.PEM
    path.write_bytes(key.private_bytes(pem, form, plain) + signed.public_bytes(pem))
    return path
