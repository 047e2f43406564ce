"""A bank of MFRC522: the real firmware over simulated chips, register by register."""

import random

import pytest

from boardsim.readers.tags import RadioNoise, SimTag, crc
from boardware.ports import MS
from boardwire.mfrc522 import crc_a
from boardwire.rfid import REREAD_DELAY_US, SWEEP_INTERVAL_US
from tags.bench import DEMUX, SHIFT, Bench

MODELLED = {4: 10 * MS, 7: 12 * MS, 10: 14 * MS}
"""Within which a changed square is read by the size of a tag's id, without the head start of a debounce."""


def tag(number, size=7):
    dice = random.Random(number)
    return SimTag(b"\x04" + dice.randbytes(size - 1).replace(b"\x88", b"\x89"))


def settled(bank=SHIFT):
    bench = Bench(bank)
    bench.settle()
    return bench


def test_the_check_sum_of_both_ends_is_that_of_the_standard():
    # ISO/IEC 14443-3, annex B: CRC_A of 0000 is A01E, of 1234 is 26CF, told low byte first.
    for one in (crc, crc_a):
        assert one(b"\x00\x00") == b"\xa0\x1e"
        assert one(b"\x12\x34") == b"\x26\xcf"


@pytest.mark.parametrize("size", [4, 7, 10])
@pytest.mark.parametrize("bank", [SHIFT, DEMUX], ids=["shift", "demux"])
def test_a_tag_of_any_size_is_read_by_the_reader_under_it(size, bank):
    bench = settled(bank)
    one = tag(1, size)
    bench.over[13] = [one]
    bench.readers.changed(13, True)
    bench.until(bench.now + 50 * MS)
    assert bench.told() == [("tag", 13, one.uid)]


@pytest.mark.parametrize("size", [4, 7, 10])
def test_a_changed_square_is_read_within_the_modelled_time(size):
    bench = settled()
    for number in range(20):
        while not bench.readers._sweeping or bench.readers._work is None:
            bench.step()
        for _ in range(number % 7):  # in the middle of a read of another
            bench.step()
        bench.over[number] = [tag(number, size)]
        began = bench.now
        bench.readers.changed(number, True)
        while not any(event[1] == "tag" and event[2] == number for event in bench.events):
            bench.step()
        assert bench.now - began <= MODELLED[size]
    assert bench.longest <= 400, "a step keeps nobody from scanning for longer"


@pytest.mark.parametrize("sizes", [(4, 4), (7, 7), (4, 7), (7, 10)])
def test_two_tags_over_one_antenna_are_told_apart(sizes):
    for seed in range(40):
        bench = settled(DEMUX)
        both = [tag(2 * seed + place, size) for place, size in enumerate(sizes)]
        bench.over[5] = both
        bench.readers.changed(5, True)
        bench.until(bench.now + 100 * MS)
        assert sorted(bench.told()) == sorted(("tag", 5, each.uid) for each in both)


def test_three_tags_over_one_antenna_say_nothing_false():
    for seed in range(40):
        bench = settled(DEMUX)
        three = [tag(3 * seed + place) for place in range(3)]
        bench.over[5] = three
        bench.readers.changed(5, True)
        bench.until(bench.now + 1000 * MS)
        assert {event[2] for event in bench.told()} <= {each.uid for each in three}


def test_a_cloned_tag_answers_as_the_one_it_was_cloned_from():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one, SimTag(one.uid)]
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    assert bench.told() == [("tag", 3, one.uid)]


def test_three_misses_in_a_row_mean_removed():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one]
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    del bench.over[3]
    bench.events.clear()
    began = bench.now
    bench.readers.changed(3, False)
    missed = set()
    while not bench.told():
        missed.add(bench.readers._each[3].tags.told[one.uid])
        bench.step()
    assert bench.told() == [("gone", 3, one.uid)]
    assert missed == {0, 1, 2}
    assert bench.now - began <= 4 * REREAD_DELAY_US


def test_while_its_contact_stays_closed_a_tag_has_to_be_missed_nine_times():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one]
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    del bench.over[3]
    bench.events.clear()
    missed = set()
    while not bench.told():
        missed.add(bench.readers._each[3].tags.told[one.uid])
        bench.step()
    assert bench.told() == [("gone", 3, one.uid)]
    assert missed == set(range(9))


