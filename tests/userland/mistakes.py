"""Mistakes that administrators make, and machines that lack something: shell lines for a clean release.

Each is done in a mount namespace of its own, over a board in simulation that is right and stands still; so
nothing has to be undone.
"""

from __future__ import annotations

from typing import NamedTuple

OWN, STATE = "/etc/boardumpire", "/var/lib/boardumpire"
SITE = "/opt/boardumpire/current/lib/python3*/site-packages"
BESIDE = f"{OWN}/conf.d/z.toml"
RIGHT = f"""\
cp /root/world {OWN}/world
chown boardumpire: {OWN}/world
cat >{OWN}/conf.d/mine.toml <<'END'
[board]
name = "quick-battle-8x8"
[page]
listen = "0.0.0.0:8080"
[drivers]
sensors = "gpio-sim"
lamps = "neopixel-spi-sim"
console = "console-sim"
[sensors]
world = "{OWN}/world"
[lamps]
world = "{OWN}/world"
[console]
world = "{OWN}/world"
END
systemctl restart boardumpire
boardumpire status
systemctl stop boardumpire boardumpire-config.path
"""
"""A board that was in service and is right; `/root/world` is a simulated world."""
CHECK = "sudo boardumpire check-config"
_APART = "etc opt usr var/lib root home srv tmp"


class Mistake(NamedTuple):
    """What somebody did, and what has to be said."""

    do: str
    said: str
    check: str = CHECK


def apart(mistake: Mistake) -> str:
    """The shell's line that makes the mistake where nothing else sees it, and looks at the machine."""
    over = "mount -t overlay -o lowerdir=/$d,upperdir=/mnt/$d/u,workdir=/mnt/$d/w overlay /$d"
    script = (
        f"mount -t tmpfs none /mnt; for d in {_APART}; do mkdir -p /mnt/$d/u /mnt/$d/w; {over} || exit 99;"
        f" done; cd /root; {mistake.do}\n{mistake.check}"
    )
    return f"unshare --mount bash -c '{script.replace(chr(39), _QUOTE)}'"


_QUOTE = "'\\''"


def _a(toml: str, said: str, before: str = ":") -> Mistake:
    """Lines that the owner adds to the configuration, perhaps after something else."""
    lines = f"{before}\ncat >{BESIDE} <<END\n{toml}\nEND\n"
    return Mistake(f"{lines}chgrp boardumpire {OWN}/conf.d/* {OWN}/* 2>&1; chmod 640 {BESIDE}", said)


def _board_at(path: str, more: str, said: str) -> Mistake:
    copy = f"mkdir -p {path.rpartition('/')[0]}; cp {SITE}/boardware/boards/quick-battle-8x8.toml {path}"
    toml = f'[board]\nname = "{path}"'
    return Mistake(f"{_a(toml, '', copy).do}; {more}", said)


def _without(module: str, said: str, toml: str = "") -> Mistake:
    return _a(toml, said, f"mv {SITE}/{module} /mnt/")


def _named(name: str) -> Mistake:
    path = f"{OWN}/conf.d/{name}"
    return Mistake(f"echo >{path}", f"{path} is not read")


_MAKES_CERTIFICATE = (
    f"cd {OWN}; openssl req -new -newkey rsa:2048 -nodes -keyout k.pem -out r.pem -subj /CN=b 2>/dev/null;"
    " printf '[ca]\\ndefault_ca=d\\n[d]\\nnew_certs_dir=/mnt\\ndatabase=/mnt/db\\nserial=/mnt/sn\\n"
    "default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n' >/mnt/ca; touch /mnt/db; echo 01 >/mnt/sn;"
    " openssl ca -batch -config /mnt/ca -selfsign -keyfile k.pem -in r.pem -out c.pem -notext"
    " -startdate 20200101000000Z -enddate {end}0101000000Z 2>/dev/null; chmod 640 *.pem"
)


def _certificate(said: str, more: str = ":", end: int = 2100) -> Mistake:
    toml = f'[page]\ncertificate = "{OWN}/c.pem"\nkey = "{OWN}/k.pem"'
    made = _a(toml, said, _MAKES_CERTIFICATE.format(end=end))
    return made._replace(do=f"{made.do}; {more}")


def _meanwhile(command: str, said: str) -> Mistake:
    """Another program runs while the machine is looked at."""
    return Mistake(f"{command} & pid=$!; trap 'kill $pid' EXIT; sleep 3", said)


def _small_state(options: str, fill: str, said: str) -> Mistake:
    """A journal on a disk of its own, which is full."""
    move = f"cp -a {STATE} /mnt/kept; mount -t tmpfs -o {options} none {STATE}; cp -a /mnt/kept/. {STATE}"
    return Mistake(f"{move}; chown boardumpire: {STATE}; {fill}", said)


