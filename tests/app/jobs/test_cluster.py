"""The workers of a Dask cluster: what they compute is what processes of this machine compute."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from typer.testing import CliRunner, Result

from bganalyze.app.cli.app import app
from bganalyze.app.jobs import cluster as clusters
from bganalyze.app.jobs.executor import DIED, LATE, Started, WorkerError, map_files
from bganalyze.app.jobs.workers import COLLECT_AFTER
from bganalyze.files.reading import FileToRead, find_files
from tests.app.jobs.clusters import ROOT, serve_cluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="the extra `cluster` is not installed"
    ),
]

SAMPLES = ROOT / "samples"
FAULTY = sorted((SAMPLES / "faulty").glob("[CR]*.mat"))[::8]
CLEAN = sorted((SAMPLES / "clean").glob("*.mat"))[::8]
FINDINGS = ("text", "jsonl", "sarif")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with serve_cluster(tmp_path_factory.mktemp("cluster"), 2) as server:
        yield server.address


@pytest.fixture
def cluster(address: str) -> Iterator[clusters.Cluster]:
    connected = clusters.Cluster(address)
    yield connected
    connected.close()


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def items(number: int) -> list[FileToRead]:
    return [FileToRead(str(at), "here", held=b"") for at in range(number)]


# Work of the workers


def slow(item: FileToRead) -> str:
    time.sleep(0.01)
    return item.path


def process(item: FileToRead) -> int:
    time.sleep(0.02)
    return os.getpid()


def fails(item: FileToRead) -> str:
    raise ValueError(f"no luck with {item.path}")


def threshold(item: FileToRead) -> int:
    return gc.get_threshold()[0]


def sleepy(number: int) -> int:
    time.sleep(120 if number == 3 else 0)
    return number


def one_second_for_three(number: int) -> float:
    return 1.0 if number == 3 else 60.0


def a_minute(_: object) -> float:
    return 60.0


class TestCommands:
    @pytest.mark.parametrize("kind", FINDINGS)
    def test_check(self, address: str, kind: str) -> None:
        words = ("check", *FAULTY, *CLEAN, "--format", kind, "--severity", "info", "--no-cache")
        local, remote = run(*words, "--workers", 1), run(*words, "--cluster", address)
        assert remote.stdout == local.stdout
        assert (remote.exit_code, remote.stderr) == (local.exit_code, local.stderr)
        assert local.exit_code == 1

    def test_stats(self, address: str) -> None:
        words = (
            "stats",
            *CLEAN[:3],
            "--report",
            "points,dice,checker,findings",
            "--format",
            "json",
        )
        local, remote = run(*words, "--workers", 1), run(*words, "--cluster", address)
        assert remote.stdout == local.stdout
        assert (remote.exit_code, remote.stderr) == (local.exit_code, local.stderr)

    def test_analyze(self, address: str, tmp_path: Path) -> None:
        pytest.importorskip("bgsage", reason="the extra `engine` is not installed")
        matches = [SAMPLES / "clean" / f"{name}.mat" for name in ("short-match", "one-point")]
        exports = []
        for name, words in (("here", ("--workers", 1)), ("there", ("--cluster", address))):
            db = tmp_path / f"{name}.db"
            analyzed = run("analyze", *matches, "--level", "1ply", "--db", db, *words)
            assert analyzed.exit_code == 0
            exports.append(run("export", "--db", db, "--format", "csv").stdout)
        assert exports[0] == exports[1]
        assert "short-match" in exports[0]

    def test_collect(self, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("pyarrow", reason="the extra `store` is not installed")
        pytest.importorskip("duckdb", reason="the extra `store` is not installed")
        monkeypatch.setattr("bganalyze.app.jobs.collect.FILES_A_SHARD", 3)
        for name, words in (("here", ("--workers", 1)), ("there", ("--cluster", address))):
            monkeypatch.chdir(tmp_path)
            result = run("collect", *CLEAN, "--store", name, *words)
            assert (result.exit_code, result.stderr) == (0, "")
        assert read_shards(tmp_path / "there") == read_shards(tmp_path / "here")
        assert len(read_shards(tmp_path / "here")) > 10


def read_shards(store: Path) -> dict[Path, bytes]:
    """Return the files of the shards of a store."""
    files = (store / "shards").rglob("*.parquet")
    return {file.relative_to(store): file.read_bytes() for file in files}


class TestPromises:
    def test_the_order_is_that_of_the_files(self, cluster: clusters.Cluster) -> None:
        assert list(map_files(slow, items(300), cluster)) == [str(at) for at in range(300)]

    def test_both_workers_have_work_where_there_is_little(self, cluster: clusters.Cluster) -> None:
        assert len(set(map_files(process, items(64), cluster))) == 2

    def test_files_are_taken_as_they_are_needed(self, cluster: clusters.Cluster) -> None:
        consumed: list[FileToRead] = []
        endless = (consumed.append(item) or item for item in items(100_000))
        results = map_files(slow, endless, cluster)
        assert [next(results) for _ in range(3)] == ["0", "1", "2"]
        results.close()
        assert len(consumed) < 200

    def test_contents_come_from_here(
        self, cluster: clusters.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("here.mat").write_bytes(b"what is here")
        contents = list(map_files(content_of, find_files(["here.mat", "absent.txt"]), cluster))
        assert contents == ["b'what is here'", "UnreadableError('No such file or directory', None)"]

    def test_an_error_of_the_function_comes_back(self, cluster: clusters.Cluster) -> None:
        with pytest.raises(ValueError, match="no luck with"):
            list(map_files(fails, items(20), cluster))

    def test_a_function_that_no_worker_has(
        self, cluster: clusters.Cluster, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "only_here", ModuleType("only_here"))
        exec("def stranger(item): return item", sys.modules["only_here"].__dict__)
        function = sys.modules["only_here"].stranger
        with pytest.raises(WorkerError, match="a worker cannot do the work: ModuleNotFoundError"):
            list(map_files(function, items(20), cluster))

    def test_garbage_is_left_while_files_are_done_and_not_longer(
        self, cluster: clusters.Cluster
    ) -> None:
        before = cluster.call_on_foreign_workers(gc.get_threshold)
        assert set(map_files(threshold, items(64), cluster)) == {COLLECT_AFTER}
        assert cluster.call_on_foreign_workers(gc.get_threshold) == before

    def test_a_worker_that_is_killed_costs_nothing(self, cluster: clusters.Cluster) -> None:
        results = map_files(slow, items(400), cluster)
        beginning = [next(results) for _ in range(20)]
        victim, *_ = cluster.call_on_foreign_workers(os.getpid).values()
        os.kill(victim, signal.SIGKILL)
        assert beginning + list(results) == [str(at) for at in range(400)]

    def test_all_is_analyzed_in_one_thread_of_a_worker(self, cluster: clusters.Cluster) -> None:
        """The engine keeps what it has computed with its thread."""
        results = dict(cluster.run_watched(place_of, range(12), a_minute))
        threads = {result for result in results.values() if result != Started()}
        assert len(threads) == len({worker for worker, _ in threads})

    def test_what_hangs_is_lost_and_its_worker_replaced(self, cluster: clusters.Cluster) -> None:
        results = dict(cluster.run_watched(sleepy, range(6), one_second_for_three))
        assert results == {0: 0, 1: 1, 2: 2, 3: LATE, 4: 4, 5: 5}


def place_of(item: int) -> tuple[int, str]:
    del item
    return os.getpid(), threading.current_thread().name


def content_of(item: FileToRead) -> str:
    return repr(item.held)


# Workers or packages that are missing: reported in one line, without waiting


class Answering:
    """A client of a cluster, as far as its workers are asked what they have."""

    status = "running"

    def __init__(self, **answers: object) -> None:
        self.answers = answers

    def run(self, question: Callable[[], str], **_: object) -> dict[str, object]:
        name = question.args[0] if isinstance(question, partial) else question.__name__
        return {"tcp://there": self.answers.get(name.partition(":")[0], question())}

    def wait_for_workers(self, *_: object, **__: object) -> None:
        """They are there."""

    def close(self, **_: object) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"python_version": "3.9.2"}, r"tcp://there has Python 3\.9, but this machine has 3\.1\d"),
        ({"bganalyze": "0.0.1"}, r"tcp://there has bganalyze 0\.0\.1, but this machine has "),
        ({"bganalyze": ModuleNotFoundError("bganalyze")}, "tcp://there has no bganalyze; install"),
        ({"bganalyze": OSError("full")}, r"tcp://there fails: OSError\('full'\)"),
    ],
)
def test_workers_that_are_not_as_this_program_is(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, object], message: str
) -> None:
    monkeypatch.setattr(clusters, "_join_cluster", lambda _: (None, Answering(**answers)))
    with pytest.raises(WorkerError, match=message):
        clusters.Cluster("tcp://here")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:0", "--cluster local:0: a local cluster is local:N, such as local:4"),
        ("there", "no Dask scheduler at there: missing port number in address 'there'"),
        ("http://x:1", "no Dask scheduler at http://x:1: unknown address scheme 'http'"),
        (
            "tls://127.0.0.1:1",
            "no Dask scheduler at tls://127.0.0.1:1: TLS expects a `ssl_context`",
        ),
        (
            "tcp://127.0.0.1:1",
            "no Dask scheduler at tcp://127.0.0.1:1: nobody answers within 1 sec",
        ),
    ],
)
def test_addresses_where_no_scheduler_is(
    monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 1.0)
    result = run("check", SAMPLES / "clean" / "one-point.mat", "--cluster", address)
    assert result.stderr.startswith(f"bganalyze: {message}")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_what_is_there_may_be_a_worker(cluster: clusters.Cluster) -> None:
    worker, *_ = cluster.call_on_foreign_workers(os.getpid)
    with pytest.raises(WorkerError, match="a worker of a cluster is there, not a scheduler"):
        clusters.Cluster(worker)


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_cluster(tmp_path, 0) as server:
        monkeypatch.setattr(clusters, "PATIENCE", 4.0)
        with pytest.raises(WorkerError, match="it has no workers; `dask worker tcp://"):
            clusters.Cluster(server.address)


def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    with serve_cluster(tmp_path, 1) as server:
        joined = clusters.Cluster(server.address)
        results = map_files(slow, items(10_000), joined)
        next(results)
        server.scheduler.kill()
        with pytest.raises(WorkerError, match="the scheduler went away before all was done"):
            list(results)
        joined.close()


def test_workers_that_go_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "LEFT_ALONE", 1.0)
    with serve_cluster(tmp_path, 1) as server:
        joined = clusters.Cluster(server.address)
        results = map_files(slow, items(10_000), joined)
        next(results)
        server.workers.kill()
        with pytest.raises(WorkerError, match="it has no workers any more"):
            list(results)
        joined.close()


def test_a_local_cluster_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask sets these before it starts a worker; a cluster of another machine changes nothing here."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    started = object.__new__(clusters.Cluster)
    started._environment = dict(os.environ)
    started._client = SimpleNamespace(wait_for_workers=print, close=print)  # type: ignore[assignment]
    for local in (None, SimpleNamespace(workers=(), close=print)):
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        monkeypatch.setenv("PYTHONSAFEPATH", "1")
        started._started = local  # type: ignore[assignment]
        started.close()
        assert os.environ["OMP_NUM_THREADS"] == ("1" if local is None else "3")
        assert ("PYTHONSAFEPATH" in os.environ) is (local is None)


def test_either_processes_here_or_those_of_a_cluster() -> None:
    result = run("check", "a.mat", "--workers", 2, "--cluster", "local:2")
    assert result.stderr == (
        "bganalyze: --workers are processes of this machine; --cluster has its own workers\n"
    )


# Work that is lost for good: worker after worker dies over it


class Dying:
    """A cluster whose workers die over one item."""

    def __init__(self, deadly: object) -> None:
        self.deadly, self.size = deadly, 2

    def submit(self, work: Callable[[list[object]], object], batch: list[object]) -> Ended:
        return Ended([getattr(item, "path", item) for item in batch], self.deadly)


class Ended:
    """The future of a task that has ended."""

    def __init__(self, batch: list[object], deadly: object) -> None:
        self.batch, self.deadly = batch, deadly

    def add_done_callback(self, then: Callable[[Ended], None]) -> None:
        then(self)

    def result(self, timeout: float) -> tuple[str, list[object]]:
        from distributed import KilledWorker

        if self.deadly in self.batch:
            raise KilledWorker("task", None, 3)
        return "tcp://there", self.batch

    def release(self) -> None:
        """Nothing is held."""


def test_a_deadly_item_costs_no_other_one() -> None:
    tasks: clusters.Tasks[int, int] = clusters.Tasks(Dying(deadly=77), abs)  # type: ignore[arg-type]
    waiting, results = iter(range(200)), {}
    while tasks.hand_over(waiting) or tasks.under_way:
        results |= dict(tasks.wait_for_results())
    assert results.pop(77) == DIED
    assert results == {number: number for number in range(200) if number != 77}
