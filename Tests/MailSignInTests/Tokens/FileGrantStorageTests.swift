import Foundation
import Groundwork
import ReplicaTesting
import Testing

@testable import MailSignIn

@Suite(.timeLimit(.minutes(5))) struct FileGrantStorageTests {
    private static func inFolder<T>(_ body: (URL) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "grants-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func `a grant is read as it was stored, for each account`() async throws {
        try await Self.inFolder { folder in
            let storage = FileGrantStorage(directory: folder.appending(path: "tokens"))
            #expect(try await storage.grant(of: "anna@example.com") == nil)
            let others = SignInGrant.sample("../ben/é@example.com", refresh: nil)
            try await storage.store(.sample(), of: "anna@example.com")
            try await storage.store(others, of: others.address)
            let again = FileGrantStorage(directory: folder.appending(path: "tokens"))
            #expect(try await again.grant(of: "anna@example.com") == .sample())
            #expect(try await again.grant(of: others.address) == others)
            try await storage.store(nil, of: "anna@example.com")
            try await storage.store(nil, of: "anna@example.com")
            #expect(try await again.grant(of: "anna@example.com") == nil)
        }
    }

    @Test func `the accounts that have a grant are known by their addresses`() async throws {
        try await Self.inFolder { folder in
            let storage = FileGrantStorage(directory: folder.appending(path: "tokens"))
            #expect(try await storage.addresses() == [])
            for address in ["ben@example.com", "anna@example.com", "damaged@example.com", "gone@example.com"] {
                try await storage.store(.sample(address), of: address)
            }
            try await storage.store(nil, of: "gone@example.com")
            try Data("{".utf8).write(to: storage.file("damaged@example.com"))
            try await storage.exclusively(of: "locked@example.com") {}
            #expect(try await storage.addresses() == ["anna@example.com", "ben@example.com"])
            let file = FileGrantStorage(directory: storage.file("anna@example.com"))
            await #expect(throws: SignInError.self) { try await file.addresses() }
        }
    }

    @Test func `files and the folder become readable by their owner only`() async throws {
        try await Self.inFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            chmod(folder.path, 0o755)
            let storage = FileGrantStorage(directory: folder)
            let file = storage.file("anna@example.com")
            try Data("{}".utf8).write(to: file)
            chmod(file.path, 0o644)
            try await storage.store(.sample(), of: "anna@example.com")
            #expect(try Self.mode(folder) == 0o700)
            #expect(try Self.mode(file) == 0o600)
            try await storage.exclusively(of: "anna@example.com") {}
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names { #expect(try Self.mode(folder.appending(path: name)) == 0o600) }
            // No file that was being written is left.
            #expect(!names.contains { $0.hasSuffix(".new") })
            #expect(!names.contains { $0.contains("anna") })
        }
    }

    @Test func `a link in place of the file isn't followed`() async throws {
        try await Self.inFolder { folder in
            let storage = FileGrantStorage(directory: folder.appending(path: "tokens"))
            let file = storage.file("anna@example.com")
            try await storage.store(.sample(), of: "ben@example.com")
            let target = folder.appending(path: "target")
            let bytes = Data(SignInGrant.sample("ben@example.com").storedForm)
            try bytes.write(to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            await #expect(throws: SignInError.self) { try await storage.grant(of: "anna@example.com") }
            try await storage.store(.sample(), of: "anna@example.com")
            #expect(try Data(contentsOf: target) == bytes)
            #expect(try await storage.grant(of: "anna@example.com") == .sample())
        }
    }

    @Test func `a file that isn't a grant is an error, and what it has isn't shown`() async throws {
        try await Self.inFolder { folder in
            let storage = FileGrantStorage(directory: folder)
            try await storage.store(.sample(), of: "anna@example.com")
            let file = storage.file("anna@example.com")
            try Data(#"{"accessToken": "secret"}"#.utf8).write(to: file)
            do {
                _ = try await storage.grant(of: "anna@example.com")
                Issue.record("it was read")
            } catch let error as SignInError {
                #expect(error.code == .storage)
                #expect(!error.description.contains("secret"))
            }
        }
    }

    @Test func `a folder that can't be created is an error`() async throws {
        try await Self.inFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let blocked = folder.appending(path: "file")
            try Data().write(to: blocked)
            let storage = FileGrantStorage(directory: blocked.appending(path: "tokens"))
            await #expect(throws: SignInError.self) { try await storage.store(.sample(), of: "anna@example.com") }
        }
    }

    @Test func `two keepers on one folder refresh one after the other`() async throws {
        try await Self.inFolder { folder in
            let clock = ManualClock()
            let server = RotatingServer()
            var configuration = SignInConfiguration()
            configuration.clock = clock
            configuration.transport = ScriptedTransport { server.answer($0) }
            let storage = FileGrantStorage(directory: folder)
            try await storage.store(.sample(), of: "anna@example.com")
            clock.advance(by: 3_600)
            var keepers: [TokenKeeper] = []
            for _ in 0..<8 {
                keepers.append(
                    try await TokenKeeper(
                        address: "anna@example.com",
                        storage: FileGrantStorage(directory: folder),
                        configuration: configuration
                    )
                )
            }
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for keeper in keepers { group.addTask { try await keeper.accessToken() } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(Set(tokens) == ["access-2"])
            #expect(server.requests.count == 1)
        }
    }
}
