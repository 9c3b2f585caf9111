import Foundation
package import Groundwork
package import Replica

/// A device with a store of ``NoteServer``'s records in a folder of its own, and the engine that syncs it.
package final class NoteDevice: Sendable {
    package let store: ReplicaStore
    package let engine: SyncEngine
    package let transport: ScriptedTransport
    package let clock: ManualClock
    /// The token that the app returns. Guarded by its lock: the connection reads it in any task.
    package let token = Locked("token")
    private let server: NoteServer
    private let account: String?
    private let directory: URL

    /// Opens a device, and closes it after a test's body.
    ///
    /// - Parameters:
    ///   - types: The types of the store.
    ///   - account: The account of the records; nil for the primary one.
    ///   - settings: The settings of the engine.
    package static func with<Value>(
        _ types: [RecordType],
        on server: NoteServer,
        account: String? = nil,
        settings: SyncSettings = SyncSettings(),
        clock: ManualClock = ManualClock(),
        _ body: (NoteDevice) async throws -> Value
    ) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await NoteDevice(types, server, account, settings, clock, directory).use(body)
    }

    /// Opens the same store again, as another process does, and closes it after a test's body. It has a transport
    /// of its own.
    package func inOtherProcess<Value>(_ body: (NoteDevice) async throws -> Value) async throws -> Value {
        try await NoteDevice(store.types, server, account, engine.settings, clock, directory).use(body)
    }

    private func use<Value>(_ body: (NoteDevice) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(self)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }

    private init(
        _ types: [RecordType],
        _ server: NoteServer,
        _ account: String?,
        _ settings: SyncSettings,
        _ clock: ManualClock,
        _ directory: URL
    ) throws {
        var address = URLComponents()
        (address.scheme, address.host) = ("https", "notes.example")
        let url = address.url ?? directory
        (self.server, self.account, self.clock, self.directory) = (server, account, clock, directory)
        transport = server.transport
        store = try ReplicaStore(
            at: StoreLocation(directory: directory, server: url, person: "ann"),
            types: types,
            clock: clock
        )
        let connection = ServerConnection(
            server: url,
            person: "ann",
            token: { [token] in token.withLock { $0 } },
            transport: transport,
            clock: clock
        )
        engine = SyncEngine(
            store: store,
            connection: connection,
            domain: .primary,
            account: account,
            settings: settings,
            clock: clock,
            random: .system
        )
    }

    package func close() async {
        await engine.close()
        await store.close()
    }

    /// Sets a property of records, as the person.
    @discardableResult
    package func set(
        _ type: RecordType,
        _ property: String,
        to value: JSON,
        of ids: String...
    ) async throws -> [String] {
        guard let column = type.columns.first(where: { $0.name == property }) else { return [] }
        return try await store.write { writer in
            try writer.update(type, column, to: value, ids: ids)
        }
    }
}
