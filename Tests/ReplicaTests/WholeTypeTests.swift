import Foundation
import GRDB
import Groundwork
import InboxTesting
import JMAP
import Testing

@testable import Replica

/// A type that a device stores completely, such as folders: next to another type, without a query, with its own writes.
@Suite(.timeLimit(.minutes(5))) struct WholeTypeTests {
    private let server = FolderServer()
    private let clock = ManualClock()

    /// A store of notes and folders with its sync engine.
    private struct Copy {
        let store: ReplicaStore
        let engine: SyncEngine

        func names() async throws -> [String: String] {
            try await store.read { db in
                try Row.fetchAll(db, sql: "SELECT id, name FROM folder").reduce(into: [:]) { $0[$1[0]] = $1[1] }
            }
        }

        func rename(_ id: String, _ name: String) async throws {
            try await store.write { writer in
                try writer.update(
                    .folder,
                    RecordType.folder.column("name")!,
                    to: .string(name),
                    ids: [id],
                    where: "true"
                )
            }
        }

        func position(_ type: RecordType) async throws -> String? {
            try await store.read { db in try db.syncPosition(type)?.state }
        }
    }

    private func withCopy(_ body: (Copy) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("whole-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = URL(string: "https://folders.example")!
        let location = StoreLocation(directory: directory, server: url, person: "ann")
        let store = try ReplicaStore(at: location, types: [.note, .folder], clock: clock)
        let connection = ServerConnection(
            server: url,
            person: "ann",
            token: { "token" },
            transport: ScriptedTransport { [server] in server.answer($0) },
            clock: clock
        )
        var settings = SyncSettings()
        (settings.deviceLimit, settings.newDeviceLimit) = (.newest(1), .newest(1))
        let engine = SyncEngine(
            store: store,
            connection: connection,
            domain: .primary,
            settings: settings,
            clock: clock,
            random: .system
        )
        try await body(Copy(store: store, engine: engine))
        await engine.close()
        await store.close()
    }

    @Test func `a whole type is fetched without a query, whatever the limits`() async throws {
        try await withCopy { copy in
            server.put(["a": "A", "b": "B", "c": "C"])
            try await copy.engine.sync()
            #expect(try await copy.names() == ["a": "A", "b": "B", "c": "C"])
            #expect(try await copy.position(.folder) == "3")
            #expect(!server.log.contains { $0.hasPrefix("Folder/query") })
            #expect(copy.store.counts(.folder).buckets.isEmpty)
        }
    }

    @Test func `a destroyed record is removed by changes and by a full sync`() async throws {
        try await withCopy { copy in
            server.put(["a": "A", "b": "B", "c": "C"])
            try await copy.engine.sync()
            server.destroy("a")
            try await copy.engine.sync()
            #expect(try await copy.names() == ["b": "B", "c": "C"])
            server.destroy("b")
            server.forgetChanges()
            server.put(["c": "New"])
            try await copy.engine.sync()
            #expect(try await copy.names() == ["c": "New"])
        }
    }

    @Test func `a sync without news costs one request for both types`() async throws {
        try await withCopy { copy in
            server.put(["a": "A"])
            try await copy.engine.sync()
            server.clearLog()
            try await copy.engine.sync()
            #expect(server.log == ["Note/changes", "Note/get", "Note/get", "Folder/changes"])
            #expect(server.requests == 1)
        }
    }

    @Test func `writes are sent in a request of their type and stay over fetched values`() async throws {
        try await withCopy { copy in
            server.put(["a": "A", "b": "B"])
            try await copy.engine.sync()
            server.clearLog()
            try await copy.rename("a", "Mine")
            // A full sync in between keeps the person's value.
            server.forgetChanges()
            server.put(["a": "Theirs", "b": "B2"])
            server.failSets(true)
            // The first sync learns that the changes are forgotten, the second one fetches everything.
            for _ in 0..<2 { await #expect(throws: SyncError.self) { try await copy.engine.sync() } }
            #expect(try await copy.names() == ["a": "Mine", "b": "B2"])
            server.failSets(false)
            try await copy.engine.sync()
            #expect(server.names == ["a": "Mine", "b": "B2"])
            #expect(try await copy.names() == ["a": "Mine", "b": "B2"])
            #expect(!server.log.contains("Note/set"))
            let pending = try await copy.store.read { db in try db.hasPending([.note, .folder]) }
            #expect(!pending)
        }
    }

    @Test func `a collection that fits no response is an error`() async throws {
        try await withCopy { copy in
            server.put(["a": "A"])
            server.refuseAll(with: .requestTooLarge("too many"))
            let error = await #expect(throws: SyncError.self) { try await copy.engine.sync() }
            guard case .malformed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a required type that the server lacks is an error`() async throws {
        try await withCopy { copy in
            server.refuseAll(with: .unknownMethod)
            await #expect(throws: SyncError.self) { try await copy.engine.sync() }
        }
    }

    @Test func `pending writes of a damaged file are carried over for each type`() async throws {
        try await withCopy { copy in
            server.put(["a": "A"])
            try await copy.engine.sync()
            try await copy.rename("a", "Mine")
            let location = copy.store.location
            await copy.store.close()
            var file = try Data(contentsOf: location.file)
            file.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
            try file.write(to: location.file)
            let repaired = try ReplicaStore(at: location, types: [.note, .folder], clock: clock)
            #expect(repaired.repair?.carriedOver == 1)
            let entry = try await repaired.read { db in
                try String.fetchOne(db, sql: "SELECT type || '/' || id || '=' || value FROM pending")
            }
            #expect(entry == #"Folder/a="Mine""#)
            await repaired.close()
        }
    }
}

extension RecordType {
    fileprivate static let folder = RecordType(
        name: "Folder",
        capability: "https://example.com/notes",
        table: "folder",
        columns: [RecordColumn("name", .text, isWritable: true)],
        window: .all
    )
}

/// A server with some folders and no notes.
private final class FolderServer: Sendable {
    fileprivate struct State {
        var folders: [String: (name: String, created: Int, changed: Int)] = [:]
        var destroyed: [String: Int] = [:]
        var state = 0
        var oldest = 0
        var log: [String] = []
        var requests = 0
        var failsSets = false
        var refusal: MethodError?
    }

    // Guarded by the lock.
    private let state = Locked(State())

    var log: [String] { state.withLock { $0.log } }
    var requests: Int { state.withLock { $0.requests } }
    var names: [String: String] { state.withLock { $0.folders.mapValues(\.name) } }

    func clearLog() { state.withLock { ($0.log, $0.requests) = ([], 0) } }
    func forgetChanges() { state.withLock { $0.oldest = $0.state + 1 } }
    func failSets(_ fails: Bool) { state.withLock { $0.failsSets = fails } }
    func refuseAll(with error: MethodError) { state.withLock { $0.refusal = error } }

    func put(_ names: [String: String]) {
        state.withLock { state in for (id, name) in names { state.put(id, name) } }
    }

    func destroy(_ id: String) {
        state.withLock { state in
            state.state += 1
            state.folders[id] = nil
            state.destroyed[id] = state.state
        }
    }

    func answer(_ request: TransportRequest) -> TransportResponse {
        let json: JSON
        if request.url.path == "/.well-known/jmap" {
            json = Self.session
        } else {
            json = state.withLock { state in
                state.requests += 1
                let calls = request.body.flatMap { try? Request(parsing: $0) }?.methodCalls ?? []
                var answers: [JSON] = []
                for call in calls {
                    state.log.append(call.name)
                    do throws(MethodError) {
                        let arguments = try call.arguments.resolvingReferences { reference in
                            answers.first { $0.arrayValue?[2].stringValue == reference.resultOf }?.arrayValue?[1]
                        }
                        let answer = try state.answer(call.name, .object(arguments))
                        answers.append([.string(call.name), answer, .string(call.callID)])
                    } catch {
                        answers.append(["error", error.json, .string(call.callID)])
                    }
                }
                return ["methodResponses": .array(answers), "sessionState": "1"]
            }
        }
        return TransportResponse(status: 200, body: json.utf8, url: request.url)
    }

    private static let session = Session(
        capabilities: JSONObject([
            (CoreCapability.uri, CoreCapability().json), (RecordType.note.capability, [:]),
        ]),
        accounts: [
            "acc": Session.Account(
                name: "ann",
                isPersonal: true,
                isReadOnly: false,
                accountCapabilities: JSONObject([(RecordType.note.capability, [:])])
            )
        ],
        primaryAccounts: [RecordType.note.capability: "acc"],
        username: "ann",
        apiUrl: "/api",
        downloadUrl: "/download",
        uploadUrl: "/upload",
        eventSourceUrl: "/events",
        state: "1"
    ).json
}

extension FolderServer.State {
    mutating func put(_ id: String, _ name: String) {
        state += 1
        folders[id] = (name, folders[id]?.created ?? state, state)
    }

    mutating func answer(_ method: String, _ arguments: JSON) throws(MethodError) -> JSON {
        if method.hasPrefix("Folder"), let refusal { throw refusal }
        switch method {
        case "Note/get": return ["state": "0", "list": [], "notFound": []]
        case "Note/query": return ["ids": []]
        case "Note/changes":
            return ["newState": "0", "hasMoreChanges": false, "created": [], "updated": [], "destroyed": []]
        case "Folder/get":
            let ids = arguments["ids"]?.arrayValue?.compactMap(\.stringValue) ?? folders.keys.sorted()
            return [
                "state": .string(String(state)),
                "list": .array(
                    ids.compactMap { id in folders[id].map { ["id": .string(id), "name": .string($0.name)] } }
                ),
                "notFound": JSON(ids.filter { folders[$0] == nil }),
            ]
        case "Folder/changes":
            guard let since = arguments["sinceState"]?.stringValue.flatMap({ Int($0) }), since >= oldest else {
                throw .cannotCalculateChanges
            }
            let changed = folders.filter { $0.value.changed > since }
            return [
                "newState": .string(String(state)), "hasMoreChanges": false,
                "created": JSON(changed.filter { $0.value.created > since }.map(\.key)),
                "updated": JSON(changed.filter { $0.value.created <= since }.map(\.key)),
                "destroyed": JSON(destroyed.filter { $0.value > since }.map(\.key)),
            ]
        case "Folder/set":
            if failsSets { throw MethodError("serverUnavailable") }
            var updated = JSONObject()
            for patch in arguments["update"]?.objectValue?.members ?? [] {
                put(patch.name, patch.value["name"]?.stringValue ?? "")
                updated.add(patch.name, .null)
            }
            return ["newState": .string(String(state)), "updated": .object(updated)]
        default: throw .unknownMethod
        }
    }
}
