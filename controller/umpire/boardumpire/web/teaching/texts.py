"""What a game teaches, as screens get it: in their language, and the same for every seat that asks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from boardrules import registry
from boardrules.teaching import HelpChapter, HelpEntry, Lesson, LessonStep
from boardumpire.messages import announce
from boardumpire.messages.languages import Catalogue, catalogue, catalogues_by_game, translate_in_context
from boardumpire.web.game_files import FACE, game_file_path, game_files
from boardumpire.web.option_fields import offered_option_fields, rule_set_label
from boardumpire.web.page_language import _


def help_chapters(
    game: str, options: Mapping[str, Any], language: str, *, has_machines: bool = False
) -> dict[str, Any]:
    """The help on the rules of a game with these options: its goal in a sentence, then chapters of entries,
    each with the ids of its rules and what it explains; at last what was agreed on."""
    words, package = catalogue(language, game), registry.package(game)
    told = [
        _chapter_as_json(chapter, options, words, package.piece_appearance().context)
        for chapter in package.help()
    ]
    agreed = {
        "title": words.gettext(_("Agreed for this game")),
        "entries": [_agreed_entry(field) for field in _agreed_fields(game, options, language, has_machines)]
        if options
        else [],
    }
    agreed["entries"] = [*_army_entries(game, words), *agreed["entries"]]
    about = package.about()
    goal = announce.to_sentence(about, catalogues_by_game(language)) if about else ""
    face = game_file_path(game, FACE)
    return {
        "goal": goal,
        "face": f"/{face}" if face in game_files(game) else "",
        "chapters": [chapter for chapter in (*told, agreed) if chapter["entries"]],
    }


def _agreed_fields(
    game: str, options: Mapping[str, Any], language: str, has_machines: bool
) -> Iterator[Mapping[str, Any]]:
    """The set of rules, then each option."""
    if called := rule_set_label(game, options, language, has_machines=has_machines):
        yield {"label": catalogue(language).gettext(_("Rules")), "value": "", "values": [["", called]]}
    yield from offered_option_fields({game: options}, language)[game]


def _army_entries(game: str, words: Catalogue) -> list[dict[str, Any]]:
    """How many pieces of each kind an army has, where every side has the same one."""
    package = registry.package(game)
    appearance = package.piece_appearance()
    armies = list(package.armies().values())
    if not armies or any(army != armies[0] for army in armies):
        return []
    counts = ", ".join(
        f"{count} × {translate_in_context(words, appearance.context, appearance.names[kind])}"
        for kind, count in armies[0].items()
    )
    return [{"rules": (), "name": words.gettext(_("Each army")), "text": counts}]


def _agreed_entry(field: Mapping[str, Any]) -> dict[str, Any]:
    """An option of the game with the value that is in force."""
    called = {json.dumps(value): text for value, text in field.get("values", ())}
    value = json.dumps(field["value"])
    return {"rules": (), "name": field["label"], "text": called.get(value, value)}


def _chapter_as_json(
    chapter: HelpChapter, options: Mapping[str, Any], words: Catalogue, context: str
) -> dict[str, Any]:
    entries = [
        _entry_as_json(entry, options, words, context)
        for entry in chapter.entries
        if entry.applies_to(options)
    ]
    return {"title": words.gettext(chapter.title), "entries": entries}


def _entry_as_json(
    entry: HelpEntry, options: Mapping[str, Any], words: Catalogue, context: str
) -> dict[str, Any]:
    """Pieces are called as everywhere on the page."""
    said = translate_in_context(words, context if entry.piece else "", entry.name)
    name = {"name": said} if entry.name else {}
    piece = {"piece": entry.piece} if entry.piece else {}
    explains = (*(entry.piece or ())[1:], *entry.explains)
    number = next((options.get(each, "") for each in (*entry.required_options, *entry.excluded_options)), "")
    text = words.gettext(entry.text).replace("{n}", str(number))
    return {
        "rules": entry.rules,
        "text": text,
        **name,
        **piece,
        **({"explains": explains} if explains else {}),
    }


def lesson_texts(lesson: Lesson, language: str, game: str) -> dict[str, Any]:
    """What a lesson of a game asks for and says, and by which actions a step is done. What the others do
    stays here."""
    words = catalogue(language, game)
    return {
        "goal": words.gettext(lesson.goal),
        "end": words.gettext(lesson.end),
        "steps": [_step_as_json(step, words) for step in lesson.steps],
    }


def _step_as_json(step: LessonStep, words: Catalogue) -> dict[str, Any]:
    return {
        "ask": words.gettext(step.ask),
        "then": words.gettext(step.then),
        "does": step.does,
        "first": step.first,
        "spaces": dict(step.spaces),
        "times": step.times,
    }


def taught_sentences(game: str) -> Iterator[tuple[str, str]]:
    """All that a game teaches, in English, each with its context if it has one: what catalogues translate."""
    package = registry.package(game)
    for chapter in package.help():
        yield chapter.title, ""
        for entry in chapter.entries:
            yield entry.text, ""
            if entry.name:
                yield entry.name, package.piece_appearance().context if entry.piece else ""
    for lesson in package.lessons().values():
        yield from ((text, "") for text in (lesson.goal, lesson.end))
        for step in lesson.steps:
            yield from ((text, "") for text in (step.ask, step.then))
