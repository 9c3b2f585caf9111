import Eventually
import Foundation
import Groundwork
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct HealthTests {
    private let paths = ["/health", "/health/live", "/health/ready"]

    /// Verifies that a server isn't ready, for a reason.
    private func expectUnready(
        _ server: TestServer,
        _ reasons: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await server.request("GET", "/health/ready")
        #expect(answer.status == 503, sourceLocation: sourceLocation)
        #expect(answer.header("Retry-After") == "1", sourceLocation: sourceLocation)
        #expect(answer.header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
        let detail = try #require(answer.json["detail"]?.stringValue, sourceLocation: sourceLocation)
        #expect(reasons.contains { detail.contains($0) }, "\(detail)", sourceLocation: sourceLocation)
    }

    @Test func `a server that runs is alive and ready, without a key`() async throws {
        try await withServer { server in
            for path in paths {
                let answer = try await server.request("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.json == ["status": "ok"], "\(path)")
            }
            #expect(try await server.request("POST", "/health/ready").status == 405)
        }
    }

    @Test func `HEAD is answered as GET, without a body`() async throws {
        try await withServer { server in
            for path in paths {
                let answer = try await server.request("HEAD", path)
                #expect(answer.status == 200 && answer.bytes.isEmpty, "\(path)")
                #expect(answer.header("Content-Length") == "15", "\(path)")
            }
            server.isStopping.withLock { $0 = true }
            #expect(try await server.request("HEAD", "/health/ready").status == 503)
            server.isStopping.withLock { $0 = false }
        }
    }

    @Test func `a server that can't read its database is alive, but not ready`() async throws {
        try await withServer { server in
            let storage = try await server.storage()
            try await storage.writeTables { try $0.run("ALTER TABLE setting RENAME TO hidden") }
            // With PostgreSQL, a heartbeat may have failed before.
            try await expectUnready(server, "can't read the database", "can't reach a database that accepts writes")
            #expect(try await server.request("GET", "/health/live").status == 200)
            #expect(try await server.request("GET", "/health").status >= 500)
            try await storage.writeTables { try $0.run("ALTER TABLE hidden RENAME TO setting") }
            #expect(try await eventually { try await server.request("GET", "/health/ready").status == 200 })
        }
    }

    @Test func `a read that the database fails isn't answered as a write`() throws {
        let (failures, logger) = (RequestFailures(clock: ManualClock()), RecordedLog().logger)
        for (isRead, says) in [(true, "can't read its database"), (false, "Nothing was stored")] {
            let problem = try failures.problem(with: WriterBusyError(), isRead: isRead, logger)
            #expect(problem.json["detail"]?.stringValue?.contains(says) == true)
            #expect(problem.json["detail"]?.stringValue?.contains("stored") == !isRead)
        }
    }

    @Test func `a database that fails many requests is logged a few times`() throws {
        let (clock, log) = (ManualClock(), RecordedLog())
        let failures = RequestFailures(clock: clock)
        for _ in 0..<50 { _ = try failures.problem(with: WriterBusyError(), isRead: false, log.logger) }
        #expect(log.entries.count == 10)
        // What isn't the database's failure is never left out.
        for _ in 0..<20 { _ = try failures.problem(with: RecordNotFoundError(), isRead: false, log.logger) }
        #expect(log.entries.count == 30)
        clock.advance(by: 60)
        _ = try failures.problem(with: WriterBusyError(), isRead: false, log.logger)
        #expect(log.entries.last?.metadata["leftOut"] == "40")
    }

    @Test func `work that fails again and again is logged a few times, then once a minute`() async throws {
        try await withFolder { folder in
            let (clock, log) = (ManualClock(), RecordedLog())
            let file = folder.appending(path: "inbox.sqlite")
            let server = try await TestServer.start(file: file, clock: clock, logger: log.logger)
            let storage = try await server.storage()
            try await storage.writeTables { try $0.run("ALTER TABLE due RENAME TO hidden") }
            func lines() -> [RecordedLog.Entry] {
                log.entries.filter { $0.message == "processing the due queue failed; retrying" }
            }
            clock.advance(by: 3_600)
            // Each second it is tried again.
            let isPaced = try await eventually {
                clock.advance(by: 1)
                return lines().last?.metadata["leftOut"] != nil
            }
            #expect(isPaced)
            #expect(lines().count >= 11 && lines().dropLast().allSatisfy { $0.metadata["leftOut"] == nil })
            try await storage.writeTables { try $0.run("ALTER TABLE hidden RENAME TO due") }
            try await server.stop()
        }
    }

    @Test func `a server that stops isn't ready any more`() async throws {
        try await withFolder { folder in
            let server = try await TestServer.start(file: folder.appending(path: "inbox.sqlite"), clock: ManualClock())
            server.isStopping.withLock { $0 = true }
            try await expectUnready(server, "stopping")
            #expect(try await server.request("GET", "/health/live").status == 200)
            server.isStopping.withLock { $0 = false }
            #expect(try await server.request("GET", "/health/ready").status == 200)
            try await server.stop()
            let isStopping = server.isStopping.withLock { $0 }
            #expect(isStopping)
        }
    }

    @Test func `a server that stops answers for a pause, unready, which can be ended`() async throws {
        try await withFolder { folder in
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: ManualClock()
            ) { $0.shutdownPause = .seconds(300) }
            let stopping = Task { try await server.stop() }
            #expect(try await eventually { server.isStopping.withLock { $0 } })
            try await expectUnready(server, "stopping")
            #expect(try await server.request("GET", "/health/live").status == 200)
            try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            #expect(try await device.ids().count == 1)
            let start = ContinuousClock.now
            server.endShutdownPause()
            try await stopping.value
            #expect(ContinuousClock.now - start < .seconds(60))
            await #expect(throws: (any Error).self) { try await server.request("GET", "/health/live") }
        }
    }

    @Test func `the pause at a stop ends automatically`() async throws {
        try await withFolder { folder in
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: ManualClock()
            ) { $0.shutdownPause = .milliseconds(700) }
            let start = ContinuousClock.now
            try await server.stop()
            let took = ContinuousClock.now - start
            #expect(took >= .milliseconds(700) && took < .seconds(60), "\(took)")
        }
    }

    @Test func `metrics count a database's servers, and each metric is documented`() async throws {
        try await withServer { server in
            let answer = try await server.rest("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(server.metrics.value(of: "inbox_servers") == 1)
            for name in ["server_number", "notifications_heard_total", "notification_gaps_total"] {
                #expect(server.metrics.text.contains("\ninbox_\(name) 0\n"), "\(name)")
            }
            #expect(server.metrics.text.contains("\ninbox_listening_interruptions_total 0\n"))
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Documentation/Operations.md"), encoding: .utf8)
        for family in ServerMetrics.families {
            #expect(text.contains("`\(family.label)`") || text.contains("`\(family.label){"), "\(family.label)")
        }
    }
}
