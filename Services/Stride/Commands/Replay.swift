import ServiceKit

enum Replay { static func run(_ a: inout Arguments, _ s: inout Settings) async throws -> Int32 { 0 } }
