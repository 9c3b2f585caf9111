import Foundation
import Testing

/// Devices of one person that agree after every kind of failure.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgreementTests {
    @Test func `two devices watch, one reads a message, the other and the server agree`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let (onPhone, onLaptop) = (try phone.watch(), try laptop.watch())
            try await onPhone.until("the phone is live") { $0.connection == "live" }
            try await onLaptop.until("the laptop is live") { $0.connection == "live" }

            let id = try await world.send("Hello")
            try await onPhone.until("the phone has it, unread") { $0.has(id) && !$0.isRead(id) && $0.unread == 1 }
            try await onLaptop.until("the laptop has it, unread") { $0.has(id) && !$0.isRead(id) && $0.unread == 1 }

            // With the phone's watch, two processes use one device.
            let read = try await phone.run("read", String(id.suffix(6)))
            #expect(read.output == "1 read. Sent.\n")
            let phoneShows = try await onPhone.until("the phone shows it read") {
                $0.isRead(id) && $0.pendingWrites == 0
            }
            let laptopShows = try await onLaptop.until("the laptop shows it read") { $0.isRead(id) && $0.unread == 0 }
            #expect(phoneShows.readAt(id) == laptopShows.readAt(id))

            // A new device has the server's state.
            let fresh = try await world.device("fresh")
            #expect(try await fresh.list().readAt(id) == phoneShows.readAt(id))
            #expect(try await fresh.state() == phone.state())

            onPhone.process.signal(SIGTERM)
            onLaptop.process.signal(SIGINT)
            #expect(try await onPhone.process.end() == 0)
            #expect(try await onLaptop.process.end() == 0)
        }
    }

    @Test func `a device reads offline, then catches up and its changes arrive`() async throws {
        try await World.with { world in
            try await world.startServer()
            let (phone, laptop) = (try await world.device("phone"), try await world.device("laptop"))
            let first = try await world.send("First")
            #expect(try await laptop.list().ids == [first])
            try await world.stopServer()

            let read = try await laptop.run("read", first)
            #expect(read.output.hasPrefix("1 read. Waiting to be sent: the server can't be reached"))
            let stored = try await laptop.list()
            #expect(stored.isRead(first) && !stored.isSynced && stored.pendingWrites > 0)

            try await world.startServer()
            let second = try await world.send("Second")
            let caughtUp = try await laptop.list()
            #expect(caughtUp.ids == [second, first])
            #expect(caughtUp.isSynced && caughtUp.pendingWrites == 0)
            #expect(try await phone.list().isRead(first))
        }
    }

    @Test func `a watching device catches up automatically when the server returns`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let watch = try phone.watch()
            try await watch.until("live") { $0.connection == "live" }
            try await world.killServer()
            try await watch.until("offline") { $0.connection == "offline" }
            try await world.startServer()
            let id = try await world.send("While it was away")
            try await watch.until("the message") { $0.has(id) && $0.connection == "live" }
        }
    }

    @Test func `a watch and many concurrent reads on one device all see every change`() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let watch = try phone.watch()
            var ids: [String] = []
            for number in 1...6 { ids.append(try await world.send("Number \(number)")) }
            try await watch.until("all six") { $0.ids.count == 6 }
            let readers = try ids.map { try world.start(["read", $0, "--directory", "phone"]) }
            for reader in readers { #expect(try await reader.end() == 0, "\(reader.errors)") }
            try await watch.until("all read and sent") { $0.unread == 0 && $0.pendingWrites == 0 }
            #expect(try await world.device("fresh").list().unread == 0)
        }
    }
}
