"""Signing in and out, the user's own data, and what belongs to whom."""

import base64
import hashlib
import json
import re
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import expect

CORS = {"Access-Control-Allow-Origin": "*"}


def test_a_server_that_wants_a_new_token_gets_the_queue_after_signing_in(person):
    person.saved()
    refused = []

    def refuse(route):
        refused.append(route.request.url)
        route.fulfill(status=401, content_type="application/problem+json", headers={"WWW-Authenticate": "Bearer"},
                      body=json.dumps({"status": 401, "code": "UNAUTHENTICATED", "title": "Who are you?"}))

    person.page.route("**/v1/**", refuse)
    person.add_by_hand(640)
    person.page.get_by_text("You are not signed in").wait_for()
    assert refused
    expect(person.steps_today).to_have_text("640")
    person.page.unroute("**/v1/**")
    person.sign_in()
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [640]


def test_signing_out_keeps_the_queue_and_signing_in_sends_it(person):
    person.saved()
    person.sign_out()
    person.add_by_hand(810)
    expect(person.steps_today).to_have_text("810")
    assert person.workouts() == []
    person.sign_in()
    expect(person.steps_today).to_have_text("810")
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [810]


def test_after_signing_out_nothing_of_the_user_is_on_the_screen(person, stand):
    person.saved()
    person.context.set_offline(True)
    person.add_by_hand(901)  # It waits in the user's own database.
    person.sign_out()
    person.go("")
    expect(person.steps_today).to_have_text("0")
    person.go("history")
    expect(person.page.get_by_text("901")).to_have_count(0)
    person.add_by_hand(55)  # This one is nobody's, and the first one's who signs in.
    other = stand.token()
    person.context.set_offline(False)
    person.sign_in(other)
    expect(person.steps_today).to_have_text("55")
    person.saved()
    every = "/v1/workouts?start_time=946684800000&end_time=4102444800000"
    assert [workout["steps"] for workout in stand.call("GET", every, other).json] == [55]
    person.sign_out()
    person.sign_in()
    expect(person.steps_today).to_have_text("901")
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [901]


def test_a_token_that_the_server_does_not_accept_claims_nothing(people):
    person = people()
    person.open()
    person.add_by_hand(222)
    head, body, _ = person.token.split(".")
    body = base64.urlsafe_b64encode(json.dumps(
        json.loads(base64.urlsafe_b64decode(body + "==")) | {"sub": "somebody else"}).encode()).decode().rstrip("=")
    person.go("settings")
    person.page.get_by_label("Token", exact=True).fill(f"{head}.{body}.{'A' * 43}")
    person.page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(person.page.get_by_text("The server wants you to sign in again.")).to_be_visible()
    assert not any("/v1/workouts" in url for _, url, _ in person.requests)
    person.sign_in()
    expect(person.steps_today).to_have_text("222")
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [222]


def test_a_text_that_is_no_token_is_refused_on_the_spot(people):
    person = people()
    person.open("settings")
    person.page.get_by_label("Token", exact=True).fill("let me in")
    person.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(person.page.get_by_text("This is no token.")).to_be_visible()
    expect(person.page.get_by_label("Token", exact=True)).to_be_focused()


def test_the_export_holds_every_workout(person, tmp_path):
    person.add_by_hand(1500, "1,2")
    person.saved()
    person.go("settings")
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="Export my data").click()
    file = tmp_path / "export"
    download.value.save_as(file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["steps"] for line in lines if line["kind"] == "workout"] == [1500]
    assert download.value.suggested_filename.endswith(".ndjson")


def test_deleting_everything_empties_server_and_device(person, stand):
    person.add_by_hand(1500)
    person.saved()
    person.go("settings")
    person.page.get_by_role("button", name="Delete my data").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(person.page.get_by_text("Without an account")).to_be_visible()
    assert person.call("GET", "/v1/progressSummary").status == 401  # tokens from before are refused
    person.go("")
    expect(person.steps_today).to_have_text("0")
    assert [database["workouts"] for database in person.databases().values()] == [{}]


def test_units_time_zone_and_week_start_are_kept_and_told_to_the_server(person):
    person.add_by_hand(1000, "1,6")
    person.go("settings")
    person.page.get_by_label("Miles").check()
    person.page.get_by_label("Saturday").check()
    person.page.get_by_label("Time zone").select_option("America/New_York")
    person.go("")
    person.saved()
    expect(person.page.get_by_text(re.compile("0,99 mi")).first).to_be_visible()

    def told():
        person.page.wait_for_timeout(50)  # the page goes on meanwhile
        profile = person.call("GET", "/v1/profile").json
        return (profile["time_zone"], profile["week_start"]) == ("America/New_York", "saturday")

    person.stand.eventually(told, "the profile has both")
    person.page.reload()
    person.settle()
    expect(person.page.get_by_text(re.compile("0,99 mi")).first).to_be_visible()


def test_sign_in_by_the_operators_issuer_uses_pkce(people, stand):
    person = people(service_workers="block")
    issuer = "https://issuer.example"
    asked = {}

    def answer(route):
        url = urlsplit(route.request.url)
        if url.path == "/.well-known/openid-configuration":
            return route.fulfill(headers=CORS, content_type="application/json", body=json.dumps({
                "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token"}))
        if url.path == "/authorize":
            asked.update(parse_qsl(url.query))
            back = f"{asked['redirect_uri']}?code=c0de&state={asked['state']}&iss={issuer}"
            return route.fulfill(content_type="text/html", body=f"<script>location.replace({json.dumps(back)})</script>")
        asked["form"] = dict(parse_qsl(route.request.post_data))
        route.fulfill(headers=CORS, content_type="application/json", body=json.dumps({
            "access_token": person.token, "token_type": "Bearer"}))

    person.context.route(f"{issuer}/**", answer)
    person.context.route("**/config.json", lambda route: route.fulfill(content_type="application/json", body=json.dumps({
        "imageHosts": "", "signIn": {"issuer": issuer, "client": "stride-web", "scope": "openid stride"}})))
    person.open()
    person.add_by_hand(345)
    person.go("settings")
    person.page.get_by_role("button", name="Sign in", exact=True).first.click()
    person.page.get_by_text("Signed in.", exact=True).wait_for()
    assert "code" not in person.page.url
    assert (asked["client_id"], asked["response_type"], asked["scope"]) == ("stride-web", "code", "openid stride")
    digest = hashlib.sha256(asked["form"]["code_verifier"].encode()).digest()
    assert asked["code_challenge_method"] == "S256"
    assert asked["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert (asked["form"]["code"], asked["form"]["redirect_uri"]) == ("c0de", f"{stand.url}/")
    person.go("")
    person.saved()
    assert [workout["steps"] for workout in person.workouts()] == [345]


def test_an_answer_of_the_issuer_that_nobody_asked_for_is_ignored(people):
    person = people()
    person.page.goto("/?code=c0de&state=forged")
    person.settle()
    person.page.wait_for_url(lambda url: "code" not in url)
    person.go("settings")
    expect(person.page.get_by_text("Without an account")).to_be_visible()
