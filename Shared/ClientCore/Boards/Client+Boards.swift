import Models

extension Client {
    /// The board of a challenge; nil if nobody asked for it yet.
    func board(_ name: [UInt8]) -> Board? { boards.first { $0.name == name } }

    /// Changes a board, which begins to be if it was not.
    func updateBoard(_ name: [UInt8], _ change: (inout Board) -> Void) {
        if let index = boards.firstIndex(where: { $0.name == name }) {
            change(&boards[index])
        } else {
            var board = Board(name: name)
            change(&board)
            boards.append(board)
        }
    }

    /// Takes a stored board, or a stored change of one.
    func restoreBoard(_ key: String, _ value: JSONValue) -> Bool {
        let prefix = Array("change:".utf8)
        let bytes = Array(key.utf8)
        let isChange = bytes.starts(with: prefix)
        let name = isChange ? Array(bytes[prefix.count...]) : bytes
        guard Board.name(String(decoding: name, as: UTF8.self)) != nil else { return false }
        updateBoard(name) { board in
            if isChange { board.change = BoardChange(value) } else { board.restore(value) }
        }
        return true
    }

    /// The user wants to be on a board with this score.
    func recordScore(_ event: JSONValue) -> Bool {
        guard let name = (event.text("challenge") ?? "open").boardName, let title = event.text("name"),
            !event.holds("score") || event.integer("score") != nil
        else { return false }
        setEntry(name, (title, event.integer("score"), event.text("image_url")))
        return true
    }

    /// The user wants off a board.
    func removeScore(_ event: JSONValue) -> Bool {
        guard let name = (event.text("challenge") ?? "open").boardName else { return false }
        setEntry(name, nil)
        return true
    }

    /// A refused score is forgotten.
    func discardScore(_ event: JSONValue) -> Bool {
        guard let name = (event.text("challenge") ?? "open").boardName else { return false }
        updateBoard(name) { $0.change = nil }
        dirty.add(.boardChange(name))
        return true
    }

    private func setEntry(_ name: [UInt8], _ entry: (name: String, score: Int64?, imageURL: String?)?) {
        let version = plans.newVersion()
        updateBoard(name) { $0.change = BoardChange(entry: entry, version: version) }
        dirty.add(.boardChange(name))
    }

    /// The next own entry to be sent; nil if none waits.
    func nextBoardChange() -> (Errand, ClientRequest)? {
        for board in boards {
            guard let change = board.change, change.reason == nil else { continue }
            let method = change.entry == nil ? "DELETE" : "PUT"
            return (.boardChange(board.name, change.version), request(method, board.path("/me"), change.body))
        }
        return nil
    }

    /// The next part of a board to be read; nil if none is wanted.
    func nextBoardReading() -> (Errand, ClientRequest)? {
        for board in boards {
            if board.wantsChallenge {
                let path = "/v1/challenges/" + String(decoding: board.name, as: UTF8.self)
                return (.challenge(board.name), request("GET", path, nil, isAuthenticated: false))
            }
            if board.wantsRows {
                var limit = JSONWriter(reserving: 8)
                limit.integer(Int64(max(Board.page, min(Board.most, board.rows.count))))
                let path = board.path("?limit=" + String(decoding: limit.bytes, as: UTF8.self))
                return (.boardRows(board.name, isMore: false), request("GET", path, nil, isAuthenticated: false))
            }
            if board.wantsMore, let cursor = board.cursor {
                let path = board.path("?limit=100&cursor=" + cursor)
                return (.boardRows(board.name, isMore: true), request("GET", path, nil, isAuthenticated: false))
            }
            if board.wantsSummary {
                return (.boardSummary(board.name), request("GET", board.path("/summary"), nil, isAuthenticated: false))
            }
            if board.wantsMine, board.challenge?.takesSelfReports ?? false, link.isSignedIn {
                return (.ownEntry(board.name), request("GET", board.path("/me"), nil))
            }
        }
        return nil
    }
}

extension String {
    /// The name of a challenge as bytes; nil if this is none.
    var boardName: [UInt8]? { Board.name(self) }
}
