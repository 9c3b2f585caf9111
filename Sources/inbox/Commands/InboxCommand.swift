import ArgumentParser

/// The root command of the tool.
struct InboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "An inbox for any app: run its server, send messages, and read them in a terminal.",
        usage: "inbox <command> [options]",
        discussion: """
            Try it, in two terminals:
              inbox demo
              inbox watch        (after the login that the demo prints)

            A device is a directory with a login and messages. Lists work offline, and changes are sent when the \
            server is reachable. For several devices on one machine, use several directories (--directory, or \
            INBOX_DIRECTORY).

            Exit codes: 0 success; 1 failure; 2 not logged in, or the server doesn't accept the login: what is stored \
            is shown all the same, and changes wait for another login; 3 a mail wasn't sent; 64 invalid command line. \
            Errors are written to standard error. NO_COLOR disables colors. inbox --version prints the version.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, DemoCommand.self, BackupCommand.self, RestoreCommand.self, MoveCommand.self,
                    DoctorCommand.self, TokenCommand.self, KeysCommand.self, AuditCommand.self,
                ]
            ),
            CommandGroup(name: "Sending", subcommands: [SendCommand.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    LoginCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, WatchCommand.self,
                    ReadCommand.self, UnreadCommand.self, ArchiveCommand.self, SnoozeCommand.self,
                    UnsnoozeCommand.self, DeleteCommand.self, UndoCommand.self, StatusCommand.self, LogoutCommand.self,
                ]
            ),
            CommandGroup(name: "Mail", subcommands: [MailCommand.self]),
        ]
    )
}

/// `inbox token`: the commands for people's tokens.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Inspect a person's token, or end a person's tokens.",
        subcommands: [TokenInspectCommand.self, TokenRevokeCommand.self]
    )
}

/// `inbox keys`: the commands for a server's keys.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manage a server's keys.",
        subcommands: [KeysRotateCommand.self]
    )
}
