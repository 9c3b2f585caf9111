import Foundation
import Groundwork
import LinePrograms

/// A network between a test and its database, which closes a connection after a number of bytes of answers, passes
/// nothing on, or disturbs some connections alone: `cut.py`.
package final class DatabaseRelay: Sendable {
    package let port: Int
    private let program: LineProcess

    /// - Throws: ``Failure`` if the relay doesn't start.
    package init(for server: DatabaseServer) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "LinePrograms/cut.py")
        program = try LineProcess(["python3", script.path(percentEncoded: false), "127.0.0.1", "\(server.port)"])
        guard let port = try await program.answer()["port"]?.intValue else { throw Failure("no port") }
        self.port = port
    }

    /// Closes the connection on which a byte of an answer comes, once.
    ///
    /// - Parameter count: The number of bytes, from now on, that are passed before.
    package func cut(after count: Int) async throws {
        try await program.answer(to: (["do": "cut", "after": JSON(count)] as JSON).utf8)
    }

    /// The number of bytes of answers that were passed since ``cut(after:)``, and whether a connection was closed.
    package func passed() async throws -> (count: Int, isCut: Bool) {
        let answer = try await program.answer(to: (["do": "count"] as JSON).utf8)
        return (answer["count"]?.intValue ?? 0, answer["isCut"]?.boolValue ?? false)
    }

    /// Passes nothing on, without closing anything, until ``release()``.
    package func hold() async throws { try await program.answer(to: (["do": "hold"] as JSON).utf8) }

    package func release() async throws { try await program.answer(to: (["do": "release"] as JSON).utf8) }

    /// Passes nothing on after a number of bytes of statements and answers, from now on, until ``resume()``.
    package func hold(after count: Int) async throws {
        try await program.answer(to: (["do": "stop", "after": JSON(count)] as JSON).utf8)
    }

    /// Whether bytes were held back since ``hold(after:)``.
    package func isHolding() async throws -> Bool {
        try await program.answer(to: (["do": "place"] as JSON).utf8)["isStopped"]?.boolValue ?? false
    }

    /// Closes the connections on which bytes were held back since ``hold(after:)``, which are lost, and passes others
    /// on again.
    package func resume() async throws { try await program.answer(to: (["do": "resume"] as JSON).utf8) }

    /// What happens to some connections.
    package enum Disturbance: String, Sendable, CaseIterable {
        /// Each is closed when bytes come on it, in either direction.
        case drop
        /// Bytes are passed on after a time.
        case delay
        /// Nothing is passed on, and nothing is closed.
        case hold
    }

    /// Disturbs some connections, also later ones, until ``spare()``.
    ///
    /// - Parameters:
    ///   - every: Of so many connections in a row, one is disturbed.
    ///   - first: The first of them, from 0 on and below `every`.
    ///   - delay: The time of ``Disturbance/delay``, in milliseconds.
    package func disturb(_ disturbance: Disturbance, every: Int, first: Int, delay: Int = 0) async throws {
        let request: JSON = [
            "do": "disturb", "kind": .string(disturbance.rawValue), "every": JSON(every), "first": JSON(first),
            "milliseconds": JSON(delay),
        ]
        try await program.answer(to: request.utf8)
    }

    /// Passes everything on again, also what was held back.
    package func spare() async throws { try await program.answer(to: (["do": "spare"] as JSON).utf8) }

    package func stop() async { await program.end() }
}
