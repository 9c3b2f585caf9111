import ArgumentParser

/// The commands that a request for help names. ArgumentParser ignores a name that is no command, and shows the help of
/// the commands before it.
enum RequestedHelp {
    private static let options: Set<String> = ["-h", "--help", "-help", "--help-hidden"]

    /// Checks the names of a request for help.
    ///
    /// - Parameter arguments: The arguments of the process, without its own name.
    /// - Throws: `ValidationError` if one isn't the name of a command. Other command lines are ArgumentParser's.
    static func check(_ arguments: [String]) throws {
        let isCommand = arguments.first == "help"
        guard isCommand || arguments.prefix(while: { $0 != "--" }).contains(where: options.contains) else { return }
        var command: any ParsableCommand.Type = InboxCommand.self
        var path = "inbox"
        for name in arguments.dropFirst(isCommand ? 1 : 0) {
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
