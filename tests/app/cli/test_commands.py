"""The commands around `check`, and what all commands share."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from bganalyze.app.cli import app, main
from bganalyze.app.cli.app import COMMANDS
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.record.reader import KNOWN, BinaryFormat, Format
from bganalyze.statistics.store.cache_folder import VARIABLE
from tests.fuzzing.parts import DESCRIBED

Run = Callable[..., Result]


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("bganalyze ")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(run: Run, name: str) -> None:
    output = run(name, "--help").stdout
    assert f"  Example:\n\n      bganalyze {name}" in output
    assert run(name, "-h").stdout == output
    assert name in run("-h").stdout


def test_help_names_every_option_on_a_narrow_page(run: Run) -> None:
    output = run("check", "-h", env={"COLUMNS": "60"}).stdout
    assert "--after-illegal HOW " in output
    assert "  bganalyze check matches/ --select P,C --ignore P411 --rules usbgf\n" in output


def test_what_a_command_does_is_told_in_full(run: Run) -> None:
    assert "..." not in run("-h", env={"COLUMNS": "80"}).stdout.partition("Check and repair:")[2]


def test_an_unknown_command(run: Run) -> None:
    assert run("chek").exit_code == 2


def test_show_takes_a_place_behind_the_file(run: Run) -> None:
    assert run("show", "clean.mat:6:6").stdout == run("show", "clean.mat", "6:6").stdout != ""
    assert run("show", "clean.mat:6").stdout == run("show", "clean.mat", "6").stdout
    refused = run("show", "clean.mat")
    assert refused.exit_code == 2
    assert refused.stderr == "bganalyze: clean.mat: name a place in it, such as 2.14R or 41:38\n"


@pytest.mark.parametrize(("dice", "task"), [("63", "X to play 6-3"), ("00", "the set-up")])
def test_show_draws_the_position_of_an_xgid(run: Run, dice: str, task: str) -> None:
    xgid = f"XGID=-B-B-aC-A---cC-b---ebbCA--:1:1:1:{dice}:0:0:0:3:10"
    Path("one.txt").write_text(f"{xgid}\n", encoding="utf-8")
    output = run("show", "one.txt", "1.1").stdout
    assert output.splitlines()[0].endswith(task)
    assert output.count(xgid) == 2  # the line of the file, and the board


@pytest.mark.parametrize(
    "words",
    [
        ("check", "clean.mat", ""),
        ("stats", ""),
        ("analyze", ""),
        ("report", ""),
        ("show", "", "1.1"),
        ("convert", "", "a.sgf"),
        ("convert", "clean.mat", ""),
    ],
)
def test_an_empty_path(run: Run, words: tuple[str, ...]) -> None:
    refused = run(*words)
    assert refused.exit_code == 2
    assert refused.stderr.endswith(": an empty path\n")


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (("check", "clean.mat", "--rules", "{long}"), f"xx' is not one of {', '.join(RULE_BOOKS)}"),
        (("check", "clean.mat", "--{long}"), "xx"),
        (("--{long}",), "xx"),
        (("{long}",), "bganalyze help lists the commands"),
        (("check", "clean.mat"), f"xx' is not one of {', '.join(RULE_BOOKS)}"),
    ],
)
def test_a_message_that_quotes_something_long_can_be_read(
    run: Run, words: tuple[str, ...], end: str
) -> None:
    long = "x" * 100_000
    Path("bganalyze.toml").write_text(f'rules = "{long}"', encoding="utf-8")
    result = run(*(word.format(long=long) for word in words))
    assert result.exit_code == 2
    assert result.stderr.rstrip().endswith(end)
    assert len(result.stderr) < 1_000


class TestRule:
    def test_all(self, run: Run) -> None:
        result = run("rule")
        assert (result.exit_code, "P406  bar-first" in result.stdout) == (0, True)

    @pytest.mark.parametrize("name", ["P406", "p406", "bar-first"])
    def test_one(self, run: Run, name: str) -> None:
        assert run("rule", name).stdout.startswith("P406 bar-first (error)\n")

    def test_a_family(self, run: Run) -> None:
        output = run("rule", "P4").stdout
        assert "P406  bar-first" in output
        assert "C501" not in output

    def test_none(self, run: Run) -> None:
        result = run("rule", "P46")
        assert result.exit_code == 2
        assert "no rule is called 'P46'; is P4" in result.stderr


class TestFormats:
    def test_all(self, run: Run) -> None:
        result = run("formats")
        assert (result.exit_code, ".mat" in result.stdout) == (0, True)

    @pytest.mark.parametrize("entry", KNOWN)
    def test_one(self, run: Run, entry: Format | BinaryFormat) -> None:
        result = run("formats", entry.name)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"{entry.name}: {entry.description}")
        has_grammar = "Below are the Lark grammars" in result.stdout
        assert has_grammar == (entry in DESCRIBED)

    def test_with_the_grammars_of_its_cells_and_plays(self, run: Run) -> None:
        output = run("formats", "mat").stdout
        for rule in ("matches", "game", "score_line", "turn", "step"):
            assert f"\n{rule}: " in output
        assert "%" not in output
        titles = [line for line in output.splitlines() if line.endswith(".lark")]
        assert titles == ["mat.lark", "cell.lark", "notation.lark"]
        assert "Below are the Lark grammars" in output

    @pytest.mark.parametrize("name", ["mat", "fibs", "gnubg-text", "sgg"])
    def test_with_each_of_them_once(self, run: Run, name: str) -> None:
        printed = run("formats", name).stdout
        assert [printed.count(f"\n{rule}: ") for rule in ("matches", "play", "step")] == [1, 1, 1]

    def test_none(self, run: Run) -> None:
        result = run("formats", "nothing")
        assert result.exit_code == 2
        assert result.stderr.startswith(
            "bganalyze: 'nothing' is no format that can be read; there are "
        )


class TestShow:
    def test_what_a_line_is_made_of(self, run: Run) -> None:
        assert (
            run("show", "--tree", "clean.mat", "6").stdout
            == """\
