"""Reading from and writing to slow peers, with a limit on the total time.

`http.server` limits the time of each read or write, so a peer that sends or receives a byte now and
then can occupy its thread forever. Here a peer has a number of seconds for a whole message, and gets
more only as bytes are transferred.
"""

from __future__ import annotations

import io
import socket
import time
from typing import Any

PATIENCE = 5.0
"""Seconds a peer has at first: for the head of a request, and again for its body."""

RATE = 2**16
"""Bytes that earn a peer one more second. Peers on the same machine are 1,000 times as fast."""

_PIECE = 2**18
"""Bytes sent with one system call at most."""


class _Deadline:
    """The time by which the other end of a connection must send or receive."""

    def __init__(self) -> None:
        self._until = time.monotonic() + PATIENCE

    def seconds_left(self) -> float:
        """Return the seconds until the deadline; raise TimeoutError if it has passed."""
        seconds = self._until - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def extend_for(self, size: int) -> None:
        """Postpone the deadline by the time that `size` more bytes may take."""
        self._until += size / RATE


class PatientReader(io.RawIOBase):
    """Reader of a connection that raises TimeoutError if the peer sends too slowly."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._patience = _Deadline()

    def restart_deadline(self) -> None:
        """Set a new deadline for reading."""
        self._patience = _Deadline()

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes from the peer into a buffer; return their number or raise TimeoutError."""
        self._connection.settimeout(self._patience.seconds_left())
        size = self._connection.recv_into(buffer)
        self._patience.extend_for(size)
        return size


class PatientWriter(io.BufferedIOBase):
    """Writer to a connection that raises TimeoutError if the peer receives too slowly."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._waiting = bytearray()

    @property
    def has_unsent(self) -> bool:
        """Whether bytes are waiting to be sent."""
        return bool(self._waiting)

    def writable(self) -> bool:
        """Return True: the stream can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Send all bytes of `data`, wait until they are sent, and return their number."""
        self.put(data)
        self.send_all_but(0)
        return len(data)

    def put(self, data: bytes) -> None:
        """Put bytes into the queue of bytes to be sent."""
        self._waiting += data

    def send_some(self) -> None:
        """Send as many waiting bytes as possible without blocking."""
        self._connection.settimeout(0)
        try:
            while self._waiting and self._send():
                pass
        except BlockingIOError:
            return

    def send_all_but(self, most: int) -> None:
        """Send bytes until at most `most` are waiting."""
        patience = _Deadline()
        while len(self._waiting) > most:
            self._connection.settimeout(patience.seconds_left())
            patience.extend_for(self._send())

    def _send(self) -> int:
        """Send some of the waiting bytes; return the number of bytes sent."""
        size = self._connection.send(bytes(self._waiting[:_PIECE]))
        del self._waiting[:size]
        return size
