"""What is recorded reaches the server once, whatever the network and the server do meanwhile."""

import json
import re
from datetime import datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from stand import ZONE


def test_added_without_a_network_arrives_when_it_is_back(person):
    person.installed()
    person.context.set_offline(True)
    person.add_by_hand(1234, "1,5")
    expect(person.steps_today).to_have_text("1.234")
    expect(person.page.get_by_text("0 confirmed · 1.234 waiting")).to_have_count(2)  # today, and the week
    assert person.workouts() == []

    person.context.set_offline(False)
    person.saved()
    expect(person.page.get_by_text("1.234 confirmed · 0 waiting")).to_have_count(2)
    [workout] = person.workouts()
    assert (workout["steps"], workout["distance"], workout["source"]) == (1234, 1500, "manual")
    assert workout["end_time"] - workout["start_time"] == 30 * 60_000
    assert workout["time_zone"] == ZONE


def test_the_queue_survives_the_end_of_the_page(person):
    person.installed()
    person.context.set_offline(True)
    person.add_by_hand(777)
    person.page.close()
    person.page = person.new_page()
    person.open()
    expect(person.steps_today).to_have_text("777")
    assert person.workouts() == []
    person.context.set_offline(False)
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [777]


def test_a_busy_server_is_asked_again_and_takes_the_same_workout_once(person):
    sent = []

    def refuse(route):
        sent.append(json.loads(route.request.post_data))
        if len(sent) > 2:
            return route.continue_()
        route.fulfill(
            status=503, headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
            body=json.dumps({
                "type": "urn:stride:problem:try-again-later", "title": "Try again later", "status": 503,
                "code": "TRY_AGAIN_LATER", "reason": "overload", "retry_after_ms": 700}))

    person.page.route(re.compile(r"/v1/workouts(/batch)?$"), refuse)
    person.add_by_hand(450)
    expect(person.steps_today).to_have_text("450")
    person.saved()
    assert len(sent) == 3 and sent[0] == sent[1] == sent[2]
    assert [workout["steps"] for workout in person.workouts()] == [450]


def test_a_refused_workout_is_parked_and_can_be_discarded(person):
    def refuse(route):
        [workout] = json.loads(route.request.post_data)["workouts"]
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"results": [{
            "requestId": workout["requestId"], "result": "rejected", "code": "INVALID_REQUEST",
            "detail": "The workout is not valid.", "errors": [{"pointer": "/steps", "detail": "is not believed"}]}]}))

    person.page.route("**/v1/workouts/batch", refuse)
    person.add_by_hand(99)
    expect(person.page.get_by_text("1 refused")).to_be_visible()
    person.go("settings")
    expect(person.page.get_by_text("Its number of steps cannot be right.")).to_be_visible()
    expect(person.page.get_by_text("is not believed")).to_have_count(0)  # the server's words are for developers
    expect(person.page.get_by_text("Everything has reached the server.")).to_have_count(0)
    expect(person.page.get_by_text("1 workout was refused, see above.")).to_be_visible()
    expect(person.page.get_by_text(str(datetime.now().year)).first).to_be_visible()  # the row says of which day it is
    person.page.unroute("**/v1/workouts/batch")
    person.page.get_by_role("button", name="Discard").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(person.page.get_by_text("Its number of steps")).to_have_count(0)
    expect(person.page.get_by_text("Everything has reached the server.")).to_be_visible()
    person.go("")
    person.saved()
    assert person.workouts() == []


def test_a_workout_of_a_fast_clock_that_was_set_since_arrives_when_its_end_is_said(person):
    ahead, ended = (datetime.now(ZoneInfo(ZONE)) + timedelta(days=days) for days in (3, -1))
    person.saved()
    person.context.set_offline(True)
    person.page.evaluate("window.rightly = Date.now; Date.now = () => rightly() + 3.5 * 86_400_000")
    person.go("add")
    person.page.get_by_label("Day", exact=True).fill(f"{ahead:%Y-%m-%d}")
    person.page.get_by_label("Steps").fill("640")
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.page.get_by_text("1 waiting").first).to_be_visible()
    person.page.evaluate("Date.now = rightly")
    person.context.set_offline(False)
    expect(person.page.get_by_text("1 refused")).to_be_visible()
    person.go("settings")
    expect(person.page.get_by_text("It lies ahead of this device's clock.")).to_be_visible()
    person.page.get_by_label(re.compile("When did it end")).fill(f"{ended:%Y-%m-%dT%H:%M}")
    person.page.get_by_role("button", name="Send again").click()
    expect(person.page.get_by_text("Refused by the server")).to_have_count(0)
    person.go("")
    person.saved()
    [workout] = person.workouts()
    assert workout["end_time"] == int(ended.replace(second=0, microsecond=0).timestamp() * 1000)
    assert workout["end_time"] - workout["start_time"] == 30 * 60_000 and workout["steps"] == 640


