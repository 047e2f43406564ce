"""Feeds, links and limits: what is numbered, bound, counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web import limits
from boardumpire.web.feed import FRAMES_KEPT, Feed, to_padded_json
from boardumpire.web.limits import RateLimiter, TokenBucket
from boardumpire.web.page import TablePage
from boardumpire.web.screen_hub import ScreenHub, TooManyScreens
from boardumpire.web.seat_links import SeatLinks, SeatTaken
from boardumpire.web.table_pin import TablePin
from web.desks import Ear, ToyDesk

LINK = '{"token":"bbJXoIDScx8-KnRCqAP10KhV","device":null}'


def note(text: str, seat: str | None = None) -> SeatMessage:
    return SeatMessage(0, seat, "private" if seat else "note", {"text": text})


class TestFeed:
    def test_who_comes_back_gets_what_was_missed_and_nothing_twice(self) -> None:
        feed = Feed()
        frames = [feed.add("told", {"number": number}) for number in range(20)]
        for number in range(21):
            assert feed.frames_after(number) == frames[number:]

    def test_a_number_from_elsewhere_or_too_old_asks_for_a_snapshot(self) -> None:
        feed = Feed()
        for number in range(FRAMES_KEPT + 5):
            feed.add("told", {"number": number})
        assert feed.frames_after(4) is None
        assert feed.frames_after(5) is not None
        assert feed.frames_after(FRAMES_KEPT + 6) is None
        assert feed.frames_after(-1) is None

    def test_padding_hides_the_length(self) -> None:
        sizes = {len(to_padded_json({"n": 1, "rank": "x" * count}, 256)) for count in range(100)}
        assert sizes == {256}


class TestRoom:
    def test_a_screen_that_was_away_is_sent_the_rest(self) -> None:
        desk = ToyDesk()
        room = ScreenHub(desk)
        ear = Ear()
        room.enter("north", ear, None, 0)
        start = json.loads(ear.texts[0])
        room.leave("north", ear)
        room.send_messages([note("one"), note("two")])
        again = Ear()
        room.enter("north", again, start["epoch"], start["n"])
        frames = [json.loads(text) for text in again.texts]
        assert [frame["told"]["text"] for frame in frames[:-1]] == ["one", "two"]
        assert frames[-1]["kind"] == "here"

    @pytest.mark.parametrize("number", ["7", None, 3.5, True, 10**9, -3])
    def test_a_number_that_is_none_gets_a_snapshot(self, number: object) -> None:
        room = ScreenHub(ToyDesk())
        ear = Ear()
        room.enter(None, ear, room.epoch, number)
        assert json.loads(ear.texts[0])["kind"] == "snapshot"

    def test_what_is_told_to_one_seat_reaches_its_screens_alone(self) -> None:
        room = ScreenHub(ToyDesk())
        ears = {audience: [Ear(), Ear()] for audience in (None, "north", "south")}
        for audience, pair in ears.items():
            for ear in pair:
                room.enter(audience, ear, None, 0)
        room.send_messages([note("a secret", "north")])
        for audience, pair in ears.items():
            assert pair[0].texts == pair[1].texts
            assert any("a secret" in text for text in pair[0].texts) is (audience == "north")
        late = Ear()
        room.enter(None, late, None, 0)
        assert "a secret" not in "".join(late.texts)

    def test_every_audience_is_sent_its_view_whenever_any_may_have_changed(self) -> None:
        room = ScreenHub(ToyDesk())
        ears = {audience: Ear() for audience in (None, "north", "south")}
        for audience, ear in ears.items():
            room.enter(audience, ear, None, 0)
        room.send_messages([note("x", "north"), note("x", "south")])
        counts = {
            audience: sum('"kind":"view"' in text for text in ear.texts) for audience, ear in ears.items()
        }
        assert set(counts.values()) == {1}

    def test_what_nobody_has_looked_at_is_not_worked_out(self) -> None:
        """Who comes first is shown where the table stands, and all that follows."""
        desk = ToyDesk()
        views: list[str | None] = []
        view = desk.view
        desk.view = lambda seat: views.append(seat) or view(seat)  # type: ignore[method-assign,func-returns-value]
        room = ScreenHub(desk)
        room.send_messages([note("x", "north"), note("x", "south")])
        assert views == []
        first, back = Ear(), Ear()
        room.enter("north", first, None, 0)
        room.send_messages([note("y", "north"), note("y", "south")])
        assert views == ["north", "north"]
        snapshot, *frames = (json.loads(text) for text in first.texts)
        assert [told["text"] for told in snapshot["told"]] == ["x"]
        assert [frame["n"] for frame in frames] == [snapshot["n"] + 1, snapshot["n"] + 2]
        room.leave("north", first)
        room.send_messages([note("z", "north"), note("z", "south")])
        room.enter("north", back, room.epoch, frames[-1]["n"])
        assert [json.loads(text)["kind"] for text in back.texts] == ["told", "view", "here"]

    def test_a_seat_that_is_open_on_two_devices_is_told_so_alone(self) -> None:
        room = ScreenHub(ToyDesk())
        mine, table = Ear(), Ear()
        room.enter(None, table, None, 0)
        room.enter("north", mine, None, 0)
        heard = len(table.texts)
        second_window, stranger = Ear(), Ear("192.0.2.66")
        room.enter("north", second_window, None, 0)
        assert len(mine.texts) == 1, "another window of the same device is nothing to tell"
        room.enter("north", stranger, None, 0)
        assert json.loads(stranger.texts[0])["devices"] == 2
        assert json.loads(mine.texts[-1])["devices"] == 2
        room.leave("north", stranger)
        assert json.loads(mine.texts[-1])["devices"] == 1
        assert len(table.texts) == heard

    def test_there_is_room_for_so_many_and_no_more(self) -> None:
        room = ScreenHub(ToyDesk())
        for number in range(limits.SOCKETS_PER_ADDRESS):
            room.enter(None, Ear(), None, number)
        with pytest.raises(TooManyScreens, match="from this address"):
            room.enter(None, Ear(), None, 0)
        for number in range(limits.SOCKETS_MAX - limits.SOCKETS_PER_ADDRESS):
            room.enter(None, Ear(f"192.0.2.{2 + number % 200}"), None, 0)
        with pytest.raises(TooManyScreens, match="too many screens"):
            room.enter(None, Ear("192.0.2.250"), None, 0)

    def test_a_new_table_begins_the_numbers_anew(self) -> None:
        room = ScreenHub(ToyDesk())
        ear = Ear()
        room.enter(None, ear, None, 0)
        before = room.epoch
        room.begin_table()
        assert room.epoch != before
        assert json.loads(ear.texts[-1])["epoch"] == room.epoch

    def test_who_is_turned_out_is_gone_at_once(self) -> None:
        room = ScreenHub(ToyDesk())
        ear = Ear()
        room.enter("north", ear, None, 0)
        room.close_seat("north")
        assert ear.over is not None
        assert ear.over[0] == 4403
        assert not room.has_screen("north"), "though it may not read that, and hang up late"

    def test_a_seat_is_given_a_new_link_also_while_the_umpire_is_off(self) -> None:
        desk = Off()
        page = TablePage(desk, SeatLinks.open(None, desk.seats), pin=TablePin("493021"))
        desk.has_table = False
        before = page.seat_links.token("north")
        page.renew_link("north")
        assert page.seat_links.token("north") != before


class Off(ToyDesk):
    """A desk whose table can be gone."""

    def status(self) -> dict[str, Any]:
        if not self.has_table:
            raise BoardumpireError("the umpire is off")
        return super().status()


class TestLinks:
    def test_who_sits_stays_where_he_sat_after_a_restart(self, tmp_path: Path) -> None:
        path = tmp_path / "key" / "links.json"
        links = SeatLinks.open(path, ["red", "blue"])
        secret = links.bind_device("red")
        again = SeatLinks.open(path, ["red", "blue"])
        assert again.paths() == links.paths()
        assert again.is_seated("red", secret)
        assert not again.is_seated("blue", secret)
        with pytest.raises(SeatTaken):
            again.bind_device("red")

    def test_a_new_link_turns_the_old_device_out(self) -> None:
        links = SeatLinks.open(None, ["red"])
        old, secret = links.token("red"), links.bind_device("red")
        links.renew_link("red")
        assert links.seat_of_token(old) is None
        assert not links.is_seated("red", secret)
        assert links.bind_device("red") != secret

    def test_links_are_long_and_never_alike(self) -> None:
        tokens = {SeatLinks.open(None, ["red"]).token("red") for _ in range(50)}
        assert len(tokens) == 50
        assert min(map(len, tokens)) >= 24

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{}",
            '{"format":"cookbook","version":1,"links":{}}',
            '{"format":"boardumpire-links","version":2}',
            '{"format":"boardumpire-links","version":"1","links":{}}',
            '{"format":"boardumpire-links","version":1,"links":[]}',
            '{"format":"boardumpire-links","version":1,"links":{"red":null}}',
            '{"format":"boardumpire-links","version":1,"links":{"red":{"token":5,"device":null}}}',
            '{"format":"boardumpire-links","version":1,"links":{"red":{"token":"","device":null}}}',
            f'{{"format":"boardumpire-links","version":1,"links":{{"red":{LINK},"blue":{LINK}}}}}',
        ],
    )
    def test_a_broken_file_is_named(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "links.json"
        path.write_text(text)
        with pytest.raises(ConfigError, match=r"links\.json: .*remove it") as error:
            SeatLinks.open(path, ["red"])
        assert json.loads(LINK)["token"] not in str(error.value)


class TestBuckets:
    def test_a_bucket_gives_its_burst_and_then_its_rate(self) -> None:
        now = 0.0
        bucket = TokenBucket(2, 3, lambda: now)
        assert [bucket.take_token() for _ in range(5)] == [True, True, True, False, False]
        now = 0.5
        assert [bucket.take_token(), bucket.take_token()] == [True, False]

    def test_addresses_are_counted_apart_and_forgotten_in_turn(self) -> None:
        buckets = RateLimiter(0, 1, lambda: 0.0)
        assert [buckets.take_token("a"), buckets.take_token("a"), buckets.take_token("b")] == [
            True,
            False,
            True,
        ]
        for number in range(limits.ADDRESSES_MAX):
            buckets.take_token(str(number))
        assert buckets.take_token("a")
