"""Numbers as people type them: read in full or refused, never in part."""

import pytest
from playwright.sync_api import expect

# What is typed, and the whole number that it is.
WHOLE = {
    "1500": 1500, "1,500": 1500, "1.500": 1500, "1 500": 1500, "1\u00a0500": 1500, "1\u202f500": 1500, "1'500": 1500,
    "1’500": 1500, " 20,000 ": 20_000, "1,234,567": 1_234_567, "12,34,567": 1_234_567, "١٥٠٠": 1500, "١٬٥٠٠": 1500,
    "۱٬۵۰۰": 1500, "१,५००": 1500, "１５００": 1500, "0": 0,
    "1,5": None, "1,50": None, "20,00": None, "1,500.0": None, "1,500,": None, "1,,500": None, "0,500": None, "-5": None,
    "1e3": None, "12 steps": None, "5²": None, "½": None, "1 500,000": None, "": None,
}

# The same for numbers with decimals, by locale.
DECIMAL = [
    ("1,234", "en-GB", 1234), ("1,234", "de-DE", 1.234), ("1.234", "de-DE", 1234), ("1.234", "en-US", 1.234),
    ("1.234", "fr-FR", None), ("1,234", "de-CH", None), ("1,5", "en-GB", 1.5), ("1.5", "de-DE", 1.5), ("0,500", "en-GB", 0.5),
    ("1,234.5", "de-DE", 1234.5), ("1.234,5", "en-GB", 1234.5), ("1 234,5", "fr-FR", 1234.5), ("٣٫٥", "ar-EG", 3.5),
    ("٣٬٥٠٠", "ar-EG", 3500), (".5", "en-GB", 0.5), ("5.", "en-GB", None), ("1,234,5", "en-GB", None), ("1.2.3", "en-GB", None),
    ("1 5", "en-GB", None), ("1.234.567", "en-GB", 1_234_567), ("12,345.678", "hi-IN", 12_345.678), ("-1", "en-GB", None),
]


def test_every_way_of_writing_is_read_in_full_or_refused(people):
    person = people()
    person.open()
    read = person.page.evaluate("""async ([whole, decimal]) => {
        const { wholeNumber, decimalNumber } = await import("/modules/numbers.js");
        const orNull = (value) => (Number.isNaN(value) ? null : value);
        return [whole.map((text) => orNull(wholeNumber(text))), decimal.map(([text, locale]) => orNull(decimalNumber(text, locale)))];
    }""", [list(WHOLE), [[text, locale] for text, locale, _ in DECIMAL]])
    assert dict(zip(WHOLE, read[0])) == WHOLE
    assert [(text, locale, got) for (text, locale, _), got in zip(DECIMAL, read[1])] == DECIMAL


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ar-EG"])
def test_what_a_field_shows_is_what_it_reads(people, locale):
    person = people(locale=locale)
    person.open("settings")
    person.page.locator("input[value=km]").check()
    person.go("plan")
    page = person.page
    page.locator("section[aria-labelledby=goal] summary").click()
    page.get_by_label("Steps a week").fill("20,000")
    page.get_by_role("button", name="Set goal").click()
    expect(page.get_by_text("Your goal is set.")).to_be_visible()
    assert stored_goal(person) == {"steps": 20_000, "distance": None}
    page.get_by_label("Distance", exact=True).check()
    page.get_by_label("Distance a week").fill({"de-DE": "12,345", "ar-EG": "١٢٫٣٤٥"}.get(locale, "12.345"))
    page.get_by_role("button", name="Set goal").click()
    person.until("document.querySelector('[aria-invalid=true]') === null")
    person.stand.eventually(lambda: stored_goal(person) == {"steps": None, "distance": 12_345}, "the goal")
    person.go("")
    person.go("plan")
    page.locator("section[aria-labelledby=goal] summary").click()
    page.get_by_role("button", name="Set goal").click()
    expect(page.get_by_text("Your goal is set.").first).to_be_visible()
    assert stored_goal(person) == {"steps": None, "distance": 12_345}


def stored_goal(person):
    [database] = person.databases().values()
    record = database["state"].get("change:goal")
    return record and {kind: record["goal"].get(kind) for kind in ["steps", "distance"]}


def test_a_number_that_could_be_two_is_refused_with_words(people):
    person = people(locale="fr-FR")
    person.open("add")
    person.page.get_by_label("Distance").fill("1.234")
    person.page.get_by_label("Steps").fill("1,5")
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.page.get_by_text("A number up to 500 kilometres, with “,” before decimals.")).to_be_visible()
    expect(person.page.get_by_text("A whole number up to 500 000.")).to_be_visible()
    person.page.get_by_label("Distance").fill("1,234")
    person.page.get_by_label("Steps").fill("1.500")
    person.page.get_by_role("button", name="Add workout").click()
    expect(person.steps_today).to_have_text("1\u202f500")
