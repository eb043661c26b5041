"""Dialects of the producers shown in the clean samples, with one match for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from matches import Spec
from record import LEFT, RIGHT, Match, Roll, boards
from spell import Dialect, ending_of

Change = Callable[[Match], Match]

STANDARD_TAGS = (
    '; [Variation "Backgammon"]',
    '; [Unrated "Off"]',
    '; [Crawford "On"]',
    '; [CubeLimit "1024"]',
)


@dataclass(frozen=True)
class Sample:
    """A sample file: its match, a change to it, and its dialect."""

    file: str
    spec: Spec
    style: Dialect
    head: tuple[str, ...] = ()
    change: Change = lambda match: match
    tail: tuple[str, ...] = ()


def add_last_rolls(match: Match) -> Match:
    """Return the match with a roll before each resignation on the loser's own turn."""
    chance = random.Random(match.length)
    games = []
    for game in match.games:
        loser = RIGHT if game.winner == LEFT else LEFT
        gave_up = ending_of(game, boards(match, game)[-1]) == "resign"
        actions = game.actions
        if gave_up and actions[-1].side != loser:
            high, low = sorted(chance.choices(range(1, 7), k=2), reverse=True)
            actions = (*actions, Roll(loser, f"{high}{low}", None))
        games.append(replace(game, actions=actions))
    return replace(match, games=tuple(games))


def cap_points(match: Match) -> Match:
    """Return the match with points capped at what the winner needs."""
    game = match.games[-1]
    need = match.length - game.score[game.winner or 0]
    return replace(match, games=(*match.games[:-1], replace(game, points=min(need, game.points))))


def resign_in_words(match: Match) -> Match:
    """Return the match with its first resignation in words."""
    games = list(match.games)
    for index, game in enumerate(games):
        if ending_of(game, boards(match, game)[-1]) == "resign":
            games[index] = replace(game, resigns="Concedes")
            break
    return replace(match, games=tuple(games))


