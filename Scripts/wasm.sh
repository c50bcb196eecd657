# shellcheck shell=bash disable=SC2034,SC2154
# `./dev wasm`: the client's core as a WebAssembly module. `./dev test` builds it too and compares it with the host's build.

wasm_folder=.build/wasm

# Builds the module and prints its sizes.
cmd_wasm() {
    prepare_folder
    need_packages "${packages_for_swift[@]}" "${packages_for_wasm[@]}"
    need_swift
    build_wasm
    say "$wasm_folder/core.wasm: $(stat -c %s "$wasm_folder/core.wasm") bytes, $(gzipped_size) gzipped"
}

# The module for apps, and one that plays made-up lives, for the tests.
build_wasm() {
    local product
    for product in core core-check; do
        run_logged "build-$product" Scripts/build-core.sh "$product" "$wasm_folder/$product.wasm"
    done
    (($(gzipped_size) < wasm_limit)) || die "core.wasm has $(gzipped_size) bytes gzipped; $wasm_limit are the most"
}

gzipped_size() { gzip -9 -c "$wasm_folder/core.wasm" | wc -c; }

# In bytes, gzipped.
wasm_limit=100000
