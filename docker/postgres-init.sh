#!/bin/bash
# Run once by the postgres image on an empty volume: the two roles and the database. The owner
# migrates; the service's role gets its rights from `ludopost migrate` and has no DDL.
set -eu
psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres \
    -v owner_password="$(cat /run/secrets/owner_password)" \
    -v service_password="$(cat /run/secrets/service_password)" <<'SQL'
CREATE ROLE ludopost_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE ludopost LOGIN PASSWORD :'service_password';
CREATE DATABASE ludopost OWNER ludopost_owner;
SQL