def cut_last_game(match: Match) -> Match:
    """Return the match with its last game cut off in the middle."""
    game = match.games[-1]
    half = replace(game, actions=game.actions[: len(game.actions) // 2], winner=None, points=0)
    return replace(match, games=(*match.games[:-1], half))


def spec(name: str, players: tuple[str, str], seed: int) -> Spec:
    """Return the specification of a match to 3 points."""
    return Spec(name, players, 3, seed, "2031-05-17")


XG_HEAD = (
    '; [Site "Port Linden, Café Überfahrt"]',
    '; [Match ID "-204816324"]',
    '; [Event "Harbour Open 2031"]',
    '; [Round "Semifinal"]',
    '; [Player 1 "Søren Falk"]',
    '; [Player 2 "Ines Ardal"]',
    '; [Player 1 Elo "1600.00/0"]',
    '; [Player 2 Elo "1600.00/0"]',
    '; [EventDate "2031.05.18"]',
    '; [EventTime "14.30"]',
    *STANDARD_TAGS,
    '; [Transcriber "Ines Ardal"]',
    "",
)
XG = Dialect(
    match_line="{length} point match",
    blanks_after_left_win=3,
    blanks_after_right_win=3,
    blanks_after_row_win=3,
    plural=False,
    and_the_match=True,
    row_wins=("drop", "resign"),
    eol="\r\n",
    bom=True,
    tail="\n\n\n\n\n",
)

SAMPLES = (
    Sample(
        "galaxy.txt",
        spec("galaxy", ("quillfeather", "valeboat"), 55),
        Dialect(
            match_line="{length} point match",
            name_column=33,
            left_width=0,
            blanks_after_row_win=2,
            blanks_after_right_win=2,
            stars=False,
            clicked=True,
            plural=False,
            and_the_match=True,
            row_wins=("drop", "resign"),
            resigned_columns=(34, 66),
            resigns=" Losses {points} point",
            gap_before_last_win=True,
            tail="\n",
        ),
        (
            '; [Site "BackgammonGalaxy"]',
            '; [Match ID "90017355"]',
            '; [Player 1 "quillfeather"]',
            '; [Player 2 "valeboat"]',
            '; [Player 1 Elo "3,00/0"]',
            '; [Player 2 Elo "1,00/0"]',
            '; [EventDate "2031.05.19"]',
            '; [EventTime "20.17"]',
            *STANDARD_TAGS,
            "",
        ),
        cap_points,
    ),
    Sample(
        "studio.txt",
        spec("studio", ("quillpen", "fennecfox"), 32),
        Dialect(
            match_line="{length} point match",
            name_column=40,
            column=40,
            left_width=40,
            label="  {row}) ",
            blanks_before_games=2,
            blanks_after_right_win=2,
            blanks_after_row_win=2,
            bar="bar",
            off="off",
            merged=1.0,
            counted=True,
            dance=" Cannot Move",
            unplayed=" ????",
            resigns="00: ????",
            plural=False,
            numbered_wins=True,
            final_row=True,
            tail="",
        ),
        (
            '; [Site "Backgammon Studio"]',
            '; [Match ID "7700321"]',
            '; [Event "Lantern Cup 2031"]',
            '; [Round "Round 2"]',
            '; [Player 1 "Ada Quill"]',
            '; [Player 2 "Dario Fenn"]',
            '; [EventDate "2031.05.20"]',
            '; [EventTime "18.59"]',
            *STANDARD_TAGS,
            '; [ClockType "Live8 180/10"]',
            "",
        ),
        resign_in_words,
    ),
    Sample(
        "xg-text.txt",
        spec("xg", ("Ines Ardal", "Soren Falk"), 4),
        replace(
            XG,
            name_column=39,
            column=39,
            left_width=39,
            right_width=34,
            bar="Bar",
            off="Off",
            merged=1.0,
            counted=True,
            dance=" Cannot Move",
            unplayed=" ????",
            resigns="????",
        ),
        XG_HEAD,
        lambda match: add_last_rolls(replace(match, names=("Ines Ardal", "Søren Falk"))),
    ),
    Sample(
        "xg-mat.mat",
        spec("xg", ("Ines Ardal", "Soren Falk"), 4),
        replace(XG, name_column=33, right_width=28, stars=False, unplayed=" ???", resigns="???"),
        XG_HEAD,
        lambda match: add_last_rolls(replace(match, names=("Ines Ardal", "Søren Falk"))),
    ),
    Sample(
        "dueller.mat",
        spec("dueller", ("Pipsqueak", "Anchorman"), 7),
        Dialect(
            name_column=33,
            right_width=28,
            as_rolled=True,
            and_the_match=True,
            eol="\r\n",
        ),
        (
            "; Pipsqueak 0.9 v Anchorman version 2.1.0",
            "; 3-point match",
            "; Pipsqueak strength: 0-ply",
            "; Anchorman strength: Expert 0-ply",
            "; Dice provided by Pipsqueak",
            "; Started on 2031-05-21 at 12:51. Playing time was 1 minute, 24 seconds",
            "; Automated play by Dueller 2.2",
            "",
            "",
        ),
    ),
    Sample(
        "gridgammon.txt",
        spec("gridgammon", ("1987,1529", "fenn,1723"), 9),
        Dialect(
            name_column=34,
            left_width=32,
            as_rolled=True,
            stars=False,
            clicked=True,
            dance=" ",
            row_wins=("drop", "resign"),
            resigned_columns=(43, 43),
            tail="\n",
        ),
        (),
        add_last_rolls,
    ),
    Sample(
        "dailygammon.txt",
        spec("dailygammon", ("adaquill", "bvale"), 24),
        Dialect(
            name_column=37,
            column=37,
            left_width=37,
            and_the_match=True,
            row_wins=("drop", "resign"),
            tail="\n",
        ),
    ),
    Sample(
        "xg-mobile.txt",
        Spec("xg-mobile", ("Ada", "XG-Lantern"), 0, 8, "2031-05-17", games=2, jacoby=True),
        Dialect(
            match_line="{length} point match",
            game_line="Game {number} ",
            score_line="{name} : {score}",
            right_score="{name} : {score} ",
            name_column=37,
            column=37,
            left_width=0,
            label="{row:2d}) ",
            as_rolled=True,
            clicked=True,
            stars=False,
            plural=False,
            numbered_wins=True,
            tail="",
        ),
        (
            '; [Site "XG Mobile"]',
            '; [Match ID "600198223"]',
            '; [Player 1 "Ada"]',
            '; [Player 2 "XG-Lantern"]',
            '; [Player 1 Elo "1522.94/24"]',
            '; [Player 2 Elo "1829.00/0"]',
            '; [TimeControl "*0"]',
            '; [EventDate "2031.05.22"]   ',
            '; [EventTime "21.23"]',
            '; [Variation "Backgammon"]',
            '; [Jacoby "On"]',
            '; [Beaver "Off"]',
            '; [Unrated "Off"]',
            '; [CubeLimit "1024"]',
            "",
        ),
    ),
    Sample(
        "kifu-editor.txt",
        spec("kifu-editor", ("Mika", "hartcleo"), 17),
        Dialect(
            match_line="{length} point match",
            name_column=40,
            column=40,
            left_width=80,
            line_width=80,
            gap_before_left_win=True,
            label="  {row}) ",
            bar="Bar",
            off="Off",
            merged=1.0,
            counted=True,
            as_rolled=True,
            dance=" Cannot Move",
            plural=False,
            row_wins=(),
            left_win_column=7,
        ),
    ),
    Sample(
        "playok.txt",
        spec("playok", ("ziolo77", "hartbeat"), 40),
        Dialect(name_column=32, as_rolled=True, clicked=True, left_width=0, tail="\n"),
        (
            '; [Site "PlayOK"]',
            '; [Match ID "bg900012345"]',
            '; [Event "Lantern League"]',
            '; [Player 1 "Zofia Olszak"]',
            '; [Player 2 "Cleo Hart"]',
            '; [EventDate "2031.05.23"]',
            '; [Variation "Backgammon"]',
            '; [Crawford "On"]',
            '; [CubeLimit "64"]',
            "",
        ),
    ),
    Sample(
        "bgtournament.mat",
        spec("bgtournament", ("rookbot", "magpie"), 20),
        Dialect(
            match_line="{length} point match",
            name_column=33,
            left_width=0,
            plural=False,
            and_the_match=True,
            tail="\n",
        ),
        ('; [Site "BgTournament"]', '; [Match ID "seeded-20310524"]', ""),
        cut_last_game,
        ("; match aborted by tournament server",),
    ),
    Sample(
        "nordic.mat",
        spec("nordic", ("Lovet", "Bjorn"), 37),
        Dialect(merged=0.3, as_rolled=True, encoding="cp1252"),
        (
            ";[matchtitle Sørøya Sommercup 2031 Finale]",
            "; +----------------------------------------+",
            "; |  Jens Løvet (NOR) vs. Åse Bjørn (DEN)  |",
            "; +----------------------------------------+",
        ),
        lambda match: replace(match, names=("Løvet", "Bjørn")),
    ),
    Sample(
        "opengammon.txt",
        spec("opengammon", ("quill", "fenn"), 27),
        Dialect(
            match_line="{length} point match",
            score_line=" {name}: {score}",
            right_score="    {name}: {score}",
            name_column=0,
            column=45,
            left_width=0,
            bar="bar",
            off="off",
            merged=1.0,
            plural=True,
            resigns="Resigned Game",
            resigns_beside_win=True,
            and_the_match=True,
            left_win_column=3,
            tail="\n",
        ),
        (
            '; [Site "OpenGammon"]',
            '; [Match ID "seeded-20310517"]',
            '; [EventDate "2031.05.17"]',
            '; [EventTime "19:25"]',
            '; [Player 1 "quill"]',
            '; [Player 2 "fenn"]',
            '; [Variation "Backgammon"]',
            '; [Crawford "On"]',
            '; [Jacoby "Off"]',
            '; [Beaver "Off"]',
            '; [Cubelimit "64"]',
            "",
        ),
    ),
)
