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
    @discardableResult
    func write<T: Sendable>(_ body: @Sendable (StoreWriter) throws -> T) async throws -> T {
        engine.noteUse()
        do {
            try checkOpen()
            return try await store.write(body)
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
