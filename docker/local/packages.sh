#!/bin/sh
# Installs the Debian packages named as arguments, those only that are missing: packages.sh NAME...
set -eu

missing=""
for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null || true)
    case " $status" in
    *" installed "*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "These packages are missing and there is no apt-get to install them:$missing" >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "These packages are missing:$missing" >&2
        echo "Neither root nor sudo is here; as root:  apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
options="-y --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update || echo "apt-get update failed; trying with the lists there are" >&2
# The lists are words on purpose.
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install $options $missing
