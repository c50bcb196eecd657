#!/usr/bin/env python3
"""Draws a dashboard of docker/grafana from its data source, about as Grafana would, to look at it without one.

usage: Scripts/render-dashboard.py DASHBOARD.json SOURCE OUT.png [MINUTES] [INSTANCE]
SOURCE is http://… of a Prometheus or redis://… of the fleet's statistics; a live view is watched for MINUTES first. Needs matplotlib,
and redis-cli for Redis. Variables stand for everything, INSTANCE for one (the first); the rate interval is a minute, or a fifth of
the time if that is shorter.
"""
import json
import math
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from datetime import datetime, timezone

import matplotlib

matplotlib.use("Agg")
import matplotlib.dates
import matplotlib.pyplot as plt
import matplotlib.ticker

TIMES = {"s": 1, "ms": 1e-3, "µs": 1e-6}
RATES = {"reqps": " req/s", "ops": " ops/s", "cps": " c/s"}


def scaled(value, unit):
    if unit in ("percentunit",):
        return f"{value * 100:.3g} %"
    if unit in TIMES:
        value *= TIMES[unit]
        return f"{value * 1000:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"
    if unit == "bytes":
        for name in ("B", "KiB", "MiB", "GiB", "TiB"):
            if abs(value) < 1024 or name == "TiB":
                return f"{value:.3g} {name}"
            value /= 1024
    rate = RATES.get(unit, "")
    for limit, letter in ((1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            return f"{value / (1e6 if letter == 'M' else 1e3):.3g} {letter}{rate}"
    return f"{value:.4g}{rate}"


def moment(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc)


class Prometheus:
    def __init__(self, base, minutes):
        self.base, self.end = base, time.time()
        self.start = self.end - minutes * 60
        self.step = max(1, minutes * 60 / 200)
        self.interval = f"{int(max(4, min(60, minutes * 60 / 5)))}s"

    def ask(self, path, target, **parameters):
        text = target["expr"].replace("$__rate_interval", self.interval).replace("$service", ".*").replace("$job", ".*")
        query = urllib.parse.urlencode({"query": text, **parameters})
        with urllib.request.urlopen(f"{self.base}/api/v1/{path}?{query}") as answer:
            return json.load(answer)["data"]["result"]

    def lines(self, panel):
        for target in panel["targets"]:
            for series in self.ask("query_range", target, start=self.start, end=self.end, step=self.step):
                name = target["legendFormat"]
                for key, value in series["metric"].items():
                    name = name.replace("{{" + key + "}}", value)
                yield name or ", ".join(series["metric"].values()), {
                    moment(at): float(value) for at, value in series["values"]}

    def numbers(self, panel):
        return [("", float(series["value"][1])) for series in self.ask("query", panel["targets"][0])]

    def title(self, text):
        return text


class Redis:
    def __init__(self, url, minutes, instance):
        self.url = url
        self.instance = instance or self.ask("zrange", "stride:{stats}:instances", "0", "0")[0]
        self.live = []
        for _ in range(int(minutes * 60)):
            self.live.append((moment(time.time()), self.ask("hgetall", f"stride:{{stats}}:live:{self.instance}")))
            time.sleep(1)

    def ask(self, *words):
        return json.loads(subprocess.run(
            ["redis-cli", "-u", self.url, "--json", *words], check=True, capture_output=True, text=True).stdout)

    def lines(self, panel):
        (target,) = panel["targets"]
        if target["command"] == "hmget":
            for field in target["field"].split():
                yield field, {at: float(values[field]) for at, values in self.live if field in values}
            return
        entries = self.ask("xrange", target["keyName"].replace("$instance", self.instance), "-", "+")
        filters = [item for item in panel["transformations"] if item["id"] == "filterFieldsByName"]
        for field in filters[0]["options"]["include"]["names"][1:]:
            points = {}
            for name, words in entries:
                values = dict(zip(words[::2], words[1::2]))
                if field in values:
                    points[moment(int(name.split("-")[0]) / 1000)] = float(values[field])
            yield field, points

    def numbers(self, panel):
        members = self.ask("zrange", panel["targets"][0]["keyName"], "0", "-1", "withscores")
        return [(name, time.time() - float(at) / 1000) for name, at in members]

    def title(self, text):
        return text.replace("$instance", self.instance)


COLOURS = {"green": "#56a64b", "blue": "#3274d9", "yellow": "#e0b400", "orange": "#ff780a", "red": "#e02f44", "purple": "#a352cc",
           "light-green": "#96d98d"}


def looks(panel, name):
    """What the overrides of a panel say of one of its lines: its name, its colour, its style and its width."""
    found = {}
    for override in panel["fieldConfig"].get("overrides", []):
        kind, wanted = override["matcher"]["id"], override["matcher"]["options"]
        if (kind == "byName" and wanted == name) or (kind == "byRegexp" and re.search(wanted.strip("/"), name)):
            found |= {item["id"]: item["value"] for item in override["properties"]}
    colour = COLOURS.get(found.get("color", {}).get("fixedColor"))
    style = "--" if found.get("custom.lineStyle", {}).get("fill") == "dash" else "-"
    return found.get("displayName", name), colour, style, found.get("custom.lineWidth", 1)


def without_silent(panel, lines):
    """Lines that are zero all the time, where the panel hides those."""
    hides = any(item["matcher"]["id"] == "byValue" for item in panel["fieldConfig"].get("overrides", []))
    return [(name, points) for name, points in lines if points and not (hides and not any(points.values()))]


def draw_lines(axis, panel, source):
    defaults = panel["fieldConfig"]["defaults"]
    unit, custom = defaults.get("unit", "short"), defaults.get("custom", {})
    all_lines = [(name, points) for name, points in source.lines(panel) if points]
    lines = without_silent(panel, all_lines)
    moments = sorted({at for _, points in lines for at in points})
    if custom.get("stacking", {}).get("mode") == "normal" and lines:
        heights = [[points.get(at, 0) for at in moments] for _, points in lines]
        axis.stackplot(moments, heights, labels=[name for name, _ in lines], alpha=0.6,
                       colors=[looks(panel, name)[1] or f"C{place}" for place, (name, _) in enumerate(lines)])
    else:
        for name, points in lines:
            shown, colour, style, wide = looks(panel, name)
            axis.plot(moments, [points.get(at, float("nan")) for at in moments], style, lw=wide, label=shown, color=colour,
                      clip_on=False)
    if lines:
        # Below, as Grafana puts it.
        axis.legend(fontsize=6, loc="upper left", bbox_to_anchor=(-0.02, -0.1), frameon=False, ncols=3,
                    columnspacing=1, handlelength=1, borderaxespad=0)
    elif not all_lines:
        axis.text(0.5, 0.5, "no data", ha="center", va="center", transform=axis.transAxes, color="crimson")
    axis.yaxis.set_major_formatter(lambda value, _: scaled(value, unit))
    axis.xaxis.set_major_locator(matplotlib.ticker.LinearLocator(4))
    axis.xaxis.set_major_formatter(matplotlib.dates.DateFormatter("%H:%M:%S"))
    if "min" in defaults:
        axis.set_ylim(bottom=defaults["min"])
    if "max" in defaults:
        axis.set_ylim(top=defaults["max"])
    elif not any(value for _, points in lines for value in points.values()):
        axis.set_ylim(top=1)
    if unit == "bytes":
        step = 2 ** math.ceil(math.log2(max(6, axis.get_ylim()[1]) / 6))
        axis.yaxis.set_major_locator(matplotlib.ticker.MultipleLocator(step))
    axis.tick_params(labelsize=6)
    axis.grid(alpha=0.3)


def draw_numbers(axis, panel, source):
    defaults = panel["fieldConfig"]["defaults"]
    unit, colour = defaults.get("unit", "short"), "#888888"
    values = source.numbers(panel)
    for _, value in values[:1]:
        for step in defaults.get("thresholds", {}).get("steps", []):
            if step["value"] is None or value >= step["value"]:
                colour = {"green": "#56a64b", "orange": "#ff9830", "red": "#e02f44"}[step["color"]]
    axis.set_facecolor(colour)
    for place, (name, value) in enumerate(values or [("no data", None)]):
        shown = "" if value is None else f"{value:.0f} s ago" if unit == "dateTimeFromNow" else scaled(value, unit)
        size = 13 if len(values) < 2 else 8
        axis.text((place + 0.5) / max(1, len(values)), 0.5, f"{name}\n{shown}".strip(), ha="center", va="center",
                  fontsize=size, color="white", transform=axis.transAxes)
    axis.set_xticks([])
    axis.set_yticks([])


def main():
    path, base, out = sys.argv[1:4]
    minutes = float(sys.argv[4]) if len(sys.argv) > 4 else 60
    instance = sys.argv[5] if len(sys.argv) > 5 else None
    source = Redis(base, minutes, instance) if base.startswith("redis") else Prometheus(base, minutes)
    with open(path) as file:
        dashboard = json.load(file)
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in dashboard["panels"])
    figure = plt.figure(figsize=(16, height * 0.36 + 0.5), dpi=110)
    figure.suptitle(dashboard["title"], fontsize=11, x=0.01, y=0.998, ha="left")
    unit = 1 / (height + 1)
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        left, top = place["x"] / 24, (place["y"] + 1) * unit
        width, tall = place["w"] / 24, place["h"] * unit
        title = source.title(panel["title"])
        if panel["type"] == "row":
            figure.text(left + 0.005, 1 - top - tall * 0.7, title, fontsize=9, weight="bold")
            continue
        is_chart = panel["type"] == "timeseries"
        below = (1.7 if is_chart else 0.2) * unit
        axis = figure.add_axes([left + 0.038, 1 - top - tall + below, width - 0.056, tall - below - 0.7 * unit])
        axis.set_title(title, fontsize=7, loc="left", pad=3)
        (draw_lines if is_chart else draw_numbers)(axis, panel, source)
    figure.savefig(out)


main()
