import Foundation
import GRDB
import Groundwork

/// Finds people, and knows the latest state of those who are being served.
final class People: Sendable {
    private struct Known: Sendable {
        let person: Person
        /// Tokens that were issued earlier don't work, since the one who had the name then was erased.
        let tokensSince: Date?
    }

    private struct Memory: Sendable {
        // By the bytes of the name, as the table compares them.
        var people: [[UInt8]: Known] = [:]
        /// How often somebody was erased: what was read before that may be of them, and isn't kept.
        var erasures = 0
    }

    private let storage: Storage
    private let writer: Writer
    private let states: LatestStates
    // Reached in `withLock` alone, from any thread.
    private let memory = Locked(Memory())

    /// How many people are kept in memory before it is emptied.
    private static let limit = 100_000

    init(storage: Storage, writer: Writer, states: LatestStates) {
        self.storage = storage
        self.writer = writer
        self.states = states
    }

    /// The person whose token it is, who is made where nobody has heard of them.
    ///
    /// - Throws: ``TokenRejection`` where the person was erased after the token was issued; what keeps the database from being read.
    func person(of token: Tokens.Verified) async throws -> Person {
        let bytes = Array(token.person.utf8)
        let (kept, erasures) = memory.withLock { ($0.people[bytes], $0.erasures) }
        if let kept {
            try token.check(since: kept.tokensSince)
            return kept.person
        }
        var known = try await storage.read { db in try Self.find(token, in: db) }
        if known == nil {
            known = try await writer.write { transaction in
                // Looked at again, since the person may have been erased meanwhile.
                if let known = try Self.find(token, in: transaction.db) { return known }
                _ = try transaction.person(named: token.person, advancing: false)
                return try Self.find(token, in: transaction.db)
            }
        }
        guard let known else { throw TokenRejection.erased }
        memory.withLock { memory in
            guard memory.erasures == erasures else { return }
            if memory.people.count >= Self.limit { memory.people.removeAll() }
            memory.people[bytes] = known
        }
        return known.person
    }

    /// The time at which a new token of a person has to be issued at the earliest; nil for any.
    func tokensSince(of name: String) async throws -> Date? {
        try await storage.read { db in try db.tokensSince(of: name) }
    }

    /// Forgets a person who was erased.
    func forget(_ person: Person) {
        memory.withLock { memory in
            memory.people[Array(person.name.utf8)] = nil
            memory.erasures += 1
        }
        states.forget(person.id)
    }

    /// The latest state of the surfaces, which is the same for everyone.
    var surfaceState: Int { states.surface }

    /// The latest state of a person, from memory but for the first time.
    func latestState(of person: Person) async throws -> PersonState {
        if let state = knownState(of: person) { return state }
        states.beginLoading(person.id)
        let own = try await storage.read { db in try db.state(of: person).own }
        return states.finishLoading(person.id, own: own)
    }

    /// The same, where it is in memory.
    func knownState(of person: Person) -> PersonState? {
        states.state(of: person.id)
    }

    /// - Returns: Nil where nobody has heard of the person.
    /// - Throws: ``TokenRejection`` where the person was erased after the token was issued.
    private static func find(_ token: Tokens.Verified, in db: Database) throws -> Known? {
        let since = try db.tokensSince(of: token.person)
        try token.check(since: since)
        let row = try db.row("SELECT id, account FROM person WHERE name = ?", [token.person])
        let person = row.map { Person(id: $0[0], name: token.person, account: $0[1]) }
        return person.map { Known(person: $0, tokensSince: since) }
    }
}
