# The middle of a list of numbers, which is sorted by it: median(list, count)
function median(list, count,    place, other, held) {
    for (place = 2; place <= count; place++) {
        held = list[place]
        for (other = place - 1; other > 0 && list[other] > held; other--) list[other + 1] = list[other]
        list[other + 1] = held
    }
    return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
