"""Somebody with a browser of their own, and what they do on the screens."""

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from stand import ZONE

SHOTS = Path(__file__).resolve().parents[2] / ".build/screenshots"
PATIENCE = int(os.environ.get("STRIDE_TEST_PATIENCE_MS", 60_000))  # only guards against waiting for ever

expect.set_options(timeout=PATIENCE)

DATABASES = """async () => {
    const told = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const found = {};
    for (const { name } of await indexedDB.databases()) {
        const database = await told(indexedDB.open(name));
        found[name] = {};
        for (const store of database.objectStoreNames) {
            const records = database.transaction(store).objectStore(store);
            const [keys, values] = await Promise.all([told(records.getAllKeys()), told(records.getAll())]);
            found[name][store] = Object.fromEntries(keys.map((key, index) => [key, values[index]]));
        }
        database.close();
    }
    return found;
}"""


class Person:
    def __init__(self, stand, chromium, name: str | None = None, scripts: tuple[str, ...] = (), **options):
        self.stand = stand
        self.token = stand.token(name)
        self.context = chromium.new_context(
            base_url=stand.url, **{"locale": "de-DE", "timezone_id": ZONE,
                                   "viewport": {"width": 390, "height": 844}} | options)
        self.context.set_default_timeout(PATIENCE)
        for script in scripts:
            self.context.add_init_script(script)
        self.complaints: list[str] = []
        self.requests: list[tuple[str, str, str]] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", self.hear)
        page.on("request", lambda request: self.requests.append(
            (request.method, request.url, request.post_data or "")))
        return page

    # What a browser says by itself of an answer that is no 2xx, or of none, is what the tests bring about.
    def hear(self, message) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(f"console: {message.text}")

    def open(self, screen: str = "") -> None:
        """Goes to a screen as a fresh start of the app does, and waits until its model is there."""
        self.page.goto(f"/#/{screen}")
        self.settle()

    def go(self, screen: str) -> None:
        self.page.evaluate("screen => { location.hash = `#/${screen}` }", screen)
        self.settle()

    def settle(self) -> None:
        expect(self.page.locator("main:not([data-picture]) h1")).to_be_visible()  # the app's own, no first picture
        expect(self.page.locator("main .stack > .ghost")).to_have_count(0)

    def installed(self) -> None:
        """Waits until the app would start without a network."""
        self.until("navigator.serviceWorker.controller !== null")

    def until(self, expression: str) -> None:
        """Waits until something holds in the page; its policy forbids to let the page itself look again and again."""
        self.stand.eventually(lambda: self.page.evaluate(expression) or self.page.wait_for_timeout(50), expression)

    def sign_in(self, token: str | None = None) -> None:
        self.go("settings")
        self.page.get_by_label("Token", exact=True).fill(token or self.token)
        self.page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
        expect(self.page.get_by_text(re.compile("^Signed in as"))).to_be_visible()
        self.go("")

    def add_by_hand(self, steps: int, kilometres: str = "", minutes: int = 30) -> None:
        self.go("add")
        self.page.get_by_label("Steps").fill(str(steps))
        self.page.get_by_label(re.compile("^Distance")).fill(kilometres)
        self.page.get_by_label("Minutes").fill(str(minutes))
        self.page.get_by_role("button", name="Add workout").click()
        expect(self.page.locator("#today-steps")).to_be_visible()

    def saved(self) -> None:
        """Waits until the server has everything, and its numbers have come back with it."""
        expect(self.page.get_by_text("All saved")).to_be_visible()
        expect(self.page.get_by_text("· 0 waiting").first).to_be_visible()

    def databases(self, *, without: str = "stride-session") -> dict[str, dict[str, dict]]:
        """What is stored on the device, by database, store and key."""
        return {name: stores for name, stores in self.page.evaluate(DATABASES).items() if name != without}

    def sign_out(self) -> None:
        self.go("settings")
        self.page.get_by_role("button", name="Sign out").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
        expect(self.page.get_by_text("Without an account")).to_be_visible()

    @property
    def today(self) -> str:
        return self.page.evaluate("new Intl.DateTimeFormat('sv').format(new Date())")

    @property
    def steps_today(self):
        return self.page.locator("#today-steps")

    def call(self, method: str, path: str, body=None):
        """What another client of the same user is told by the server."""
        return self.stand.call(method, path, self.token, body)

    def workouts(self) -> list:
        answer = self.call("GET", "/v1/workouts?start_time=946684800000&end_time=4102444800000")
        assert answer.status == 200, answer.body
        return answer.json

    def shoot(self, name: str, whole: bool = True) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)
