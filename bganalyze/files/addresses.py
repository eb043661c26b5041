"""Addresses: URLs, and paths to members of archives; recognizes archives by their names.

A user, password, token or signature in a URL gives access to protected files. These are used only
to open the URL; messages, reports and data show `***` instead.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self

# Archives by their names, kept here because importing their reader takes 5 % of a check.

MEMBER_MARK = "!"
"""Sign between an archive and its member: `archive.zip!member`."""

NO_MEMBER = "no such member in the archive"

HIDDEN_NAMES = (".", "~$")
"""Starts of names that are skipped in folders and archives: hidden files, and Word's lock files."""

PACKED = ("gz", "bz2", "xz", "zst")
"""Extensions of compressed files."""

STREAMED = (".tar", ".ogxms")
"""Extensions of archives whose members are read in sequence."""

ARCHIVES: dict[str, tuple[str, str] | None] = {
    ".zip": None,
    **{extension: (extension, "") for extension in STREAMED},
    **{f"{extension}.{packed}": (extension, packed) for extension in STREAMED for packed in PACKED},
    **{f".t{packed}": (".tar", packed) for packed in PACKED},
}
"""Extensions of archives, each with its sequential format and its compression; None for zip files,
which have a directory."""

TEXT_DOCUMENTS = (".docx", ".odt", ".rtf")
"""Extensions of documents that hold one text."""
DOCUMENTS = (*TEXT_DOCUMENTS, ".eml")
"""Extensions of documents, which are read like archives of texts."""
TEXT_MEMBER = "text.txt"
"""Name of the text in a document."""

_HIDDEN_IN_ARCHIVES = (*HIDDEN_NAMES, "__MACOSX")
_HERE_OR_ABOVE = (".", "..")

_ENDINGS = sorted((*ARCHIVES, *DOCUMENTS), key=len, reverse=True)
_ENDING = rf"(?:{'|'.join(map(re.escape, _ENDINGS))})"
_QUERY = rf"(?:\?[^{MEMBER_MARK}]*)?"
"""The query that may follow in a URL."""
_ARCHIVE = re.compile(f"({_ENDING}){_QUERY}$", re.IGNORECASE)
_BEFORE_MEMBER = f"{_ENDING}{_QUERY}(?={MEMBER_MARK})"
"""Pattern for an archive before a member. Compiled on demand, because few paths have a member."""


def is_archive(name: str) -> bool:
    """Whether a file of this name is an archive, a mail or a document.

    A single compressed file, such as `a.mat.gz`, is no archive.

    >>> is_archive("a.ZIP"), is_archive("a.tgz"), is_archive("a.mat.gz")
    (True, True, False)
    """
    return get_archive_extension(name) != ""


def get_archive_extension(name: str) -> str:
    """Return the extension of an archive or document in lower case, or "" for any other name."""
    extension = _ARCHIVE.search(name)
    return extension[1].lower() if extension else ""


def is_hidden(name: str) -> bool:
    """Whether a path in an archive is hidden: a folder or file name in it starts with a dot.

    Files in a folder `__MACOSX` are hidden, too.

    >>> is_hidden("club/.a.mat"), is_hidden("../a.mat")
    (True, False)
    """
    parts = name.replace("\\", "/").split("/")
    return any(part.startswith(_HIDDEN_IN_ARCHIVES) for part in parts if part not in _HERE_OR_ABOVE)


def is_text_document(name: str) -> bool:
    """Whether a file of this name is a document with a single text, such as a Word file.

    >>> is_text_document("a.DOCX"), is_text_document("a.zip!b.rtf"), is_text_document("a.eml")
    (True, True, False)
    """
    return get_archive_extension(name) in TEXT_DOCUMENTS


def is_path_of_named_file(path: str, given_path: str) -> bool:
    """Whether `path` is the file `given_path` that the user named, or the text in that document.

    >>> is_path_of_named_file("a.docx!text.txt", "a.docx"), is_path_of_named_file("b/a.mat", "b")
    (True, False)
    """
    return path == given_path or (
        is_text_document(given_path) and path == make_path_of_text(given_path)
    )


