"""Files behind URLs: found and read as local ones are, and no credential is ever shown."""

from __future__ import annotations

import gzip
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bganalyze.files import limits, remote
from bganalyze.files.addresses import Address, hide_credentials, hide_credentials_in, is_url
from bganalyze.files.reading import (
    FileToRead,
    UnreadableError,
    count_files,
    distinct_paths,
    find_files,
    holds_many_files,
    load_file,
)
from tests.files.servers import Handler, answering, self_signed, serving
from tests.files.test_archives import SOME, make_zip, tar

fsspec = pytest.importorskip("fsspec", reason="the extra remote is not installed")
pytest.importorskip("aiohttp", reason="the extra remote is not installed")

web = pytest.importorskip("bganalyze.files.web")

FILES = {
    "a.mat": b"a",
    "b/c.mat.gz": gzip.compress(b"c"),
    "b/d.tgz": gzip.compress(tar(SOME)),
    "e.zip": make_zip({"i.tar": tar(SOME), "x": b"x"}),
    ".hidden/f.mat": b"f",
    "g h.mat": b"g",
}

SECRETS = [
    ("https://ann:pa55word@club.example/a.mat", "https://***@club.example/a.mat"),
    ("https://ann:pa/55word@club.example/a.mat", "https://***@club.example/a.mat"),
    ("s3://AKIA123:ab/pa55word+@club/a.mat", "s3://***@club/a.mat"),
    ("https://h/a?X-Amz-Signature=pa55word&id=7", "https://h/a?X-Amz-Signature=***&id=7"),
    ("https://h/a?pa55word", "https://h/a?***"),
    ("https://h/a?id=pa55word#access_token=pa55word", "https://h/a?id=***#***"),
    ("https://h/a;session=pa55word/b", "https://h/a;session=***/b"),
    ("https://h/a.zip?sig=pa55word!b.mat", "https://h/a.zip?sig=***!b.mat"),
    ("zip://a.mat::https://u:pa55word@h/a.zip", "zip://a.mat::https://***@h/a.zip"),
    ("simplecache::https://pa55word@h/a.mat", "simplecache::https://***@h/a.mat"),
]
SOON = 120.0
"""Seconds: a machine may be busy."""

PLAIN = [
    "https://club.example:8080/@ann/a.mat",
    "https://[0:0:0:0:0:0:0:1]:80/a.mat",
    "s3://club/match?[0-9].mat",
    "memory://club/a.mat",
    "https://club.example/download?id=17",
]


def read(path: str, root: str = "") -> dict[str, bytes | str]:
    contents: dict[str, bytes | str] = {}
    for item in find_files([path]):
        assert item.root == hide_credentials(path)
        try:
            contents[item.path.removeprefix(root)] = load_file(item)
        except UnreadableError as error:
            contents[item.path.removeprefix(root)] = str(error)
    return contents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "club" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path


@pytest.fixture
def memory(folder: Path) -> Iterator[str]:
    system = fsspec.filesystem("memory")
    system.pipe({f"/club/{name}": content for name, content in FILES.items()})
    yield "memory:/"
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.fixture
def file(folder: Path) -> str:
    return f"file://{folder}"


@pytest.fixture
def http(folder: Path) -> Iterator[str]:
    with serving(folder) as url:
        yield url


@pytest.fixture
def https(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(fsspec.config.conf, "https", {"ssl": False})
    with serving(folder, self_signed(folder / "certificate.pem")) as url:
        yield url


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """A bucket of S3, on a server of this machine.

    It serves until the end of all tests: connections are kept, and the tests of this module may run
    in several parts.
    """
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    server = pytest.importorskip("moto.server", reason="moto with its server is not installed")
    started = server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


@pytest.fixture
def s3(bucket: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "pa55word")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "pa55word")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    if not system.exists("league"):
        system.mkdir("league")
    for name, content in FILES.items():
        system.pipe(f"league/club/{name}", content)
    return "s3://league"