def _nmcli(saving: str, hotspot: str, pmf: str, said: str) -> Mistake:
    """What NetworkManager answers: it has no radio in a container."""
    answers = f'*pmf*) echo {pmf};; *powersave*) echo {saving};; *device*) echo "wlan0:wifi:{hotspot}";;'
    script = f'#!/bin/sh\ncase "$*" in {answers} *) echo boardumpire-hotspot;; esac'
    return Mistake(f"echo '{script}' >/usr/bin/nmcli; chmod +x /usr/bin/nmcli", said)


def _programs(*names: str) -> str:
    return "; ".join(f"ln -s /bin/true /usr/bin/{name}" for name in names)


def _pico(more: str, said: str) -> Mistake:
    drivers = '[drivers]\nsensors = "pico"\nlamps = "pico-lamps"\nconsole = "pico-console"'
    toml = f'[board]\nname = "quick-battle-8x8-pico"\n{drivers}'
    made = _a(toml, said, f"rm {OWN}/conf.d/mine.toml")
    return made._replace(do=f"{made.do}; {more}")


def _drop_in(line: str, said: str) -> Mistake:
    folder = "/etc/systemd/system/boardumpire.service.d"
    return Mistake(f"mkdir -p {folder}; printf '[Service]\\n{line}\\n' >{folder}/own.conf", said)


