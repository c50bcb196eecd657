# shellcheck shell=bash disable=SC2034,SC2154,SC2016
# nginx that returns a text from memory: what an answer of that size costs at least.

# Answers everything with the bytes of a file, which holds no `$`, quote or backslash: run_nginx NAME WORKERS FILE
# Sets `pid` and `port`.
run_nginx() {
    local deadline=$((SECONDS + 20)) text size words='' place=0
    text=$(<"$3")
    size=$(wc -c <"$3")
    port=$(free_port)
    {
        echo "daemon off; worker_processes $2; pid $work/$1.pid; error_log $work/$1.log;"
        echo "events { worker_connections 4096; }"
        echo "http { access_log off; keepalive_requests 1000000000; default_type application/json;"
        # A word of a configuration has 4 KiB at most.
        while ((${#text} > 2048 && place < ${#text})); do
            printf "map x \$part%d { default '%s'; }\n" "$place" "${text:place:2048}"
            words+="\${part$place}"
            place=$((place + 2048))
        done
        echo "server { listen 127.0.0.1:$port reuseport; location / { return 200 '${words:-$text}'; } } }"
    } >"$work/$1.conf"
    /usr/sbin/nginx -e "$work/$1.log" -p "$work" -c "$work/$1.conf" >"$work/$1.out" 2>&1 &
    pid=$!
    pids+=("$pid")
    until port_is_busy "$port"; do
        if [[ ! -d /proc/$pid ]] || ((SECONDS >= deadline)); then die "nginx does not start: $(tail -n 1 "$work/$1.out")"; fi
        sleep 0.01
    done
    [[ $(curl -fsS --noproxy '*' --max-time 5 "http://127.0.0.1:$port/" | wc -c) == "$size" ]] ||
        die "nginx returns another size"
}
