"""JSON from elsewhere is read strictly, value by value, and a bad one hides none of the others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardrules import jsonfile
from boardrules.jsonfile import JsonError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**90), 10**90) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def told(text: str) -> list[tuple[int, Any]]:
    """The values of a text, errors as what they say."""
    return [
        (line, str(each) if isinstance(each, JsonError) else each)
        for line, each in jsonfile.parse_values(text)
    ]


@given(st.lists(JSON, max_size=4), st.sampled_from([None, 1]))
def test_what_was_written_is_read(values: list[Any], indent: int | None) -> None:
    assert [each for _, each in jsonfile.parse_values(json.dumps(values, indent=indent))] == values
    for value in values:
        assert jsonfile.parse_value(f" {json.dumps(value, indent=indent)}\n") == value


@given(st.text(alphabet='{}[]",:0a \n\\', max_size=40))
def test_any_text_gives_values_or_errors_with_a_line_of_it(text: str) -> None:
    for line, each in jsonfile.parse_values(text):
        assert 1 <= line <= text.count("\n") + 1
        assert not isinstance(each, JsonError) or each.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value, column 1; try one JSON value"),
        ("1 2", "'2' after the value; try without it"),
        ('{"a": {"b": 1, "b": 1}}', "the key 'b' twice in one object; try it once"),
        ("NaN", "NaN is no JSON; try a number"),
        ("-Infinity", "-Infinity is no JSON; try a number"),
        ("1e999", "the number 1e999; try a smaller one"),
        ("1" * 5000, "a number of 5000 signs; try at most 100"),
        ('["\\ud800"]', "half a pair of surrogates in '\\ud800'; try whole signs"),
        ("[" * 40 + "]" * 40, "nested too deeply; try at most 32 levels"),
        ("[" * 200_000, "nested too deeply; try at most 32 levels"),
    ],
)
def test_what_is_refused_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        jsonfile.parse_value(text)
    assert str(caught.value) == message
    assert caught.value.line == 1


def test_a_bad_value_hides_none_of_the_others() -> None:
    assert told('{"a": 1}\n{"a": 1, "a": 2}\n{"b"\n\n{"c": {\n  "d": 3}}\n{"e": 4') == [
        (1, {"a": 1}),
        (2, "the key 'a' twice in one object; try it once"),
        (3, "not JSON: Expecting ':' delimiter, line 5; try one JSON value"),
        (5, {"c": {"d": 3}}),
        (7, "not JSON: Expecting ',' delimiter, column 8; try one JSON value"),
    ]


def test_so_it_is_in_an_array() -> None:
    assert told('[\n  {"a": 1},\n  {"a": },\n  {\n    "b": {\n      "c": 2}},\n  {"d": 3} {"e": 4}\n]') == [
        (2, {"a": 1}),
        (3, "not JSON: Expecting value, column 9; try one JSON value"),
        (4, {"b": {"c": 2}}),
        (7, {"d": 3}),
        (7, """'{"e": 4}\\n]'; try , or ]"""),
    ]
    assert told("[1") == [(1, 1), (1, "the array ends too early; try ]")]
    assert told("[]\n[]") == [(2, "'[]' after the array; try without it")]


def test_a_value_is_shown_shortly() -> None:
    assert jsonfile.value_excerpt(["a", None, "\n"]) == '["a", null, "\\n"]'
    assert jsonfile.value_excerpt([1] * 21) == "a list of 21"
    assert jsonfile.value_excerpt({str(n): n for n in range(30)}) == "an object of 30"
    assert len(jsonfile.value_excerpt("x" * 1000)) == 60
