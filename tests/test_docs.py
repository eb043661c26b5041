"""The documentation says what the program does: pages, help texts, docstrings."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import bganalyze
from bganalyze.app.cli.app import COMMANDS, app
from bganalyze.app.config import FAIL_ON, Config, load_config
from bganalyze.app.jobs.outcome import UNREADABLE
from bganalyze.board.rule_book import BASIC, SWITCHES
from bganalyze.validation.findings import Severity, Standing
from bganalyze.validation.rules import CATALOG
from tests.in_process import work_here
from tests.refresh_docs import (
    CONTRIBUTING,
    DOCS,
    PARTS,
    README,
    ROOT,
    WRITTEN,
    part_names,
    refresh_page,
    rule_book_table,
)
from tests.refresh_docs import PAGES as DOCUMENTATION

LIBRARY = DOCS / "library.md"
PAGES = [*DOCUMENTATION, ROOT / "samples" / "README.md"]
CODES = {rule.code for rule in CATALOG}

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_NAMED_IN = re.compile(r"((?:`\w+`(?:, | and | or )?)+) (?:of|in) `([\w/]+\.py)`")
_PATH = re.compile(r"`([\w/-]+(?:\.py|\.lark|/))`")

FOLDERS = ("", "bganalyze", "samples", "samples/make", "tests/benchmarks")
"""Folders that paths in prose are relative to."""

page = pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
command = pytest.mark.parametrize("name", COMMANDS)


def text_of(path: Path) -> str:
    """Return the text of a page."""
    return path.read_text(encoding="utf-8")


def blocks(path: Path, *languages: str) -> list[str]:
    """Return the blocks of code of a page that are in these languages."""
    return [body for language, body in _BLOCK.findall(text_of(path)) if language in languages]


def modules(*, with_examples: bool = False) -> Iterator[str]:
    """Yield the name of every module of the package, or only of those with examples in docstrings."""
    for path in sorted((ROOT / "bganalyze").rglob("*.py")):
        if path.name != "__main__.py" and (not with_examples or ">>>" in text_of(path)):
            names = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(names).removesuffix(".__init__")


# Content taken from the program


@pytest.mark.slow
@page
def test_pages_say_what_the_program_says(page: Path) -> None:
    if "archive session" in part_names(page):
        pytest.importorskip("duckdb", reason="the extra store is not installed")
    assert refresh_page(page) == text_of(page), "run `python -m tests.refresh_docs`"


def test_every_generated_part_is_on_one_page() -> None:
    counts = Counter(name for each in DOCUMENTATION for name in part_names(each))
    assert counts == Counter([*PARTS, *WRITTEN])


@page
def test_every_code_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(r"\b[TUDPCR][1-9]\d\d\b", text_of(page))) <= CODES


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = _HEADING.findall(re.sub(_BLOCK, "", text_of(path)))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@page
def test_every_file_and_heading_that_is_linked_exists(page: Path) -> None:
    for target, anchor in _LINK.findall(re.sub(_BLOCK, "", text_of(page))):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), f"{target}#{anchor}"


@page
def test_every_path_in_the_prose_exists(page: Path) -> None:
    paths = set(_PATH.findall(re.sub(_BLOCK, "", text_of(page))))
    missing = [path for path in paths if not any((ROOT / at / path).exists() for at in FOLDERS)]
    assert missing == []


def list_named_modules() -> Iterator[tuple[str, str]]:
    """Yield each name that CONTRIBUTING says is in a module, with the path of the module."""
    for words, path in _NAMED_IN.findall(text_of(CONTRIBUTING)):
        yield from ((name, path) for name in re.findall(r"`(\w+)`", words))


def test_names_in_the_recipes_are_in_the_modules_that_are_named_with_them() -> None:
    missing = [
        f"{name} in {path}"
        for name, path in list_named_modules()
        if not any(
            re.search(rf"\b{name}\b", text_of(ROOT / at / path))
            for at in FOLDERS
            if (ROOT / at / path).exists()
        )
    ]
    assert missing == []


@pytest.mark.slow
def test_functions_and_methods_in_the_recipes_exist() -> None:
    called = re.findall(r"`@?(?:\w+\.)?(\w+)\(", text_of(CONTRIBUTING))
    methods = re.findall(r"`[A-Z][a-z]+\.(\w+)`", text_of(CONTRIBUTING))
    folders = (ROOT / "bganalyze", ROOT / "samples" / "make", ROOT / "web")
    sources = (path for folder in folders for path in folder.rglob("*.*"))
    code = "\n".join(text_of(path) for path in sources if path.suffix in {".py", ".js"})
    assert [name for name in (*called, *methods) if not re.search(rf"\b{name}\(", code)] == []


def test_every_module_that_a_comment_names_exists() -> None:
    folders = (ROOT / "bganalyze", ROOT / "grammars")
    files = [file for folder in folders for file in folder.rglob("*.*")]
    missing = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        if file.suffix in {".py", ".lark"}
        for name in _PATH.findall(text_of(file))
        if "." in name and not any(f"/{other.as_posix()}".endswith(f"/{name}") for other in files)
    ]
    assert missing == []


def test_a_rule_book_of_another_switch_has_a_column_for_it() -> None:
    club = BASIC._replace(name="of-a-club", dead_cube="prohibit", stands_after="roll-or-double")
    money = BASIC._replace(name="money", jacoby=True)
    assert rule_book_table([BASIC, club, money]).splitlines() == [
        "| rule book | it stands after | a dead cube (C504) | `jacoby` |",
        "|---|---|---|---|",
        "| `basic` (default) | the next roll | may be turned | as recorded |",
        "| `of-a-club` | the next roll or valid double | may not be turned | as recorded |",
        "| `money` | the next roll | may be turned | `true` |",
    ]


def test_the_documentation_explains_every_standing() -> None:
    text = "".join(map(text_of, DOCUMENTATION))
    assert all(f"- **{standing}**: " in text for standing in Standing)
    assert all(f"**{severity}**" in text for severity in Severity)


# Settings


def blocks_of_all_pages(*languages: str) -> Iterator[str]:
    """Yield the blocks of code of all pages that are in these languages."""
    return (block for path in DOCUMENTATION for block in blocks(path, *languages))


def settings() -> str:
    """Return the settings file that the documentation shows."""
    (example,) = (block for block in blocks_of_all_pages("toml") if "[switches]" in block)
    return example


def test_the_settings_that_are_shown_are_all_there_are(tmp_path: Path) -> None:
    path = tmp_path / "bganalyze.toml"
    path.write_text(settings(), encoding="utf-8")
    read = tomllib.loads(settings())
    names = {name.replace("_", "-") for name in Config._fields} - {"path"}
    assert (set(read), set(read["switches"])) == (names, set(SWITCHES))
    assert load_config(path, CODES).rules == read["rules"]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("fail-on", tuple(FAIL_ON)),
        *(
            (key, [one for one in switch.values if isinstance(one, str)])
            for key, switch in SWITCHES.items()
        ),
    ],
)
def test_the_settings_that_are_shown_name_every_word_they_take(key: str, values: Any) -> None:
    (line,) = re.findall(rf"^{key} = .*", settings(), re.MULTILINE)
    assert all(value in line for value in values)


# Commands


def find_command(name: str) -> Any:
    """Return a command as the library beneath knows it."""
    group: Any = typer.main.get_command(app)
    return group.get_command(None, name)


def options_of(name: str) -> set[str]:
    """Return the options of a command, however they are spelled."""
    parameters = find_command(name).params
    words = {
        word for parameter in parameters for word in (*parameter.opts, *parameter.secondary_opts)
    }
    return {word for word in words if word.startswith("-")} | {"--help"}


SHELL = ("|", ">", ">>", "<", "&&")
"""Words that end a call."""


def calls(path: Path) -> Iterator[list[str]]:
    """Yield the words of every call of the program in a page's blocks."""
    for block in blocks(path, "sh", "console", "yaml"):
        for line in block.splitlines():
            match = re.search(r"(?:^|[\s/])bganalyze( [a-z-].*)", line.partition("  #")[0])
            if match and "pip install" not in match.group(1):
                words = shlex.split(match.group(1))
                yield list(takewhile(lambda word: word not in SHELL, words))


