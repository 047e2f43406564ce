"""The command `boardumpire`.

Whatever the person who typed can mend is one line on standard error and exit code 2, or 75 where it may pass
by itself.
"""

from __future__ import annotations

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
    try:
        code = _run_command(words)
        sys.stdout.flush()
        return code or 0
    except (BoardumpireError, BoardwareError) as error:
        print(escape_unprintable(f"boardumpire: {error}"), file=sys.stderr)
        return EXIT_TRY_AGAIN if is_temporary(error) else EXIT_BAD_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; the interpreter must not try to flush once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is None or words[:1] == ["run"]:
            raise  # the log needs the traceback, and systemd starts a board again that ends with another code
        print(
            escape_unprintable(f"boardumpire: {error.filename}: {error.strerror}; try another file"),
            file=sys.stderr,
        )
        return EXIT_TRY_AGAIN if is_temporary(error) else EXIT_BAD_INPUT


def _run_command(words: Sequence[str]) -> int | None:
    """Do what the words say; the exit code, if not 0."""
    from boardumpire.commands import parsers

    given = parsers.parser_for(words).parse_args(words)
    does: parsers.RunCommand = given.run
    return does(given)
