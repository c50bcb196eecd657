"""Compares the settings that code reads with those that docs, compose and manifests name. Prints each fault; ends with 1 if there is one.

Usage: settings.py ROOT NAME=FILE…, FILE being what `kubectl kustomize` printed.
"""

import re
import sys
from pathlib import Path

import yaml

SERVICES = ("INGEST", "PLAN", "PROGRESS", "LEADERBOARD")
# What only code that is built for tests reads.
TESTS_ONLY = "STRIDE_FAULT_"


def names(*texts):
    return set(re.findall(r"\bSTRIDE_[A-Z_]*[A-Z]\b", "".join(texts)))


def names_of_services(root):
    """Whole names in the sources, and the ports, whose names are put together from that of a service."""
    sources = "".join(path.read_text() for top in ("Shared", "Services") for path in (root / top).rglob("*.swift"))
    whole = set(re.findall(r'"(STRIDE_[A-Z_]*[A-Z])"', sources))
    ports = {f"STRIDE_{service}_{port}" for service in SERVICES for port in ("PORT", "ADMIN_PORT")}
    return {name for name in whole if not name.startswith(TESTS_ONLY)} | ports


def names_of_gateway(root):
    parts = ("docker/gateway.conf.template", "Scripts/render-gateway.sh", "docker/gateway.sh")
    found = names(*((root / part).read_text() for part in parts))
    return {name for name in found if name not in ("STRIDE_GATEWAY_TLS", "STRIDE_GATEWAY_SERVICES")}


def is_known(name, known):
    return name in known or name.removesuffix("_FILE") in known


def documented(root, known):
    text = names((root / "docs/configuration.md").read_text())
    for name in sorted(known - text):
        yield f"docs/configuration.md: {name} is missing"
    for name in sorted(text):
        if not is_known(name, known):
            yield f"docs/configuration.md: nobody reads {name}"


def composed(root, known, gateway):
    """Every name is read by somebody, and the gateway is given what its operators may set, by the same name."""
    settable = {name for name in gateway if name.startswith("STRIDE_WEB_") or name == "STRIDE_CORS_ORIGINS"}
    for file in sorted((root / "docker").glob("compose*.yaml")):
        services = yaml.safe_load(file.read_text())["services"]
        for service, words in services.items():
            for name in words.get("environment", {}):
                if name.startswith("STRIDE_") and not is_known(name, known):
                    yield f"{file.name}: {service}: nobody reads {name}"
    given = yaml.safe_load((root / "docker/compose.yaml").read_text())["services"]["gateway"]["environment"]
    for name in sorted(settable):
        if f"${{{name}:-" not in str(given.get(name)):
            yield f"compose.yaml: gateway: {name} is not passed on"


def manifested(where, documents, known, gateway):
    maps = {item["metadata"]["name"]: item["data"] for item in documents if item["kind"] == "ConfigMap"}
    for item in documents:
        if item["kind"] not in ("Deployment", "Job"):
            continue
        given = {}
        for container in item["spec"]["template"]["spec"]["containers"]:
            for source in container.get("envFrom", []):
                given |= maps[source["configMapRef"]["name"]]
            given |= {variable["name"]: variable.get("value") for variable in container.get("env", [])}
        for name in sorted(given):
            if name.startswith("STRIDE_") and not is_known(name, known):
                yield f"{where}: {item['metadata']['name']}: nobody reads {name}"
        if item["metadata"]["name"] == "web":
            for name in sorted(name for name in gateway - given.keys() if name.startswith("STRIDE_WEB_")):
                yield f"{where}: web: {name} is not set"


def main():
    root, files = Path(sys.argv[1]), sys.argv[2:]
    gateway = names_of_gateway(root)
    known = names_of_services(root) | gateway
    faults = [*documented(root, known), *composed(root, known, gateway)]
    for argument in files:
        where, file = argument.split("=", 1)
        documents = [document for document in yaml.safe_load_all(Path(file).read_text()) if document]
        faults += manifested(where, documents, known, gateway)
    print("".join(f"{line}\n" for line in faults), end="")
    return 1 if faults else 0


sys.exit(main())
