"""Addresses: URLs as they may be shown, without what could be a credential.

A user, a password, a token or a signature in a URL opens what somebody else has closed. They are
in what is opened only: in messages, reports and data stands `***` in their place.
"""

from __future__ import annotations

import re
from typing import Self

from bganalyze.files.archives import MEMBER_MARK, split_locator

HIDDEN = "***"

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::)")
"""How a URL begins; a drive of Windows has one letter."""
_IN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::)[^\s'\"<>]+")
_PARTS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)?(?P<rest>.*)", re.DOTALL)
_WEB = ("http://", "https://")
_PORT = re.compile(r"[^:]*(?::\d*)?|\[[^]]*\](?::\d*)?")
_PARAMETER = re.compile(r"(?P<name>[^=&;]*)(?P<value>=[^&;]*)?")
_PATH_PARAMETER = re.compile(r"(;[^/=;]*=)[^/;]*")
_HARMLESS = re.compile(r"(?:id|page|year|month|day|number|version|match|game|file)=[0-9]{1,9}")
"""Parameters of a query whose value tells files apart and opens nothing."""


class Address(str):
    """A URL as it is shown, with what is opened: `full`, and `path` where it is another file there.

    >>> address = Address("s3://key:secret@bucket/club")
    >>> print(address, address.below("bucket/club/a.mat", "a.mat"))
    s3://***@bucket/club s3://***@bucket/club/a.mat
    """

    full: str
    path: str | None
    __slots__ = ("full", "path")

    def __new__(cls, full: str, path: str | None = None, text: str = "") -> Self:
        """Return the address of a URL; that of an address is the same."""
        if isinstance(full, cls):
            return full
        address = super().__new__(cls, text or shown(full))
        address.full, address.path = full, path
        return address

    def __reduce__(self) -> tuple[type[Address], tuple[str, str | None, str]]:
        return type(self), (self.full, self.path, str(self))

    @property
    def name(self) -> str:
        """The part that names the file: of `zip://a.mat::s3://club/b.zip` the first."""
        first = self.partition("::")[0]
        return first if "://" in first else str(self)

    @property
    def is_secret(self) -> bool:
        """Whether it may hold credentials."""
        return shown(self.full) != self.full

    def below(self, path: str, name: str) -> Address:
        """Return the address of a file of the same system, which is called so below this one."""
        joint = "" if self.name.endswith("/") else "/"
        return Address(self.full, path, f"{self.name}{joint}{name}{self[len(self.name) :]}")


def is_url(path: str) -> bool:
    """Whether a path is a URL.

    >>> is_url("https://club.example/a.mat"), is_url("club/a.mat"), is_url("C://a.mat")
    (True, False, False)
    """
    return _URL.match(path) is not None


def shown(url: str) -> str:
    """Return a URL without what may be a credential in it; a member of an archive may stand behind.

    >>> shown("https://ann:pw@club.example/a.mat?id=7&X-Amz-Signature=0a1b#t")
    'https://***@club.example/a.mat?id=7&X-Amz-Signature=***#***'
    """
    url, *member = split_locator(url) or (url,)
    return MEMBER_MARK.join(("::".join(map(_shown_part, url.split("::"))), *member))


def shown_in(text: str) -> str:
    """Return a text without what may be credentials in the URLs in it."""
    return _IN_TEXT.sub(lambda found: shown(found.group()), text)


def _shown_part(part: str) -> str:
    scheme, user, path, query, fragment = _split(part)
    if scheme.lower() in _WEB:
        path = _PATH_PARAMETER.sub(rf"\1{HIDDEN}", path)
    query = "?" + _PARAMETER.sub(_shown_parameter, query[1:]) if query else ""
    user = f"{HIDDEN}@" if user else ""
    return f"{scheme}{user}{path}{query}{'#' + HIDDEN if fragment else ''}"


def _shown_parameter(found: re.Match[str]) -> str:
    if not found.group() or _HARMLESS.fullmatch(found.group()):
        return found.group()
    return f"{found['name']}={HIDDEN}" if found["value"] is not None else HIDDEN


def _split(part: str) -> tuple[str, str, str, str, str]:
    """The scheme, who is named before `@`, the path with the host, the query and the fragment."""
    found = _PARTS.fullmatch(part)
    assert found is not None
    scheme, rest = found["scheme"] or "", found["rest"]
    host = rest.partition("/")[0]
    user, fragment, query = "", "", ""
    # A secret key may hold a slash, though it should not be written so.
    if "@" in (host if _PORT.fullmatch(host) else rest):
        before, _, rest = (host if "@" in host else rest).rpartition("@")
        user = before
        rest = part[len(scheme) + len(before) + 1 :]
    if scheme.lower() in _WEB:
        rest, _, fragment = rest.partition("#")
    if scheme.lower() in _WEB or "=" in rest.partition("?")[2]:
        rest, mark, behind = rest.partition("?")
        query = mark + behind
    return scheme, user, rest, query, fragment
