"""What every browser test gets: the running system, a browser, and pages of people."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from person import Person
from stand import Stand



@pytest.fixture(scope="session")
def folder():
    folder = Path(tempfile.mkdtemp(prefix="browser.", dir=os.environ.get("STRIDE_TEST_FOLDERS")))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def web(folder):
    """The files that the gateway serves; a test that changes them puts them back."""
    shutil.copytree(os.environ["STRIDE_TEST_WEB"], folder / "web")
    return folder / "web"


@pytest.fixture(scope="session")
def stand(folder, web):
    stand = Stand(folder)
    try:
        stand.begin()
        yield stand
    finally:
        stand.close()


@pytest.fixture(scope="session")
def browser_type():
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def chromium(browser_type):
    browser = browser_type.launch(
        executable_path=shutil.which("chromium"),
        # Without its sandbox, because the tests may run as root; it calls nobody by itself.
        args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"])
    yield browser
    browser.close()


@pytest.fixture
def people(stand, chromium):
    """Makes people, each with a browser of their own; whatever a page complains of fails the test."""
    made = []

    def make(**options) -> Person:
        person = Person(stand, chromium, **options)
        made.append(person)
        return person

    yield make
    complaints = [complaint for person in made for complaint in person.complaints]
    complaints += [f"asked {url}" for person in made for _, url, _ in person.requests if not url.startswith(
        (stand.url, "blob:", "data:", "https://pictures.example/", "https://issuer.example/"))]
    for person in made:
        person.context.close()
    assert complaints == []


@pytest.fixture
def person(people) -> Person:
    """Somebody who has just signed in."""
    person = people()
    person.open()
    person.sign_in()
    return person
