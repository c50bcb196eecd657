#if !hasFeature(Embedded)  // Only the service keeps ledgers, and a dictionary of optionals wants more than the core's runtime.
    /// Works out what changes do to a challenge, one after the other: a pure value.
    ///
    /// It begins with the rows that the changes may touch, as they stand under the challenge's lock, and ends with what has to be
    /// written.
    public struct BoardLedger: Sendable {
        /// The sums after the changes.
        public private(set) var totals: BoardTotals
        /// Who changed which athlete last.
        public private(set) var touched: [Int64: UserID?] = [:]

        private let takesSelfReports: Bool
        private let stored: [Int64: StoredAthlete]
        private var athletes: [Int64: StoredAthlete]
        private var owned: [UserID: Int64] = [:]

        /// Begins with what is stored.
        ///
        /// - Parameter athletes: every athlete whose id or owner a change names.
        public init(totals: BoardTotals, takesSelfReports: Bool, athletes: [StoredAthlete]) {
            self.totals = totals
            self.takesSelfReports = takesSelfReports
            stored = Dictionary(athletes.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
            self.athletes = stored
            for athlete in athletes { if let owner = athlete.owner { owned[owner] = athlete.id } }
        }

        /// Carries a change out.
        public mutating func apply(_ change: AthleteChange) -> AthleteOutcome {
            switch change {
            case .record(let athlete, let user):
                let owner = athletes[athlete.id]?.owner
                guard owner == nil || owner == user else { return .belongsToUser }
                return set(StoredAthlete(id: athlete.id, entry: athlete.entry, owner: owner), by: user)
            case .remove(let id, let user):
                remove(id, by: user)
                return .removed
            case .recordOwn(let entry, let user, let fresh):
                guard takesSelfReports else { return .takesNoSelfReports }
                let id = owned[user] ?? fresh
                guard owned[user] != nil || athletes[id] == nil else { return .freshIDTaken }
                owned[user] = id
                return set(StoredAthlete(id: id, entry: entry, owner: user), by: user)
            case .removeOwn(let user):
                guard takesSelfReports else { return .takesNoSelfReports }
                if let id = owned[user] { remove(id, by: user) }
                return .removed
            case .erase(let user):
                if let id = owned[user] { remove(id, by: nil) }
                return .removed
            }
        }

        /// The athletes to be written, by id: those that are other than stored.
        public var written: [StoredAthlete] {
            touched.keys.sorted().compactMap { id in athletes[id].flatMap { stored[id] == $0 ? nil : $0 } }
        }

        /// The ids to be deleted, in order.
        public var removed: [Int64] { touched.keys.sorted().filter { stored[$0] != nil && athletes[$0] == nil } }

        private mutating func set(_ athlete: StoredAthlete, by user: UserID?) -> AthleteOutcome {
            let before = athletes[athlete.id]
            guard before != athlete else { return .unchanged(id: athlete.id) }
            if let before { totals.remove(before.entry.score) }
            totals.add(athlete.entry.score)
            athletes[athlete.id] = athlete
            touched[athlete.id] = .some(user)
            return before == nil ? .created(id: athlete.id) : .updated(id: athlete.id)
        }

        private mutating func remove(_ id: Int64, by user: UserID?) {
            guard let before = athletes.removeValue(forKey: id) else { return }
            totals.remove(before.entry.score)
            if let owner = before.owner { owned[owner] = nil }
            touched[id] = .some(user)
        }
    }
#endif
