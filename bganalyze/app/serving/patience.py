"""Reading and writing a connection with patience for a slow peer, but not for ever.

`http.server` gives each single read or write a time limit, so a peer that sends or takes a byte now
and then holds its thread for as long as it likes. Here a peer has so many seconds for all that it is
to send or to take, and more only as bytes go by.
"""

from __future__ import annotations

import io
import socket
import time
from typing import Any

PATIENCE = 5.0
"""Seconds in which something must go by: the head of a request, and the beginning of the rest."""

RATE = 2**16
"""How many bytes make one second more. A peer on the same machine is a thousand times as fast."""

_PIECE = 2**18
"""How many bytes are handed to the system at a time."""


class _Patience:
    """How long a peer is still waited for."""

    def __init__(self) -> None:
        self._until = time.monotonic() + PATIENCE

    def left(self) -> float:
        """Return the seconds that are left; raise TimeoutError if there are none."""
        seconds = self._until - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def count(self, size: int) -> None:
        """Wait longer for a peer that has sent or taken so many bytes."""
        self._until += size / RATE


class PatientReader(io.RawIOBase):
    """What a peer sends; reading it raises TimeoutError if it comes too slowly."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._patience = _Patience()

    def begin(self) -> None:
        """Wait for something new from now on."""
        self._patience = _Patience()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(self._patience.left())
        size = self._connection.recv_into(buffer)
        self._patience.count(size)
        return size


class PatientWriter(io.BufferedIOBase):
    """What a peer is sent; writing it raises TimeoutError if it is taken too slowly."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._waiting = bytearray()

    @property
    def waits(self) -> bool:
        """Whether anything is still to be taken by the peer."""
        return bool(self._waiting)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Send bytes, and wait until they are taken."""
        self.put(data)
        self.send_all_but(0)
        return len(data)

    def put(self, data: bytes) -> None:
        """Add bytes to those that wait, without sending any."""
        self._waiting += data

    def send_some(self) -> None:
        """Send as much as the peer takes at once."""
        self._connection.settimeout(0)
        try:
            while self._waiting and self._send():
                pass
        except BlockingIOError:
            return

    def send_all_but(self, most: int) -> None:
        """Send until no more than so many bytes wait."""
        patience = _Patience()
        while len(self._waiting) > most:
            self._connection.settimeout(patience.left())
            patience.count(self._send())

    def _send(self) -> int:
        size = self._connection.send(bytes(self._waiting[:_PIECE]))
        del self._waiting[:size]
        return size
