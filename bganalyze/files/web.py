"""The web for fsspec, read piece by piece and in linear time.

fsspec asks for the size of a file first and then for ranges, reads a folder to an end that may
never come, and finds links with a pattern that takes quadratic time. Here a file is one stream, the
list of a folder has a size limit, and nothing is unpacked in transfer: if a server compresses a
file all the same, `packed.py` unpacks it within its limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from fsspec.asyn import sync
from fsspec.implementations.http import HTTPFileSystem, HTTPStreamFile

from bganalyze.files.limits import MEMBER_LIMIT, UnreadableError
from bganalyze.files.packed import decompress_if_packed

LISTING_LIMIT = 16 * 2**20
"""Largest page that lists a folder, in bytes."""

_PLAIN = {"Accept-Encoding": "identity"}
_LINK = re.compile(r"""<a\s[^<>]*?\bhref=["']([^"'<>]*)""", re.IGNORECASE)
"""A link. The search within a tag ends where the next tag starts."""


class Web(HTTPFileSystem):  # type: ignore[misc]
    """Files and folders of web servers."""

    def _open(self, path: str, mode: str = "rb", **_: Any) -> HTTPStreamFile:
        """Open a file on a web server; the file can only be read from start to end."""
        session = sync(self.loop, self.set_session)
        file = HTTPStreamFile(self, path, mode, self.loop, session, **self._request_arguments())
        file.size = file.r.content_length
        return file

    async def _ls_real(self, url: str, detail: bool = True, **_: Any) -> list[Any]:
        """Return the files and folders that the web page of a folder links to.

        Each is described as fsspec does it or, without `detail`, by its URL.
        """
        links = await self._find_links(url)
        if not links and url.endswith("/"):
            links = await self._find_links(url.rstrip("/"))
        if len(links) > MEMBER_LIMIT:
            raise UnreadableError(f"{len(links)} files, more than the {MEMBER_LIMIT} allowed")
        return [_describe_entry(link) for link in links] if detail else sorted(links)

    async def _find_links(self, url: str) -> set[str]:
        """Return the URLs that the web page of a folder links to and that are below the folder."""
        session = await self.set_session()
        async with session.get(self.encode_url(url), **self._request_arguments()) as response:
            self._raise_not_found_for_status(response, url)
            if response.headers.get("Content-Type", _HTML).partition(";")[0].strip() != _HTML:
                return set()
            page = bytearray()
            while piece := await response.content.readany():
                page += piece
                if len(page) > LISTING_LIMIT:
                    raise UnreadableError(
                        f"the list of the folder exceeds {LISTING_LIMIT // 2**20} MiB"
                    )
        return set(
            find_links_below(url, decompress_if_packed(bytes(page)).decode("utf-8", "ignore"))
        )

    def _request_arguments(self) -> dict[str, Any]:
        """Return the arguments of each web request, which ask for uncompressed answers."""
        return {**self.kwargs, "headers": {**self.kwargs.get("headers", {}), **_PLAIN}}


_HTML = "text/html"


def find_links_below(url: str, page: str) -> Iterator[str]:
    """Yield the URLs that the web page of the folder `url` links to and that are below this folder.

    >>> list(find_links_below("https://h/club", '<a href="a.mat"><a href="../x">'))
    ['https://h/club/a.mat']
    """
    folder = url.rstrip("/") + "/"
    for link in _LINK.findall(page):
        try:
            address = urljoin(folder, link.partition("#")[0])
        except ValueError:
            continue
        scheme, colon, rest = address.partition(":")
        if scheme in ("http", "https") and rest.startswith(folder.partition(":")[2]):
            yield scheme + colon + rest


def _describe_entry(address: str) -> dict[str, Any]:
    """Return what fsspec says of a URL's file or, if it ends with a slash, of its folder.

    >>> _describe_entry("https://h/club/")
    {'name': 'https://h/club/', 'size': None, 'type': 'directory'}
    """
    kind = "directory" if address.endswith("/") else "file"
    return {"name": address, "size": None, "type": kind}
