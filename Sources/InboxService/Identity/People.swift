package import Foundation
import GRDB
import Groundwork
import InboxModel

/// A person known to the server.
package struct Person: Hashable, Sendable {
    package let id: Int
    /// The app's id.
    package let name: String
    /// The JMAP account id.
    package let account: String
}

/// The rule for the app's ids of people.
package enum PersonName {
    package static let rule = "has to be 1 to \(MessageLimits.person) bytes without control characters"

    package static func isValid(_ name: String) -> Bool {
        (1...MessageLimits.person).contains(name.utf8.count) && isPlain(name)
    }

    /// Whether it has no control characters.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value > 0x1F && !(0x7F...0x9F).contains($0.value) }
    }
}

/// Finds people, and knows the latest state of those who are being served.
package final class People: Sendable {
    private struct Known: Sendable {
        let person: Person
        /// Tokens that were issued earlier don't work.
        let tokenStart: TokenStart?
        /// Those of the person's tokens that were signed out.
        let endedTokens: Set<TokenID>

        /// - Throws: ``TokenRejection`` for a token that was ended.
        func check(_ token: Tokens.Verified) throws(TokenRejection) {
            try token.check(since: tokenStart)
            guard !endedTokens.contains(token.id) else { throw .ended }
        }
    }

    private struct Memory: Sendable {
        // By the bytes of the name, as the table compares them.
        var people: [[UInt8]: Known] = [:]
        /// The number of erasures and ended tokens: what was read before may be out of date and isn't cached.
        var ends = 0
    }

    private let storage: Storage
    private let writer: Writer
    private let states: LatestStates
    // Reached in `withLock` alone, from any thread.
    private let memory = Locked(Memory())

    /// How many people are kept in memory before it is emptied.
    private static let limit = 100_000

    package init(storage: Storage, writer: Writer, states: LatestStates) {
        self.storage = storage
        self.writer = writer
        self.states = states
    }

    /// Returns the person of a token, who is created if unknown.
    ///
    /// - Throws: ``TokenRejection`` if the person was erased after the token was issued, or the token was ended; the
    ///   database's errors.
    package func person(of token: Tokens.Verified) async throws -> Person {
        let bytes = Array(token.person.utf8)
        let (kept, ends) = memory.withLock { ($0.people[bytes], $0.ends) }
        if let kept {
            try kept.check(token)
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
            guard memory.ends == ends else { return }
            if memory.people.count >= Self.limit { memory.people.removeAll() }
            memory.people[bytes] = known
        }
        return known.person
    }

    /// The time at which a new token of a person has to be issued at the earliest; nil for any.
    package func tokensSince(of name: String) async throws -> Date? {
        try await storage.read { db in try db.tokenStart(of: name)?.date }
    }

    /// Forgets what was known of a person's tokens, since some of them were ended.
    func forgetTokens(of name: String) {
        memory.withLock { memory in
            memory.people[Array(name.utf8)] = nil
            memory.ends += 1
        }
    }

    /// Forgets a person who was erased.
    func forget(_ person: Person) {
        forgetTokens(of: person.name)
        states.forget(person.id)
    }

    /// The latest state of the surfaces, which is the same for everyone.
    package var surfaceState: Int { states.surface }

    /// The latest state of a person, from memory but for the first time.
    package func latestState(of person: Person) async throws -> PersonState {
        if let state = knownState(of: person) { return state }
        states.beginLoading(person.id)
        let own = try await storage.read { db in try db.state(of: person).own }
        return states.finishLoading(person.id, own: own)
    }

    /// The same, where it is in memory.
    package func knownState(of person: Person) -> PersonState? {
        states.state(of: person.id)
    }

    /// - Returns: Nil if the person is unknown.
    /// - Throws: ``TokenRejection`` if the person was erased after the token was issued, or the token was ended.
    private static func find(_ token: Tokens.Verified, in db: Database) throws -> Known? {
        let (start, ended) = (try db.tokenStart(of: token.person), try db.endedTokens(of: token.person))
        try token.check(since: start)
        guard !ended.contains(token.id) else { throw TokenRejection.ended }
        let row = try db.row("SELECT id, account FROM person WHERE name = ?", [token.person])
        let person = row.map { Person(id: $0[0], name: token.person, account: $0[1]) }
        return person.map { Known(person: $0, tokenStart: start, endedTokens: ended) }
    }
}
