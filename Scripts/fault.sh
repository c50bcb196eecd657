# shellcheck shell=bash disable=SC2034,SC2154
# `./dev fault`: the fault harness, and the builds with a mistake that it has to find.

cmd_fault() {
    prepare_folder
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}"
    need_swift
    open_run
    if [[ ${1:-} == --upgrade ]]; then
        upgrade "${2:-}"
        return
    fi
    export STRIDE_TEST_FOLDERS=$folder
    say "building"
    build_fault "$root" ingest progress stride FaultHarness
    in_session swift build --show-bin-path >"$folder/bin" 2>/dev/null || die "swift build --show-bin-path failed"
    STRIDE_TEST_BIN=$(<"$folder/bin")
    export STRIDE_TEST_BIN
    if [[ ${1:-} == --mutants ]]; then
        shift
        hunt_mutants "$@"
    else
        in_session "$STRIDE_TEST_BIN/FaultHarness" "$@"
    fi
}

# An older build and this one side by side through the migration between them; by default the last build before the newest
# step of the schema: upgrade [COMMIT]
upgrade() {
    local old=$1 copy=$dev/older step
    if [[ -z $old ]]; then
        step=$(git grep -hoE 'number: [0-9]+, name' -- Shared/Storage/Schema | grep -oE '[0-9]+' | sort -n | tail -n 1)
        old=$(git log --reverse --format=%h -S"number: $step, name" -- Shared/Storage/Schema | head -n 1)^
    fi
    old=$(git rev-parse --verify --quiet "$old^{commit}") || die "no such commit: $1"
    say "building $(git log -1 --format='%h %s' "$old")"
    mkdir -p "$copy"
    git archive "$old" Package.swift Shared Services Tests | tar -x -C "$copy"
    build_fault "$copy" ingest plan progress stride
    say "building"
    build_fault "$root" ingest plan progress stride
    in_session swift build --show-bin-path >"$folder/bin" 2>/dev/null || die "swift build --show-bin-path failed"
    start_on_free_ports
    OLD_BIN=$copy/.build/debug in_session Tests/Faults/Upgrade/upgrade.sh
}

# build_fault FOLDER PRODUCT…
build_fault() {
    local source=$1 product
    shift
    for product in "$@"; do
        run_logged "build-fault-$product" in_session swift build --package-path "$source" --product "$product"
    done
}

# The mistakes are kept as patches; whoever changes the lines around one has to change it, too.
check_mutants() {
    local patch
    for patch in Tests/Faults/Mutants/*.patch; do
        git apply --check -- "$patch" || die "$patch does not fit any more"
    done
}

# Builds each mistake of Tests/Faults/Mutants in a copy and lets the harness look for it: hunt_mutants [NAME…]
hunt_mutants() {
    local copy=$dev/mutants harness=$folder/FaultHarness honest=$STRIDE_TEST_BIN patch name
    local -a missed=() patches=(Tests/Faults/Mutants/*.patch)
    (($# == 0)) || patches=("${@/#/Tests/Faults/Mutants/}") && patches=("${patches[@]/%.patch/}") &&
        patches=("${patches[@]/%/.patch}")
    has patch || die "patch is not installed"
    cp -- "$honest/FaultHarness" "$harness"
    mkdir -p "$copy" "$folder/mutant"
    ln -sf "$honest/stride" "$folder/mutant/stride"
    for patch in "${patches[@]}"; do
        [[ -e $patch ]] || die "no such mutant: $patch"
        name=$(basename -s .patch -- "$patch")
        copy_sources "$copy"
        patch --quiet --directory "$copy" --strip 1 <"$patch" || die "$patch does not fit any more"
        say "== $name"
        build_fault "$copy" ingest progress
        ln -sf "$copy/.build/debug/ingest" "$copy/.build/debug/progress" "$folder/mutant/"
        STRIDE_TEST_BIN=$folder/mutant in_session "$harness" --until-found --seeds 20 --minutes 0.3 \
            >"$dev/logs/mutant-$name.log" 2>&1 || true
        { grep -E '^fault: |^FOUND' "$dev/logs/mutant-$name.log" || tail -n 1 "$dev/logs/mutant-$name.log"; } | tail -n 3
        grep -q '^fault: found' "$dev/logs/mutant-$name.log" || missed+=("$name")
    done
    ((${#missed[@]} == 0)) || die "not found within 20 seeds: ${missed[*]}"
    say "every mutant was found"
}

# The sources as they are here, without what is built; unchanged files keep their times: copy_sources FOLDER
copy_sources() {
    local file
    git ls-files -z --cached --others --exclude-standard Package.swift Shared Services Tests |
        while IFS= read -r -d '' file; do
            [[ -e $file ]] || continue
            cmp -s -- "$file" "$1/$file" && continue
            mkdir -p -- "$1/$(dirname -- "$file")"
            cp -- "$file" "$1/$file"
        done
}
