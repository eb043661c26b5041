"""Where points are lost, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bganalyze.analysis.decision_kinds import (
    CUBE_DECISIONS,
    GROUPS_OF_KINDS,
    NO_DOUBLES,
    PLAYS,
)
from bganalyze.analysis.describe import ERROR
from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.statistics.norms import ALL_PLAYERS, FACTOR, OPPONENTS, NormTable
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import (
    FEWEST_COMPARED,
    Cost,
    Estimate,
    KindLoss,
    Resignations,
)
from bganalyze.statistics.profiles.player_pr import ErrorRate
from bganalyze.statistics.sureness import DEFINITION
from bganalyze.text import number_of

FEWEST_EQUAL = 4
"""Kinds whose equal rates cannot be chance."""

UNITS = (
    "EMG: equity as in money play, where a single win at the present cube is 1; mEMG: a thousandth of it; MWC:"
    " match-winning chance; PR: 500 times the mean loss (EMG), lower is better (xg-b: by eXtreme Gammon's counting)"
)
"""The units of a profile in text, spelled out once."""

ENGINES_DIFFER = 0.4
"""Difference (PR) between the analyses of two good engines, on average over 493 matches."""


def tabulate_kinds(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield a table of the cost of each kind of decision, with notes."""
    cost = profile.cost
    if not profile.kinds or cost is None:
        return
    rows = tuple(_make_kind_cells(loss, cost.rate.value, on_page=on_page) for loss in profile.kinds)
    # A screen of 100 columns has no room for the longer headings, nor for shares.
    part, rate = ("part of the total", "rate in this kind") if on_page else ("part", "rate")
    headings = (
        "",
        part,
        "interval",
        *(("share",) if on_page else ()),
        "errors",
        rate,
        *(("interval",) if on_page else ()),
        "theirs",
        "difference",
        "norm",
    )
    total = _make_row_cells("all kinds (gnubg)", cost.rate, "100 %", cost, on_page=on_page)
    yield Grid("", headings, rows, total=total)
    if not on_page:  # A page explains units by itself.
        yield Note(UNITS)
        yield Note(DEFINITION)
    yield Note(
        f"{part}: equity lost (EMG) per {FACTOR} decisions of all kinds, so the parts add up to the last row; it counts as GNU"
        f" Backgammon does (gnubg), so it is not the PR ({PR_SHOWN}); intervals: 95 %; errors: decisions that lost {ERROR} EMG or"
        f' more, of all; {rate}: EMG lost per {FACTOR} decisions of the kind alone; theirs: "{rate}" of the opponents in the same'
        " matches; difference: between these rates, corrected for the number of kinds; -: fewer than"
        f" {FEWEST_COMPARED} decisions"
    )
    yield Note(
        "opening: each side's first three plays, with contact; missed double/take or pass: close decisions not to"
        " double, if the opponent has a take or a pass; wrong takes, passes: of those made"
    )
    said = group_costs_in_words(profile.kinds, cost, profile.error_rate, profile.resignations)
    study = profile.study
    opponent = None if study is None else study.main_opponent
    if study is not None and opponent is not None:
        whole = "whole " * study.has_costly_resignations
        said += (
            f"; {opponent.name} has {100 * opponent.share:.0f} % of the {whole}loss, in {opponent.matches_of_opponent:,} of"
            f" {number_of(opponent.matches, 'match')}"
        )
    yield Note(said)
    yield Note(
        NORM_OF_THESE
        if are_norms_from_these_matches(profile.kinds)
        else norm_in_words(profile.norms, profile.engines)
    )
    yield from introduce_engines([*profile.engines, profile.norms.engine])


INTRODUCTIONS = {
    "sage": "Open Sage (sage): a free library that evaluates positions by neural networks",
    "GNU Backgammon": "GNU Backgammon (gnubg): a free program to play and analyze backgammon",
    "eXtreme Gammon": "eXtreme Gammon (XG): the commercial program whose PR most players quote",
}
"""A line that introduces each engine, by a word in its name."""


def introduce_engines(names: Sequence[str]) -> Iterator[Note]:
    """Yield a note that explains the engines with these names.

    >>> list(introduce_engines(["gnubg 1.07"]))
    [Note(text='GNU Backgammon (gnubg): a free program to play and analyze backgammon', tone='')]
    """
    named = " ".join(names).replace("gnubg", "GNU Backgammon")
    known = [words for word, words in INTRODUCTIONS.items() if word in named]
    if known:
        yield Note("; ".join(known))


