import EventLoops
import Models
import Postgres
import ServiceKit
import Storage

/// The steps of an erasure, in their order.
extension ErasureWork {
    /// Why an erasure is left before its end.
    private enum Leaving: Error {
        /// The service stops.
        case stopping
        /// Somebody else has finished it.
        case finished
    }

    /// Everything, from wherever it stands.
    func carryOut(_ erasure: Erasure) async throws {
        do {
            _ = await traces.forget(erasure.user)
            while true {
                try await leaveBoards(erasure)
                for table in ErasedTable.allCases { try await empty(table, erasure) }
                let end = try await step { connection, work throws(PostgresError) in
                    try await work.store.finish(erasure, on: connection)
                }
                guard let (erasure, mark) = end else { continue }
                return await ended(erasure, mark)
            }
        } catch Leaving.finished {
            try? await loop.sleep(for: Self.spreading)
        }
    }

    /// Takes the user's own entries off the boards, and the user's name off what they have recorded.
    private func leaveBoards(_ erasure: Erasure) async throws {
        while true {
            let challenges = try await pool.transact(.upkeep) { connection throws(PostgresError) in
                try await store.boards(of: erasure, on: connection)
            }
            guard !challenges.isEmpty else { break }
            for challenge in challenges {
                let delta = try await step { connection, work throws(PostgresError) in
                    try await work.boards.erase(erasure, from: challenge, at: work.clock.now, on: connection)
                }
                await traces.show(delta)
            }
        }
        var isDone = false
        while !isDone {
            isDone = try await step { connection, work throws(PostgresError) in
                try await work.store.forgetRecorder(of: erasure, on: connection)
            }
        }
    }

    private func empty(_ table: ErasedTable, _ erasure: Erasure) async throws {
        var place = ErasureStore.Place.first
        while !place.isAtEnd {
            let from = place
            place = try await step { connection, work throws(PostgresError) in
                try await work.store.erase(table, from: from, of: erasure, on: connection)
            }
        }
    }

    /// One step, when it is this one's turn and nobody else is at the same erasure.
    private func step<Value>(
        _ body: (PostgresConnection, ErasureWork) async throws(PostgresError) -> ErasureStore.Step<Value>
    ) async throws -> Value {
        while true {
            await beginStep()
            defer { endStep() }
            guard !isStopping else { throw Leaving.stopping }
            let begin = loop.now
            let outcome = try await pool.transact(.upkeep) { connection throws(PostgresError) in
                try await body(connection, self)
            }
            #if DEBUG
                FaultPoint.erasureStep.reach()
            #endif
            switch outcome {
            case .done(let value):
                try? await loop.sleep(for: min(begin.duration(to: loop.now), Self.pause))
                return value
            case .busy: try? await loop.sleep(for: Self.pause)
            case .finished: throw Leaving.finished
            }
        }
    }
}
