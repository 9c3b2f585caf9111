import Foundation
import Groundwork
import Testing

/// `kill -9` of a busy server: every acknowledged message is stored once, and none is stored twice.
@Suite(.serialized, .timeLimit(.minutes(120)))
struct LoadKillTests {
    /// The number of rounds: `KILL_ROUNDS`, or 8.
    private static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap { Int($0) } ?? 8
    private static let senders = 16

    @Test func `under load, acknowledged sends survive a kill once, others at most once`() async throws {
        try await World.with { world in
            var total = 0
            // All rounds use one database, each with its own person.
            for round in 1...Self.rounds {
                try await world.startServer()
                let person = "person-\(round)"
                let load = Load(world, person: person)
                let device = try await JMAPDevice(world, person: person)
                let titles = ["first-\(round)", "second-\(round)"]
                let read = [try await load.send(titles[0]), try await load.send(titles[1])]
                let delay = Duration.milliseconds(Int.random(in: 0...150))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<Self.senders {
                        group.addTask { await load.sendUntilServerStops("\(round)-\(number)") }
                    }
                    group.addTask { try await Self.readUntilServerStops(device, load, round: round) }
                    for id in read {
                        let tablet = try await JMAPDevice(world, person: person)
                        group.addTask { await load.setDates(on: id, tablet) }
                    }
                    try await world.until("something is answered") { load.answered > 0 }
                    try await Task.sleep(for: delay)
                    try await world.killServer()
                    try await group.waitForAll()
                }
                total += load.answered

                try await world.startServer()
                let stored = try await device.messages()
                Self.check(load, stored, round: round)
                Self.checkDates(load, stored, round: round)
                // Sent again with their keys, all are stored once.
                for (key, id) in load.sent where id == nil || key.hasSuffix("-0") {
                    let again = try await load.send(key)
                    if let id { #expect(again == id, "round \(round), \(key)") }
                }
                let all = try await device.messages().compactMap { $0["title"]?.stringValue }
                #expect(all.sorted() == (load.sent.keys + titles).sorted(), "round \(round)")
                try await world.killServer()
            }
            #expect(total > Self.rounds * Self.senders, "the server was at work when it was killed")
            let checkup = try await world.run(["doctor", "--database", "server.sqlite", "--json"])
            #expect(try JSON(parsing: checkup.output.utf8)["healthy"] == true)
        }
    }

    /// Reads until the server doesn't respond. Every read contains the messages that were acknowledged before it.
    private static func readUntilServerStops(_ device: JMAPDevice, _ load: Load, round: Int) async throws {
        while true {
            let before = load.sent.compactMapValues { $0 }
            guard let stored = try? await device.messages() else { return }
            let ids = Set(stored.compactMap { $0["id"]?.stringValue })
            #expect(ids.isSuperset(of: before.values), "round \(round): read after it was answered")
        }
    }

    private static func check(_ load: Load, _ stored: [JSON], round: Int) {
        let idsByTitle = Dictionary(grouping: stored) { $0["title"]?.stringValue ?? "" }
            .mapValues { $0.compactMap { $0["id"]?.stringValue } }
        for (key, id) in load.sent {
            let found = idsByTitle[key] ?? []
            if let id {
                #expect(found == [id], "round \(round), \(key) was answered")
            } else {
                #expect(found.count <= 1, "round \(round), \(key) wasn't answered")
            }
        }
    }

    private static func checkDates(_ load: Load, _ stored: [JSON], round: Int) {
        for (id, date) in load.dates {
            let read = stored.first { $0["id"]?.stringValue == id }?["readAt"]?.stringValue
            #expect(read == date.confirmed || read == date.lastSent, "round \(round)")
        }
    }
}
