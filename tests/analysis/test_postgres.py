"""The store on PostgreSQL: a server of its own on loopback, where Debian's package is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from tests.analysis.test_store import KEY, MATCH, find_nothing_at_first

pytestmark = pytest.mark.slow

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
USER = "postgres"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def as_server(*words: object) -> None:
    """Run a program as the user that the server may run as: it refuses to be root."""
    before = ["runuser", "-u", USER, "--"] if os.getuid() == 0 else []
    words = (*before, *map(str, words))
    subprocess.run(words, check=True, capture_output=True, timeout=60, cwd="/")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a server and return the address of its database."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: the extra `postgres`")
    if not SERVERS:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if os.getuid() == 0 and not shutil.which("runuser"):
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    port = free_port()
    with TemporaryDirectory(prefix="bganalyze-pg-") as folder:
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        data, bin_folder = Path(folder, "data"), SERVERS[-1]
        as_server(bin_folder / "initdb", "-D", data, "-A", "trust", "-U", USER, "-E", "UTF8")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"
        control = (bin_folder / "pg_ctl", "-D", data, "-w")
        as_server(*control, "-l", Path(folder, "log"), "-o", options, "start")
        try:
            yield f"postgresql+psycopg://{USER}@127.0.0.1:{port}/postgres"
        finally:
            as_server(*control, "-m", "immediate", "stop")


@pytest.mark.oracle
def test_what_is_kept_comes_back(address: str) -> None:
    assert Store(address).add(MATCH)
    reopened = Store(address)
    assert reopened.find(KEY) == MATCH
    assert reopened.add(MATCH) is False


@pytest.mark.oracle
def test_two_runs_at_once_keep_it_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Store(address), Store(address)
    other = MATCH._replace(key=KEY._replace(level="2ply"))
    find_nothing_at_first(second, monkeypatch)
    assert (first.add(other), second.add(other)) == (True, False)


@pytest.mark.oracle
def test_a_server_that_is_not_there_is_one_clear_line(address: str) -> None:
    nowhere = f"postgresql+psycopg://{USER}@127.0.0.1:{free_port()}/postgres"
    with pytest.raises(StoreError, match="refused") as raised:
        Store(nowhere)
    assert "\n" not in str(raised.value)
