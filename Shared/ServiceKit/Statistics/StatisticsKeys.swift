/// The names of the statistics in Redis and how long they live.
///
/// All of them carry one hash tag and lie in one slot: what an instance writes in a second, and what a reader asks, is one
/// exchange with one server. A thousand instances are some thousand small commands a second for it.
package enum StatisticsKeys {
    /// Sorted set: who has written lately, by when, in milliseconds since 1970.
    package static let instances = "stride:{stats}:instances"
    /// Hash: what an instance did in the last second.
    package static func live(_ instance: String) -> String { "stride:{stats}:live:\(instance)" }
    /// Stream: what an instance did in each of the last minutes; an entry's id is the minute's begin.
    package static func minutes(_ instance: String) -> String { "stride:{stats}:minutes:\(instance)" }
    /// String: the sketch of the users whom an instance has seen within a minute.
    package static func users(_ instance: String) -> String { "stride:{stats}:users:\(instance)" }

    /// An instance that has not written for so long is gone.
    package static let liveSeconds: Int64 = 5
    /// Minutes of an instance stay for so long after its last one.
    package static let minutesSeconds: Int64 = 65 * 60
    /// How many minutes there are at most.
    package static let minuteCount: Int64 = 60

    /// How an instance is called: `ingest/host:8081`, with nothing in it that a key or a shell would mind.
    package static func instance(service: String, host: String, port: UInt16) -> String {
        let name = host.utf8.prefix(64).map { byte -> UInt8 in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            return isPlain ? byte : UInt8(ascii: "-")
        }
        return "\(service)/\(String(decoding: name, as: UTF8.self)):\(port)"
    }
}
