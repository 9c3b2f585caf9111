import Foundation
import Groundwork
import InboxClient
import InboxTesting
import JMAP
import Replica

/// A store on a device, made by our own code, to be copied for each turn.
struct DeviceStore: Sendable {
    private static let server = URL(string: "http://server.example") ?? URL(fileURLWithPath: "/")
    private static let person = "alice"

    let directory: URL
    let location: StoreLocation

    /// Makes an empty store.
    init(in directory: URL) async throws {
        self.directory = directory
        location = StoreLocation(directory: directory, server: Self.server, person: Self.person)
        try await open().close()
        try RawDatabase.settle(location.file)
    }

    private init(directory: URL, location: StoreLocation) {
        self.directory = directory
        self.location = location
    }

    func open() throws -> ReplicaStore {
        try ReplicaStore(at: location, types: [.message], clock: SystemClock())
    }

    /// Puts the records of an answer in.
    func fill(_ answer: [UInt8]) async throws {
        let store = try open()
        try await Self.apply(answer, to: store)
        await store.close()
        try RawDatabase.settle(location.file)
    }

    /// The way from an answer's text to durable rows, as a sync goes it.
    static func apply(_ answer: [UInt8], to store: ReplicaStore) async throws {
        let response = try Response(parsing: answer)
        let list = response.answer(to: "records")?.arguments["list"]?.elements ?? []
        let errors = try await store.write { writer in try writer.apply(.message, list) }
        if let error = errors.first { throw BenchmarkError("a record was set aside: \(error)") }
    }

    /// A copy of the closed store.
    func copy(to directory: URL) throws -> DeviceStore {
        let file = directory.appendingPathComponent(location.file.lastPathComponent)
        try FileManager.default.copyItem(at: location.file, to: file)
        return DeviceStore(
            directory: directory,
            location: StoreLocation(directory: directory, server: Self.server, person: Self.person)
        )
    }

    /// The inbox, as an app opens it; it never connects.
    func inbox() async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.deviceLimit = .all
        configuration.isLive = false
        configuration.transport = ScriptedServer(person: Self.person).transport
        return try await Inbox.open(
            server: Self.server,
            person: Self.person,
            directory: directory,
            configuration: configuration
        ) { "" }
    }
}
