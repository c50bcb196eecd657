import HTTP
import Models
import ServiceKit
import Storage

/// Turns what was read into what the contract says that a client gets.
enum ProgressAnswers {
    /// A body of the user's own: kept by nobody else, and never used without asking again.
    static func body(_ body: [UInt8], from source: ReadSource) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "private, no-cache"),
                HTTPField("X-Stride-Source", source.rawValue),
            ], body: body)
    }

    /// Everything, as a file.
    static func export(_ outcome: ExportEverything.Outcome, _ request: HTTPRequest) -> HTTPResponse {
        switch outcome {
        case .refused(let standing): .problem(.erased(standing, instance: request.id))
        case .stream(let stream):
            HTTPResponse(
                status: 200,
                headers: [
                    HTTPField("Content-Type", "application/x-ndjson"), HTTPField("Cache-Control", "private, no-store"),
                    HTTPField("Content-Disposition", "attachment; filename=\"stride-export.ndjson\""),
                    HTTPField("X-Stride-Source", ReadSource.database.rawValue),
                ], stream: stream)
        }
    }

    /// The summary, or 304 for a client that has it.
    static func summary(_ shown: ShowSummary.Shown, _ request: HTTPRequest) -> HTTPResponse {
        // All fields at once: a field set later makes the array grow.
        let fields = [
            HTTPField("ETag", shown.tag.field), HTTPField("Cache-Control", "private, no-cache"),
            HTTPField("X-Stride-Source", shown.source.rawValue), HTTPField("Content-Type", "application/json"),
        ]
        if shown.tag.isHeld(by: request.headers) { return HTTPResponse(status: 304, headers: Array(fields.dropLast())) }
        return HTTPResponse(status: 200, headers: fields, body: shown.body)
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

    /// Absolute path and query; everything in it is digits and hexadecimal, so nothing has to be escaped.
    private static func path(of query: WorkoutsQuery, after cursor: WorkoutCursor) -> String {
        var items: [String] = []
        if let start = query.start { items.append("start_time=\(start.milliseconds)") }
        if let end = query.end { items.append("end_time=\(end.milliseconds)") }
        items += ["limit=\(query.limit)", "cursor=\(cursor.text)"]
        return "/v1/workouts?\(items.joined(separator: "&"))"
    }
}
