"""Want of memory is noticed before a library that would look for it for ever is loaded."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are those of Linux")

LIMITED = """
import resource, sys
from bganalyze.app.jobs.memory import check_memory_before_imports
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
check_memory_before_imports()
import json
try:
    __import__(sys.argv[2])
except MemoryError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "megabytes", "said"),
    [
        *(("numpy", 80, "[Errno 12]"), ("numpy", 1000, "")),
        *(("pyarrow", 200, "[Errno 12]"), ("pyarrow", 1500, "")),
    ],
)
def test_large_packages_are_loaded_only_where_there_is_room(
    package: str, megabytes: int, said: str
) -> None:
    pytest.importorskip(package)
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(megabytes), package],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert (ended.stdout[:10], ended.stderr) == (said, "")
