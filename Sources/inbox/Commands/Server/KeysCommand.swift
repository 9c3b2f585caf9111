import ArgumentParser

/// `inbox keys`: the commands for a server's keys.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manage a server's keys.",
        subcommands: [KeysRotateCommand.self]
    )
}
