"""The leaderboard: loading, errors, old rows, pictures."""

import base64
import json
import re
import uuid

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")

BOARD = re.compile("/v1/(challenges/open|athletes)")


@pytest.fixture(scope="module")
def coach(stand):
    """A coach's token, after five athletes have been put on the board `open`."""
    token = stand.token(f"coach-{uuid.uuid4()}", "--scope", "leaderboard:write")
    for number, (name, score, image) in enumerate([
            ("Ada Lovelace", 232, "https://pictures.example/ada.png"), ("Grace Hopper", 228, "https://elsewhere.example/g.png"),
            ("Linus", 228, None), ("Zoe", None, None), ("Mary Jackson", 190, "https://pictures.example/missing.png")], 51):
        body = {"name": name, "score": score} | ({"image_url": image} if image else {})
        assert stand.call("PUT", f"/v1/athletes/{number}", token, body).status in (200, 201)
    return token


def rows(person):
    return person.page.locator("section[aria-labelledby=board] .list li")


def test_names_scores_and_shared_ranks_stand_in_order(person, coach):
    person.go("board")
    expect(rows(person)).to_have_count(5)
    texts = [" ".join(text.split()) for text in rows(person).all_inner_texts()]
    assert [re.search(r"^(Rank )?(\d+|–)", text)[2] for text in texts] == ["1", "2", "2", "4", "–"]
    assert "Ada Lovelace" in texts[0] and "232" in texts[0] and "No score" in texts[4]


def test_an_error_offers_another_try_and_a_later_one_keeps_the_old_rows(person, coach):
    person.page.route(BOARD, lambda route: route.abort())
    person.go("board")
    expect(person.page.get_by_text("The leaderboard could not be loaded")).to_be_visible()
    person.shoot("board-error")
    person.page.unroute(BOARD)
    person.page.get_by_role("button", name="Try again").first.click()
    expect(rows(person)).to_have_count(5)

    person.page.route(BOARD, lambda route: route.abort())
    person.page.get_by_role("button", name="Refresh").click()
    expect(person.page.get_by_text(re.compile("Could not refresh"))).to_be_visible()
    expect(rows(person)).to_have_count(5)
    person.shoot("board-old")
    person.page.unroute(BOARD)


