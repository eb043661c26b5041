"""`python -m tests.stored`: write anew what the program says of the samples."""

import sys

from tests.stored.answers import ANSWERS, FOLDER
from tests.stored.codes import PromiseError

for name, answer in ANSWERS.items():
    try:
        text = answer()
    except PromiseError as error:
        sys.exit(str(error))
    (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
