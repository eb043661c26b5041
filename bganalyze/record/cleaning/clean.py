"""The cleanings of a text, in their order, and the way back to the text as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import Any, NamedTuple, cast

from bganalyze.record.builder import Places
from bganalyze.record.cleaning import signs
from bganalyze.record.cleaning.layers import SIDELESS, Layer, Replacement, replace_parts
from bganalyze.record.cleaning.signs import find_patterns, make_character_finder
from bganalyze.record.model import Match, Play, ReaderNote, Span, Unread
from bganalyze.record.text_caches import register_cache
from bganalyze.text import number_of

FindDamage = Callable[[str], Iterable[Replacement]]
"""A function that returns the parts of a text to replace, in order."""


@cache
def _import_function(name: str) -> FindDamage:
    """Import and return the function called `name`, such as `pages.find_tags`."""
    module, _, function = name.partition(".")
    found = getattr(import_module(f"bganalyze.record.cleaning.{module}"), function)
    return cast("FindDamage", found)


class Cleaning(NamedTuple):
    """A kind of damage to a match text, and the function that finds it."""

    name: str
    """The replaced thing: a noun with a regular plural, such as `mail quote mark`."""
    function: str
    """Name of the function that finds the damage, with its module, such as `pages.find_tags`. The
    module is imported for the first text that may have the damage: most texts have none."""
    signs: frozenset[str] = frozenset()
    """Signs of which a text with this damage has at least one; empty if it may have none."""
    outcome: str = "replaced to read the match; the file is unchanged"
    """The treatment, as words after the count of the damage."""

    @property
    def find(self) -> FindDamage:
        """The function, which is given a text and returns the parts to replace."""
        return _import_function(self.function)


WRAPPED_LINE = "wrapped line"
"""Name of the cleanings that join lines."""

GUESSED = "guessed from the last plays: no score, pass or complete bear-off shows who won"


_OTHER_ALPHABET = frozenset((signs.BEYOND_ASCII,))
_STRINGS = frozenset(("`", signs.STRING_ROW, signs.CELL_SEPARATOR))
_SEPARATORS = frozenset((signs.CELL_SEPARATOR, signs.BEYOND_ASCII, "|"))
_STAMPS = frozenset((signs.FREE_BRACKET, signs.BEYOND_ASCII, "-"))
_DOTS = frozenset((signs.DOTS, signs.BEYOND_ASCII))
_LOST_COLUMNS = frozenset((signs.NARROW_GAP, signs.DOUBLE_BEHIND_ROLL, SIDELESS))

CHARACTERS = (
    Cleaning(
        WRAPPED_LINE, "characters.find_wraps_between_separators", frozenset((signs.BEYOND_ASCII,))
    ),
    Cleaning(
        "other line end",
        "characters.find_line_ends",
        frozenset((*signs.PAGE_BREAKS, signs.BEYOND_ASCII)),
    ),
    Cleaning("quoted-printable escape", "mail.find_quoted_printable", frozenset("=")),
    Cleaning("control character", "characters.find_controls", frozenset(signs.CONTROL_SIGNS)),
    Cleaning("invisible character", "characters.find_invisible", _OTHER_ALPHABET),
    Cleaning("decomposed letter", "characters.find_decomposed", _OTHER_ALPHABET),
    Cleaning("special space", "characters.find_spaces", _OTHER_ALPHABET),
    Cleaning("ligature", "characters.find_ligatures", _OTHER_ALPHABET),
    Cleaning(
        WRAPPED_LINE,
        "marked_wraps.find_wraps_in_frame",
        frozenset((signs.QUOTE_MARK, signs.BEYOND_ASCII)),
    ),
    Cleaning(
        WRAPPED_LINE,
        "marked_wraps.find_wraps_between_marks",
        frozenset((signs.QUOTE_MARK, signs.LINE_DECORATION)),
    ),
    Cleaning("mail quote mark", "mail.find_quotes", frozenset((signs.QUOTE_MARK,))),
    Cleaning(
        "translated phrase", "translations.find_translations", frozenset((signs.PROGRAM_NAME,))
    ),
)
"""Cleanings of any text."""

PAGES = (
    Cleaning("script piece", "pages.find_scripts", frozenset("<")),
    Cleaning("HTML tag", "pages.find_tags", frozenset("<")),
    Cleaning("HTML character reference", "pages.find_entities", frozenset("&")),
)
"""Cleanings of a text that a web page contains."""

ROWS = (
    Cleaning("curly quote", "frames.find_curly_strings", _OTHER_ALPHABET),
    Cleaning("string mark", "frames.find_string_lines", _STRINGS),
    Cleaning(WRAPPED_LINE, "frames.find_wraps_in_escaped_string", frozenset("\\")),
    Cleaning("escape sequence", "frames.find_escapes", frozenset("\\")),
    Cleaning("forum tag", "frames.find_forum_tags", frozenset((signs.FREE_BRACKET,))),
    Cleaning("diff mark", "marked_wraps.find_diff_marks", frozenset("+")),
    Cleaning("line mark", "line_frames.find_line_marks"),
    Cleaning("line number", "line_frames.find_line_numbers"),
    Cleaning(
        WRAPPED_LINE,
        "line_frames.find_wraps_between_doubled_blanks",
        frozenset((signs.OTHER_LINE,)),
    ),
    Cleaning("doubled blank", "line_frames.find_doubled_blanks"),
    Cleaning(
        "interrupting line",
        "rows.find_lines_inside_rows",
        frozenset((signs.WRAPPED_REST, signs.WRAPPED_CELL, signs.LONE_CELL)),
        "skipped to read the match; the file is unchanged",
    ),
    Cleaning(WRAPPED_LINE, "rows.find_wraps_between_loose_signs", frozenset((signs.OTHER_LINE,))),
    Cleaning("smiley", "spellings.find_smileys", _OTHER_ALPHABET),
    Cleaning("message stamp", "chats.find_message_stamps", _STAMPS),
    Cleaning(
        "Markdown mark",
        "spellings.find_markdown_marks",
        frozenset((signs.LINE_DECORATION, signs.BEYOND_ASCII)),
    ),
    Cleaning("pair of dice", "spellings.find_dice", _OTHER_ALPHABET),
    Cleaning("cell of a roll", "spellings.find_rolls_in_cells", frozenset("\t")),
    Cleaning(
        "odd row number",
        "labels.find_row_labels",
        frozenset((signs.ODD_LABEL, signs.WRAPPED_CELL, signs.LINE_DECORATION)),
    ),
    Cleaning("empty-cell mark", "labels.find_empty_cells", _DOTS),
    Cleaning("slash between dice", "labels.find_slashed_dice", frozenset((signs.LOOSE_SIGN,))),
    Cleaning("score bracket", "labels.find_bracketed_scores", frozenset((signs.BRACKETED_POINTS,))),
    Cleaning("plus of a result", "labels.find_plus_points", frozenset("+")),
    Cleaning("score hyphen", "spellings.find_score_dashes", frozenset(("-", signs.BEYOND_ASCII))),
    Cleaning("backslash escape", "spellings.find_backslashes", frozenset("\\")),
    Cleaning("full-width character", "characters.find_full_width", _OTHER_ALPHABET),
    Cleaning("look-alike sign", "spellings.find_lookalikes", _OTHER_ALPHABET),
    Cleaning("loose sign", "spellings.find_loose_signs", frozenset((signs.LOOSE_SIGN,))),
    Cleaning("cell separator", "frames.find_cell_separators", _SEPARATORS),
    Cleaning("arrow", "characters.find_arrows", _OTHER_ALPHABET),
    Cleaning("step arrow", "characters.find_step_arrows", frozenset((signs.BEYOND_ASCII, "-"))),
    Cleaning("dash sign", "characters.find_dashes", _OTHER_ALPHABET),
    Cleaning("curly quote", "characters.find_curly_quotes", _OTHER_ALPHABET),
    Cleaning("play mark", "characters.find_marks", frozenset("?!")),
    Cleaning("bare roll", "spellings.find_bare_rolls", frozenset((signs.BARE_ROLL,))),
    Cleaning("foreign word", "row_words.find_row_words"),
    Cleaning("typed part", "typed.find_typed_turns", frozenset((signs.OTHER_LINE,))),
    Cleaning("told turn", "turns.find_told_turns", frozenset((signs.LONE_ROLLS,))),
    Cleaning("named turn", "turns.find_named_turns", frozenset((signs.ROLL_BEHIND_ROLL,))),
    Cleaning("hyphen", "spellings.find_hyphens", frozenset("-")),
    Cleaning("x sign", "hits.find_hits_with_x", frozenset("x")),
    Cleaning("multiplication sign", "hits.find_times", frozenset("x")),
    Cleaning("joined step", "hits.find_joined_steps", frozenset("*")),
    Cleaning(
        "repeated roll", "spellings.find_repeated_rolls", frozenset((signs.ROLL_BEHIND_ROLL,))
    ),
    Cleaning("tab", "rows.find_tabs", frozenset("\t")),
    Cleaning(
        WRAPPED_LINE,
        "rows.find_wraps",
        frozenset((signs.WRAPPED_REST, signs.WRAPPED_CELL, signs.LONE_CELL, signs.HALF_SCORE)),
    ),
    Cleaning("winner", "columns.find_guessed_winners", _LOST_COLUMNS, GUESSED),
    Cleaning("narrow gap", "columns.find_lost_columns", _LOST_COLUMNS),
    Cleaning(
        "margin result",
        "columns.find_margin_results",
        frozenset((signs.MARGIN_RESULT, signs.WRAPPED_CELL, SIDELESS)),
    ),
)
"""Cleanings of match text, which has rows of two cells."""

CLEANINGS = (*CHARACTERS, *PAGES, *ROWS)
"""All cleanings, in the order in which they are made."""

_find_characters = make_character_finder(
    {sign for cleaning in CLEANINGS for sign in cleaning.signs if len(sign) == 1}
)

REMEMBERED_SIGNS = 256
"""Cache size, in sets of signs; files of one program have few."""

INFERRED = ROWS[-2:]
"""Cleanings that put cells into columns; the side of these cells is likely, but not recorded."""


def _find_signs(text: str) -> frozenset[str]:
    """Return the signs of damage in a text: characters (`&`) and pattern names (`narrow_gap`)."""
    return _find_characters(text) | find_patterns(text)


class DamageSearch:
    """A search for damage in a match text: first by characters, then by unusual lines.

    A reading shows which lines are usual. Many damaged texts are known by a character, and need not
    be read before they are cleaned.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._characters = _find_characters(text)

    def has_damaged_characters(self) -> bool:
        """Whether the text has damage that a single character, such as `&`, reveals."""
        return self._is_changed_by(_choose_cleanings(self._characters))

    def has_damaged_lines(self, unusual_lines: str) -> bool:
        """Whether the text has damage, such as wrapped rows, that no single character reveals.

        Signs of damage are sought in `unusual_lines`, a part of the text, and in the first rows.
        """
        patterns = find_patterns(self._text, unusual_lines)
        return self._is_changed_by(_choose_other_cleanings(self._characters, patterns))

    def _is_changed_by(self, cleanings: Iterable[Cleaning]) -> bool:
        """Whether at least one of the cleanings changes the text."""
        return any(next(iter(one.find(self._text)), None) is not None for one in cleanings)


