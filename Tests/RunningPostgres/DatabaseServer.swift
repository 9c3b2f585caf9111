package import Foundation
import Groundwork
import LinePrograms
package import Postgres

/// PostgreSQL on a free port of this machine, started by `scripts/postgresql`, with PgBouncer beside it.
///
/// It stops, and its files are deleted, at the latest when the test process ends.
package final class DatabaseServer: Sendable {
    /// The port, and that of PgBouncer in transaction mode.
    package let port: Int
    package let poolerPort: Int
    package let user: String
    package let password: String
    /// The server's certificate, signed by itself, for `localhost`.
    package let certificate: String
    /// The folder of all the server's files. It is deleted when the server stops.
    package let folder: URL
    private let script: LineProcess
    private let databases = Locked(0)

    private init(_ script: LineProcess, _ facts: JSON) throws {
        guard let port = facts["port"]?.intValue, let pooler = facts["pooler"]?.intValue,
            let user = facts["user"]?.stringValue, let password = facts["password"]?.stringValue,
            let folder = facts["folder"]?.stringValue, let certificate = facts["certificate"]?.stringValue
        else { throw Failure("\(facts)") }
        self.script = script
        self.port = port
        poolerPort = pooler
        self.user = user
        self.password = password
        self.certificate = certificate
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
    }

    /// The server of all tests that don't stop it, started by the first one. Tests run beside each other, and each
    /// storage has a pool of connections.
    package static let shared = Task { try await DatabaseServer.start(options: ["max_connections=400"]) }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - options: Lines of `postgresql.conf`, such as `max_connections=20`.
    ///   - poolerOptions: Lines of `pgbouncer.ini`, such as `server_round_robin=1`.
    /// - Throws: ``Failure`` if the server doesn't start; `scripts/postgresql install` installs it.
    package static func start(
        options: [String] = [],
        poolerOptions: [String] = []
    ) async throws -> DatabaseServer {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "postgres-\(UUID().uuidString)")
        var arguments = [
            repository.appending(path: "scripts/postgresql").path(percentEncoded: false), "start",
            folder.path(percentEncoded: false), "--pooler", "--tls",
        ]
        for option in options { arguments += ["--option", option] }
        for option in poolerOptions { arguments += ["--pooler-option", option] }
        let script = try LineProcess(arguments)
        do {
            return try DatabaseServer(script, await script.answer())
        } catch {
            await script.end()
            throw error
        }
    }

    /// Runs a test with a server of its own, and stops the server afterwards.
    ///
    /// - Parameter isolation: The test's isolation.
    package static func run<Value>(
        options: [String] = [],
        poolerOptions: [String] = [],
        isolation: isolated (any Actor)? = #isolation,
        _ body: (DatabaseServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(options: options, poolerOptions: poolerOptions)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }

    /// Makes a standby of the server, which follows it and accepts reads, and returns its port. The commands for the
    /// server don't affect it.
    package func startStandby() async throws -> Int {
        let answer = try await script.answer(to: Array("standby".utf8))
        guard let port = answer["port"]?.intValue else { throw Failure("\(answer)") }
        return port
    }

    /// Makes a standby accept writes, and returns when it does.
    package func promote(_ standby: Int) async throws {
        let settings = try PostgresSettings(address("postgres", port: standby) + "?target_session_attrs=any")
        try await onNewThread {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            try connection.execute("SELECT pg_promote()")
        }
    }

    /// Starts PgBouncer again, in front of another port, such as a relay's.
    package func movePooler(to port: Int) async throws {
        try await script.answer(to: Array("pooler \(port)".utf8))
    }

    /// The address of a database, with the password in it.
    package func address(_ database: String = "inbox", port: Int? = nil) -> String {
        "postgres://\(user):\(password)@127.0.0.1:\(port ?? self.port)/\(database)"
    }

    /// The settings of a direct connection.
    ///
    /// - Parameter port: That of a relay. Nil for the server's own.
    package func settings(_ database: String = "inbox", port: Int? = nil) throws -> PostgresSettings {
        try PostgresSettings(address(database, port: port))
    }

    /// The address of a database that several servers may have.
    ///
    /// - Parameters:
    ///   - ports: Those of the servers, in the order in which they are tried.
    ///   - options: Further parameters of the address, such as `connect_timeout=2`.
    package func address(_ database: String = "inbox", ports: [Int], options: String = "") -> String {
        // An address with several ports behind its hosts isn't a URL.
        let hosts = ports.map { _ in "127.0.0.1" }.joined(separator: ",")
        let ports = ports.map { "\($0)" }.joined(separator: ",")
        let all = ["host=\(hosts)", "port=\(ports)", "user=\(user)", "password=\(password)"]
        return "postgres:///\(database)?" + (all + (options.isEmpty ? [] : [options])).joined(separator: "&")
    }

    /// The settings of a connection through PgBouncer.
    package func poolerSettings(_ database: String = "inbox") throws -> PostgresSettings {
        try PostgresSettings(address(database, port: poolerPort), usesPooler: true)
    }

    /// Makes an empty database, and returns its name.
    package func newDatabase() async throws -> String {
        let number = databases.withLock { count in
            count += 1
            return count
        }
        let settings = try settings("postgres")
        try await onNewThread {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            try connection.executeScript("CREATE DATABASE test\(number)")
        }
        return "test\(number)"
    }

    /// Kills all processes of the server at once. Its folder is kept.
    package func kill() async throws { try await script.answer(to: Array("kill".utf8)) }

    /// Kills the process of one connection. The server then closes all others, too, and recovers.
    package func kill(backend: Int32) async throws { try await script.answer(to: Array("kill \(backend)".utf8)) }

    /// Stops the server in an orderly manner, which closes its connections.
    package func shutDown() async throws { try await script.answer(to: Array("shutdown".utf8)) }

    /// Starts the server again on the same port, and returns when it answers.
    package func restart() async throws { try await script.answer(to: Array("start".utf8)) }

    /// Stops all of its processes at once, as if the machine slept.
    package func pause() async throws { try await script.answer(to: Array("pause".utf8)) }

    /// Continues the processes that were paused.
    package func resume() async throws { try await script.answer(to: Array("resume".utf8)) }

    /// Stops the server, and deletes its folder.
    package func stop() async { await script.end() }
}