def goals() -> Iterator[list[str]]:
    """Yield the words of the calls that the README gives for what readers want."""
    for call in re.findall(r"^- .*: `bganalyze ([a-z][^`]*)` →", text_of(README), re.MULTILINE):
        yield shlex.split(call)


CALLS = [*goals(), *(call for path in DOCUMENTATION for call in calls(path))]


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_calls_that_are_shown_are_possible(call: list[str]) -> None:
    name, *words = call
    assert name in COMMANDS
    assert find_command(name).make_context(name, words)


def test_the_documentation_shows_every_command() -> None:
    assert {call[0] for call in CALLS} == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTATION, ids=lambda path: path.name)
def test_options_that_are_named_exist(path: Path) -> None:
    options = {option for name in COMMANDS for option in options_of(name)}
    options |= {"--version", "--install-completion", "--help", "--check", "--strict", "--durations"}
    prose = re.sub(_BLOCK, "", text_of(path))
    assert set(re.findall(r"`(--[a-z-]+)", prose)) <= options


@command
def test_everything_has_a_help_text(name: str) -> None:
    entry = find_command(name)
    assert entry.help
    assert [
        parameter.name for parameter in entry.params if not getattr(parameter, "help", None)
    ] == []


@command
def test_the_documentation_names_every_option(name: str) -> None:
    text = "".join(map(text_of, DOCUMENTATION))
    assert {option for option in options_of(name) if option not in text} <= {"--help"}


