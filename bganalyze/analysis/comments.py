"""Comments of a match file on the decisions beside them."""

from __future__ import annotations

from collections import defaultdict

from bganalyze.analysis.decisions import decisions_of_match
from bganalyze.record.model import Comment, Match, Span
from bganalyze.validation.replaying import MatchReplay


def comments_on_decisions(replayed: MatchReplay) -> tuple[str, ...]:
    """Return the match file's comment on each decision, or "" if there is none.

    The result is empty if no decision has a comment.
    """
    comments = _map_comments_by_action(replayed.match)
    if not comments:
        return ()
    spans = (decision.turn.action.span for decision in decisions_of_match(replayed))
    return tuple(comments.get(span, "") for span in spans)


def _map_comments_by_action(match: Match) -> dict[Span, str]:
    """Return each comment of a match file by the place of the action that it follows."""
    found = defaultdict[Span, list[str]](list)
    for game in match.games:
        last: Span | None = None
        for action in game.actions:
            if not isinstance(action, Comment):
                last = action.span
            elif last is not None and action.text.strip():
                found[last].append(action.text.strip())
    return {span: "\n".join(texts) for span, texts in found.items()}
