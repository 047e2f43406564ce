"""What a game teaches, as screens get it: in their language, and the same for every seat that asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardrules import registry
from boardrules.teaching import HelpChapter, HelpEntry, Lesson, LessonStep
from boardumpire.messages.languages import Catalogue, catalogue, in_context


def help_on(game: str, language: str) -> dict[str, Any]:
    """The help on the rules of a game: chapters of entries, each with the ids of its rules."""
    words, context = catalogue(language, game), registry.package(game).looks().context
    return {"chapters": [_chapter(chapter, words, context) for chapter in registry.package(game).help()]}


def _chapter(chapter: HelpChapter, words: Catalogue, context: str) -> dict[str, Any]:
    return {
        "title": words.gettext(chapter.title),
        "entries": [_entry(entry, words, context) for entry in chapter.entries],
    }


def _entry(entry: HelpEntry, words: Catalogue, context: str) -> dict[str, Any]:
    """Pieces are called as everywhere on the page."""
    said = in_context(words, context if entry.piece else "", entry.name)
    name = {"name": said} if entry.name else {}
    piece = {"piece": entry.piece} if entry.piece else {}
    return {"rules": entry.rules, "text": words.gettext(entry.text), **name, **piece}


def lesson_in(lesson: Lesson, language: str, game: str) -> dict[str, Any]:
    """What a lesson of a game asks for and says, and by which actions a step is done. What the others do
    stays here."""
    words = catalogue(language, game)
    return {
        "goal": words.gettext(lesson.goal),
        "end": words.gettext(lesson.end),
        "steps": [_step(step, words) for step in lesson.steps],
    }


def _step(step: LessonStep, words: Catalogue) -> dict[str, Any]:
    return {
        "ask": words.gettext(step.ask),
        "then": words.gettext(step.then),
        "does": step.does,
        "first": step.first,
        "spaces": dict(step.spaces),
        "times": step.times,
    }


def sentences(game: str) -> Iterator[tuple[str, str]]:
    """All that a game teaches, in English, each with its context if it has one: what catalogues translate."""
    package = registry.package(game)
    for chapter in package.help():
        yield chapter.title, ""
        for entry in chapter.entries:
            yield entry.text, ""
            if entry.name:
                yield entry.name, package.looks().context if entry.piece else ""
    for lesson in package.lessons().values():
        yield from ((text, "") for text in (lesson.goal, lesson.end))
        for step in lesson.steps:
            yield from ((text, "") for text in (step.ask, step.then))
