package import Foundation
package import Groundwork
import InboxServer
import Logging
import ServiceLifecycle

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server on a free port of this machine, in the test process, and a folder for the devices.
package final class RunningServer: Sendable {
    package let url: URL
    /// A new folder for a test's files. It is deleted afterwards.
    package let folder: URL
    private static let key = "key-for-tests-of-32-characters-or-more"

    private init(url: URL, folder: URL) {
        self.url = url
        self.folder = folder
    }

    /// Runs a test with a server on a new database, and stops the server afterwards.
    ///
    /// - Parameters:
    ///   - clock: The server's clock.
    ///   - isolation: The test's isolation.
    package static func run<T>(
        clock: any WallClock = SystemClock(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (RunningServer) async throws -> T
    ) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "inbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "test")
        logger.logLevel = .error
        let (readiness, continuation) = AsyncThrowingStream<URL, any Error>.makeStream()
        let configuration = InboxServerConfiguration(
            database: folder.appending(path: "server.sqlite"),
            adminKey: key,
            clock: clock,
            logger: logger
        )
        let server = InboxServer(configuration: configuration) { continuation.yield($0.url) }
        let group = ServiceGroup(services: [server], logger: logger)
        let running = Task {
            do {
                try await group.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        var iterator = readiness.makeAsyncIterator()
        guard let url = try await iterator.next() else { throw CancellationError() }
        let outcome: Result<T, any Error>
        do {
            outcome = .success(try await body(RunningServer(url: url, folder: folder)))
        } catch {
            outcome = .failure(error)
        }
        await group.triggerGracefulShutdown()
        await running.value
        return try outcome.get()
    }

    /// Calls the backend's API with its key, and returns the response, or null if it isn't JSON.
    @discardableResult
    package func rest(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = URLRequest(url: url.appending(path: path))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(Self.key)", forHTTPHeaderField: "Authorization")
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        let (data, _) = try await URLSession.shared.data(for: request)
        return (try? JSON(parsing: Array(data))) ?? .null
    }

    /// Sends a message and returns its id.
    package func send(to person: String, _ message: JSON) async throws -> String {
        let answer = try await rest("POST", "v1/messages", ["to": ["person": .string(person)], "message": message])
        guard let id = answer["id"]?.stringValue else { throw Refusal(answer: "\(answer)") }
        return id
    }

    /// Sends messages to one person in one request, with numbers as titles, and returns their ids.
    package func send(_ numbers: Range<Int>, to person: String) async throws -> [String] {
        let messages = numbers.map {
            ["to": ["person": .string(person)], "message": ["title": .string("\($0)")]] as JSON
        }
        let answer = try await rest("POST", "v1/messages", .array(messages))
        let ids = answer.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        guard ids.count == numbers.count else { throw Refusal(answer: "\(answer)") }
        return ids
    }

    /// Returns a person's token, requested as the app's backend does.
    package func token(of person: String) async throws -> String {
        try await rest("POST", "v1/people/\(person)/tokens")["token"]?.stringValue ?? ""
    }

    /// An unexpected response.
    struct Refusal: Error {
        let answer: String
    }
}
