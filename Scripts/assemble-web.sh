#!/usr/bin/env bash
# Puts the web app together: the files of Services/Web, the core, and what follows from their contents.
#
# usage: Scripts/assemble-web.sh CORE TARGET
# CORE is the core as WebAssembly; TARGET must not exist and will be the folder that a gateway serves. Every file there has
# a gzipped copy beside it, the service worker knows the SHA-256 of each, and the page names its modules so that a
# browser asks for all of them at once.
set -euo pipefail
core=${1:?usage: Scripts/assemble-web.sh CORE TARGET}
target=${2:?usage: Scripts/assemble-web.sh CORE TARGET}
source=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")/Services/Web
[[ -r $core ]] || { echo "assemble-web: no core in $core" >&2; exit 1; }
[[ ! -e $target ]] || { echo "assemble-web: $target is there already" >&2; exit 1; }

mkdir -p -- "$(dirname -- "$target")"
cp -R -- "$source" "$target"
cp -- "$core" "$target/core.wasm"
cd -- "$target"
chmod -R u=rwX,go=rX .

modules=$(find . -name '*.js' ! -name sw.js ! -name main.js ! -name first.js | LC_ALL=C sort |
    sed 's|^\.\(.*\)$|  <link rel="modulepreload" href="\1">|')
{ sed '/<!-- modules -->/,$d' index.html && printf '%s\n' "$modules" && sed '1,/<!-- modules -->/d' index.html; } >index.new
mv -- index.new index.html

hashes=$(find . -type f ! -name sw.js -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sed 's|^\([0-9a-f]*\)  \.\(.*\)$|    "\2": "\1",|')
version=$(sha256sum sw.js - <<<"$hashes" | sha256sum | cut -c 1-16)
awk -v version="$version" -v hashes="$hashes" '
    /^const version = / { print "const version = \"" version "\";"; next }
    /^const files = / { print "const files = {\n" hashes "\n};"; next }
    { print }' sw.js >sw.new
mv -- sw.new sw.js

find . -type f ! -name '*.png' -exec gzip -9nk {} +
