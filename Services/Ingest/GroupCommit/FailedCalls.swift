import Telemetry

/// The calls of a batch of which the database has not written everything, for the log.
///
/// When one row is refused it is one call, when PostgreSQL is away it is each of the batch.
struct FailedCalls {
    private var ids: [String] = []
    private var calls = 0
    private var workouts = 0

    /// The most ids of one line.
    private static let most = 20

    init(of batch: [CommitTicket], _ answers: [CommitAnswer]) {
        var place = 0
        for ticket in batch {
            let failed = answers[place..<(place + ticket.writes.count)].count { $0.isOfDatabase }
            place += ticket.writes.count
            guard failed > 0 else { continue }
            calls += 1
            workouts += failed
            if ids.count < Self.most { ids.append(ticket.call) }
        }
    }

    /// What is logged: how many, and the ids of the first of them.
    var fields: LogFields {
        [
            "calls": .number(calls), "workouts": .number(workouts),
            "request_ids": .string(ids.joined(separator: " ")),
        ]
    }
}

extension CommitAnswer {
    /// Whether the database is why it was not written.
    fileprivate var isOfDatabase: Bool {
        switch self {
        case .failure(.storeUnavailable), .failure(.internalFault): true
        case .failure(.overload), .failure(.draining), .failure(.erased), .success: false
        }
    }
}
