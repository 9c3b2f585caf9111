import Groundwork

/// Reads people's latest states of a database that several servers share: PostgreSQL, and SQLite in the simulation.
///
/// A commit of another server a moment ago may not be known here yet. A device that was notified of it there must not
/// receive "nothing new" here. So each request reads the database; those that arrive while a read runs share the next
/// one.
final class StateReads: Sendable {
    /// The states of one read.
    struct Latest: Sendable {
        let person: PersonState
        let surface: Int
    }

    private struct Queue: Sendable {
        var waiting: [(person: Int, continuation: CheckedContinuation<Latest, any Error>)] = []
        var isReading = false
    }

    private let storage: Storage
    // Accessed from any thread, only in `withLock`.
    private let queue = Locked(Queue())

    /// The maximum number of people of one read.
    private static let limit = 500

    init(of storage: Storage) {
        self.storage = storage
    }

    /// Returns the state of a person as of this call or later. An erased person's own sequence is 0.
    ///
    /// - Throws: The error of the database.
    func latest(of person: Int) async throws -> Latest {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = queue.withLock { queue in
                queue.waiting.append((person, continuation))
                defer { queue.isReading = true }
                return !queue.isReading
            }
            if isFirst { Task { while await readNext() {} } }
        }
    }

    /// Reads the states of those who wait.
    ///
    /// - Returns: Whether there were any.
    private func readNext() async -> Bool {
        let waiting = queue.withLock { queue in
            let waiting = Array(queue.waiting.prefix(Self.limit))
            queue.waiting.removeFirst(waiting.count)
            queue.isReading = !waiting.isEmpty
            return waiting
        }
        guard !waiting.isEmpty else { return false }
        let people = Array(Set(waiting.map(\.person)))
        do {
            let latest = try await storage.readBriefly { reading in try reading.latestStates(of: people) }
            for (person, continuation) in waiting {
                if let latest = latest[person] {
                    continuation.resume(returning: latest)
                } else {
                    continuation.resume(throwing: RecordNotFoundError())
                }
            }
        } catch {
            for (_, continuation) in waiting { continuation.resume(throwing: error) }
        }
        return true
    }
}

extension ReadTransaction {
    /// Returns the sequences of people, without those who don't exist.
    func sequences(of people: [Int]) throws -> [Int: Int] {
        var sequences: [Int: Int] = [:]
        for row in try db.rows(Self.sequences, [people]) { sequences[row[0]] = row[1] }
        return sequences
    }

    /// `OFFSET 0` keeps the lookups apart, so that each is in its partition.
    private static let sequences = SQLText(
        sqlite: "SELECT id, sequence FROM person WHERE id IN (SELECT value FROM json_each(?))",
        postgres: """
            SELECT p.id, p.sequence FROM unnest(?) AS r (id)
            CROSS JOIN LATERAL (SELECT p.id, p.sequence FROM person p WHERE p.id = r.id OFFSET 0) AS p
            """
    )

    /// Returns people's latest states, with one statement. That of a person who doesn't exist begins with 0.
    fileprivate func latestStates(of people: [Int]) throws -> [Int: StateReads.Latest] {
        var latest: [Int: StateReads.Latest] = [:]
        for row in try db.rows(Self.latestStates, [people]) {
            latest[row[0]] = StateReads.Latest(
                person: PersonState(own: row[1], broadcast: row[2]),
                surface: row[3]
            )
        }
        return latest
    }

    private static let latestStates: SQLText = """
        SELECT r.id, coalesce(p.sequence, 0),
            coalesce((SELECT value FROM counter WHERE name = 'broadcast'), 0),
            coalesce((SELECT value FROM counter WHERE name = 'surface'), 0)
        \(requestedPeople)
        """

    private static let requestedPeople = SQLText(
        sqlite: "FROM (SELECT value AS id FROM json_each(?)) AS r LEFT JOIN person p ON p.id = r.id",
        postgres: """
            FROM unnest(?) AS r (id)
            LEFT JOIN LATERAL (SELECT p.sequence FROM person p WHERE p.id = r.id OFFSET 0) AS p ON true
            """
    )
}
