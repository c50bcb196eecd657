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
# The modules are optimised as one (LTO), then binaryen makes the code small: it does not put functions with one caller into it
# beyond a few instructions, since in a function with more than 127 variables each use of one takes another byte.
# The toolset file is part of the path: changed flags of the linker would not link an existing product anew.
build_wasm() {
    local scratch product
    scratch=$wasm_folder/$(sha256sum Scripts/wasm-toolset.json | cut -c1-12)
    for product in core core-check; do
        run_logged "build-$product" swift build --triple wasm32-unknown-none-wasm \
            --toolset Scripts/wasm-toolset.json -c release --product "$product" --scratch-path "$scratch" \
            --experimental-lto-mode full
        run_logged "shrink-$product" wasm-opt "${wasm_features[@]}" --zero-filled-memory --low-memory-unused \
            --one-caller-inline-max-function-size 30 -Oz \
            "$scratch/wasm32-unknown-none-wasm/release/$product.wasm" -o "$wasm_folder/$product.wasm"
    done
    (($(gzipped_size) < wasm_limit)) || die "core.wasm has $(gzipped_size) bytes gzipped; $wasm_limit are the most"
}

gzipped_size() { gzip -9 -c "$wasm_folder/core.wasm" | wc -c; }

# In bytes, gzipped.
wasm_limit=102400

# Of WebAssembly: what the compiler uses, and every browser since 2021 has.
wasm_features=(
    --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals --enable-multivalue
)
