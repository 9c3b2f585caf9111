import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox token inspect`: shows the contents of a token, and whether a server would accept it.
struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Explain a token, and whether a server would take it.",
        discussion: """
            Reads the token from standard input, or asks for it at a terminal, where it isn't shown; no server is needed. \
            With the server's keys, it checks the token as the server does, and says how to fix what is \
            wrong. Whether the person was erased or signed out since, only the server knows.

            Exits with 0 if the token would be accepted, with 1 if it wouldn't, or if there is no key to check it with.

            Example:
              inbox token inspect --jwt-key /etc/inbox/2026-05.pem < token
            """
    )

    @Option(
        name: .customLong("jwt-key"),
        help: ArgumentHelp("A key file of the server's, as for inbox serve. Repeatable.", valueName: "file"),
        completion: .file()
    )
    var keys: [String] = []

    @Option(
        name: .customLong("jwt-secret"),
        help: ArgumentHelp("A file with a secret of the server's, as for inbox serve. Repeatable.", valueName: "file"),
        completion: .file()
    )
    var secrets: [String] = []

    @Option(
        name: [.customLong("issuer"), .customLong("jwt-issuer")],
        help: ArgumentHelp("What the server expects as iss.", valueName: "text")
    )
    var issuer: String?

    @Option(
        name: [.customLong("audience"), .customLong("jwt-audience")],
        help: ArgumentHelp("What the server expects among aud.", valueName: "text")
    )
    var audience: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard !keys.isEmpty || !secrets.isEmpty || (issuer == nil && audience == nil) else {
            throw ValidationError("--issuer and --audience need a --jwt-key or a --jwt-secret.")
        }
    }

    func run() async throws {
        var text = try HiddenLine.read(asking: "Token").trimmingCharacters(in: .whitespacesAndNewlines)
        // The format of an `Authorization` header.
        if text.hasPrefix("Bearer ") { text = String(text.dropFirst("Bearer ".count)) }
        guard !text.isEmpty else { throw Failure("There is no token on standard input.") }
        let settings =
            keys.isEmpty && secrets.isEmpty
            ? nil
            : AppTokenSettings(
                keys: keys.map { URL(fileURLWithPath: $0) },
                secrets: secrets.map { URL(fileURLWithPath: $0) },
                issuer: issuer,
                audience: audience
            )
        let now = Date()
        let inspection = try await TokenInspection(of: text, settings: settings, now: now)
        let report = TokenReport(inspection: inspection, now: now)
        if json {
            Output.line(report.json.description)
        } else {
            for line in report.lines { Output.line(line) }
        }
        guard report.isTaken else { throw Failure.reported }
    }
}
