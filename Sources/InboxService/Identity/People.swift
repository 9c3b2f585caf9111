package import Foundation
import Groundwork
import InboxModel

/// A person known to the server.
package struct Person: Hashable, Sendable {
    package let id: Int
    /// The app's id of the person.
    package let name: String
    /// The JMAP account's id.
    package let account: String
}

/// The rule for the app's ids of people.
package enum PersonName {
    package static let rule = "has to be 1 to \(MessageLimits.person) bytes without control characters"

    package static func isValid(_ name: String) -> Bool {
        (1...MessageLimits.person).contains(name.utf8.count) && !name.hasControlCharacters
    }
}

/// Finds people, and caches the latest states of those who are being served.
package final class People: Sendable {
    private struct CachedPerson: Sendable {
        let person: Person
        /// The start of valid tokens. Those issued earlier are rejected.
        let tokenStart: TokenStart?
        /// The person's tokens that were signed out.
        let signedOutTokens: Set<TokenID>

        /// Checks that a token is still valid.
        ///
        /// - Throws: ``TokenRejection`` if the token was revoked.
        func check(_ token: Tokens.Verified) throws(TokenRejection) {
            try token.check(since: tokenStart)
            guard !signedOutTokens.contains(token.id) else { throw .revoked }
        }
    }

    private struct Cache: Sendable {
        // By the bytes of the name, as the database compares them.
        var people: [[UInt8]: CachedPerson] = [:]
        /// The bytes of the cached people's names, by the person's number.
        var names: [Int: [UInt8]] = [:]
        /// The number of erasures and revocations. A value that was read before one of them may be outdated and isn't
        /// cached.
        var revocations = 0

        mutating func removeAll() {
            people.removeAll()
            names.removeAll()
        }
    }

    private let storage: Storage
    private let writer: Writer
    private let states: LatestStates
    /// Nil if this server always has the database alone.
    private let stateReads: StateReads?
    // Accessed from any thread, only in `withLock`.
    private let cache = Locked(Cache())

    /// The maximum number of cached people. Beyond it, the cache is cleared.
    private static let limit = 100_000

    package init(storage: Storage, writer: Writer, states: LatestStates) {
        self.storage = storage
        self.writer = writer
        self.states = states
        stateReads = storage.isShared ? StateReads(of: storage) : nil
    }

    /// Returns the person of a token, and creates an unknown one.
    ///
    /// - Throws: ``TokenRejection`` if the person was erased after the token was issued, or if the token was revoked.
    ///   Errors of the database.
    package func person(of token: Tokens.Verified) async throws -> Person {
        let bytes = Array(token.person.utf8)
        let (cached, revocations) = cache.withLock { ($0.people[bytes], $0.revocations) }
        if let cached {
            try cached.check(token)
            return cached.person
        }
        var known = try await storage.readBriefly { reading in try Self.find(token, reading) }
        if known == nil {
            known = try await writer.write(.person(token.person)) { transaction in
                // Checked again, since the person may have been erased in the meantime.
                transaction.lockTokens(of: token.person)
                if let known = try Self.find(token, transaction.reading) { return known }
                _ = try transaction.person(named: token.person, advancing: false)
                return try Self.find(token, transaction.reading)
            }
        }
        guard let known else { throw TokenRejection.erased }
        cache.withLock { cache in
            guard cache.revocations == revocations else { return }
            if cache.people.count >= Self.limit { cache.removeAll() }
            cache.people[bytes] = known
            cache.names[known.person.id] = bytes
        }
        return known.person
    }

    /// Caches people by their numbers, with a few statements for all of them, so that their tokens can be verified
    /// without a read for each.
    ///
    /// - Throws: Errors of the database.
    func load(_ numbers: [Int]) async throws {
        let revocations = cache.withLock { $0.revocations }
        let found = try await storage.readBriefly { reading in try Self.find(numbers, reading) }
        cache.withLock { cache in
            guard cache.revocations == revocations, cache.people.count + found.count <= Self.limit else { return }
            for known in found {
                let bytes = Array(known.person.name.utf8)
                cache.people[bytes] = known
                cache.names[known.person.id] = bytes
            }
        }
    }

    /// Returns the earliest `iat` that a new token of a person may have, or nil for no restriction.
    package func tokensSince(of name: String) async throws -> Date? {
        try await storage.read { reading in try reading.tokenStart(of: name)?.date }
    }

    /// Removes a person from the cache, since tokens of the person were revoked.
    func evictTokens(of name: String) {
        cache.withLock { cache in
            if let person = cache.people.removeValue(forKey: Array(name.utf8))?.person { cache.names[person.id] = nil }
            cache.revocations += 1
        }
    }

    /// Removes a person from the cache, since another server has revoked tokens of the person.
    ///
    /// - Returns: The person, if cached.
    @discardableResult func evictTokens(ofPerson number: Int) -> Person? {
        cache.withLock { cache in
            cache.revocations += 1
            return cache.names.removeValue(forKey: number).flatMap { cache.people.removeValue(forKey: $0)?.person }
        }
    }

    /// Empties the cache, since tokens may have been revoked.
    func evictAllTokens() {
        cache.withLock { cache in
            cache.removeAll()
            cache.revocations += 1
        }
    }

    /// Removes an erased person from the caches.
    func evict(_ person: Person) {
        evictTokens(of: person.name)
        states.evict(person.id)
    }

    /// The latest state of the surfaces, which all people share.
    package var surfaceState: Int { states.surface }

    /// Returns the latest state of a person, as ``latest(of:)`` does.
    package func latestState(of person: Person) async throws -> PersonState { try await latest(of: person).person }

    /// Returns the latest states of a person and of the surfaces, with what any server has committed before this call.
    /// While this server has the database alone, the person's is cached after the first call.
    ///
    /// Beside other servers they are those of the database, whatever was announced.
    package func latest(of person: Person) async throws -> (person: PersonState, surface: Int) {
        if storage.isAlone, let state = knownState(of: person) { return (state, states.surface) }
        let start = states.beginLoading(person.id)
        guard let stateReads else {
            let state = try await storage.read { reading in try reading.state(of: person) }
            return (states.finishLoading(person.id, state, begunAt: start), states.surface)
        }
        let latest = try await stateReads.latest(of: person.id)
        states.apply(WriteEffects(surface: latest.surface))
        _ = states.finishLoading(person.id, latest.person, begunAt: start)
        return (latest.person, latest.surface)
    }

    /// Returns the latest state of a person that this server has received, if it is cached. Another server may have
    /// committed a later one a moment ago.
    package func knownState(of person: Person) -> PersonState? {
        states.state(of: person.id)
    }

    private static func find(_ numbers: [Int], _ reading: ReadTransaction) throws -> [CachedPerson] {
        let people = try reading.people(numbers)
        let names = people.map(\.name)
        let (starts, signedOut) = (try reading.tokenStarts(of: names), try reading.signedOutTokens(of: names))
        return people.map { person in
            let name = Array(person.name.utf8)
            return CachedPerson(person: person, tokenStart: starts[name], signedOutTokens: signedOut[name] ?? [])
        }
    }

    /// Finds the person of a token.
    ///
    /// - Returns: Nil if the person is unknown.
    /// - Throws: ``TokenRejection`` if the person was erased after the token was issued, or if the token was revoked.
    private static func find(_ token: Tokens.Verified, _ reading: ReadTransaction) throws -> CachedPerson? {
        let (start, signedOut) = (
            try reading.tokenStart(of: token.person), try reading.signedOutTokens(of: token.person)
        )
        try token.check(since: start)
        guard !signedOut.contains(token.id) else { throw TokenRejection.revoked }
        return try reading.account(of: token.person).map { person in
            CachedPerson(person: person, tokenStart: start, signedOutTokens: signedOut)
        }
    }
}

extension ReadTransaction {
    /// Returns the people with the numbers, as far as they exist.
    fileprivate func people(_ numbers: [Int]) throws -> [Person] {
        try db.rows(Self.people, [numbers]).map { row in Person(id: row[0], name: row[1], account: row[2]) }
    }

    /// `OFFSET 0` keeps the lookups apart, so that each is in its partition.
    private static let people = SQLText(
        sqlite: "SELECT id, name, account FROM person WHERE id IN (SELECT value FROM json_each(?))",
        postgres: """
            SELECT p.id, p.name, p.account FROM unnest(?) AS r (id)
            CROSS JOIN LATERAL (SELECT p.id, p.name, p.account FROM person p WHERE p.id = r.id OFFSET 0) AS p
            """
    )

    /// Returns a person's number and account, or nil if the person is unknown.
    fileprivate func account(of name: String) throws -> Person? {
        try row("SELECT p.id, p.account FROM person p", ofPerson: name).map { row in
            Person(id: row[0], name: name, account: row[1])
        }
    }
}
