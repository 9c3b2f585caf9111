#if PostgreSQL
    import Postgres

    /// The people whose rows were locked for longer than a write waits, by the bytes of their names.
    ///
    /// Their writes are refused for a while. Then one is tried alone, which waits for a moment only: other writes don't
    /// wait with it.
    struct LockedPeople: Sendable {
        typealias Instant = ContinuousClock.Instant

        private var people: [[UInt8]: (error: PostgresError, until: Instant)] = [:]

        /// The time for which a person's writes are refused.
        static let refusal = Duration.seconds(1)
        /// The time after which a person without further writes is removed.
        static let memory = Duration.seconds(60)

        private static func key(_ name: String) -> [UInt8] { Array(name.utf8) }

        /// Records that a write timed out while it waited for a person's row.
        mutating func note(_ error: PostgresError, of name: String, at now: Instant) {
            people = people.filter { now - $0.value.until < Self.memory }
            people[Self.key(name)] = (error, now + Self.refusal)
        }

        /// Records that a write for a person was done.
        mutating func forget(_ name: String) {
            if !people.isEmpty { people[Self.key(name)] = nil }
        }

        /// Returns the error of a person's writes, while they are refused.
        func refusal(of name: String, at now: Instant) -> PostgresError? {
            guard !people.isEmpty, let found = people[Self.key(name)], now < found.until else { return nil }
            return found.error
        }

        /// Whether a person's row may still be locked.
        func mayBeLocked(_ name: String) -> Bool { !people.isEmpty && people[Self.key(name)] != nil }
    }
#endif
