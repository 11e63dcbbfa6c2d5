#!/bin/bash
# Whether this container is well: healthcheck.sh [PORT]. `serve` is asked for /readyz; `work` is well
# while its heartbeat is fresh: the database answered within the last minute, no thread is stuck.
set -eu
port=${1:-${LUDOPOST_PORT:-8080}}
command=$(tr '\0' ' ' </proc/1/cmdline)
case $command in
*" work "*)
    age=$(($(date +%s) - $(stat -c %Y "${LUDOPOST_HEARTBEAT:-/tmp/heartbeat}")))
    [ "$age" -lt 30 ]
    exit
    ;;
esac
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
