"""What stands in PyNaCl's place in a tab makes the same secret boxes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from nacl.secret import SecretBox

ROOT = Path(__file__).resolve().parents[2]
KEY = bytes(range(32))
NONCE = bytes(range(100, 124))
SEALED = b"setup a1=F b1=B " * 4

PROGRAM = """
import nacl from "tweetnacl";
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const [key, nonce, plain, box] = JSON.parse(process.argv[1]).map(bytes);
const hex = (found) => found && Buffer.from(found).toString("hex");
const spoilt = box.map((byte, at) => (at ? byte : byte ^ 1));
const opened = [box, spoilt].map((each) => hex(nacl.secretbox.open(each, nonce, key)));
console.log(JSON.stringify([hex(nacl.secretbox(plain, nonce, key)), ...opened]));
"""


def test_boxes_of_a_tab_open_on_a_board_and_those_of_a_board_in_a_tab() -> None:
    if shutil.which("node") is None or not (ROOT / "node_modules" / "tweetnacl").exists():
        pytest.skip("there is no node here, or `make scripts` has not installed what it needs")
    box = bytes(SecretBox(KEY).encrypt(SEALED, NONCE))[len(NONCE) :]
    given = json.dumps([each.hex() for each in (KEY, NONCE, SEALED, box)])
    program = ["node", "--input-type=module", "--eval", PROGRAM, given]
    made, opened, spoilt = json.loads(subprocess.check_output(program, cwd=ROOT))
    assert SecretBox(KEY).decrypt(NONCE + bytes.fromhex(made)) == SEALED
    assert bytes.fromhex(opened) == SEALED
    assert spoilt is None, "a changed box does not open"
