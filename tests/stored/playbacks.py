"""What the page of a match knows of each of its positions, and the reports of odd matches."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bganalyze.analysis.match import AnalyzedMatch, analyze_matches
from bganalyze.app.render.playback import make_playback
from bganalyze.app.render.playback_json import playback_json
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from tests.analysis.engines.test_gnubg_report import MATCH as REPORT
from tests.statistics.match_report.analyzed import MATCH, analyze_text
from tests.stored.written import ENGINES, ODD


def show_playbacks() -> str:
    """Return the data of the match viewer for odd matches and for analyzed ones."""
    return "\n".join(
        "".join(f"{line}\n" for line in _show(name, match, analyzed))
        for name, match, analyzed in _matches()
    )


def _matches() -> Iterator[tuple[str, Match, AnalyzedMatch | None]]:
    for name, text in ODD.items():
        yield from ((name, match, None) for match in read_bytes(text.encode(), "odd.bgm"))
    for engine in ENGINES:
        yield (f"analyzed by {engine.__name__}", *analyze_text(MATCH, engine()))
    (match,) = read_bytes(REPORT.encode(), "report.txt")
    (analyzed,) = analyze_matches([match], "recorded")
    yield "report of GNU Backgammon", match, analyzed


def _show(name: str, match: Match, analyzed: AnalyzedMatch | None) -> Iterator[str]:
    data = json.loads(playback_json(make_playback(replay(match), analyzed=analyzed)))
    games = data.pop("games")
    yield f"== {name}"
    yield from (f"{key}: {_write(value)}" for key, value in data.items())
    for game in games:
        frames = game.pop("frames")
        yield f"game {_write(game)}"
        yield from map(_write, frames)


def _write(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