# Commands that are executed


def examples_of_all_pages() -> Iterator[tuple[str, str]]:
    """Yield each session in Python, after the code that its page shows before."""
    for path in DOCUMENTATION:
        code = ""
        for block in blocks(path, "python", "pycon"):
            if block.startswith(">>>"):
                yield code, block
            else:
                code += block


@pytest.mark.slow
@pytest.mark.parametrize(("code", "block"), list(examples_of_all_pages()))
def test_the_examples_in_python(
    code: str, block: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if "analyze(" in block or "profile(" in block:
        pytest.importorskip("bgsage")
    if "collect(" in block:
        pytest.importorskip("duckdb")
    monkeypatch.chdir(ROOT)
    if module := re.match(r"# (\w+\.py)\n", code):
        (tmp_path / module[1]).write_text(code, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)
    test = doctest.DocTestParser().get_doctest(block, names, "examples", None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_there_are_ten_recipes_and_each_runs() -> None:
    text = text_of(LIBRARY)
    assert text.count("\n## ") >= 10
    assert text.count("\n## ") == len(blocks(LIBRARY, "pycon"))


def test_every_name_of_the_library_in_a_page_exists() -> None:
    pages = (*DOCS.rglob("*.md"), ROOT / "README.md")
    named = {
        name for page in pages for name in re.findall(r"\bbganalyze\.([A-Za-z]\w*)", text_of(page))
    }
    assert named - {"toml", "sarif", "exe"} <= set(bganalyze.__all__)  # names of files


def test_every_function_of_the_library_is_in_its_recipes() -> None:
    functions = [name for name in bganalyze.__all__ if inspect.isfunction(getattr(bganalyze, name))]
    shown = set(re.findall(r"\bbg\.(\w+)\(", text_of(LIBRARY)))
    assert set(functions) <= shown, f"show the rest in a recipe of {LIBRARY.name}"
    undocumented = {name for name in functions if name not in (bganalyze.__doc__ or "")}
    assert undocumented == set(), "give each a line in the docstring of bganalyze/__init__.py"


def is_alike(line: str, shown: str) -> bool:
    """Return whether only numbers differ, and only a little, as floats of other processors do."""
    numbers, expected = (list(map(float, _NUMBER.findall(text))) for text in (line, shown))
    return _NUMBER.split(line.rstrip()) == _NUMBER.split(shown) and numbers == pytest.approx(
        expected, rel=0.05
    )


ANALYZED = [
    block
    for block in blocks_of_all_pages("console")
    if block.startswith(("$ bganalyze analyze ", "$ bganalyze profile "))
]
"""Sessions that ask an engine: the program's output may differ in digits between machines."""


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("session", ANALYZED, ids=lambda session: session.split()[2])
def test_the_sessions_with_analyzed_matches(
    session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program prints the lines of the session in order; a line of dots matches any others."""
    pytest.importorskip("bgsage")
    if f"sage {version('bgsage')} at" not in "".join(ANALYZED):
        pytest.skip("the sessions show another version of bgsage")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("bganalyze.app.cli.options.Processes", work_here)
    monkeypatch.chdir(ROOT)
    for step in session.split("$ bganalyze ")[1:]:
        call, _, expected_output = step.partition("\n")
        words = [word.replace("club.db", f"{tmp_path}/club.db") for word in shlex.split(call)]
        result = CliRunner().invoke(app, words)
        assert result.exit_code < UNREADABLE
        output = iter(result.output.splitlines())
        expected = [
            line.rstrip()
            for line in expected_output.splitlines()
            if line.strip() not in ("", "...")
        ]
        assert all(any(is_alike(line, printed) for printed in output) for line in expected), call


def test_two_sessions_ask_an_engine() -> None:
    assert [session.split()[2] for session in ANALYZED] == ["profile", "analyze"]


OF_SECONDS = (
    *("bganalyze.app.api.profile", "bganalyze.app.api.stats", "bganalyze.app.api.report"),
    *("bganalyze.app.api.tabulate", "bganalyze.app.jobs.tabulate", "bganalyze.analysis.decisions"),
    *("bganalyze.statistics.match_report", "bganalyze.statistics.tables.frames"),
)
"""Modules whose examples read many files, or report."""


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in OF_SECONDS))
        for name in modules(with_examples=True)
    ],
)
def test_the_examples_of_the_docstrings(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if module == "bganalyze.statistics.store.shards":
        pytest.importorskip("pyarrow", reason="the extra store is not installed")
    runner = doctest.DocTestRunner()
    # For each function with examples, pdb looks whether any file imported so far has changed.
    monkeypatch.setattr("linecache.checkcache", lambda _filename=None: None)
    for examples in doctest.DocTestFinder(exclude_empty=True).find(import_module(module)):
        runner.run(examples)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("helper", ["refresh_docs", "json_docs"])
def test_the_examples_of_the_helpers(helper: str) -> None:
    assert doctest.testmod(import_module(f"tests.{helper}")).failed == 0


def test_every_extra_is_explained() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    _, _, section = text_of(DOCS / "index.md").partition("## Extras")
    cells = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    assert set(project["optional-dependencies"]) == set(re.findall(r"`(\w+)`", "".join(cells)))


# The site of the documentation, and a hook to copy


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    linked = re.findall(r": ([\w/.-]+\.md)$", text_of(ROOT / "mkdocs.yml"), re.MULTILINE)
    assert sorted(linked) == sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    words = ("-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path))
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True)
    assert (tmp_path / "index.html").is_file()


HOOK_RECORD = "bganalyze match\nlength: 1\ngame 1\nscore 0-0\nL {} 8/5 6/5\nR 66 24/18(2) 13/7(2)\n"
CLEAN_RECORD, FAULTY_RECORD = HOOK_RECORD.format("31"), HOOK_RECORD.format("41")
_IDENTITY = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")

Git = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Call git in a new repository whose commits the documented hook checks."""
    if sys.platform == "win32" or not shutil.which("git"):
        pytest.skip("needs git and a shell")
    (hook,) = (block for block in blocks(DOCS / "ci.md", "sh") if block.startswith("#!"))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))

    def run_program(*words: str, path: str = path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *_IDENTITY, *words],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    run_program("init", "-q")
    script = tmp_path / ".git" / "hooks" / "pre-commit"
    script.write_text(hook, encoding="utf-8")
    script.chmod(0o755)
    return run_program


@pytest.mark.slow
def test_the_hook_stops_a_commit_with_an_error(git: Git, tmp_path: Path) -> None:
    names = ("a match.bgm", "A.MAT", "deep/er/m.txt", "-m.bgm")
    (tmp_path / "deep/er").mkdir(parents=True)
    for text in (FAULTY_RECORD, CLEAN_RECORD):
        for name in names:
            (tmp_path / name).write_text(text, encoding="utf-8")
        git("add", ".")
        ended = git("commit", "-qm", "a")
        assert bool(ended.returncode) is (text == FAULTY_RECORD)
        for name in names:
            assert (f"./{name}:5:6: P404" in ended.stdout + ended.stderr) is bool(ended.returncode)


@pytest.mark.slow
def test_the_hook_checks_what_is_committed(git: Git, tmp_path: Path) -> None:
    record = tmp_path / "a.bgm"
    for staged, left in ((FAULTY_RECORD, CLEAN_RECORD), (CLEAN_RECORD, FAULTY_RECORD)):
        record.write_text(staged, encoding="utf-8")
        git("add", ".")
        record.write_text(left, encoding="utf-8")
        stopped = git("commit", "-qm", "a")
        assert bool(stopped.returncode) is (staged == FAULTY_RECORD)
        assert ("./a.bgm:5:6: P404" in stopped.stdout + stopped.stderr) is (staged == FAULTY_RECORD)


@pytest.mark.slow
def test_the_hook_checks_renamed_files_and_follows_the_settings(git: Git, tmp_path: Path) -> None:
    (tmp_path / "a.bgm").write_text(FAULTY_RECORD, encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "a", "--no-verify")
    git("mv", "a.bgm", "b.bgm")
    assert git("commit", "-qm", "b").returncode
    (tmp_path / "bganalyze.toml").write_text('ignore = ["P"]\n', encoding="utf-8")
    git("add", ".")
    assert git("commit", "-qm", "b").returncode == 0
    (tmp_path / "notes.md").write_text("no match\n", encoding="utf-8")
    git("add", ".")
    assert git("commit", "-qm", "notes").returncode == 0


@pytest.mark.slow
def test_the_hook_says_how_to_find_a_program_that_is_elsewhere(git: Git, tmp_path: Path) -> None:
    (tmp_path / "a.bgm").write_text(CLEAN_RECORD, encoding="utf-8")
    git("add", ".")
    stopped = git("commit", "-qm", "a", path="/usr/bin:/bin")
    assert stopped.returncode
    assert "bganalyze not found; write its full path into .git/hooks/pre-commit" in stopped.stderr


# The size of the first pages, and what CI takes from the README


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("README.md", 6_000),
        ("CONTRIBUTING.md", 14_000),
        ("CHANGELOG.md", 4_000),
        ("docs/match-page.png", 150_000),
    ],
)
def test_the_first_pages_are_short(name: str, most: int) -> None:
    assert (ROOT / name).stat().st_size <= most


READERS = {"director": 500, "player": 600, "transcriber": 600, "archive": 600, "developer": 820}
"""Pages that begin with the whole job of a reader, and the most words of each."""


@pytest.mark.parametrize(("reader", "most"), READERS.items())
def test_a_page_of_a_reader_begins_with_the_whole_job(reader: str, most: int) -> None:
    text = text_of(DOCS / f"{reader}.md")
    first = "\n## ".join(text.split("\n## ")[:2])
    assert len(text.split()) <= most
    assert len(first.split()) <= 150
    assert _BLOCK.search(first)


def test_the_readme_links_one_page_for_each_reader() -> None:
    linked = re.findall(r"^- \*\*.* → \[[\w ]+\]\(docs/(\w+)\.md\)$", text_of(README), re.MULTILINE)
    assert sorted(linked) == sorted(READERS)


def test_ci_takes_its_command_from_the_readme() -> None:
    script = text_of(ROOT / ".ci" / "run")
    marker = re.search(r"^marker='(.*)'$", script, re.MULTILINE)
    assert marker is not None
    assert re.search(re.escape(marker[1]) + r"\n```sh\n.*-m pytest\n```", text_of(README))