@lru_cache(REMEMBERED_SIGNS)
def _choose_cleanings(signs: frozenset[str]) -> tuple[Cleaning, ...]:
    """Return the cleanings of all damage that has at least one of these signs."""
    return tuple(cleaning for cleaning in CLEANINGS if not signs.isdisjoint(cleaning.signs))


@lru_cache(REMEMBERED_SIGNS)
def _choose_other_cleanings(
    handled_signs: frozenset[str], found_signs: frozenset[str]
) -> tuple[Cleaning, ...]:
    """Return cleanings for `found_signs` or that need no sign, but none for `handled_signs`."""
    return tuple(
        cleaning
        for cleaning in CLEANINGS
        if handled_signs.isdisjoint(cleaning.signs)
        and not (cleaning.signs and found_signs.isdisjoint(cleaning.signs))
    )


register_cache(_choose_cleanings.cache_clear)
register_cache(_choose_other_cleanings.cache_clear)


class Cleaned:
    r"""A text cleaned of damage, which knows where each part was in the original text.

    >>> cleaned = Cleaned("> 5\u00a0point match\n> Game 1").clean(CHARACTERS)
    >>> cleaned.text, [" ".join(note.text.split()[:4]) for note in cleaned.notes()]
    ('5 point match\nGame 1', ['1 special space replaced', '2 mail quote marks'])
    """

    def __init__(
        self,
        before: str,
        layers: Iterable[tuple[Cleaning, Layer]] = (),
    ) -> None:
        self.before = before
        self._layers = tuple(layers)

    def clean(self, cleanings: Iterable[Cleaning]) -> Cleaned:
        """Return the text after further cleanings, such as the removal of HTML tags.

        If none of them changes anything, the result is the same object.
        """
        layers = list(self._layers)
        text, found = self.text, self._signs
        for cleaning in cleanings:
            if cleaning.signs and found.isdisjoint(cleaning.signs):
                continue
            replacements = tuple(cleaning.find(text))
            if replacements:
                layer = replace_parts(text, replacements)
                layers.append((cleaning, layer))
                text = layer.text
                found = _find_signs(text)
        return Cleaned(self.before, layers) if len(layers) > len(self._layers) else self

    @property
    def text(self) -> str:
        """The cleaned text."""
        return self._layers[-1][1].text if self._layers else self.before

    @cached_property
    def _signs(self) -> frozenset[str]:
        """Signs of damage that the cleaned text still has."""
        return _find_signs(self.text)

    @property
    def is_changed(self) -> bool:
        """Whether anything was replaced."""
        return bool(self._layers)

    @property
    def has_inferred_columns(self) -> bool:
        """Whether the player of some actions or results was inferred, because columns were lost."""
        return any(cleaning in INFERRED for cleaning, _ in self._layers)

    @property
    def has_joined_lines(self) -> bool:
        """Whether wrapped lines of the file were joined."""
        return any(cleaning.name == WRAPPED_LINE for cleaning, _ in self._layers)

    @cached_property
    def _places(self) -> Places:
        """Converter of offsets in the cleaned text to lines and columns, and back."""
        return Places(self.text)

    @cached_property
    def _places_before(self) -> Places:
        """Converter of offsets in the original text to lines and columns, and back."""
        return Places(self.before)

    def notes(self) -> tuple[ReaderNote, ...]:
        """Return a note for each cleaning that changed the text."""
        return tuple(self._make_note(at) for at in range(len(self._layers)))

    def _make_note(self, index: int) -> ReaderNote:
        """Return a note that counts the replacements by the cleaning number `index`, from 0."""
        cleaning, layer = self._layers[index]
        replaced = [piece for piece, is_kept in enumerate(layer.is_kept) if not is_kept]
        start, end = (layer.old_starts[replaced[0] + more] for more in (0, 1))
        for _, below in reversed(self._layers[:index]):
            start, end = below.find_old_start(start), below.find_old_end(end)
        span = self._places_before.span(start, end)
        words = f"{number_of(len(replaced), cleaning.name)} {cleaning.outcome}"
        return ReaderNote("cleaned-text", span, words)

    def find_original_place(self, span: Span) -> Span:
        """Return the place in the original text that corresponds to `span` in the cleaned text."""
        start, end = (min(offset, len(self.text)) for offset in self._places.offsets(span))
        is_empty = start == end
        for _, layer in reversed(self._layers):
            start, end = layer.find_old_start(start), layer.find_old_end(end)
        return self._places_before.span(start, start if is_empty else end)

    def find_original_line(self, line: int) -> int:
        """Return the number that a line of the cleaned text has in the original text."""
        return self.find_original_place(Span(line, 1, 1)).line

    def find_cleaned_line(self, line: int) -> int:
        """Return the number that a line of the original text has in the cleaned text.

        If the line was removed, this is the number of the line above it.
        """
        if not self.is_changed:
            return line
        above = 1
        for number, text in enumerate(self.text.split("\n"), start=1):
            before = self.find_original_line(number)
            if before == line and text.strip():
                return number
            if before <= line and text.strip():
                above = number
        return above

    @cached_property
    def _starts_of_lines(self) -> tuple[tuple[int, int], ...]:
        """Line and column in the original text at which each line of the cleaned text begins."""
        rows = range(1, self.text.count("\n") + 2)
        places = (self.find_original_place(Span(row, 1, 1)) for row in rows)
        return tuple((place.line, place.column) for place in places)

    def restore_places(self, match: Match) -> Match:
        """Return `match`, read from the cleaned text, with places in the original text."""
        source = match.source._replace(
            lines=self.before.split("\n"), row_starts=self._starts_of_lines
        )
        return match._replace(
            source=source,
            length=self._restore_places_in(match.length),
            tags=self._restore_places_in(match.tags),
            games=self._restore_places_in(match.games),
            oddities=self._restore_places_in(match.oddities),
        )

    def _restore_places_in(self, value: Any) -> Any:
        """Return a value, such as an action, with its places converted to the original text."""
        if isinstance(value, Span):
            return self.find_original_place(value)
        if isinstance(value, Play):
            return self._restore_play(value)
        if isinstance(value, Unread) and value.last_line is not None:
            value = value._replace(last_line=self.find_original_line(value.last_line))
        if hasattr(value, "_fields"):
            return value._make(map(self._restore_places_in, value))
        return tuple(map(self._restore_places_in, value)) if isinstance(value, tuple) else value

    def _restore_play(self, play: Play) -> Play:
        """Return a play with the places of its steps converted to the original text."""
        span = self.find_original_place(play.span)
        cell = span.column - play.cell_offset
        elsewhere = play.cell_offset, play.cell_offset
        steps = (self.find_original_place(play.place(step)) for step in range(len(play.places)))
        places = tuple(
            (step.column - cell, step.end_column - cell) if step.line == span.line else elsewhere
            for step in steps
        )
        left_board = self._restore_places_in(play.left_board)
        return play._replace(span=span, places=places, left_board=left_board)
