"""The constructs of match text in columns, and of the same matches as JSON."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.constructs.repeated import Text, after, once, repeat_numbered, with_many

MATCH = " 5 point match\n"
GAME = " Game 1\n Ann : 0                         Bob : 0\n"
HEAD = MATCH + "\n" + GAME
ROW = "  1) 31: 8/5 6/5                   42: 8/4 6/4\n"
SHUTTLE = "  2) 61: 13/7 8/7                  51: 13/8 6/5\n"


def cell(part: str, before: str = "31: 8/5 6/5 ") -> Text:
    """Return a function that makes a cell of match text."""
    return once(f"{HEAD}  1) {before}", part, "\n")


def rows(left: str, right: str = "") -> Text:
    """Return a function that makes numbered rows of match text."""
    return repeat_numbered(HEAD, f" {{n}}) {left:28} {right}".rstrip() + "\n")


def line(part: str, before: str = "", tail: str = "") -> Text:
    """Return a function that makes lines above a match."""
    return once(before, part, f"{tail}\n{HEAD}{ROW}")


MAT: dict[str, Text] = {
    # lines
    "match lines": once("", MATCH),
    "match lines with hyphens": once("", "5-point match\n", HEAD + ROW),
    "other lengths": repeat_numbered("", " First to {n} points.\n Money session\n", HEAD + ROW),
    "titles": once("", "|  Event: a  |\nHe was late for the game.\n", HEAD + ROW),
    "titles with lengths": once("", "Ann vs Bob, 5 point match\n", HEAD + ROW),
    "a title of lengths": once("", "5 pointer ", "\n" + HEAD + ROW),
    "a long title": once("", "late x ", "\n" + HEAD + ROW),
    "a long title in columns": once("", "a  b: 3 ", "\n" + HEAD + ROW),
    "prose in a game": once(HEAD + ROW, "He was late for the game.\n", SHUTTLE),
    "rolls written twice": once(HEAD + "  1) ", "31: 31: ", "8/5\n"),
    "match lines with games": repeat_numbered("", f"{MATCH}{GAME}{ROW}      Wins 1 point\n"),
    "tags": repeat_numbered("", '; [Key{n} "value"]\n', HEAD + ROW),
    "broken tags": once("", "; [Event x\n", HEAD + ROW),
    "a long tag": once('; [Event "', "x", f'"]\n{HEAD}{ROW}'),
    "comments above": once("", "; a remark\n", HEAD + ROW),
    "comments in a game": once(HEAD + ROW, "; a remark\n", SHUTTLE),
    "a long comment": once(HEAD + "; ", "x", "\n" + ROW),
    "ignore comments": once("", "; bganalyze: ignore P4 T1\n", HEAD + ROW * 3),
    "ignored codes": repeat_numbered("; bganalyze: ignore", " P{n}", f"\n{HEAD}{ROW}"),
    "ignored codes and rows": lambda n: (
        "; bganalyze: ignore" + "".join(f" P{k}" for k in range(n)) + "\n" + HEAD + SHUTTLE * n
    ),
    "ignore comments in games": repeat_numbered(
        HEAD, " Game {n}\n; bganalyze: ignore P4\n Ann : 0        Bob : 0\n" + ROW
    ),
    "games": repeat_numbered(
        MATCH, f" Game {{n}}\n Ann : 0                         Bob : 0\n{ROW}"
    ),
    "games with scores behind": repeat_numbered(
        MATCH, f" Game {{n}} (1-0)\n Ann : 1                         Bob : 0\n{ROW}"
    ),
    "games with names like other lines": repeat_numbered(
        MATCH, f" Game {{n}}\n #1 : 0                          12) : 0\n{ROW}"
    ),
    "games with rulers": repeat_numbered(
        MATCH, f"--- Game #{{n}} ---\n Ann : 0                         Bob : 0\n{ROW}"
    ),
    "a long ruler": once(MATCH, "-", f" Game 1\n Ann : 0                         Bob : 0\n{ROW}"),
    "rows with numbers in brackets": repeat_numbered(HEAD, "({n}) 31: 8/5 6/5       42: 8/4 6/4\n"),
    "rows with numbers before colons": repeat_numbered(
        HEAD, "{n}: 31: 8/5 6/5       42: 8/4 6/4\n"
    ),
    "rows with dice set apart": rows("3 1: 8/5 6/5", "4.2: 8/4 6/4"),
    "rows with repeated steps": rows("33: 8/5 x2 6/3 x2", "44: 24->20 x4"),
    "rows with other words of the cube": rows(" Offers cube at 2", " takes it!"),
    "rows with dots": rows("...", "42: 8/4 6/4"),
    "rows with slashes between dice": rows("3/1: 8/5 6/5", "4/2: 8/4 6/4"),
    "slashes between dice in one row": once(HEAD + "1) ", "3/1: ", "\n"),
    "games with scores in brackets": repeat_numbered(
        MATCH, f" Game {{n}}\n Ann (0)                         Bob (0)\n{ROW}"
    ),
    "games with names repeated": repeat_numbered(
        MATCH, f" Game {{n}}: Ann 1, Bob 0\n Ann                             Bob\n{ROW}"
    ),
    "results with a plus": once(HEAD + ROW, "Ann +2\n"),
    "turns told in words": once(
        MATCH + " Game 1\n",
        "Ann rolls 3-1 and plays 8/5 6/5\nBob doubles to 2\nBob rolls 4-2 and dances\n",
    ),
    "titles with a length": once(
        "", "Match to 5: Ann - Bob\nAnn and Bob play to 5 points\nAnn vs Bob (5 pts)\n", HEAD + ROW
    ),
    "a title of many hyphens": once("Match to 5: Ann", " - A", f"\n{HEAD}{ROW}"),
    "rows without colons": rows("31 8/5 6/5", "42 8/4 6/4"),
    "rows of doubles without arrows": rows(" Doubles 2", " Takes"),
    "games that end": repeat_numbered(
        MATCH,
        f" Game {{n}}\n Ann : {{m}}                         Bob : 0\n{ROW}      Wins 1 point\n",
    ),
    "games of a session": once(
        " 0 point match\n", f"{GAME}{ROW}                                      Wins 3 points\n"
    ),
    "games without score lines": repeat_numbered(MATCH, f" Game {{n}}\n{ROW}      Wins 2 points\n"),
    "games without score lines, endless": repeat_numbered(
        " 0 point match\n",
        f" Game {{n}}\n{ROW}  2)  Doubles => 4               Drops\n"
        "      Wins 5 points\n                                      Wins 3 points\n",
    ),
    "games whose scores never fit": repeat_numbered(
        " 9999999 point match\n",
        f" Game {{n}}\n Ann : {{n}}000                     Bob : {{n}}\n{ROW}  2)  Doubles => 4  Takes\n"
        "      Wins 5 points\n                                      Wins 3 points\n",
    ),
    "games without rows": repeat_numbered(MATCH, " Game {n}\n"),
    "score lines": once(MATCH, " Ann : 0                         Bob : 0\n"),
    "score lines with colons": once(MATCH, " A:n : 0                         B:b : 0\n"),
    "score lines without a gap": once(MATCH, f" {'A' * 28} : 0523 Bob : 0\n"),
    "set positions": once(HEAD, "; Set Pos=-b----E-C---eE---c-e----B-/0\n", ROW),
    "wrong set positions": once(HEAD, "; Set Pos=nothing\n", ROW),
    "text in a game": once(HEAD + ROW, "some text\n\n", SHUTTLE),
    "text above": once("", "some text\n", HEAD + ROW),
    "a title of names": once("", "Ann      Bob\n", ROW),
    "names and rows": repeat_numbered("", f"Ann      Bob\n{ROW}"),
    "words": once(HEAD + ROW, "Doubles\nTakes\n"),
    "ragged rows": once(HEAD + ROW, "xx) 31: 8/5 6/5              42: 8/4\n"),
    "blank lines": once(HEAD, "\n", ROW),
    "rows": rows("31: 24/23 13/10", "31: 24/23 13/10"),
    "legal rows": lambda n: (
        HEAD
        + "".join(
            f" {2 * k + 1}) 66:                         66:\n {2 * k + 2}) 66:                         66:\n"
            for k in range(n)
        )
    ),
    "the same row": once(HEAD, ROW),
    "rows of nothing": once(HEAD, "  1)\n"),
    "rows of half": rows("31: 8/5 6/5"),
    "rows of dice": rows("31:", "42:"),
    "rows of dances": rows("31: Cannot Move", "42: Cannot Move"),
    "rows of question marks": rows("31: ????", "42: ????"),
    "rows of impossible dice": rows("99: 8/5", "00: 8/5"),
    "rows of two rolls": rows("31: 8/5 31: 6/5", "42: 8/4 42: 6/4"),
    "rows of wrong dice": rows("31: 8/2", "42: 8/2"),
    "rows of wrong dice and places": rows("31: 8/2", "42: 20/16 20/18"),
    "rows of hyphens": rows("3-1: 8/5 6/5", "4-2: 8/4 6/4"),
    "rows of names": rows("Ann: 31: 8/5 6/5", "Bob: 42: 8/4 6/4"),
    "rows of tabs": repeat_numbered(HEAD, "  {n}) 31: 8/5 6/5\t\t42: 8/4 6/4\n"),
    "rows of doubles": rows(" Doubles => 2", " Takes"),
    "rows of redoubles": repeat_numbered(
        HEAD + ROW,
        " {n})  Doubles => 4                 Takes\n {n}) 31: 13/14            Doubles => 4\n",
    ),
    "rows of beavers": rows(" Doubles => 2", " Beaver"),
    "rows of raccoons": rows(" Beaver", " Raccoon"),
    "rows of takes": rows(" Takes", " Takes"),
    "rows of drops": rows(" Drops", " Drops"),
    "rows of wins": rows(" Wins 1 point", " Wins 2 points"),
    "rows of losses": rows(" Losses 1 point", " Losses 2 points"),
    "rows of resignations": rows(" Resigns", " Concedes the match"),
    "rows of forfeits": rows(" Forfeits", " loses on time"),
    "rows of junk": rows("31: foo bar", " what?"),
    "rows of half read plays": rows("31: 8/5 foo", "42: 8/4 bar"),
    "rows called illegal": rows("31: 8/5 6/5 illegal?", "42: 8/4 illegal"),
    "rows of boards": rows("31: illegal play (1;2)", "42: illegal play (3;4)"),
    "rows with remarks": rows("31: 8/5 6/5", "42: 8/4 6/4 ; a remark"),
    "rows within rows": rows("31: 8/5 6/5   7)  Losses 2 point"),
    "rows after the end": after("", rows(" Drops", "31: 8/5 6/5")),
    "takes and comments": with_many(HEAD + ROW, "; a remark\n", "  2)  Takes\n"),
    "doubles and comments": with_many(HEAD + ROW, "; a remark\n", "  2)  Doubles\n"),
    "dice faults and places": with_many(HEAD, ROW.replace("8/5", "9/6"), SHUTTLE),
    "hit marks": rows("31: 8/5* 6/5*", "42: 8/4* 6/4*"),
    "hits": repeat_numbered(
        HEAD, " {n}) 64: 24/14               64: 24/14\n {n}) 22: 13/11*/9*         22: 13/11*/9*\n"
    ),
    "gap of names": repeat_numbered(MATCH, " Game {n}\n Ann{n} : 0              Bob : 0\n"),
    # cells
    "steps": cell("8/5 "),
    "steps back and forth": cell("24/23 23/24 ", "31: "),
    "steps in vain, back and forth": cell("9/8 24/23 23/24 ", "31: "),
    "steps from an empty point": cell("9/8 ", "31: "),
    "steps marked": cell("24/23* ", "31: "),
    "steps off": cell("6/off ", "31: "),
    "steps from the bar": cell("bar/22 ", "31: "),
    "steps of no checker": cell("0/0 ", "31: 8/5 "),
    "names": cell("Ann: ", ""),
    "words of a name": once(HEAD + "  1) ", "Ann ", ": 31: 8/5\n"),
    "gaps and names": cell("  Ann: ", "31: 8/5"),
    "steps and commas": cell("8/5,", "31: "),
    "steps with counts": cell("24/23(4) ", "11: "),
    "steps and rows": lambda n: HEAD + "  1) 31: " + "24/23 " * n + "\n" + SHUTTLE * 3,
    "steps after a hit": lambda n: (
        f"{HEAD}  1) 62: 24/18 13/11               64: 13/7* 24/20\n  2) 42: " + "18/14 " * n + "\n"
    ),
    "rows of many steps": lambda n: HEAD + ("  1) 31: " + "24/23 " * 30 + "\n") * (n // 30 + 1),
    "points of a step": cell("/23/24", "31: 24"),
    "points of a step downward": cell("/5/4", "31: 6"),
    "points of a step with marks": cell("/23*/24*", "31: 24"),
    "points of a step and rows": lambda n: (
        HEAD + "  1) 31: 24" + "/23/24" * n + "\n" + SHUTTLE * 20
    ),
    "half read steps": cell("8/5 foo ", "31: "),
    "half read words": cell("foo ", "31: "),
    "steps without dice": cell("8/5 ", ""),
    "dice": cell("31: ", ""),
    "dice and steps": cell("31: 8/5 ", ""),
    "dice without blanks": cell("31:8/5", ""),
    "dances": cell("Cannot Move ", "31: "),
    "blanks in a dance": once(HEAD + "  1) 31: cannot", " ", "x\n"),
    "question marks": cell("???? ", "31: "),
    "boards": cell("illegal play (1;2) ", "31: "),
    "board without an end": cell("illegal play (", "31: "),
    "board of many fields": once(HEAD + "  1) 31: illegal play (", "1;", ")\n"),
    "blanks before a board": once(HEAD + "  1) 31: illegal", " ", "play(x\n"),
    "illegal": cell("illegal? ", "31: "),
    "doubles": cell("Doubles => 2 ", ""),
    "doubles with a stop": cell("Doubles. ", ""),
    "doubles in brackets": cell("(doubles to 2) ", ""),
    "wins in brackets": cell("(wins 1 point) ", ""),
    "strokes and stops": cell("| 6/5. ", ""),
    "letters after a play": cell("x ", "31: 8/5 6/5 "),
    "long names without a gap": repeat_numbered(
        MATCH, f" Game {{n}}\n {'A' * 30} : 0Bob : 0\n{ROW}"
    ),
    "a table of rolls": repeat_numbered(HEAD, "{n}\t31\t8/5 6/5\t42\t8/4 6/4\n"),
    "messages of a chat": once(HEAD, "[3.3.26, 20:15:11] Ann: 31: 8/5 6/5\n"),
    "messages without a name": once(HEAD, "[3.3.26, 20:15:11] "),
    "rows with strokes": rows("31: 8/5 6/5 |", "42: 8/4 6/4"),
    "strokes in a row": once(HEAD + "  1) 31: 8/5", " | ", "\n"),
    "score lines with dashes": repeat_numbered(MATCH, f" Game {{n}}\n Ann 0 - Bob 0\n{ROW}"),
    "marks behind a play": once(HEAD + "  1) 31: 8/5 6/5", " ", "!x?\n"),
    "blanks in a double": once(HEAD + "  1) Doubles", " ", "=>x\n"),
    "beavers": cell("Beaver ", ""),
    "raccoons": cell("Raccoon => 8 ", ""),
    "takes": cell("Takes ", ""),
    "drops": cell("Drops ", ""),
    "wins": cell("Wins 1 point ", ""),
    "blanks in a win": once(HEAD + "  1) Wins", " ", "1 pnt\n"),
    "losses": cell("Losses 1 point ", ""),
    "resignations": cell("Resigns the game ", ""),
    "forfeits": cell("Forfeits ", ""),
    "times": cell("loses on time ", ""),
    "row labels": cell("7) ", "31: 8/5 "),
    "scores in a cell": cell("Ann : 1 ", "31: 8/5 "),
    "losses after labels": cell("7) Losses ", "31: 8/5 "),
    "remarks": cell("; remark ", "31: 8/5 "),
    "hashes": cell("#", "31: 8/5 "),
    "brackets": cell("(", "31: 8/5 "),
    "brackets with semicolons": cell("(;", "31: 8/5 "),
    "letters between tabs": once(HEAD + "  1)\t31: 8/5\t", "x", "\ty\n"),
    "tabs": cell("\t", "31: 8/5"),
    "tabs and words": cell("\tfoo", "31: 8/5"),
    "blanks": cell(" ", "31: 8/5"),
    "blanks before": once(HEAD, " ", "1) 31: 8/5\n"),
    "blanks before text": once(HEAD, " ", "foo\n"),
    "blanks after a colon": once(HEAD + "Ann :", " ", "x\n"),
    "blanks between scores": once(HEAD + "Ann : 0", " ", "x\n"),
    "blanks between a score and a colon": once(HEAD + "Ann : 0", " ", ":0x\n"),
    "blanks and colons": once(HEAD + "Ann ", " : 0  ", "x\n"),
    "colons": once(HEAD, ":", "\n"),
    "colons and digits": once(HEAD + "Ann", " :0  x", "\n"),
    "stars": cell("*", "31: 8/5"),
    "slashes": cell("/", "31: 8/5"),
    "points": cell("8/", "31: "),
    "digits": cell("1", ""),
    "digits of a score": once(HEAD + "Ann : ", "1", "\n"),
    "digits of a length": once("", "1", " point match\n" + GAME + ROW),
    "letters": cell("x", ""),
    "words in a cell": cell("x ", ""),
    "winning words in a line": line("Wins ", HEAD),
    "doubling words in a line": line("Double ", HEAD),
    "a long name": lambda n: f"{MATCH} Game 1\n {'A' * n} : 0          Bob : 0\n{ROW}",
    "names of words": lambda n: f"{MATCH} Game 1\n {'A b ' * n} : 0          Bob : 0\n{ROW}",
    "two names of words": lambda n: "A  " * n + "\n" + ROW,
    "no line end": lambda n: HEAD + "  1) 31: 8/5 6/5   42: 8/4 6/4 " * n,
    "carriage returns": once(HEAD, "\r", ROW),
    "damaged bytes": once(HEAD, "\x81", "\n" + ROW),
    "damaged lines": once(HEAD, "\x81\n", ROW),
    "blanks after GNUBG ID": once("GNUBG ID", " ", "x\n" + HEAD.replace("5 point", "points") + ROW),
    "zeros": once(HEAD + ROW, "\0", "\n"),
    # items they seldom contain
    "match lines in words": once("", " Match to 5 points.\n"),
    "match lines with remarks": once("", " 5 point match (a remark\n"),
    "match lines with signs": once("", " 5 point match \u00a7\n"),
    "match lines in words with signs": once("", " Match to 5 points \u00a7\n"),
    "match lines in words before sentences": once("", " Match to 5 points. It was late\n"),
    "length lines with remarks": once("", " Match length: 5 points (a remark\n", HEAD + ROW),
    "game lines with signs": repeat_numbered(MATCH, f" Game {{n}} \u00a7\n{ROW}"),
    "game lines with colons": repeat_numbered(MATCH, f" Game {{n}}:\n{ROW}"),
    "matches that begin with a set position": once(
        "", f"{MATCH}; Set Pos=-b----E-C---eE---c-e----B-/0\n{ROW}"
    ),
    "tags in a game": once(HEAD + ROW, '; [Key "value"] \n; [x\n', SHUTTLE),
    "ragged rows above": once(MATCH, "xx) 31: 8/5 6/5\n", GAME + ROW),
    "ragged rows of words": once(HEAD + ROW, "xx) Doubles => 2\nxx) Wins 2 points\n"),
    "rows without numbers": once(HEAD, "31: 8/5 6/5\n\n; a remark\n"),
    "rows with points": repeat_numbered(HEAD, "  {n}. 31: 8/5 6/5\n\n; a remark\n"),
    "steps to the bar": cell("24*/bar ", "31: "),
    "dances without dice": cell("Cannot Move ", ""),
    "dice that are not played, alone": cell("0/0 ", ""),
    "question marks without dice": cell("???? ", ""),
    "illegal without dice": cell("illegal? ", ""),
    "boards without dice": cell("illegal play (1;2) ", ""),
    "beavers with a value": cell("Beaver => 4 ", ""),
    "forfeits of the match": cell("Forfeits the match ", ""),
    "losses of the match": cell("Losses 1 point and the match ", ""),
    "wins of the match": cell("Wins 2 points with a gammon and the match. ", ""),
}


def as_json(text: Text) -> Text:
    """Return the content of a text as JSON."""

    def write_json(n: int) -> str:
        matches = read_bytes(text(n).encode(), "a")
        return write([replay(match) for match in matches], "json").data.decode()

    return write_json


JSON: dict[str, Text] = {
    "matches": as_json(MAT["match lines with games"]),
    "games": as_json(MAT["games"]),
    "tags": as_json(MAT["tags"]),
    "rows": as_json(MAT["rows"]),
    "steps": as_json(MAT["steps"]),
    "comments": as_json(MAT["comments in a game"]),
}
