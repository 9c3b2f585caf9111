import Foundation
import Groundwork
import Testing

/// A full disk: the error is reported, nothing is damaged, and work continues when there is room.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FullDiskTests {
    /// Runs a test with a small disk that this user can mount.
    private func withDisk(_ world: World, megabytes: Int, _ body: (SmallDisk) async throws -> Void) async throws {
        let folder = world.folder.appendingPathComponent("disk", isDirectory: true)
        try await SmallDisk.with(at: folder, megabytes: megabytes, body)
    }

    private func send(_ world: World, _ title: String) async throws -> (status: Int, json: JSON) {
        let message: JSON = ["title": .string(title), "body": .string(String(repeating: "b", count: 10_000))]
        let answer = try await world.request(
            "POST",
            "/v1/messages",
            body: ["to": ["person": "alice"], "message": message],
            headers: ["Idempotency-Key": title]
        )
        return (answer.status, try JSON(parsing: answer.bytes))
    }

    @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
    func `a full disk refuses sends, serves reads and damages nothing`() async throws {
        try await World.with { world in
            try await withDisk(world, megabytes: 6) { disk in
                let ballast = disk.folder.appendingPathComponent("ballast")
                try Data(count: 3 << 20).write(to: ballast)
                let database = disk.folder.appendingPathComponent("server.sqlite").path
                try await world.startServer(database: database)
                let device = try await JMAPDevice(world, person: "alice")

                var sent: [String] = []
                var refused: (status: Int, json: JSON)?
                for number in 0..<1_000 where refused == nil {
                    let answer = try await send(world, "\(number)")
                    if answer.status == 201 { sent.append("\(number)") } else { refused = answer }
                }
                #expect(!sent.isEmpty)
                #expect(refused?.status == 507)
                #expect(refused?.json["detail"]?.stringValue?.contains("disk is full") == true)
                #expect(try await world.request("GET", "/health").status == 200)
                #expect(try await device.messages().count == sent.count)
                let id = try #require(try await device.messages().first?["id"]?.stringValue)
                #expect(try await world.request("GET", "/v1/messages/\(id)").status == 200)
                do {
                    for number in 1...200 { try await device.set(id, readAt: "2026-05-01T08:00:00Z", batch: number) }
                } catch let error as RunningProcess.Ended {
                    // A little room can be left for small writes. Beyond it, a device keeps its pending writes.
                    #expect(error.description.contains("serverUnavailable"))
                }

                // The rejected send is repeated with its idempotency key.
                try FileManager.default.removeItem(at: ballast)
                let again = "\(sent.count)"
                try await world.until("there is room again") { try await send(world, again).status == 201 }
                #expect(try await device.messages().count == sent.count + 1)

                try await world.killServer()
                try await world.startServer(database: database)
                #expect(try await device.messages().count == sent.count + 1)
                let output = try world.start(["doctor", "--database", database, "--json"])
                _ = try await output.end()
                let findings = try JSON(parsing: output.output.utf8)["findings"]?.arrayValue ?? []
                for name in ["Integrity", "References", "Sequences"] {
                    let finding = findings.first { $0["name"] == .string(name) }
                    #expect(finding?["verdict"] == "good", "\(name)")
                }
                try await world.stopServer()
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
    func `a server without disk space to create its database names it`() async throws {
        try await World.with { world in
            try await withDisk(world, megabytes: 1) { disk in
                // Too little room for the tables, their log and its index.
                try Data(count: 600_000).write(to: disk.folder.appendingPathComponent("other"))
                let database = disk.folder.appendingPathComponent("server.sqlite").path
                let ended = try await world.run(["serve", "--database", database, "--port", "0"], status: 1)
                #expect(ended.errors.contains("\(database) can't be written: the disk is full."), "\(ended.errors)")
                #expect(!ended.errors.contains("COMMIT"), "\(ended.errors)")
            }
        }
    }

    /// A server that can't store its counters doesn't fail.
    @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
    func `a server stops cleanly on a full disk`() async throws {
        try await World.with { world in
            try await withDisk(world, megabytes: 6) { disk in
                let database = disk.folder.appendingPathComponent("server.sqlite").path
                try await world.startServer(database: database)
                let token = try await world.token(for: "alice")
                try disk.fill()
                // The rest of the log has room for a few more writes: until even the smallest fails.
                for number in 0..<500 {
                    guard try await send(world, "\(number)").status == 201 else { break }
                }
                var isFull = false
                for number in 0..<500 where !isFull {
                    let title: JSON = ["title": .string("\(number)")]
                    isFull = try await world.request("PUT", "/v1/surfaces/inbox", body: title).status == 507
                }
                #expect(isFull)
                // Both are counted: an unknown key, and the use of a valid one.
                _ = try await world.request(
                    "GET",
                    "/v1/keys",
                    headers: ["Authorization": "Bearer no-key-of-this-server-at-all-000"]
                )
                _ = try await world.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)x"])
                try await world.stopServer()
            }
        }
    }

    /// One message arrives while the device's disk is full, and none later. It is shown once there is room.
    @Test(.enabled(if: SmallDisk.isMountable, "a small disk can't be mounted by this user"))
    func `a watching device reports its full disk, then resumes when there is room`() async throws {
        try await World.with { world in
            try await world.startServer()
            try await withDisk(world, megabytes: 8) { disk in
                let phone = try await world.device("disk/phone")
                let first = try await world.send("Before")
                let watch = try phone.watch()
                try await watch.until("it is live") { $0.has(first) && $0.connection == "live" }
                try disk.fill()
                let id = try await world.send("While the disk is full")
                try await watch.until("it is said") {
                    $0.connection == "offline" && $0.json["reason"]?.stringValue?.contains("The disk is full") == true
                }
                #expect(try await phone.list("--offline").has(first), "what is there can be read")
                try disk.free()
                try await watch.until("what came is shown") { $0.has(id) && $0.connection == "live" }
                watch.process.signal(SIGTERM)
                _ = try await watch.process.end()
            }
        }
    }
}