SECOND_BOARD = "/etc/boardumpire-boards/north"
MISTAKES = [
    _a('[page]\nlistn = "0.0.0.0:8080"', "z.toml:2: [page] listn: unknown key"),
    _a("[page\nlisten = 1", "not TOML: Expected ']' at the end of a table declaration (at line 1"),
    _a("[page]\nlisten = 8080", "z.toml:2: [page] listen: found 8080"),
    _a('[page]\nlisten = "myhost:8080"', "[page] listen: found 'myhost:8080'"),
    _a('[page]\nmdns = "bad_name!"', "[page] mdns: found 'bad_name!'"),
    _a('[board]\nname = "quick-battle-9x9"', "no board 'quick-battle-9x9'"),
    _a(f'[board]\nname = "{OWN}/none.toml"', "none.toml: no such file"),
    _a('[drivers]\nsensors = "gpoi"', "no driver 'gpoi'"),
    _a('[drivers]\nlamps = "gpio"', "found 'gpio', which drives no lamps"),
    _a('[drivers]\ntags = "pn532"', "board quick-battle-8x8 has no pad"),
    _a('[game]\nid = "fall-of-the-fuhrer"', "not fall-of-the-fuhrer"),
    _a('[game.options]\nannounce = "loud"', "option announce is 'loud'"),
    _a('[game.machines]\nblue = "9"', "no player '9'"),
    Mistake(f"printf '[game.players]\\nred = \"J\\374rgen\"' >{BESIDE}", "z.toml: not UTF-8"),
    _named("page.conf"),
    _named("page.toml.txt"),
    Mistake(
        f"printf '[page]\\nhttps = false' >{BESIDE}; chown root: {BESIDE}; chmod 600 {BESIDE}",
        f"boardumpire may not read {BESIDE}",
    ),
    Mistake(f"echo '# later' >{BESIDE}; chmod 600 {BESIDE}", f"boardumpire may not read {BESIDE}"),
    Mistake(f"chown root: {OWN}/conf.d; chmod 700 {OWN}/conf.d", f"boardumpire may not read {OWN}/conf.d/"),
    # The board's file
    _board_at(
        "/home/anna/board.toml", ":", "board: the service sees nothing in /home (/home/anna/board.toml)"
    ),
    _board_at("/tmp/board.toml", ":", "board: the service sees nothing in /tmp"),
    _board_at(
        f"{OWN}/b.toml", f"chown root: {OWN}/b.toml; chmod 600 {OWN}/b.toml", f"may not read {OWN}/b.toml"
    ),
    _board_at(f"{OWN}/b.toml", f"echo 'x = [' >>{OWN}/b.toml", f"{OWN}/b.toml:127: no TOML"),
    # The page and its certificate
    _certificate(f"{OWN}/c.pem has expired", end=2021),
    _certificate("name a certificate and its key", f"rm {OWN}/c.pem"),
    _certificate("name a certificate and its key", f"openssl genpkey -algorithm ED25519 -out {OWN}/k.pem"),
    _certificate(f"may not read {OWN}/k.pem", f"chown root: {OWN}/k.pem; chmod 600 {OWN}/k.pem"),
    _a(f'[page]\nkey = "{OWN}/k.pem"', "name the certificate that belongs to [page] key"),
    _a("[page]\nhttps = true", "there is no openssl", "rm /usr/bin/openssl"),
    _a('[page]\nlisten = "0.0.0.0:80"', "port 80 of the page is root's alone"),
    _meanwhile(
        "/opt/boardumpire/bin/python -m http.server 8080", "port 8080 of the page is another program's"
    ),
    _a('[page]\nlisten = "192.168.77.7:8080"', "192.168.77.7 of the page is no address of this machine"),
    _a('[satellites]\nlisten = "0.0.0.0:8080"', "[satellites] listen: port 8080 is the page's"),
    Mistake(
        f"mkdir -p {SECOND_BOARD}; cp -r {OWN}/conf.d {SECOND_BOARD}; systemctl start boardumpire;"
        " trap 'systemctl stop boardumpire' EXIT",
        "port 8080 of the page is another program's",
        "sudo boardumpire @north check-config",
    ),
    _without("zeroconf", "libraries: zeroconf missing"),
    _without("segno", "libraries of the page are missing (segno)"),
    # The broker
    _without("aiomqtt", "No module named 'aiomqtt'", '[mqtt]\nbroker = "127.0.0.1"'),
    _a('[mqtt]\nbroker = "127.0.0.1"', "[mqtt] broker: 127.0.0.1 can't be reached (Connection refused)"),
    _a('[mqtt]\nbroker = "broker.invalid"', "[mqtt] broker: broker.invalid can't be reached"),
    _a('[mqtt]\nbroker = "127.0.0.1"\npassword_file = "none"', "[mqtt] password_file: can't read none"),
    # The journal and what lies beside it
    Mistake(f"chown -R root: {STATE}; chmod 700 {STATE}", f"journal: boardumpire may not write in {STATE}"),
    Mistake(f"chown -R root: {STATE}/key", f"boardumpire may not look into {STATE}/key"),
    Mistake(
        f"rm {STATE}/journal*; echo x >{STATE}/journal.sqlite; chown boardumpire: {STATE}/*", "not a whole"
    ),
    Mistake(
        f"rm {STATE}/journal*; touch {STATE}/journal.sqlite; chown boardumpire: {STATE}/*", "empty; bring"
    ),
    _meanwhile(f"flock {STATE}/journal.sqlite-lock sleep 60", "journal: another program has it"),
    _a(
        '[journal]\npath = "/srv/games/journal.sqlite"',
        "[journal] path: the service may not write in /srv/games",
        "mkdir -p /srv/games; chown boardumpire: /srv/games",
    ),
    _a('[control]\nsocket = "/etc/control.sock"', "[control] socket: the service may not write in /etc"),
    _small_state("size=400k", f"dd if=/dev/zero of={STATE}/fill 2>&1", f"the file system of {STATE} is full"),
    _small_state(
        "size=9m,nr_inodes=20", f"touch {STATE}/{{1..30}} 2>&1", f"the file system of {STATE} is full"
    ),
    Mistake(
        f"mount --bind {STATE} {STATE}; mount -o remount,ro,bind {STATE}",
        f"file system of {STATE} is read-only",
    ),
    Mistake(
        f"mv {STATE} /mnt/kept; ln -s /media/stick/board {STATE}",
        f"journal: {STATE} leads to /media/stick/board, and nothing is there",
    ),
    Mistake(f"chmod 644 {STATE}/key/board.key", "board.key: has mode 0644"),
    Mistake(f"echo x >{STATE}/key/board.key", "board.key: not a key file"),
    Mistake(f"echo x >{STATE}/key/links.json", "[page] links: "),
    Mistake(f"echo x >{STATE}/key/pin", "holds no PIN"),
    # Its user, its unit, its program
    Mistake("sed -i /^boardumpire:/d /etc/passwd", "there is no user boardumpire"),
    Mistake("sed -i /^gpio:/d /etc/group", "there is no group gpio"),
    _drop_in("User=anna", "there is no user anna"),
    Mistake("ln -sf /dev/null /etc/systemd/system/boardumpire.service", "service: it is masked"),
    Mistake(
        "rm /etc/systemd/system/*.wants/boardumpire.service", "service: it doesn't start with the machine"
    ),
    Mistake("chmod -R go-rx /opt/boardumpire/1*", "program: boardumpire may not run /opt/boardumpire/bin"),
    Mistake("rm /usr/bin/python3*", "the Python that its libraries were made for is gone"),
    # Sound, Picos, the header, networks, the clock
    _a('[voice]\nprogram = "espeak-ng"', "'espeak-ng' is not installed"),
    _a('[voice]\nprogram = "espeak-ng"', "there is no sound card", _programs("espeak-ng", "aplay")),
    _a('[voice]\nprogram = "piper"\nmodel = "/etc/none.onnx"', "/etc/none.onnx", _programs("piper", "aplay")),
    _pico(":", "Pico pico: none is plugged in"),
    _pico("gpasswd -d boardumpire dialout", "boardumpire is not in the group dialout"),
    _a(
        '[board]\nname = "quick-battle-8x8"',
        "no Raspberry Pi, so there is no header",
        f"rm {OWN}/conf.d/mine.toml",
    ),
    _nmcli("3", "home", "1", "Wi-Fi home: "),
    _nmcli("2", "", "3", "Wi-Fi boardumpire-hotspot: protected management frames"),
    Mistake("mkdir /run/systemd/timesync; trap 'rmdir /run/systemd/timesync' EXIT", "the date may be wrong"),
]
