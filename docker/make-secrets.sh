#!/usr/bin/env bash
# Makes the secrets of docker/compose.yaml in docker/secrets, each once: a second run changes none.
#
# The folder is closed to everybody else; the files are readable, because a container's account without a name has to read them.
set -euo pipefail
folder=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/secrets
umask 077
mkdir -p -- "$folder"

# Writes standard input to a secret that is not there yet: keep NAME
keep() {
    [[ ! -s $folder/$1 ]] || return 0
    tr -d '\n' >"$folder/$1.new"
    chmod 444 -- "$folder/$1.new"
    mv -- "$folder/$1.new" "$folder/$1"
}

# 32 random bytes in hexadecimal.
random() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }

random | keep postgres-password
printf 'postgresql://stride:%s@postgres:5432/stride' "$(<"$folder/postgres-password")" | keep postgres-url
random | keep token-secret
random | keep grafana-password
echo "the secrets are in $folder"
