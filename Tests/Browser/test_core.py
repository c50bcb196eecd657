"""The core in its page: traps, several windows, nothing that leaks."""

from playwright.sync_api import expect

# Lets the next event trap, by a module that does nothing else.
TRAP = """
const Real = WebAssembly.Instance;
const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
window.instances = [];
WebAssembly.Instance = function (module, imports) {
    const { exports } = new Real(module, imports);
    window.instances.push(exports);
    return { exports: { ...exports, core_json() {
        if (window.trapNext) {
            window.trapNext = false;
            new Real(new WebAssembly.Module(new Uint8Array(bytes))).exports.f();
        }
        return exports.core_json();
    } } };
};
"""


def test_a_trap_costs_the_event_and_nothing_else(people):
    person = people(scripts=(TRAP,))
    person.open()
    person.sign_in()
    person.add_by_hand(500)
    person.saved()
    before = person.page.evaluate("window.instances.length")
    person.page.evaluate("window.trapNext = true")
    person.go("history")
    expect(person.page.get_by_text("Stride had to begin anew.")).to_be_visible()
    assert person.page.evaluate("window.instances.length") == before + 1
    person.go("")
    expect(person.steps_today).to_have_text("500")
    person.add_by_hand(70)
    expect(person.steps_today).to_have_text("570")
    person.saved()
    assert sorted(workout["steps"] for workout in person.workouts()) == [70, 500]
    told = [complaint for complaint in person.complaints if "has trapped" in complaint]
    assert len(told) == 1
    person.complaints.remove(told[0])


def test_of_two_windows_the_used_one_has_the_core_and_nothing_is_sent_twice(person):
    person.add_by_hand(100)
    person.saved()
    first, second = person.page, person.new_page()
    person.page = second
    person.open()
    expect(person.steps_today).to_have_text("100")
    expect(first.get_by_text("in use in another window")).to_be_visible()
    person.add_by_hand(20)
    person.saved()
    person.page = first
    person.add_by_hand(3)
    expect(person.steps_today).to_have_text("123")
    person.saved()
    expect(second.get_by_text("in use in another window")).to_be_visible()
    assert sorted(workout["steps"] for workout in person.workouts()) == [3, 20, 100]


def test_ten_minutes_of_use_leave_no_block_behind(people):
    person = people(scripts=(TRAP,))
    person.open()
    person.sign_in()
    person.saved()

    def round_trip():
        for screen in ["history", "plan", "board", "settings", "workout", ""]:
            person.go(screen)

    person.go("plan")
    expect(person.page.get_by_role("heading", name="First walks")).to_be_visible()  # what the server offers is there, and stays
    for _ in range(3):
        round_trip()
    before = person.page.evaluate("window.instances.at(-1).core_live_blocks()")
    for _ in range(10):
        round_trip()
    assert person.page.evaluate("window.instances.at(-1).core_live_blocks()") - before < 60
