import ArgumentParser

/// The root command of the tool.
struct InboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "An inbox for any app: its server, sending, and reading in a terminal.",
        usage: "inbox <command> [options]",
        discussion: """
            Try it, in two terminals:
              inbox demo
              inbox watch        (after the login that the demo prints)

            A device is a directory with a login and the messages that it holds; lists work without \
            network, and what you do there is sent when the server can be reached. Several devices on one \
            machine are several directories (--directory, or INBOX_DIRECTORY).

            Exit codes: 0 done; 1 failed; 2 not logged in, or the server doesn't accept the login; \
            64 the command line is wrong. Errors go to standard error. Colours follow NO_COLOR.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, DemoCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
                    TokenCommand.self, KeysCommand.self, AuditCommand.self,
                ]
            ),
            CommandGroup(name: "Sending", subcommands: [SendCommand.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    LoginCommand.self, ListCommand.self, ShowCommand.self, WatchCommand.self, ReadCommand.self,
                    UnreadCommand.self, ArchiveCommand.self, DeleteCommand.self, StatusCommand.self,
                ]
            ),
            CommandGroup(name: "Mail", subcommands: [MailCommand.self]),
        ]
    )
}
