package import Groundwork
package import Logging

/// Erases people from the tables, the database file, memory and the open streams.
package struct Eraser: Sendable {
    let storage: Storage
    let writer: Writer
    let people: People
    let tokens: Tokens
    let evictCachedResponses: @Sendable (_ account: String) -> Void
    let watchers: Watchers
    let random: RandomSource
    let logger: Logger

    package init(
        storage: Storage,
        writer: Writer,
        people: People,
        tokens: Tokens,
        evictCachedResponses: @escaping @Sendable (_ account: String) -> Void,
        watchers: Watchers,
        random: RandomSource,
        logger: Logger
    ) {
        self.storage = storage
        self.writer = writer
        self.people = people
        self.tokens = tokens
        self.evictCachedResponses = evictCachedResponses
        self.watchers = watchers
        self.random = random
        self.logger = logger
    }

    /// Erases a person, known or not. After this returns, no token issued before works, and the person's streams send
    /// nothing more.
    ///
    /// - Parameter actor: The requester, for the audit log.
    /// - Returns: The receipt.
    package func erase(_ name: String, by actor: AuditActor) async throws -> Erasure {
        let receipt = Erasure.newID(random)
        let erased = try await writer.write(.shared, isPatient: true) { transaction in
            try transaction.erase(name, receipt: receipt, by: actor)
        }
        people.evictTokens(of: name)
        tokens.evict(name)
        if let person = erased.person {
            people.evict(person)
            evictCachedResponses(person.account)
            watchers.endStreams(ofErased: person.id)
        }
        do {
            // Deleted content is overwritten in the database file. This removes it from the write-ahead log too.
            try await storage.truncateLog()
        } catch {
            // A long read is running. The log is emptied when the server stops at the latest.
            logger.notice("the write-ahead log can't be truncated now", metadata: ["error": "\(error)"])
        }
        return erased.erasure
    }
}