def test_a_deleted_workout_leaves_the_server(person):
    person.add_by_hand(300)
    person.saved()
    person.page.locator(".bars a").last.click()
    person.settle()
    person.page.get_by_role("button", name=re.compile("^Delete the workout")).click()
    person.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(person.page.get_by_text("No workouts on this day.")).to_be_visible()
    person.go("")
    person.saved()
    assert person.workouts() == []


def test_a_day_says_of_every_workout_where_its_numbers_come_from(person):
    end = int(datetime.now().timestamp() * 1000)
    for minutes, source in [(50, "auto"), (40, "manual")]:
        body = {"requestId": str(uuid4()), "start_time": end - minutes * 60_000, "end_time": end - (minutes - 5) * 60_000,
                "steps": 10 * minutes, "distance": 300, "source": source, "device_id": "watch", "time_zone": ZONE}
        assert person.call("POST", "/v1/workouts", body).status == 201
    person.page.reload()
    person.add_by_hand(100, minutes=5)
    person.saved()
    person.page.locator(".bars a").last.click()
    for steps, words in [("500", "counted on another device"), ("400", "added by hand on another device"), ("100", "added by hand")]:
        row = person.page.get_by_role("listitem").filter(has_text=steps).filter(has=person.page.get_by_role("heading"))
        expect(row.locator(".what small")).to_have_text(re.compile(f"5.* · {words}$"))
    person.page.set_viewport_size({"width": 320, "height": 568})
    person.shoot("day-origins-small")


def test_a_form_with_faults_says_which_and_goes_to_the_first(person):
    person.go("add")
    person.page.get_by_label("Minutes").fill("0")
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.page.get_by_text("Between 1 minute and 48 hours")).to_be_visible()
    expect(person.page.get_by_text("Give steps, a distance, or both.")).to_be_visible()
    expect(person.page.get_by_label("Minutes")).to_be_focused()
    assert person.workouts() == []


def test_a_workout_that_lies_ahead_is_refused_on_the_spot(person):
    soon = datetime.now(ZoneInfo(ZONE)) + timedelta(days=1)
    person.go("add")
    person.page.get_by_label("Steps").fill("640")
    person.page.get_by_label("Minutes").fill("240")  # it began half an hour ago
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.page.get_by_text("It would end after now.")).to_be_visible()
    person.page.get_by_label("Minutes").fill("10")
    person.page.get_by_label("Day", exact=True).fill(f"{soon:%Y-%m-%d}")
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.page.get_by_text("It lies ahead: choose a time that is over.")).to_be_visible()
    person.go("")
    expect(person.steps_today).to_have_text("0")


def test_a_page_of_somebody_between_is_no_busy_server(person):
    person.saved()
    person.page.route("**/v1/**", lambda route: route.fulfill(
        status=200, content_type="text/html", body="<h1>Welcome to our hotel</h1>"))
    person.add_by_hand(77)
    expect(person.page.get_by_text("What answered is not the server as it should be.").first).to_be_visible()
    expect(person.page.get_by_text("The server is busy")).to_have_count(0)
    person.page.unroute("**/v1/**")
    person.page.reload()
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [77]


def test_a_wait_that_the_server_asked_for_outlives_a_reload(person):
    person.saved()
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503, content_type="application/problem+json", body=json.dumps({
            "status": 503, "code": "TRY_AGAIN_LATER", "title": "Later", "retry_after_ms": 3_000_000}))

    person.page.route("**/v1/workouts/batch", refuse)
    person.add_by_hand(88)
    expect(person.page.get_by_text("1 waiting").first).to_be_visible()
    expect(person.page.get_by_text("The next try is at").first).to_be_visible()
    assert len(asked) == 1
    person.page.reload()
    person.settle()
    expect(person.page.get_by_text("The next try is at").first).to_be_visible()
    person.go("settings")
    person.page.get_by_role("button", name="Send and fetch now").click()
    expect(person.page.get_by_text("Not yet: the next try is at")).to_be_visible()
    assert len(asked) == 1
