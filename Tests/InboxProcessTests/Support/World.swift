import Foundation
import GRDB
import Groundwork
import RawSockets
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server, its devices and their folder, for one test. The folder and the processes are removed when the test ends.
final class World: Sendable {
    let folder: URL
    let key = "sk_test_0123456789abcdefghijklmnopqrstuv"
    /// Guarded by the lock: the started processes, and the server's URL.
    private let state = Locked(State())

    private struct State {
        var processes: [RunningProcess] = []
        var server: RunningProcess?
        var url: String?
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inbox-\(UUID().uuidString)",
            isDirectory: true
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs a test in its own world.
    static func with(_ body: (World) async throws -> Void) async throws {
        let world = try World()
        do {
            try await body(world)
        } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func end() async {
        for process in state.withLock({ $0.processes }) where !process.hasEnded {
            process.signal(SIGKILL)
            _ = try? await process.end()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - The server

    var url: String { state.withLock { $0.url } ?? "http://127.0.0.1:9" }

    /// Starts the server, each time on the same port.
    ///
    /// - Parameters:
    ///   - database: A name in the world's folder, or a whole path.
    ///   - options: Further options of `inbox serve`.
    ///   - environment: Further environment variables.
    func startServer(
        database: String = "server.sqlite",
        options: [String] = [],
        environment: [String: String] = [:]
    ) async throws {
        let port = state.withLock { $0.url }.flatMap { URL(string: $0)?.port } ?? 0
        let keyFile = folder.appendingPathComponent("setup-key")
        try Data(key.utf8).write(to: keyFile)
        let serve = ["serve", "--database", database, "--port", "\(port)", "--admin-key-file", keyFile.path]
        let server = try start(serve + options, environment: environment)
        let url = try await server.until("the ready line") { server in
            server.lines.first { $0.hasPrefix("inbox is ready at ") }.map {
                String($0.dropFirst("inbox is ready at ".count))
            }
        }
        state.withLock {
            $0.server = server
            $0.url = url
        }
    }

    /// Ends the server as an operator would.
    func stopServer() async throws {
        let server = try #require(state.withLock { $0.server })
        server.signal(SIGTERM)
        #expect(try await server.end() == 0)
    }

    /// Waits until the server has ended by itself, and returns its exit code.
    func waitForServerExit() async throws -> Int32 {
        try await #require(state.withLock { $0.server }).end()
    }

    /// The standard errors of all processes so far, such as the servers' log.
    var errors: String { state.withLock { $0.processes }.map(\.errors).joined() }

    func signalServer(_ number: Int32) { state.withLock { $0.server }?.signal(number) }

    func killServer() async throws {
        let server = try #require(state.withLock { $0.server })
        server.signal(SIGKILL)
        #expect(try await server.end() == -SIGKILL)
    }

    // MARK: - Processes

    private var environment: [String: String] {
        var environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "INBOX_SERVER": url, "INBOX_KEY": key]
        for name in ["LD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_LIBRARY_PATH"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        return environment
    }

    /// Starts the tool.
    func start(
        _ arguments: [String],
        input: String? = nil,
        output: FileHandle? = nil,
        errors: FileHandle? = nil,
        terminal: TypedTerminal? = nil,
        in directory: URL? = nil,
        environment more: [String: String] = [:]
    ) throws -> RunningProcess {
        let process = try RunningProcess(
            "inbox",
            arguments,
            in: directory ?? folder,
            environment: environment.merging(more) { $1 },
            output: output,
            errors: errors,
            input: input,
            terminal: terminal
        )
        state.withLock { $0.processes.append(process) }
        return process
    }

    /// Starts one of the example programs, with typed input.
    func startExample(_ program: String, _ arguments: [String], environment: [String: String]) throws -> RunningProcess
    {
        let process = try RunningProcess(
            program,
            arguments,
            in: folder,
            environment: self.environment.merging(environment) { $1 },
            isTyped: true
        )
        state.withLock { $0.processes.append(process) }
        return process
    }

    /// Runs the tool to its end.
    ///
    /// - Parameter status: The expected exit code.
    @discardableResult
    func run(
        _ arguments: [String],
        input: String? = nil,
        status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RunningProcess {
        let process = try start(arguments, input: input)
        let ended = try await process.end()
        #expect(
            ended == status,
            "inbox \(arguments.joined(separator: " "))\n\(process.output)\n\(process.errors)",
            sourceLocation: sourceLocation
        )
        return process
    }

    /// Sends a message and gives its id.
    func send(_ title: String, to person: String = "alice", key: String? = nil) async throws -> String {
        var arguments = ["send", "--to", person, "--title", title, "--json"]
        if let key { arguments += ["--idempotency-key", key] }
        let answer = try JSON(parsing: try await run(arguments).output.utf8)
        return try #require(answer["id"]?.stringValue)
    }

    /// A person's token, requested as the app's backend does.
    func token(for person: String) async throws -> String {
        let answer = try await request("POST", "/v1/people/\(person)/tokens")
        return try #require(try JSON(parsing: answer.bytes)["token"]?.stringValue)
    }

    /// The number of open event streams in the server's metrics.
    func eventStreams() async throws -> Int {
        let text = String(decoding: try await request("GET", "/metrics").bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("inbox_event_streams ") }
        return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
    }

    /// Calls the server's own API.
    func request(
        _ method: String,
        _ path: String,
        body: JSON? = nil,
        headers: [String: String] = [:]
    ) async throws -> (status: Int, bytes: [UInt8]) {
        var request = URLRequest(url: try #require(URL(string: url + path)))
        request.httpMethod = method
        request.httpBody = body?.data
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in ["Authorization": "Bearer \(key)"].merging(headers, uniquingKeysWith: { $1 }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await Self.session.answer(to: request)
        return (try #require(response as? HTTPURLResponse).statusCode, Array(data))
    }

    private static let session = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 16
        // Longer than a busy machine may take. Each suite has a limit of its own.
        configuration.timeoutIntervalForRequest = 600
        return URLSession(configuration: configuration)
    }()

    /// Waits until a condition holds.
    func until(_ what: String, within seconds: Double = 240, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                throw RunningProcess.Ended(description: "waited for: \(what); for \(seconds) s")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Creates a device by logging in.
    func device(_ name: String, person: String = "alice") async throws -> TestDevice {
        try await run(["login", "--person", person, "--directory", name])
        return TestDevice(name: name, world: self)
    }
}

/// A device: a directory.
struct TestDevice {
    let name: String
    let world: World

    /// Runs a command on the device.
    @discardableResult
    func run(
        _ arguments: String...,
        status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RunningProcess {
        try await world.run(arguments + ["--directory", name], status: status, sourceLocation: sourceLocation)
    }

    /// The result of `list --json`.
    func list(_ options: String...) async throws -> Snapshot {
        let process = try await world.run(["list", "--json", "--directory", name] + options)
        return Snapshot(json: try JSON(parsing: process.output.utf8))
    }

    /// The server state that the device has.
    func state() async throws -> String {
        let json = try JSON(parsing: try await run("status", "--json").output.utf8)
        return try #require(json["state"]?.stringValue)
    }

    /// The file of the store with the person's messages.
    func storeFile() throws -> URL {
        let directory = world.folder.appendingPathComponent(name)
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try #require(files.first { $0.pathExtension == "sqlite" })
    }

    /// Stops a process of this device that isn't in the middle of a write: another process couldn't write then.
    func stopBetweenWrites(_ process: RunningProcess) async throws {
        let file = try DatabaseQueue(path: storeFile().path)
        for _ in 0..<100 {
            process.signal(SIGSTOP)
            // Its threads stop one after the other.
            try await Task.sleep(for: .milliseconds(20))
            let isBetweenWrites = try await file.writeWithoutTransaction { db in
                do {
                    try db.execute(sql: "BEGIN IMMEDIATE; ROLLBACK")
                    return true
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return false
                }
            }
            if isBetweenWrites { return }
            process.signal(SIGCONT)
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("The process writes without a pause.")
    }

    /// Starts `watch --json`.
    func watch() throws -> Watch {
        Watch(process: try world.start(["watch", "--json", "--directory", name]))
    }
}

/// A running `watch --json`.
struct Watch {
    let process: RunningProcess

    /// Waits until the newest snapshot fulfills a condition, and returns it.
    @discardableResult
    func until(_ what: String, _ condition: (Snapshot) -> Bool) async throws -> Snapshot {
        try await process.until(what) { process in
            guard let line = process.lastLine else { return nil }
            let snapshot = Snapshot(json: try JSON(parsing: line))
            return condition(snapshot) ? snapshot : nil
        }
    }
}

/// A result of `list --json` or `watch --json`.
struct Snapshot {
    let json: JSON

    var messages: [JSON] { json["messages"]?.arrayValue ?? [] }
    var ids: [String] { messages.compactMap { $0["id"]?.stringValue } }
    var connection: String { json["connection"]?.stringValue ?? "" }
    var pendingWrites: Int { json["pendingWrites"]?.intValue ?? -1 }
    var unread: Int { json["counts"]?["unread"]?.intValue ?? -1 }
    var isSynced: Bool { json["synced"]?.boolValue ?? false }

    func has(_ id: String) -> Bool { ids.contains(id) }
    func isRead(_ id: String) -> Bool { readAt(id) != nil }
    func readAt(_ id: String) -> String? {
        messages.first { $0["id"]?.stringValue == id }?["readAt"]?.stringValue
    }
}
