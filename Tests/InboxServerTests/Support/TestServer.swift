import Foundation
import Groundwork
import Logging
import RawSockets
import ServiceLifecycle
import Testing

@testable import InboxServer
@testable import InboxService

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A real server on a free port of this machine.
final class TestServer: Sendable {
    static let adminKey = "key-for-tests-of-32-characters-or-more"

    let url: URL
    let ready: ReadyInformation
    let file: URL
    let watchers: Watchers
    let routes: [Route]
    /// The names of the JMAP methods.
    let methods: [String]
    let metrics: ServerMetrics
    let isStopping: Locked<Bool>
    let endShutdownPause: @Sendable () -> Void
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    private init(
        ready: ReadyInformation,
        file: URL,
        server: InboxServer,
        group: ServiceGroup,
        running: Task<Void, any Error>
    ) {
        self.ready = ready
        self.url = ready.url
        self.file = file
        self.watchers = server.watchers
        self.metrics = server.metrics
        self.isStopping = server.isStopping
        endShutdownPause = { server.endShutdownPause() }
        self.routes = server.routes.withLock { $0 }
        self.methods = server.methods.withLock { $0 }
        self.group = group
        self.running = running
    }

    static func start(
        file: URL,
        clock: any WallClock,
        adminKey: String? = adminKey,
        publicURL: URL? = nil,
        logger: Logger? = nil,
        configure: (inout InboxServerConfiguration) -> Void = { _ in }
    ) async throws -> TestServer {
        let logger = logger ?? quietLogger
        let (readiness, continuation) = AsyncThrowingStream<ReadyInformation, any Error>.makeStream()
        var configuration = InboxServerConfiguration(
            database: try await TestDatabase.address(for: file),
            adminKey: adminKey,
            publicURL: publicURL,
            clock: clock,
            logger: logger
        )
        if TestDatabase.usesPooler { configuration.pooler = try await TestDatabase.pooler(for: file) }
        // Many tests send wrong keys. The tests of the limit set their own.
        configuration.attemptLimit = AttemptLimit(burst: 1_000_000)
        // The tests' webhook receivers are on this machine.
        configuration.allowsPrivateWebhooks = true
        // A busy machine may read slowly. The tests of the limit set their own.
        configuration.fairUse.readingTime = 30
        // A manual clock shows another time than the database's.
        configuration.isClockCompared = false
        configure(&configuration)
        let server = InboxServer(configuration: configuration) { continuation.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        let running = Task {
            do {
                try await group.run()
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                throw error
            }
        }
        for try await ready in readiness {
            return TestServer(ready: ready, file: file, server: server, group: group, running: running)
        }
        throw CancellationError()
    }

    private static let quietLogger = {
        var logger = Logger(label: "test")
        logger.logLevel = .error
        return logger
    }()

    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private static let session = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        // Longer than a busy machine may take. Each suite has a limit of its own.
        configuration.timeoutIntervalForRequest = 600
        return URLSession(configuration: configuration)
    }()

    func request(
        _ method: String,
        _ path: String,
        body: [UInt8]? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: url.absoluteString + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await Self.session.answer(to: request)
        let http = try #require(response as? HTTPURLResponse)
        return Answer(status: http.statusCode, bytes: Array(data), response: http)
    }

    /// Calls the REST API, by default with the setup key.
    func rest(_ method: String, _ path: String, _ body: JSON? = nil, headers: [String: String] = [:]) async throws
        -> Answer
    {
        var headers = headers
        headers["Authorization"] = headers["Authorization"] ?? "Bearer \(Self.adminKey)"
        return try await request(method, path, body: body?.utf8, headers: headers)
    }

    /// Sends a message and returns its id.
    @discardableResult
    func send(to: JSON, _ message: JSON = ["title": "Hello"]) async throws -> String {
        let answer = try await rest("POST", "/v1/messages", ["to": to, "message": message])
        guard answer.status == 201, let id = answer.json["id"]?.stringValue else {
            throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
        }
        return id
    }

    func token(for person: String) async throws -> String {
        let path = try #require(person.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await rest("POST", "/v1/people/\(path)/tokens").json["token"]?.stringValue ?? ""
    }

    func device(of person: String) async throws -> Device {
        let token = try await token(for: person)
        let session = try await request("GET", "/.well-known/jmap", headers: ["Authorization": "Bearer \(token)"]).json
        guard let account = session["primaryAccounts"]?.objectValue?.members.first?.value.stringValue else {
            throw UnexpectedResponse(answer: session.description)
        }
        return Device(server: self, token: token, account: account)
    }
}

struct Answer: Sendable {
    let status: Int
    let bytes: [UInt8]
    let response: HTTPURLResponse

    /// The body as JSON, or null if it isn't JSON.
    var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
}

struct UnexpectedResponse: Error {
    let answer: String
}

/// Runs a test with a server on a new database, and stops the server afterwards.
func withServer(
    clock: any WallClock = ManualClock(),
    adminKey: String? = TestServer.adminKey,
    publicURL: URL? = nil,
    configure: (inout InboxServerConfiguration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
) async throws {
    try await withFolder { folder in
        let server = try await TestServer.start(
            file: folder.appending(path: "inbox.sqlite"),
            clock: clock,
            adminKey: adminKey,
            publicURL: publicURL,
            configure: configure
        )
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }
}

func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "inbox-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(folder))
    } catch {
        result = .failure(error)
    }
    await TestDatabase.release(folder)
    try? FileManager.default.removeItem(at: folder)
    try result.get()
}

extension ServerMetrics {
    /// Returns the value of a metric without labels.
    func value(of name: String) -> Double {
        text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) } ?? 0
    }
}

extension TestServer {
    /// Returns the ids of the messages on all pages of a list. Expects each page but the last to be full, and `next` to
    /// be its last id.
    func pagedIds(_ path: String, _ query: String = "", limit: Int = 50) async throws -> [String] {
        var ids: [String] = []
        var after = ""
        while true {
            let answer = try await rest("GET", "\(path)?limit=\(limit)\(query)\(after)")
            guard let page = answer.json["messages"]?.arrayValue?.compactMap({ $0["id"]?.stringValue }) else {
                throw UnexpectedResponse(answer: String(decoding: answer.bytes, as: UTF8.self))
            }
            ids += page
            guard let next = answer.json["next"]?.stringValue else { return ids }
            #expect(page.count == limit && next == page.last)
            after = "&after=\(next)"
        }
    }
}
