import HTTP
import Models
import ServiceKit
import Storage

/// Turns what was found into what the contract says that a client gets.
enum BoardAnswers {
    /// A body, or 304 for a client that has it.
    static func body(_ body: [UInt8], from source: ReadSource, _ request: HTTPRequest) -> HTTPResponse {
        encoded(TopPages.Encoded(body), from: source, request)
    }

    /// A body whose tag is known.
    ///
    /// It is the same for everybody and may be kept, but not shown again without asking.
    static func encoded(
        _ encoded: TopPages.Encoded, from source: ReadSource, _ request: HTTPRequest
    ) -> HTTPResponse {
        var response =
            encoded.tag.isHeld(by: request.headers) ? HTTPResponse(status: 304) : .json(200, encoded.body)
        response.set("ETag", encoded.tag.field)
        response.set("Cache-Control", "no-cache")
        response.set("X-Stride-Source", source.rawValue)
        return response
    }

    static func noChallenge(_ request: HTTPRequest) -> HTTPResponse {
        .problem(Problem(.notFound, detail: "There is no such challenge.", instance: request.id))
    }

    static func noAthlete(_ request: HTTPRequest) -> HTTPResponse {
        .problem(Problem(.notFound, detail: "There is no such athlete in this challenge.", instance: request.id))
    }

    static func faulty(_ faults: [Fault], _ request: HTTPRequest) -> HTTPResponse {
        .problem(.invalid(faults, instance: request.id))
    }

    static func forbidden(_ detail: String, _ request: HTTPRequest) -> HTTPResponse {
        .problem(Problem(.forbidden, detail: detail, instance: request.id))
    }

    /// The user was erased, and the token does not count, or not yet.
    static func erased(_ isUnderWay: Bool, _ request: HTTPRequest) -> HTTPResponse {
        .problem(.erased(isUnderWay ? .isUnderWay : .tokenIsOlder, instance: request.id))
    }

    static let belongsToUser = "This entry belongs to a user, and only they may record it."
    static let takesNoSelfReports = "This challenge takes no entries of users about themselves."
}

extension PathParameters {
    /// The challenge of a path; `open` where the path names none, nil where it names what cannot be one.
    var challenge: ChallengeName? { self["challenge"].map { ChallengeName($0) } ?? .open }

    /// The athlete of a path, or what is wrong with it.
    var athlete: Checked<Int64> {
        guard let id = self["id"].flatMap({ AthleteRules.integer($0) }) else {
            return .invalid([
                Fault(pointer: "/path/id", detail: "must be an integer from -9007199254740991 to 9007199254740991")
            ])
        }
        return .valid(id)
    }
}

/// The paths under which a challenge's calls are found.
enum BoardPaths {
    static let bases = ["/v1", "/v1/challenges/{challenge}"]
}
