"""What is no transcript, and how large a file may be.

Known without the readers of any format, which take longer to import than many a run takes.
"""

from __future__ import annotations

LIMIT = 64 * 1024 * 1024
"""The largest file that is read, in bytes."""

TOO_LARGE = f"larger than {LIMIT // 2**20} MiB, the most that is read"
"""Why a larger one is not."""


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
"""What is no text although text may stand in it, and where its mark stands in which bytes."""


class NotATranscript(ValueError):
    """The file holds nothing that can be read as a match, or is larger than `LIMIT`.

    `recognized_as` is the format of a record that is damaged or needs a package that is missing;
    it is None where neither a format recognizes the file nor its name tells one.
    """

    def __init__(self, path: str, reason: str, recognized_as: str | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.recognized_as = recognized_as