@pytest.fixture(
    params=["memory", "file", "http", "https", pytest.param("s3", marks=pytest.mark.slow)]
)
def place(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


class TestPlaces:
    def test_a_folder_gives_what_the_local_folder_gives(self, place: str, folder: Path) -> None:
        local = {
            item.path.removeprefix(str(folder)).replace(" ", "%20"): load_file(item)
            for item in find_files([str(folder / "club")])
        }
        served_contents = {
            name.replace(" ", "%20"): content
            for name, content in read(f"{place}/club/", place).items()
        }
        assert list(served_contents.items()) == list(local.items())

    def test_a_file(self, place: str) -> None:
        assert read(f"{place}/club/a.mat", place) == {"/club/a.mat": b"a"}
        assert read(f"{place}/club/b/c.mat.gz", place) == {"/club/b/c.mat.gz": b"c"}
        (item,) = find_files([f"{place}/club/a.mat"])
        assert item.named

    def test_an_archive_and_its_members(self, place: str) -> None:
        inside = {f"/club/e.zip!i.tar!{name}": content for name, content in SOME.items()}
        assert read(f"{place}/club/e.zip", place) == inside | {"/club/e.zip!x": b"x"}
        assert read(f"{place}/club/e.zip!i.tar", place) == inside
        assert read(f"{place}/club/e.zip!i.tar!b.mat", place) == {"/club/e.zip!i.tar!b.mat": b"bb"}
        assert read(f"{place}/club/e.zip!no", place) == {
            "/club/e.zip!no": "no such member in the archive"
        }

    def test_a_pattern(self, place: str) -> None:
        contents = read(f"{place}/club/*.mat", place)
        assert [name.replace(" ", "%20") for name in contents] == ["/club/a.mat", "/club/g%20h.mat"]

    @pytest.mark.slow
    @pytest.mark.parametrize(("path", "expected"), [("/", True), ("/a.mat", False), ("/*", True)])
    def test_what_holds_many(self, place: str, path: str, expected: bool) -> None:
        assert holds_many_files(f"{place}/club{path}") == expected

    @pytest.mark.slow
    @pytest.mark.parametrize("path", ["/no.mat", "/no.zip", "/no.zip!a", "/no/"])
    def test_what_is_not_there(self, place: str, path: str) -> None:
        assert read(f"{place}/club{path}", place) == {
            f"/club{path.partition('!')[0]}": "No such file or directory"
        }


class TestLimits:
    def test_a_large_file_is_not_read(self, memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "LIMIT", 0)
        assert read(f"{memory}/club/a.mat", memory)["/club/a.mat"] == (
            "larger than 64 MiB, the limit"
        )

    def test_of_an_archive_no_more_is_fetched_than_it_may_hold(
        self, http: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remote, "TOTAL_LIMIT", 10)
        (problem,) = read(f"{http}/club/e.zip").values()
        assert problem == "larger than 0 GiB; download it yourself"

    def test_an_archive_is_fetched_once(self, http: str) -> None:
        Handler.asked.clear()
        items = list(find_files([f"{http}/club/"]))
        assert [load_file(item) for item in [*items, *items[::-1]]]
        assert Handler.asked.count("/club/b/d.tgz") == 1

    def test_where_the_copy_is_gone_there_is_another(self, memory: str) -> None:
        (item, *_) = find_files([f"{memory}/club/e.zip"])
        assert load_file(item._replace(copy="/nowhere")) == load_file(item)

    def test_nothing_is_counted_beforehand(self, memory: str) -> None:
        assert count_files([f"{memory}/club"]) is None

    def test_of_two_spellings_one_is_enough(self) -> None:
        assert distinct_paths(
            ["memory://a", "memory://a", "https://h/a?k=1", "https://h/a?k=2"]
        ) == [
            "memory://a",
            "https://h/a?k=1",
            "https://h/a?k=2",
        ]


class TestTrouble:
    @pytest.mark.parametrize(
        ("path", "problem"),
        [
            ("/403", "the server answers 403 Forbidden"),
            ("/500", "the server answers 500 Internal Server Error"),
            ("/404", "No such file or directory"),
            ("/secret/club/a.mat", "the server answers 401 Unauthorized"),
        ],
    )
    def test_what_a_server_answers_is_told(self, http: str, path: str, problem: str) -> None:
        assert read(f"{http}{path}") == {f"{http}{path}": problem}

    def test_who_is_named_in_the_url_is_let_in(self, http: str) -> None:
        url = http.replace("://", "://ann:pa55word@")
        assert read(f"{url}/secret/club/a.mat", http) == {
            f"{http.replace('://', '://***@')}/secret/club/a.mat": b"a"
        }

    @pytest.mark.slow
    def test_a_server_that_does_not_answer(
        self, http: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remote, "TIMEOUT", 0.3)
        assert read(f"{http}/late", http) == {"/late": "no answer within 0.3 seconds"}

    def test_no_server_at_all(self) -> None:
        (problem,) = read("http://127.0.0.1:1/a.mat?key=pa55word").values()
        assert str(problem).startswith("no connection (")

    def test_a_certificate_that_nobody_has_signed(self, folder: Path) -> None:
        with serving(folder, self_signed(folder / "certificate.pem")) as url:
            (problem,) = read(f"{url}/a.mat").values()
        assert "certificate verify failed" in str(problem)

    def test_an_unknown_protocol(self) -> None:
        assert read("nosuch://a") == {"nosuch://a": "Protocol not known: nosuch"}

    @pytest.mark.parametrize(
        ("url", "module", "package"),
        [
            ("memory://never", "fsspec.core", "fsspec"),
            ("s3a://club/a.mat", "s3fs", "s3fs"),
            ("gs://club/a.mat", "gcsfs", "gcsfs"),
            ("http://h/a.mat", "aiohttp", "aiohttp"),
        ],
    )
    def test_a_missing_package_is_named(
        self, monkeypatch: pytest.MonkeyPatch, url: str, module: str, package: str
    ) -> None:
        monkeypatch.setitem(sys.modules, module, None)
        (problem,) = read(url).values()
        assert f"needs the package {package}: " in str(problem)
        assert "install" in str(problem)


OK = b"HTTP/1.1 200 OK\r\n"
PAGE = OK + b"Content-Type: text/html\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: "


class TestHostileServers:
    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote, "PATIENCE", 0.5)
        monkeypatch.setattr(remote, "_silences", Counter())

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "beginning",
        [OK, OK + b"Content-Length: 1000000\r\n\r\n", OK + b"\r\n", OK + b"X-A: "],
        ids=["headers", "a body of a length", "a body without one", "a header"],
    )
    @pytest.mark.parametrize("path", ["/a.mat", "/a.zip", "/folder/", "/*.mat"])
    def test_a_byte_now_and_then_is_too_slow(
        self, beginning: bytes, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remote, "PATTERN_PATIENCE", 0.5)
        kind = b"" if beginning == OK + b"X-A: " else b"\r\n"
        with answering(beginning, last=b"x" + kind * (beginning == OK), pause=0.05) as url:
            (problem,) = read(f"{url}{path}").values()
        assert str(problem).startswith("too slow: given up after") or "valid HTTP" in str(problem)

    @pytest.mark.slow
    def test_the_other_files_are_read(self, folder: Path) -> None:
        with answering(OK, last=b"x", pause=0.05) as url:
            slow, local = find_files([f"{url}/a.mat", str(folder / "club" / "a.mat")])
            with pytest.raises(UnreadableError, match="too slow"):
                load_file(slow)
            assert load_file(local) == b"a"

    @pytest.mark.slow
    def test_a_server_that_was_too_slow_too_often_is_asked_no_more(self) -> None:
        with answering(OK, last=b"x", pause=0.05) as url:
            problems = [str(read(f"{url}/{name}.mat").popitem()[1]) for name in "abcd"]
        assert [text.partition(":")[0] for text in problems] == [*["too slow"] * 3, "skipped"]

    def test_a_large_file_may_take_longer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote, "RATE", 1)
        pieces = [b"x"] * 20
        with answering(OK + b"Content-Length: 20\r\n\r\n", *pieces, last=b"", pause=0) as url:
            assert read(f"{url}/a.mat", url) == {"/a.mat": b"x" * 20}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("answer", "problem"),
        [
            (OK + b"Content-Length: 9\r\n\r\nx", "the server sent an incomplete or broken answer"),
            (OK + b"Content-Length: -5\r\n\r\nx", "the server's answer is not valid HTTP"),
            (OK + b"Content-Length: 99999999999\r\n\r\nx", "larger than 64 MiB"),
            (b"\0\xff" * 99, "the server's answer is not valid HTTP"),
            (OK + b"X-A: " + b"b" * 10**5, "the server's answer is not valid HTTP"),
            (OK + b"X-A: b\r\n" * 10**4, "the server's answer is not valid HTTP"),
            (b"", "the server closed the connection"),
            (FOUND + b"/x\r\n\r\n", "the server redirects too often"),
            (
                FOUND + b"file:///etc/passwd\r\n\r\n",
                "the server redirects to an address that is not on the",
            ),
            (
                FOUND + b"ftp://127.0.0.1/a\r\n\r\n",
                "the server redirects to an address that is not on the",
            ),
            (FOUND + b"http://[::1/a\r\n\r\n", "the server redirects to an invalid address"),
        ],
    )
    def test_what_is_wrong_with_an_answer_is_told_in_a_line(
        self, answer: bytes, problem: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remote, "PATIENCE", 60)
        with answering(answer) as url:
            (told,) = read(f"{url}/a.mat").values()
        assert str(told).startswith(problem)
        assert "\n" not in str(told)

    @pytest.mark.parametrize("path", ["/a.mat", "/a.tar"])
    def test_a_file_without_end(self, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote, "PATIENCE", 60)
        monkeypatch.setattr(remote, "TOTAL_LIMIT", 10**6)
        monkeypatch.setattr(remote, "LIMIT", 10**6)
        monkeypatch.setattr(limits, "LIMIT", 10**6)
        with answering(OK + b"\r\n", last=b"x" * 2**16) as url:
            content = read(f"{url}{path}", url)[path]
        assert len(content) == 10**6 + 1 or "larger than" in str(content)

    def test_what_is_compressed_on_its_way_is_unpacked_within_limits(self) -> None:
        packed = gzip.compress(b"a transcript")
        head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
        with answering(head + packed) as url:
            (item,) = find_files([f"{url}/a.mat"])
            assert remote.fetch_content(Address(f"{url}/a.mat")) == packed
            assert load_file(item) == b"a transcript"

    def test_a_folder_without_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote, "PATIENCE", 60)
        monkeypatch.setattr(web, "LISTING_LIMIT", 10**6)
        with answering(PAGE + b"\r\n", last=b'<a href="a.mat">' * 1000) as url:
            assert read(f"{url}/b/") == {f"{url}/b/": "the list of the folder exceeds 0 MiB"}

    def test_folders_without_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(remote, "PATIENCE", 60)
        monkeypatch.setattr(remote, "FOLDER_LIMIT", 20)
        links = b"".join(b'<a href="%d/">' % number for number in range(5))
        page = PAGE + b"Content-Length: %d\r\n\r\n" % len(links) + links
        with answering(page) as url:
            assert read(f"{url}/b/") == {
                f"{url}/b/": "too many folders, or too slow: stopped after 20"
            }

    @pytest.mark.slow
    @pytest.mark.parametrize("text", [b"<a ", b"<a href", b"<a href=", b"<a\n", b"<a x=' "])
    def test_links_are_looked_for_in_linear_time(self, text: bytes) -> None:
        for page in (text * 10**5, text + b" " * 10**6, text + b"<a " * 10**5):
            assert list(web.find_links_below("http://h/", page.decode())) == []


