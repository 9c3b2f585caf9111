import Foundation
import Groundwork

/// The state that a demo saves between runs.
struct DemoState: Sendable {
    /// The API key of the demo's server.
    var key: String
    /// The ids of the sent messages, by idempotency key. They are saved because the server keeps the keys for only a
    /// day.
    var sent: [String: String] = [:]
    /// The start time of the current batch of messages. Relative times count from it, so that a repeat after a crash
    /// sends the same bytes. Nil once all messages are sent.
    var begunAt: Date?
    /// The server's address in the previous run, nil before the first. The picture URLs of the sent messages refer to
    /// it.
    var server: String?

    init(key: String) {
        self.key = key
    }

    /// Reads the state in a directory, or creates a new one.
    ///
    /// - Throws: ``Failure`` if it can't be read.
    init(in directory: URL) throws {
        guard FileManager.default.fileExists(atPath: Self.database(in: directory).path),
            let bytes = try PrivateFile.read(Self.file(in: directory))
        else {
            self.init(key: "sk_demo_" + RandomSource.system.token(length: 24))
            return
        }
        do {
            let reader = JSONReader(try JSON(parsing: bytes))
            self.init(key: try reader.required("key").string())
            sent = try reader.required("sent").stringPairs()
            begunAt = try reader.member("begunAt")?.date()
            server = try reader.member("server")?.string()
        } catch {
            throw Failure(
                """
                \(Self.file(in: directory).path) isn't the state of a demo: \(error). Delete \(directory.path) to \
                start over.
                """
            )
        }
    }

    func save(in directory: URL) throws {
        var object = JSONObject([("key", .string(key))])
        object["begunAt"] = begunAt.map { .string(RFC3339.string(from: $0)) }
        object["server"] = server.map(JSON.string)
        object["sent"] = .object(JSONObject(sent.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        try PrivateFile.replace(Self.file(in: directory), with: JSON.object(object).utf8)
        try PrivateFile.replace(Self.keyFile(in: directory), with: Array("\(key)\n".utf8))
        try PrivateFile.replace(Self.headerFile(in: directory), with: Array("Authorization: Bearer \(key)\n".utf8))
    }

    /// The file that contains only the key, for `--key-file`.
    static func keyFile(in directory: URL) -> URL { directory.appendingPathComponent("key", isDirectory: false) }

    /// The file that contains the key as a request header, for curl.
    static func headerFile(in directory: URL) -> URL {
        directory.appendingPathComponent("authorization", isDirectory: false)
    }

    static func database(in directory: URL) -> URL {
        directory.appendingPathComponent("inbox.sqlite", isDirectory: false)
    }

    private static func file(in directory: URL) -> URL {
        directory.appendingPathComponent("demo.json", isDirectory: false)
    }
}
