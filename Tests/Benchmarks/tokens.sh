#!/usr/bin/env bash
# What it costs to verify a token, by algorithm: `./dev bench tokens`.
set -euo pipefail
"${STRIDE_TEST_BIN:?run it with ./dev bench tokens}/TokenBenchmark"