matches
  match
    game
      rows
        next_row
          label  2
          cells
            left_cell
              turn
                play
                  DICE  42:
                  step
                    source  8
                    target  4
                  step
                    source  6
                    target  4
            right_cell
              turn
                play
                  DICE  61:
                  step
                    source  13
                    target  7
                  step
                    source  8
                    target  7
"""
        )

    def test_a_result_below_the_rows_of_its_game(self, run: Run) -> None:
        output = run("show", "--tree", "clean.mat", "7").stdout
        words = (
            "matches match game rows result_row cells left_cell wins points 1 match and the match"
        )
        assert output.split() == words.split()

    def test_one_line_of_many_that_mean_nothing(self, run: Run) -> None:
        talk = "a list\n 1 ann\n\n 2 bob\n"
        Path("session.log").write_text(f"ann rolls 3 and 1.\n{talk}", encoding="utf-8")
        output = run("show", "--tree", "session.log", "3").stdout
        assert output == "matches\n  turn\n    TALK   1 ann\n"
        assert run("show", "--tree", "session.log", "4").exit_code == 2

    def test_a_play_in_letters(self, run: Run) -> None:
        text = "(;GM[6]MI[length:3]\n;W[31he\nfe];B\n[52lqac];W[31hefe]C[31he];B[double])"
        Path("letters.sgf").write_text(text, encoding="utf-8")
        output = run("show", "--tree", "letters.sgf", "4").stdout
        assert (
            output
            == """\
matches
  game
    nodes
      node
        property
          value
            text  52lqac
      node
        property
          name  W
          value
            play
              dice  31
              step
                source  h
                target  e
              step
                source  f
                target  e
        property
          name  C
          value
            text  31he
      node
        property
          name  B
          value
            cube_action
              double  double
