#!/usr/bin/env bash
# Prints the gateway's configuration: docker/gateway.conf.template with what it names in braces taken from the environment.
# A STRIDE_…_ADDRESS may be a list, with commas: its line is written once for each. Fails if a value is missing or wrong.
set -euo pipefail
template=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../docker/gateway.conf.template
text=$(<"$template")

fail() {
    echo "render-gateway: $*" >&2
    exit 1
}

# Writes each line that names an address once for each of a list: repeat_lines NAME
repeat_lines() {
    local line address
    local -a addresses lines
    IFS=, read -ra addresses <<<"${!1}"
    while IFS= read -r line; do
        if [[ $line != *"\${$1}"* ]]; then
            lines+=("$line")
            continue
        fi
        for address in "${addresses[@]}"; do lines+=("${line//"\${$1}"/$address}"); done
    done <<<"$text"
    text=$(printf '%s\n' "${lines[@]}")
}

for name in $(grep -o '{STRIDE_[A-Z_]*}' <<<"$text" | tr -d '{}' | sort -u); do
    value=${!name:-}
    case $name in
        STRIDE_CORS_ORIGINS)
            [[ $value =~ ^(https?://[A-Za-z0-9.-]+(:[0-9]+)?(,https?://[A-Za-z0-9.-]+(:[0-9]+)?)*)?$ ]] ||
                fail "$name must be a list of origins with commas: https://app.example,http://localhost:3000"
            ;;
        *_ADDRESS)
            [[ $value =~ ^[][A-Za-z0-9.:_-]+(,[][A-Za-z0-9.:_-]+)*$ ]] || fail "$name is missing or no list of addresses"
            repeat_lines "$name"
            ;;
        STRIDE_WEB_*)
            [[ $value =~ ^[A-Za-z0-9.:_*/\ -]*$ ]] || fail "$name may hold words and addresses, with spaces between them"
            ;;
        *) [[ $value =~ ^[][A-Za-z0-9.:_-]+$ ]] || fail "$name is missing or no plain word" ;;
    esac
    text=${text//"\${$name}"/$value}
done
printf '%s\n' "$text"
