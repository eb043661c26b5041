"""The profile of a player from files: each match of the player is replayed once, summed and analyzed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from bganalyze.analysis.engines import ENGINES, find_installed_engine
from bganalyze.analysis.match import AnalyzedMatch, UnanalyzedMatch, unanalyzed_from_replay
from bganalyze.analysis.select import RECORDED
from bganalyze.app.jobs.analyze import FileToAnalyze
from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.app.jobs.outcome import apply_to_file
from bganalyze.app.jobs.tabulate import MATCHES_A_LOT, examine_replays, sum_and_check
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.players import Players, plain_name, require_name
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.anonymity import PERSONAL, Anonyms
from bganalyze.statistics.norms import NormTable
from bganalyze.statistics.profiles import RECORDED_REPORTS, PlayerProfile, make_profile
from bganalyze.statistics.profiles.match_rates import find_winners
from bganalyze.statistics.profiles.other_files import OtherFiles, OtherFilesCounter
from bganalyze.statistics.reports import list_column_groups, list_summed_tables
from bganalyze.statistics.reports.answer import answer_from_sums
from bganalyze.statistics.reports.sums import KeptSums, TransferredSums, join_sums
from bganalyze.statistics.reports.whole_matches import (
    hide_paths,
    join_files_of_matches,
    join_files_of_sums,
    leave_out_copies,
)
from bganalyze.statistics.tables.fragments import TableFragment, make_fragment
from bganalyze.statistics.tables.frames import tabulate_analyzed
from bganalyze.text import Unreadable, escape_surrogates
from bganalyze.validation.replaying import replay


def find_default_engine(level: str | None = None) -> str:
    """Return the name of an installed engine, or `recorded` if none is installed.

    With a `level`, Open Sage replaces `recorded`, which has no levels.
    """
    return find_installed_engine() or (RECORDED if level is None else ENGINES[0])


class MatchesOfPlayer:
    """The matches of one player, collected from files, with their totals for reports."""

    def __init__(self, player: str, players: Players, *, anonymize: bool = False) -> None:
        """Begin without matches.

        `player` is any of the player's names; `players` maps written names to players. With
        `anonymize`, players have labels such as Player A, and paths, events and ratings are left
        out.
        """
        self._called: Callable[[str], str] = Anonyms(players) if anonymize else players
        self._player = self._called(player) if anonymize else players.player_of_name(player)
        self._anonymize = anonymize
        self._games = Counter[str]()
        """Games of each player met."""
        self._names = Counter[str]()
        """Matches under each name that is the player's in the match files."""
        self._opponents = set[str]()
        """Players in the games of the player's matches."""
        self._other_files = OtherFilesCounter()
        self._fragments: list[TableFragment] = []
        self._totals: list[TransferredSums] = []
        self.failed: list[Unreadable] = []
        """Matches whose records cannot be summed, with the reason."""

    def read(self, items: Iterable[FileToRead]) -> Iterator[FileToAnalyze]:
        """Read files, keep the player's matches, and yield each file with them for an engine."""
        for item in items:
            outcome, matches = apply_to_file(item, partial(self._add_content, path=item.path))
            yield FileToAnalyze(outcome, matches or [])

    def _add_content(self, content: bytes, path: str) -> list[UnanalyzedMatch]:
        """Keep the player's matches in a file's content, and return them for an engine."""
        return self.add(read_bytes(content, path))

    def add(self, matches: Sequence[Match]) -> list[UnanalyzedMatch]:
        """Keep the player's matches among those of one file, and return them for an engine."""
        own = [match for match in matches if self._count_games(match)]
        if not own:
            self._add_other_file(matches)
            return []
        replays = [replay(match, BASIC) for match in own]
        to_analyze = list(map(unanalyzed_from_replay, replays))
        rows = make_fragment(
            examine_replays(replays, BASIC), BASIC, list_column_groups(RECORDED_REPORTS)
        )
        self._fragments.append(rows)
        if sum(len(one.matches["match"]) for one in self._fragments) >= MATCHES_A_LOT:
            self._sum_added()
        return to_analyze

    def _count_games(self, match: Match) -> bool:
        """Count the games of both players; return whether one of them is the profile's player."""
        names = [game.names_or(match.names) for game in match.games] or [match.names]
        own = plain_name(self._player)
        players = {name: self._called(name) for pair in names for name in pair}
        self._games.update(players[name] for pair in names for name in pair)
        written = [name for name, player in players.items() if plain_name(player) == own]
        self._names.update(written)
        if written:
            self._opponents.update(players.values())
        return bool(written)

    def _add_other_file(self, matches: Sequence[Match]) -> None:
        """Note the path and the players of a file without the profile's player."""
        if not matches:
            return
        names = [name for match in matches for name in match.names]
        path = escape_surrogates(matches[0].source.path)
        self._other_files.add(path, matches[0].names, list(map(self._called, names)))

    @property
    def has_matches(self) -> bool:
        """Whether a match of the player was added."""
        return bool(self._names)

    def summarize_other_files(self) -> OtherFiles:
        """Return a summary of the files without the player, and of similar names in them."""
        return self._other_files.summarize(self._player, tuple(self._opponents))

    def find_player(self) -> str:
        """Return the player's name as spelled in the matches.

        Raises UnknownNameError if the player is in none of them.
        """
        names = [name for name, _ in self._games.most_common()]
        hidden = "the player named is in none of the matches" if self._anonymize else None
        if not names:
            return self._player
        return require_name(self._player, names, "is in none of the matches", hidden) or ""

    def profile(
        self, analyzed: Iterable[AnalyzedMatch], norms: NormTable | None = None
    ) -> PlayerProfile:
        """Return the player's profile from the matches added and their analyses.

        `norms` are the usual losses of other players. Raises UnknownNameError.
        """
        player = self.find_player()
        tables = join_files_of_matches(tabulate_analyzed(analyzed, self._called))
        sums = self._join_totals()
        tables = leave_out_copies(tables, sums.recorded.matches)
        winners = find_winners(tables.matches, sums.recorded.matches)
        if self._anonymize:
            tables, sums = hide_paths(tables), _empty_personal_columns(sums)
        made = make_profile(partial(answer_from_sums, sums), tables, player, norms, winners)
        others = self._other_files.summarize(player, tuple(self._opponents))
        if self._anonymize:
            return made._replace(other_files=OtherFiles(others.number))
        names = tuple(name for name, _ in self._names.most_common())
        return made._replace(names=names, other_files=others)

    def _join_totals(self) -> KeptSums:
        """Return the totals over all matches added, for reports."""
        self._sum_added()
        sums = join_sums(self._totals, list_summed_tables(RECORDED_REPORTS), self._called)
        return join_files_of_sums(sums)

    def _sum_added(self) -> None:
        """Compute the totals over the matches added since the last call."""
        rows, self._fragments = self._fragments, []
        if not rows:
            return
        try:
            self._totals.append(sum_and_check(rows, RECORDED_REPORTS))
        except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
            for one in rows:
                self._sum_file(one)

    def _sum_file(self, rows: TableFragment) -> None:
        """Add up the totals over one file's matches; if this fails, add the error to `failed`."""
        try:
            self._totals.append(sum_and_check([rows], RECORDED_REPORTS))
        except Exception as error:  # noqa: BLE001 - one file must not cost the others
            self.failed.append(
                Unreadable(str(rows.matches["path"][0]), describe_unexpected_error(error))
            )


def _empty_personal_columns(sums: KeptSums) -> KeptSums:
    """Return totals whose matches have no paths, events, ratings and other personal data."""
    matches = sums.recorded.matches
    hidden = {
        name: matches[name].mask(matches[name].notna()) for name in PERSONAL if name in matches
    }
    return sums._replace(recorded=sums.recorded._replace(matches=matches.assign(**hidden)))
