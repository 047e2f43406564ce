#!/bin/sh
# Changes the version that runs, and changes back when it isn't well. Run by systemd as root, around each start.
#
#   update start      before it: takes the version that waits; gives one back that was tried in vain
#   update confirm    after it is ready: asks whether it answers
#   update ended      after it has ended: one that is tried and refuses the configuration is given back at once;
#                     one that makes room for the next has been tried
#   update back       by the administrator: the version before runs again
#   update take DIR   by the package: this version waits from now on; the board takes it between two games
#
# /opt/boardumpire has a folder for each version and these links: `current`, `previous`, `next`. `trial` says how often
# the present one was started since it is current, and when it was ready last.
set -e

home="${BOARDUMPIRE_HOME:-/opt/boardumpire}"
state="${BOARDUMPIRE_STATE:-/var/lib/boardumpire}"
tries=3
# Seconds that it has to go on after it was ready: what ends sooner counts as a start in vain.
proven=120
patience="${BOARDUMPIRE_PATIENCE:-20}"
owner="${BOARDUMPIRE_OWNER-boardumpire}"

say() {
    echo "boardumpire: update: $*" >&2
}

named() {
    readlink "$home/$1" 2>/dev/null || true
}

# A link is replaced at once: there is never a moment without it. What a power cut left of that is in nobody's way.
point() {
    ln -sfn "$2" "$home/.$1"
    mv -T "$home/.$1" "$home/$1"
}

uptime_s() {
    cut -d. -f1 "${BOARDUMPIRE_UPTIME:-/proc/uptime}"
}

# A version is never run by root, and what is the board's user's is touched by that user alone.
as_owner() {
    if [ -n "$owner" ] && [ "$(id -u)" = 0 ]; then
        STATE_DIRECTORY="$state" runuser -u "$owner" -- "$@"
    else
        STATE_DIRECTORY="$state" "$@"
    fi
}

# What there was before the new version touched anything.
keep() {
    [ ! -e "$state/before-update" ] || as_owner rm -rf "$state/before-update"
    if [ -e "$state/journal.sqlite" ]; then
        as_owner "$home/current/bin/boardumpire" backup --into "$state/before-update" >/dev/null
    fi
}

take() {
    new="$1"
    keep || { say "no copy of the games could be made: $new is not taken"; return 0; }
    old=$(named current)
    [ -z "$old" ] || point previous "$old"
    # Before it is current: a power cut in between must not leave a version that nobody watches.
    echo "1 -" >"$home/trial"
    point current "$new"
    rm -f "$home/next"
    say "$new is tried instead of ${old:-none}"
}

# $1: why.
give_back() {
    bad=$(named current)
    good=$(named previous)
    if [ "$bad" = "$good" ]; then
        # The power went before the next one was current: it is not the next one that ends.
        rm -f "$home/trial"
        return 0
    fi
    mkdir -p "$home/refused"
    : >"$home/refused/$bad"
    rm -f "$home/trial"
    if [ -z "$good" ] || [ ! -x "$home/$good/bin/boardumpire" ]; then
        say "$bad does not start well, and there is no version before it"
        return 0
    fi
    point current "$good"
    say "$1: $good runs again"
    if [ -e "$state/journal.sqlite" ] && ! as_owner "$home/current/bin/boardumpire" record list >/dev/null 2>&1; then
        copy=$(ls "$state"/before-update/*.tar 2>/dev/null | tail -n 1)
        if [ -n "$copy" ]; then
            as_owner "$home/current/bin/boardumpire" restore "$copy" --replace >&2
        fi
    fi
}

case "$1" in
start)
    if [ -e "$home/trial" ]; then
        read -r count ready <"$home/trial" || true
        now=$(uptime_s)
        # Ready for long enough, or before the machine was started anew: it is well.
        if [ "$ready" != - ] && { [ "$now" -lt "$ready" ] || [ "$now" -ge $((ready + proven)) ]; }; then
            rm -f "$home/trial"
        elif [ "$count" -ge "$tries" ]; then
            give_back "$(named current) did not start well $tries times"
        else
            echo "$((count + 1)) -" >"$home/trial"
        fi
    fi
    new=$(named next)
    if [ -n "$new" ] && [ ! -e "$home/trial" ]; then
        if [ ! -x "$home/$new/bin/boardumpire" ] || [ -e "$home/refused/$new" ] || [ "$new" = "$(named current)" ]; then
            rm -f "$home/next"
        else
            take "$new"
        fi
    fi
    ;;
confirm)
    [ -e "$home/trial" ] || exit 0
    read -r count ready <"$home/trial" || true
    left=$patience
    until as_owner "$home/current/bin/boardumpire" status >/dev/null 2>&1; do
        left=$((left - 1))
        if [ "$left" -le 0 ]; then
            say "$(named current) does not answer"
            exit 1
        fi
        sleep 1
    done
    echo "$count $(uptime_s)" >"$home/trial"
    for folder in "$home"/*/; do
        name=$(basename "$folder")
        case "$name" in
        bin | refused | current | previous | next) ;;
        *)
            if [ "$name" != "$(named current)" ] && [ "$name" != "$(named previous)" ] && [ "$name" != "$(named next)" ]; then
                rm -rf "$folder"
            fi
            ;;
        esac
    done
    ;;
ended)
    # It has run, and made room for the next one: it was well.
    [ "${EXIT_STATUS:-}" != 85 ] || rm -f "$home/trial"
    if [ "${EXIT_STATUS:-}" = 2 ] && [ -e "$home/trial" ]; then
        give_back "$(named current) refuses the configuration"
        if [ -d /run/systemd/system ]; then
            systemctl --no-block start boardumpire.service
        fi
    fi
    ;;
back)
    rm -f "$home/next"
    before=$(named previous)
    if [ -z "$before" ] || [ "$before" = "$(named current)" ] || [ ! -x "$home/$before/bin/boardumpire" ]; then
        say "there is no version before $(named current)"
        exit 1
    fi
    running=
    if [ -d /run/systemd/system ] && systemctl is-active --quiet boardumpire.service; then
        running=1
        systemctl stop boardumpire.service
    fi
    give_back "you asked for it"
    [ -z "$running" ] || systemctl start boardumpire.service
    ;;
take)
    rm -f "$home/refused/$2"
    point next "$2"
    ;;
*)
    say "expected start, confirm, ended, back or take"
    exit 2
    ;;
esac