"""
        )

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (["clean.mat", "x"], "x: --tree takes the number of a line"),
            (["clean.mat", "2"], "clean.mat:2: a blank line, or after the end of the file"),
            (["clean.mat", "999"], "clean.mat:999: a blank line, or after the end of the file"),
            (["clean.mat", "0"], "clean.mat:0: a blank line, or after the end of the file"),
        ],
    )
    def test_there_is_no_such_line(self, run: Run, words: list[str], problem: str) -> None:
        result = run("show", "--tree", *words)
        assert (result.exit_code, result.stderr) == (2, f"bganalyze: {problem}\n")

    def test_a_format_without_a_grammar(self, run: Run) -> None:
        run("convert", "clean.mat", "clean.json")
        result = run("show", "--tree", "clean.json", "3")
        problem = "clean.json: JSON: no grammar describes its lines"
        assert (result.exit_code, result.stderr) == (2, f"bganalyze: {problem}\n")

    def test_a_place(self, run: Run) -> None:
        result = run("show", "clean.mat", "1.2R")
        assert result.exit_code == 0
        assert result.stdout.startswith("clean.mat:6:37: game 1, row 2, right: Bob to play 6-1\n")
        assert "XGID=" in result.stdout

    def test_a_game_whose_beginning_is_lost(self, run: Run) -> None:
        text = " 3 point match\n\n Game 1\n Ann : 0  Bob : 0\n  1)               31: 8/5 6/5\n"
        text += (
            "  2) Doubles => 2  Drops\n      Wins 1 point\n  1) 21: 13/11 6/5 44: 24/20 13/9(3)\n"
        )
        Path("joined.mat").write_text(text, encoding="utf-8")
        output = run("show", "joined.mat", "2.1L").stdout
        assert output.startswith("joined.mat:8:6: game 2, row 1, left: Ann to play 2-1\n")

    @pytest.mark.parametrize("line", ["6R", "6:37", "6:40"])
    def test_a_line_of_the_file(self, run: Run, line: str) -> None:
        assert run("show", "clean.mat", line).stdout == run("show", "clean.mat", "1.2R").stdout

    def test_a_line_of_a_later_match(self, run: Run) -> None:
        text = Path("clean.mat").read_text(encoding="utf-8")
        Path("two.mat").write_text(f"{text}\n{text}", encoding="utf-8")
        result = run("show", "two.mat", "14")
        assert result.stdout.startswith("two.mat:14:6: game 1, row 2, left: Alice to play 4-2\n")

    def test_nobody_is_named(self, run: Run) -> None:
        output = run("show", "clean.mat", "1.2R", "--anonymize").stdout
        assert output.startswith("match:6:37: game 1, row 2, right: Player B to play 6-1\n")
        assert not {"Alice", "Bob", "clean"} & set(output.replace(".", " ").split())

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (["clean.mat", "R14"], "'R14' is no place"),
            (["clean.mat", "3"], "line 3 has no action; the next one is in line 5"),
            (["clean.mat", "3", "--match", "2"], "line 3 has no action; the next one is in line 5"),
            (["clean.mat", "2.1"], "no game 2; the match has 1"),
            (["clean.mat", "1.9"], "game 1 has nothing in row 9"),
            (["clean.mat", "1.1", "--match", "2"], "clean.mat: has no match 2"),
            (["none.mat", "1.1"], "none.mat: No such file or directory"),
            ([".", "1.1"], ".: a folder or archive; name one file"),
        ],
    )
    def test_what_is_not_there(self, run: Run, words: list[str], problem: str) -> None:
        result = run("show", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"bganalyze: {problem}")
        assert result.stderr.count("\n") == 1


class TestPictures:
    @pytest.mark.parametrize(
        ("option", "begins"),
        [("--svg", b"<svg"), pytest.param("--png", b"\x89PNG", marks=pytest.mark.slow)],
    )
    def test_a_board(self, run: Run, option: str, begins: bytes, folder: Path) -> None:
        result = run("show", "clean.mat", "1.2R", option, "board")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote board\n")
        assert (folder / "board").read_bytes().startswith(begins)

    def test_no_record_is_overwritten(self, run: Run, folder: Path) -> None:
        before = (folder / "faulty.mat").read_bytes()
        result = run("show", "clean.mat", "1.2R", "--svg", "faulty.mat")
        assert result.exit_code == 2
        assert result.stderr == ("bganalyze: faulty.mat: already exists; --force overwrites it\n")
        assert (folder / "faulty.mat").read_bytes() == before

    def test_a_record_that_stands_there_is_told_before_anything_is_counted(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bganalyze.app.cli.stats.sum_files", None)
        result = run("stats", "clean.mat", "--html", "faulty.mat")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "faulty.mat: already exists" in result.stderr

    def test_where_there_is_no_folder(self, run: Run) -> None:
        result = run("show", "clean.mat", "1.2R", "--png", "none/board.png")
        problem = "bganalyze: none/board.png: No such file or directory\n"
        assert (result.exit_code, result.stderr) == (2, problem)

    @pytest.mark.parametrize(
        ("words", "told_of_folder"),
        [
            (("show", "1.1", "--svg"), "bganalyze: .: already exists and is not a regular file\n"),
            (
                ("report", "--html"),
                "wrote index.html with 1 match\n",
            ),  # A folder gets a page a match.
        ],
    )
    def test_by_force(
        self, run: Run, folder: Path, words: tuple[str, ...], told_of_folder: str
    ) -> None:
        command, *place, option = words
        call = (command, "clean.mat", *place, option)
        assert run(*call, "faulty.mat", "--force").exit_code == 0
        assert b"made by bganalyze" in (folder / "faulty.mat").read_bytes()
        assert run(*call, ".", "--force").stderr == told_of_folder


def test_no_fault_ends_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "app", lambda: {}[1])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 2
    assert capsys.readouterr().err.startswith(
        "bganalyze: an internal error of bganalyze, please report it"
    )


def find_loaded_modules(*words: str) -> set[str]:
    """Return the modules that a call imports."""
    code = (
        "import sys\n"
        "from bganalyze.app.cli.app import app\n"
        "try: app(sys.argv[1:])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return set(process.stderr.split())


@pytest.mark.slow
def test_only_what_is_needed_is_imported() -> None:
    assert not {"lark", "rich", "multiprocessing", "pandas"} & find_loaded_modules("--version")
    assert not {"rich", "multiprocessing", "pandas"} & find_loaded_modules(
        "check", "clean.mat", "-q"
    )


@pytest.mark.skipif(os.name != "posix", reason="no such names here")
def test_the_name_of_a_written_file_does_not_steer_the_terminal(run: Run) -> None:
    result = run("show", "clean.mat", "1.1L", "--svg", "\x1b]0;a\x07.svg")
    assert (result.exit_code, "\x1b" in result.stderr) == (0, False)


def test_the_commands_stand_in_groups(run: Run) -> None:
    output = run("--help").stdout
    titles = ["Check and repair:", "Report and count:", "Analyze and study:", "Files:"]
    assert [line for line in output.splitlines() if line in titles] == titles
    assert "Check and repair:\n  check    Check match files" in output
    assert "\nCommands:" not in output


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["chekc"], "there is no command 'chekc'; did you mean check?"),
        (["xyzzy"], "there is no command 'xyzzy'; bganalyze help lists the commands\n"),
        (["judge", "clean.mat"], "there is no command 'judge'; use bganalyze analyze\n"),
        (["clean.mat"], "name a command before it, such as bganalyze check clean.mat\n"),
        (["missing.mat"], "missing.mat: no such file or command; to check a file: bganalyze check"),
        (["no/folder"], "no/folder: no such file or command; to check a file: bganalyze check"),
        (["https://a:secret@club.example/a.mat"], "such as bganalyze check URL\n"),
        (["check", "clean.mat", "--format", "jsno"], "csv; did you mean json or jsonl?"),
        (["stats", ".", "--report", "chekker"], "ratings; did you mean checker?"),
        (["stats", ".", "--by", "plaier"], "and all; did you mean player?"),
        (["formats", "sfg"], "; did you mean sgg or sgf?"),
        (["rule", "bar-frist"], "is P406 bar-first meant?"),
    ],
)
def test_what_may_be_meant(run: Run, words: list[str], hint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert hint in result.stderr


@pytest.mark.parametrize(
    ("call", "completed"),
    [
        ("check --select P40", {"P401", "P402"}),
        ("check --ignore T108,P41", {"T108,P410", "T108,P411"}),
        ("rule bar", {"bar-first"}),
        ("stats --report points,ch", {"points,checker"}),
        ("stats --by ye", {"year"}),
        ("analyze --metric xg", {"xg-a", "xg-b"}),
        ("analyze --level 2", {"2ply"}),
        ("formats sg", {"sgf"}),
        ("export --kind play,do", {"play,double"}),
    ],
)
def test_completion(run: Run, call: str, completed: set[str]) -> None:
    environment = {
        "_BGANALYZE_COMPLETE": "complete_bash",
        "COMP_WORDS": f"bganalyze {call}",
        "COMP_CWORD": str(len(call.split())),
    }
    result = run(env=environment, prog_name="bganalyze")
    assert completed <= set(result.stdout.split())


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        ("check", ["text", "auto", "(all)", "(as the settings file says, or error)"]),
        ("analyze", ["(sage 2ply, gnubg 2ply, recorded stored)", "(all)"]),
        ("stats", ["(points; of analyses errors)", "player", "table"]),
    ],
)
def test_defaults_are_told(run: Run, name: str, defaults: list[str]) -> None:
    help_text = " ".join(run(name, "--help").stdout.split())
    assert [default for default in defaults if f"[default: {default}" not in help_text] == []


CALL_ALL = """
import json, sys
from typer.testing import CliRunner
from bganalyze.app.cli.app import app
print(json.dumps([CliRunner().invoke(app, words.split()).stdout for words in sys.argv[1:]]))
"""


@pytest.mark.slow
def test_without_docstrings_the_same_is_said(run: Run, tmp_path: Path) -> None:
    """`python -OO` passes them, and its compiled modules are kept apart from those of the tests."""
    calls = ("rule P406", "rule", "-h", "check -h")
    ended = subprocess.run(
        [sys.executable, "-OO", "-c", CALL_ALL, *calls],
        env={**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout) == [run(*words.split()).stdout for words in calls]


def test_clean_removes_only_what_bganalyze_has_made(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "caches")
    assert run("clean").stderr == "caches/bganalyze: there is no cache\n"
    run("check", "clean.mat")
    assert run("clean").stderr == "removed caches/bganalyze\n"
    (folder / "caches" / "bganalyze").mkdir()
    (folder / "caches" / "bganalyze" / "notes.txt").write_text("mine", encoding="utf-8")
    refused = run("clean")
    reason = "not created by bganalyze: it has no CACHEDIR.TAG of bganalyze"
    assert (refused.exit_code, refused.stderr) == (2, f"bganalyze: caches/bganalyze: {reason}\n")
    assert run("check", "clean.mat").exit_code == 0
    assert (folder / "caches" / "bganalyze" / "notes.txt").exists()


def test_without_words_the_whole_help_is_printed(run: Run) -> None:
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == run("--help").stdout


def test_help_and_the_british_spelling_are_commands(run: Run) -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "check").stdout == run("check", "--help").stdout
    assert run("analyse", "--help").stdout == run("analyze", "--help").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("stats",),
        ("repair",),
        ("report",),
        ("analyze", "--engine", "recorded", "--db", "a.db"),
    ],
)
def test_a_missing_folder_is_one_line(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "missing/")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "bganalyze: missing/: No such file or directory\n"


@pytest.mark.parametrize("command", ["analyze", "check", "collect", "convert", "export", "stats"])
def test_quiet_means_one_thing(run: Run, command: str) -> None:
    about = " ".join(run(command, "--help").stdout.split())
    assert "Print only results and problems: no progress, summaries or notes." in about


def test_the_traceback_of_a_fault_is_printed_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "app", lambda: {}[1])
    monkeypatch.setenv("BGANALYZE_DEBUG", "1")
    with pytest.raises(SystemExit):
        main()
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_program_in_one_file_marks_the_commands_it_lacks(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    lines = run("--help").stdout.splitlines()
    marked = [line.split()[0] for line in lines if "a store needs the Python package" in line]
    assert marked == ["collect", "query"]


def test_repair_says_how_to_get_the_only_engine_it_can_ask(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bganalyze.app.cli.repair.find_spec", lambda name: None)
    result = run("repair", "clean.mat", "--engine")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("bganalyze: --engine needs Open Sage: ")
    assert "choose" not in result.stderr
