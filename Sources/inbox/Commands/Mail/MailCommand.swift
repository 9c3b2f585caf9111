import ArgumentParser

/// `inbox mail`: the commands for a person's mail.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Read mail from a server that speaks JMAP.",
        discussion: """
            A device has one mail account, beside its messages. Its mails are in the device's directory: lists, searches and mails \
            that were opened work without network, and what you do there is sent when the server can be reached.

            Example:
              inbox mail login --server https://mail.example.com --user anna --password-stdin < password
              inbox mail list --unread
            """,
        subcommands: [
            MailLoginCommand.self, MailListCommand.self, MailReadCommand.self, MailArchiveCommand.self,
            MailStarCommand.self, MailSearchCommand.self, MailWatchCommand.self, MailStatusCommand.self,
        ]
    )
}
