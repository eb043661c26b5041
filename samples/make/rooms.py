"""Writing of matches in the formats of sites: FIBS, GamesGrid, TrueMoneyGames, bgammon.org.

Genuine files of most sites were not found, so the spelling follows the importers described in
FORMATS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from record import LEFT, RIGHT, Action, Cube, Game, Match, Roll, Step, boards
from spell import ending_of


def steps_as_text(
    steps: tuple[Step, ...], between: str, *, mirror: bool = False, stars: bool = True
) -> str:
    """Return the steps as text; with `mirror` in the numbers of the other side."""
    return " ".join(
        _point(step.start, mirror) + between + _point(step.end, mirror) + "*" * (step.hit and stars)
        for step in steps
    )


def _point(number: int, mirror: bool) -> str:
    if number in (25, 0):
        return "bar" if number else "off"
    return str(25 - number if mirror else number)


def count_points(number: int) -> str:
    """Return `1 point`, `2 points` and so on."""
    return f"{number} point" + "s" * (number > 1)


def has_cube_action(game: Game) -> bool:
    """Whether there was a double; in these samples such a game ends in a plain win."""
    return any(isinstance(action, Cube) for action in game.actions)


def is_resigned(match: Match, game: Game) -> bool:
    """Whether the loser resigned."""
    return ending_of(game, boards(match, game)[-1]) == "resign"


def fibs(match: Match) -> Iterator[str]:
    """Yield the lines of `oldmoves` on FIBS: X is the left player, whose numbers go up."""
    for game in match.games:
        length = f" in a {match.length} point match" if match.length else ""
        yield f"Score is {game.score[0]}-{game.score[1]}{length}."
        yield "{} is X - {} is O".format(*match.names)
        for action in game.actions:
            yield f"{'XO'[action.side]}: {_fibs(action)}"
        assert game.winner is not None
        if is_resigned(match, game):
            cost = count_points(game.points)
            winner = match.names[game.winner]
            yield f"{'OX'[game.winner]}: wants to resign. {winner} will win {cost}."
        yield f"{'XO'[game.winner]}: wins {count_points(game.points)}"
        yield ""


def _fibs(action: Action) -> str:
    if isinstance(action, Roll):
        rolled = f"({action.dice[0]} {action.dice[1]})"
        mirror = action.side == LEFT
        return f"{rolled} {steps_as_text(action.steps or (), '-', mirror=mirror) or chr(99) + 'an' + chr(39) + 't move'}"
    assert isinstance(action, Cube)
    return {"Doubles": "doubles", "Beavers": "doubles", "Takes": "accepts"}.get(
        action.word, "rejects"
    )


def sgg(match: Match) -> Iterator[str]:
    """Yield the lines of GamesGrid, which names the left player first."""
    yield "{} vs. {}".format(*match.names)
    yield "Saturday, May 17, 2031"
    yield "GamesGrid"
    yield "ELO: 1500.00 10 1600.00 20"
    yield f"Match Length: {match.length}"
    yield "Variant: Backgammon"
    for option in ("Crawford: Yes", "Jacoby: No", "Automatic Doubles: No", "Beavers: No"):
        yield option
    for option in ("Raccoons: No", "Doubling Cube: Yes", "Rated: Yes"):
        yield option
    for game in match.games:
        yield f"Game {game.number}.{game.score[0]}-{game.score[1]}/{match.length}"
        yield from _numbered(game, _sgg)
        if is_resigned(match, game):
            assert game.winner is not None
            yield f"{len(game.actions)}\t" + "\t" * (game.winner == LEFT) + "Resign"
        assert game.winner is not None
        yield f"{match.names[game.winner]} wins {count_points(game.points)}."


def _numbered(game: Game, spell: Callable[[Action], list[str]]) -> Iterator[str]:
    number, last = 0, RIGHT
    for action in game.actions:
        number += action.side in (LEFT, last)
        last = action.side
        for text in spell(action):
            yield f"{max(number, 1)}\t" + "\t" * (action.side == RIGHT) + text


def _sgg(action: Action) -> list[str]:
    if isinstance(action, Roll):
        steps = steps_as_text(action.steps or (), "/").replace(" ", ", ")
        return [f"{action.dice}:", f"{action.dice}: {steps or 'O-O'}"]
    assert isinstance(action, Cube)
    words = {"Doubles": f"Double to {action.value}", "Takes": "Accept", "Drops": "Pass"}
    return [words.get(action.word, f"Beaver to {action.value}")]


def tmg(match: Match) -> Iterator[str]:
    """Yield the lines of TrueMoneyGames."""
    yield "MatchID: 100001"
    yield f"Player1: 11 {match.names[LEFT]} 1000.00"
    yield f"Player2: 22 {match.names[RIGHT]} 1000.00"
    for option in ("Stake: 1.00", "Startdate: 2031-05-17 07:08:09", "Jacoby: 0", "Beavers: 0"):
        yield option
    for option in (
        "Raccoons: 0",
        "Crawford: 1",
        "Cube: 1",
        f"Length: {match.length}",
        "Variant: 1",
    ):
        yield option
    for game in match.games:
        yield ""
        yield f"Game {game.number}: {game.score[0]}-{game.score[1]}"
        for number, action in enumerate(game.actions, 2):
            sign = "-" if action.side == RIGHT else " "
            for text in _tmg(action):
                yield f"{sign}{number // 2} {text}"
        assert game.winner is not None
        kind = 13 + (1 if has_cube_action(game) else game.points)
        won = f"{match.names[game.winner]} wins {count_points(game.points)}"
        sign = "-" if game.winner == RIGHT else " "
        yield f"{sign}{len(game.actions) // 2 + 1} {kind} {game.points} {won}"


def _tmg(action: Action) -> list[str]:
    if isinstance(action, Roll):
        return [
            f"1 {action.dice}:",
            f"4 {steps_as_text(action.steps or (), '/', stars=False) or '0/0'}",
        ]
    assert isinstance(action, Cube)
    words = {"Doubles": f"5 Double to {action.value}", "Takes": "7 Take", "Drops": "10 Pass"}
    return [words.get(action.word, f"8 Beaver to {action.value}")]


def bgammon(match: Match) -> Iterator[str]:
    """Yield the lines of bgammon.org: an index, then the games in the left player's numbers."""
    texts = ["".join(f"{line}\n" for line in _bgammon(match, game)) for game in match.games]
    at = len("bgammon-replay 00000000\n") * len(texts)
    for text in texts:
        yield f"bgammon-replay {at:08d}"
        at += len(text.encode())
    for text in texts:
        yield text.rstrip("\n")


