import ArgumentParser

/// The commands that a command line names. ArgumentParser reports a name that is no command as an unexpected argument,
/// and in a request for help ignores it, and shows the help of the commands before it.
enum CommandNames {
    /// Checks the names of the commands on a command line.
    ///
    /// - Parameter arguments: The arguments of the process, without its own name.
    /// - Throws: `ValidationError` if one isn't the name of a command. All other arguments are ArgumentParser's.
    static func check(_ arguments: [String]) throws {
        var command: any ParsableCommand.Type = InboxCommand.self
        var path = "inbox"
        for name in arguments.dropFirst(arguments.first == "help" ? 1 : 0) {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !name.hasPrefix("-"), name != "help" else { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == name }) else {
                throw ValidationError("There is no command \(path) \(name.plainLine). For all commands: \(path) --help")
            }
            command = next
            path += " \(name)"
        }
    }
}
