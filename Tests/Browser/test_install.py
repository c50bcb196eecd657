"""The app comes from the gateway under strict rules, can be installed, and starts without a network."""

import gzip
import json
import re
import shutil

from playwright.sync_api import expect


def files(stand) -> dict[str, str]:
    worker = stand.call("GET", "/sw.js").body.decode()
    return json.loads("{" + re.search(r"const files = \{(.*?),?\n\};", worker, re.S)[1] + "}")


def test_every_file_has_its_type_the_strict_policy_and_is_revalidated(stand):
    types = {"html": "text/html", "js": "text/javascript", "css": "text/css", "wasm": "application/wasm",
             "webmanifest": "application/manifest+json", "svg": "image/svg+xml", "png": "image/png"}
    for path in ["/", "/sw.js", *files(stand)]:
        answer = stand.call("GET", path)
        ending = "html" if path == "/" else path.rsplit(".", 1)[1]
        assert answer.status == 200, path
        assert answer.headers["Content-Type"].split(";")[0] == types[ending], path
        assert answer.headers["Cache-Control"] == "no-cache" and answer.headers["ETag"], path
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'", path
        assert policy["script-src"] == "'self' 'wasm-unsafe-eval'", path
        assert policy["img-src"] == "'self' https://pictures.example", path
        assert not any("unsafe-inline" in value or "unsafe-eval'" in value.replace("wasm-", "")
                       for name, value in policy.items() if name != "script-src"), path
    assert "geolocation=(self)" in answer.headers["Permissions-Policy"]


def test_what_is_no_file_of_the_app_stays_a_problem(stand):
    for method, path in [("GET", "/x"), ("GET", "/icons/"), ("POST", "/"), ("PUT", "/main.js"), ("GET", "/sw.js.map"),
                         ("GET", "/../gateway.conf"), ("GET", "/..%2fgateway.conf")]:
        answer = stand.call(method, path)
        assert answer.status in (400, 404) and "code" in answer.json, (method, path)


def test_the_whole_app_is_smaller_than_250_kilobytes_gzipped(stand):
    paths = ["/sw.js", *files(stand)]
    sizes = {path: len(gzip.compress(stand.call("GET", path).body, 9)) for path in paths}
    print(f"{sum(sizes.values())} bytes gzipped, the core {sizes['/core.wasm']}")
    assert sum(sizes.values()) < 250_000


# What of a load was when: in milliseconds from the navigation on.
def test_a_browser_finds_nothing_that_hinders_installing(stand, browser_type, tmp_path):
    context = browser_type.launch_persistent_context(
        tmp_path, executable_path=shutil.which("chromium"), args=["--no-sandbox"], base_url=stand.url)
    try:
        page = context.new_page()
        page.goto("/")
        stand.eventually(lambda: page.evaluate("navigator.serviceWorker.controller !== null") or page.wait_for_timeout(50), "installed")
        devtools = context.new_cdp_session(page)
        manifest = devtools.send("Page.getAppManifest")
        assert manifest["errors"] == [] and json.loads(manifest["data"])["display"] == "standalone"
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    finally:
        context.close()


def test_a_new_version_waits_until_the_reader_wants_it(person, stand, web):
    person.installed()
    page = web / "sw.js"
    before = page.read_text()
    try:
        page.write_text(before.replace('const version = "', 'const version = "next-'))
        (web / "sw.js.gz").write_bytes(gzip.compress(page.read_bytes()))
        person.page.reload()
        person.settle()
        person.page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
        with person.page.expect_navigation():
            person.page.get_by_role("button", name="Load it").click()
        person.settle()
        names = person.page.evaluate("caches.keys()")
        assert len([name for name in names if name.startswith("stride-next-")]) == 1
    finally:
        page.write_text(before)
        (web / "sw.js.gz").write_bytes(gzip.compress(page.read_bytes()))


def test_a_damaged_file_on_the_device_is_fetched_again(person):
    person.add_by_hand(432)
    person.saved()
    person.installed()
    for path, kind in [("/modules/words.js", "text/javascript"), ("/main.js", "text/javascript"), ("/core.wasm", "application/wasm")]:
        person.page.evaluate("""async ([path, kind]) => {
            const name = (await caches.keys()).find((name) => name.startsWith("stride-") && name !== "stride-settings");
            await (await caches.open(name)).put(path, new Response("}{ damaged", { headers: { "Content-Type": kind } }));
        }""", [path, kind])
        person.page.goto("about:blank")
        person.page.goto("/#/")
        person.settle()
        expect(person.steps_today).to_have_text("432")
        person.saved()
        person.installed()
    person.complaints[:] = [complaint for complaint in person.complaints if "SyntaxError" not in complaint and "Unexpected token" not in complaint
                            and "CompileError" not in complaint]


def test_data_that_is_taken_away_while_the_page_is_open_loads_it_again_with_words(person):
    person.add_by_hand(12)
    person.saved()
    person.page.evaluate("""async () => {
        const { name } = (await indexedDB.databases()).find(({ name }) => name !== "stride-session");
        indexedDB.deleteDatabase(name);
    }""")
    expect(person.page.get_by_text("was removed or renewed elsewhere")).to_be_visible()
    expect(person.steps_today).to_have_text("12")  # from the server
    person.add_by_hand(3)
    person.saved()
    assert sorted(workout["steps"] for workout in person.workouts()) == [3, 12]


def test_what_is_done_in_the_moment_in_which_data_is_taken_away_fails_unheard(person):
    person.go("add")
    person.page.get_by_label("Steps").fill("5")
    person.page.evaluate("""async () => {
        const close = IDBDatabase.prototype.close;
        IDBDatabase.prototype.close = function () {
            close.call(this);
            document.querySelector("main form button[type=submit], main form button:not([type])").click();
        };
        const { name } = (await indexedDB.databases()).find(({ name }) => name !== "stride-session");
        indexedDB.deleteDatabase(name);
    }""")
    expect(person.page.get_by_text("was removed or renewed elsewhere")).to_be_visible()
    assert person.workouts() == []  # and nothing was complained of, as after every test