def busy(milliseconds: int) -> dict:
    return {"status": 503, "content_type": "application/problem+json", "headers": {"Retry-After": str(-(-milliseconds // 1000))},
            "body": json.dumps({"type": "urn:stride:problem:try-again-later", "title": "Try again later", "status": 503,
                                "code": "TRY_AGAIN_LATER", "reason": "overload", "retry_after_ms": milliseconds})}


def test_a_busy_board_says_so_and_comes_by_itself(people, coach):
    person = people(viewport={"width": 320, "height": 568}, color_scheme="dark")
    person.open()
    is_busy = True
    person.page.route(BOARD, lambda route: route.fulfill(**busy(500)) if is_busy else route.continue_())
    person.page.evaluate("location.hash = '#/board'")
    expect(person.page.get_by_text("The leaderboard could not be loaded")).to_be_visible()
    expect(person.page.get_by_text("The server is busy. The next try is at")).to_be_visible()
    expect(person.page.get_by_role("button", name="Try again")).to_have_count(0)  # it could not help before that
    person.shoot("board-busy-small-dark")
    is_busy = False
    expect(rows(person)).to_have_count(5)

    person.page.unroute(BOARD)
    person.page.route(BOARD, lambda route: route.fulfill(**busy(3_000_000)))
    person.page.get_by_role("button", name="Refresh").click()
    expect(person.page.get_by_text(re.compile("^Could not refresh. The server is busy. This is from"))).to_be_visible()
    expect(person.page.get_by_text("The next try is at")).to_be_visible()
    expect(rows(person)).to_have_count(5)
    person.shoot("board-busy-old-small-dark")
    person.go("")
    expect(person.page.get_by_text("Could not refresh")).to_have_count(0)  # that is the board's affair


def test_a_board_that_is_none_says_so(person):
    person.page.evaluate("location.hash = '#/board/no-such-board'")
    expect(person.page.get_by_role("heading", name="There is no such leaderboard")).to_be_visible()
    person.page.get_by_role("link", name="The open leaderboard").click()
    expect(person.page.locator("section[aria-labelledby=board]")).to_be_visible()


MOST = 2**53 - 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_scores_at_the_limits_are_shown_exactly_and_stay_within_the_window(people, coach, stand, scheme):
    person = people(viewport={"width": 320, "height": 568}, color_scheme=scheme)
    person.open()
    person.sign_in()
    cup = f"cup-{uuid.uuid4().hex[:8]}"
    assert stand.call("PUT", f"/v1/challenges/{cup}", coach, {"name": "C" * 100, "self_report": True}).status == 201
    for number, (name, score) in enumerate([("W" * 100, MOST), ("Ada", MOST - 1), ("Ida", 1), ("Eva", -MOST)], 1):
        assert stand.call("PUT", f"/v1/challenges/{cup}/athletes/{number}", coach, {"name": name, "score": score}).status == 201
    person.go(f"board/{cup}")
    scores = rows(person).locator(".much")
    expect(scores).to_have_text(["9.007.199.254.740.991", "9.007.199.254.740.990", "1", "-9.007.199.254.740.991"])
    form = person.page.locator("form[aria-labelledby=own]")
    form.get_by_label("Name on the board").fill("Rosalind")
    form.get_by_label("Score").fill(str(MOST + 1))
    form.get_by_role("button", name="Join the board").click()
    expect(form.get_by_text("A whole number up to 9.007.199.254.740.991, or nothing.")).to_be_visible()
    form.get_by_label("Score").fill("-9.007.199.254.740.991")
    form.get_by_role("button", name="Join the board").click()
    expect(scores).to_have_text(["9.007.199.254.740.991", "9.007.199.254.740.990", "1"] + ["-9.007.199.254.740.991"] * 2)
    expect(form.get_by_label("Score")).to_have_value(str(-MOST))
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 320
    # A short score stands beside its name, a long one below.
    beside = "row => row.querySelector('.much').getBoundingClientRect().top < row.querySelector('.what').getBoundingClientRect().bottom"
    assert rows(person).nth(2).evaluate(beside)
    expect(person.page.locator("#news p")).to_have_count(0)
    person.page.evaluate("scrollTo(0, 0)")
    person.shoot(f"board-limits-small-{scheme}")
    assert [node for violation in Axe().run(person.page).response["violations"] for node in violation["nodes"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_rows_are_announced_as_loading(people, coach, scheme):
    person = people(viewport={"width": 320, "height": 568}, color_scheme=scheme)
    person.open()
    waiting = []
    person.page.route(BOARD, lambda route: waiting.append(route) if waiting is not None else route.continue_())
    person.page.evaluate("location.hash = '#/board'")
    expect(person.page.get_by_text("Loading the leaderboard")).to_be_visible()
    expect(person.page.locator("section[aria-busy=true]")).to_have_count(1)
    person.shoot(f"board-loading-small-{scheme}")
    held, waiting = waiting, None
    for route in held:
        route.continue_()
    expect(rows(person)).to_have_count(5)


def test_pictures_come_from_allowed_hosts_only_and_initials_stand_in(person, coach):
    asked = []

    def picture(route):
        asked.append(route.request.url)
        if route.request.url.endswith("ada.png"):
            return route.fulfill(status=200, content_type="image/png", body=PIXEL)
        route.fulfill(status=404)

    person.context.route("https://*.example/**", picture)
    person.page.reload()
    person.go("board")
    expect(rows(person)).to_have_count(5)
    expect(rows(person).nth(0).locator("img")).to_have_count(1)
    expect(rows(person).nth(1).locator(".face")).to_have_text("GH")
    expect(rows(person).nth(3).locator(".face")).to_have_text("MJ")
    assert set(asked) == {"https://pictures.example/ada.png", "https://pictures.example/missing.png"}


def test_a_score_reaches_the_board_where_everybody_may_report(person, coach, stand):
    hill = f"hill-{uuid.uuid4().hex[:8]}"
    assert stand.call("PUT", f"/v1/challenges/{hill}", coach, {"name": "Hill repeats", "self_report": True}).status == 201
    person.go(f"board/{hill}")
    own = person.page.locator("form[aria-labelledby=own]")
    own.get_by_label("Name on the board").fill("Rosalind")
    own.get_by_label("Score").fill("41")
    own.get_by_role("button", name="Join the board").click()
    expect(rows(person)).to_have_count(1)
    expect(rows(person).get_by_text("You")).to_be_visible()
    [athlete] = stand.call("GET", f"/v1/challenges/{hill}/athletes").json["athletes"]
    assert (athlete["name"], athlete["score"]) == ("Rosalind", 41)
