package import Foundation
import Groundwork
import LinePrograms

/// A relay to a mail server that closes a connection after a number of bytes of answers, or holds all bytes back
/// after a number of them: `cut.py`.
package final class CuttingRelay: Sendable {
    /// The relay's URL, from which the session is discovered.
    package let url: URL
    private let program: LineProcess

    /// - Throws: ``Failure`` if the relay doesn't start.
    package init(for server: MailServer) async throws {
        let script = MailServer.repository.appending(path: "Tests/LinePrograms/cut.py")
        program = try LineProcess([
            "python3", script.path(percentEncoded: false), server.url.host() ?? "", "\(server.url.port ?? 0)",
        ])
        let port = try await program.answer()["port"]?.intValue
        guard let port, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw Failure("the relay has no address")
        }
        self.url = url
    }

    /// Closes the connection on which a byte of an answer comes, once.
    ///
    /// - Parameter count: The number of bytes, from now on, that are passed before.
    package func cut(after count: Int) async throws {
        try await program.answer(to: (["do": "cut", "after": JSON(count)] as JSON).utf8)
    }

    /// The number of bytes of answers that were passed since ``cut(after:)``, whether a connection was closed, and the
    /// number of bytes before each answer.
    package func passed() async throws -> (count: Int, isCut: Bool, beginnings: [Int]) {
        let answer = try await program.answer(to: (["do": "count"] as JSON).utf8)
        return (
            answer["count"]?.intValue ?? 0, answer["isCut"]?.boolValue ?? false,
            (answer["beginnings"]?.arrayValue ?? []).compactMap(\.intValue)
        )
    }

    /// Passes nothing on after a number of bytes of requests and answers, or after a number of answers, from now on.
    /// The server processes the request whose answer is held back.
    package func hold(after count: Int = .max, answers: Int? = nil) async throws {
        var request = JSONObject([("do", "stop"), ("after", JSON(count))])
        request["answers"] = answers.map { JSON($0) }
        try await program.answer(to: JSON.object(request).utf8)
    }

    /// The number of bytes of requests and answers, and of answers, since ``hold(after:answers:)``, and whether others
    /// were held back.
    package func place() async throws -> (count: Int, answers: Int, isHolding: Bool) {
        let answer = try await program.answer(to: (["do": "place"] as JSON).utf8)
        return (
            answer["count"]?.intValue ?? 0, answer["answers"]?.intValue ?? 0, answer["isStopped"]?.boolValue ?? false
        )
    }

    /// Closes the connections on which bytes were held back, which are lost, and passes others on again.
    package func resume() async throws { try await program.answer(to: (["do": "resume"] as JSON).utf8) }

    package func stop() async { await program.end() }
}
