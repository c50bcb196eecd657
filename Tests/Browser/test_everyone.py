"""The app for everyone: axe finds nothing, narrow windows need no sideways scrolling, the keyboard reaches everything."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SCREENS = ["", "workout", "add", "plan", "history", "day", "board", "settings"]
SIZES = {"phone": (390, 844), "small": (320, 568), "desktop": (1280, 900)}


@pytest.fixture
def busy(stand):
    """A token of somebody with a fortnight behind them, and a plan."""
    name = f"walker-{stand.port}"
    if not getattr(stand, "has_walker", False):
        stand.run_demo(name)
        stand.has_walker = True
    return stand.token(name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_screen(people, busy, scheme):
    person = people(color_scheme=scheme)
    person.open()
    person.sign_in(busy)
    person.saved()
    found = []
    for size in ["phone", "small", "desktop"]:
        width, height = SIZES[size]
        person.page.set_viewport_size({"width": width, "height": height})
        for screen in SCREENS:
            person.go(f"day/{person.today}" if screen == "day" else screen)
            person.until("document.getAnimations().every(({ playState }) => playState !== 'running')")
            if size == "phone":
                person.page.evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true; })")
            person.shoot(f"{screen or 'home'}-{size}-{scheme}")
            over = person.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if over > 0:
                found.append(f"{screen} {size}: {over} px too wide")
            if size == "phone" or screen == "":
                found += [f"{screen} {size}: {violation['id']}: {violation['nodes'][0]['html'][:160]}"
                          for violation in Axe().run(person.page).response["violations"]]
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_dialogs_faults_and_waiting_uploads(people, scheme):
    person = people(color_scheme=scheme)
    person.open()
    found = []

    def check(what):
        person.shoot(f"{what}-{scheme}", whole=False)
        found.extend(f"{what}: {violation['id']}: {violation['nodes'][0]['html'][:160]}"
                     for violation in Axe().run(person.page).response["violations"])

    check("first-start")
    person.sign_in()
    person.installed()
    person.context.set_offline(True)
    person.add_by_hand(2500)
    expect(person.page.get_by_text("1 waiting").first).to_be_visible()
    check("waiting")
    person.go("add")
    person.page.get_by_label("Minutes").fill("")
    person.page.get_by_role("button", name="Add workout").click()
    check("faults")
    person.go("settings")
    person.page.get_by_role("button", name="Sign out").click()
    check("dialog")
    assert found == []


def test_the_keyboard_reaches_everything_and_a_new_screen_begins_at_its_heading(person):
    page = person.page
    page.reload()
    person.settle()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.textContent === 'Plan'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Plan", exact=True)).to_be_focused()
    assert page.title() == "Plan · Stride"
    expect(page.get_by_role("navigation").get_by_role("link", name="Plan")).to_have_attribute("aria-current", "page")


def test_a_dialog_keeps_the_focus_and_gives_it_back(person):
    person.go("settings")
    button = person.page.get_by_role("button", name="Sign out")
    button.focus()
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_role("dialog")).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_who_wants_less_motion_gets_none(people):
    person = people(reduced_motion="reduce")
    person.open()
    person.sign_in()
    person.add_by_hand(3000)
    durations = person.page.evaluate(
        "[...document.querySelectorAll('*')].map((element) => getComputedStyle(element).transitionDuration)")
    assert set(durations) == {"0s"}


def test_numbers_and_days_follow_the_locale(people):
    for locale, number, day in [("en-US", "12,345", "Monday"), ("de-DE", "12.345", "Montag"), ("fr-FR", "12\u202f345", "lundi")]:
        person = people(locale=locale)
        person.open()
        person.add_by_hand(12345)
        expect(person.steps_today).to_have_text(number)
        weekday = person.page.evaluate("locale => new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(new Date())", locale)
        heading = person.page.get_by_role("heading", level=1)
        expect(heading).to_contain_text(weekday)
        # The page is English; the day is marked as what it is, for the voice that reads it.
        assert person.page.locator("html").get_attribute("lang") == "en"
        expect(heading.locator(f"[lang='{locale}']")).to_have_text(heading.inner_text())
        bars = person.page.locator(".bars a").last
        expect(bars.locator(".unseen [lang]")).to_contain_text(weekday)
        assert bars.locator(".unseen [lang]").get_attribute("lang") == locale


def test_text_at_twice_its_size_needs_no_sideways_scrolling(people, busy):
    person = people(viewport={"width": 195, "height": 422}, device_scale_factor=2, locale="en-GB")
    person.open()
    person.sign_in(busy)
    person.saved()
    found = []
    for screen in SCREENS:
        person.go(f"day/{person.today}" if screen == "day" else screen)
        person.shoot(f"{screen or 'home'}-twice")
        over = person.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if over > 0:
            found.append(f"{screen}: {over} px too wide")
        # The names of the ways stand beside each other, none on another.
        boxes = person.page.evaluate("""() => [...document.querySelectorAll('.rail li a')].filter((a) => a.offsetParent)
            .map((a) => [a.scrollWidth - a.clientWidth, getComputedStyle(a).fontSize])""")
        found += [f"{screen}: the way {place} is {over} px too wide" for place, (over, _) in enumerate(boxes) if over > 0]
    assert found == []


# What stands under the news, of all that has words or takes touches.
COVERED = """() => {
    const { top, bottom } = document.querySelector("#news p").getBoundingClientRect();
    return [...document.querySelectorAll("main *")].filter((element) => element.childElementCount === 0 || element.matches("a, button"))
        .filter((element) => {
            const box = element.getBoundingClientRect();
            return box.height > 0 && box.top < bottom && box.bottom > top;
        }).map((element) => element.textContent);
}"""


def test_news_have_room_of_their_own_and_cover_nothing_that_was_read(people):
    person = people(viewport={"width": 320, "height": 568}, color_scheme="dark")
    person.open()
    person.add_by_hand(1500)
    news = person.page.locator("#news p")
    expect(news).to_have_text("Added.")
    assert person.page.evaluate(COVERED) == []
    person.shoot("news-small-dark", whole=False)
    expect(news).to_have_count(0)
    # Where the page is scrolled, it moves down by as much as the news take, and stays there when they go.
    place = "document.getElementById('week').getBoundingClientRect().top"
    person.page.evaluate("scrollTo(0, 250)")
    before = person.page.evaluate(place)
    person.page.evaluate("import('/modules/frame.js').then(({ say }) => say('Something new.'))")
    expect(news).to_have_text("Something new.")
    height = person.page.evaluate("document.querySelector('#news p').getBoundingClientRect().height")
    assert abs(person.page.evaluate(place) - before - height) < 1
    person.shoot("news-scrolled-small-dark", whole=False)
    expect(news).to_have_count(0)
    assert abs(person.page.evaluate(place) - before - height) < 1


def test_a_long_name_stays_within_the_window(people):
    person = people(viewport={"width": 320, "height": 640})
    person.open("plan")
    name = "W" * 90 + "\u202egnol"
    person.page.get_by_text("Write one").click()
    person.page.get_by_label("Name", exact=True).fill(name)
    person.page.get_by_role("button", name="Take this plan").click()
    expect(person.page.get_by_text("is on the way to the server")).to_be_visible()
    assert "\u202e" not in person.page.inner_text("main")
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 320
    person.shoot("plan-long-name")


@pytest.mark.parametrize("day", ["2026-13-77", "2026-02-30", "0000-00-00", "%", "20260201"])
def test_a_day_that_is_none_says_so_and_the_app_goes_on(people, day):
    person = people()
    person.page.goto(f"/#/day/{day}")
    expect(person.page.get_by_role("heading", name="There is no such day")).to_be_visible()
    person.go("")
    expect(person.steps_today).to_have_text("0")
