import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox token inspect`: shows the contents of a token, and whether a server would accept it.
struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Explain a token, and whether a server would accept it.",
        discussion: """
            Reads the token from standard input; at a terminal, prompts for it without echo. No server is needed. With \
            the server's keys, it checks the token as the server does, and explains how to fix a problem. Only the \
            server knows whether the person was erased or signed out meanwhile.

            Exits with 0 if the token would be accepted, and with 1 if it would be rejected or can't be checked \
            without a key.

            Example:
              inbox token inspect --jwt-key /etc/inbox/2026-05.pem < token
            """
    )

    @Option(
        name: .customLong("jwt-key"),
        help: ArgumentHelp("A key file of the server, as for inbox serve. Repeatable.", valueName: "file"),
        completion: .file()
    )
    var keys: [String] = []

    @Option(
        name: .customLong("jwt-secret"),
        help: ArgumentHelp("A file with a secret of the server, as for inbox serve. Repeatable.", valueName: "file"),
        completion: .file()
    )
    var secrets: [String] = []

    @Option(
        name: [.customLong("issuer"), .customLong("jwt-issuer")],
        help: ArgumentHelp("The iss claim that the server expects.", valueName: "text")
    )
    var issuer: String?

    @Option(
        name: [.customLong("audience"), .customLong("jwt-audience")],
        help: ArgumentHelp("The aud claim that the server expects.", valueName: "text")
    )
    var audience: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        for key in keys { try PathArgument.check(key, of: "--jwt-key") }
        for secret in secrets { try PathArgument.check(secret, of: "--jwt-secret") }
        guard !keys.isEmpty || !secrets.isEmpty || (issuer == nil && audience == nil) else {
            throw ValidationError("--issuer and --audience need a --jwt-key or a --jwt-secret.")
        }
    }

    func run() async throws {
        var text = try SecretPrompt.read("Token").trimmingCharacters(in: .whitespacesAndNewlines)
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
        guard report.isAccepted else { throw Failure.reported }
    }
}