def test_an_answer_that_makes_no_sense_is_neither_a_tag_nor_a_removal():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one]
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    bench.chips[3].antenna_field.noise = RadioNoise(flip=1.0)
    bench.events.clear()
    bench.readers.changed(3, False)
    before = bench.readers.reads
    bench.until(bench.now + 5000 * MS)
    assert bench.readers.reads - before > 20
    assert bench.told() == []


def test_a_dead_reader_is_told_once_and_when_it_answers_again():
    bench = settled(DEMUX)
    bench.chips[7].dead = True
    bench.until(bench.now + 20 * SWEEP_INTERVAL_US)
    assert bench.told() == [("mute", 7)]
    bench.chips[7].dead = False
    bench.until(bench.now + 20 * SWEEP_INTERVAL_US)
    assert bench.told() == [("mute", 7), ("heard", 7)]


def test_while_nothing_changes_all_are_read_in_turn_and_slowly():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[9] = [one]  # it came unfelt
    before = bench.readers.reads
    bench.until(bench.now + 16 * SWEEP_INTERVAL_US)
    assert bench.told() == [("tag", 9, one.uid)]
    assert bench.readers.reads - before <= 17


def test_watched_readers_are_read_often():
    bench = settled()
    one = tag(1)
    bench.readers.watch([9, 40])
    bench.over[40] = [one]
    bench.until(bench.now + SWEEP_INTERVAL_US + 200 * MS)
    assert bench.told() == [("tag", 40, one.uid)]


def test_a_piece_that_was_lifted_and_set_back_is_told_again():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one]
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    bench.readers.changed(3, False)
    bench.until(bench.now + 20 * MS)
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    assert bench.told() == [("tag", 3, one.uid)] * 2


def test_a_slow_reader_is_waited_for():
    bench = settled(DEMUX)
    one = tag(1)
    bench.over[3] = [one]
    bench.chips[3].antenna_field.noise = RadioNoise(slow_us=1500)
    bench.readers.changed(3, True)
    bench.until(bench.now + 50 * MS)
    assert bench.told() == [("tag", 3, one.uid)]


def false_news(reads, noise, seed):
    """Read pieces that stand and pieces that go; what was told that isn't so, and how many reads it took."""
    bench = settled(DEMUX)
    dice = random.Random(seed)
    tags = {number: tag(100 + number) for number in range(16)}
    for chip in bench.chips:
        chip.antenna_field.noise = noise
    wrong, stands = [], {}
    start = bench.readers.reads
    while bench.readers.reads - start < reads:
        number = dice.randrange(16)
        if number in stands:
            del bench.over[number], stands[number]
        else:
            bench.over[number] = [tags[number]]
            stands[number] = tags[number].uid
        bench.events.clear()
        bench.readers.changed(number, number in stands)
        bench.until(bench.now + dice.choice([30, 300, 3000]) * MS)
        for _, name, reader, *what in bench.events:
            if name == "tag" and what != [stands.get(reader)]:
                wrong.append(("false piece", reader))
            if name == "gone" and reader in stands:
                wrong.append(("false removal", reader))
            if name in ("mute", "heard"):
                wrong.append((name, reader))
    return wrong, bench.readers.reads - start


@pytest.mark.parametrize(
    "noise",
    [RadioNoise(miss_rate=0.05), RadioNoise(miss_rate=0.05, flip=0.02), RadioNoise(miss_rate=0.3, flip=0.1)],
)
def test_noise_makes_no_false_removal_and_no_false_piece(noise):
    wrong, _ = false_news(1500, noise, 1)
    assert wrong == []


@pytest.mark.nightly
def test_ten_thousand_reads_with_misses(record_property):
    """10,000 reads with 5 % misses, and 2 % garbled answers: no false removal, no false piece."""
    record_property("seed", 7)
    wrong, reads = false_news(10_000, RadioNoise(miss_rate=0.05, flip=0.02), 7)
    record_property("reads", reads)
    record_property("false news", len(wrong))
    assert wrong == []
