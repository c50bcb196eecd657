#!/usr/bin/env bash
# Builds the client's core as WebAssembly, as every browser gets it, whoever asks: build-core.sh PRODUCT FILE
#
# The modules are optimised as one (LTO), then binaryen makes the code small: it does not put functions with one caller into it
# beyond a few instructions, since in a function with more than 127 variables each use of one takes another byte.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
# The toolset file is part of the path: changed flags of the linker would not link an existing product anew.
scratch=.build/wasm/$(sha256sum Scripts/wasm-toolset.json | cut -c1-12)
# Of WebAssembly: what the compiler uses, and every browser since 2021 has.
features=(
    --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals --enable-multivalue
)
swift build --triple wasm32-unknown-none-wasm --toolset Scripts/wasm-toolset.json -c release --product "$1" \
    --scratch-path "$scratch" --experimental-lto-mode full
wasm-opt "${features[@]}" --zero-filled-memory --low-memory-unused \
    --one-caller-inline-max-function-size 30 --always-inline-max-function-size 4 -Oz \
    "$scratch/wasm32-unknown-none-wasm/release/$1.wasm" -o "$2"
