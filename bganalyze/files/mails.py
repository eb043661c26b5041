"""Saved mails: their texts, or their pages if they have no text, and the files attached to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.files.addresses import TEXT_MEMBER, is_hidden
from bganalyze.files.limits import (
    Opener,
    UnpackLimit,
    UnreadableError,
    check_size,
    open_source,
    read_limited,
)
from bganalyze.files.streams import Member, UnreadMembers

if TYPE_CHECKING:
    from email.message import EmailMessage

_HEADER = re.compile(
    rb"^content-(?:type|disposition|transfer-encoding)[^\n]*(?:\n[ \t][^\n]*)*",
    re.MULTILINE | re.IGNORECASE,
)
_NESTING = re.compile(rb"multipart|message[ \t(]*/", re.IGNORECASE)
_HEADER_LIMIT = 4000
"""Longest header that names the type of a part, in bytes."""
_NESTING_LIMIT = 100
"""Most parts that hold other parts."""
_LINE_LIMIT = 20_000_000
"""Most comparisons of lines with the ends of parts: 20 million take two seconds."""
_PART_LIMIT = 10_000
"""Most lines that may part a mail."""
_BLANKS = b" \t\r\n\xc2\xa0"
"""Blank characters; the last two bytes are a non-breaking space in UTF-8."""
_TEXT_EXTENSIONS = {"text/plain": ".txt", "text/html": ".html"}


class MailPart(NamedTuple):
    """A text of a mail, or a file attached to it."""

    name: str
    content: bytes


class Mail:
    """A saved mail, read like an archive of its texts and attachments."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener

    def members(self, limit: UnpackLimit) -> Iterator[Member | UnreadMembers]:
        """Yield the texts of the mail, then its attachments, or only the reason for a failure."""
        try:
            parts = self._parts
            limit.spend(len(parts), sum(len(part.content) for part in parts))
        except UnreadableError as error:
            yield UnreadMembers(str(error))
            return
        for number, part in enumerate(parts):
            yield Member(part.name, number, len(part.content))

    def content(self, member: Member) -> bytes:
        """Return the bytes of a text or attachment."""
        if member.place >= len(self._parts):
            raise UnreadableError("changed by somebody else meanwhile")
        return self._parts[member.place].content

    def close(self) -> None:
        """Do nothing, because no file is open between two calls."""

    @cached_property
    def _parts(self) -> Sequence[MailPart]:
        """The texts and attachments; raises UnreadableError if the mail is too large."""
        with open_source(self._opener) as file:
            content = read_limited(file)
        check_size(len(content))
        return read_mail(content)


def read_mail(content: bytes) -> Sequence[MailPart]:
    """Return the texts of a mail, then its attachments, except hidden ones.

    HTML is a text only if the mail has no plain text. Raises UnreadableError for a damaged mail or
    too many parts.
    """
    _require_few_parts(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    from email import message_from_bytes, policy
    from email.errors import MessageError

    try:
        message = message_from_bytes(content.removeprefix(b"\xef\xbb\xbf"), policy=policy.default)
        leaves = [part for part in message.walk() if not part.is_multipart()]
        named = [(part, part.get_filename()) for part in leaves]
        attached = [MailPart(name, _decode_content(part)) for part, name in named if name]
        bodies = [part for part, name in named if not name]
        texts = _select_texts(bodies, "text/plain") or _select_texts(bodies, "text/html")
    except (MessageError, RecursionError, *_PARSING_ERRORS) as error:
        raise UnreadableError(f"damaged mail; save its text as a .txt file ({error})") from error
    return (*texts, *(part for part in attached if not is_hidden(part.name)))


_PARSING_ERRORS = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""Exceptions that `email` raises for some damaged headers."""


def _require_few_parts(content: bytes) -> None:
    """Raise UnreadableError if a mail has too many parts to read in a short time."""
    holders = sum(1 for _ in _NESTING.finditer(content))
    is_crowded = (
        content.count(b"\n--") > _PART_LIMIT
        or holders > _NESTING_LIMIT
        or holders * content.count(b"\n") > _LINE_LIMIT
        or any(len(header.group()) > _HEADER_LIMIT for header in _HEADER.finditer(content))
    )
    if is_crowded:
        raise UnreadableError("a mail of too many parts; save its text as a .txt file")


def _select_texts(parts: Sequence[EmailMessage], kind: str) -> list[MailPart]:
    """Return a mail's texts of content type `kind` as files `text.txt` or the like.

    Blank texts are left out.
    """
    of_kind = (part for part in parts if part.get_content_type() == kind)
    chosen = [part for part in of_kind if _decode_content(part).strip(_BLANKS)]
    stem, extension = TEXT_MEMBER.partition(".")[0], _TEXT_EXTENSIONS[kind]
    return [
        MailPart(
            f"{stem}{f'-{number}' if number > 1 else ''}{extension}", _encode_text_as_utf8(part)
        )
        for number, part in enumerate(chosen, 1)
    ]


def _encode_text_as_utf8(part: EmailMessage) -> bytes:
    """Return a text in a mail as UTF-8, or unchanged if its encoding is unknown."""
    content = _decode_content(part)
    try:
        return content.decode(part.get_content_charset() or "utf-8").encode()
    except (UnicodeError, LookupError):
        return content


def _decode_content(part: EmailMessage) -> bytes:
    """Return a part of a mail as bytes, decoded from base64 or quoted-printable."""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
