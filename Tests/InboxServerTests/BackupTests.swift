import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10)), .onlySQLite) struct BackupTests {
    private func start(_ folder: URL, _ clock: ManualClock = ManualClock()) async throws -> TestServer {
        try await TestServer.start(file: folder.appending(path: "inbox.sqlite"), clock: clock)
    }

    /// The same device, connected to another server on the same database.
    private func moved(_ device: Device, to server: TestServer) -> Device {
        Device(server: server, token: device.token, account: device.account)
    }

    @Test func `a backup of a running server is one consistent state`() async throws {
        try await withFolder { folder in
            let server = try await start(folder)
            let backup = folder.appending(path: "backup.sqlite")
            let sending = Task {
                var number = 0
                while !Task.isCancelled {
                    try await server.send(to: ["people": ["ann", "bob"]], ["title": .string("\(number)")])
                    number += 1
                }
            }
            #expect(try await eventually { server.metrics.value(of: "inbox_messages_sent_total") > 20 })
            let steps = Locked(0)
            let file = server.file
            try await blocking {
                try DatabaseBackup.make(of: file, to: backup) { _, _ in steps.withLock { $0 += 1 } }
            }
            sending.cancel()
            _ = await sending.result
            try await server.stop()

            #expect(steps.withLock { $0 } > 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("backup")
            }
            #expect(names == ["backup.sqlite"], "no temporary file is left")
            let checkup = try await blocking { try DatabaseCheckup(of: backup) }
            #expect(checkup.isHealthy, "\(checkup.findings)")
            let counts = try await DatabaseQueue(path: backup.path).read { db in
                (
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0,
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM delivery") ?? 0
                )
            }
            #expect(counts.0 > 20)
            #expect(counts.1 == 2 * counts.0)
        }
    }

    @Test func `a file is overwritten only with force, and never while a server has it open`() async throws {
        try await withFolder { folder in
            let server = try await start(folder)
            let backup = folder.appending(path: "backup.sqlite")
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            await #expect(throws: MaintenanceError.self) {
                try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            }
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup, force: true) }
            await #expect(throws: MaintenanceError.self) {
                try await blocking { try DatabaseBackup.make(of: server.file, to: server.file, force: true) }
            }
            // Source and target swapped.
            await #expect(throws: ServerSetupError.self) {
                try await blocking { try DatabaseBackup.make(of: backup, to: server.file, force: true) }
            }
            await #expect(throws: ServerSetupError.self) {
                try await blocking { try DatabaseBackup.restore(backup, to: server.file, force: true) }
            }
            try await server.stop()
            await #expect(throws: MaintenanceError.self) {
                try await blocking { try DatabaseBackup.restore(backup, to: server.file) }
            }
            _ = try await blocking { try DatabaseBackup.restore(backup, to: server.file, force: true) }
        }
    }

    @Test func `a refused restore leaves no file, and a backup isn't restored onto itself`() async throws {
        try await withFolder { folder in
            let server = try await start(folder)
            let (backup, text) = (folder.appending(path: "backup.sqlite"), folder.appending(path: "text"))
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            try await server.stop()
            try Data("no database".utf8).write(to: text)
            let new = folder.appending(path: "new.sqlite")
            func refusal(of source: URL, to target: URL, force: Bool = false) async -> String {
                do {
                    _ = try await blocking { try DatabaseBackup.restore(source, to: target, force: force) }
                    return ""
                } catch {
                    return "\(error)"
                }
            }
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let content = try Data(contentsOf: backup)
            for (found, words) in [
                (await refusal(of: text, to: new), "isn't a SQLite database"),
                (await refusal(of: folder.appending(path: "missing"), to: new), "There is no file"),
                (await refusal(of: folder, to: new), "is a folder"),
                (await refusal(of: backup, to: text), "already exists"),
                (await refusal(of: backup, to: backup, force: true), "is the backup itself"),
            ] {
                #expect(found.contains(words), "\(found)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
            #expect(try Data(contentsOf: backup) == content)
        }
    }

    @Test func `restoring an invalid backup leaves the database unchanged`() async throws {
        try await withFolder { folder in
            let server = try await start(folder)
            let id = try await server.send(to: ["person": "ann"])
            let (damaged, text, other) = (
                folder.appending(path: "damaged"), folder.appending(path: "text"), folder.appending(path: "other")
            )
            try await server.stop()
            var bytes = try Data(contentsOf: server.file)
            for place in stride(from: 5_000, to: bytes.count, by: 512) { bytes[place] ^= 0xFF }
            try bytes.write(to: damaged)
            try Data("no database".utf8).write(to: text)
            try await DatabaseQueue(path: other.path).write { try $0.execute(sql: "CREATE TABLE a (b)") }
            for file in [damaged, text, other, folder.appending(path: "missing")] {
                await #expect(throws: MaintenanceError.self, "\(file.lastPathComponent)") {
                    try await blocking { try DatabaseBackup.restore(file, to: server.file, force: true) }
                }
            }
            let again = try await start(folder)
            #expect(try await again.rest("GET", "/v1/messages/\(id)").status == 200)
            try await again.stop()
        }
    }

    private func ofSurfaces(_ method: String, _ arguments: JSON, _ device: Device) async throws -> JSON {
        var object = arguments.objectValue ?? JSONObject()
        object.add("accountId", .string(device.account))
        let answers = try await device.calls([[.string("InboxSurface/" + method), .object(object), "0"]])
        return answers.first?.arrayValue?[1] ?? .null
    }

    @Test func `after a restore, states from before it cannot be calculated`() async throws {
        try await withFolder { folder in
            let clock = ManualClock()
            let backup = folder.appending(path: "backup.sqlite")
            let first = try await start(folder, clock)
            let kept = try await first.send(to: ["person": "ann"], ["title": "kept"])
            let device = try await first.device(of: "ann")
            let before = try await device.state()
            _ = try await first.rest("PUT", "/v1/surfaces/inbox", ["title": "kept"])
            try await blocking { try DatabaseBackup.make(of: first.file, to: backup) }
            let lost = try await first.send(to: ["person": "ann"], ["title": "lost"])
            try await first.send(to: ["everyone": true], ["title": "lost"])
            try await device.update(kept, ["readAt": "2026-05-01T08:00:00Z"])
            let ahead = try await device.state()
            _ = try await first.rest("PUT", "/v1/surfaces/inbox", ["title": "lost"])
            let settings = try await ofSurfaces("get", ["ids": []], device)["state"] ?? .null
            try await first.stop()

            var states = [before, ahead]
            for round in 0..<2 {
                // A second restore of the same backup begins its own generation.
                let now = clock.now.addingTimeInterval(Double(round))
                _ = try await blocking { try DatabaseBackup.restore(backup, to: first.file, force: true, now: now) }
                let server = try await start(folder, clock)
                let restored = moved(device, to: server)
                func isOutdated(_ state: String) async throws -> Bool {
                    try await restored.call("changes", ["sinceState": .string(state)]).type == "cannotCalculateChanges"
                }
                for state in states { #expect(try await isOutdated(state), "round \(round), \(state)") }
                _ = try await server.rest("PUT", "/v1/surfaces/other", [:])
                let since = try await ofSurfaces("changes", ["sinceState": settings], restored)
                #expect(since.type == "cannotCalculateChanges", "round \(round)")
                #expect(try await restored.ids() == [kept])
                #expect(try await restored.call("get", ["ids": [.string(lost)]])["notFound"] == [.string(lost)])

                // More changes than the device ever had.
                for _ in 0..<5 {
                    try await server.send(to: ["person": "ann"])
                    try await server.send(to: ["everyone": true])
                }
                for state in states { #expect(try await isOutdated(state), "round \(round), \(state), later") }
                let current = try await restored.state()
                try await server.send(to: ["person": "ann"])
                #expect(try await restored.changes(since: current).created.count == 1, "changes are calculated again")
                states.append(current)
                try await server.stop()
            }
        }
    }

    @Test func `two servers cannot open the same file`() async throws {
        try await withFolder { folder in
            let server = try await start(folder)
            await #expect(throws: (any Error).self) { _ = try await start(folder) }
            #expect(try await server.rest("GET", "/health").status == 200)
            try await server.stop()
            let next = try await start(folder)
            try await next.stop()
        }
    }
}
