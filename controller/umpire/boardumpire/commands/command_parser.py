"""The parser of each command: options are never abbreviated, and `--help` ends with an example.

A command of another distribution gets these parsers, too: argparse makes a subparser of its parent's class.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from boardumpire.errors import escape_unprintable

Subparsers = Any
"""What argparse gives for `add_subparsers`; its type has no public name."""
AddCommand = Callable[[Subparsers], None]

_PLAIN_WORDS = (
    (re.compile(r"invalid int value: (.*)", re.DOTALL), r"\1: not a whole number; try one such as 3"),
    (re.compile(r"invalid float value: (.*)", re.DOTALL), r"\1: not a number; try one such as 2.5"),
    (re.compile(r"invalid choice: (.*) \(choose from (.*)\)", re.DOTALL), r"\1: not known; try one of \2"),
    (re.compile(r"the following arguments are required: (.*)"), r"\1: missing; try what the example has"),
    (re.compile(r"one of the arguments (.*) is required"), r"one of \1: missing; try what the example has"),
)
"""What argparse says of a value, in any version of Python, and what a person hears."""


def parse_file_path(text: str) -> Path:
    """The path that an option or argument names. Raises `ArgumentTypeError` where it can't name a file."""
    if not text:
        raise argparse.ArgumentTypeError("no path; try the name of a file")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{text!r}: not UTF-8; try another name") from None
    return Path(text)


class CommandParser(argparse.ArgumentParser):
    """A parser of `argparse` that takes options by their full names only."""

    def __init__(self, *, example: str = "", **settings: Any) -> None:
        """`example`: what is typed after `boardumpire` to use the command. A group has that of its first
        command."""
        super().__init__(**{"allow_abbrev": False, **settings})
        self.register("action", "parsers", _Subcommands)
        self._example = example

    @property
    def example(self) -> str:
        """What is typed after `boardumpire` to use the command."""
        verbs = subcommands_of(self)
        if self._example or verbs is None:
            return self._example
        first: CommandParser = next(iter(verbs.choices.values()))
        return first.example

    def format_help(self) -> str:
        """As argparse has it, with the example below."""
        return super().format_help() + (f"\nexample: boardumpire {self.example}\n" if self.example else "")

    def error(self, message: str) -> NoReturn:
        """One line that says what is wrong, and an example below. The whole usage is what `--help` shows."""
        verbs = subcommands_of(self)
        if verbs is not None and message.endswith(f": {verbs.metavar}"):
            message = f"no {verbs.metavar.lower()}; try one of {', '.join(verbs.choices)}"
        for found, told in _PLAIN_WORDS:
            message = found.sub(told, message)
        self.exit(2, f"{self.prog}: {escape_unprintable(message)}\nexample: boardumpire {self.example}\n")

    def refuse_unknown(self, words: Sequence[str]) -> NoReturn:
        """End as `error` does, with the option that is most like the first of these words."""
        import difflib  # only for who mistyped

        word = words[0].partition("=")[0]
        options = sorted(self._option_string_actions, key=len)
        alike = [each for each in options if word.startswith("--") and each.startswith(word)]
        alike = alike or difflib.get_close_matches(word, options, 1) or [f"{self.prog} --help"]
        self.error(f"{' '.join(words)}: not known; try {alike[0]}")


class _Subcommands(argparse._SubParsersAction):  # type: ignore[type-arg]  # Python 3.11 takes no argument
    """The commands below a parser: each describes itself by its line of help where it has no description."""

    def add_parser(self, name: str, *, help: str | None = None, **settings: Any) -> CommandParser:
        described = {} if help is None else {"description": f"{help[:1].upper()}{help[1:]}."}
        parser: CommandParser = super().add_parser(name, help=help, **{**described, **settings})
        return parser

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Parse what follows a command. What it doesn't know is its own error, not that of `parser`."""
        super().__call__(parser, namespace, values, option_string)
        unknown = getattr(namespace, argparse._UNRECOGNIZED_ARGS_ATTR, None)
        if unknown:
            command: CommandParser = self.choices[values[0]]
            command.refuse_unknown(unknown)


class TopParser(CommandParser):
    """The parser of `boardumpire` itself: its help has a heading for each kind of command."""

    def __init__(self, sections: Mapping[str, Sequence[str]], **settings: Any) -> None:
        """`sections`: by heading the commands that stand below it; what isn't named comes last."""
        super().__init__(**settings)
        self._sections = sections

    def format_help(self) -> str:
        """Every command in a line; of a group of commands one for each."""
        lines = {name: action for name, action in _help_lines(self) if action.help}
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, [], [])
        formatter.add_text(self.description)
        named = {name for names in self._sections.values() for name in names}
        others = {"others": [name for name in lines if name.partition(" ")[0] not in named]}
        for heading, names in {**self._sections, **others}.items():
            formatter.start_section(heading)
            formatter.add_arguments(
                [lines[name] for each in names for name in lines if _is_in_group(name, each)]
            )
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments(
            [each for each in self._actions if not isinstance(each, argparse._SubParsersAction)]
        )
        formatter.end_section()
        formatter.add_text("boardumpire COMMAND --help says what a command takes, with an example.")
        return f"{formatter.format_help()}\nexample: boardumpire {self.example}\n"


def _is_in_group(name: str, group: str) -> bool:
    return name == group or name.startswith(f"{group} ")


def _help_lines(parser: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.Action]]:
    """Each command with what its line of help is made of; a group that lists its own gives one for each."""
    verbs = subcommands_of(parser)
    for action in verbs._choices_actions if verbs is not None else ():
        inner = verbs.choices[action.dest]
        if not before and inner.get_default("listed"):
            yield from _help_lines(inner, f"{action.dest} ")
        else:
            line = argparse.Action([], f"{before}{action.dest}", metavar=f"{before}{action.dest}")
            line.help = action.help
            yield f"{before}{action.dest}", line


def subcommands_of(parser: argparse.ArgumentParser) -> Any:
    """The commands below a parser; `None` where it has none."""
    found = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return next(found, None)