def group_costs_in_words(
    kinds: Sequence[KindLoss],
    cost_of_all: Cost,
    rate: ErrorRate | None,
    resignations: Resignations = Resignations(),  # noqa: B008 -- a constant
) -> str:
    """Return words on what plays, cube decisions and all decisions cost.

    If the player's PR (`rate`) counts another number of decisions, the text says why.
    """
    groups = (
        _group_in_words(
            name, [loss for loss in kinds if loss.kind in GROUPS_OF_KINDS[name]], cost_of_all
        )
        for name in (PLAYS, CUBE_DECISIONS)
    )
    decisions = number_of(cost_of_all.rate.decisions, "decision")
    said = [
        *filter(None, groups),
        *_missed_doubles_in_words(kinds),
        f"all kinds: {cost_of_all.lost:.2f} EMG in {decisions}",
    ]
    if resignations.number:
        said.append(f"not in this total: {resignations_in_words(resignations)}")
    if rate is not None and rate.decisions != cost_of_all.rate.decisions:
        said.append(
            f"the PR counts {number_of(rate.decisions, 'decision')}: by eXtreme Gammon's rule ({PR_SHOWN}) a double"
            " is close up to 0.2 EMG, not 0.16, and equal plays do not count"
        )
    return "; ".join(said)


def resignations_in_words(resignations: Resignations) -> str:
    """Return words on the number of resignations and answers to them, and on their cost.

    >>> resignations_in_words(Resignations(3, 1, 2.0, 0))
    '3 resignations or answers to one, which lost 2.00 EMG (1 error of 0.02 EMG or more)'
    """
    made, errors = resignations.number, resignations.errors
    stated = (
        f"{made:,} {'resignation or answer' if made == 1 else 'resignations or answers'} to one"
    )
    if resignations.unknown == made:
        return f"{stated}, none evaluated"
    known = [
        *([f"{number_of(errors, 'error')} of {ERROR} EMG or more"] if errors else []),
        *([f"{resignations.unknown:,} not evaluated"] if resignations.unknown else []),
    ]
    details = f" ({'; '.join(known)})" if known else ""
    return f"{stated}, which lost {resignations.lost:.2f} EMG{details}"


def _missed_doubles_in_words(kinds: Sequence[KindLoss]) -> Iterator[str]:
    """If doubles were missed both before takes and before passes, yield the cost of all."""
    missed = [loss for loss in kinds if loss.kind in GROUPS_OF_KINDS[NO_DOUBLES]]
    if len(missed) > 1:
        lost = sum(loss.cost.lost for loss in missed)
        decisions = sum(loss.cost.rate.decisions for loss in missed)
        yield f"all missed doubles: {lost:.2f} EMG in {number_of(decisions, 'decision')}"


def _group_in_words(group_name: str, kinds: Sequence[KindLoss], cost_of_all: Cost) -> str:
    """Return words on the cost of several kinds of decision together; "" without decisions.

    `group_name` names them, for instance cube decisions.
    """
    decisions = sum(loss.cost.rate.decisions for loss in kinds)
    if not decisions:
        return ""
    lost = sum(loss.cost.lost for loss in kinds)
    rate = f"rate {FACTOR * lost / decisions:.1f} in " if decisions >= FEWEST_COMPARED else ""
    return (
        f"{group_name}: {FACTOR * lost / cost_of_all.rate.decisions:.1f} EMG per {FACTOR} decisions of all kinds"
        f" ({100 * lost / cost_of_all.lost:.0f} % of the loss), "
        f"{rate}{number_of(decisions, 'decision')}"
    )


NORM_OF_THESE = (
    "norm: the same rates as those of the opponents in these matches, so probably made from them: it"
    " confirms nothing"
)


def are_norms_from_these_matches(kinds: Sequence[KindLoss]) -> bool:
    """Whether the norms (usual error rates) equal the opponents' rates in these matches.

    They were then probably made from the same matches.
    """
    pairs = [
        (f"{loss.cost.norm.rate:.1f}", f"{loss.cost.opponents.value:.1f}")
        for loss in kinds
        if loss.cost.norm is not None and loss.cost.opponents is not None
    ]
    return len(pairs) >= FEWEST_EQUAL and all(norm == theirs for norm, theirs in pairs)


