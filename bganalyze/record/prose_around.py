"""Prose around a match, such as the mail in which it was sent: lines that no sign marks as comments."""

from __future__ import annotations

from bganalyze.record.model import REMARK, Comment, Match, Result, Span, Tag


def count_lines_of_prose(match: Match) -> int:
    """Return the number of comments without a comment sign above and below the games."""
    return sum(_is_prose(tag, match) for tag in match.tags) + _count_lines_below(match)


def remove_prose(match: Match) -> Match:
    """Return a match after removing comments without a comment sign above and below its games."""
    games = match.games
    if below := _count_lines_below(match):
        games = (*games[:-1], games[-1]._replace(actions=games[-1].actions[:-below]))
    tags = tuple(tag for tag in match.tags if not _is_prose(tag, match))
    return match._replace(tags=tags, games=games)


def _count_lines_below(match: Match) -> int:
    """Return the number of comments after the last result, or 0 if anything else follows it."""
    for below, action in enumerate(reversed(match.games[-1].actions if match.games else ())):
        if isinstance(action, Result):
            return below
        if not (isinstance(action, Comment) and _is_plain(action.text, action.span, match)):
            break
    return 0


def _is_prose(tag: Tag, match: Match) -> bool:
    """Whether a header entry is a comment without a comment sign."""
    return tag.key == REMARK and _is_plain(tag.value, tag.span, match)


def _is_plain(text: str, span: Span, match: Match) -> bool:
    """Whether a comment is written without a comment sign."""
    return match.format == "mat" and text[:1] == match.source.text_at(span)[:1]
