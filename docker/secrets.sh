#!/bin/sh
# Makes the secret files compose.yaml mounts, those only that are missing. The folder is closed to
# others; the files themselves are readable, because a container's user has another number.
set -eu
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"

random() {
    od -An -tx1 -N32 /dev/urandom | tr -d ' \n'
}

keep() {
    [ -s "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"
    chmod 644 "$folder/$1"
}

keep postgres_password "$(random)"
keep owner_password "$(random)"
keep service_password "$(random)"
keep secret_key_1 "$(random)"
keep database "host=db dbname=ludopost user=ludopost password=$(cat "$folder/service_password")"
keep database_owner "host=db dbname=ludopost user=ludopost_owner password=$(cat "$folder/owner_password")"
# Empty unless the mail server wants a login: put its password here.
keep smtp_password ""
