"""The lines of keys, against what TOML itself says there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardware.tomlfile import key_lines


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("a = 1\nb = 2", [(("a",), 1), (("b",), 2)]),
        (
            "[t]\n\n  a = 1 # [no]\n[ u . v ]\nb = 2",
            [(("t",), 1), (("t", "a"), 3), (("u", "v"), 4), (("u", "v", "b"), 5)],
        ),
        ('a = """\nb = 1\n"""\nc = 1', [(("a",), 1), (("c",), 4)]),
        ("a = '''\nb = 1 \\'''\nc = 1", [(("a",), 1), (("c",), 3)]),
        ("a = [\n 1, # ]\n '[',\n]\nb = 1", [(("a",), 1), (("b",), 5)]),
        ('a = { b = 1, c = [ "}" ] }\nd.e = 1', [(("a",), 1), (("d", "e"), 2)]),
        ('"a b".\'c.d\' = "x\\"#"\r\ne = 1\r\n', [(("a b", "c.d"), 1), (("e",), 2)]),
        ("[[t]]\na = 1\n[[t]]\na = 2", [(("t",), 1), (("t", "a"), 2), (("t",), 3), (("t", "a"), 4)]),
        ("# only\n\n", []),
        ('a = "never closed\nb = 1', [(("a",), 1), (("b",), 2)]),
    ],
)
def test_each_key_is_told_with_its_line(text: str, keys: list[tuple[tuple[str, ...], int]]) -> None:
    assert list(key_lines(text)) == keys


@given(st.text(alphabet="ab=[]{}\"'\\\n#,. \r", max_size=80))
def test_any_text_gives_lines_that_exist_and_ends(text: str) -> None:
    lines = [line for _, line in key_lines(text)]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
