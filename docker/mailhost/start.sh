#!/bin/sh
# Starts the mail host of compose.yaml: start.sh, or `start.sh configure SOURCE TARGET` to write the
# configuration only. It is docker/postfix/ (SOURCE) with the names of this host, which come from
# the environment: MAIL_HOST_NAME, LUDOPOST_MAIL_DOMAIN, POSTMASTER.
set -eu

host=${MAIL_HOST_NAME:?the name of this host, as its MX and PTR records have it}
domain=${LUDOPOST_MAIL_DOMAIN:?the domain of the service}
postmaster=${POSTMASTER:?the address that reads what is written to postmaster@ and abuse@}

# named FILE: the file with our names in place of those of the example.
named() {
    sed -e "s/you@example\.org/$postmaster/g" -e "s/play\.example\.org/$domain/g" \
        -e "s/mail\.example\.org/$host/g" "$1"
}

# The services of Debian's master.cf, none in a chroot, ours, and a port for the other containers
# alone: only there mails to the world are taken.
write_master() {
    awk '/^[^#]/ { if (NF >= 8 && $5 == "y") $5 = "n"; print }' /etc/postfix/master.cf.proto
    named "$1/master.cf" | sed 's|/usr/local/bin/ludopost|/usr/bin/ludopost|'
    echo "2525 inet n - n - - smtpd -o mynetworks=0.0.0.0/0,[::]/0 -o milter_macro_daemon_name=ORIGINATING"
}

configure() {
    source=$1
    target=$2
    {
        named "$source/main.cf" | sed -e "s|/etc/postfix/|$target/|" -e '/^smtpd_tls_.*_file/d' -e '/^mynetworks/d'
        echo "compatibility_level = 3.6"
        # A proxy in front of the container makes strangers look like neighbours.
        echo "mynetworks = 127.0.0.0/8"
        echo "smtpd_tls_cert_file = /etc/dkimkeys/tls.pem"
        echo "smtpd_tls_key_file = /etc/dkimkeys/tls.key"
        echo "maillog_file = /dev/stdout"
    } >"$target/main.cf"
    write_master "$source" >"$target/master.cf"
    for name in ludopost-addresses ludopost-people; do
        named "$source/$name" >"$target/$name"
    done
}

# What `ludopost deliver` reads: Postfix hands no environment on.
write_settings() {
    umask 077
    {
        echo "database = $(cat "$LUDOPOST_DATABASE_FILE")"
        echo "secret_key_1 = $(cat "$LUDOPOST_SECRET_KEY_1_FILE")"
        echo "public_url = $LUDOPOST_PUBLIC_URL"
        echo "mail_from = $LUDOPOST_MAIL_FROM"
        echo "mail_domain = $domain"
        echo "mail_authserv_id = $host"
        echo "mail_trusted_hosts = $host"
        echo "inbound = yes"
    } >/etc/ludopost.conf
    umask 022
    chown root:ludopost /etc/ludopost.conf
    chmod 640 /etc/ludopost.conf
}

make_keys() {
    [ -s /etc/dkimkeys/ludopost.private ] || opendkim-genkey -b 2048 -d "$domain" -s ludopost -D /etc/dkimkeys
    # Until a real certificate is put there.
    [ -s /etc/dkimkeys/tls.key ] || openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=$host" \
        -keyout /etc/dkimkeys/tls.key -out /etc/dkimkeys/tls.pem
    chown opendkim /etc/dkimkeys/ludopost.private
    chmod 600 /etc/dkimkeys/ludopost.private /etc/dkimkeys/tls.key
    echo "The DNS record for DKIM:"
    cat /etc/dkimkeys/ludopost.txt
}

if [ "${1:-}" = configure ]; then
    configure "$2" "$3"
    exit 0
fi
folder=/usr/share/ludopost/postfix
configure $folder /etc/postfix
write_settings
make_keys
named $folder/opendkim.conf >/etc/opendkim.conf
# What comes by that port is ours to sign.
echo "MacroList daemon_name|ORIGINATING" >>/etc/opendkim.conf
named $folder/opendmarc.conf >/etc/opendmarc.conf
cp $folder/opendmarc.hosts /etc/opendmarc.hosts
opendkim -x /etc/opendkim.conf
opendmarc -c /etc/opendmarc.conf
exec postfix start-fg
