import Models

extension Client {
    /// What the challenge is; one that is not there is known to be none.
    func takeChallenge(_ name: [UInt8], _ status: Int64, _ body: JSONValue) {
        guard status == 200 || status == 404 else { return fail(.board, status, body) }
        let time = now
        read(name) { board in
            board.wantsChallenge = false
            board.challenge = Board.Challenge(body)
            if board.challenge == nil {
                board.rows = []
                board.total = 0
                board.wantsRows = false
                board.wantsSummary = false
                board.asOf = time
            }
        }
    }

    /// Rows: all that are shown, or some more behind them.
    func takeRows(_ name: [UInt8], isMore: Bool, _ status: Int64, _ body: JSONValue) {
        if isMore && (status == 400 || status == 410) {
            // The board is no longer what the cursor was made for.
            return read(name) { board in
                board.wantsMore = false
                board.wantsRows = true
            }
        }
        guard status == 200, let list = body.list("athletes"), let total = body.integer("total") else {
            return status == 404 ? takeChallenge(name, status, body) : fail(.board, status, body)
        }
        var rows: [Board.Athlete] = []
        for item in list { if let athlete = Board.Athlete(item) { rows.append(athlete) } }
        let (time, cursor) = (now, body.text("nextCursor").flatMap { $0.isToken ? $0 : nil })
        read(name) { board in
            if isMore {
                board.rows.append(contentsOf: rows)
                board.wantsMore = false
            } else {
                board.rows = rows
                board.wantsRows = false
                board.asOf = time
            }
            board.total = total
            board.cursor = cursor
        }
    }

    /// The two measures of the challenge.
    func takeSummary(_ name: [UInt8], _ status: Int64, _ body: JSONValue) {
        guard status == 200, case .object = body else { return fail(.board, status, body) }
        read(name) { board in
            board.wantsSummary = false
            board.summary = body
        }
    }

    /// The own entry, or that there is none.
    func takeOwnEntry(_ name: [UInt8], _ status: Int64, _ body: JSONValue) {
        guard status == 200 || status == 404 || status == 403 else { return fail(.board, status, body) }
        read(name) { board in
            board.wantsMine = false
            board.mine = body.object("athlete").flatMap { Board.Athlete($0) }
        }
    }

    /// The answer to the own entry as the user wants it.
    func takeBoardChange(_ name: [UInt8], _ version: Int64, _ status: Int64, _ body: JSONValue) {
        let isRefused = status == 400 || status == 403 || status == 404 || status == 413 || status == 422
        guard isRefused || status == 200 || status == 201 || status == 204 else { return fail(.board, status, body) }
        read(name) { board in
            guard board.change?.version == version else { return }
            if isRefused {
                board.change?.reason = Reason(body)
                return
            }
            board.change = nil
            board.mine = body.object("athlete").flatMap { Board.Athlete($0) }
            board.wantsRows = true
            board.wantsSummary = true
            board.wantsMine = true
        }
        dirty.add(.boardChange(name))
    }

    private func read(_ name: [UInt8], _ change: (inout Board) -> Void) {
        link[.board].succeed()
        updateBoard(name) { board in
            board.failure = nil
            change(&board)
        }
        dirty.add(.board(name))
    }
}

extension String {
    /// Whether this can stand in a query as it is.
    var isToken: Bool {
        let bytes = utf8
        return !bytes.isEmpty && bytes.count <= 256
            && bytes.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            }
    }
}
