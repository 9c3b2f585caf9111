import ArgumentParser
import Foundation

/// `inbox token revoke`: ends a person's sessions.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End all of a person's tokens, and what is open with them.",
        discussion: """
            Ends every token that was issued by now, those that your backend signed too; devices, event streams and the page need a \
            new one. The server's own work at once; those of your backend from 61 seconds later on. The person may be unknown.

            The API key needs the scope tokens.

            Example:
              INBOX_KEY=… inbox token revoke --person alice --server https://inbox.example.com
            """
    )

    @OptionGroup var sendingOptions: SendingOptions

    @Option(help: ArgumentHelp("The person's id in the app.", valueName: "person"))
    var person: String

    func validate() throws {
        _ = try sendingOptions.sendingServer(warns: false)
    }

    func run() async throws {
        _ = try await sendingOptions.sendingServer().call("DELETE", ["v1", "people", person, "tokens"])
        Output.line("All tokens of \(person.plainLine) have ended.")
    }
}
