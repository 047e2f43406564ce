"""Another game over the same open readers: armies that stand already are learnt without touching a piece."""

import pytest

from boardumpire.tags.replayed_reads import make_replaying_port
from boardware.ports import HardwareTrouble, TagGone, TagId, TagSeen
from tags.games import BARRAGE, Told, with_readers

ARMY = "setup a3=9 b3=3 c1=2 c3=2 e1=F e3=B f2=10 h2=S"
THEIRS = "setup a6=9 b6=3 c6=2 c8=2 e6=F e8=B f7=10 h7=S"


@pytest.fixture
def told():
    one = Told(with_readers(), game=BARRAGE)
    yield one
    one.bench.close()


def test_both_armies_are_learnt_anew_from_where_they_stand(told):
    bench = told.bench
    ports = bench.table.ports
    read = make_replaying_port(ports.tags, bench.board)
    bench.runner.table = bench._open((ports._replace(tags=read),), bench.now)
    told.wait(1000)
    told.army("red", ARMY)
    told.army("blue", THEIRS)
    bench.say("red", "resign")
    told.wait(1000)
    read.request_replay()  # as the daemon does before it opens the next table
    bench.runner.table = bench._open((ports._replace(tags=read),), bench.now)
    told.wait(30_000)
    assert bench.table.view(None)["phase"] == "play"
    assert told.faults() == []


class Port:
    def __init__(self):
        self.coming = []

    def step(self, now):
        events, self.coming = self.coming, []
        return events

    def watch(self, readers):
        pass

    def due(self):
        return None

    def close(self):
        pass


def test_what_is_gone_or_was_only_shown_is_not_told_again_and_a_mute_reader_is(told):
    port, board = Port(), told.bench.board
    read = make_replaying_port(port, board)
    here, away = TagId(bytes(4)), TagId(bytes(7))
    port.coming = [
        TagSeen(1, "a1", here),
        TagSeen(2, "b1", away),
        TagGone(3, "b1", away),
        HardwareTrouble(4, "reader-mute", "c1", ""),
        HardwareTrouble(5, "reader-mute", "d1", ""),
        HardwareTrouble(6, "reader-back", "d1", ""),
    ]
    assert len(read.step(10)) == 6
    assert read.step(11) == []
    read.request_replay()
    assert read.step(12) == [HardwareTrouble(12, "reader-mute", "c1", ""), TagSeen(12, "a1", here)]
    assert read.step(13) == []
