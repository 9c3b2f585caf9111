import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListenerTests {
    /// What a listener has received so far.
    private final class Heard: Sendable {
        let events = Locked<[PostgresListener.Event]>([])
        let listener: PostgresListener

        init(
            _ settings: PostgresSettings,
            channels: [String] = ["changes"],
            heartbeat: Double = 5,
            backOff: PostgresBackOff = PostgresBackOff(first: 0.05, longest: 1)
        ) throws {
            listener = try PostgresListener(settings, channels: channels, heartbeat: heartbeat, backOff: backOff) {
                [events] event in
                events.withLock { $0.append(event) }
            }
        }

        var payloads: [String] {
            events.withLock { events in
                events.compactMap { event in
                    guard case .notification(let notification) = event else { return nil }
                    return notification.payload
                }
            }
        }

        func count(of event: PostgresListener.Event) -> Int {
            events.withLock { events in events.count { $0 == event } }
        }
    }

    private func notify(_ database: TestDatabase, _ payload: String, channel: String = "changes") async throws -> Int32
    {
        try await database.use { connection in
            try connection.execute("SELECT pg_notify($1, $2)", [channel, payload])
            return connection.backend
        }
    }

    @Test func `notifications arrive in order, with their channel and sender`() async throws {
        let database = try await TestDatabase()
        let heard = try Heard(database.settings, channels: ["changes", "odd \"name"])
        #expect(try await eventually { heard.count(of: .listening) == 1 })
        let sender = try await notify(database, "first ä")
        _ = try await notify(database, "second", channel: "odd \"name")
        _ = try await notify(database, "not heard", channel: "others")
        try await database.use { connection in
            // One transaction's, and a payload that comes twice in it is one.
            try connection.transaction { connection in
                for payload in ["third", "third", "fourth"] {
                    connection.enqueue("SELECT pg_notify('changes', $1)", [payload])
                }
            }
            #expect(throws: PostgresError.self) {
                try connection.transaction { connection in
                    connection.enqueue("SELECT pg_notify('changes', 'rolled back')")
                    try connection.execute("SELECT 1 / 0")
                }
            }
        }
        _ = try await notify(database, "last")
        #expect(try await eventually { heard.payloads.contains("last") })
        #expect(heard.payloads == ["first ä", "second", "third", "fourth", "last"])
        guard case .notification(let first) = heard.events.withLock({ $0[1] }) else { return }
        #expect(first.channel == "changes")
        #expect(first.sender == sender)
        heard.listener.stop()
        #expect(heard.count(of: .cut) == 0)
    }

    @Test func `a listener that loses its connection reports it and listens again`() async throws {
        let database = try await TestDatabase()
        let pauses = Pauses()
        let heard = try Heard(database.settings, backOff: pauses.backOff)
        for round in 1...3 {
            #expect(try await eventually { heard.count(of: .listening) == round })
            _ = try await notify(database, "\(round)")
            #expect(try await eventually { heard.payloads.contains("\(round)") })
            try await database.use { connection in
                _ = try connection.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
            }
            #expect(try await eventually { heard.count(of: .cut) == round })
        }
        #expect(try await eventually { heard.count(of: .listening) == 4 })
        #expect(heard.payloads == ["1", "2", "3"])
        heard.listener.stop()
    }

    @Test func `a silent network is detected by the heartbeat`() async throws {
        let database = try await TestDatabase()
        let relay = try await DatabaseRelay(for: database.server)
        let heard = try Heard(database.server.settings(database.name, port: relay.port), heartbeat: 2)
        #expect(try await eventually { heard.count(of: .listening) >= 1 })
        let cuts = heard.count(of: .cut)
        try await relay.hold()
        #expect(try await eventually { heard.count(of: .cut) > cuts })
        let connections = heard.count(of: .listening)
        try await relay.release()
        #expect(try await eventually { heard.count(of: .listening) > connections })
        heard.listener.stop()
        await relay.stop()
    }

    @Test func `what arrives while a notification is received waits, and none is lost`() async throws {
        let database = try await TestDatabase()
        let (payloads, isSlow, isListening) = (Locked<[String]>([]), Locked(true), Locked(false))
        let listener = try PostgresListener(database.settings, channels: ["changes"], heartbeat: 2) { event in
            if event == .listening { isListening.withLock { $0 = true } }
            guard case .notification(let notification) = event else { return }
            while isSlow.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            payloads.withLock { $0.append(notification.payload) }
        }
        #expect(try await eventually { isListening.withLock { $0 } })
        for number in 1...10 { _ = try await notify(database, "\(number)") }
        // Longer than a heartbeat may take.
        try await Task.sleep(for: .seconds(2.5))
        isSlow.withLock { $0 = false }
        #expect(try await eventually { payloads.withLock { $0 } == (1...10).map(String.init) })
        listener.stop()
    }
}
