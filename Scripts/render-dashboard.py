#!/usr/bin/env python3
"""Draws a dashboard of docker/grafana from a Prometheus, about as Grafana would, to look at it without one.

usage: Scripts/render-dashboard.py DASHBOARD.json PROMETHEUS_URL OUT.png [MINUTES]
Needs matplotlib. Variables stand for everything; the rate interval is a minute, or a fifth of the time if that is shorter.
"""
import json
import sys
import time
import urllib.parse
import urllib.request

import matplotlib

matplotlib.use("Agg")
import matplotlib.dates
import matplotlib.pyplot as plt
from datetime import datetime, timezone


def scaled(value, unit):
    if unit in ("percentunit",):
        return f"{value * 100:.3g} %"
    if unit == "s":
        return f"{value * 1000:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"
    if unit == "bytes":
        for name in ("B", "KiB", "MiB", "GiB", "TiB"):
            if abs(value) < 1024 or name == "TiB":
                return f"{value:.3g} {name}"
            value /= 1024
    if abs(value) >= 1e6:
        return f"{value / 1e6:.3g} M"
    if abs(value) >= 1e4:
        return f"{value / 1e3:.3g} k"
    return f"{value:.4g}"


def ask(base, path, **parameters):
    query = urllib.parse.urlencode(parameters)
    with urllib.request.urlopen(f"{base}/api/v1/{path}?{query}") as answer:
        return json.load(answer)["data"]["result"]


def label(form, metric):
    for name, value in metric.items():
        form = form.replace("{{" + name + "}}", value)
    return form or ", ".join(metric.values())


def expression(target, interval):
    text = target["expr"].replace("$__rate_interval", interval)
    return text.replace("$service", ".*").replace("$job", ".*")


def draw_lines(axis, panel, base, start, end, step, interval):
    unit = panel["fieldConfig"]["defaults"].get("unit", "short")
    custom = panel["fieldConfig"]["defaults"].get("custom", {})
    lines = []
    for target in panel["targets"]:
        for series in ask(base, "query_range", query=expression(target, interval), start=start, end=end, step=step):
            points = [(datetime.fromtimestamp(at, timezone.utc), float(value)) for at, value in series["values"]]
            lines.append((label(target["legendFormat"], series["metric"]), dict(points)))
    moments = sorted({moment for _, points in lines for moment in points})
    if custom.get("stacking", {}).get("mode") == "normal" and lines:
        heights = [[points.get(moment, 0) for moment in moments] for _, points in lines]
        axis.stackplot(moments, heights, labels=[name for name, _ in lines], alpha=0.6)
    else:
        for name, points in lines:
            axis.plot(moments, [points.get(moment, float("nan")) for moment in moments], lw=1, label=name)
    if lines:
        axis.legend(fontsize=5, loc="upper left", frameon=False, ncols=2)
    else:
        axis.text(0.5, 0.5, "no data", ha="center", va="center", transform=axis.transAxes, color="crimson")
    axis.yaxis.set_major_formatter(lambda value, _: scaled(value, unit))
    axis.xaxis.set_major_locator(matplotlib.dates.AutoDateLocator(maxticks=5))
    axis.xaxis.set_major_formatter(matplotlib.dates.DateFormatter("%H:%M:%S"))
    axis.set_ylim(bottom=0)
    axis.tick_params(labelsize=5)
    axis.grid(alpha=0.3)


def draw_number(axis, panel, base, interval):
    results = ask(base, "query", query=expression(panel["targets"][0], interval))
    defaults = panel["fieldConfig"]["defaults"]
    colour = "#888888"
    text = "no data"
    if results:
        value = float(results[0]["value"][1])
        text = scaled(value, defaults.get("unit", "short"))
        for step in defaults["thresholds"]["steps"]:
            if step["value"] is None or value >= step["value"]:
                colour = {"green": "#56a64b", "orange": "#ff9830", "red": "#e02f44"}[step["color"]]
    axis.set_facecolor(colour)
    axis.text(0.5, 0.5, text, ha="center", va="center", fontsize=13, color="white", transform=axis.transAxes)
    axis.set_xticks([])
    axis.set_yticks([])


def main():
    path, base, out = sys.argv[1:4]
    minutes = float(sys.argv[4]) if len(sys.argv) > 4 else 60
    with open(path) as file:
        dashboard = json.load(file)
    end = time.time()
    start = end - minutes * 60
    step = max(1, minutes * 60 / 200)
    interval = f"{int(max(4, min(60, minutes * 60 / 5)))}s"
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in dashboard["panels"])
    figure = plt.figure(figsize=(16, height * 0.36 + 0.5), dpi=110)
    figure.suptitle(dashboard["title"], fontsize=11, x=0.01, y=0.998, ha="left")
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        left, top = place["x"] / 24, place["y"] / (height + 1) + 1 / (height + 1)
        width, tall = place["w"] / 24, place["h"] / (height + 1)
        if panel["type"] == "row":
            figure.text(left + 0.005, 1 - top - tall * 0.7, panel["title"], fontsize=9, weight="bold")
            continue
        axis = figure.add_axes([left + 0.03, 1 - top - tall + 0.2 / height * 2, width - 0.04, tall - 1.1 / height])
        axis.set_title(panel["title"], fontsize=7, loc="left", pad=3)
        if panel["type"] == "timeseries":
            draw_lines(axis, panel, base, start, end, step, interval)
        else:
            draw_number(axis, panel, base, interval)
    figure.savefig(out)


main()
