"""Records that the tests of the library read."""

import io
import zipfile

CLEAN = b""" 1 point match

 Game 1
 Ann : 0                             Bob : 0
  1) 31: 8/5 6/5                      52: 13/8 24/22
  2) 64: 24/18 13/9                   41: 24/23 13/9
"""
WON = CLEAN + b"      Wins 1 point and the match\n"
ILLEGAL = CLEAN.replace(b"8/5 6/5", b"8/5 6/4")
"""Ann moves a 2 that she has not rolled."""

SLIPPED = CLEAN.replace(b"13/9                   41", b"13/9                   91")
"""Bob rolls a 9."""

NO_RECORD = b"Dear Ann,\nsee you on Monday.\n"


def zip_files(**files: bytes) -> bytes:
    """Return a zip archive of files; `a_mat` is named `a.mat`."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        for name, content in files.items():
            written.writestr(zipfile.ZipInfo(name.replace("_", ".")), content)  # without the time
    return archive.getvalue()
