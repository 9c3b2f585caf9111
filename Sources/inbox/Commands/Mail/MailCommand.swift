import ArgumentParser

/// `inbox mail`: the commands for a person's mail.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Read and write mail with a JMAP server.",
        discussion: """
            A device has one mail account, in addition to its messages. Mails are stored in the device's directory: \
            lists, searches and opened mails work offline, and changes are sent when the server is reachable.

            Example:
              inbox mail login anna@example.com
              inbox mail list --unread
            """,
        subcommands: [
            MailLoginCommand.self, MailLogoutCommand.self, MailListCommand.self, MailReadCommand.self,
            MailArchiveCommand.self,
            MailStarCommand.self, MailSearchCommand.self, MailWatchCommand.self, MailStatusCommand.self,
            MailComposeCommand.self, MailReplyCommand.self, MailForwardCommand.self, MailEditCommand.self,
            MailSendCommand.self, MailDraftsCommand.self, MailOutboxCommand.self, MailCancelCommand.self,
            MailDiscardCommand.self, MailVerifyLaterCommand.self,
        ]
    )
}