def norm_in_words(norms: NormTable, engines: Sequence[str]) -> str:
    """Return words on the source of the norms (usual error rates).

    `engines` analyzed the player's matches. If they differ from the norms' engine, the text says
    how much that matters.
    """
    norm = norms.find("all kinds", norms.usual_group)
    players = "" if norm is None else f"{norm.players:,} "
    groups = {
        OPPONENTS: "opponents of one strong player, mostly in matches to 3 points,",
        ALL_PLAYERS: "players in other matches,",
    }
    said = f"norm: others' rate, no grade: {players}{groups[norms.usual_group]} by {norms.engine}"
    if norms.usual_group == OPPONENTS:
        said += "; at such scores the cube differs"
    if not engines:
        return said
    mostly = "mostly " if len(engines) > 1 else ""
    own, usual = (name.partition(" at ")[0] for name in (engines[0], norms.engine))
    differ = (
        f" Two good engines differ by about {ENGINES_DIFFER} PR in a match." if own != usual else ""
    )
    return (
        f"{said}; these matches are {mostly}analyzed by {engines[0]}.{differ}"
        " bganalyze stats --report losses tests the difference from the norm"
    )


def _make_kind_cells(loss: KindLoss, loss_of_all: float, *, on_page: bool) -> tuple[Cell, ...]:
    """Return the table cells of a kind of decision and its cost."""
    share = f"{100 * loss.share.value / loss_of_all:.0f} %"
    return _make_row_cells(loss.label, loss.share, share, loss.cost, on_page=on_page)


def _make_row_cells(
    label: str, lost: Estimate, share: str, cost: Cost, *, on_page: bool
) -> tuple[Cell, ...]:
    """Return the table cells of a kind of decision, or of all kinds: cost, errors and rates.

    `lost` is the kind's loss spread over all decisions, and `cost` that per decision of the kind.
    `share` is shown on a page only.
    """
    return (
        Cell(label),
        Cell(f"{lost.value:.1f}"),
        Cell(format_interval(lost.low, lost.high)),
        *((Cell(share),) if on_page else ()),
        Cell(f"{cost.errors:,} of {cost.rate.decisions:,}"),
        *rate_cells(
            cost.rate.value,
            cost.rate.decisions,
            format_interval(cost.rate.low, cost.rate.high),
            has_intervals=on_page,
        ),
        Cell(_opponents_in_words(cost)),
        Cell(difference_in_words(cost), tone="info" if cost.is_difference_shown else ""),
        Cell("" if cost.norm is None else f"{cost.norm.rate:.1f}"),
    )


def format_interval(low: float, high: float) -> str:
    """Return an interval as text, such as `1.2 to 3.4`; "" for NaN."""
    return "" if math.isnan(low) else f"{low:.1f} to {high:.1f}"


def difference_in_words(cost: Cost) -> str:
    """Return words that compare an error rate with the opponents', such as `better, sure`."""
    return (
        f"{'worse' if cost.is_worse else 'better'}, {cost.sureness}"
        if cost.is_difference_shown
        else cost.sureness
    )


def _opponents_in_words(cost: Cost) -> str:
    """Return the opponents' error rate in the same kind of decision, as text.

    If they made too few decisions, the text has the number of decisions instead.

    >>> theirs = Estimate(5.25, 1.0, 9.0, 30, 5)
    >>> _opponents_in_words(Cost(theirs, theirs, None, 9))
    '5.2'
    """
    theirs = cost.opponents
    if theirs is None:
        return "none"
    return f"{theirs.value:.1f}" if theirs.has_rate else f"- ({theirs.decisions})"


def rate_cells(
    rate: float, decisions: int, interval: str, *, has_intervals: bool
) -> tuple[Cell, ...]:
    """Return the table cells of an error rate: the rate and, if `has_intervals`, its interval.

    With fewer than `FEWEST_COMPARED` decisions, the rate is left out.

    >>> [cell.text for cell in rate_cells(5.0, 30, "4.0 to 6.0", has_intervals=True)]
    ['5.0', '4.0 to 6.0']
    """
    texts = (f"{rate:.1f}", interval) if decisions >= FEWEST_COMPARED else ("-", "")
    return tuple(map(Cell, texts[: 1 + has_intervals]))
