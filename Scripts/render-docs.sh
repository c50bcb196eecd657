#!/usr/bin/env bash
# Makes what the gateway serves under /docs/: FOLDER/api.html, api.css and openapi.yaml. render-docs.sh FOLDER
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
mkdir -p -- "$1"
/usr/bin/python3 "$root/Scripts/render-api-page.py" "$root/docs/openapi.yaml" >"$1/api.html"
cp -- "$root/docs/api.css" "$root/docs/openapi.yaml" "$1/"
chmod 644 -- "$1"/*
