"""A recorded walk: from the sensors to the server, and what is said when there are none."""

import json
import math
import re
import time

from playwright.sync_api import expect

PLACE = (48.7731, 9.1829)
GRAVITY = 9.80665
SECONDS = 30
CADENCE = 1.8  # steps a second
SPEED = 1.4  # metres a second


def walk(person, devtools, seconds: float) -> None:
    """Plays a walk straight north in real time: what the sensors show is a function of the clock, so lateness does no harm."""
    begin = time.monotonic()
    told = -1.0
    while (now := time.monotonic() - begin) < seconds:
        phase = 2 * math.pi * CADENCE * now
        bounce = 0.28 * math.sin(phase) + 0.08 * math.sin(2 * phase + 0.6)
        sway = 0.05 * math.sin(phase / 2)
        reading = {"x": GRAVITY * sway, "y": GRAVITY * 0.2, "z": GRAVITY * (0.98 + bounce)}
        devtools.send("Emulation.setSensorOverrideReadings", {"type": "accelerometer", "reading": {"xyz": reading}})
        if now - told >= 1:
            told = now
            latitude = PLACE[0] + SPEED * now / 111_195
            person.context.set_geolocation({"latitude": latitude, "longitude": PLACE[1], "accuracy": 4})
        time.sleep(0.012)


def allow_sensors(person):
    person.context.grant_permissions(["geolocation", "accelerometer", "gyroscope", "magnetometer"], origin=person.stand.url)
    person.context.set_geolocation({"latitude": PLACE[0], "longitude": PLACE[1], "accuracy": 4})


def sensors(person):
    devtools = person.context.new_cdp_session(person.page)
    for kind in ["accelerometer", "linear-acceleration", "gyroscope"]:
        devtools.send("Emulation.setSensorOverrideEnabled", {
            "enabled": True, "type": kind, "metadata": {"available": True, "minimumFrequency": 1, "maximumFrequency": 100}})
        devtools.send("Emulation.setSensorOverrideReadings", {"type": kind, "reading": {"xyz": {"x": 0, "y": 0, "z": 0}}})
    return devtools


def test_a_walk_is_counted_here_and_arrives_without_its_positions(person, stand):
    allow_sensors(person)
    devtools = sensors(person)
    person.go("workout")
    person.page.get_by_role("button", name="Start", exact=True).click()
    expect(person.page.get_by_text("Waiting for your first steps")).to_be_visible()
    walk(person, devtools, SECONDS)
    expect(person.page.get_by_text("Under way")).to_be_visible()
    steps = person.page.locator("#live-steps")
    person.shoot("workout-running")
    # Standing still for a moment: the detector looks about three seconds ahead.
    devtools.send("Emulation.setSensorOverrideReadings", {
        "type": "accelerometer", "reading": {"xyz": {"x": 0, "y": GRAVITY * 0.2, "z": GRAVITY * 0.98}}})
    time.sleep(4)
    counted = int(steps.inner_text())
    person.page.get_by_role("button", name="End", exact=True).click()
    expect(person.page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    person.go("")
    person.saved()

    stored = [workout for workout in person.workouts() if workout["steps"] > 0]
    assert abs(sum(workout["steps"] for workout in stored) - SECONDS * CADENCE) <= 4
    assert abs(sum(workout["steps"] for workout in stored) - counted) <= 2
    assert abs(sum(workout["distance"] for workout in stored) / (SECONDS * SPEED) - 1) < 0.25
    assert all(workout["status"] == "COMPLETE" for workout in stored)
    expect(person.steps_today).to_have_text(str(sum(workout["steps"] for workout in stored)))
    person.page.locator(".bars a").last.click()
    expect(person.page.get_by_text("counted here")).to_have_count(len(stored))

    database = json.dumps(person.databases(without=""))
    rows = "".join(stand.sql(f"select coalesce(string_agg(t::text, ''), '') from {table} t") for table in
                   stand.sql("select quote_ident(tablename) from pg_tables where schemaname = 'public'").split())
    position = re.compile(r"48\.77\d|9\.18\d|latitude|longitude")
    for where, text in [("requests", json.dumps(person.requests)), ("browser", database), ("rows", rows), ("logs", stand.logs())]:
        assert len(text) > 0 and not position.search(text), f"a position is in the {where}"


def test_denied_sensors_are_named_with_what_to_do(person, stand):
    person.context.grant_permissions(["notifications"], origin=stand.url)  # and with that nothing else
    person.go("workout")
    person.page.get_by_role("button", name="Start", exact=True).click()
    expect(person.page.get_by_text("Distance is not measured:")).to_be_visible()
    expect(person.page.get_by_text("Steps are not counted:").or_(person.page.get_by_text("No steps:"))).to_be_visible()
    expect(person.page.get_by_role("button", name="Ask again").first).to_be_visible()
    person.shoot("workout-denied")
    person.page.get_by_role("button", name="End", exact=True).click()
    expect(person.page.get_by_role("button", name="Start", exact=True)).to_be_visible()


# Where motion has to be asked for, as Safari wants it: only within a touch, and with an answer that is told later.
ASKING = """
window.asked = [];
DeviceMotionEvent.requestPermission = async () => {
    window.asked.push(navigator.userActivation.isActive);
    return window.answers.shift();
};
"""


def test_where_motion_has_to_be_asked_for_it_is_asked_within_the_touch(people):
    person = people(scripts=("window.answers = ['denied', 'granted'];" + ASKING,))
    allow_sensors(person)
    person.open("workout")
    devtools = sensors(person)
    assert person.page.evaluate("window.asked") == []
    person.page.get_by_role("button", name="Start", exact=True).click()
    again = person.page.get_by_role("button", name="Ask again").first
    expect(person.page.get_by_text("Steps are not counted:")).to_be_visible()
    again.click()
    expect(person.page.get_by_text("Steps are not counted:")).to_have_count(0)
    assert person.page.evaluate("window.asked") == [True, True]
    walk(person, devtools, 12)
    expect(person.page.locator("#live-steps")).not_to_have_text("0")
    person.page.get_by_role("button", name="End", exact=True).click()
    expect(person.page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_a_workout_goes_on_after_the_page_was_lost(person):
    allow_sensors(person)
    devtools = sensors(person)
    person.go("workout")
    person.page.get_by_role("button", name="Start", exact=True).click()
    walk(person, devtools, 12)
    expect(person.page.locator("#live-steps")).not_to_have_text("0")
    person.page.reload()
    person.settle()
    person.page.get_by_role("button", name=re.compile("^(End|Start)$")).wait_for()
    if person.page.get_by_role("button", name="End", exact=True).is_visible():
        person.page.get_by_role("button", name="End", exact=True).click()
    person.go("")
    person.saved()
    assert sum(workout["steps"] for workout in person.workouts()) > 0
