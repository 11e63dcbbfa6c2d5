#!/bin/bash
# Whether this container is well: healthcheck.sh [PORT]. `serve` is asked for /readyz; any other
# command (work) is well while its process answers to a signal.
set -eu
port=${1:-${LUDOPOST_PORT:-8080}}
command=$(tr '\0' ' ' </proc/1/cmdline)
case $command in
*" serve "*) ;;
*) kill -0 1 && exit 0 ;;
esac
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
