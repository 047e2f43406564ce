"""`make tab`: a folder with a page on which the whole umpire runs, within the browser.

Its index.html opens from the folder itself, without a server. Python and its libraries are in `files/`, as
scripts that hold them compressed and in base64: a page from a folder may load scripts, and fetches nothing.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OWN = (
    "firmware",
    "controller/rules",
    "controller/umpire",
    "hardware/drivers",
    "hardware/make",
    "sim/simulator",
)
"""The distributions of this checkout that it holds, as wheels."""
OTHERS = (
    "adafruit-circuitpython-busdevice",
    "adafruit-circuitpython-neopixel-spi",
    "adafruit-circuitpython-pixelbuf",
    "anyio",
    "colorzero",
    "gpiozero",
    "idna",
    "segno",
    "starlette",
    "typing-extensions",
)
"""Those of others, as they are installed here. All are Python alone."""
FROM_NPM = {
    "pyodide": (
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
        "pyodide-lock.json",
    ),
    "tweetnacl": ("nacl-fast.min.js",),
}
PAGE = (HERE / "tab.js", HERE / "tab.css", ROOT / "controller/umpire/boardumpire/web/static/icon.svg")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: two builds are equal."""


def main() -> None:
    """Build it; print where it is."""
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__)
    parser.add_argument(
        "--into", metavar="DIR", type=Path, default=ROOT / "build" / "tab", help="[%(default)s]"
    )
    print(build(parser.parse_args().into))


def build(into: Path) -> Path:
    """Make the folder anew; its page. Raises `CalledProcessError` where pip or node fails."""
    held = {
        "worker.js": (HERE / "worker.js").read_bytes(),
        "packages.zip": compiled(archive(dict(packages()))),
    }
    for package, names in FROM_NPM.items():
        held |= {name: (ROOT / "node_modules" / package / name).read_bytes() for name in names}
    shutil.rmtree(into, ignore_errors=True)
    (into / "files").mkdir(parents=True)
    for name, content in held.items():
        text = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
        (into / "files" / f"{name}.js").write_text(f'boardumpireFiles["{name}"] =\n  "{text}";\n')
    scripts = "\n".join(f'<script src="files/{name}.js"></script>' for name in held)
    page = (HERE / "index.html").read_text().replace("<!-- FILES -->", scripts)
    (into / "index.html").write_text(page)
    for path in PAGE:
        shutil.copyfile(path, into / path.name)
    (into / "LICENSES.txt").write_text("\n\n".join(licences()))
    return into / "index.html"


def licences() -> Iterator[str]:
    """The licence of each part, with its text where the part brings that."""
    yield "Boardumpire\n\n" + (ROOT / "LICENSE").read_text()
    for package in FROM_NPM:
        folder = ROOT / "node_modules" / package
        about = json.loads((folder / "package.json").read_text())
        texts = [path.read_text() for path in sorted(folder.glob("LICENSE*"))]
        source = about["repository"]["url"].removeprefix("git+")
        yield "\n\n".join((f"{package} {about['version']}: {about['license']}", f"source: {source}", *texts))
    for distribution in OTHERS:
        about = metadata.metadata(distribution)
        files = metadata.files(distribution) or ()
        texts = [file.read_text() for file in files if file.name.upper().startswith(("LICENSE", "COPYING"))]
        known = about.get("License-Expression") or about.get("License", "")
        yield "\n\n".join(
            (
                f"{distribution} {about['Version']}: {known.splitlines()[0] if known else 'see its text'}",
                *texts,
            )
        )


def archive(files: dict[str, bytes]) -> bytes:
    """A zip of these files by their paths, not compressed: that is done once, around it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as zipped:
        for name in sorted(files):
            zipped.writestr(zipfile.ZipInfo(name, EPOCH), files[name])
    return made.getvalue()


def compiled(packages: bytes) -> bytes:
    """The same archive with compiled files beside Python's sources. Raises `CalledProcessError`."""
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(packages)
        file.flush()
        subprocess.run(["node", HERE / "compile.js", file.name], check=True)
        return Path(file.name).read_bytes()


def packages() -> Iterator[tuple[str, bytes]]:
    """The path below `sys.path` and the content of each file of Python's that the tab needs."""
    for path in sorted((HERE / "python").rglob("*.py")):
        yield str(path.relative_to(HERE / "python")), path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        wheels = ("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder)
        own = [ROOT / name for name in OWN]
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        subprocess.run([*pip, *wheels, *own], check=True, stdout=sys.stderr)
        for wheel in sorted(Path(folder).glob("*.whl")):
            with zipfile.ZipFile(wheel) as zipped:
                for name in zipped.namelist():
                    if ".data/" not in name and not name.endswith("/"):
                        yield name, zipped.read(name)
    for distribution in OTHERS:
        for file in metadata.files(distribution) or ():
            # RECORD has hashes of scripts that name the folder of this environment.
            if file.suffix not in (".pyc", ".so") and ".." not in file.parts and file.name != "RECORD":
                yield str(file), file.locate().read_bytes()


if __name__ == "__main__":
    main()
