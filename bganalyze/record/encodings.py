"""Encodings of texts that are not UTF-8: stated in the file, or guessed from its words."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from typing import NamedTuple

from bganalyze.record.alphabets import COMMON, LANGUAGES, Language
from bganalyze.record.text_caches import register_cache

WESTERN = "cp1252"
"""Encoding of a text that nothing decides."""

# Encodings that a file states.

_STATED = re.compile(
    rb"""(?<![A-Za-z])CA\[\s*([\w:-]{2,40})\s*\]"""
    rb"""|\bcharset\s*=\s*["']?([\w:-]{2,40})"""
    rb"""|<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w:-]{2,40})""",
    re.IGNORECASE,
)
_STATED_WITHIN = 4096
"""Bytes at the start of a file in which it may state its encoding."""
_ALLOWED = re.compile(r"(?:cp|iso8859-|koi8-|mac-|euc_|gb|kz1048|tis-620|big5|johab|shift_jis)\w*")
"""Encodings, by the names Python gives them, in which a line end is a line end."""
_OTHER_NAMES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
}
"""Names on the web that Python does not know."""
_WIDER = {
    "iso8859-1": WESTERN,
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
"""Wider encodings that programs write when they state a narrower one, as web browsers read them."""


def find_stated_encoding(data: bytes) -> str | None:
    r"""Return the encoding named in a file's text, or None if it does not fit.

    >>> find_stated_encoding("(;FF[4]CA[windows-1251]PB[Иван])".encode("cp1251"))
    'cp1251'
    """
    found = _STATED.search(data, 0, _STATED_WITHIN)
    if found is None:
        return None
    name = find_known_encoding(_read_stated_name(found))
    if name is None:
        return None
    statement = found.group().decode("ascii", "replace")
    return next(
        (
            each
            for each in (_WIDER.get(name, name), name)
            if _can_decode_statement(data, each, statement)
        ),
        None,
    )


def states_utf8(data: bytes) -> bool:
    """Whether the text of a file says that it is UTF-8."""
    found = _STATED.search(data, 0, _STATED_WITHIN)
    return found is not None and _read_stated_name(found).casefold() in ("utf-8", "utf8")


def _read_stated_name(statement: re.Match[bytes]) -> str:
    """Return the name of the encoding in a matched statement, as written."""
    return statement[statement.lastindex or 0].decode("ascii", "replace")


def find_known_encoding(written: str) -> str | None:
    """Return Python's name for an encoding of text, or None for an unknown one.

    >>> find_known_encoding("Windows-1251"), find_known_encoding("x-sjis"), find_known_encoding("rot13")
    ('cp1251', 'cp932', None)
    """
    name = written.casefold()
    try:
        name = codecs.lookup(_OTHER_NAMES.get(name, name.removeprefix("x-"))).name
    except LookupError:
        return None
    return name if _ALLOWED.fullmatch(name) else None


def require_encoding(written: str) -> str:
    """Return Python's name for an encoding; raise ValueError if it is unknown."""
    name = "utf-8" if written.casefold() in ("utf8", "utf-8") else find_known_encoding(written)
    if name is None:
        raise ValueError(f"{written!r} is no encoding of text, such as windows-1251 or shift_jis")
    return _WIDER.get(name, name)


def _can_decode_statement(data: bytes, encoding: str, statement: str) -> bool:
    """Whether the bytes of a file, decoded in `encoding`, contain `statement`.

    `statement` is the part of the file that names its encoding.
    """
    text = decode_strictly(data, encoding)
    return text is not None and statement in text


def decode_strictly(data: bytes, encoding: str) -> str | None:
    """Decode bytes in an encoding, or return None if that fails."""
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


# Encodings guessed from the words with other characters than ASCII has.

_PRIORS = {
    WESTERN: 0.0,
    "cp1251": 0.5,
    "cp1250": 0.8,
    "cp1253": 0.5,
    "cp1254": 0.6,
    "cp1257": 0.8,
    "cp1255": 0.5,
    "cp1256": 0.5,
    "cp932": 0.5,
    "gb18030": 0.5,
    "big5": 0.6,
    "cp949": 0.6,
    "euc_jp": 0.7,
    "cp874": 0.6,
    "koi8-r": 0.9,
    "koi8-u": 1.0,
    "iso8859-2": 1.2,
    "iso8859-7": 1.0,
    "iso8859-9": 1.1,
    "iso8859-15": 0.6,
    "iso8859-13": 1.2,
    "cp1258": 2.0,
    "cp866": 1.2,
    "iso8859-5": 1.8,
    "iso8859-8": 1.5,
    "cp850": 1.6,
    "cp852": 1.8,
    "cp737": 2.0,
    "mac-roman": 2.0,
    "mac-cyrillic": 2.0,
}
"""Encodings that are tried, each with the cost of being less usual."""
_DOS = frozenset(("cp866", "cp850", "cp852", "cp737"))
"""Encodings of programs that wrote no special spaces."""
_SAMPLE_BYTES = 20_000
"""Bytes of distinct lines that are weighed."""
_LINE_ENDS = re.compile(rb"[\n\r]+")
_HIGH_WORD = re.compile(rb"(?<![A-Za-z])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*")
"""A word with a byte beyond ASCII. It is searched from its first letter only, so long words take linear time."""
_WORD = re.compile(r"[^\s\d\x00-\x26\x28-\x2c./:;<=>?@\[\\\]^_`{|}~]+")

# Costs of odd features of a name, in nats as far as chardet's confidences are: chosen so that one
# impossible letter outweighs the difference between a usual and an unusual encoding.
_CONTROL = 6.0
_SIGN = _SCRIPT = _CASE = 3.0
_FOREIGN = 2.0
_OTHER_LANGUAGE = 1.5
"""Cost of words of further languages: players of two countries."""
_OTHER_WESTERN = 0.7
"""The same in western Europe, whose players meet most often."""
_UNLIKELY = 0.8
_SMALL_START = _CHARACTER = 0.5
_QUOTE = 0.3
_MOST_DOUBT = 2.0
_MOST_ODD = 1.5
"""Cost of a word above which a text looks like names in no encoding."""
_NEAR = 0.5
"""Difference of costs below which a second reading is nearly as likely."""

_AROUND_WORDS = "'-\"‘’‚“”„–—…«»·°№´′″¡¿•†、。・「」（）"
_SIGN_LETTERS = frozenset("ªºµƒˆ")
_ALWAYS_LAST = frozenset("ςךםןףץ")
_NEVER_LAST = frozenset("σכמנצ")
_SCRIPTS = {
    "COMBINING": "",
    "KATAKANA-HIRAGANA": "",
    "HIRAGANA": "KANA",
    "KATAKANA": "KANA",
    "HALFWIDTH": "KANA",
    "IDEOGRAPHIC": "CJK",
}
"""Scripts by the first words of names of characters, where it is not that word itself."""
_USUAL_CODES = {
    "cp932": (b"\x88\x9f", b"\x98\x9f"),
    "euc_jp": (b"\xb0\xa1", b"\xd0"),
    "gb18030": (b"\xb0\xa1", b"\xd8"),
    "big5": (b"\xa4\x40", b"\xc9\x40"),
    "cp949": (b"\xb0\xa1", b"\xc9"),
}
"""Codes of usual characters: from, and before."""
_LEAST_SECOND = {"cp932": 0x40, "euc_jp": 0xA1, "gb18030": 0xA1, "big5": 0x40, "cp949": 0xA1}


class Guess(NamedTuple):
    """A guessed encoding, and another that is nearly as likely but reads differently, or None."""

    encoding: str
    other: str | None = None


def guess_encoding(data: bytes) -> Guess:
    """Guess the encoding in which a file's words look most like names.

    >>> guess_encoding("Şükrü Işık".encode("cp1254")).encoding
    'cp1254'
    """
    sample = b"\n".join(_sample_lines(data))
    costs = {
        encoding: cost
        for encoding, cost in _rank_encodings(sample)
        if encoding == WESTERN or decode_strictly(data, encoding) is not None
    }
    best = next(iter(costs))
    text = _decode_sample(sample, best)
    near = (each for each, cost in costs.items() if cost < costs[best] + _NEAR)
    return Guess(best, next((each for each in near if _decode_sample(sample, each) != text), None))


@lru_cache(maxsize=16)  # A repair reads a file many times.
def _rank_encodings(sample: bytes) -> tuple[tuple[str, float], ...]:
    """Return the likely encodings of some lines with their costs, lowest cost first.

    The cost is low if the words, decoded in the encoding, look like names.
    """
    if not any(len(word) > 1 for word in _HIGH_WORD.findall(sample)):  # Damaged bytes, no words.
        return ((WESTERN, 0.0),)
    texts = {
        encoding: _decode_sample(sample, encoding)
        for encoding in _PRIORS
        if encoding == WESTERN or decode_strictly(sample, encoding) is not None
    }
    looks = {encoding: _compute_cost_of_text(encoding, text) for encoding, text in texts.items()}
    doubts = _ask_chardet(sample)
    costs = {
        encoding: look + _PRIORS[encoding] + doubts.get(encoding, _MOST_DOUBT)
        for encoding, look in looks.items()
    }
    best = min(costs, key=costs.__getitem__)
    most = _MOST_ODD * len(_find_distinct_words(best, texts[best]))
    if best not in COMMON and looks[best] > most:
        return ((WESTERN, 0.0),)  # It looks like names in no encoding.
    return tuple(sorted(costs.items(), key=lambda item: item[1]))


register_cache(_rank_encodings.cache_clear)


def _decode_sample(sample: bytes, encoding: str) -> str:
    """Decode bytes; lone surrogates stand for undecodable ones."""
    return sample.decode(encoding, "surrogateescape")


def _sample_lines(data: bytes) -> Iterator[bytes]:
    """Yield distinct lines that have bytes beyond ASCII, about `_SAMPLE_BYTES` bytes in all."""
    seen = set[bytes]()
    size = 0
    for whole in _LINE_ENDS.split(data):
        if whole.isascii():
            continue
        line = whole[:_SAMPLE_BYTES]
        if len(whole) > _SAMPLE_BYTES and b" " in line:
            line = line[: line.rfind(b" ")]
        if line not in seen:
            seen.add(line)
            yield line
            size += len(line)
            if size > _SAMPLE_BYTES:
                return


def _ask_chardet(sample: bytes) -> dict[str, float]:
    """Return how much the package chardet doubts each encoding: 0 for the likeliest."""
    try:
        from chardet import detect_all  # Only texts that are not UTF-8 need it.
    except ImportError:
        return {}
    confidences: dict[str, float] = {}
    for result in detect_all(b"\n".join(_HIGH_WORD.findall(sample)), ignore_threshold=True):
        name = find_known_encoding(result["encoding"] or "")
        if name is not None:
            for each in {name, _WIDER.get(name, name)}:
                confidences[each] = max(confidences.get(each, 0.0), result["confidence"])
    most = max(confidences.values(), default=1.0)
    return {
        encoding: min(_MOST_DOUBT, log(most / confidence)) if confidence else _MOST_DOUBT
        for encoding, confidence in confidences.items()
    }


# The likelihood of names.


def _compute_cost_of_text(encoding: str, text: str) -> float:
    """Return the cost of a decoded text: low if its words look like names."""
    words = _find_distinct_words(encoding, text)
    forms = sum(map(_compute_cost_of_form, words)) + _SIGN * (encoding in _DOS) * text.count("\xa0")
    if encoding in COMMON:
        return forms + sum(_compute_cost_of_rarity(encoding, word) for word in words)
    languages = [language for language in LANGUAGES if encoding in language.encodings]
    rows = [[_compute_cost_in_language(language, word) for word in words] for language in languages]
    single: float = min(
        sum(row) + language.rarity for row, language in zip(rows, languages, strict=True)
    )
    several = _OTHER_WESTERN if encoding == WESTERN else _OTHER_LANGUAGE
    mixed: float = several + sum(map(min, zip(*rows, strict=True)))
    return forms + min(single, mixed)


def _find_distinct_words(encoding: str, text: str) -> set[str]:
    """Return the words with a character beyond ASCII, each once.

    >>> sorted(_find_distinct_words("cp1252", "Bodø and å, Zoë and Zoë"))
    ['Bodø', 'Zoë']
    """
    # A single character is a word only in Chinese, Japanese and Korean.
    least = 1 if encoding in COMMON else 2
    return {word for word in _WORD.findall(text) if not word.isascii() and len(word) >= least}


def _compute_cost_of_form(word: str) -> float:
    """Return the cost of a word: high for an odd form, which shows a wrong encoding."""
    core = word.strip(_AROUND_WORDS)
    cost = _QUOTE * (len(word) - len(core)) + sum(map(_compute_cost_of_character, core))
    cost += sum(_compute_cost_of_pair(one, two) for one, two in pairwise(core))
    scripts = [script for script in map(_find_script, core) if script]
    cost += _SCRIPT * sum(one != two for one, two in pairwise(scripts))
    if core[:1].islower() and not core.isascii() and not core[0].isascii():
        cost += _SMALL_START
    elif len(core) > 2 and core[:2].isupper() and not core.isupper():
        cost += _CASE
    if len(core) > 1 and core[-1] in _NEVER_LAST:
        cost += _UNLIKELY
    return cost


def _compute_cost_of_character(character: str) -> float:
    """Return the cost of a character in a name: high for signs, usually 0."""
    category = unicodedata.category(character)
    if category[0] == "C":
        return _CONTROL
    if character.isascii() or character in "’·・ー":
        return 0.0
    return _SIGN if category[0] not in "LM" or character in _SIGN_LETTERS else 0.0


def _compute_cost_of_pair(one: str, two: str) -> float:
    """Return the cost of two neighboring characters, which is 0 for a usual pair."""
    if one.isascii() and two.isascii():
        return 0.0
    is_mark = unicodedata.category(two)[0] == "M"
    if is_mark and unicodedata.category(one)[0] not in "LM":
        return _SIGN
    if (one.islower() and two.isupper()) or (one in _ALWAYS_LAST and two.isalpha()):
        return _CASE
    return 0.0


@cache
def _find_script(character: str) -> str:
    """Return the script of a letter, such as `LATIN`, else ""."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    script = unicodedata.name(character, "?").partition(" ")[0]
    return _SCRIPTS.get(script, script)


def _compute_cost_in_language(language: Language, word: str) -> float:
    """Return the cost of a word as a name in `language`: 0 if all letters are usual.

    >>> german = LANGUAGES[0]
    >>> [_compute_cost_in_language(german, word) for word in ("Voß", "ßov", "Žižek")]
    [0.0, 0.8, 4.0]
    """
    small = word.lower()
    foreign = sum(
        character.isalpha() and not character.isascii() and character not in language.letters
        for character in small
    )
    unlikely = re.findall(language.unlikely, small) if language.unlikely else ()
    return _FOREIGN * foreign + _UNLIKELY * len(unlikely)


def _compute_cost_of_rarity(encoding: str, word: str) -> float:
    """Return the cost of the rare characters in a Chinese, Japanese or Korean word."""
    return sum(
        _CHARACTER + _compute_cost_of_rare_character(encoding, character)
        for character in word
        if character.isalpha() and not character.isascii() and character not in COMMON[encoding]
    )


def _compute_cost_of_rare_character(encoding: str, character: str) -> float:
    """Return the cost of a character in a Chinese, Japanese or Korean encoding, 0 if usual."""
    code = character.encode(encoding)
    script = _find_script(character)
    if script == "KANA":
        # Kana make a Japanese encoding likelier: their cost is negative there.
        is_usual = encoding in ("cp932", "euc_jp")
        return -_CHARACTER if is_usual and len(code) == 2 else _FOREIGN
    if script not in ("CJK", "HANGUL"):
        return _SIGN
    first, last = _USUAL_CODES[encoding]
    return 0.0 if first <= code < last and code[1] >= _LEAST_SECOND[encoding] else _CHARACTER * 3


# Remarks on encodings.

_MISREAD_AS = (WESTERN, "iso8859-1", "cp1251")
_LONGEST_PHRASE = 40
_PHRASE = re.compile(rf"{_WORD.pattern}(?: {_WORD.pattern})*")
_PUBLIC_NAMES = {"cp932": "shift_jis", "cp949": "euc-kr", "cp874": "windows-874"}


class EncodingRemark(NamedTuple):
    """A sentence about the encoding, and the place in the text (start, end) that shows it."""

    start: int
    end: int
    sentence: str


def explain_guess(text: str, guess: Guess) -> EncodingRemark | None:
    """Return a remark that the encoding was guessed, or None if it is usual (CP1252).

    >>> explain_guess("Иван Петров : 0", Guess("cp1251")).sentence
    'the encoding is not stated: read as windows-1251 (Иван Петров)'
    """
    if guess == Guess(WESTERN):
        return None
    start, phrase = _find_first_words_beyond_ascii(text)
    sentence = f"the encoding is not stated: read as {_get_public_name(guess.encoding)} ({phrase})"
    other = None if guess.other is None else _decode_again(phrase, guess.encoding, guess.other)
    if other is not None and other != phrase:
        sentence += f", or as {_get_public_name(guess.other or '')} ({other})"
    elif guess.encoding == WESTERN:
        sentence += f", or as {_get_public_name(guess.other or '')}"
    return EncodingRemark(start, start + len(phrase), sentence)


def explain_mojibake(text: str) -> EncodingRemark | None:
    """Return a remark if the text shows UTF-8 that was once read in a wrong encoding, else None.

    >>> explain_mojibake("LÃ¶vet : 0     LÃ¶vet : 2").sentence
    'probably UTF-8 that was read as windows-1252 and saved again: LÃ¶vet is Lövet'
    """
    found = [word for word in _WORD.finditer(text) if not word.group().isascii()]
    for encoding in _MISREAD_AS:
        repaired = [word for word in found if _repair_mojibake(word.group(), encoding) is not None]
        if len(repaired) > 1 and 2 * len(repaired) > len(found):
            first = repaired[0]
            sentence = (
                f"probably UTF-8 that was read as {_get_public_name(encoding)} and saved again:"
                f" {first.group()} is {_repair_mojibake(first.group(), encoding)}"
            )
            return EncodingRemark(*first.span(), sentence)
    return None


def _repair_mojibake(word: str, encoding: str) -> str | None:
    """Return a garbled word decoded as UTF-8, or None if that looks no better.

    The word was decoded in `encoding` by mistake.

    >>> _repair_mojibake("LÃ¶vet", "cp1252")
    'Lövet'
    """
    try:
        repaired = word.encode(encoding).decode("utf-8")
    except UnicodeError:
        return None
    is_worse = _compute_cost_of_form(repaired) >= _compute_cost_of_form(word)
    return None if repaired == word or is_worse else repaired


def _find_first_words_beyond_ascii(text: str) -> tuple[int, str]:
    r"""Return the offset and text of the first words beyond ASCII, or 0 and "".

    >>> _find_first_words_beyond_ascii("5 point match\nŞükrü : 0")
    (14, 'Şükrü')
    """
    start = 0
    for line in text.split("\n"):
        for phrase in () if line.isascii() else _PHRASE.finditer(line):
            if not phrase.group().isascii():
                return start + phrase.start(), phrase.group()[:_LONGEST_PHRASE].rstrip()
        start += len(line) + 1
    return 0, ""


def _decode_again(text: str, encoding: str, other: str) -> str | None:
    """Return a text decoded in `other` instead of `encoding`, or None if that fails.

    >>> _decode_again("LÃ¶vet", "cp1252", "utf-8"), _decode_again("Bodø", "cp1252", "utf-8")
    ('Lövet', None)
    """
    try:
        return text.encode(encoding).decode(other)
    except UnicodeError:
        return None


def _get_public_name(encoding: str) -> str:
    """Return the usual name of an encoding, such as `windows-1252` for `cp1252`."""
    return _PUBLIC_NAMES.get(encoding) or re.sub(
        r"^cp(125\d)$", r"windows-\1", encoding.replace("iso8859", "iso-8859")
    )
