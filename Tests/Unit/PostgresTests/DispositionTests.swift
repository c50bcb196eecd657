import Testing

@testable import Postgres

@Suite struct DispositionTests {
    @Test(
        "P2: each SQLSTATE is retried, re-routed, shed or failed as the table says",
        arguments: [
            // Class 40: the transaction was rolled back for no fault of its own.
            ("40000", PostgresDisposition.retry), ("40001", .retry), ("40P01", .retry),
            ("40002", .fail), ("40003", .fail),
            // Locks and limits of time: the database is busy.
            ("55P03", .shed), ("57014", .shed), ("55006", .fail), ("55000", .fail),
            // The connection, or the server behind it.
            ("08000", .reconnect), ("08001", .reconnect), ("08003", .reconnect), ("08006", .reconnect),
            ("08P01", .reconnect), ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect),
            ("57P05", .reconnect), ("25P03", .reconnect), ("57P04", .fail),
            // Resources of the server.
            ("53000", .shed), ("53100", .shed), ("53200", .shed), ("53300", .shed), ("53400", .shed),
            ("58030", .shed), ("58000", .shed), ("58P01", .fail),
            // Another server is the right one, or another session.
            ("25006", .reconnect), ("26000", .reconnect),
            ("72000", .retry),
            // Our statements, our data, our rights.
            ("25P02", .fail), ("22003", .fail), ("22021", .fail), ("22P03", .fail), ("23505", .fail), ("23503", .fail),
            ("28P01", .fail), ("28000", .fail), ("3D000", .fail), ("42P01", .fail), ("42501", .fail), ("42883", .fail),
            ("0A000", .fail), ("54000", .fail), ("P0001", .fail), ("XX000", .fail), ("XX001", .fail), ("ZZ999", .fail),
        ])
    func table(code: String, disposition: PostgresDisposition) throws {
        let state = try #require(SQLState(rawValue: code))
        #expect(state.disposition == disposition)
        #expect(PostgresError(.server(state), "").disposition == disposition)
    }

    @Test(
        "A failure without a SQLSTATE has a disposition too",
        arguments: [
            (PostgresError.Code.connectFailed, PostgresDisposition.shed), (.connectionLost, .reconnect),
            (.timedOut, .shed), (.cancelled, .fail), (.rolledBack, .fail), (.protocolViolation, .fail),
            (.poolExhausted, .shed), (.unavailable, .shed), (.closed, .shed), (.configuration, .fail),
            (.unexpectedResult, .fail), (.misuse, .fail),
        ])
    func codes(code: PostgresError.Code, disposition: PostgresDisposition) {
        #expect(PostgresError(code, "").disposition == disposition)
    }

    @Test("An unknown outcome is never repeated here, whatever else the error says")
    func unknownOutcome() {
        for code in [PostgresError.Code.connectionLost, .server(.adminShutdown), .server(.serializationFailure)] {
            #expect(PostgresError(code, "", isOutcomeUnknown: true).disposition == .shed)
        }
    }

    @Test("A state that needs a new session is re-routed rather than retried on the old one")
    func newSession() {
        var stalePlan = PostgresError(.server(.featureNotSupported), "")
        #expect(stalePlan.disposition == .fail)
        stalePlan.needsNewSession = true
        #expect(stalePlan.disposition == .reconnect)
        var deadlock = PostgresError(.server(.deadlockDetected), "")
        deadlock.needsNewSession = true
        #expect(deadlock.disposition == .reconnect)
        var full = PostgresError(.server(.tooManyConnections), "")
        full.needsNewSession = true
        #expect(full.disposition == .shed)
    }

    @Test("Only five digits and capitals are a SQLSTATE", arguments: ["", "4000", "400011", "4000a", "4000 ", "４0001"])
    func malformed(text: String) { #expect(SQLState(rawValue: text) == nil) }
}

@Suite struct ErrorTextTests {
    @Test("The SQLSTATE is found in what libpq says about a refused session, in any language")
    func connectText() {
        let german = PostgresError(
            connecting: "connection to server at \"127.0.0.1\", port 5432 failed: "
                + "FATALER FEHLER:  28P01: Passwort-Authentifizierung für Benutzer »x« fehlgeschlagen\n"
                + "ORT:  auth_failed, auth.c:326\n")
        #expect(german.code == .server(.invalidPassword))
        let full = PostgresError(connecting: "x failed: FATAL:  53300: sorry, too many clients already\nLOCATION: a\n")
        #expect(full.code == .server(.tooManyConnections) && full.disposition == .shed)
    }

    @Test("A failure below the protocol has no SQLSTATE")
    func refusedText() {
        let error = PostgresError(
            connecting: "connection to server at \"127.0.0.1\", port 1 failed: Connection refused\n"
                + "\tIs the server running on that host and accepting TCP/IP connections?\n")
        #expect(error.code == .connectFailed && error.sqlState == nil)
        #expect(PostgresError(connecting: "").code == .connectFailed)
        // Six bytes that end in a colon but are words.
        #expect(PostgresError(connecting: "ERROR: HELLO: failed").code == .connectFailed)
    }

    @Test("The safe text says that an outcome is unknown, and only the log's text has the server's words")
    func texts() {
        var error = PostgresError(.connectionLost, "lost", detail: "server words", isOutcomeUnknown: true)
        #expect(error.description == "lost; the outcome is unknown")
        error.constraint = "workouts_key"
        #expect(
            error.debugDescription
                == "PostgresError(connectionLost): lost; the outcome is unknown [constraint workouts_key] [server words]"
        )
    }
}
