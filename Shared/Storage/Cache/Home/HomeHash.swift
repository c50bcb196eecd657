internal import Models
internal import Redis

/// A user's hash as Redis answers it: bytes, of which only what is asked for is read.
struct HomeHash {
    /// What the fields of `HomeFields.settings` hold.
    private var settings = InlineArray<5, ArraySlice<UInt8>?>(repeating: nil)
    /// The days that it holds, damaged ones left out.
    private(set) var days = HomeDays()
    /// Whether a day is there that cannot be read.
    private var isDamaged = false

    /// Reads the answer to `HGETALL`: names and values by turns, in no order.
    init(all reply: RESPValue, user: UserID) {
        let elements = reply.elements ?? []
        var rows: [DayTotalsRow] = []
        for index in stride(from: 0, to: elements.count - 1, by: 2) {
            guard let name = elements[index].text, let value = elements[index + 1].bytes else { continue }
            if let place = HomeFields.settings.firstIndex(of: name) {
                settings[place] = value
            } else if let day = Day(parsing: name) {
                if let row = HomeFields.row(value, user: user, day: day) { rows.append(row) } else { isDamaged = true }
            }
        }
        days = HomeDays(rows)
    }

    /// Reads the answer to `HMGET` with the fields of a selection: values in the order of the fields.
    init(_ reply: RESPValue, of selection: HomeCache.Selection, user: UserID) {
        guard case .array(let elements) = reply, elements.count == settings.count + selection.days.count else { return }
        for place in settings.indices { settings[place] = elements[place].bytes }
        var rows: [DayTotalsRow] = []
        rows.reserveCapacity(selection.days.count)
        for (index, day) in selection.days.enumerated() {
            guard let value = elements[settings.count + index].bytes else { continue }
            if let row = HomeFields.row(value, user: user, day: day) { rows.append(row) } else { isDamaged = true }
        }
        days = HomeDays(rows)
    }

    /// Whether it was written for this pair of servers.
    func isOf(generation: String) -> Bool {
        guard let held = settings[0], held.count == generation.utf8.count else { return false }
        let (bytes, wanted) = (held.span, generation.utf8.span)
        for index in wanted.indices where bytes[index] != wanted[index] { return false }
        return true
    }

    /// Whether a fill has said that everything is there, for this pair of servers.
    func isComplete(in generation: String) -> Bool { isOf(generation: generation) && settings[1] != nil }

    /// Everything, when it is complete, sound and of the right generation.
    ///
    /// A day that cannot be read would look like one on which nothing was done.
    func data(in generation: String) -> HomeData? {
        guard isOf(generation: generation), !isDamaged,
            let firstDay = settings[1].flatMap({ Day(parsing: $0.span) }),
            let plan = settings[2].flatMap(HomeFields.plan), let goal = settings[3].flatMap(HomeFields.goal),
            let profile = settings[4].flatMap(HomeFields.profile)
        else { return nil }
        return HomeData(days: days, firstDay: firstDay, plan: plan, goal: goal, profile: profile)
    }
}
