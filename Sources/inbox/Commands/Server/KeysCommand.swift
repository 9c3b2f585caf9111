import ArgumentParser

/// `inbox keys`: the keys of a server.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Look after a server's keys.",
        subcommands: [KeysRotateCommand.self]
    )
}
