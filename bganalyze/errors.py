"""The base of all errors that the functions of the library raise about their input."""


class BganalyzeError(Exception):
    """The base of the errors of bganalyze; the message says in one line what is wrong and where.

    An argument of a wrong type raises TypeError, and an unknown word ValueError, as in Python itself.
    """
