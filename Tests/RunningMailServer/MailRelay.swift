package import Foundation
import Groundwork
import LinePrograms

/// A relay that adds an event source to a mail server without push: `relay.py`.
package final class MailRelay: Sendable {
    /// The relay's URL, from which the session is discovered.
    package let url: URL
    private let program: LineProcess

    /// - Throws: ``Failure`` if the relay doesn't start.
    package init(for server: MailServer, account: String = "alice") async throws {
        let script = MailServer.repository.appending(path: "Tests/RunningMailServer/relay.py")
        program = try LineProcess([
            "python3", script.path(percentEncoded: false), server.url.absoluteString, account,
        ])
        guard let url = try await program.answer()["url"]?.stringValue.flatMap({ URL(string: $0) }) else {
            throw Failure("the relay has no address")
        }
        self.url = url
    }

    package func stop() async { await program.end() }
}
