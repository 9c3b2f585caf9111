import GRDB
import Replica

extension Inbox {
    /// Reads from the store.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.read(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Writes into the store.
    ///
    /// - Parameter records: About the number of records that it changes; nil if it may be any.
    func write<T: Sendable>(
        records: Int? = nil,
        _ body: @Sendable (StoreWriter) throws -> T
    ) async throws -> T {
        do {
            try checkOpen()
            return try await store.write(records: records, body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
