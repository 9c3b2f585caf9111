import GRDB
import Replica

extension Mail {
    /// Reads from the store.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.read(body)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Writes to the store.
    ///
    /// - Parameter records: About the number of records that it changes; nil if it may be any.
    @discardableResult
    func write<T: Sendable>(
        records: Int? = nil,
        _ body: @Sendable (StoreWriter) throws -> T
    ) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.write(records: records) { writer in
                // After a sign-out meanwhile, the write would be lost. The store of an inbox stays open.
                if open.hasEnded { throw MailError.wrapping(StoreError.closed) }
                return try body(writer)
            }
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
