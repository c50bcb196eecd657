import Testing

@testable import Models

/// Ranks, pages and views as values.
@Suite struct LeaderboardRankTests {
    private func stretch(_ scores: [Int64?], before: Int64 = 0, better: Int64 = 0) -> BoardStretch {
        BoardStretch(
            athletes: scores.enumerated().map {
                NamedEntry(id: Int64($0.offset) + 1, entry: AthleteEntry(name: "A", score: $0.element))
            }, before: before, better: better)
    }

    @Test("Equal scores share a rank and the next one skips; without a score there is none")
    func ranks() {
        for (scores, before, better, ranks) in [
            ([100, 90, 90, 80], 0, 0, [1, 2, 2, 4]), ([0, 0, 0], 0, 0, [1, 1, 1]),
            // A page that begins in the middle of equals: three are better, five come before.
            ([7, 7, 6, 6, nil], 5, 3, [4, 4, 8, 8, nil]), ([nil, nil], 9, 9, [nil, nil]), ([], 0, 0, []),
            ([5, nil], 0, 0, [1, nil]),
        ] as [([Int64?], Int64, Int64, [Int64?])] {
            #expect(stretch(scores, before: before, better: better).ranked.map(\.rank) == ranks)
        }
    }

    @Test("A page says where the next one begins, a view leaves its athlete out of the neighbours")
    func bodies() throws {
        let page = BoardPage(stretch([9, nil]), total: 3, hasMore: true)
        let cursor = try #require(page.next)
        #expect(cursor.position == BoardPosition(score: nil, id: 2) && BoardCursor(text: cursor.text) == cursor)
        #expect(
            String(decoding: page.encode(), as: UTF8.self)
                == #"{"athletes":[{"id":1,"name":"A","score":9,"rank":1},{"id":2,"name":"A","score":null,"rank":null}],"#
                + #""total":3,"nextCursor":"\#(cursor.text)"}"#)
        let view = try #require(BoardView(of: 2, in: stretch([9, 8, 7], before: 4, better: 4), total: 9))
        #expect(view.athlete.rank == 6 && view.neighbours.map(\.rank) == [5, 7])
        #expect(BoardView(of: 4, in: stretch([9, 8, 7]), total: 3) == nil)
        let entry = AthleteEntry(name: "A", score: 1, imageURL: "https://a/b")
        let body = NamedEntry(id: -1, entry: entry).encodeWithoutRank()
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"athlete":{"id":-1,"name":"A","score":1,"image_url":"https://a/b"}}"#)
    }

    @Test("Places are ordered by score, then id, and without a score last, in both orders")
    func places() {
        let most = LeaderboardLimits.largestInteger
        let down: [BoardPosition] = [
            .init(score: most, id: 5), .init(score: 7, id: -2), .init(score: 7, id: 3), .init(score: 0, id: 1),
            .init(score: -most, id: -9), .init(score: nil, id: -most), .init(score: nil, id: 2),
        ]
        let up = [down[4], down[3], down[1], down[2], down[0], down[5], down[6]]
        for (order, places) in [(BoardOrder.descending, down), (.ascending, up)] {
            for (left, one) in places.enumerated() {
                for (right, other) in places.enumerated() {
                    #expect(one.isBefore(other, in: order) == (left < right))
                }
            }
        }
    }

    @Test("A cursor that was changed, cut or made up is refused")
    func cursors() {
        for position in [BoardPosition(score: -5, id: 9), .init(score: nil, id: -9), .init(score: 0, id: 0)] {
            let text = BoardCursor(position: position).text
            #expect(BoardCursor(text: text)?.position == position)
            for index in text.indices {
                var changed = text
                changed.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
                #expect(BoardCursor(text: changed) == nil)
                #expect(BoardCursor(text: String(text[..<index])) == nil)
            }
        }
        #expect(BoardCursor(text: ChangesCursor(revision: 3).text) == nil)
        let beyond = BoardPosition(score: LeaderboardLimits.largestInteger + 1, id: 0)
        #expect(BoardCursor(text: BoardCursor(position: beyond).text) == nil)
    }
}
