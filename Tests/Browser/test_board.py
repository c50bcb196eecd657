"""The leaderboard: loading, errors, old rows, pictures."""

import base64
import re
import uuid

import pytest
from playwright.sync_api import expect

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")


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
    person.page.route("**/v1/**/athletes**", lambda route: route.abort())
    person.page.route("**/v1/athletes**", lambda route: route.abort())
    person.go("board")
    expect(person.page.get_by_text("The leaderboard could not be loaded")).to_be_visible()
    person.shoot("board-error")
    person.page.unroute("**/v1/**/athletes**")
    person.page.unroute("**/v1/athletes**")
    person.page.get_by_role("button", name="Try again").first.click()
    expect(rows(person)).to_have_count(5)

    person.page.route("**/v1/**/athletes**", lambda route: route.abort())
    person.page.route("**/v1/athletes**", lambda route: route.abort())
    person.page.get_by_role("button", name="Refresh").click()
    expect(person.page.get_by_text(re.compile("Could not refresh"))).to_be_visible()
    expect(rows(person)).to_have_count(5)
    person.shoot("board-old")
    person.page.unroute("**/v1/**/athletes**")
    person.page.unroute("**/v1/athletes**")


def test_the_first_rows_are_announced_as_loading(person, coach):
    waiting = []
    calls = re.compile("/v1/(challenges/open|athletes)")
    person.page.route(calls, lambda route: waiting.append(route) if waiting is not None else route.continue_())
    person.page.evaluate("location.hash = '#/board'")
    expect(person.page.get_by_text("Loading the leaderboard")).to_be_visible()
    person.shoot("board-loading")
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
