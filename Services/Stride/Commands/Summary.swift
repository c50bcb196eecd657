import Foundation
import Models
import ServiceKit

/// `stride summary`: a person's week as bars.
enum Summary {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let subject = try arguments.required("sub")
        try arguments.finish()
        let style = Terminal.chartStyle(of: ProcessInfo.processInfo.environment)
        let base = settings.text("STRIDE_GATEWAY_URL")
        let signer = try Signer.make(&settings)
        guard let client = APIClient(base: base) else {
            throw Settings.Fault(faults: ["STRIDE_GATEWAY_URL is no http or https address"])
        }
        let token = try signer.token(subject: subject, life: 3600)
        let document = try await client.document("GET", "v1/progressSummary", token: token)
        guard let summary = WeekSummary(document) else {
            throw APIClient.Refused(description: "the answer of \(base) is no summary")
        }
        for line in WeekChart(subject: subject, summary: summary, style: style).lines { print(line) }
        return 0
    }
}
