# shellcheck shell=bash disable=SC2034,SC2154
# docker/compose.yaml as it is, started by podman-compose from images of this machine; part of `./dev test --containers`.
#
# In a network, a tree of processes and a store of its own, which only reads the images of the other: it meets no port, no bridge and no
# filter rule of the machine, and nothing outlives it. Grafana alone is left out, because no package of Debian has it.

# What compose.yaml takes from registries and Debian has too (Scripts/checks/compose/Dockerfile).
stand_ins=(postgres redis prometheus node-exporter postgres-exporter redis-exporter)

# Builds the stand-ins under the names that compose.yaml asks for.
build_stand_ins() {
    local name image
    for name in "${stand_ins[@]}"; do
        image=$(sed -n "/^  $name:/,/^  [a-z]/s/^    image: //p" "$root/docker/compose.yaml")
        [[ -n $image ]] || die "docker/compose.yaml has no image of $name"
        run_logged "image-$name" buildah bud --isolation chroot --format docker --layers --pull-never \
            --build-arg "DEBIAN_IMAGE=$image_prefix/debian:bookworm-slim" \
            --file "$root/Scripts/checks/compose/Dockerfile" --target "$name" --tag "$image" "$root/Scripts/checks/compose"
    done
}

# Makes the store: write_store FOLDER
write_store() {
    cat >"$1/storage.conf" <<TEXT
[storage]
driver = "overlay"
graphroot = "$1/store"
runroot = "$1/run"
[storage.options]
additionalimagestores = ["$images/store"]
TEXT
    sed -e "s|$images/store/|$1/store/|; s|$images/run/|$1/run/|; s|$images/networks|$1/networks|" "$CONTAINERS_CONF" \
        >"$1/containers.conf"
}

test_compose() {
    local copy=$folder/compose
    say "docker/compose.yaml, started by podman-compose"
    build_stand_ins
    mkdir -p -- "$copy"
    cp -r -- "$root"/docker/{compose.yaml,compose.tls.yaml,make-secrets.sh,prometheus,grafana} "$copy"
    run_logged compose-secrets "$copy/make-secrets.sh"
    write_store "$copy"
    CONTAINERS_STORAGE_CONF=$copy/storage.conf CONTAINERS_CONF=$copy/containers.conf \
        unshare --net --pid --fork --kill-child --mount-proc --propagation slave \
        "$checks/venv/bin/python" "$root/Scripts/checks/compose.py" "$copy" "$checks/venv/bin/podman-compose" \
        9>&- || die "docker/compose.yaml does not do what it should"
}