def is_in_document(path: str) -> bool:
    """Whether a path is that of a file directly in a document, such as a Word file or a mail.

    >>> is_in_document("a.zip!b.eml!text.txt"), is_in_document("a.docx!b/c.zip!d.mat")
    (True, False)
    """
    holder, mark, _ = path.rpartition(MEMBER_MARK)
    return mark != "" and get_archive_extension(holder) in DOCUMENTS


def get_shown_path(path: str) -> str:
    """Return a path as shown to users: the document's path for the text in a document.

    >>> get_shown_path("a.docx!text.txt"), get_shown_path("a.zip!text.txt")
    ('a.docx', 'a.zip!text.txt')
    """
    document = path.removesuffix(MEMBER_MARK + TEXT_MEMBER)
    return document if is_text_document(document) else path


def make_path_of_text(document: str) -> str:
    """Return the path by which the text in a document, such as a Word file, is addressed.

    >>> make_path_of_text("a.docx")
    'a.docx!text.txt'
    """
    return document + MEMBER_MARK + TEXT_MEMBER


def split_at_archive(path: str) -> tuple[str, str] | None:
    """Split a path into the outermost archive's path and the path inside that archive.

    Return None if the path names no file in an archive.

    >>> split_at_archive("a.tar.gz!b.zip!c.mat")
    ('a.tar.gz', 'b.zip!c.mat')
    """
    mark = re.search(_BEFORE_MEMBER, path, re.IGNORECASE) if MEMBER_MARK in path else None
    return (path[: mark.end()], path[mark.end() + len(MEMBER_MARK) :]) if mark else None


# URLs.

HIDDEN = "***"

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::)")
"""Start of a URL. Drives of Windows have a single letter."""
# Patterns that only URLs need are compiled on demand.
_IN_TEXT = r"[A-Za-z][A-Za-z0-9+.-]{1,63}(?:://|::)[^\s'\"<>]+"  # Also within a longer scheme.
_PARTS = r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)?(?P<rest>.*)"
_WEB = ("http://", "https://")
_PORT = r"[^:]*(?::\d*)?|\[[^]]*\](?::\d*)?"
_IPV6_HOST = r"(?P<before>://(?:[^/@\[\]]*@)?)\[(?P<address>[0-9A-Fa-f:.]{2,45})\]"
_PARAMETER = r"(?P<name>[^=&;]*)(?P<value>=[^&;]*)?"
_PATH_PARAMETER = r"(;[^/=;]*=)[^/;]*"
_HARMLESS = r"(?:id|page|year|month|day|number|version|match|game|file)=[0-9]{1,9}"
"""Query parameters whose values identify files and give no access."""


class Address(str):
    """A URL without credentials, as shown to users, that can be opened.

    `full` is the URL with credentials. `path` is the path of a file or folder found below `full`,
    as the server spells it, or None for the path in `full`.

    >>> address = Address("s3://key:secret@bucket/club")
    >>> print(address, address.child("bucket/club/a.mat", "a.mat"))
    s3://***@bucket/club s3://***@bucket/club/a.mat
    """

    full: str
    path: str | None
    __slots__ = ("full", "path")

    def __new__(cls, full: str, path: str | None = None, text: str = "") -> Self:
        """Return the address of the URL `full`, or `full` itself if it is an address already.

        `path` is a file's path on the server, or None for the path in the URL. `text` is what users
        see, by default the URL without credentials.
        """
        if isinstance(full, cls):
            return full
        full = write_hosts_in_full(full)
        address = super().__new__(cls, text or hide_credentials(full))
        address.full, address.path = full, path
        return address

    def __reduce__(self) -> tuple[type[Address], tuple[str, str | None, str]]:
        return type(self), (self.full, self.path, str(self))

    @property
    def name(self) -> str:
        """The first of several URLs joined by `::`: `zip://a.mat` in `zip://a.mat::s3://b.zip`."""
        first = self.partition("::")[0]
        return first if "://" in first else str(self)

    @property
    def is_secret(self) -> bool:
        """Whether the URL has a part that may be secret, such as credentials."""
        return hide_credentials(self.full) != self.full

    def child(self, path_on_server: str, name: str) -> Address:
        """Return the address of the file or folder `name` in the folder at this address.

        `path_on_server` is the full path as the server spells it.
        """
        joint = "" if self.name.endswith("/") else "/"
        return Address(
            self.full, path_on_server, f"{self.name}{joint}{name}{self[len(self.name) :]}"
        )


