"""The exceptions of this package. Their words are those of the command line."""


class KlondikeError(Exception):
    """The base of all exceptions of this package."""


class ArgumentError(KlondikeError, ValueError):
    """An argument has a value that it cannot have; the message names the argument."""


class RulesError(KlondikeError, ValueError):
    """The parameters are not rules of a game."""


class DealError(KlondikeError, ValueError):
    """A text is no deal and no position, or does not fit the rules."""


class MoveError(KlondikeError, ValueError):
    """A move is illegal, or a text is no move."""


class CertificateError(KlondikeError, ValueError):
    """A certificate does not prove what it says."""


class LimitError(KlondikeError):
    """A limit was hit before there was an answer, where an answer cannot say so itself."""


class UnsupportedError(KlondikeError):
    """The question has no answer under these rules."""


# As they are imported, so tracebacks name them.
for _error in (KlondikeError, *KlondikeError.__subclasses__()):
    _error.__module__ = "klondike_solver"
