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
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "These packages are missing:$missing" >&2
        echo "Neither root nor sudo is here; as root:  apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    sudo=sudo
fi
as_root() {
    $sudo env DEBIAN_FRONTEND=noninteractive "$@"
}

# The tests run servers of their own, private ones. Those of the system, new by our doing, start
# neither now nor at the next boot.
idle=""
for package in $missing; do
    case $package in
    postfix | fetchmail) idle="$idle $package" ;;
    dovecot-imapd) idle="$idle dovecot" ;;
    nginx-light) idle="$idle nginx" ;;
    esac
done
policy=/usr/sbin/policy-rc.d
if [ -n "$idle" ] && [ ! -e $policy ]; then
    trap 'as_root rm -f $policy' EXIT
    trap 'exit 1' HUP INT TERM
    as_root tee $policy >/dev/null <<POLICY
#!/bin/sh
case "$idle " in *" \$1 "*) exit 101 ;; esac
POLICY
    as_root chmod 755 $policy
fi

echo "Installing:$missing"
as_root apt-get update || echo "apt-get update failed; trying with the lists there are" >&2
case $idle in
*postfix*) # A Postfix without configuration: there is nothing it could start with.
    echo "postfix postfix/main_mailer_type select No configuration" | as_root debconf-set-selections
    ;;
esac
# Another mail server of the system's stays: rather fail. The lists are words on purpose.
options="-y --no-remove --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3"
# shellcheck disable=SC2086
as_root apt-get install $options $missing
for service in $idle; do
    as_root systemctl disable --quiet "$service" 2>/dev/null || true
done
