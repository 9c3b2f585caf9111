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
    func write<T: Sendable>(_ body: @Sendable (StoreWriter) throws -> T) async throws -> T {
        do {
            try checkOpen()
            return try await store.write(body)
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
