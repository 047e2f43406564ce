"""What is written about the wire is what the wire is."""

from pathlib import Path

from boardware.pico_protocol import protocol_page


def test_the_protocol_is_described_as_it_is_declared():
    page = Path(__file__).parents[2] / "docs" / "program" / "protocol.md"
    assert page.read_text() == protocol_page(), (
        "run: python -m boardware.pico_protocol > docs/program/protocol.md"
    )
