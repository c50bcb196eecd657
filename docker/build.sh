#!/usr/bin/env bash
# Builds every executable with Swift's own libraries inside and puts them, without symbols, into FOLDER. Called by
# docker/Dockerfile: build.sh FOLDER
set -euo pipefail
# shellcheck source=Scripts/static.sh
source Scripts/static.sh
set_static_flags
for product in ingest plan progress leaderboard stride; do
    swift build -c release "${static_flags[@]}" --product "$product"
    install -D -s -t "$1" ".build/release/$product"
done
