"""Where points are lost, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.overview import sureness_in_words
from bganalyze.statistics.norms import ALL_PLAYERS, OPPONENTS, NormTable
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import Estimate, KindLoss
from bganalyze.statistics.reports.overview import FAIRLY_SURE


def tabulate_kinds(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the cost of each kind of decision as a table, with notes on its columns."""
    if not profile.kinds:
        return
    norms, total = profile.norms, sum(loss.share.value for loss in profile.kinds)
    rows = tuple(_kind_cells(loss, total) for loss in profile.kinds)
    headings = (
        "",
        "lost",
        "share",
        "95 % interval",
        "n",
        "rate",
        "theirs",
        "compared",
        "norm",
    )
    yield Grid("", headings, rows)
    yield Note(
        "lost: equity (EMG) per 500 decisions of all kinds, by GNU Backgammon's counting; rate: per 500"
        " decisions of the kind, n; theirs: the opponents' in the same matches, compared with allowance"
        f" for the number of kinds (too few: not compared); norm: {norm_in_words(norms)}"
    )


def norm_in_words(norms: NormTable) -> str:
    """Return whose rates the norms have, and by which engine.

    >>> from bganalyze.statistics.norms import read_shipped_norms
    >>> norm_in_words(read_shipped_norms()._replace(engine="GNU Backgammon"))
    'the opponents of one player, by GNU Backgammon'
    """
    groups = {OPPONENTS: "the opponents of one player", ALL_PLAYERS: "many players"}
    return f"{groups[norms.usual_group]}, by {norms.engine}"


def _kind_cells(loss: KindLoss, total: float) -> tuple[Cell, ...]:
    """Return the cells of one kind of decision; `total` is the cost of all kinds."""
    opponents = "" if loss.opponents is None else f"{loss.opponents.value:.1f}"
    return (
        Cell(loss.error),
        Cell(f"{loss.share.value:.2f}"),
        Cell(f"{100 * loss.share.value / total:.0f} %"),
        Cell(_interval(loss.share)),
        Cell(f"{loss.rate.decisions:,}"),
        Cell(f"{loss.rate.value:.1f}"),
        Cell(opponents),
        Cell(_compare(loss), tone="info" if _is_sure(loss) else ""),
        Cell("" if loss.norm is None else f"{loss.norm.rate:.1f}"),
    )


def _interval(rate: Estimate) -> str:
    return "" if math.isnan(rate.low) else f"{rate.low:.2f} to {rate.high:.2f}"


def _is_sure(loss: KindLoss) -> bool:
    """Whether the difference to the opponents is fairly sure not to be chance."""
    return loss.corrected is not None and loss.corrected < FAIRLY_SURE


def _compare(loss: KindLoss) -> str:
    """Return whether the player does worse or better than the opponents, and how sure that is."""
    if loss.corrected is None or loss.opponents is None:
        return "too few"
    if not _is_sure(loss):
        return sureness_in_words(loss.corrected)
    return f"{'worse' if loss.is_worse else 'better'}, {sureness_in_words(loss.corrected)}"
