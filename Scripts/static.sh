# shellcheck shell=bash disable=SC2034
# The flags that put Swift's own libraries into an executable, as the images have them: set_static_flags sets `static_flags`.
#
# The calls of the runtime, some hundred for each request, then need no table of addresses, and an image no libraries.

# Foundation reaches time zones, calendars and names of hosts through functions that its second half replaces at run time. Linked
# statically, nothing refers to that half, so it would be left out without a word, and every zone but GMT would be unknown. So
# the linker is told to take what holds the replacements: their symbols end in TX.
set_static_flags() {
    local libraries symbol
    local -a symbols
    libraries=$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")/lib/swift_static/linux
    mapfile -t symbols < <(nm "$libraries/libFoundationInternationalization.a" 2>/dev/null |
        sed -n 's/^[0-9a-f]* [A-Z] \($s30FoundationInternationalization.*TX\)$/\1/p' | sort -u)
    [[ " ${symbols[*]} " == *_timeZoneICUClass* ]] || { echo "Foundation's time zones are not where they were" >&2; return 1; }
    static_flags=(--static-swift-stdlib)
    for symbol in "${symbols[@]}"; do static_flags+=(-Xlinker "--undefined=$symbol"); done
}
