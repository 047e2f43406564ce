"""The key stays with its owner; seals open at their own place only."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from boardumpire.errors import KeyFileError, SealError
from boardumpire.journal.sealing import BoardKey, load_key, load_or_make_key, new_key

TEXT = "setup a1=F"


def key_path(tmp_path: Path) -> Path:
    return tmp_path / "key" / "board.key"


def test_a_new_key_is_the_owners_alone_and_opens_what_it_sealed(tmp_path: Path) -> None:
    path = key_path(tmp_path)
    sealed = new_key(path).seal(TEXT, "here")
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(path.parent).st_mode & 0o777 == 0o700
    assert [found.name for found in path.parent.iterdir()] == ["board.key"]
    assert load_key(path).unseal(sealed, "here").text == TEXT
    assert load_or_make_key(path).unseal(sealed, "here").text == TEXT


def test_a_key_is_never_replaced(tmp_path: Path) -> None:
    path = key_path(tmp_path)
    load_or_make_key(path)
    content = path.read_bytes()
    with pytest.raises(KeyFileError, match="exists already"):
        new_key(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_key_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    path = key_path(tmp_path)
    new_key(path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=f"has mode {mode:04o}"):
        load_key(path)


def test_a_directory_in_which_others_could_replace_the_key_is_refused(tmp_path: Path) -> None:
    path = key_path(tmp_path)
    new_key(path)
    path.parent.chmod(0o770)
    with pytest.raises(KeyFileError, match="others could replace the key"):
        load_key(path)
    with pytest.raises(KeyFileError, match="others could replace the key"):
        new_key(path.with_name("other.key"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "not a key file"),
        ("boardumpire-key\n", "not a key file"),
        ("boardumpire-key 1\n", "64 hexadecimal digits"),
        ("boardumpire-key 1\n" + "ab" * 31 + "\n", "64 hexadecimal digits"),
        ("boardumpire-key 1\n" + "xy" * 32 + "\n", "64 hexadecimal digits"),
        ("boardumpire-key 1\n" + "ab" * 32 + " more\n", "64 hexadecimal digits"),
        ("boardumpire-key 2\n" + "ab" * 32 + "\n", "version 2 is newer"),
        ("ff\xfe" * 20, "not a key file"),
    ],
)
def test_a_malformed_key_is_refused_without_being_quoted(tmp_path: Path, content: str, expected: str) -> None:
    path = key_path(tmp_path)
    path.parent.mkdir(mode=0o700)
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match=expected) as caught:
        load_key(path)
    assert str(caught.value).startswith(str(path))
    assert "abab" not in str(caught.value)


def test_a_missing_key_or_one_behind_a_link_is_named(tmp_path: Path) -> None:
    path = key_path(tmp_path)
    new_key(path)
    link = path.with_name("link.key")
    link.symlink_to(path)
    for wrong, words in (
        (link, "can't read"),
        (path.parent / "none", "no such key"),
        (tmp_path / "x" / "y", "no such"),
    ):
        with pytest.raises(KeyFileError, match=words):
            load_key(wrong)
    (path.parent / "directory").mkdir(mode=0o700)
    with pytest.raises(KeyFileError, match="directory"):
        load_key(path.parent / "directory")


def test_a_seal_opens_at_its_own_place_with_its_own_commitment_only() -> None:
    key = BoardKey.random()
    sealed = key.seal(TEXT, "here")
    assert key.unseal(sealed, "here").text == TEXT
    with pytest.raises(SealError, match="another place"):
        key.unseal(sealed, "there")
    with pytest.raises(SealError, match="committed"):
        key.unseal(sealed._replace(commitment="0" * 64), "here")
    with pytest.raises(SealError, match="does not open"):
        BoardKey.random().unseal(sealed, "here")
    for position in range(0, len(sealed.ciphertext), 17):
        changed = bytearray(sealed.ciphertext)
        changed[position] ^= 1
        with pytest.raises(SealError, match="does not open"):
            key.unseal(sealed._replace(ciphertext=bytes(changed)), "here")


def test_equal_texts_are_sealed_and_committed_to_differently() -> None:
    key = BoardKey.random()
    one, other = key.seal(TEXT, "here"), key.seal(TEXT, "here")
    assert one.ciphertext != other.ciphertext
    assert one.commitment != other.commitment


def test_neither_a_key_nor_what_it_opened_shows_itself() -> None:
    key = BoardKey(b"k" * 32)
    assert "k" * 8 not in repr(key)
    opened = key.unseal(key.seal(TEXT, "here"), "here")
    assert "a1" not in repr(opened)
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(KeyFileError, match="31 bytes"):
        BoardKey(b"k" * 31)