class TestChains:
    """URLs of fsspec with other URLs inside, which ignore limits and may write anywhere."""

    @pytest.mark.parametrize(
        "chain",
        [
            "simplecache::{}",
            "filecache::{}",
            "blockcache::{}",
            "dask::{}",
            "reference::{}",
            "dir::{}",
            "zip://a.mat::{}",
            "tar://*::{}",
            "zip://a.mat::simplecache::{}",
        ],
    )
    @pytest.mark.parametrize("name", ["club/a.mat", "club/"])
    def test_they_are_refused_in_a_line(
        self, chain: str, name: str, memory: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def opened(*_: object) -> None:
            raise AssertionError("fsspec is asked")

        monkeypatch.setattr("fsspec.core.url_to_fs", opened)
        (problem,) = read(chain.format(f"{memory}/{name}")).values()
        assert str(problem).startswith("chained URLs are not supported")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("beginning", [OK, OK + b"Content-Length: 999\r\n\r\n"])
def test_an_interrupt_ends_a_download(beginning: bytes) -> None:
    asked = threading.Event()
    with answering(beginning, last=b"X", pause=0.2, asked=asked) as url:
        call = [sys.executable, "-m", "bganalyze", "check", f"{url}/a.mat"]
        process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert asked.wait(SOON)
        process.send_signal(signal.SIGINT)
        out, complaints = process.communicate(timeout=SOON)
    assert (process.returncode, out, complaints) == (130, "", "bganalyze: interrupted\n")


class TestCredentials:
    @pytest.mark.parametrize(("url", "text"), SECRETS)
    def test_they_are_not_in_what_is_shown(self, url: str, text: str) -> None:
        address = Address(url)
        assert (str(address), hide_credentials(address), address.full) == (text, text, url)
        assert (
            "pa55"
            not in f"{address!r} {address} {address!s} {[address]} {FileToRead('a', 'a', address=address)}"
        )

    @pytest.mark.parametrize("url", PLAIN)
    def test_what_is_none_is_shown(self, url: str) -> None:
        assert is_url(url)
        assert hide_credentials(url) == url

    @pytest.mark.parametrize(("url", "text"), SECRETS)
    def test_an_address_can_be_sent_about(self, url: str, text: str) -> None:
        sent = pickle.loads(pickle.dumps(Address(url).child("b/c", "c")))
        assert (sent.full, sent.path) == (url, "b/c")

    @pytest.mark.parametrize(("url", "_"), SECRETS)
    def test_they_are_in_no_text_about_an_error(self, url: str, _: str) -> None:
        assert "pa55" not in hide_credentials_in(f"cannot open {url}, sorry ('{url}')")

    @pytest.mark.parametrize(("url", "_"), SECRETS)
    def test_they_are_in_no_error_and_no_trace_of_one(
        self, url: str, _: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def opened(address: Address) -> Any:
            raise ValueError(
                f"Bad: {address.full} {address.full.rpartition('pa')[2]}"
            ) from OSError(address.full)

        monkeypatch.setattr(remote, "_open_address", opened)
        monkeypatch.setattr(remote, "_is_folder_url", lambda full: False)
        for item in find_files([url]):
            with pytest.raises(UnreadableError) as raised:
                load_file(item)
            trace = "".join(traceback.format_exception(raised.value))
            assert "55word" not in f"{item!r} {item.path} {item.root} {item.problem} {trace}"


def test_a_secret_behind_a_very_long_scheme_is_not_shown() -> None:
    assert "pa55" not in hide_credentials_in("x1" * 500 + "://ann:pa55word@h/a.mat")


def test_servers_are_never_asked_for_hidden_files(http: str) -> None:
    assert not any("hidden" in name for name in read(f"{http}/club/"))


def test_folders_without_end_are_given_up(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "DEPTH_LIMIT", 0)
    problems = [text for text in read(f"{memory}/club", memory).values() if isinstance(text, str)]
    assert problems == ["more than 0 folders deep"]


@pytest.mark.parametrize(
    ("url", "shown_as"),
    [
        ("http://[::1]:8000/a.mat", "http://[0:0:0:0:0:0:0:1]:8000/a.mat"),
        ("http://ann:pa55word@[::1]/a.mat", "http://***@[0:0:0:0:0:0:0:1]/a.mat"),
        ("http://[::1]/a.mat?sig=pa55word#x", "http://[0:0:0:0:0:0:0:1]/a.mat?sig=***#***"),
        ("http://[::1]/a.zip;key=pa55word!b", "http://[0:0:0:0:0:0:0:1]/a.zip;key=***"),
    ],
)
def test_an_ipv6_address_is_neither_a_pattern_nor_a_chain(url: str, shown_as: str) -> None:
    address = Address(url)
    assert hide_credentials(url).partition("!")[0] == address.partition("!")[0] == shown_as
    assert "::" not in address.full
    assert not remote.has_wildcards(address)


@pytest.mark.parametrize("url", ["http://[::1]/*.mat", "http://ann@[::1]:80/[ab].mat"])
def test_wildcards_behind_an_ipv6_address_are_refused(url: str) -> None:
    (found,) = remote.find_files_under(Address(url))
    assert isinstance(found, remote.UnlistedFolder)
    assert found.reason == "wildcards do not work with an IPv6 host: name the folder instead"


def test_a_chain_that_ends_at_an_ipv6_address_is_refused() -> None:
    with pytest.raises(UnreadableError, match="chained URLs are not supported"):
        remote.fetch_content(Address("simplecache::http://[::1]:1/a.mat"))
