import Crypto
import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A restore brings back messages, and nothing that was ended.
@Suite(.timeLimit(.minutes(10)), .onlySQLite) struct RestoreTests {
    private func start(_ folder: URL, _ clock: ManualClock = ManualClock()) async throws -> TestServer {
        try await TestServer.start(file: folder.appending(path: "inbox.sqlite"), clock: clock)
    }

    private func restore(_ backup: URL, to file: URL, now: Date = Date()) async throws -> RestoreReport {
        try await blocking { try DatabaseBackup.restore(backup, to: file, force: true, now: now) }
    }

    private func status(_ token: String, _ server: TestServer) async throws -> Int {
        try await server.request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).status
    }

    private func makeKey(_ server: TestServer) async throws -> (id: String, key: String) {
        let made = try await server.rest("POST", "/v1/keys", ["name": "x", "scopes": ["tokens"]])
        return (try #require(made.json["id"]?.stringValue), try #require(made.json["key"]?.stringValue))
    }

    @Test func `a setup key that a call revoked since the backup stays revoked after a restore`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let first = try await start(folder)
            let made = try await first.rest("POST", "/v1/keys", ["name": "x", "scopes": ["keys"]])
            let headers = ["Authorization": "Bearer \(made.json["key"]?.stringValue ?? "")"]
            try await blocking { try DatabaseBackup.make(of: first.file, to: backup) }
            #expect(try await first.rest("DELETE", "/v1/keys/k1", headers: headers).status == 403)
            #expect(try await first.rest("DELETE", "/v1/keys/k1").status == 204)
            try await first.stop()

            #expect(try await restore(backup, to: first.file).revokedKeys == 1)
            let server = try await start(folder)
            #expect(try await server.rest("GET", "/v1/keys").status == 401)
            #expect(try await server.rest("GET", "/v1/keys", headers: headers).status == 200)
            try await server.stop()
        }
    }

    @Test func `erasures, ended tokens and revoked keys since the backup survive a restore`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let first = try await start(folder, clock)
            for person in ["erase-me", "came-back", "ended", "stays"] {
                try await first.send(to: ["person": .string(person)], ["title": .string("of \(person)")])
                _ = try await first.rest("PUT", "/v1/people/\(person)", ["attributes": ["note": "very-secret"]])
            }
            _ = try await first.rest("GET", "/v1/people/erase-me/export")
            var tokens: [String: String] = [:]
            for person in ["erase-me", "came-back", "ended", "stays", "unknown", "signed-out"] {
                tokens[person] = try await first.token(for: person)
            }
            let (revoked, kept) = (try await makeKey(first), try await makeKey(first))
            let oldKey = try await first.tokenKey()
            try await blocking { try DatabaseBackup.make(of: first.file, to: backup) }

            clock.advance(by: 60)
            for person in ["erase-me", "came-back", "unknown"] {
                #expect(try await first.rest("DELETE", "/v1/people/\(person)").status == 200)
            }
            try await first.send(to: ["person": "came-back"])
            let later = try await first.token(for: "came-back")
            #expect(try await status(later, first) == 200)
            #expect(try await first.rest("DELETE", "/v1/people/ended/tokens").status == 204)
            let browser = Browser(first)
            try await browser.signIn(with: tokens["signed-out"] ?? "")
            #expect(try await browser.post("/inbox/sign-out").status == 303)
            #expect(try await first.rest("DELETE", "/v1/keys/\(revoked.id)").status == 204)
            #expect(try await first.rest("POST", "/v1/signing-key/rotate", ["endTokens": true]).status == 200)
            let newest = try await first.token(for: "stays")
            let log = try await first.rest("GET", "/v1/audit?limit=1000").json["entries"]?.arrayValue ?? []
            try await first.stop()

            let report = try await restore(backup, to: first.file)
            #expect(report.relation == .sameServer)
            #expect(report.erasures == 3)
            #expect(report.erasedPeople == 2, "one of the three never existed")
            #expect(report.revokedKeys == 1)
            #expect(report.endedSessions == 1)
            #expect(report.endedTokens == 1)
            #expect(report.hasLaterSigningKey)
            for name in ["erase-me", "very-secret note of erase-me", "of erase-me", "of came-back"] {
                #expect(try Data(contentsOf: first.file).range(of: Data(name.utf8)) == nil, "\(name)")
            }

            let server = try await start(folder, clock)
            for (person, token) in tokens { #expect(try await status(token, server) == 401, "\(person)") }
            let forged = SignedText.token(#"{"sub":"stays","exp":\#(SignedText.now + 9_000)}"#, kid: nil, by: oldKey)
            #expect(try await status(forged, server) == 401)
            #expect(try await status(newest, server) == 200)
            #expect(try await server.rest("GET", "/v1/people/erase-me").status == 404)
            #expect(try await server.rest("GET", "/v1/people/stays").status == 200)
            #expect(try await server.device(of: "came-back").ids() == [], "later messages aren't in the backup")
            let holds = ["Authorization": "Bearer \(kept.key)"]
            #expect(try await server.rest("POST", "/v1/people/a/tokens", headers: holds).status == 201)
            let ends = ["Authorization": "Bearer \(revoked.key)"]
            #expect(try await server.rest("POST", "/v1/people/a/tokens", headers: ends).status == 401)
            // The audit log continues where it was.
            let entries = try await server.rest("GET", "/v1/audit?limit=1000").json["entries"]?.arrayValue ?? []
            #expect(entries.first?["kind"] == "database.restored" && entries.first?["by"] == "tool")
            #expect(entries.first?["detail"]?["erasedPeople"] == 2)
            func plain(_ entries: [JSON]) -> [String] {
                entries.filter { $0["count"] == nil }.map { entry in
                    ["at", "kind", "by", "person", "erasure", "detail"].map { entry[$0]?.description ?? "" }
                        .joined(separator: " ")
                }.sorted()
            }
            #expect(plain(Array(entries.dropFirst())) == plain(log))
            try await server.stop()

            // Once more, from the same backup: now the existing file is a restored one.
            let again = try await restore(backup, to: first.file, now: Date().addingTimeInterval(1))
            #expect(again.relation == .sameServer && again.erasures == 3 && again.erasedPeople == 2)
        }
    }

    /// With the same signing key throughout: only the list of ended tokens rejects them.
    @Test func `tokens ended after a backup stay ended after the restore, later ones work`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let first = try await start(folder, clock)
            let (ended, signedOut) = (try await first.token(for: "ann"), try await first.token(for: "bob"))
            let other = try await first.token(for: "bob")
            for token in [ended, signedOut, other] { #expect(try await status(token, first) == 200) }
            try await blocking { try DatabaseBackup.make(of: first.file, to: backup) }
            #expect(try await first.rest("DELETE", "/v1/people/ann/tokens").status == 204)
            let later = try await first.token(for: "ann")
            let browser = Browser(first)
            try await browser.signIn(with: signedOut)
            #expect(try await browser.post("/inbox/sign-out").status == 303)
            try await first.stop()
            let report = try await restore(backup, to: first.file)
            #expect(!report.hasLaterSigningKey && report.endedSessions == 1 && report.endedTokens == 1)
            let server = try await start(folder, clock)
            for token in [ended, signedOut] { #expect(try await status(token, server) == 401) }
            for token in [later, other] { #expect(try await status(token, server) == 200) }
            try await server.stop()
        }
    }

    @Test func `a restore without an existing file applies no later changes`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let server = try await start(folder)
            let token = try await server.token(for: "ann")
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            try await server.stop()
            for name in ["", "-wal", "-shm"] { unlink(server.file.path + name) }
            let report = try await restore(backup, to: server.file)
            #expect(report == RestoreReport())
            let again = try await start(folder)
            #expect(try await status(token, again) == 200)
            try await again.stop()
        }
    }

    @Test func `a restore over another server's file applies none of its changes`() async throws {
        try await withFolder { folder in
            let (backup, other) = (folder.appending(path: "backup.sqlite"), folder.appending(path: "other"))
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            let server = try await start(folder)
            try await server.send(to: ["person": "ann"])
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            try await server.stop()
            let staging = try await start(other)
            #expect(try await staging.rest("DELETE", "/v1/people/ann").status == 200)
            let token = try await staging.token(for: "ann")
            try await staging.stop()
            let report = try await restore(backup, to: staging.file)
            #expect(report.relation == .otherServer && report.erasures == 0)
            let again = try await start(other)
            #expect(try await again.rest("GET", "/v1/people/ann").status == 200, "another's erasure isn't applied")
            #expect(try await status(token, again) == 401, "another server's key isn't valid")
            try await again.stop()
        }
    }

    @Test func `a restore replaces a damaged file, applies what is readable and reports it`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let server = try await start(folder)
            try await server.send(to: ["person": "ann"])
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            try await server.stop()
            let whole = try Data(contentsOf: server.file)
            for (name, bytes) in [("text", Data("no database".utf8)), ("cut", whole.prefix(6_000)), ("empty", Data())] {
                try bytes.write(to: server.file)
                try Data("stale".utf8).write(to: URL(filePath: server.file.path + "-wal"))
                let report = try await restore(backup, to: server.file)
                guard case .unreadable(let reason) = report.relation else {
                    Issue.record("\(name): \(report)")
                    continue
                }
                #expect(!reason.isEmpty, "\(name)")
                let checkup = try await blocking { try DatabaseCheckup(of: server.file) }
                #expect(checkup.findings.first?.verdict == .good, "\(name)")
            }
            // From a partly damaged file, the readable changes are applied: here the pages of another table are lost.
            var bytes = whole
            let root: Int? = try await DatabaseQueue(path: backup.path).read { db in
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'audit'")
            }
            let page = 4_096 * (try #require(root) - 1)
            bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0xFF, count: 4_096))
            try bytes.write(to: server.file)
            let report = try await restore(backup, to: server.file)
            #expect(report.erasures == 1 && report.erasedPeople == 1, "\(report)")
            guard case .unreadable = report.relation else {
                Issue.record("\(report)")
                return
            }
            let again = try await start(folder)
            #expect(try await again.rest("GET", "/v1/people/ann").status == 404)
            try await again.stop()
        }
    }

    @Test func `a restored backup of an earlier version gets later erasures too`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let server = try await start(folder)
            try await server.send(to: ["person": "ann"])
            let key = try await server.tokenKey().withUnsafeBytes { Data($0) }
            let pool = try DatabasePool(path: backup.path)
            try Schema.migrator.migrate(pool, upTo: "imports")
            try await pool.write { db in
                try db.execute(sql: "INSERT INTO setting VALUES ('tokenKey', ?)", arguments: [key])
                try db.execute(sql: "INSERT INTO person VALUES (1, 'ann', 'a1', 0, 0), (2, 'bob', 'a2', 0, 0)")
            }
            try pool.close()
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            try await server.stop()
            let report = try await restore(backup, to: server.file)
            #expect(report.relation == .sameServer && report.erasedPeople == 1)
            let again = try await start(folder)
            #expect(try await again.rest("GET", "/v1/people/ann").status == 404)
            #expect(try await again.rest("GET", "/v1/people/bob").status == 200)
            try await again.stop()
        }
    }

    /// The state after a crash between truncating the log and moving the new file into place: the old file is complete.
    @Test func `a database of a crashed server is complete without its log after settling`() async throws {
        try await withFolder { folder in
            let copied = folder.appending(path: "crashed.sqlite")
            let server = try await start(folder)
            let id = try await server.send(to: ["person": "ann"], ["title": "in the log alone"])
            // The files of a crashed server: the last writes are in the log next to the file.
            for name in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: server.file.path + name, toPath: copied.path + name)
            }
            try await server.stop()
            #expect(try Data(contentsOf: copied).range(of: Data("in the log alone".utf8)) == nil)
            try await blocking { try ReplacedDatabase(file: copied).consolidate() }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0.hasPrefix("crashed") } == ["crashed.sqlite"])
            let again = try await TestServer.start(file: copied, clock: ManualClock())
            #expect(try await again.rest("GET", "/v1/messages/\(id)").status == 200)
            try await again.stop()
        }
    }

    @Test func `a restore doesn't replace a database in use`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let server = try await start(folder)
            let id = try await server.send(to: ["person": "ann"])
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            try await server.stop()
            // Another program has the file open.
            let pool = try DatabasePool(path: server.file.path)
            try await pool.write { try $0.execute(sql: "PRAGMA user_version = 7") }
            await #expect(throws: MaintenanceError.self) { _ = try await restore(backup, to: server.file) }
            try pool.close()
            let again = try await start(folder)
            #expect(try await again.rest("GET", "/v1/messages/\(id)").status == 200)
            try await again.stop()
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a restore by root keeps the file's owner and mode`() async throws {
        try await withFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            let server = try await start(folder)
            try await blocking { try DatabaseBackup.make(of: server.file, to: backup) }
            try await server.stop()
            let file = server.file
            func owner(_ path: String) throws -> [Int?] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                return [
                    attributes[.ownerAccountID] as? Int, attributes[.groupOwnerAccountID] as? Int,
                    attributes[.posixPermissions] as? Int,
                ]
            }
            #expect(chown(file.path, 65_534, 65_534) == 0 && chmod(file.path, 0o640) == 0)
            unlink(file.path + ".lock")
            _ = try await restore(backup, to: file)
            #expect(try owner(file.path) == [65_534, 65_534, 0o640])
            #expect(try owner(file.path + ".lock").prefix(2) == [65_534, 65_534], "the server must be able to lock it")
            // Without an existing file, the new one belongs to the folder's owner.
            for name in ["", ".lock"] { unlink(file.path + name) }
            #expect(chown(folder.path, 65_534, 65_534) == 0)
            _ = try await restore(backup, to: file)
            #expect(try owner(file.path) == [65_534, 65_534, 0o600])
            #expect(chown(folder.path, 0, 0) == 0)
        }
    }
}
