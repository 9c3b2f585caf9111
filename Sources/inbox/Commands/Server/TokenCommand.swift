import ArgumentParser

/// `inbox token`: the commands for people's tokens.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Inspect a person's token, or end a person's tokens.",
        subcommands: [TokenInspectCommand.self, TokenRevokeCommand.self]
    )
}
