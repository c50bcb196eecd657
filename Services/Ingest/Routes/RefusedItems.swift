import Models
import Telemetry

/// The items of a batch whose client is to send them again although the batch was answered 200, by the reason.
///
/// The contract tells a client no reason of an item: it waits `retry_after_ms` and comes again, whatever it is. Operators count
/// refusals by reason, so here it is kept for them.
struct RefusedItems {
    private(set) var counts: [Problem.Reason: Int] = [:]

    init(of results: [BatchItemResult]) {
        for result in results {
            if case .rejected(let problem) = result.outcome, let reason = problem.reason {
                counts[reason, default: 0] += 1
            }
        }
    }

    /// One line for each reason, with the id of the call.
    func log(_ logger: Logger, requestID: String) {
        for (reason, count) in counts {
            logger.with(requestID: requestID).info(
                "items_refused", ["reason": .string(reason.rawValue), "items": .number(count)])
        }
    }
}
