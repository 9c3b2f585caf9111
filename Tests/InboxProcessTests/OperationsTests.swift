import Foundation
import Groundwork
import Testing

/// What an operator does with a server.
@Suite(.timeLimit(.minutes(10))) struct OperationsTests {
    @Test func backup_whileTheServerRuns_thenRestore_thenDoctor() async throws {
        try await World.with { world in
            try await world.startServer()
            let phone = try await world.device("phone")
            let kept = try await world.send("Kept")
            #expect(try await phone.list().ids == [kept])
            let made = try await world.run(["backup", "backup.sqlite", "--database", "server.sqlite"])
            #expect(made.output.hasPrefix("Backed up to "))
            let lost = try await world.send("Lost")
            #expect(try await phone.list().ids.contains(lost))

            let restore = ["restore", "backup.sqlite", "--database", "server.sqlite"]
            let running = try await world.run(restore + ["--force"], status: 1)
            #expect(running.errors.contains("Another server uses"))
            try await world.stopServer()
            #expect(try await world.run(restore, status: 1).errors.contains("--force"))
            try await world.run(restore + ["--force"])

            // The device hears that what it had is gone, and goes on.
            try await world.startServer()
            #expect(try await phone.list().ids == [kept])
            let later = try await world.send("Later")
            #expect(try await Set(phone.list().ids) == [kept, later])

            let doctor = try await world.run(["doctor", "--database", "server.sqlite"])
            for name in ["Integrity", "References", "Schema", "Sequences", "Disk", "Permissions"] {
                #expect(doctor.lines.contains { $0.contains("✓ \(name)") }, "\(name)\n\(doctor.output)")
            }
        }
    }

    @Test func doctor_endsWithOneWhereSomethingIsWrong() async throws {
        try await World.with { world in
            #expect(
                try await world.run(["doctor", "--database", "none"], status: 1).errors.contains("There is no file")
            )
            try Data("text".utf8).write(to: world.folder.appendingPathComponent("text"))
            let doctor = try await world.run(["doctor", "--database", "text", "--json"], status: 1)
            #expect(doctor.errors.contains("isn't a SQLite database"))
        }
    }

    @Test func aSecondServerOnTheFile_isRefused() async throws {
        try await World.with { world in
            try await world.startServer()
            let second = try await world.run(["serve", "--database", "server.sqlite", "--port", "0"], status: 1)
            #expect(second.errors.contains("Another server uses"))
            _ = try await world.send("Still here")
        }
    }

    @Test func whatIsWrongWithKeysAndCertificates_isSaidAtTheStart() async throws {
        try await World.with { world in
            let serve = ["serve", "--database", "server.sqlite", "--port", "0"]
            let half = try await world.run(serve + ["--tls-certificate", "a"], status: 64)
            #expect(half.errors.contains("belong together"))
            let alone = try await world.run(serve + ["--jwt-issuer", "a"], status: 64)
            #expect(alone.errors.contains("need a --jwt-key"))
            let missing = try await world.run(serve + ["--tls-certificate", "a", "--tls-key", "b"], status: 1)
            #expect(missing.errors.contains("given with --tls-certificate, can't be read"))
            try Data("short".utf8).write(to: world.folder.appendingPathComponent("key"))
            let short = try await world.run(serve + ["--jwt-secret", "key"], status: 1)
            #expect(short.errors.contains("HS256 needs 32"))
            #expect(!short.errors.contains("short"))
        }
    }

    @Test func theLogInJSON_isAnObjectALine() async throws {
        try await World.with { world in
            let server = try world.start([
                "serve", "--database", "server.sqlite", "--port", "0", "--log-format", "json", "--log-level", "debug",
            ])
            try await server.until("the ready line") { $0.lines.first { $0.hasPrefix("inbox is ready at ") } }
            server.signal(SIGTERM)
            #expect(try await server.end() == 0)
            let lines = server.errors.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                let entry = try JSON(parsing: Array(line.utf8))
                #expect(entry["time"]?.stringValue.flatMap { RFC3339.date(from: $0) } != nil)
                for name in ["level", "logger", "message"] { #expect(entry[name]?.stringValue != nil, "\(line)") }
            }
        }
    }

    @Test func theLogAtDebug_canBeRead_andHasNoKey() async throws {
        try await World.with { world in
            let server = try world.start([
                "serve", "--database", "server.sqlite", "--port", "0", "--log-level", "debug",
            ])
            try await server.until("the ready line") { $0.lines.first { $0.hasPrefix("inbox is ready at ") } }
            let key = try await server.until("the key") { server in
                server.lines.first { $0.hasPrefix("New API key") }?.split(separator: " ").last
            }
            server.signal(SIGTERM)
            #expect(try await server.end() == 0)
            #expect(server.errors.contains("DueScheduler"), "the services are named")
            #expect(!server.errors.contains(key))
            for line in server.errors.split(separator: "\n") { #expect(line.count < 300, "\(line)") }
        }
    }
}
