import Foundation
import Groundwork
import InboxClient
import InboxTesting
import JMAP
import Replica

/// A device's store, created by the client's own code and copied for each repetition.
struct DeviceStore: Sendable {
    private static let server = URL(string: "https://server.example") ?? URL(fileURLWithPath: "/")
    private static let person = "alice"

    let directory: URL
    let location: StoreLocation

    /// Creates an empty store.
    init(in directory: URL) async throws {
        self.directory = directory
        location = StoreLocation(directory: directory, server: Self.server, person: Self.person)
        try await open().close()
        try RawDatabase.checkpoint(location.file)
    }

    private init(directory: URL, location: StoreLocation) {
        self.directory = directory
        self.location = location
    }

    func open() throws -> ReplicaStore {
        try ReplicaStore(at: location, types: [.message, .surface], clock: SystemClock())
    }

    /// Inserts the records of a response.
    func fill(_ answer: [UInt8]) async throws {
        let store = try open()
        try await Self.apply(answer, to: store)
        await store.close()
        try RawDatabase.checkpoint(location.file)
    }

    /// Writes a response's text as durable rows, as a sync does.
    static func apply(_ answer: [UInt8], to store: ReplicaStore) async throws {
        let response = try Response(parsing: answer)
        let list = response.answer(to: "records")?.arguments["list"]?.elements ?? []
        let errors = try await store.write { writer in try writer.apply(.message, list) }
        if let error = errors.first { throw BenchmarkError("a record was set aside: \(error)") }
    }

    /// Returns a copy of the store, which must be closed.
    func copy(to directory: URL) throws -> DeviceStore {
        let file = directory.appendingPathComponent(location.file.lastPathComponent)
        try FileManager.default.copyItem(at: location.file, to: file)
        return DeviceStore(
            directory: directory,
            location: StoreLocation(directory: directory, server: Self.server, person: Self.person)
        )
    }

    /// Adds copies of the oldest row, each older than the previous one, until there are `count` rows.
    func multiply(to count: Int) throws {
        let raw = try RawDatabase(location.file)
        let missing = count - raw.integer("SELECT count(*) FROM message")
        let others = RecordType.message.columns.flatMap { column in
            column.isWritable ? [column.name, "server_\(column.name)"] : [column.name]
        }.filter { $0 != "deliverAt" }.map { "m.\"\($0)\"" }.joined(separator: ", ")
        try raw.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(missing))
            INSERT INTO message (id, json, revision, phase, due, deliverAt,
                    \(others.replacingOccurrences(of: "m.", with: "")))
                SELECT 'copy' || n.i, m.json, m.revision, m.phase, NULL, m.deliverAt - n.i * 1000, \(others)
                FROM n, (SELECT * FROM message WHERE phase = 0 ORDER BY deliverAt LIMIT 1) m
            """
        )
        try RawDatabase.checkpoint(location.file)
    }

    /// Records how an inbox reads its newest messages.
    ///
    /// - Returns: The recording, and the index of the statement that reads the messages.
    func recordingOfNewest(_ limit: Int) async throws -> (Recording, item: Int) {
        let recording = try await Recording.of(opening: { try await inbox() }) { inbox in
            _ = try await inbox.messages(limit: limit)
            await inbox.close()
        }
        guard
            let item = recording.statements.firstIndex(where: {
                $0.contains("FROM \"message\"") && $0.contains("ORDER BY")
            })
        else {
            throw BenchmarkError("no statement reads messages")
        }
        return (recording, item)
    }

    /// Opens the inbox as an app does. It never connects.
    func inbox() async throws -> Inbox {
        try await Self.inbox(in: directory)
    }

    /// - Parameter isOffline: Whether every request fails. Otherwise a server without messages responds.
    static func inbox(in directory: URL, isOffline: Bool = false) async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.deviceLimit = .all
        configuration.isLive = false
        let transport = ScriptedServer(person: person).transport
        if isOffline { transport.answer { _ in throw TransportError.unreachable("no network") } }
        configuration.transport = transport
        return try await Inbox.open(
            server: server,
            person: person,
            directory: directory,
            configuration: configuration
        ) { "" }
    }
}
