#!/usr/bin/env python3
"""Prints the page that people read about the API, made from docs/openapi.yaml: render-api-page.py FILE

The page needs no script and no network: one document, and docs/api.css beside it. One file: a function for each kind of thing in the description, which call each other. Needs Debian's python3-yaml.
"""

import json
import re
import sys
from html import escape

import yaml

METHODS = ("get", "post", "put", "delete")
TITLES = {"ingest": "Workouts in", "plan": "Plans, goals, profile", "progress": "Progress", "leaderboard": "Leaderboard"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        print(Page(yaml.safe_load(file)).whole())


class Page:
    """The parts of the page, each a text of HTML."""

    def __init__(self, document):
        self.document = document
        self.components = document["components"]

    def whole(self):
        info = self.document["info"]
        groups = "".join(self.group(tag) for tag in self.document["tags"])
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(info["title"])} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="api.css">
</head>
<body>
<main>
<header>
<h1>{escape(info["title"])} API</h1>
{prose(info["description"])}
<p>The same in full for programs: <a href="openapi.yaml">openapi.yaml</a>.</p>
<p class="narrow"><a href="#calls">List of all calls</a></p>
{self.signing_in()}
</header>
{groups}
{self.problems()}
{self.schemas()}
</main>
<nav id="calls" aria-label="Calls">{self.navigation()}</nav>
</body>
</html>"""

    def operations(self, tag):
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if tag["name"] in item.get(method, {}).get("tags", []):
                    yield method, path, item[method]

    def navigation(self):
        text = ""
        for tag in self.document["tags"]:
            text += f'<h2><a href="#{tag["name"]}">{TITLES.get(tag["name"], tag["name"])}</a></h2><ul>'
            for method, path, operation in self.operations(tag):
                text += f'<li><a href="#{operation["operationId"]}">{badge(method)} <span>{breakable(path)}</span></a></li>'
            text += "</ul>"
        return text + '<h2><a href="#problems">Problems</a></h2><h2><a href="#schemas">Schemas</a></h2>'

    def signing_in(self):
        scheme = self.components["securitySchemes"]["bearer"]
        return f"<h2 id=\"token\">Who asks</h2><p><code>Authorization: Bearer …</code></p>{prose(scheme['description'])}"

    def group(self, tag):
        calls = "".join(self.operation(*found) for found in self.operations(tag))
        title = TITLES.get(tag["name"], tag["name"])
        return f'<section class="group"><h2 id="{tag["name"]}">{title}</h2>{prose(tag["description"])}{calls}</section>'

    def operation(self, method, path, operation):
        name = operation["operationId"]
        needs = "needs no token" if operation.get("security") == [] else "needs a token"
        parts = [
            f'<article class="call" aria-labelledby="{name}">',
            f'<h3 id="{name}">{badge(method)} <code>{breakable(path)}</code></h3>',
            f'<p class="summary">{inline(operation["summary"])} <span class="quiet">· {needs}</span></p>',
            prose(operation.get("description", "")),
            self.parameters(operation),
            self.body(operation),
            self.answers(operation),
            "</article>",
        ]
        return "\n".join(parts)

    def parameters(self, operation):
        rows = ""
        for parameter in map(self.resolve, operation.get("parameters", [])):
            name = f'<code>{escape(parameter["name"])}</code>' + required(parameter.get("required"))
            schema = parameter["schema"]
            words = inline(parameter.get("description", "") or self.resolve(schema).get("description", ""))
            rows += row(name, parameter["in"], self.kind(schema), words)
        return table("Parameters", ("Name", "In", "Type", "Meaning"), rows)

    def body(self, operation):
        if "requestBody" not in operation:
            return ""
        media, content = next(iter(operation["requestBody"]["content"].items()))
        return (
            f"<h4>Body</h4><p>{media}: {self.kind(content['schema'])}</p>"
            + self.members(content["schema"])
            + self.examples(content, "Body, for example")
        )

    def answers(self, operation):
        text, refusals = "<h4>Answers</h4>", []
        for status, answer in operation["responses"].items():
            reference, answer = answer.get("$ref", ""), self.resolve(answer)
            if status >= "400":
                refusals.append((status, reference.split("/")[-1], answer))
                continue
            headers = ", ".join(f"<code>{name}</code>" for name in answer.get("headers", {}))
            text += f'<p><strong class="status">{status}</strong> {inline(answer["description"])}'
            text += f' <span class="quiet">Fields: {headers}</span></p>' if headers else "</p>"
            for media, content in answer.get("content", {}).items():
                text += f"<p>{media}: {self.kind(content['schema'])}</p>"
                text += self.examples(content, f"{status}, for example")
        links = ", ".join(
            f'<a href="#problem-{name}">{status} <code>{self.code(answer)}</code></a>' if name in self.problem_names() else status
            for status, name, answer in refusals
        )
        return text + f'<p class="refusals">Refusals: {links}</p>'

    def problem_names(self):
        return [name for name, answer in self.components["responses"].items() if self.code(answer)]

    def code(self, answer):
        content = answer.get("content", {}).get("application/problem+json", {})
        return content.get("example", {}).get("code", "")

    def problems(self):
        rows = ""
        for name in self.problem_names():
            answer = self.components["responses"][name]
            example = answer["content"]["application/problem+json"]["example"]
            rows += f'<tr id="problem-{name}"><td>{example["status"]}</td><td><code>{example["code"]}</code></td>'
            rows += f'<td>{inline(answer["description"])}{block(example, "For example")}</td></tr>'
        head = "<p>Every refusal is <code>application/problem+json</code>. Switch on <code>code</code>.</p>"
        body = table("Problems", ("Status", "Code", "What to do"), rows, is_titled=False)
        return f'<section class="group"><h2 id="problems">Problems</h2>{head}{body}</section>'

    def schemas(self):
        text = ""
        for name, schema in sorted(self.components["schemas"].items()):
            text += f'<article class="schema" aria-labelledby="schema-{name}"><h3 id="schema-{name}">{name}</h3>'
            text += prose(schema.get("description", ""))
            text += self.members({"$ref": f"#/components/schemas/{name}"}) or f"<p>{self.kind(schema, is_open=True)}</p>"
            text += self.examples({"schema": schema}, f"{name}, for example") + "</article>"
        return f'<section class="group"><h2 id="schemas">Schemas</h2>{text}</section>'

    def members(self, schema):
        """The members of an object, those of all its parts; nothing for what is no object."""
        return table("Members", ("Name", "Type", "Meaning"), self.rows(self.resolve(schema)), is_titled=False)

    def rows(self, schema):
        if "allOf" in schema:
            return "".join(self.rows(self.resolve(part)) for part in schema["allOf"])
        text = ""
        for name, member in schema.get("properties", {}).items():
            words = member.get("description", "") or self.resolve(member).get("description", "")
            text += row(
                f"<code>{escape(name)}</code>" + required(name in schema.get("required", [])), self.kind(member), inline(words)
            )
        return text

    def kind(self, schema, is_open=False):
        """What a value may be, in a few words; schemas with a name of their own are linked unless they are to be opened."""
        if "$ref" in schema and not is_open:
            name = schema["$ref"].split("/")[-1]
            return f'<a href="#schema-{name}">{name}</a>'
        schema = self.resolve(schema)
        if "oneOf" in schema and "type" not in schema:
            return " or ".join(self.kind(part) for part in schema["oneOf"])
        if "const" in schema:
            return f"<code>{escape(json.dumps(schema['const'], ensure_ascii=False))}</code>"
        if "enum" in schema:
            return " | ".join(f"<code>{escape(str(value) if value is not None else 'null')}</code>" for value in schema["enum"])
        kinds = schema.get("type", "object" if "allOf" in schema else "anything")
        text = " or ".join(kinds) if isinstance(kinds, list) else kinds
        if "array" in text and "items" in schema:
            text += " of " + self.kind(schema["items"])
        return text + limits(schema)

    def examples(self, content, label):
        holder = content if "examples" in content or "example" in content else self.resolve(content["schema"])
        found = holder.get("examples", [])
        values = [entry["value"] for entry in found.values()] if isinstance(found, dict) else list(found)
        values += [holder["example"]] if "example" in holder else []
        shown = [value for value in values if isinstance(value, (dict, list))]
        return "".join(
            block(value, label if number == 1 else f"{label} ({number})") for number, value in enumerate(shown, 1)
        )

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for word in node["$ref"].removeprefix("#/").split("/"):
                target = target[word]
            node = target
        return node


def limits(schema):
    """Bounds and format in words."""
    found = []
    if "format" in schema:
        found.append(schema["format"])
    for least, most, unit in (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items")):
        if least in schema and most in schema:
            found.append(f"{schema[least]} … {schema[most]}{unit}")
        elif least in schema:
            found.append(f"from {schema[least]}{unit}")
        elif most in schema:
            found.append(f"up to {schema[most]}{unit}")
    if schema.get("default") is not None:
        found.append(f"default {json.dumps(schema['default'], ensure_ascii=False)}")
    return f' <span class="quiet">({escape(", ".join(found))})</span>' if found else ""


def badge(method):
    return f'<span class="method {method}">{method.upper()}</span>'


def required(is_required):
    return ' <span class="required">required</span>' if is_required else ""


def breakable(path):
    """A path that may go on in the next line behind each slash."""
    return escape(path).replace("/", "/<wbr>")


def row(*cells):
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def table(title, heads, rows, is_titled=True):
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    heading = f"<h4>{title}</h4>" if is_titled else ""
    return (
        f'{heading}<div class="wide" role="group" aria-label="{title}" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def block(value, label):
    """An example, closed until somebody wants to see it."""
    text = escape(json.dumps(value, indent=2, ensure_ascii=False), quote=False)
    return f'<details><summary>{escape(label)}</summary><pre tabindex="0"><code>{text}</code></pre></details>'


def prose(text):
    paragraphs = [part.strip() for part in text.strip().split("\n\n") if part.strip()]
    return "".join(f"<p>{inline(part)}</p>" for part in paragraphs)


def inline(text):
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(str(text).split()), quote=False))


if __name__ == "__main__":
    main()
