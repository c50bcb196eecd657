import Foundation
import StrideTestSupport
import Testing

/// docs/app-developers.md: its commands, run as they stand there, print what it says.
@Suite struct HandbookTests {
    /// Commands and what they print, in the order of the page.
    private struct Step {
        var commands = ""
        var output = ""
    }

    private static func steps(of page: String) -> [Step] {
        var steps: [Step] = []
        var fence: Substring?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                fence = fence == nil ? line.dropFirst(3) : nil
                if fence == "sh" { steps.append(Step()) }
            } else if fence == "sh" {
                steps[steps.count - 1].commands += line + "\n"
            } else if fence == "text" {
                steps[steps.count - 1].output += line + "\n"
            }
        }
        return steps
    }

    /// Whether an output is what the page shows; `…` stands for anything.
    private static func matches(_ output: String, _ shown: String) -> Bool {
        let pieces = shown.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "…")
        let pattern = pieces.map { NSRegularExpression.escapedPattern(for: $0) }.joined(separator: ".*")
        let text = output.split(separator: "\n").joined(separator: "\n")
        return text.range(of: "^\(pattern)$", options: .regularExpression) != nil
    }

    @Test("The commands of the page for app developers print what the page says")
    func commands() async throws {
        let steps = Self.steps(of: try TestFolder.contents(of: "docs/app-developers.md"))
        #expect(steps.count == 9)
        try await GatewayStand.run { stand in
            let (border, folder) = ("---8<---", stand.stores.folder)
            let script = steps.map { $0.commands + "echo '\(border)'\n" }.joined()
            try folder.write("commands", "set -eu\n" + script)
            let run = try ChildProcess(
                "/usr/bin/bash", [folder.path + "/commands"],
                environment: [
                    "BASE": "http://127.0.0.1:\(stand.gateway.port)", "TOKEN": try stand.phone().token,
                    "no_proxy": "127.0.0.1",
                ], log: folder.path + "/output")
            #expect(try await run.wait(within: .seconds(120)) == .exited(0), "\(run.log)")
            let outputs = run.log.components(separatedBy: border + "\n")
            for (step, output) in zip(steps, outputs) {
                #expect(!step.output.isEmpty && Self.matches(output, step.output), "\(step.commands)\(output)")
            }
            #expect(outputs.count == steps.count + 1)
        }
    }
}
