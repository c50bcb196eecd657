import HTTP
import Models
import ServiceKit
import Storage

/// Turns what was read into what the contract says that a client gets.
enum ProgressAnswers {
    /// A body of the user's own: kept by nobody else, and never used without asking again.
    static func body(_ body: [UInt8], from source: ReadSource) -> HTTPResponse {
        stamped(.json(200, body), source)
    }

    /// The summary, or 304 for a client that has it.
    static func summary(_ shown: ShowSummary.Shown, _ request: HTTPRequest) -> HTTPResponse {
        let bytes = shown.summary.encodeWithoutAsOf()
        let tag = EntityTag(of: bytes)
        var response =
            tag.matches(request.headers)
            ? HTTPResponse(status: 304) : .json(200, ProgressSummary.body(bytes, asOf: shown.moment.now))
        response.set("ETag", tag.field)
        return stamped(response, shown.source)
    }

    /// A page of weeks, or 410.
    static func weeks(_ outcome: ShowProgress.Outcome, _ request: HTTPRequest) -> HTTPResponse {
        switch outcome {
        case .page(let page, let source): body(page.encode(), from: source)
        case .expired: expired(request)
        }
    }

    /// A page of the list, with the way to the next one.
    static func workouts(_ page: WorkoutPages.Page, _ query: WorkoutsQuery) -> HTTPResponse {
        var response = body(WorkoutListItem.encodeList(page.workouts), from: .database)
        if let next = page.next { response.set("Link", "<\(path(of: query, after: next))>; rel=\"next\"") }
        return response
    }

    /// A page of the changes, or 410.
    static func changes(_ outcome: ChangesReader.Outcome, _ request: HTTPRequest) -> HTTPResponse {
        switch outcome {
        case .page(let page): body(page.encode(), from: .database)
        case .expired: expired(request)
        }
    }

    private static func expired(_ request: HTTPRequest) -> HTTPResponse {
        .problem(
            Problem(
                .cursorExpired, detail: "This cursor can no longer be served; begin again without one.",
                instance: request.id))
    }

    /// A query that breaks rules.
    static func faulty(_ faults: [Fault], _ request: HTTPRequest) -> HTTPResponse {
        .problem(.invalid(faults, instance: request.id))
    }

    /// Something could not be read.
    static func refused(_ refusal: ReadRefusal, _ request: HTTPRequest) -> HTTPResponse {
        switch refusal {
        case .overload: wait(.seconds(1), .overload, "More waits to be read than can be.", request)
        case .storeUnavailable: wait(.seconds(2), .storeUnavailable, "The database does not answer.", request)
        case .draining: wait(.milliseconds(200), .draining, "This instance is stopping.", request)
        case .internalFault:
            .problem(Problem(.internal, detail: "This could not be read.", instance: request.id))
        }
    }

    private static func wait(
        _ wait: Duration, _ reason: Problem.Reason, _ detail: String, _ request: HTTPRequest
    ) -> HTTPResponse {
        .problem(
            Problem(
                .tryAgainLater, detail: detail, instance: request.id, reason: reason,
                retryAfterMilliseconds: Jitter.spread(wait)))
    }

    private static func stamped(_ response: HTTPResponse, _ source: ReadSource) -> HTTPResponse {
        var response = response
        response.set("Cache-Control", "private, no-cache")
        response.set("X-Stride-Source", source.rawValue)
        return response
    }

    /// Absolute path and query; everything in it is digits and hexadecimal, so nothing has to be escaped.
    private static func path(of query: WorkoutsQuery, after cursor: WorkoutCursor) -> String {
        var items: [String] = []
        if let start = query.start { items.append("start_time=\(start.milliseconds)") }
        if let end = query.end { items.append("end_time=\(end.milliseconds)") }
        items += ["limit=\(query.limit)", "cursor=\(cursor.text)"]
        return "/v1/workouts?\(items.joined(separator: "&"))"
    }
}
