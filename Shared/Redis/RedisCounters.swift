/// What a client has seen since it was made, for metrics; plain numbers, read on the loop.
package struct RedisCounters: Equatable, Sendable {
    /// Connections that became ready.
    package internal(set) var connects = 0
    /// Attempts that did not become ready.
    package internal(set) var failedConnects = 0
    /// Ready connections that ended before `close`.
    package internal(set) var losses = 0
    /// Exchanges whose deadline passed.
    package internal(set) var timeouts = 0
    /// How often calls ceased to be tried, because one was not answered in time.
    package internal(set) var breakerOpenings = 0
    /// Exchanges whose caller was cancelled while it waited.
    package internal(set) var cancellations = 0
    /// Exchanges that were refused because too much was waiting.
    package internal(set) var overloads = 0
    /// Connections given up because the server's bytes were no replies.
    package internal(set) var protocolViolations = 0
    /// Commands sent.
    package internal(set) var commands = 0
    /// Writes to the socket; `commands` divided by it shows what pipelining saves.
    package internal(set) var writes = 0
    /// Calls repeated because the server had lost their script.
    package internal(set) var scriptReloads = 0
    /// Redirections for good, of a cluster.
    package internal(set) var movedReplies = 0
    /// Redirections for one command, of a cluster.
    package internal(set) var askReplies = 0
    /// Commands that had to wait for the rest of their keys, in a cluster.
    package internal(set) var tryAgainReplies = 0
    /// Looks at the map of a cluster.
    package internal(set) var mapLooks = 0
    /// Commands that wait for their reply now.
    package internal(set) var inFlight = 0
    /// Bytes of these commands.
    package internal(set) var pendingBytes = 0
}
