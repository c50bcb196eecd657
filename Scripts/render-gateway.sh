#!/usr/bin/env bash
# Prints the gateway's configuration: docker/gateway.conf.template with what it names in braces taken from the environment.
# Fails if one of them is missing, or is no plain word.
set -euo pipefail
text=$(<"$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../docker/gateway.conf.template")
for name in $(grep -o '{STRIDE_[A-Z_]*}' <<<"$text" | tr -d '{}' | sort -u); do
    value=${!name:-}
    if [[ ! $value =~ ^[][A-Za-z0-9.:_-]+$ ]]; then
        echo "render-gateway: $name is missing or no plain word" >&2
        exit 1
    fi
    text=${text//"\${$name}"/$value}
done
printf '%s\n' "$text"
