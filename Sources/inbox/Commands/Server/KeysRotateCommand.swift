import ArgumentParser
import Foundation
import Groundwork

/// `inbox keys rotate`: replaces the key that signs the server's tokens.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Have a running server sign people's tokens with a new key.",
        discussion: """
            The new key signs at once. The former one verifies until the last token that it may have signed has ended, 30 days and a \
            minute, and is deleted then, without an interruption. If a key may be known to others, as with a lost backup, \
            --end-tokens ends all tokens that the server has made: every device and page needs a new one. \
            Tokens that your backend signs have keys of their own.

            The API key needs the scope keys.

            Example:
              INBOX_KEY=… inbox keys rotate --server https://inbox.example.com
            """
    )

    @OptionGroup var sendingOptions: SendingOptions

    @Flag(help: "End the former keys, and all tokens that they signed, at once.")
    var endTokens = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        _ = try sendingOptions.sendingServer(warns: false)
    }

    func run() async throws {
        let server = try sendingOptions.sendingServer()
        let answer = try await server.call(
            "POST",
            ["v1", "signing-key", "rotate"],
            body: ["endTokens": .bool(endTokens)]
        )
        guard let answer, let end = answer["formerEndsAt"]?.stringValue else { throw SendingError.malformed }
        if json { return Output.line(answer.description) }
        Output.line("A new key signs people's tokens.")
        let former = "The former key verifies until \(end.plainLine)."
        Output.line(endTokens ? "All tokens that the server made before have ended." : former)
    }
}
