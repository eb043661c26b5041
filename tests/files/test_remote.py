"""Files behind URLs: found and read as local ones are, and no credential is ever shown."""

from __future__ import annotations

import gzip
import pickle
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bganalyze.files import limits, remote
from bganalyze.files.addresses import Address, is_url, shown, shown_in
from bganalyze.files.reading import Item, UnreadableError, count, distinct, find, holds_many, load
from tests.files.servers import Handler, self_signed, serving
from tests.files.test_archives import SOME, tar, zipped

fsspec = pytest.importorskip("fsspec", reason="the extra remote is not installed")
pytest.importorskip("aiohttp", reason="the extra remote is not installed")

FILES = {
    "a.mat": b"a",
    "b/c.mat.gz": gzip.compress(b"c"),
    "b/d.tgz": gzip.compress(tar(SOME)),
    "e.zip": zipped({"i.tar": tar(SOME), "x": b"x"}),
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
PLAIN = [
    "https://club.example:8080/@ann/a.mat",
    "https://[::1]:80/a.mat",
    "s3://club/match?[0-9].mat",
    "memory://club/a.mat",
    "https://club.example/download?id=17",
]


def read(path: str, root: str = "") -> dict[str, bytes | str]:
    contents: dict[str, bytes | str] = {}
    for item in find([path]):
        assert item.root == shown(path)
        try:
            contents[item.path.removeprefix(root)] = load(item)
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


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket of S3, on a server of this machine."""
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
            item.path.removeprefix(str(folder)).replace(" ", "%20"): load(item)
            for item in find([str(folder / "club")])
        }
        served_contents = {
            name.replace(" ", "%20"): content
            for name, content in read(f"{place}/club/", place).items()
        }
        assert list(served_contents.items()) == list(local.items())

    def test_a_file(self, place: str) -> None:
        assert read(f"{place}/club/a.mat", place) == {"/club/a.mat": b"a"}
        assert read(f"{place}/club/b/c.mat.gz", place) == {"/club/b/c.mat.gz": b"c"}
        (item,) = find([f"{place}/club/a.mat"])
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

    @pytest.mark.parametrize(("path", "expected"), [("/", True), ("/a.mat", False), ("/*", True)])
    def test_what_holds_many(self, place: str, path: str, expected: bool) -> None:
        assert holds_many(f"{place}/club{path}") == expected

    @pytest.mark.parametrize("path", ["/no.mat", "/no.zip", "/no.zip!a", "/no/"])
    def test_what_is_not_there(self, place: str, path: str) -> None:
        assert read(f"{place}/club{path}", place) == {
            f"/club{path.partition('!')[0]}": "No such file or directory"
        }


class TestLimits:
    def test_a_large_file_is_not_read(self, memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "LIMIT", 0)
        assert read(f"{memory}/club/a.mat", memory)["/club/a.mat"] == (
            "larger than 64 MiB, the most that is read"
        )

    def test_of_an_archive_no_more_is_fetched_than_it_may_hold(
        self, http: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remote, "TOTAL_LIMIT", 10)
        (problem,) = read(f"{http}/club/e.zip").values()
        assert problem == "larger than 0 GiB; download it yourself"

    def test_an_archive_is_fetched_once(self, http: str) -> None:
        Handler.asked.clear()
        items = list(find([f"{http}/club/"]))
        assert [load(item) for item in [*items, *items[::-1]]]
        assert Handler.asked.count("/club/b/d.tgz") == 1

    def test_where_the_copy_is_gone_there_is_another(self, memory: str) -> None:
        (item, *_) = find([f"{memory}/club/e.zip"])
        assert load(item._replace(copy="/nowhere")) == load(item)

    def test_nothing_is_counted_beforehand(self, memory: str) -> None:
        assert count([f"{memory}/club"]) is None

    def test_of_two_spellings_one_is_enough(self) -> None:
        assert distinct(["memory://a", "memory://a", "https://h/a?k=1", "https://h/a?k=2"]) == [
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


class TestCredentials:
    @pytest.mark.parametrize(("url", "text"), SECRETS)
    def test_they_are_not_in_what_is_shown(self, url: str, text: str) -> None:
        address = Address(url)
        assert (str(address), shown(address), address.full) == (text, text, url)
        assert (
            "pa55"
            not in f"{address!r} {address} {address!s} {[address]} {Item('a', 'a', address=address)}"
        )

    @pytest.mark.parametrize("url", PLAIN)
    def test_what_is_none_is_shown(self, url: str) -> None:
        assert is_url(url)
        assert shown(url) == url

    @pytest.mark.parametrize(("url", "text"), SECRETS)
    def test_an_address_can_be_sent_about(self, url: str, text: str) -> None:
        sent = pickle.loads(pickle.dumps(Address(url).below("b/c", "c")))
        assert (sent.full, sent.path) == (url, "b/c")

    @pytest.mark.parametrize(("url", "_"), SECRETS)
    def test_they_are_in_no_text_about_an_error(self, url: str, _: str) -> None:
        assert "pa55" not in shown_in(f"cannot open {url}, sorry ('{url}')")

    @pytest.mark.parametrize(("url", "_"), SECRETS)
    def test_they_are_in_no_error_and_no_trace_of_one(
        self, url: str, _: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def opened(address: Address) -> Any:
            raise ValueError(
                f"Bad: {address.full} {address.full.rpartition('pa')[2]}"
            ) from OSError(address.full)

        monkeypatch.setattr(remote, "_opened", opened)
        monkeypatch.setattr(remote, "_is_folder", lambda full: False)
        for item in find([url]):
            with pytest.raises(UnreadableError) as raised:
                load(item)
            trace = "".join(traceback.format_exception(raised.value))
            assert "55word" not in f"{item!r} {item.path} {item.root} {item.problem} {trace}"


def test_servers_are_never_asked_for_hidden_files(http: str) -> None:
    assert not any("hidden" in name for name in read(f"{http}/club/"))


def test_folders_without_end_are_given_up(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "DEPTH_LIMIT", 0)
    problems = [text for text in read(f"{memory}/club", memory).values() if isinstance(text, str)]
    assert problems == ["more than 0 folders deep"]
