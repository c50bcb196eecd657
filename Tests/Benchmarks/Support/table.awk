# Reads the rows of measure.sh and prints medians over the rounds, then the ratios; needs median.awk.
# Variables: tick, microseconds of a clock tick; service, its name; units, what is counted; order, the names in order;
# ratios, pairs `NAME/NAME` in order; expected, what the answers had to be.

# The median over the rounds of one column of one row.
function column(name, number,    round, list, count) {
    for (round = 1; round <= rounds; round++) if ((round, name) in seen) list[++count] = value[round, name, number]
    return count ? median(list, count) : 0
}

function each(name, number,    amount) {
    amount = column(name, number)
    return amount > 0 ? sprintf("%.1f", amount) : "-"
}

# Processor time of the servers for one, without the load generator.
function cost(name) { return column(name, 8) + column(name, 9) + column(name, 10) }

function title(name,    text) {
    text = name
    gsub(/_/, " ", text)
    return text
}

{
    if ($1 > rounds) rounds = $1
    seen[$1, $2] = 1
    for (field = 3; field <= 5; field++) value[$1, $2, field] = $field
    # Ticks become microseconds for each one, and others a share of the machine.
    for (field = 8; field <= 11; field++) value[$1, $2, field] = $6 > 0 ? $field * tick / $6 : 0
    value[$1, $2, 12] = $13 > 0 ? 100 * $12 / $13 : 0
    errors[$2] += $7
}

END {
    printf "%-32s %9s %8s %8s   %s\n", "", units, "p50", "p99", "CPU microseconds for one            others"
    printf "%-32s %9s %8s %8s  %8s %8s %8s %8s %7s\n", "", "a second", "ms", "ms", service, "postgres", "redis",
        "load", "%"
    count = split(order, names, " ")
    for (place = 1; place <= count; place++) {
        name = names[place]
        printf "%-32s %9d %8.1f %8.1f  %8s %8s %8s %8s %7d\n", title(name), column(name, 3), column(name, 4),
            column(name, 5), each(name, 8), each(name, 9), each(name, 10), each(name, 11), column(name, 12)
    }
    print ""
    printf "%-65s %6s %13s %7s\n", "how many times as many " units, "a sec.", "rounds", "per CPU"
    count = split(ratios, pairs, " ")
    for (place = 1; place <= count; place++) {
        split(pairs[place], pair, "/")
        size = 0
        for (round = 1; round <= rounds; round++)
            if (value[round, pair[2], 3] > 0) list[++size] = value[round, pair[1], 3] / value[round, pair[2], 3]
        if (!size) continue
        middle = median(list, size)
        # What the servers spend on one depends less on busy neighbours, so this ratio is the steadier one.
        spent = cost(pair[1]) > 0 ? cost(pair[2]) / cost(pair[1]) : 0
        printf "%-32s / %-30s %6.2f %13s %7.2f\n", title(pair[1]), title(pair[2]), middle,
            sprintf("%.2f-%.2f", list[1], list[size]), spent
    }
    print ""
    for (name in errors) {
        if (!errors[name]) continue
        printf "NOT AS EXPECTED: %s: %d answers\n", title(name), errors[name]
        bad = 1
    }
    if (!bad) print "every answer was as expected: " expected
}
