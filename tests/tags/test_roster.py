"""The list of which tag is in which piece: doubled and foreign tags refused, secrets kept."""

import os
import stat

import pytest

from boardumpire.errors import TagError
from boardumpire.tags import tag_roster
from boardumpire.tags.tag_roster import TagRoster
from boardware.ports import TagId

ARMIES = tag_roster.hand_set_armies(["stratego-quick-duel", "stratego-quick-barrage"])
UID = bytes.fromhex("04a1b2c3d4e5f6")
OTHER = bytes.fromhex("04000000000001")


def test_only_armies_that_are_set_up_have_pieces_to_enrol():
    """Where nobody sets up, or cards are dealt first, there is nothing to put a tag in."""
    games = ["fall-of-the-fuhrer", "escape-from-colditz", "stratego-quick-barrage"]
    assert set(tag_roster.hand_set_armies(games)) == {"stratego-quick-barrage"}
    with pytest.raises(TagError, match="no such piece in the games of this board"):
        TagRoster().with_piece(TagId(UID), ("red", "9"), tag_roster.hand_set_armies(games[:2]))


def roster():
    return (
        TagRoster()
        .with_piece(TagId(UID), ("red", "10"), ARMIES)
        .with_piece(TagId(OTHER), ("blue", "F"), ARMIES)
    )


def test_a_list_comes_back_from_its_text():
    assert tag_roster.parse(roster().to_text(), ARMIES, "x").to_text() == roster().to_text()
    assert tag_roster.parse(roster().to_text(), ARMIES, "x").piece(TagId(UID)) == ("red", "10")


@pytest.mark.parametrize(
    ("uid", "piece", "said"),
    [
        (UID, ("red", "9"), "red 9: this tag is in another piece already; use one of its own"),
        (b"\x04" * 7, ("red", "10"), "red 10: 1 of them are enrolled already, and no game has more"),
        (b"\x04" * 7, ("red", "8"), "red 8: no such piece in stratego-quick-duel, stratego-quick-barrage"),
        (b"\x04" * 7, ("green", "9"), "green 9: no such piece in"),
        (b"\x04" * 5, ("red", "9"), "a tag with an id of 5 bytes; use one with 4, 7 or 10"),
        (b"\x08abc", ("red", "9"), "a tag that makes up its id anew each time"),
    ],
)
def test_doubled_and_foreign_tags_are_refused(uid, piece, said):
    with pytest.raises(TagError) as caught:
        roster().with_piece(TagId(uid), piece, ARMIES)
    assert str(caught.value).startswith(said)
    assert uid.hex() not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f:1: nothing; try `boardumpire-tags 1` first"),
        ("boardumpire-key 1\n", "f:1: no list of tags"),
        ("boardumpire-tags 2\n", "f:1: boardumpire-tags version 2 is newer than this program, which reads 1"),
        ("boardumpire-tags 1\n04a1b2c3d4e5f6 red\n", "f:2: 2 words; try an id, a seat and a rank"),
        ("boardumpire-tags 1\n\n# x\nxyz red 10\n", "f:4: an id that is not in hexadecimal digits"),
        (
            "boardumpire-tags 1\n04a1b2c3d4e5f6 red 10\n04a1b2c3d4e5f6 red 9\n",
            "f:3: red 9: this tag is in another piece already",
        ),
        ("boardumpire-tags 0\n", "f:1: no list of tags; try `boardumpire-tags 1` first"),
        ("boardumpire-tags 00\n", "f:1: no list of tags"),
        ("boardumpire-tags \u0661\n", "f:1: no list of tags"),
        ("boardumpire-tags " + "9" * 5000, "f:1: no list of tags"),
        ("boardumpire-tags 1\n04000000000001 04a1b2c3d4e5f6 red\n", "f:2: ? red: no such piece in"),
        ("boardumpire-tags 1\nred 10 04a1b2c3d4e5f6\n", "f:2: an id that is not in hexadecimal digits"),
        ("boardumpire-tags 1\n04a1b2c3d4e5f6 red 10\0\n", "f:2: red ?: no such piece in"),
        ("boardumpire-tags 1\n04a1b2c3d4e5f6 red \x1b[31mX\x07\n", "f:2: red ?: no such piece in"),
        ("boardumpire-tags 1\n04a1b2c3d4e5f6 red 9\v04000000000001 red 3\n", "f:2: 6 words; try"),
    ],
)
def test_a_wrong_list_is_refused_with_its_line(text, said):
    with pytest.raises(TagError) as caught:
        tag_roster.parse(text, ARMIES, "f")
    assert str(caught.value).startswith(said)
    assert "a1b2c3" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_list_that_is_added_to_another_is_held_to_it_line_by_line():
    text = "boardumpire-tags 1\n04000000000002 red 9\n04a1b2c3d4e5f6 red 3\n"
    with pytest.raises(TagError, match=r"^f:3: red 3: this tag is in another piece already"):
        tag_roster.parse(text, ARMIES, "f", roster())
    text = "boardumpire-tags 1\n04000000000002 red 9\n04000000000003 red 10\n"
    with pytest.raises(TagError, match=r"^f:3: red 10: 1 of them are enrolled already"):
        tag_roster.parse(text, ARMIES, "f", roster())
    assert len(tag_roster.parse("boardumpire-tags 1\n04000000000002 red 9\n", ARMIES, "f", roster())) == 3


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_no_matter():
    data = b"\xef\xbb\xbf" + roster().to_text().replace("\n", "\r\n").encode()
    assert tag_roster.parse(tag_roster.decode_list(data, "f"), ARMIES, "f").to_text() == roster().to_text()


def test_the_file_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "key" / "tags"
    tag_roster.save(path, roster())
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(path.parent).st_mode) == 0o700
    assert tag_roster.load(path, ARMIES).to_text() == roster().to_text()
    for mode in (0o640, 0o620, 0o610, 0o604, 0o602, 0o601):
        path.chmod(mode)
        with pytest.raises(TagError, match=f"has mode {mode:04o}"):
            tag_roster.load(path, ARMIES)


def test_no_list_is_an_empty_one_and_a_failed_write_leaves_the_old(tmp_path):
    path = tmp_path / "tags"
    assert len(tag_roster.load(path, ARMIES)) == 0
    tag_roster.save(path, roster())
    with pytest.raises(TagError, match="can't be written"):
        tag_roster.save(path / "below", TagRoster())
    assert len(tag_roster.load(path, ARMIES)) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["tags"]


def test_neither_a_list_nor_a_tag_shows_itself():
    assert repr(roster()) == "<Roster of 2>"
    assert f"{TagId(UID)!r} {TagId(UID)} {[TagId(UID)]}" == "<Tag> <Tag> [<Tag>]"


def test_the_army_of_a_game_is_known_from_its_rules():
    assert sum(ARMIES["stratego-quick-barrage"].values()) == 16
    assert ARMIES["stratego-quick-duel"]["blue", "B"] == 2


def test_a_list_that_is_no_file_is_refused_and_nobody_waits_for_it(tmp_path):
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir(mode=0o700)
    os.mkfifo(pipe, 0o600)
    for path in (folder, pipe):
        with pytest.raises(TagError, match="not a file; try a list of tags"):
            tag_roster.load(path, ARMIES)
