import ArgumentParser
import Foundation
import Groundwork

/// `inbox keys rotate`: replaces the key that signs the server's tokens.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make a running server sign tokens with a new key.",
        discussion: """
            The new key signs immediately. The previous key still verifies tokens until the last one that it may have \
            signed has expired, after 30 days and a minute. It is then deleted, without an interruption. If a key may \
            have leaked, as with a lost backup, --end-tokens ends all tokens that the server has issued: every device \
            and page needs a new one. Tokens that your backend signs have their own keys.

            The API key needs the scope keys.

            Example:
              INBOX_KEY=… inbox keys rotate --server https://inbox.example.com
            """
    )

    @OptionGroup var serverOptions: ServerOptions

    @Flag(help: "End the previous keys, and all tokens that they signed, immediately.")
    var endTokens = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let server = try serverOptions.makeAPI()
        let answer = try await server.call(
            "POST",
            ["v1", "signing-key", "rotate"],
            body: ["endTokens": .bool(endTokens)]
        )
        guard let answer, let end = answer["formerEndsAt"]?.stringValue else { throw ServerAPIError.malformed }
        if json { return Output.line(answer.description) }
        Output.line("Tokens are now signed with a new key.")
        let former = "The previous key verifies tokens until \(end.plainLine)."
        Output.line(endTokens ? "All tokens that the server had issued have ended." : former)
    }
}
