import Foundation
import Groundwork
import Testing

/// `kill -9` at the worst moments: nothing is lost or duplicated.
@Suite(.serialized, .timeLimit(.minutes(120)))
struct KillTests {
    /// The number of rounds: `KILL_ROUNDS`, or 5.
    static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap { Int($0) } ?? 5

    @Test func `a device reads offline and is killed, its next start sends the change`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let id = try await world.send("Read me")
            let watch = try phone.watch()
            try await watch.until("the message") { $0.has(id) && $0.connection == "live" }
            try await world.killServer()

            try await phone.run("read", id, "--offline")
            try await watch.until("the tap, not yet sent") { $0.isRead(id) && $0.pendingWrites > 0 }
            watch.process.signal(SIGKILL)
            #expect(try await watch.process.end() == -SIGKILL)

            try await world.startServer()
            let again = try phone.watch()
            try await again.until("the tap is sent") {
                $0.isRead(id) && $0.pendingWrites == 0 && $0.connection == "live"
            }
            #expect(try await laptop.list().isRead(id))
        }
    }

    @Test func `a message is read offline, the next process syncs, another device sees it`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let id = try await world.send("Read me")
            _ = try await phone.list()
            let read = try await phone.run("read", id, "--offline", "--json")
            let json = try JSON(parsing: read.output.utf8)
            #expect(json["changed"] == [.string(id)])
            #expect(json["sent"] == false)
            #expect(json["pendingWrites"]?.intValue ?? 0 > 0)
            #expect(try await !laptop.list().isRead(id))
            try await phone.run("status")
            #expect(try await laptop.list().isRead(id))
        }
    }

    @Test(arguments: 1...rounds)
    func `a write takes effect once when its device is killed while sending`(round: Int) async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            var ids: [String] = []
            for number in 1...3 { ids.append(try await world.send("Number \(number)")) }
            _ = try await phone.list()
            // It is killed between its start and its end, in each round a little later.
            let reader = try world.start(["read", "--all", "--directory", "phone"])
            try await Task.sleep(for: .milliseconds(15 * round))
            reader.signal(SIGKILL)
            _ = try await reader.end()

            let onPhone = try await phone.list()
            let onLaptop = try await laptop.list()
            #expect(onPhone.pendingWrites == 0)
            for id in ids { #expect(onPhone.readAt(id) == onLaptop.readAt(id)) }
            // All or nothing: the read is one transaction.
            #expect([0, 3].contains(onPhone.unread))
        }
    }

    @Test(arguments: 1...rounds)
    func `a server killed after it acknowledges loses and duplicates nothing`(round: Int) async throws {
        try await World.with { world in
            try await world.startServer()
            let count = 40
            let items = (1...count).map { number -> JSON in
                ["to": ["person": "alice"], "message": ["title": .string("Number \(number)")]]
            }
            let file = world.folder.appendingPathComponent("many.json")
            try JSON.array(items).data.write(to: file)

            let sender = try world.start(["send", "--file", "many.json", "--json"])
            let wanted = 3 + 7 * (round - 1) % 30
            try await sender.until("\(wanted) answers") { $0.lines.count >= wanted ? true : nil }
            try await world.killServer()
            sender.signal(SIGKILL)
            _ = try await sender.end()
            let answered = try Self.ids(sender.lines)
            #expect(answered.count >= wanted)

            try await world.startServer()
            let all = try Self.ids(try await world.run(["send", "--file", "many.json", "--json"]).lines)
            #expect(all.count == count)
            for (item, id) in answered { #expect(all[item] == id, "item \(item)") }
            let phone = try await world.device("phone")
            #expect(try await Set(phone.list().ids) == Set(all.values))
            #expect(try await phone.list().ids.count == count)
        }
    }

    @Test(arguments: 1...rounds)
    func `a server killed after it takes a write still has it`(round: Int) async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let key = "the-same-key"
            let id = try await world.send("Read me", key: key)
            _ = try await phone.list()
            #expect(try await phone.run("read", id).output == "1 read. Sent.\n")
            try await world.killServer()
            try await world.startServer()
            #expect(try await world.send("Read me", key: key) == id)
            let fresh = try await world.device("fresh").list()
            #expect(fresh.ids == [id])
            #expect(fresh.isRead(id))
            #expect(try await phone.state() == TestDevice(name: "fresh", world: world).state())
        }
    }

    /// The ids of `send --json`, by the items' positions.
    private static func ids(_ lines: [String]) throws -> [Int: String] {
        var ids: [Int: String] = [:]
        for line in lines {
            let json = try JSON(parsing: line.utf8)
            if let item = json["item"]?.intValue, let id = json["id"]?.stringValue { ids[item] = id }
        }
        return ids
    }
}
