# Reads the aims of speed.sh, then the rows of measure.sh, and prints a table in Markdown: each aim and whether it is reached.
# Variable: tick, microseconds of a clock tick.

BEGIN {
    split("rate p50 p99 calls errors service postgres redis load", names, " ")
    for (place in names) column[names[place]] = place + 2
}

NR == FNR {
    aims++
    split($0, part, "|")
    for (place = 1; place <= 6; place++) aim[aims, place] = part[place]
    next
}

{
    if ($1 > rounds) rounds = $1
    for (field = 3; field <= 5; field++) value[$1, $2, field] = $field
    for (field = 8; field <= 11; field++) value[$1, $2, field] = $6 > 0 ? $field * tick / $6 : 0
    seen[$1, $2] = 1
    errors[$2] += $7
}

# A figure with three digits.
function figure(number) {
    return number >= 1000 ? sprintf("%d", number) : number >= 100 ? sprintf("%.0f", number) : \
        number >= 10 ? sprintf("%.1f", number) : sprintf("%.2f", number)
}

# The median over the rounds and the unit: middle(NAME, KIND)
function middle(name, kind,    round, list, count) {
    for (round = 1; round <= rounds; round++) if ((round, name) in seen) list[++count] = value[round, name, column[kind]]
    if (!count) return "-"
    return figure(median(list, count)) (kind == "rate" ? "/s" : kind == "p99" ? " ms" : " µs")
}

END {
    print "| what | Stride | against | theirs | ratio (range) | aim | reached |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (place = 1; place <= aims; place++) {
        ours = aim[place, 2]; theirs = aim[place, 4]; kind = aim[place, 5]
        size = 0
        for (round = 1; round <= rounds; round++) {
            if (!((round, ours) in seen) || (theirs != "" && value[round, theirs, column[kind]] <= 0)) continue
            list[++size] = value[round, ours, column[kind]] / (theirs != "" ? value[round, theirs, column[kind]] : 1)
        }
        if (!size) continue
        ratio = median(list, size)
        split(aim[place, 6], bound, " ")
        reached = bound[1] == ">=" ? ratio >= bound[2] : ratio <= bound[2]
        sign = bound[1] == ">=" ? "≥" : "≤"
        unit = theirs != "" ? "×" : " µs"
        printf "| %s | %s | %s | %s | %s (%s–%s) | %s %s | %s |\n", aim[place, 1], middle(ours, kind), aim[place, 3],
            (theirs != "" ? middle(theirs, kind) : ""), figure(ratio) (theirs != "" ? "×" : ""), figure(list[1]), figure(list[size]), sign,
            bound[2] unit, (reached ? "yes" : "**no**")
    }
    for (name in errors) {
        if (!errors[name]) continue
        if (!bad++) print ""
        printf "NOT AS EXPECTED: %s: %d answers\n", name, errors[name]
    }
}
