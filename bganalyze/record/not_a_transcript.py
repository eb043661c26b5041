"""The error for files that are no match files, and the limit on file size.

This module imports no reader, because importing one takes longer than many a run.
"""

from __future__ import annotations

from bganalyze.errors import BganalyzeError

LIMIT = 64 * 1024 * 1024
"""Size of the largest file that is read, in bytes."""

TOO_LARGE = f"larger than {LIMIT // 2**20} MiB, the limit"
"""Reason for refusing a larger file."""


NOTHING_RECOGNIZED = "no match found: there is no match line, game line, score line or row"
"""Reason for refusing a text in which nothing looks like a match."""

PACKED = {
    "a zip archive": (0, b"PK\x03\x04"),
    "a tar archive": (257, b"ustar"),
    "a 7-Zip archive": (0, b"7z\xbc\xaf\x27\x1c"),
    "a RAR archive": (0, b"Rar!\x1a\x07"),
    "packed by gzip": (0, b"\x1f\x8b"),
    "packed by bzip2": (0, b"BZh91AY&SY"),
    "packed by xz": (0, b"\xfd7zXZ\0"),
    "packed by Zstandard": (0, b"\x28\xb5\x2f\xfd"),
}
"""Packed files, which are never read as text: the offset and bytes that identify each kind."""


WITHOUT_TEXT = {
    "a JPEG picture": b"\xff\xd8\xff",
    "a PNG picture": b"\x89PNG\r\n",
    "a GIF picture": b"GIF8",
    "a PDF document": b"%PDF-",
}
"""Files without text that can be read, and their first bytes."""

OLD_OFFICE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of the container of old Office files, and of documents with a password."""
OLD_OFFICE = (
    "password-protected or an old Word document: save it as .docx without a password, or as .txt"
)
"""Reason for refusing such a file."""


class NotATranscript(BganalyzeError, ValueError):
    """A file that cannot be read as a match, or is larger than 64 MiB.

    `path` is the file and `reason` the reason in words. `recognized_as` is the format if the file is
    damaged or its reader needs a missing package; it is None if neither the content nor the name shows
    a format.
    """

    def __init__(self, path: str, reason: str, recognized_as: str | None = None) -> None:
        super().__init__(path, reason, recognized_as)
        self.path = path
        self.reason = reason
        self.recognized_as = recognized_as

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"
