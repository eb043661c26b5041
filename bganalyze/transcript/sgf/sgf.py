r"""Smart Game Format, FF[4] GM[6], as GNU Backgammon writes it (`.sgf`).

A file is a sequence of trees, one for each game. White is the left side, Black the right. The main
line of a tree is what was played. A variation of a single play, with the throw of the main line, is
a play that was taken back: it stands before the one that corrected it. Other variations were not
played, and are kept as comments.

>>> from bganalyze.transcript.model import Source
>>> text = "(;GM[6]MI[length:3]PW[Ann]PB[Bob];W[31hefe](;B[52lqac])(;B[52lqxx]))"
>>> [match] = read(text, Source("a.sgf", "utf-8", [text]))
>>> [str(action.steps) for action in match.games[0].actions][1]
'(Step(path=(13, 8), marked=(False,)), Step(path=(1, 1), marked=(False,)))'
"""

from __future__ import annotations

import re

from bganalyze.transcript.drafts import MatchDraft, Places
from bganalyze.transcript.grammar import lexer
from bganalyze.transcript.model import Match, Profile, Source
from bganalyze.transcript.sgf.sgf_game import play_through
from bganalyze.transcript.sgf.sgf_root import Root
from bganalyze.transcript.sgf.sgf_tree import Node, grown

_ROOT = re.compile(r"\(\s*;((?:[^;\[]*+\[[^\]\\]*+(?:\\.[^\]\\]*+)*+(?:\]|\\?\Z))*+)", re.DOTALL)
"""The properties of a node that begins a tree; a value that nothing closes takes all that follows.

No character is looked at twice: what one node may hold, the next cannot begin in.
"""

_GIST = re.compile(r"\b(?:GM\s*\[\s*6\s*\]|MI\s*\[\s*length\b)")


def recognises(text: str) -> bool:
    """Whether `text` holds a game tree of backgammon.

    >>> recognises("(;C[hello; world]GM[6];W[31hefe])"), recognises("(;GM[1];B[aa])")
    (True, False)
    """
    return any(_GIST.search(root.group(1)) is not None for root in _ROOT.finditer(text))


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    places = Places(text)
    drafts: list[MatchDraft] = []
    firsts: list[Root] = []
    profiles: list[Profile] = []
    program = "Smart Game Format"
    for tree in grown(lexer("sgf").lex(text)):
        root = Root(tree.nodes[0] if tree.nodes else Node(tree.start), places)
        program = root.text("AP").partition(":")[0] or program
        if not drafts or root.begins_match(drafts[-1], firsts[-1]):
            firsts.append(root)
            drafts.append(root.match())
            profiles.append(root.conventions(program, source))
        draft = drafts[-1]
        draft.games.append(root.game(len(draft.games)))
        dances = profiles[-1].writes_dances
        play_through(tree, root, draft.games[-1], places, dances=dances)
    known = zip(drafts, profiles, strict=True)
    return [
        draft.finished(source, number, "sgf", conventions)
        for number, (draft, conventions) in enumerate(known, start=1)
    ]
