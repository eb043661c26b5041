"""`bganalyze profile`: matches are analyzed once, and the page, the text and the row are written."""

from __future__ import annotations

import csv
import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import bganalyze
from bganalyze.analysis.engines import gnubg, sage, suggest_engine
from bganalyze.analysis.store import Store
from bganalyze.app.cli import profile as cli
from bganalyze.app.jobs import profile as jobs
from bganalyze.app.jobs.workers import Processes
from bganalyze.statistics.norms import NormTable
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.match_rates import Winners
from bganalyze.statistics.profiles.other_files import OtherFiles
from bganalyze.statistics.reports.overview import AskReport
from bganalyze.statistics.tables.frames import AnalyzedTables
from bganalyze.validation.replaying import replay
from tests.in_process import remember_profiles, work_here
from tests.statistics.reports.analyzed import import_guessing_engine

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
SAMPLES = Path(__file__).parents[3] / "samples" / "clean"


PROFILES = remember_profiles()


@pytest.fixture(autouse=True)
def _work_here_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bganalyze.app.cli.options.Processes", work_here)
    monkeypatch.setattr(jobs, "make_profile", PROFILES)


@pytest.fixture
def guessing_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines make their analyses up, for tests of what is said about them."""
    monkeypatch.setattr("bganalyze.analysis.engines._import_engine", import_guessing_engine)


EMPTY: list[PlayerProfile] = []


@pytest.fixture
def empty_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """All profiles have the figures of the first one, for tests of matches without an analysis."""

    def rename_profile(
        ask: AskReport,
        tables: AnalyzedTables,
        player: str,
        norms: NormTable | None,
        winners: Winners,
    ) -> PlayerProfile:
        if not EMPTY:
            EMPTY.append(PROFILES(ask, tables, player, norms, winners))
        return EMPTY[0]._replace(player=player)

    monkeypatch.setattr(jobs, "make_profile", rename_profile)


@pytest.fixture
def matches(folder: Path) -> str:
    """A folder with two matches of a player, one of others and a file that is no match."""
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    inside = folder / "club"
    inside.mkdir()
    for name in ("one-point.mat", "short-match.mat"):
        (inside / name).write_bytes((SAMPLES / name).read_bytes())
    other = (inside / "one-point.mat").read_text(encoding="utf-8").replace("Ada Quill", "Zoe Quill")
    (inside / "other.mat").write_text(other, encoding="utf-8")
    return "club"


def test_only_the_matches_of_the_player_are_analyzed_and_only_once(
    run: Run, matches: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bganalyze.app.cli.options.Processes", Processes)
    call = ("profile", matches, "--player", "ada quill", "--level", "1ply", "--db", "club.db")
    first = run(*call, "--quiet")
    assert (first.exit_code, first.stderr) == (0, "")
    kept = list(Store("club.db").matches())
    assert sorted(Path(match.path).name for match in kept) == ["one-point.mat", "short-match.mat"]
    assert "PR (xg-b)" in first.stdout
    again = run(*call, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(again.stdout))
    assert row["player"] == "Ada Quill"
    assert int(row["decisions"]) > 40
    assert list(Store("club.db").matches()) == kept
    page = run(*call, "--html", "ada.html")
    assert (page.exit_code, page.stdout) == (0, "")
    assert "\nCostliest by equity: " in page.stderr
    assert "Where points are lost" in Path("ada.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("guessing_engines")
def test_commands_list_all_errors_and_those_of_each_subject(run: Run, matches: str) -> None:
    """Both commands work on the analyses of the profile, without an engine."""
    call = ("profile", matches, "--player", "ada quill", "--level", "1ply", "--db", "club.db")
    told = " ".join(run(*call, "--quiet").stdout.split())
    listing, table = (
        shlex.split(command)
        for pattern in (
            r"all errors, with boards: bganalyze (.*?--most \d+)",
            r"as a table: bganalyze (.*?);",
        )
        for command in re.findall(pattern, told)
    )
    of_player = ["club", "--player", "Ada Quill", "--db", "club.db"]
    of_player += ["--engine", "sage", "--level", "1ply"]
    errors = int(listing[-1])
    assert listing == ["stats", *of_player, "--report", "worst", "--most", f"{errors}"]
    assert f" of {errors} errors of 0.02 EMG or more" in told
    assert "1. Ada Quill against " in run(*listing, "--quiet").stdout
    assert table == ["export", *of_player, "--least", "0.02", "--out", "errors.csv"]
    assert run(*table, "--quiet").exit_code == 0
    with Path("errors.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= errors
    assert {"decision_kind", "position_class", "class_role"} <= rows[0].keys()
    hidden = run(*call, "--quiet", "--anonymize").stdout
    assert "bganalyze stats club" not in hidden
    assert "bganalyze export" not in hidden


@pytest.mark.usefixtures("guessing_engines")
def test_the_engine_and_whose_decisions_are_named_as_the_analysis_begins(
    run: Run, matches: str
) -> None:
    """Once for all matches, and not if all of them were analyzed before."""
    call = ("profile", matches, "--player", "Ada Quill", "--db", "club.db")
    said = re.compile(
        r"analyzing the decisions of both players by sage [\w.]+ at (\dply)(; --level quick is faster)?\n"
    )
    for level in ("1ply", "2ply"):
        (named,) = said.findall(run(*call, "--level", level).stderr)
        assert named == (level, "; --level quick is faster" * (level == "2ply"))
    again = run(*call, "--level", "1ply")
    assert not said.search(again.stderr)
    assert "decisions of Ada Quill, 2 matches analyzed" in " ".join(again.stdout.split())


class _Terminal(io.StringIO):
    """A stream that a person reads and writes."""

    def isatty(self) -> bool:
        return True


def test_a_person_at_a_terminal_answers_for_each_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal("y\nn\n"))
    monkeypatch.setattr(sys, "stderr", screen := _Terminal())
    others = OtherFiles(2, (), ("bgnori", "nori2"))
    assert list(cli.ask_about_similar_names("nori", others)) == ["bgnori"]
    assert "is bgnori also nori? [y/N]" in screen.getvalue()


@pytest.mark.usefixtures("empty_profiles")
def test_files_without_the_player_are_named_with_similar_players(run: Run, folder: Path) -> None:
    """Adaquill may be Ada; Bruno Vale, whom Ada met, is not asked about. Seven files are two too many to list."""
    text = (SAMPLES / "one-point.mat").read_text(encoding="utf-8")
    club = folder / "club"
    club.mkdir()
    (club / "a.mat").write_text(text, encoding="utf-8")
    other = text.replace("Ada Quill", "Adaquill")
    (club / "b.mat").write_text(other, encoding="utf-8")
    call = ("profile", "club", "--player", "ada quill", "--engine", "recorded", "--quiet")
    told = " ".join(run(*call).stdout.split())
    asked = "is Adaquill also Ada Quill? if so, add --player Adaquill"
    assert told.startswith(f"player: Ada Quill In short {asked} ")
    assert "1 file without Ada Quill: club/b.mat (Adaquill – Bruno Vale)" in told
    assert "bganalyze matches" not in told
    hidden = run(*call, "--anonymize").stdout
    assert "1 file without Player A\n" in hidden
    assert "Adaquill" not in hidden
    (asked, *_) = run(*call[:-1]).stderr.splitlines()
    assert asked == "is Adaquill also ada quill? if so, add --player Adaquill"
    (folder / "aliases.toml").write_text('players."ada quill" = ["Adaquill"]', encoding="utf-8")
    for options in (["--aliases", "aliases.toml"], ["--player", "Adaquill"]):
        joined = run(*call[:-1], *options)
        assert "also ada quill" not in joined.stderr
        assert "without ada quill" not in joined.stdout
    assert "Adaquill" not in run(*call[:-1], "--anonymize").stderr
    for number in range(6):
        (club / f"c{number}.mat").write_text(other, encoding="utf-8")
    many = " ".join(run(*call).stdout.split())
    assert "7 files without Ada Quill: club/b.mat" in many
    assert "club/c3.mat (Adaquill – Bruno Vale) and 2 more" in many
    assert "all files with their players: bganalyze matches club" in many


@pytest.mark.usefixtures("empty_profiles")
def test_names_with_ratings_are_counted_together_and_listed(run: Run, folder: Path) -> None:
    text = (SAMPLES / "one-point.mat").read_text(encoding="utf-8")
    for rating in ("", ",1763"):
        other = text.replace("Ada Quill", f"Ada Quill{rating}")
        (folder / f"a{rating}.mat").write_text(other, encoding="utf-8")
    call = ("profile", ".", "--player", "ada quill", "--engine", "recorded", "--quiet")
    told = run(*call).stdout
    said = next(line for line in told.splitlines() if line.startswith("counted as"))
    assert "Ada Quill; Ada Quill,1763" in said or "Ada Quill,1763; Ada Quill" in said
    assert "counted as" not in run(*call, "--anonymize").stdout


def test_a_problem_of_many_matches_is_told_once_and_counted(run: Run, folder: Path) -> None:
    text = (SAMPLES / "one-point.mat").read_text(encoding="utf-8")
    for number, name in enumerate(("Ada Quill", "Zoe Quill", "Zoe Quill")):
        other = text.replace("Ada Quill", name).replace("Bruno Vale", f"Player {number}")
        (folder / f"{number}.mat").write_text(other, encoding="utf-8")
    call = ("profile", ".", "--player", "Zoe Quill", "--engine", "recorded", "--db", "club.db")
    result = run(*call, "--quiet")
    assert result.exit_code == 1
    problem = f"the file contains no analysis; {suggest_engine()}"
    first, *others = result.stderr.splitlines()
    assert first in (f"bganalyze: ./1.mat: {problem}", f"bganalyze: ./2.mat: {problem}")
    assert others == [f"bganalyze: the same of 1 other match: {problem}"]
    assert "no analyzed decision" in result.stdout


@pytest.mark.usefixtures("empty_profiles")
def test_without_an_engine_the_last_line_says_how_to_get_one(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "find_default_engine", lambda _: "recorded")
    monkeypatch.setattr(sage, "is_installed", lambda: False)
    monkeypatch.setattr(gnubg, "is_installed", lambda: False)
    (folder / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    result = run("profile", "a.mat", "--player", "Ada Quill", "--db", "club.db")
    last = result.stderr.splitlines()[-1]
    assert last.startswith("only analyses in the files count, because no engine is installed: ")
    assert last.endswith(", or install GNU Backgammon (Debian: apt install gnubg)")


@pytest.mark.usefixtures("guessing_engines")
def test_a_player_of_no_match_is_one_line(run: Run, matches: str) -> None:
    result = run("profile", matches, "--player", "Ada Quil", "--level", "1ply", "--db", "club.db")
    assert result.exit_code == 2
    assert "is Ada Quill also" not in result.stderr
    assert result.stderr.splitlines()[-1].startswith("bganalyze: 'Ada Quil' is in none")


@pytest.mark.usefixtures("guessing_engines")
def test_the_library_makes_the_same(run: Run, matches: str) -> None:
    call = ("profile", matches, "--player", "Ada Quill", "--level", "1ply", "--db", "club.db")
    text = run(*call, "--format", "csv").stdout
    made = bganalyze.profile(matches, "Ada Quill", level="1ply", db="club.db")
    assert made.render("csv") == text
    assert made.render("html").startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="pdf"):
        made.render("pdf")


NORMS = """\
source = "the club"
license = ""
engine = "gnubg 2ply"
counting = "gnubg"
norms = [
  { group = "all players", kind = "contact play", players = 9, matches = 9, games = 99, decisions = 999, rate = 87.654, low = 80.0, high = 90.0 },
]
"""


@pytest.mark.usefixtures("guessing_engines")
def test_own_norms_are_compared_with(run: Run, matches: str) -> None:
    Path("mine.toml").write_text(NORMS, encoding="utf-8")
    call = ("profile", matches, "--player", "Ada Quill", "--level", "1ply", "--db", "club.db")
    assert "87.7" not in run(*call).stdout
    own = run(*call, "--norms", "mine.toml").stdout
    assert "87.7" in own
    assert (
        "norm: others' rate, no grade: players in other matches, by gnubg 2ply; these"
        in " ".join(own.split())
    )
    made = bganalyze.profile(matches, "Ada Quill", level="1ply", db="club.db", norms="mine.toml")
    assert made.profile.norms.source == "the club"
    told = run("stats", "--db", "club.db", "--report", "losses", "--norms", "mine.toml").stdout
    assert "norms: all players, from the club; gnubg 2ply" in " ".join(told.split())
    counted = bganalyze.stats(db="club.db", report="losses", norms="mine.toml")
    assert list(counted.sections()["Compared with norms"]["norm"].unique()) == [87.654]


@pytest.mark.usefixtures("guessing_engines")
def test_norms_that_cannot_be_used(run: Run, matches: str) -> None:
    Path("none.toml").write_text("source = 1", encoding="utf-8")
    call = ("profile", matches, "--player", "Ada Quill", "--level", "1ply", "--db", "club.db")
    wrong = run(*call, "--norms", "none.toml")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "none.toml: no file of norms" in wrong.stderr
    of_files = run("stats", matches, "--norms", "none.toml")
    assert (of_files.exit_code, of_files.stdout) == (2, "")
    assert "--norms applies to the report on losses" in of_files.stderr


@pytest.mark.usefixtures("guessing_engines")
def test_nobody_is_named(run: Run, matches: str) -> None:
    call = ("profile", matches, "--player", "ada quill", "--level", "1ply", "--db", "club.db")
    page = run(*call, "--anonymize", "--html", "a.html")
    assert page.exit_code == 0
    text = run(*call, "--anonymize")
    for shown in (Path("a.html").read_text(encoding="utf-8"), text.stdout):
        assert "Profile of Player A" in shown or "Player A" in shown
        assert "Player B" in shown
        for word in ("Ada", "Quill", "Bruno", "Vale", "short-match", "one-point", "club/"):
            assert word not in shown
    missing = run(*call[:3], "Nobody", *call[4:], "--anonymize")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr == "bganalyze: the player named is in none of the matches\n"
    made = bganalyze.profile(matches, "Ada Quill", level="1ply", db="club.db", anonymize=True)
    assert made.player == "Player A"


RENAMED = """\
 3 point match

 Game 1
 Ada Quill : 0                   Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
      Wins 1 point

 Game 2
 Carl : 1                        Bob : 0
  1)                             21: 13/11 6/5
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def test_one_pass_finds_the_matches_by_the_names_of_all_games(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command and the library take the same matches, and replay no other."""
    inside = folder / "club"
    inside.mkdir()
    (inside / "renamed.mat").write_text(RENAMED, encoding="utf-8")
    (inside / "other.mat").write_text(RENAMED.replace("Carl", "Dora"), encoding="utf-8")
    replayed: list[str] = []

    def replay_and_note(match: bganalyze.Match, *rest: object) -> object:
        replayed.append(match.source.path)
        return replay(match, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "replay", replay_and_note)
    call = ("profile", "club", "--player", "carl", "--engine", "recorded", "--db", "club.db")
    (row,) = csv.DictReader(io.StringIO(run(*call, "--format", "csv").stdout))
    assert (row["player"], float(row["games"])) == ("Carl", 1)
    assert [Path(path).name for path in replayed] == ["renamed.mat"]
    made = bganalyze.profile("club", "carl", engine="recorded")
    assert made.render("csv").splitlines()[1].startswith("Carl,1.0,")
    assert len(replayed) == 2
