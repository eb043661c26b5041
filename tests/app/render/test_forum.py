"""Posts for forums: complete, and no name or comment breaks the Markdown."""

from __future__ import annotations

import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.recurrence import rank_mistakes
from bganalyze.analysis.select import DecisionFilter
from bganalyze.app.render import render_decisions
from tests.analysis.test_notations import WithChances
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text

PLAYS = DecisionFilter(player="Bob", kinds=frozenset((Kind.PLAY,)))

POST = """\
## 6-4 to play?

You 0, opponent 0, to 3. Cube 1, in the middle.

```text
O opponent  163 pips  0 of 3
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
| X           O     |   | O  O           X  |
| X           O     |   | O  O           X  |
| X                 |   | O                 |
| X                 |   | O                 |
| X                 |   |                   |
|                   |   |        6 4        | [1]
| O                 |   | X                 |
| O                 |   | X                 |
| O           X     |   | X                 |
| O           X     |   | X              O  |
| O           X     |   | X              O  |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+
X you  167 pips  0 of 3
```

`XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:3:10`

**24/18 13/9**. Played: 24/14, which cost 0.050 EMG, 0.50 % MWC \\(doubtful\\).

|  | equity |  | win | gammon | bg | lose gammon | bg |
|---|---:|---:|---:|---:|---:|---:|---:|
| 24/18 13/9 | +0.300 |  | 55.0 | 15.0 | 1.0 | 12.0 | 0.5 |
| **24/14** | +0.250 | -0.050 | 55.0 | 15.0 | 1.0 | 12.0 | 0.5 |

Opening.

> too \\*loose\\*
> says Ann

Ann – Bob, game 1, row 1; played by Bob. Analyzed by dictated 1 at 2ply.
"""


def post(names: tuple[str, str] = ("Ann", "Bob"), comment: str = "too *loose*\nsays Ann") -> str:
    """Return the posts of the plays of a player whose first play has a comment."""
    _, match = analyze_text(MATCH, WithChances())
    results = tuple(
        result._replace(left_name=names[0], right_name=names[1]) for result in match.results
    )
    comments = tuple(comment if place == 2 else "" for place in range(len(match.rows)))
    match = match._replace(names=names, results=results, comments=comments)
    mistakes = rank_mistakes([match], PLAYS._replace(player=names[1]))
    return b"".join(render_decisions(mistakes, "markdown")).decode()


def test_a_post_has_all_to_discuss_a_mistake() -> None:
    assert post() == f"<!-- made by bganalyze -->\n\n{POST}"


@pytest.mark.parametrize("name", NAMES)
def test_no_name_and_no_comment_breaks_a_post(name: str) -> None:
    usual, nasty = post(comment="x").splitlines(), post((name, "Bob"), name).splitlines()
    assert len(nasty) == len(usual)
    for one, other in zip(usual, nasty, strict=True):
        assert one == other or other.startswith("> ") or other.endswith(one[one.index(" – Bob") :])
