import Foundation
import Groundwork
import Testing

/// The programs of `Documentation/Operations.md` that create tokens, run against a server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TokenExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let algorithms = ["ES256", "EdDSA", "RS256"]

    /// The code blocks of a language in the section about tokens.
    private static func blocks(_ language: String) throws -> [String] {
        let file = root.appending(path: "Documentation/Operations.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("Tokens from your backend\n") }
        )
        return section.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private static func block(_ language: String) throws -> String {
        let blocks = try blocks(language)
        #expect(blocks.count == 1)
        return try #require(blocks.first)
    }

    /// Creates a key with the document's commands, starts a server with it, and expects an example's token to be valid.
    private func expectAccepted(
        _ algorithm: String,
        _ make: (World, _ folder: URL) async throws -> String
    ) async throws {
        try await World.with { world in
            let shell = try #require(ExternalProgram.find("sh"))
            let name = try #require(["ES256": "P-256", "EdDSA": "ed25519", "RS256": "RSA"][algorithm])
            let commands = try #require(try Self.blocks("sh").first { $0.contains("openssl") && $0.contains(name) })
            try await ExternalProgram.run(shell, ["-ec", commands], in: world.folder)
            let serve = ["serve", "--database", "server.sqlite", "--port", "0", "--jwt-key", "2026-05.pem"]
            let server = try world.start(serve)
            let ready = "inbox is ready at "
            let url = try await server.until("the ready line") { $0.lines.first { $0.hasPrefix(ready) } }

            let token = try await make(world, world.folder).trimmingCharacters(in: .whitespacesAndNewlines)
            let session = String(url.dropFirst(ready.count)) + "/.well-known/jmap"
            let inspected = try await world.run(["token", "inspect", "--jwt-key", "2026-05.pem"], input: token)
            #expect(inspected.output.contains("The server would accept it") && inspected.output.contains(algorithm))
            let curl = try #require(ExternalProgram.find("curl"))
            let authorization = ["-H", "Authorization: Bearer \(token)"]
            let status = try await ExternalProgram.run(
                curl,
                ["-s", "-o", "session.json", "-w", "%{http_code}", session] + authorization,
                in: world.folder
            )
            #expect(status == "200")
            let answer = try JSON(parsing: [UInt8](Data(contentsOf: world.folder.appending(path: "session.json"))))
            #expect(answer["username"] == "alice")
        }
    }

    @Test(
        .enabled(if: ExternalProgram.find("node") != nil, "node isn't on this machine"),
        arguments: algorithms
    )
    func `the server accepts a token of the Node example`(algorithm: String) async throws {
        try await expectAccepted(algorithm) { _, folder in
            let node = try #require(ExternalProgram.find("node"))
            try Self.block("js").write(to: folder.appending(path: "make-token.mjs"), atomically: true, encoding: .utf8)
            return try await ExternalProgram.run(node, ["make-token.mjs", "alice"], in: folder)
        }
    }

    /// The Python of `scripts/python`, with the packages of `Tests/requirements.txt`.
    private static let python = root.appending(path: ".build/python/bin/python")

    private static let hasPyJWT: Bool = {
        let packages = root.appending(path: ".build/python/lib")
        let versions =
            (try? FileManager.default.contentsOfDirectory(at: packages, includingPropertiesForKeys: nil)) ?? []
        return versions.contains { version in
            let package = version.appending(path: "site-packages/jwt").path(percentEncoded: false)
            return FileManager.default.fileExists(atPath: package)
        }
    }()

    @Test(
        .enabled(if: hasPyJWT, "PyJWT isn't in .build/python; scripts/python installs it"),
        arguments: algorithms
    )
    func `the server accepts a token of the Python example`(algorithm: String) async throws {
        try await expectAccepted(algorithm) { _, folder in
            try Self.block("python").write(
                to: folder.appending(path: "make_token.py"),
                atomically: true,
                encoding: .utf8
            )
            return try await ExternalProgram.run(Self.python, ["make_token.py", "alice"], in: folder)
        }
    }

    @Test(.enabled(if: ExternalProgram.find("go") != nil, "go isn't on this machine"), arguments: algorithms)
    func `the server accepts a token of the Go example`(algorithm: String) async throws {
        try await expectAccepted(algorithm) { _, folder in
            let go = try #require(ExternalProgram.find("go"))
            try Self.block("go").write(to: folder.appending(path: "token.go"), atomically: true, encoding: .utf8)
            return try await ExternalProgram.run(go, ["run", "token.go", "alice"], in: folder)
        }
    }

    @Test(arguments: algorithms)
    func `the server accepts a token of the Swift example`(algorithm: String) async throws {
        // The built program is the document's.
        let source = try String(contentsOf: Self.root.appending(path: "Examples/Token/main.swift"), encoding: .utf8)
        #expect(try Self.block("swift") == source.trimmingCharacters(in: .newlines))
        try await expectAccepted(algorithm) { world, _ in
            let process = try world.startExample("inbox-token-example", ["alice"], environment: [:])
            #expect(try await process.end() == 0, "\(process.errors)")
            return process.output
        }
    }
}
