internal import CPostgres
internal import EventLoops

/// What a session knows of a statement that it keeps.
struct PreparedStatement {
    var sql: String
    var types: [PostgresType]

    /// Whether a run with these parameters means the same statement; a null of inferred type goes with any.
    func accepts(_ statement: PostgresStatement) -> Bool {
        guard sql == statement.sql, types.count == statement.parameters.count else { return false }
        return zip(types, statement.parameters).allSatisfy { known, parameter in
            known == parameter.type || parameter.type == .inferred
        }
    }
}

extension PostgresConnection {
    /// Hands all statements and the sync to libpq.
    ///
    /// Nothing waits: what the socket does not take stays in its buffer.
    func send(_ statements: [PostgresStatement], on session: SessionHandle) throws(PostgresError) {
        if !preparing.isEmpty { preparing = [:] }
        for (index, statement) in statements.enumerated() {
            let isNamed = usesNamedStatements && !statement.name.isEmpty
            if isNamed { try prepare(statement, index, on: session) }
            guard run(statement, isNamed: isNamed, on: session) else { throw unsent(session) }
            state.sent(.execute(index, statement.effect))
        }
        // The sync flushes too; what is left over waits for the socket.
        guard unsafe PQpipelineSync(session.raw) == 1 else { throw unsent(session) }
        state.sent(.sync)
        if unsafe PQflush(session.raw) == 1 { watcher?.watch([.readable, .writable]) }
    }

    /// Sends the Parse when the session does not know the statement.
    private func prepare(
        _ statement: PostgresStatement, _ index: Int, on session: SessionHandle
    ) throws(PostgresError) {
        let known = prepared[statement.name] ?? preparing.values.first { $0.name == statement.name }?.statement
        if let known {
            guard known.accepts(statement) else {
                throw PostgresError(.misuse, "one name for two statements", detail: statement.name)
            }
            return
        }
        let types = statement.parameters.map(\.type)
        let isSent = unsafe types.map(\.rawValue).withUnsafeBufferPointer { types in
            unsafe PQsendPrepare(session.raw, statement.name, statement.sql, Int32(types.count), types.baseAddress)
        }
        guard isSent == 1 else { throw unsent(session) }
        state.sent(.prepare(index))
        preparing[index] = (statement.name, PreparedStatement(sql: statement.sql, types: types))
    }

    private func unsent(_ session: SessionHandle) -> PostgresError {
        let isAlive = unsafe PQstatus(session.raw) == CONNECTION_OK
        return PostgresError(
            isAlive ? .misuse : .connectionLost,
            isAlive ? "libpq did not take a statement" : "the connection to PostgreSQL was lost",
            detail: PostgresError.firstLine(session.errorText))
    }

    /// Sends one statement with its parameters and asks for binary results.
    private func run(_ statement: PostgresStatement, isNamed: Bool, on session: SessionHandle) -> Bool {
        let parameters = statement.parameters
        let count = parameters.count
        guard count > 0 else {
            return unsafe isNamed
                ? PQsendQueryPrepared(session.raw, statement.name, 0, nil, nil, nil, 1) == 1
                : PQsendQueryParams(session.raw, statement.sql, 0, nil, nil, nil, nil, 1) == 1
        }
        return unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * count) { numbers in
                let lengths = unsafe UnsafeMutableBufferPointer(rebasing: numbers[..<count])
                let formats = unsafe UnsafeMutableBufferPointer(rebasing: numbers[count..<2 * count])
                let types = unsafe UnsafeMutableBufferPointer(rebasing: numbers[(2 * count)...])
                // Where each begins is kept in `lengths` as an end until all are encoded and the buffer stays put.
                parameterBytes.removeAll(keepingCapacity: parameterBytes.capacity <= 1 << 20)
                // One byte in front, so that an empty value has an address too; null is the value without one.
                parameterBytes.append(0)
                for index in 0..<count {
                    let isValue = parameters[index].encode(to: &parameterBytes)
                    unsafe lengths[index] = isValue ? Int32(clamping: parameterBytes.count) : -1
                    unsafe formats[index] = 1
                    unsafe types[index] = Int32(bitPattern: parameters[index].type.rawValue)
                }
                return unsafe parameterBytes.withUnsafeBufferPointer { bytes in
                    var start = 1
                    for index in 0..<count {
                        let end = unsafe Int(lengths[index])
                        guard end >= 0, let base = bytes.baseAddress else {
                            unsafe values[index] = nil
                            unsafe lengths[index] = 0
                            continue
                        }
                        unsafe values[index] = UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
                        unsafe lengths[index] = Int32(clamping: end - start)
                        start = end
                    }
                    guard !isNamed else {
                        return unsafe PQsendQueryPrepared(
                            session.raw, statement.name, Int32(count), values.baseAddress, lengths.baseAddress,
                            formats.baseAddress, 1) == 1
                    }
                    return unsafe types.withMemoryRebound(to: UInt32.self) { types in
                        unsafe PQsendQueryParams(
                            session.raw, statement.sql, Int32(count), types.baseAddress, values.baseAddress,
                            lengths.baseAddress, formats.baseAddress, 1) == 1
                    }
                }
            }
        }
    }
}
