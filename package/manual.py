"""The man page and the shell's completion, made from what the command itself says of its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from boardumpire.commands.command_parser import subcommands_of
from boardumpire.commands.parsers import parser_for

Commands = dict[str, argparse.ArgumentParser]


def commands() -> Commands:
    """Each command with its parser, but for simulator and laboratory; those of a command as `record list`."""
    found = _flat(subcommands_of(parser_for([])), "")
    return {name: parser for name, parser in found if name.partition(" ")[0] not in ("sim", "lab")}


def _flat(verbs: Any, before: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    helps = {each.dest: each.help or "" for each in verbs._choices_actions}
    for name, parser in verbs.choices.items():
        inner = subcommands_of(parser)
        if inner is not None:
            yield from _flat(inner, f"{before}{name} ")
        else:
            parser.description = parser.description or helps.get(name, "")
            yield before + name, parser


def options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """What may be given to a command, as it is typed, and what it means."""
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        meta = action.metavar or (
            "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
        )
        meta = meta if isinstance(meta, str) else " ".join(meta)
        said = (action.help or "") % {"default": action.default, "prog": parser.prog}
        if action.option_strings:
            yield ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {meta}"), said
        else:
            yield meta, said


def man(version: str, date: str) -> str:
    """The page in roff; `date` as 2026-11-25."""
    lines = [
        f'.TH BOARDUMPIRE 1 "{date}" "Boardumpire {version}" "User commands"',
        ".SH NAME",
        r"boardumpire \- the umpire for board games played with real pieces",
        ".SH SYNOPSIS",
        r".B boardumpire \fICOMMAND\fR [\fIOPTION\fR ...]",
        ".SH DESCRIPTION",
        _roff(
            "Senses the pieces on a real board, judges every move by the rules and answers with light. The"
            " board is served by the systemd unit boardumpire.service, which runs: boardumpire run."
        ),
        ".SH COMMANDS",
    ]
    for name, parser in commands().items():
        lines += [".TP", rf".B {_roff(name)}", _roff(_sentence(parser.description or ""))]
        for typed, said in options(parser):
            lines += [".RS", ".TP", rf"\fI{_roff(typed)}\fR", _roff(_sentence(said)), ".RE"]
    lines += [
        ".SH EXIT STATUS",
        _roff(
            "0: done. 1: what was asked about is damaged, lacking or not agreed. 2: a mistake in what was"
            " typed or configured; the line says where. 75: try again later, as where the disk is full."
        ),
        ".SH FILES",
        *(
            ".TP",
            r".I /usr/share/boardumpire/boardumpire.toml",
            "Every key of the configuration with its default.",
        ),
        *(".TP", r".I /etc/boardumpire/boardumpire.toml", "The configuration, as the set-up writes it."),
        *(".TP", r".I /etc/boardumpire/conf.d/*.toml", "Your own changes, which win."),
        *(".TP", r".I /var/lib/boardumpire", "The games, the key and the links; backups of them."),
        *(".TP", r".I /run/boardumpire/control.sock", "By which commands ask a board in service."),
        ".SH SEVERAL BOARDS",
        r"boardumpire@NAME.service runs a further board on the same machine. Its folders are"
        r" /etc/boardumpire-boards/NAME and /var/lib/boardumpire-boards/NAME. A first word names"
        r" it to commands: boardumpire @NAME status.",
        ".SH SEE ALSO",
        r".BR systemctl (1),",
        r".BR journalctl (1)",
    ]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "]")) else ".") if text else "See above."


def _roff(text: str) -> str:
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text


def completion() -> str:
    """For bash: commands, then options, then files."""
    known = commands()
    first: dict[str, list[str]] = {}
    for name in known:
        verb, _, inner = name.partition(" ")
        first.setdefault(verb, []).extend([inner] if inner else [])
    lines = [
        "# bash completion for boardumpire, made from the command itself",
        "_boardumpire() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words=",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        words='{' '.join(first)} --help --version'",
        "    else",
        '        case "$verb ${COMP_WORDS[2]}" in',
    ]
    for name, parser in sorted(known.items(), key=lambda each: -each[0].count(" ")):
        flags = [
            flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")
        ]
        pattern = f"'{name} '*|'{name}'" if " " in name else f"'{name} '*"
        lines.append(f"            {pattern}) words='{' '.join(flags)}' ;;")
    for verb, inner in first.items():
        if inner:
            lines.append(f"            '{verb} '*) words='{' '.join(inner)}' ;;")
    lines += [
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        '    if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi',
        "}",
        "complete -F _boardumpire boardumpire",
    ]
    return "\n".join(lines) + "\n"
