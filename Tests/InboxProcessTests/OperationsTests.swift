import Foundation
import Groundwork
import Testing

/// An operator's tasks.
@Suite(.timeLimit(.minutes(10))) struct OperationsTests {
    @Test func `a backup of a running server is restored, and doctor finds it healthy`() async throws {
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
            #expect(running.errors.contains("Another server is using"))
            try await world.stopServer()
            #expect(try await world.run(restore, status: 1).errors.contains("--force"))
            try await world.run(restore + ["--force"])

            // The device removes the lost message and continues.
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

    @Test func `limits are options, and an error names the valid ones`() async throws {
        try await World.with { world in
            let serve = ["serve", "--database", "server.sqlite", "--port", "0", "--limit"]
            #expect(try await world.run(serve + ["rowz=1"], status: 64).errors.contains("The names are rows, "))
            #expect(try await world.run(serve + ["rows=0"], status: 64).errors.contains("rows has to be"))
            #expect(try await world.run(serve + ["rows"], status: 64).errors.contains("events=200000"))
            try await world.startServer(options: ["--limit", "rows=1", "--limit", "events=7"])
            let device = try await JMAPDevice(world, person: "alice")
            _ = try await world.send("One")
            #expect(try await device.messages().count == 1)
            _ = try await world.send("Two")
            let error = await #expect(throws: RunningProcess.Ended.self) { try await device.messages() }
            #expect(error?.description.contains("may have at most 1 rows") == true)
        }
    }

    @Test func `restore reports what it applies again`() async throws {
        try await World.with { world in
            try await world.startServer()
            _ = try await world.send("Kept", to: "alice")
            let token = try await world.token(for: "bob")
            try await world.run(["backup", "backup.sqlite", "--database", "server.sqlite"])
            #expect(try await world.request("DELETE", "/v1/people/alice").status == 200)
            let revoked = try await world.run(["token", "revoke", "--person", "bob"])
            #expect(revoked.output == "All tokens of bob have ended.\n")
            try await world.stopServer()
            let restore = ["restore", "backup.sqlite", "--database", "server.sqlite", "--force"]
            let restored = try await world.run(restore)
            #expect(restored.output.contains("Reapplied: 1 erasure from after the backup, which removed 1 person."))
            #expect(restored.output.contains("Ended again: all tokens of 1 person."))
            let report = try JSON(parsing: try await world.run(restore + ["--json"]).output.utf8)
            #expect(report["former"] == "later" && report["erasures"] == 1 && report["erasedPeople"] == 1)
            #expect(report["endedSessions"] == 1 && report["revokedKeys"] == 0)
            try await world.startServer()
            #expect(try await world.request("GET", "/v1/people/alice").status == 404)
            let bearer = ["Authorization": "Bearer \(token)"]
            #expect(try await world.request("GET", "/.well-known/jmap", headers: bearer).status == 401)
            try await world.stopServer()
            try Data("damaged".utf8).write(to: world.folder.appendingPathComponent("server.sqlite"))
            let damaged = try await world.run(restore)
            #expect(damaged.errors.contains("may be lost. Repeat them"))
        }
    }

    /// After a kill at any moment, the database is the one from before, with its log, or the restored one.
    @Test func `a restore killed at any moment leaves one of the two databases whole`() async throws {
        try await World.with { world in
            try await world.startServer()
            let kept = try await world.send("Kept")
            try await world.run(["backup", "backup.sqlite", "--database", "server.sqlite"])
            let late = try await world.send("In the log")
            try await world.killServer()
            func file(_ name: String) -> URL { world.folder.appendingPathComponent(name) }
            let files = FileManager.default
            for name in ["", "-wal"] {
                try files.copyItem(at: file("server.sqlite" + name), to: file("before.sqlite" + name))
            }
            var outcomes: Set<Bool> = []
            for round in 0..<12 {
                for name in ["", "-wal", "-shm"] { try? files.removeItem(at: file("server.sqlite" + name)) }
                for name in ["", "-wal"] {
                    try files.copyItem(at: file("before.sqlite" + name), to: file("server.sqlite" + name))
                }
                let restore = try world.start(["restore", "backup.sqlite", "--database", "server.sqlite", "--force"])
                // What is timed is the process's death; nothing is waited for. The last one lives.
                if round < 11 {
                    try await Task.sleep(for: .milliseconds(round * 6))
                    restore.signal(SIGKILL)
                }
                _ = try await restore.end()
                try await world.startServer()
                let isRestored = try await world.request("GET", "/v1/messages/\(late)").status == 404
                outcomes.insert(isRestored)
                #expect(try await world.request("GET", "/v1/messages/\(kept)").status == 200)
                let log = try JSON(parsing: try await world.request("GET", "/v1/audit").bytes)
                let kinds = log["entries"]?.arrayValue?.map { $0["kind"] } ?? []
                #expect(kinds.contains("database.restored") == isRestored)
                try await world.stopServer()
                let doctor = try await world.run(["doctor", "--database", "server.sqlite"])
                #expect(doctor.lines.contains { $0.contains("✓ Integrity") })
            }
            #expect(outcomes == [true, false])
        }
    }

    /// The previous backup is kept until the new one is whole.
    @Test func `a backup killed at any moment leaves a whole backup`() async throws {
        try await World.with { world in
            try await world.startServer()
            _ = try await world.send("First")
            let backup = ["backup", "backup.sqlite", "--database", "server.sqlite"]
            try await world.run(backup)
            var late: [String] = []
            for round in 0..<12 {
                late.append(try await world.send("Number \(round)"))
                let process = try world.start(backup + ["--force"])
                // What is timed is the process's death; nothing is waited for. The last one lives.
                if round < 11 {
                    try await Task.sleep(for: .milliseconds(round * 6))
                    process.signal(SIGKILL)
                }
                _ = try await process.end()
                let doctor = try await world.run(["doctor", "--database", "backup.sqlite"])
                #expect(doctor.lines.contains { $0.contains("✓ Integrity") }, "round \(round)")
            }
            try await world.stopServer()
            try await world.run(["restore", "backup.sqlite", "--database", "server.sqlite", "--force"])
            try await world.startServer()
            for id in late { #expect(try await world.request("GET", "/v1/messages/\(id)").status == 200) }
            let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
            #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
        }
    }

    @Test func `keys rotate, and the audit log records it`() async throws {
        try await World.with { world in
            try await world.startServer()
            let token = try await world.token(for: "alice")
            let bearer = ["Authorization": "Bearer \(token)"]
            let rotated = try await world.run(["keys", "rotate"])
            #expect(rotated.output.contains("The previous key verifies tokens until "))
            #expect(try await world.request("GET", "/.well-known/jmap", headers: bearer).status == 200)
            let ending = try await world.run(["keys", "rotate", "--end-tokens", "--json"])
            let ended = try JSON(parsing: ending.output.utf8)
            #expect(ended["formerEndsAt"] == ended["rotatedAt"])
            #expect(try await world.request("GET", "/.well-known/jmap", headers: bearer).status == 401)
            let log = try await world.run(["audit", "--kind", "signingKey.rotated", "--since", "-1h", "--json"])
            let entries = try log.lines.map { try JSON(parsing: Array($0.utf8)) }
            #expect(entries.map { $0["detail"]?["endedTokens"] } == [true, false])
            #expect(entries.allSatisfy { $0["by"] == "k1" })
            let words = try await world.run(["audit", "--limit", "1"])
            #expect(words.output.contains("signingKey.rotated") && words.output.contains("by k1"))
            #expect(words.errors.contains("There are more"))
            #expect(try await world.run(["audit", "--kind", "x"], status: 1).errors.contains("key.made"))
        }
    }

    @Test func `secrets come from files, and options that contain secrets warn`() async throws {
        try await World.with { world in
            func write(_ text: String, _ name: String) throws {
                try Data(text.utf8).write(to: world.folder.appendingPathComponent(name))
            }
            try write(world.key + "\n", "admin-key")
            try write("", "empty")
            try write("two words", "words")
            let serve = ["serve", "--database", "server.sqlite", "--port", "0"]
            let short = try await world.run(serve + ["--admin-key", "short"], status: 1)
            #expect(short.errors.contains("at least 32") && short.errors.contains("openssl rand -hex 32"))
            #expect(short.errors.contains("--admin-key exposes the API key to every user of this machine"))
            for (name, words) in [("none", "doesn't exist"), ("empty", "is empty"), ("words", "nothing else")] {
                let wrong = try await world.run(serve + ["--admin-key-file", name], status: 1)
                #expect(wrong.errors.contains(words), "\(name)")
            }
            let both = ["--admin-key-file", "admin-key", "--admin-key", world.key]
            #expect(try await world.run(serve + both, status: 64).errors.contains("Give one of"))
            #expect(try await world.run(serve + ["--trusted-proxy", "x"], status: 1).errors.contains("10.0.0.0/8"))
            try await world.startServer()
            // A key from a file, and one as an option.
            let send = ["send", "--to", "alice", "--title", "x"]
            let quiet = try await world.run(send + ["--key-file", "admin-key"])
            #expect(quiet.errors.isEmpty)
            let loud = try await world.run(send + ["--key", world.key])
            #expect(loud.errors.split(separator: "\n").count == 1)
            #expect(loud.errors.contains("--key-file FILE or INBOX_KEY"))
            try write(try await world.token(for: "alice"), "token")
            let login = ["login", "--person", "alice", "--directory", "phone"]
            #expect(try await world.run(login + ["--token-file", "token"]).errors.isEmpty)
            #expect(try await world.run(login + ["--key-file", "admin-key"]).errors.isEmpty)
            let warned = try await world.run(login + ["--token", try await world.token(for: "alice")])
            #expect(warned.errors.contains("--token exposes the token to every user"))
            _ = try await world.run(login + ["--token-file", "token", "--token-stdin"], status: 64)
        }
    }

    @Test func `doctor exits with 1 when something is wrong`() async throws {
        try await World.with { world in
            #expect(
                try await world.run(["doctor", "--database", "none"], status: 1).errors.contains("There is no file")
            )
            try Data("text".utf8).write(to: world.folder.appendingPathComponent("text"))
            let doctor = try await world.run(["doctor", "--database", "text", "--json"], status: 1)
            #expect(doctor.errors.contains("isn't a SQLite database"))
            #expect(doctor.errors.contains("inbox restore"))
        }
    }

    @Test func `a second server on the same file is refused`() async throws {
        try await World.with { world in
            try await world.startServer()
            let second = try await world.run(["serve", "--database", "server.sqlite", "--port", "0"], status: 1)
            #expect(second.errors.contains("Another server is using"))
            _ = try await world.send("Still here")
        }
    }

    @Test func `a folder as a database, and a host that isn't known, are named with what to do`() async throws {
        try await World.with { world in
            for command in [["doctor", "--database", "."], ["backup", "backup.sqlite", "--database", "."]] {
                let ended = try await world.run(command, status: 1)
                #expect(ended.errors.contains("is a folder. Specify a file"), "\(ended.errors)")
            }
            let serve = ["serve", "--database", "server.sqlite", "--port", "0", "--host", "nosuch.invalid"]
            let ended = try await world.run(serve, status: 1)
            #expect(ended.errors.contains("The host nosuch.invalid of --host can't be looked up"), "\(ended.errors)")
        }
    }

    @Test func `errors in keys and certificates are reported at the start`() async throws {
        try await World.with { world in
            let serve = ["serve", "--database", "server.sqlite", "--port", "0"]
            let half = try await world.run(serve + ["--tls-certificate", "a"], status: 64)
            #expect(half.errors.contains("require each other"))
            let alone = try await world.run(serve + ["--jwt-issuer", "a"], status: 64)
            #expect(alone.errors.contains("need a --jwt-key"))
            let missing = try await world.run(serve + ["--tls-certificate", "a", "--tls-key", "b"], status: 1)
            #expect(missing.errors.contains("given with --tls-certificate, can't be read"))
            try Data("short".utf8).write(to: world.folder.appendingPathComponent("key"))
            let short = try await world.run(serve + ["--jwt-secret", "key"], status: 1)
            #expect(short.errors.contains("HS256 requires at least 32"))
            #expect(!short.errors.contains("short"))
        }
    }

    @Test func `the reason why a server can't be reached is a sentence with the solution`() async throws {
        try await World.with { world in
            let send = ["send", "--to", "alice", "--title", "Hello"]
            let missing = try await world.run(send, status: 1)
            #expect(missing.errors.contains("The server can't be reached: "), "\(missing.errors)")
            #expect(!missing.errors.contains("errno"), "\(missing.errors)")
            let openssl = try #require(ExternalProgram.find("openssl"))
            try await ExternalProgram.run(
                openssl,
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-keyout", "server.key", "-out", "server.pem", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1",
                ],
                in: world.folder
            )
            try await world.startServer(options: ["--tls-certificate", "server.pem", "--tls-key", "server.key"])
            let untrusted = try await world.run(send, status: 1)
            #if canImport(FoundationNetworking)
                let address = world.url.replacing("https://", with: "")
                #expect(missing.errors.contains("nothing listens at 127.0.0.1:9. Check the address"))
                #expect(
                    untrusted.errors.contains("the certificate of \(address) isn't trusted"),
                    "\(untrusted.errors)"
                )
                // A device names it, too.
                let login = ["login", "--person", "alice", "--token-stdin", "--directory", "phone"]
                let stored = try await world.run(login, input: "token\n")
                #expect(stored.errors.contains("the certificate of \(address) isn't trusted"), "\(stored.errors)")
                let status = try await world.run(["status", "--directory", "phone"])
                #expect(status.output.contains("the certificate of \(address) isn't trusted"), "\(status.output)")
            #endif
            #expect(!untrusted.errors.contains("BoringSSL"), "\(untrusted.errors)")
        }
    }

    @Test func `the JSON log has one object per line`() async throws {
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

    @Test func `the debug log has short lines and no key`() async throws {
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
            for line in server.errors.split(separator: "\n") { #expect(line.count < 400, "\(line)") }
        }
    }
}
