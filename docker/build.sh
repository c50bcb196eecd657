#!/usr/bin/env bash
# Builds every executable with Swift's own libraries inside and puts them, without symbols, into FOLDER. Called by
# docker/Dockerfile: build.sh FOLDER
set -euo pipefail

# Foundation reaches time zones, calendars and names of hosts through functions that its second half replaces at run time. Linked
# statically, nothing refers to that half, so it would be left out without a word, and every zone but GMT would be unknown. So
# the linker is told to take what holds the replacements: their symbols end in TX.
libraries=$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")/lib/swift_static/linux
mapfile -t symbols < <(nm "$libraries/libFoundationInternationalization.a" 2>/dev/null |
    sed -n 's/^[0-9a-f]* [A-Z] \($s30FoundationInternationalization.*TX\)$/\1/p' | sort -u)
[[ " ${symbols[*]} " == *_timeZoneICUClass* ]] || { echo "build: Foundation's time zones are not where they were" >&2; exit 1; }
flags=()
for symbol in "${symbols[@]}"; do flags+=(-Xlinker "--undefined=$symbol"); done

for product in ingest plan progress leaderboard stride; do
    swift build -c release --static-swift-stdlib "${flags[@]}" --product "$product"
    install -D -s -t "$1" ".build/release/$product"
done
