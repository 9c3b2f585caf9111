import Foundation
import GRDB
import Groundwork

/// Finds people, and knows the latest state of those who are being served.
final class People: Sendable {
    private let storage: Storage
    private let writer: Writer
    private let states: LatestStates
    // By the bytes of the name, as the table compares them. A person is never changed or removed.
    private let known = Locked<[[UInt8]: Person]>([:])

    /// How many people are kept in memory before it is emptied.
    private static let limit = 100_000

    init(storage: Storage, writer: Writer, states: LatestStates) {
        self.storage = storage
        self.writer = writer
        self.states = states
    }

    /// The person of that name, who is made where nobody has heard of them.
    func person(named name: String) async throws -> Person {
        let bytes = Array(name.utf8)
        if let person = known.withLock({ $0[bytes] }) { return person }
        let found = try await storage.read { db in
            try Row.fetchOne(db, sql: "SELECT id, account FROM person WHERE name = ?", arguments: [name])
                .map { Person(id: $0[0], name: name, account: $0[1]) }
        }
        let person: Person
        if let found {
            person = found
        } else {
            person = try await writer.write { transaction in
                let id = try transaction.person(named: name, advancing: false).id
                let account: String? = try transaction.db.value("SELECT account FROM person WHERE id = ?", [id])
                guard let account else { throw RecordNotFound() }
                return Person(id: id, name: name, account: account)
            }
        }
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[bytes] = person
        }
        return person
    }

    /// The latest state of a person, from memory but for the first time.
    func latestState(of person: Person) async throws -> PersonState {
        if let state = states.state(of: person.id) { return state }
        states.beginLoading(person.id)
        let own = try await storage.read { db in try db.state(of: person).own }
        return states.finishLoading(person.id, own: own)
    }
}
