#!/usr/bin/env bash
# Puts together what the gateway serves by itself: FOLDER/web, the app, and FOLDER/docs, the page about the API, where the
# checkout knows how to make them. Called by docker/Dockerfile: assemble.sh FOLDER
set -euo pipefail
mkdir -p -- "$1"
if [[ -x Scripts/assemble-web.sh ]]; then
    # The client's core, as ./dev wasm builds it.
    Scripts/build-core.sh core .build/wasm/core.wasm
    Scripts/assemble-web.sh .build/wasm/core.wasm "$1/web"
else
    cp -R -- Services/Web "$1/web"
fi
mkdir -p -- "$1/docs"
[[ ! -x Scripts/render-docs.sh ]] || Scripts/render-docs.sh "$1/docs"
chmod -R u=rwX,go=rX -- "$1"
