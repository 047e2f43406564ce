"""`boardumpire backup` and `restore`: the games, the key and the links of a board, as one file.

A backup is made while the board is in service: SQLite copies what is durable at one moment. It is read anew
and held against its own chain of hashes before it counts; so is a restored one before it takes any place.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from boardumpire.errors import BoardumpireError, JournalError
from boardumpire.journal import chain_table, mirror, schema, store_file, verification
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import sync_directory
from boardumpire.privileges import act_as_owner, act_as_user, open_folder, path_of_open_folder
from boardumpire.service.config import Config

FORMAT = "boardumpire-backup"
VERSION = 1
MANIFEST_NAME, JOURNAL_NAME = "backup.json", "journal.sqlite"
_BACKUP_NAME_PATTERN = re.compile(r"boardumpire-(\d{8}T\d{6})(?:-(\d+))?\.tar")
_SET_ASIDE_INFIX = "-before-"
SPACE_MARGIN_BYTES = 1 << 16
"""Bytes of what is in a backup beside the journal."""
BACKUP_MAX_BYTES = 1 << 32
"""Bytes of a file in a backup: 4 GiB, more than any journal has."""


def secret_files(config: Config) -> dict[str, Path]:
    """What lies beside the journal and is not for others, by its name in a backup."""
    return {
        "board.key": config.journal.key,
        "tags": config.pieces.tags,
        "links.json": config.page.links,
        "pin": config.page.links.with_name("pin"),
    }


def backup(config: Config, folder: Path, state: Path, *, with_key: bool = True) -> Path:
    """Make a backup in `folder`; where it is. Raises `BoardumpireError`. `state` is the state directory: root
    reads as whose it is, so that no link and no configuration of that user's leads root to what is root's."""
    journal = config.journal.path
    with act_as_user(*_owner(state)):
        Store.open_read_only(journal).close()  # raises for what is no journal
        with _os_errors_with_path(config.journal.key.parent):
            secret = {
                name: path.read_bytes() for name, path in secret_files(config).items() if path.is_file()
            }
        source = _open_journal_read_only(journal)
    with contextlib.closing(source), _open_backup_folder(folder) as there:
        _check_space(there, journal, folder)
        with tempfile.TemporaryDirectory(dir=there, prefix=".making-") as draft:
            copy = Path(draft) / JOURNAL_NAME
            _copy_journal(source, journal, copy)
            _verify_journal_copy(copy, journal)
            archive = Path(draft) / "backup.tar"
            _pack(archive, {JOURNAL_NAME: copy.read_bytes(), **(secret if with_key else {})})
            made = _next_backup_path(there)
            os.rename(archive, made)
            sync_directory(there)
    return folder / made.name


@contextlib.contextmanager
def _open_backup_folder(folder: Path) -> Iterator[Path]:
    """The folder of backups, made if it is missing, by a path that nobody can lead elsewhere meanwhile. Root
    acts as whose it is, and follows nobody else's links. Raises `BoardumpireError`."""
    with _os_errors_with_path(folder, "; try another folder"), contextlib.ExitStack() as opened:
        parent = next(each for each in (folder, *folder.absolute().parents) if os.path.lexists(each))
        held = open_folder(parent)
        opened.callback(os.close, held)
        opened.enter_context(act_as_owner(held))
        if folder != parent:
            made = path_of_open_folder(held) / folder.absolute().relative_to(parent.absolute())
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = open_folder(folder)
            opened.callback(os.close, held)
        yield path_of_open_folder(held)


def delete_outdated(folder: Path, keep: int) -> list[Path]:
    """Delete the backups of a folder but for the `keep` newest; which those were. Raises as `backup`."""
    with _open_backup_folder(folder) as there:
        outdated = outdated_backups(there, keep)
        for old in outdated:
            old.unlink()
    return [folder / old.name for old in outdated]


def _check_space(folder: Path, journal: Path, named: Path) -> None:
    """Raise `JournalError` where a copy and the archive of it find no room: SQLite would name the journal."""
    files = [path for path in (journal, store_file.write_ahead_log_path(journal)) if path.exists()]
    wanted = 2 * sum(path.stat().st_size for path in files) + SPACE_MARGIN_BYTES
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise JournalError(
            f"no room for a backup: {free // 1000} kB are free, it needs {wanted // 1000} kB",
            named,
            condition="room",
        )


def outdated_backups(folder: Path, keep: int) -> list[Path]:
    """The backups of a folder but for the `keep` newest, oldest first. Other files are none."""
    return _backups_by_age(folder)[:-keep]


def _backups_by_age(folder: Path) -> list[Path]:
    return sorted(
        (path for path in folder.iterdir() if _BACKUP_NAME_PATTERN.fullmatch(path.name)), key=_backup_sort_key
    )


