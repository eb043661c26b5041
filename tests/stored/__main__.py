"""`python -m tests.stored`: write anew what the program says of the samples."""

from tests.stored.answers import ANSWERS, FOLDER

for name, answer in ANSWERS.items():
    (FOLDER / name).write_text(answer(), encoding="utf-8", newline="\n")
