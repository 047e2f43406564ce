"""The command `boardumpire`.

Whatever the person who typed can mend is one line on standard error and exit code 2, or 75 where it may pass
by itself.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from boardumpire.errors import BoardumpireError, escape_unprintable, is_temporary
from boardware.errors import BoardwareError

EXIT_BAD_INPUT = 2
EXIT_TRY_AGAIN = 75
"""`EX_TEMPFAIL` of sysexits.h, for what may pass by itself, as a full disk does: systemd tries again."""
EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    _open_closed_streams()
    try:
        code = _run_command(words)
        sys.stdout.flush()
        return code or 0
    except (BoardumpireError, BoardwareError) as error:
        print(escape_unprintable(f"boardumpire: {error}"), file=sys.stderr)
        return EXIT_TRY_AGAIN if is_temporary(error) else EXIT_BAD_INPUT
    except ModuleNotFoundError as error:
        missing = f"the library {error.name or error} is missing; install Boardumpire again"
        print(escape_unprintable(f"boardumpire: {missing}"), file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # whoever read us has gone
        return 0
    except OSError as error:
        is_full = error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT)
        if words[:1] == ["run"] or (error.filename is None and not is_full):
            raise  # the log needs the traceback, and systemd starts a board again that ends with another code
        place = "can't write" if is_full else error.filename
        advice = "try it again with more room" if is_full else "try another file"
        print(escape_unprintable(f"boardumpire: {place}: {error.strerror}; {advice}"), file=sys.stderr)
        if is_full:
            _discard_output()
        return EXIT_TRY_AGAIN if is_temporary(error) else EXIT_BAD_INPUT


def _open_closed_streams() -> None:
    """Give what was started without standard input, output or errors some that are empty: else a file that it
    opens would get their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open until the program ends


def _discard_output() -> None:
    """Keep the interpreter from flushing once more what can't be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run_command(words: Sequence[str]) -> int | None:
    """Do what the words say; the exit code, if not 0."""
    from boardumpire.commands import parsers

    given = parsers.parser_for(words).parse_args(words)
    does: parsers.RunCommand = given.run
    return does(given)