def _backup_sort_key(backup: Path) -> tuple[str, int]:
    found = _BACKUP_NAME_PATTERN.fullmatch(backup.name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def restore(config: Config, file: Path, state: Path, *, replace: bool = False) -> list[str]:
    """Bring back what a backup holds; what was done, in lines. Raises `BoardumpireError`, and then nothing is
    changed. `state` is the state directory: root becomes whose it is before anything is written."""
    journal = config.journal.path
    targets = {JOURNAL_NAME: journal, **secret_files(config)}
    with (
        _os_errors_with_path(file, "; try a file that `boardumpire backup` made"),
        _unpack_backup(file) as held,
    ):
        _verify_journal_copy(held[JOURNAL_NAME], file)
        with _os_errors_with_path(state):
            state.mkdir(mode=0o750, parents=True, exist_ok=True)
        owner = _owner(state)
        if os.geteuid() == 0 and owner[0] != 0:
            # That user has to read and lock it, and could have laid a link where root would write.
            for path in (*held[JOURNAL_NAME].parent.iterdir(), held[JOURNAL_NAME].parent):
                os.chown(path, *owner)
        with act_as_user(*owner):
            return _restore_files(held, targets, replace)


def _restore_files(held: Mapping[str, Path], targets: Mapping[str, Path], replace: bool) -> list[str]:
    """Put everything in its place while nobody else has the journal. Raises `BoardumpireError`."""
    journal = targets[JOURNAL_NAME]
    lock = store_file.acquire_lock(journal)
    try:
        there = [targets[name] for name in held if targets[name].exists()]
        if there and not replace:
            raise BoardumpireError(
                f"{there[0]}: is there already; --replace moves what is there aside, and keeps it"
            )
        with _os_errors_with_path(journal.parent):
            return list(_move_into_place(held, targets))
    finally:
        os.close(lock)


def _owner(folder: Path) -> tuple[int, int]:
    """User and group of a folder, or of the one that it will be in."""
    status = next(each for each in (folder, *folder.absolute().parents) if each.exists()).stat()
    return status.st_uid, status.st_gid


def _open_journal_read_only(journal: Path) -> sqlite3.Connection:
    """The journal to read, all its files open."""
    with store_file.sqlite_errors_as_journal_errors(journal):
        source = store_file.connect(journal, "ro", store_file.LOCK_TIMEOUT_MS)
        with store_file.closed_on_error(source):
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return source


def _copy_journal(source: sqlite3.Connection, journal: Path, into: Path) -> None:
    """A copy of all that is durable now, also while a board writes."""
    with (
        store_file.sqlite_errors_as_journal_errors(journal),
        contextlib.closing(sqlite3.connect(into, isolation_level=None)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log
    into.chmod(0o600)


def _verify_journal_copy(copy: Path, where: Path) -> None:
    """Give a copied journal a second copy, and hold one against the other. Raises `JournalError`."""
    with (
        store_file.sqlite_errors_as_journal_errors(where),
        contextlib.closing(store_file.connect(copy, "ro", store_file.LOCK_TIMEOUT_MS)) as connection,
    ):
        schema.check_version(connection, str(where))
        try:
            mirror.write(mirror.mirror_path(copy), chain_table.read_records(connection))
        except chain_table.READ_ERRORS as error:
            raise JournalError(f"damaged: {error}", where) from None
    verdict = verification.verify_copies(copy)
    if not verdict.is_intact:
        raise JournalError(f"damaged: {verdict.database_fault or verdict.mirror_fault}", where)


def _pack(archive: Path, files: Mapping[str, bytes]) -> None:
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    told = {"format": FORMAT, "version": VERSION, "made": int(time.time()), "files": listed}
    handle = os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as raw:
        with tarfile.open(fileobj=raw, mode="w") as packed:
            text = json.dumps(told, indent=2).encode()
            _add_archive_member(packed, MANIFEST_NAME, text)
            for name, data in files.items():
                _add_archive_member(packed, name, data)
        raw.flush()
        os.fsync(raw.fileno())


def _add_archive_member(packed: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(data), 0o600, int(time.time())
    packed.addfile(member, io.BytesIO(data))


def _next_backup_path(folder: Path) -> Path:
    """The next one, behind all that are there: a Pi without a clock of its own starts in the past, and its
    newest backup must not pass for the oldest."""
    stamp = _utc_timestamp()
    latest, number = max(map(_backup_sort_key, _backups_by_age(folder)), default=("", 0))
    name = f"{latest}-{number + 1}" if stamp <= latest else stamp
    return folder / f"boardumpire-{name}.tar"


def _utc_timestamp() -> str:
    return time.strftime("%Y%m%dT%H%M%S", time.gmtime())


@contextlib.contextmanager
def _unpack_backup(file: Path) -> Iterator[dict[str, Path]]:
    """The files of a backup, each as its manifest says. Only names that a backup has are looked for.

    Raises `BoardumpireError`.
    """
    with tempfile.TemporaryDirectory(prefix="boardumpire-restore-") as folder:
        try:
            with tarfile.open(file, mode="r:") as packed:
                told = _parse_manifest(_read_archive_member(packed, MANIFEST_NAME, 1 << 20), file)
                held = {}
                for name, digest in told.items():
                    data = _read_archive_member(packed, name, BACKUP_MAX_BYTES)
                    if hashlib.sha256(data).hexdigest() != digest:
                        raise BoardumpireError(f"{file}: {name} in it is damaged")
                    held[name] = Path(folder) / name
                    held[name].write_bytes(data)
        except (tarfile.TarError, EOFError) as error:
            raise BoardumpireError(
                f"{file}: not a backup: {error}; try a file that `boardumpire backup` made"
            ) from None
        yield held


def _read_archive_member(packed: tarfile.TarFile, name: str, most: int) -> bytes:
    try:
        member = packed.getmember(name)
    except KeyError:
        raise tarfile.TarError(f"no {name} in it") from None
    content = packed.extractfile(member) if member.isreg() and member.size <= most else None
    if content is None:
        raise tarfile.TarError(f"{name} in it is no file of a backup")
    return content.read()


def _parse_manifest(data: bytes, file: Path) -> dict[str, str]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise tarfile.TarError(f"{MANIFEST_NAME} in it is not JSON") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT or type(told.get("version")) is not int:
        raise tarfile.TarError(f"{MANIFEST_NAME} in it is none")
    if told["version"] > VERSION:
        raise BoardumpireError(
            f"{file}: {FORMAT} version {told['version']} is newer than this program, which reads {VERSION}"
        )
    files = told.get("files")
    known = (JOURNAL_NAME, "board.key", "tags", "links.json", "pin")
    if not isinstance(files, dict) or JOURNAL_NAME not in files or not set(files) <= set(known):
        raise tarfile.TarError(f"it holds other files than {', '.join(known)}")
    return {name: str(digest) for name, digest in files.items()}


def _unused_timestamp(targets: Iterable[Path]) -> str:
    """What to call what is moved aside, so that nothing is in its way: a clock may come by twice."""
    beside = [path for target in targets if target.parent.is_dir() for path in target.parent.iterdir()]
    taken = {path.name.rpartition(_SET_ASIDE_INFIX)[2] for path in beside}
    names = itertools.chain((now := _utc_timestamp(),), (f"{now}-{number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _move_into_place(held: Mapping[str, Path], targets: Mapping[str, Path]) -> Iterator[str]:
    """Each file in its place, the journal last: until then the board has what it had, or nothing."""
    journal = targets[JOURNAL_NAME]
    stamp = _unused_timestamp(targets.values())
    ways = [(held[name], targets[name]) for name in held if name != JOURNAL_NAME]
    ways += [
        (mirror.mirror_path(held[JOURNAL_NAME]), mirror.mirror_path(journal)),
        (held[JOURNAL_NAME], journal),
    ]
    with contextlib.ExitStack() as undone:
        drafts = [(_write_draft_copy(source, target, undone), target) for source, target in ways]
        undone.pop_all()
    for beside in (store_file.write_ahead_log_path(journal), journal.with_name(journal.name + "-shm")):
        if beside.exists():
            os.rename(beside, beside.with_name(f"{beside.name}{_SET_ASIDE_INFIX}{stamp}"))
    for draft, target in drafts:
        if target.exists():
            kept = target.with_name(f"{target.name}{_SET_ASIDE_INFIX}{stamp}")
            os.rename(target, kept)
            yield f"{kept}: what was there"
        os.rename(draft, target)
        sync_directory(target.parent)
        yield f"{target}: brought back"


def _write_draft_copy(source: Path, target: Path, undone: contextlib.ExitStack) -> Path:
    """A durable copy beside where it is to be; where it is. `undone` takes it away again."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(target.name + "-restored")
    draft.unlink(missing_ok=True)  # of a restore that a power cut ended
    undone.callback(draft.unlink, missing_ok=True)
    shutil.copyfile(source, draft)
    draft.chmod(0o600)
    with draft.open("rb") as written:
        os.fsync(written.fileno())
    return draft


@contextlib.contextmanager
def _os_errors_with_path(where: Path, tried: str = "") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BoardumpireError(f"{where}: {error.strerror or error}{tried}") from None
