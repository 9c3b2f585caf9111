import ArgumentParser
import Foundation

/// `inbox token revoke`: ends a person's sessions.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End all tokens of a person, and the connections that use them.",
        discussion: """
            Ends every token issued so far, including those that your backend signed. Devices, event streams and the \
            page need a new one. New tokens of the server work immediately; those of your backend work if they are \
            issued at least 61 seconds later. The person may be unknown to the server.

            The API key needs the scope tokens.

            Example:
              INBOX_KEY=… inbox token revoke --person alice \\
                --server https://inbox.example.com
            """
    )

    @OptionGroup var serverOptions: ServerOptions

    @Option(help: ArgumentHelp("The person's id in the app.", valueName: "person"))
    var person: String

    func validate() throws { try PersonArgument.check(person) }

    func run() async throws {
        _ = try await serverOptions.makeAPI().call("DELETE", ["v1", "people", person, "tokens"])
        Output.line("All tokens of \(person.plainLine) have ended.")
    }
}