def _bgammon(match: Match, game: Game) -> Iterator[str]:
    assert game.winner is not None
    names = " ".join(match.names)
    score = f"{match.length} {game.score[0]} {game.score[1]} {game.winner + 1} {game.points}"
    yield f"i 1936773000 {names} {score} 0"
    for action, answer in zip(game.actions, (*game.actions[1:], None), strict=True):
        side = action.side + 1
        if isinstance(action, Roll):
            high, low = sorted(action.dice, reverse=True)
            mirror = action.side == RIGHT
            steps = steps_as_text(action.steps or (), "/", mirror=mirror, stars=False)
            yield f"{side} r {high}-{low} {steps}".rstrip()
        elif isinstance(action, Cube) and action.word == "Doubles":
            taken = isinstance(answer, Cube) and answer.word == "Takes"
            yield f"{side} d {action.value} {int(taken)}"
    if is_resigned(match, game):
        yield f"{2 - game.winner} t"


SITES: dict[str, Callable[[Match], Iterator[str]]] = {
    "redoubles.fibs": fibs,
    "redoubles.sgg": sgg,
    "redoubles.tmg": tmg,
    "redoubles.match": bgammon,
}
"""Files, and the functions that write them."""


def spell_for_sites(match: Match) -> Iterator[tuple[str, bytes]]:
    """Yield the match as each site writes it; names are one word there."""
    names = tuple(name.replace(" ", "_") for name in match.names)
    one_word = Match(match.length, (names[0], names[1]), match.games, match.tags)
    for name, spell in SITES.items():
        yield name, "".join(f"{line}\n" for line in spell(one_word)).encode()
