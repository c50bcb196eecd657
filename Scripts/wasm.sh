# shellcheck shell=bash disable=SC2034,SC2154
# `./dev wasm`: the client's core as a WebAssembly module, and the check that it does what the host's build does.

wasm_file=.build/wasm/core.wasm

# Builds the module, prints its sizes, and checks it.
cmd_wasm() {
    prepare_folder
    need_packages "${packages_for_swift[@]}" "${packages_for_wasm[@]}"
    need_swift
    build_wasm
    check_wasm
}

# The toolset file is part of the path: changed flags of the linker would not link an existing product anew.
build_wasm() {
    local scratch
    scratch=.build/wasm/$(sha256sum Scripts/wasm-toolset.json | cut -c1-12)
    run_logged build-wasm swift build --triple wasm32-unknown-none-wasm --toolset Scripts/wasm-toolset.json \
        -c release --product core --scratch-path "$scratch"
    cp -- "$scratch/wasm32-unknown-none-wasm/release/core.wasm" "$wasm_file"
    say "$wasm_file: $(stat -c %s "$wasm_file") bytes, $(gzip -9 -c "$wasm_file" | wc -c) gzipped"
}

# Runs the module in the toolchain's interpreter and in Node, each with a time limit of its own.
check_wasm() {
    local -i size
    size=$(gzip -9 -c "$wasm_file" | wc -c)
    ((size < 100 * 1024)) || die "core.wasm has $size bytes gzipped; 102400 are the most"
    timeout 300 wasmkit run "$wasm_file" self_test | grep -qF 'i32(0)' || die "core.wasm: self_test does not answer 0"
    timeout 300 node Tests/Wasm/check.mjs "$wasm_file" || die "core.wasm does not do what it should"
}
