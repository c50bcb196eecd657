"""Checks docs/openapi.yaml by itself and prints its calls, one a line: check.py FILE

It must be valid OpenAPI 3.1, and each example must keep the rules of the schema beside which it stands.
"""

import sys

import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

METHODS = ("get", "put", "post", "delete", "patch")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = yaml.safe_load(file)
    validate(document)
    faults = [fault for place, node in nodes(document, "#") for fault in example_faults(document, place, node)]
    faults += [f"{call}: {missing}" for call, operation in calls(document) for missing in omissions(document, operation)]
    if faults:
        sys.exit("\n".join(faults))
    print("\n".join(call for call, _ in calls(document)))


def calls(document):
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def nodes(node, place):
    """Every object of the document that could hold examples."""
    if isinstance(node, dict):
        yield place, node
        for name, child in node.items():
            if name not in ("example", "examples", "enum", "const", "default"):
                yield from nodes(child, f"{place}/{name}")
    elif isinstance(node, list):
        for number, child in enumerate(node):
            yield from nodes(child, f"{place}/{number}")


def example_faults(document, place, node):
    """What is wrong with the examples of a schema, or of a media type, a header or a parameter with a schema."""
    schema = node.get("schema", node)
    found = node.get("examples", [])
    values = [entry["value"] for entry in found.values() if "value" in entry] if isinstance(found, dict) else list(found)
    values += [node["example"]] if "example" in node else []
    validator = Draft202012Validator({"components": document["components"], "allOf": [schema]})
    for value in values:
        for error in validator.iter_errors(value):
            yield f"{place}: example {error.json_path}: {error.message}"


def omissions(document, operation):
    """What every operation has to have."""
    for status, answer in operation["responses"].items():
        while "$ref" in answer:
            answer = document["components"]["responses"][answer["$ref"].split("/")[-1]]
        for media, content in answer.get("content", {}).items():
            if media == "application/json" and not has_example(document, content):
                yield f"{status} has no example"
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        if not has_example(document, content):
            yield "the body has no example"


def has_example(document, content):
    schema = content["schema"]
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].split("/")[-1]]
    return any(name in holder for holder in (content, schema) for name in ("example", "examples"))


if __name__ == "__main__":
    main()
