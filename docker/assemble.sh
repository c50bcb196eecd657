#!/usr/bin/env bash
# Puts together what the gateway serves by itself: FOLDER/web, the app, and FOLDER/docs, the page about the API, where the
# checkout knows how to make them. Called by docker/Dockerfile: assemble.sh FOLDER
set -euo pipefail
mkdir -p -- "$1"
if [[ -x Scripts/assemble-web.sh ]]; then
    # The client's core as WebAssembly, as ./dev wasm builds it; there it says why the toolset is part of the path.
    scratch=.build/wasm/$(sha256sum Scripts/wasm-toolset.json | cut -c1-12)
    swift build --triple wasm32-unknown-none-wasm --toolset Scripts/wasm-toolset.json -c release --product core \
        --scratch-path "$scratch"
    Scripts/assemble-web.sh "$scratch/wasm32-unknown-none-wasm/release/core.wasm" "$1/web"
else
    cp -R -- Services/Web "$1/web"
fi
mkdir -p -- "$1/docs"
[[ ! -x Scripts/render-docs.sh ]] || Scripts/render-docs.sh "$1/docs"
chmod -R u=rwX,go=rX -- "$1"
