#!/usr/bin/env bash
# Prints the gateway's configuration: docker/gateway.conf.template with what it names in braces taken from the environment.
# A STRIDE_…_ADDRESS may be a list, with commas: its line is written once for each. A line that ends with `# if NAME` or
# `# unless NAME` is left out unless NAME is set, or is not. Fails if a value is missing or wrong.
set -euo pipefail
template=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../docker/gateway.conf.template

fail() {
    echo "render-gateway: $*" >&2
    exit 1
}

# Prints the template without the lines that are not for these settings.
choose_lines() {
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^(.*[^ ])\ +#\ (if|unless)\ (STRIDE_[A-Z_]+)$ ]]; then
            line=${BASH_REMATCH[1]}
            case ${BASH_REMATCH[2]} in
                if) [[ -n ${!BASH_REMATCH[3]:-} ]] || continue ;;
                unless) [[ -z ${!BASH_REMATCH[3]:-} ]] || continue ;;
            esac
        fi
        printf '%s\n' "$line"
    done <"$template"
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

for pair in STRIDE_GATEWAY_TLS STRIDE_GATEWAY_SERVICES; do
    certificate=${pair}_CERTIFICATE_FILE
    key=${pair}_KEY_FILE
    [[ -n ${!certificate:-} || -z ${!key:-} ]] || fail "$key is the key of $certificate, which is missing"
done
[[ -z ${STRIDE_GATEWAY_SERVICES_CERTIFICATE_FILE:-} || -n ${STRIDE_GATEWAY_SERVICES_CA_FILE:-} ]] ||
    fail "STRIDE_GATEWAY_SERVICES_CERTIFICATE_FILE is shown over TLS only, so STRIDE_GATEWAY_SERVICES_CA_FILE is needed too"
[[ -z ${STRIDE_GATEWAY_REDIRECT_PORT:-} || -n ${STRIDE_GATEWAY_TLS_CERTIFICATE_FILE:-} ]] ||
    fail "STRIDE_GATEWAY_REDIRECT_PORT leads to TLS, so STRIDE_GATEWAY_TLS_CERTIFICATE_FILE is needed too"

text=$(choose_lines)
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
        *_FILE)
            [[ $value =~ ^/[A-Za-z0-9._/-]+$ ]] || fail "$name is missing or no absolute path of plain characters"
            [[ -r $value ]] || fail "$name: $value cannot be read"
            ;;
        STRIDE_WEB_*)
            [[ $value =~ ^[A-Za-z0-9.:_*/\ -]*$ ]] || fail "$name may hold words and addresses, with spaces between them"
            ;;
        *) [[ $value =~ ^[][A-Za-z0-9.:_-]+$ ]] || fail "$name is missing or no plain word" ;;
    esac
    text=${text//"\${$name}"/$value}
done
printf '%s\n' "$text"
