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
exec /opt/boardumpire/bin/boardumpire "$@"