def write_hosts_in_full(url: str) -> str:
    """Return a URL whose IPv6 addresses are written without the abbreviation `::`.

    >>> write_hosts_in_full("http://[fe80::1]:8000/a.mat")
    'http://[fe80:0:0:0:0:0:0:1]:8000/a.mat'
    """
    return re.sub(_IPV6_HOST, _write_host_in_full, url) if "[" in url else url


def _write_host_in_full(host_match: re.Match[str]) -> str:
    """Return the IPv6 address in a match without the abbreviation `::`; leave an invalid one."""
    from ipaddress import IPv6Address  # Few URLs have such a host.

    try:
        groups = IPv6Address(host_match["address"]).exploded.split(":")
    except ValueError:
        return host_match.group()
    return f"{host_match['before']}[{':'.join(f'{int(group, 16):x}' for group in groups)}]"


def is_url(path: str) -> bool:
    """Whether a path is a URL.

    >>> is_url("https://club.example/a.mat"), is_url("club/a.mat"), is_url("C://a.mat")
    (True, False, False)
    """
    return _URL.match(path) is not None


def hide_credentials(url: str) -> str:
    """Return a URL with `***` in place of each part that may be secret.

    >>> hide_credentials("https://ann:pw@club.example/a.mat?X-Amz-Signature=0a1b")
    'https://***@club.example/a.mat?X-Amz-Signature=***'
    """
    url = write_hosts_in_full(url)
    url, *member = split_at_archive(url) or (url,)
    return MEMBER_MARK.join(("::".join(map(_hide_in_single_url, url.split("::"))), *member))


def hide_credentials_in(text: str) -> str:
    """Return a text with `***` in place of each part of its URLs that may be secret."""
    return re.sub(_IN_TEXT, lambda url: hide_credentials(url.group()), text)


def _hide_in_single_url(url: str) -> str:
    """Return a URL with `***` in place of user name, fragment and secret parameters."""
    scheme, user, path, query, fragment = _split_url(url)
    if scheme.lower() in _WEB:
        path = re.sub(_PATH_PARAMETER, rf"\1{HIDDEN}", path)
    query = "?" + re.sub(_PARAMETER, _hide_parameter, query[1:]) if query else ""
    user = f"{HIDDEN}@" if user else ""
    return f"{scheme}{user}{path}{query}{'#' + HIDDEN if fragment else ''}"


def _hide_parameter(parameter_match: re.Match[str]) -> str:
    """Return a matched URL parameter with a hidden value, unless it is harmless like `id=7`."""
    if not parameter_match.group() or re.fullmatch(_HARMLESS, parameter_match.group()):
        return parameter_match.group()
    return f"{parameter_match['name']}={HIDDEN}" if parameter_match["value"] is not None else HIDDEN


class _UrlParts(NamedTuple):
    """Parts of a URL, which together are the whole URL but for `@` and `#`."""

    scheme: str
    user: str
    host_and_path: str
    query: str
    fragment: str


def _split_url(url: str) -> _UrlParts:
    """Split a URL into its parts.

    >>> _split_url("https://ann@h/a.mat?id=7#t")
    _UrlParts(scheme='https://', user='ann', host_and_path='h/a.mat', query='?id=7', fragment='t')
    """
    match = re.fullmatch(_PARTS, url, re.DOTALL)
    assert match is not None
    scheme, rest = match["scheme"] or "", match["rest"]
    host = rest.partition("/")[0]
    user, fragment, query = "", "", ""
    # A secret key may hold an unescaped slash.
    if "@" in (host if re.fullmatch(_PORT, host) else rest):
        before, _, rest = (host if "@" in host else rest).rpartition("@")
        user = before
        rest = url[len(scheme) + len(before) + 1 :]
    if scheme.lower() in _WEB:
        rest, _, fragment = rest.partition("#")
    if scheme.lower() in _WEB or "=" in rest.partition("?")[2]:
        rest, mark, behind = rest.partition("?")
        query = mark + behind
    return _UrlParts(scheme, user, rest, query, fragment)
