package import Foundation
package import Groundwork
import LinePrograms

/// A person at Debian's Chromium, who answers the pages of a sign-in: `person.py`.
package final class SignInPerson: Sendable {
    private let program: LineProcess

    /// - Throws: ``Failure`` if the browser doesn't start; `scripts/bootstrap chromium` and `scripts/python` install
    ///   what it needs.
    package init() async throws {
        let path = MailServer.repository.appending(path: "Tests/RunningMailServer/person.py")
        let python = MailServer.repository.appending(path: "scripts/python")
        program = try LineProcess([
            python.path(percentEncoded: false), "python3", path.path(percentEncoded: false),
        ])
        try await program.answer()
    }

    /// Opens a page, fills in its fields and presses a button.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - fields: Texts by the selectors of their fields.
    ///   - button: The selector of the button.
    /// - Returns: What is on screen then: `title`, `text`, `language`, and `problems` of the last page.
    /// - Throws: ``Failure`` if a field or the button isn't there, or no page follows.
    package func answer(_ page: URL, filling fields: [String: String] = [:], pressing button: String) async throws
        -> JSON
    {
        let fields = JSONObject(fields.map { ($0.key, .string($0.value)) })
        let request = JSONObject([
            ("page", .string(page.absoluteString)), ("fill", .object(fields)), ("press", .string(button)),
        ])
        return try await program.answer(to: JSON.object(request).utf8)
    }

    package func stop() async { await program.end() }
}
