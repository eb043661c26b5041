"""Output for a tournament director: set-ups, results, legal plays and standings."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from bganalyze.board.position import points
from bganalyze.validation.replaying.set_ups import describe_misplaced

Run = Callable[..., Result]

FULL = ("--color", "always", "--no-cache")
SAMPLES = Path(__file__).parents[3] / "samples" / "faulty"
START = "-b----E-C---eE---c-e----B-"


def plain(result: Result) -> str:
    """Return the output without colors."""
    return re.sub(r"\x1b\[[\d;]*m", "", result.stdout)


def write_match(folder: Path, *lines: str, name: str = "match.mat") -> str:
    head = (" 5 point match", " Game 1", " Ann : 0                         Bob : 0")
    (folder / name).write_text("\n".join((*head, *lines, "")), encoding="utf-8")
    return name


def with_set_up(folder: Path, board: str) -> str:
    return write_match(
        folder,
        f"; Set Pos={board}/0",
        "  1) 31: 6/5 6/3                   42: 8/4 6/4",
    )


class TestSetUps:
    WRONG = "-b----E-C---dE---d-e----B-"

    @pytest.fixture
    def wrong(self, folder: Path) -> str:
        return with_set_up(folder, self.WRONG)

    @pytest.mark.parametrize(
        ("board", "xgid", "words"),
        [
            (WRONG, "-b----E-D---eD---c-e----B-", "(one checker on 8 belongs on 13)"),
            (
                "-b----E-C---cE---e-e----B-",
                "-b----E-E---eC---c-e----B-",
                "two checkers on 8 belong",
            ),
            (
                "-b----E-C---eE---c-d-a--B-",
                "-b--A-D-C---eE---c-e----B-",
                "one checker on 4 belongs",
            ),
            (
                "-b----E-C---eE---c-d----B-",
                "-b----D-C---eE---c-e----B-",
                "one checker is missing on 6",
            ),
            (
                "-b----E-C---eE---c-f----B-",
                "-b----F-C---eE---c-e----B-",
                "checker on 6 is too many",
            ),
        ],
    )
    def test_the_board_is_the_recorded_one(
        self, run: Run, folder: Path, board: str, xgid: str, words: str
    ) -> None:
        name = with_set_up(folder, board)
        (finding,) = (
            one
            for one in json.loads(run("check", name, "--format", "json").stdout)
            if one["code"] in ("U201", "U202")
        )
        assert finding["position"].removeprefix("XGID=").partition(":")[0] == xgid
        assert words in finding["message"]

    @pytest.mark.slow
    @pytest.mark.parametrize("words", [("check", *FULL), ("report",)])
    def test_wrong_points_are_marked(self, run: Run, wrong: str, words: tuple[str, ...]) -> None:
        output = run(words[0], wrong, *words[1:]).stdout
        assert "─!8─" in output
        assert "┌!13─" in output
        assert f"XGID={START}" not in output

    def test_a_page_marks_wrong_points(self, run: Run, wrong: str, folder: Path) -> None:
        run("check", wrong, "--html", "page.html")
        assert (folder / "page.html").read_text().count('<circle class="marked"') == 2

    def test_show_gives_the_recorded_board(self, run: Run, wrong: str) -> None:
        output = run("show", wrong, "4").stdout
        assert output.startswith("match.mat:4:1: game 1, left: the set-up\n")
        assert "XGID=-b----E-D---eD---c-e----B-" in output

    def test_a_shared_point_shows_both_sides(self, run: Run, folder: Path) -> None:
        lines = (
            "bganalyze match",
            "left: Ann",
            "right: Bob",
            "length: 3",
            "",
            "game 1",
            "score 0-0",
            "board L 24(2) 13(4) 12 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5) turn L",
            "L 31 8/5 6/5",
        )
        (folder / "shared.bgm").write_text("\n".join((*lines, "")), encoding="utf-8")
        output = run("check", "shared.bgm", *FULL).stdout
        assert "the board has both" in output
        assert "│ ○5                │" in output
        assert "│ ●                 │" in output

    def test_a_cube_is_the_recorded_one(self, run: Run, folder: Path) -> None:
        name = write_match(folder, f"; Set Pos={START}/1", "  1) 31: 8/5 6/5    42: 8/4 6/4")
        (finding,) = json.loads(run("check", name, "--format", "json", "--select", "U").stdout)
        assert finding["code"] == "U205"
        assert ":1:-1:1:00:" in finding["position"]


def test_after_the_result_the_game_is_over(run: Run, folder: Path) -> None:
    name = write_match(
        folder,
        "  1) 31: 8/5 6/5                   Doubles => 2",
        "  2)  Drops",
        "      Wins 1 point",
    )
    assert "the game is over" in run("show", name, "6").stdout


class TestStandings:
    @pytest.mark.parametrize(
        ("after", "words"),
        [
            (("  2) 64: 24/18 13/9",), "Bob rolled 4-2 (line 4, right)"),
            ((), "Bob rolled 4-2 (line 4, right)"),
        ],
    )
    def test_the_roll_that_closed_an_error_is_told(
        self, run: Run, folder: Path, after: tuple[str, ...], words: str
    ) -> None:
        name = write_match(folder, "  1) 31: 8/5 6/4                   42: 8/4 6/4", *after)
        assert (
            f"stands: the play stays on the board as made; too late to correct after the next roll: {words}"
            in plain(run("check", name, *FULL))
        )

    def test_a_double_that_closed_an_error_is_told(self, run: Run, folder: Path) -> None:
        (folder / "bganalyze.toml").write_text('[switches]\nstands-after = "roll-or-double"\n')
        name = write_match(
            folder,
            "  1) 31: 8/5 6/4                    Doubles => 2",
            "  2)  Takes                        42: 8/4 6/4",
        )
        assert "after the next roll or double: Bob doubled (line 4, right)" in plain(
            run("check", name, *FULL)
        )

    def test_a_set_up_says_which_roll_closes_it(self, run: Run, folder: Path) -> None:
        name = with_set_up(folder, TestSetUps.WRONG)
        assert "before the second roll of the game had been played (line 5, right)" in plain(
            run("check", name, *FULL)
        )


class TestLegalPlays:
    def test_plays_left_out_are_counted(self, run: Run, folder: Path) -> None:
        name = write_match(folder, "  1) 31: 8/5 6/4                   42: 8/4 6/4")
        assert "(5 of 16, nearest first)" in plain(run("check", name, *FULL))
        finding = json.loads(run("check", name, "--format", "json").stdout)[0]
        assert (len(finding["legal"]), finding["legal_count"]) == (5, 16)
        run("check", name, "--html", "page.html")
        assert "(5 of 16, nearest first)" in (folder / "page.html").read_text()

    def test_all_plays_need_no_count(self, run: Run) -> None:
        assert "legal plays: 25/20\n" in plain(run("check", SAMPLES / "P406-bar-first.mat", *FULL))


class TestResults:
    def test_a_score_that_disagrees_with_the_game_is_set_against_it(
        self, run: Run, folder: Path
    ) -> None:
        lines = (
            "  1) 31: 8/5 6/5                    Doubles => 2",
            "  2)  Drops                         Wins 1 point",
            "",
            " Game 2",
            " Ann : 0                         Bob : 2",
            "  1) 31: 8/5 6/5                   42: 8/4 6/4",
        )
        output = run("check", write_match(folder, *lines)).stdout
        words = (
            "disputed: game 1: Bob wins 1 point, but the next score line gives Bob 2 points (R604)"
        )
        assert words in output

    def test_an_unsettled_winner_comes_first(self, run: Run) -> None:
        output = run("check", SAMPLES / "R603-wrong-winner.mat").stdout
        first, second = (line for line in output.splitlines() if line.startswith("disputed"))
        assert first.startswith("disputed: the match: the winner is not settled: as recorded, 2–1")
        assert second.startswith("disputed: game 2: as recorded, Ada Quill wins 2 points")

    def test_a_wrong_winner_shows_the_board_at_the_end(self, run: Run, folder: Path) -> None:
        sample = SAMPLES / "R603-wrong-winner.mat"
        assert "○ Cleo Hart  0 pips" in plain(run("check", sample, *FULL))
        run("check", sample, "--html", "page.html")
        assert '<svg class="board"' in (folder / "page.html").read_text()


def test_a_pipe_can_have_the_explanations(run: Run, folder: Path) -> None:
    name = write_match(folder, "  1) 31: 8/5 6/4                   42: 8/4 6/4")
    assert "stands: " not in run("check", name).stdout
    explained = run("check", name, "--full").stdout
    assert "stands: the play stays on the board" in explained
    assert "legal plays: " in explained
    assert "┌─13─14" in explained
    assert "\x1b" not in explained
    assert "┌─13─14" not in run("check", name, "--full", "--no-board").stdout


def test_causes_of_like_probability_are_both_told(run: Run, folder: Path) -> None:
    lines = (
        "  1) 31: 8/5 6/5                    Doubles => 2",
        "  2)  Drops                         Wins 1 point",
        "",
        " Game 2",
        " Ann : 0                         Bob : 3",
        "  1) 31: 8/5 6/5                    Doubles => 2",
        "  2)  Drops                         Wins 1 point",
        "",
        " Game 3",
        " Ann : 0                         Bob : 4",
        "  1) 31: 8/5 6/5                   42: 8/4 6/4",
    )
    output = run("check", write_match(folder, *lines), "--full").stdout
    assert "perhaps: line 8, score 0-3 → 0-1" in output
    assert "or: line 7, a game seems to be missing between games 1 and 2; no edit can" in output


class TestRuleBooks:
    @pytest.mark.parametrize("command", ["check", "report", "stats", "repair"])
    def test_capitals_do_not_matter(self, run: Run, command: str) -> None:
        assert run(command, "clean.mat", "--rules", "WBF").exit_code == 0

    def test_a_beginning_is_completed_in_a_hint(self, run: Run) -> None:
        result = run("check", "clean.mat", "--rules", "us")
        assert result.exit_code == 2
        assert "did you mean usbgf, " in " ".join(result.output.split())

    @pytest.mark.parametrize(
        "words", [("--rules", "wbf", "--rules", "usbgf"), ("--rules=wbf", "--rules=basic")]
    )
    def test_two_books_are_refused(self, run: Run, words: tuple[str, ...]) -> None:
        result = run("check", "clean.mat", *words)
        assert result.exit_code == 2
        assert "one rule book at a time" in " ".join(result.output.split())

    def test_a_book_named_twice_is_one(self, run: Run) -> None:
        words = ("--rules", "wbf", "--rules", "WBF")
        assert run("check", "clean.mat", *words).exit_code == 0

    def test_a_rule_is_explained_by_a_book(self, run: Run) -> None:
        output = " ".join(run("rule", "P409", "--rules", "usbgf").stdout.split())
        assert "it may be corrected only before the next roll. Other rule books differ" in output
        assert "Rule book: usbgf-2024 (US Backgammon Federation, Tournament Rules 2024" in output
        assert "It must be corrected before the next roll; Legal Moves Policy (as quoted" in output

    def test_a_book_is_copied_and_changed(self, run: Run, folder: Path) -> None:
        text = run("rule", "ukbgf-2019").stdout
        changed = text.replace('"ukbgf-2019"', '"club"').replace('"roll-or-double"', '"play"')
        (folder / "mine.toml").write_text(changed, encoding="utf-8")
        output = run("check", "clean.mat", "--rules", "mine.toml").stdout
        assert re.search(r"Rule book: club in mine\.toml [0-9a-f]{8} \(UK Backgammon Fed", output)
        assert "next completed play" in run("rule", "P409", "--rules", "mine.toml").stdout

    @pytest.mark.parametrize("words", [("check", "clean.mat"), ("rule", "P409")])
    def test_a_wrong_book_is_one_line(self, run: Run, folder: Path, words: tuple[str, ...]) -> None:
        (folder / "mine.toml").write_text('name = "club"\n', encoding="utf-8")
        result = run(*words, "--rules", "mine.toml")
        assert (result.exit_code, result.stderr) == (2, "bganalyze: mine.toml: body is missing\n")

    def test_rule_knows_the_books(self, run: Run) -> None:
        output = run("rule", "WBF").stdout
        assert output.startswith(
            "# A rule book of bganalyze: bganalyze check FILE --rules wbgf-2.1\n"
        )
        assert 'decides = { who-decides = "both-must-act" }' in output


def test_a_row_written_like_a_column_gets_a_hint(run: Run) -> None:
    result = run("show", "clean.mat", "1:53")
    assert "row 53 of game 1 is written 1.53" in result.output


def test_no_repair_has_a_reason(run: Run) -> None:
    output = run("repair", SAMPLES / "P406-bar-first.mat").stdout
    assert "it may really have been made" in output
    output = run("repair", SAMPLES / "U201-stands.mat").stdout
    assert "no repair found: none of the slips that are searched explains this\n" in output


def test_settings_name_a_rule_book_in_any_case(run: Run, folder: Path) -> None:
    (folder / "bganalyze.toml").write_text('rules = "USBGF"\n', encoding="utf-8")
    assert "Rule book: usbgf" in run("check", "clean.mat").stdout


def test_many_misplaced_checkers_are_not_listed_one_by_one() -> None:
    usual = points({13: 5, 8: 3, 6: 5, 24: 2})
    assert describe_misplaced(usual, points({13: 10**9, 8: 3, 6: 5, 24: 2})) == ""
    assert describe_misplaced(usual, points({13: 5, 8: 3, 5: 3, 6: 2, 24: 2})) == ""


class TestDoubtfulCrawfordGames:
    """A record that begins at match point, so that the Crawford game may be over."""

    @pytest.fixture
    def late(self, folder: Path) -> str:
        name = write_match(folder, "  1) 31: 8/5 6/5                   Doubles => 2")
        text = (folder / name).read_text(encoding="utf-8").replace("Ann : 0", "Ann : 4")
        (folder / name).write_text(text.replace("Bob : 0", "Bob : 2"), encoding="utf-8")
        return name

    def test_a_check_names_the_command_to_rule_on_a_warning(self, run: Run, late: str) -> None:
        command = "to rule on it: bganalyze ruling match.mat 4:36 --html sheet.html"
        assert command in run("check", late).stdout.splitlines()
        assert run("ruling", late, "4:36").exit_code == 0

    def test_repair_and_matches_count_the_warning(self, run: Run, late: str) -> None:
        words = run("repair", late).stdout.splitlines()[0]
        assert words == "1 file, 0 errors, 1 warning (see bganalyze check)"
        listed = run("matches", late).stdout
        assert "0, 1 warning" in listed
        assert "1 match, 0 with errors, 1 with warnings, 1 not complete" in listed
