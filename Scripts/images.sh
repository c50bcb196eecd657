# shellcheck shell=bash disable=SC2034,SC2154
# `./dev images`: every image of docker/Dockerfile, built without a registry and without a daemon.
#
# What docker.io would give is made here: the small Debian from the machine's own package mirror, and for the first stage the
# machine's own Swift toolchain, which is lent to it and copied nowhere. Store, configuration and caches lie below .build/images;
# nothing of the system's own container store is read or written.

image_names=(ingest plan progress leaderboard stride web)
image_prefix=localhost/stride
# The services must come out of their image as small as this, in megabytes.
image_limit_mb=160

packages_for_images=(buildah podman runc conmon catatonit iproute2 iptables netavark aardvark-dns mmdebstrap)

# `./dev images` builds and starts all, `./dev images build` only builds, `./dev images stride WORD…` is the tool in its container,
# `./dev images podman WORD…` is podman with our store.
cmd_images() {
    prepare_folder
    prepare_images
    case ${1:-} in
        '' | build) ;;
        podman)
            shift
            exec podman "$@"
            ;;
        stride)
            if ! load_env || [[ ! -e $dev/pods/pods.yaml ]]; then die "no pods run; start them with ./dev images"; fi
            need_checkers
            run_stride "$dev/pods" "${@:2}"
            return
            ;;
        *) die "usage: ./dev images [build | stride WORD… | podman WORD…]" ;;
    esac
    lock_checkout
    build_images
    print_images
    [[ ${1:-} != build ]] || return 0
    check_manifests
    up_images
}

# Writes the configuration of buildah and podman and exports where it is.
prepare_images() {
    need_packages "${packages_for_images[@]}"
    ((EUID == 0)) || die "images are built as root"
    images=$root/.build/images
    mkdir -p -- "$images"/{store,run,tmp}
    cat >"$images/storage.conf" <<TEXT
[storage]
driver = "overlay"
graphroot = "$images/store"
runroot = "$images/run"
TEXT
    # runc runs where control groups are of both versions, crun does not; limits above the machine's own could not be set.
    local files processes
    files=$(capped "$(ulimit -Hn)" 1048576)
    processes=$(capped "$(ulimit -Hu)" 20000)
    cat >"$images/containers.conf" <<TEXT
[containers]
default_ulimits = ["nofile=$files:$files", "nproc=$processes:$processes"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$images/run/libpod"
static_dir = "$images/store/libpod"
volume_path = "$images/store/volumes"
[network]
network_config_dir = "$images/networks"
TEXT
    export CONTAINERS_STORAGE_CONF=$images/storage.conf CONTAINERS_CONF=$images/containers.conf TMPDIR=$images/tmp
    unset CONTAINER_HOST DOCKER_HOST
}

# The smaller of a limit, which may be `unlimited`, and a number: capped LIMIT NUMBER
capped() { [[ $1 != unlimited ]] && (($1 < $2)) && echo "$1" || echo "$2"; }

# The Debian of the images, with what `debian:bookworm-slim` leaves out left out.
build_base_image() {
    local name=$image_prefix/debian:bookworm-slim mirror security container
    ! buildah inspect --type image "$name" >/dev/null 2>&1 || return 0
    say "making a small Debian"
    mirror=$(debian_mirror bookworm) || die "no mirror of Debian 12 in the sources of apt"
    security=$(debian_mirror bookworm-security) || security=
    local -a sources=("deb $mirror bookworm main" "deb $mirror bookworm-updates main")
    [[ -z $security ]] || sources+=("deb $security bookworm-security main")
    rm -rf -- "$images/base"
    run_logged base mmdebstrap --variant=minbase --include=ca-certificates,usr-is-merged \
        --hook-directory=/usr/share/mmdebstrap/hooks/merged-usr \
        --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-include=/usr/share/locale/locale.alias' \
        bookworm "$images/base" "${sources[@]}"
    # As the machine's: it may stand before an archive of yesterday.
    cp -- /etc/apt/apt.conf.d/*check* "$images/base/etc/apt/apt.conf.d/" 2>/dev/null || true
    container=$(buildah from scratch)
    buildah copy -q "$container" "$images/base" / >/dev/null
    buildah config --cmd bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    buildah commit -q --rm "$container" "$name" >/dev/null
    rm -rf -- "$images/base"
}

# Prints the address from which apt gets a suite of Debian: debian_mirror SUITE
debian_mirror() {
    # shellcheck disable=SC2016 # apt's own placeholders
    apt-get indextargets --format '$(CODENAME) $(RELEASE) $(REPO_URI)' 2>/dev/null |
        awk -v suite="$1" '($1 == suite || $2 == suite) && $3 ~ /debian/ { print $3; found = 1; exit } END { exit !found }'
}

# The first stage's image: the same Debian, told where the toolchain will be lent to it.
build_swift_image() {
    local name=$image_prefix/swift:local container
    toolchain=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")")
    ! buildah inspect --type image "$name" >/dev/null 2>&1 || return 0
    container=$(buildah from "$image_prefix/debian:bookworm-slim")
    buildah config --env PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$toolchain/usr/bin" "$container"
    buildah commit -q --rm "$container" "$name" >/dev/null
}

# Builds every target; what has not changed comes from the cache.
build_images() {
    local name
    need_swift
    build_base_image
    build_swift_image
    # The web app may not be there yet; its image is the gateway all the same.
    mkdir -p -- "$root/Services/Web"
    for name in "${image_names[@]}"; do
        say "building the image $name"
        run_logged "image-$name" buildah bud --isolation chroot --format docker --layers --pull-never \
            --build-arg "DEBIAN_IMAGE=$image_prefix/debian:bookworm-slim" \
            --build-arg "SWIFT_IMAGE=$image_prefix/swift:local" \
            --volume "$toolchain:$toolchain:ro" \
            --ignorefile "$root/docker/Dockerfile.dockerignore" \
            --file "$root/docker/Dockerfile" --target "$name" --tag "$image_prefix/$name:local" "$root"
    done
}

# Prints the size of an image in bytes, all layers together: image_bytes NAME
image_bytes() { podman image inspect --format '{{.Size}}' "$image_prefix/$1:local"; }

print_images() {
    local name
    for name in "${image_names[@]}"; do
        printf '  %-40s %5d MB\n' "$image_prefix/$name:local" $(($(image_bytes "$name") / 1000000))
    done
}
