#!/bin/sh
# The program lives in a virtual environment of its own. `boardumpire @NAME COMMAND` is for the further board that
# boardumpire@NAME.service runs: it has its own folders.
case "$1" in
@*)
    name="${1#@}"
    shift
    if [ -z "$name" ] || [ ! -d "/etc/boardumpire-boards/$name" ]; then
        echo "boardumpire: you can see no board @$name on this machine; try: sudo boardumpire @NAME ..., and if it is" \
            "new, first: sudo systemctl start boardumpire@NAME" >&2
        exit 2
    fi
    export BOARDUMPIRE_BOARD="$name"
    export CONFIGURATION_DIRECTORY="/etc/boardumpire-boards/$name"
    export STATE_DIRECTORY="/var/lib/boardumpire-boards/$name"
    export RUNTIME_DIRECTORY="/run/boardumpire-$name"
    ;;
esac
python=$(readlink -f /opt/boardumpire/bin/python)
if [ ! -x "$python" ] || [ ! -d "/opt/boardumpire/current/lib/${python##*/}" ]; then
    echo "boardumpire: the Python that its libraries were made for is gone; try:" \
        "sudo apt install --reinstall python3 python3-venv && sudo dpkg-reconfigure boardumpire" >&2
    exit 2
fi
exec /opt/boardumpire/bin/boardumpire "$@"
