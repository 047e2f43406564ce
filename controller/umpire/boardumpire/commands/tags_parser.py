"""The words of `boardumpire tags`; what they do is imported when it is done."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from boardumpire.commands.command_parser import parse_file_path


def add_tags(commands: Any) -> None:
    """Add the command's parser."""
    verbs = commands.add_parser("tags", help="manage the tags in the pieces").add_subparsers(
        metavar="VERB", required=True
    )
    enrol = verbs.add_parser(
        "enrol", example="tags enrol red 10", help="learn which tag is in which piece, one after the other"
    )
    enrol.add_argument("piece", nargs="*", metavar="SEAT RANK", help="only this piece, such as red 10")
    enrol.add_argument("--again", action="store_true", help="forget the tags that these pieces had")
    enrol.set_defaults(run=_lazy_runner("enrol"))
    listing = verbs.add_parser(
        "list", example="tags list", help="count the known pieces of each kind; shows no ids"
    )
    listing.set_defaults(run=_lazy_runner("listing"))
    export = verbs.add_parser(
        "export",
        example="tags export tags.json",
        help="write the secret list of tags; people who read it know every rank",
    )
    export.add_argument(
        "file", metavar="FILE", type=parse_file_path, nargs="?", help="the file to write [standard output]"
    )
    export.set_defaults(run=_lazy_runner("export"))
    take = verbs.add_parser(
        "import", example="tags import tags.json", help="add the pieces of an exported list"
    )
    take.add_argument("file", metavar="FILE", type=parse_file_path, help="a list that export wrote")
    take.add_argument("--replace", action="store_true", help="forget all pieces that were known before")
    take.set_defaults(run=_lazy_runner("import_list"))
    for parser in (enrol, listing, export, take):
        parser.add_argument(
            "--config",
            metavar="FILE",
            type=parse_file_path,
            help="the configuration [/etc/boardumpire/boardumpire.toml]",
        )


def _lazy_runner(verb: str) -> Callable[[argparse.Namespace], None]:
    def run(given: argparse.Namespace) -> None:
        from boardumpire.commands import tags

        getattr(tags, verb)(given)

    return run
