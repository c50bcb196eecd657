"""Plans: chosen, written, replaced, and two devices that disagree."""

from playwright.sync_api import expect


def card(person, name: str):
    return person.page.get_by_role("listitem").filter(has=person.page.get_by_role("heading", name=name, exact=True))


def take(person, name: str, replacing: bool = False) -> None:
    person.go("plan")
    offer = card(person, name)
    offer.locator("summary").click()
    offer.get_by_role("button", name=f"Take “{name}”").click()
    if replacing:
        person.page.get_by_role("dialog").get_by_role("button", name="Replace").click()


def current(person):
    return person.page.locator("section[aria-labelledby=plan]")


def test_a_template_is_looked_at_and_taken_and_home_has_its_goal(person):
    take(person, "First walks")
    expect(current(person).get_by_text("First walks")).to_be_visible()
    expect(person.page.get_by_text("is on the way to the server")).to_have_count(0)
    plan = person.call("GET", "/v1/plan").json
    assert plan["planName"] == "First walks" and len(plan["weekly_goals"]) == 8
    person.go("")
    expect(person.page.get_by_text("Week 1 of 8 · First walks")).to_be_visible()
    expect(person.page.get_by_text("28.000").first).to_be_visible()


def test_an_own_plan_replaces_the_current_one_after_a_question(person):
    take(person, "First walks")
    expect(current(person)).to_be_visible()
    own = person.page.locator("section[aria-labelledby=own]")
    own.locator("summary").click()
    own.get_by_label("Name").fill("Up the hill")
    own.get_by_label("Steps in week 1").fill("zero")
    own.get_by_role("button", name="One more week").click()
    own.get_by_role("button", name="Take this plan").click()
    expect(own.get_by_text("Whole steps, a distance, or both")).to_be_visible()
    own.get_by_label("Steps in week 1").fill("15000")
    own.get_by_label("Distance in week 5").fill("12,5")
    own.get_by_role("button", name="Take this plan").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert person.call("GET", "/v1/plan").json["planName"] == "First walks"
    own.get_by_role("button", name="Take this plan").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    expect(current(person).get_by_text("Up the hill")).to_be_visible()
    expect(person.page.get_by_text("is on the way to the server")).to_have_count(0)
    plan = person.call("GET", "/v1/plan").json
    assert plan["planName"] == "Up the hill"
    assert [goal.get("steps") for goal in plan["weekly_goals"]] == [15_000, 22_000, 24_000, 26_000, 28_000]
    assert plan["weekly_goals"][4]["distance"] == 12_500


def test_two_devices_that_choose_at_the_same_time_are_asked_which_plan_stays(person, people):
    take(person, "First walks")
    expect(current(person)).to_be_visible()
    person.until("!document.body.innerText.includes('on the way to the server')")
    other = people()
    other.open()
    other.sign_in(person.token)
    other.go("plan")
    expect(current(other).get_by_text("First walks")).to_be_visible()

    person.installed()
    person.context.set_offline(True)
    take(person, "10 000 steps", replacing=True)
    take(other, "150 brisk minutes", replacing=True)
    other.until("!document.body.innerText.includes('on the way to the server')")
    person.context.set_offline(False)
    expect(person.page.get_by_text("Two plans, one has to go")).to_be_visible()
    person.shoot("plan-conflict")
    assert person.call("GET", "/v1/plan").json["planName"] == "150 brisk minutes"
    person.page.locator("section[aria-labelledby=conflict]").get_by_role("button", name="Take “10 000 steps”").click()
    expect(person.page.get_by_text("Two plans, one has to go")).to_have_count(0)
    person.stand.eventually(lambda: person.call("GET", "/v1/plan").json["planName"] == "10 000 steps", "mine is taken")


def test_the_goal_of_every_week_is_set_and_removed(person):
    person.go("plan")
    goal = person.page.locator("section[aria-labelledby=goal]")
    goal.locator("summary").click()
    goal.get_by_label("Steps a week").fill("35000")
    goal.get_by_role("button", name="Set goal").click()
    person.stand.eventually(lambda: person.call("GET", "/v1/weekly_goal").status == 200, "the goal is there")
    assert person.call("GET", "/v1/weekly_goal").json["steps"] == 35_000
    expect(goal.get_by_text("35.000 steps a week.")).to_be_visible()
    goal.get_by_role("button", name="Remove goal").click()
    person.stand.eventually(lambda: person.call("GET", "/v1/weekly_goal").status == 404, "the goal is gone")
