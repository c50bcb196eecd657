#!/usr/bin/env bash
# How well steps and metres are measured on recordings with known truth: `./dev bench tracker [FOLDER]`. Without a folder,
# the few recordings in Tests/Fixtures/Tracker.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
"${STRIDE_TEST_BIN:?run it with ./dev bench tracker}/TrackerBenchmark" "${1:-$here/../Fixtures/Tracker}" "${@:2}"
