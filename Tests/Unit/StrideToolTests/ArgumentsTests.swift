import Testing

@testable import StrideTool

/// The words after a command.
@Suite struct ArgumentsTests {
    @Test("Options and flags are taken out wherever they stand, and what is left are the words")
    func order() throws {
        for words in [
            ["FILE", "--kind", "k", "--all"], ["--all", "--kind", "k", "FILE"], ["--kind", "k", "--all", "FILE"],
        ] {
            var arguments = Arguments(words)
            #expect(try arguments.required("kind") == "k")
            let found = [arguments.flag("all"), arguments.flag("all")]
            #expect(found == [true, false])
            #expect(try arguments.word("the file") == "FILE")
            try arguments.finish()
        }
    }

    @Test("A missing value, a missing word and a word too many are faults")
    func faults() {
        var missing = Arguments(["--kind"])
        #expect(throws: Arguments.Fault.self) { try missing.option("kind") }
        var empty = Arguments([])
        #expect(throws: Arguments.Fault.self) { try empty.word("the file") }
        #expect(throws: Arguments.Fault.self) { try Arguments(["more"]).finish() }
        for text in ["0", "501", "x", "1.5"] {
            var arguments = Arguments(["--batch", text])
            #expect(throws: Arguments.Fault.self) { try arguments.integer("batch", default: 200, in: 1...500) }
        }
    }

    @Test("Called without a command, with a wrong one or with options that do not fit, it says so by its status")
    func calledWrongly() async {
        for words in [[], ["nonsense"], ["top", "--json"], ["top", "here"]] {
            #expect(await StrideTool.run(words, environment: ["STRIDE_REDIS_URL": "redis://127.0.0.1:1"]) == 2)
        }
        #expect(await StrideTool.run(["help"], environment: [:]) == 0)
    }
}
