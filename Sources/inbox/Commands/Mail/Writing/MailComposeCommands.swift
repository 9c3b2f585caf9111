import ArgumentParser
import InboxMail

/// `inbox mail compose`: writes a new mail.
struct MailComposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Write a mail.",
        discussion: """
            At a terminal, the draft opens in $VISUAL or $EDITOR, with its headers on top, unless an option gives the \
            text. Elsewhere the text is read from standard input. Without --send, the mail is kept as a draft, on this \
            device and on the server.

            Exits with 3 if the mail wasn't sent and won't be by itself; the draft is kept then.

            Examples:
              inbox mail compose
              inbox mail compose --to bob@example.org --subject "Report" --attach report.pdf --body "See below." --send
              inbox mail compose --headers --send < mail.txt
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail { mail, _ in
            let session = DraftSession(mail: mail, device: device, options: options, sending: sending)
            try await session.run(mail.newDraft())
        }
    }
}

/// `inbox mail reply`: replies to a thread.
struct MailReplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply",
        abstract: "Reply to the latest mail of a thread.",
        discussion: """
            The reply goes to the mail's authors, or to the addresses that they ask for replies at, and quotes its \
            text. As for compose, it opens in $VISUAL or $EDITOR at a terminal.

            Examples:
              inbox mail reply 7caef2
              inbox mail reply 7caef2 --all --body "Fine with me." --send
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A thread id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @Flag(help: "Reply to the other recipients too.")
    var all = false

    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail { mail, _ in
            let answered = try await ThreadReferences.latestMail(id, in: mail, offline: sending.offline)
            let session = DraftSession(mail: mail, device: device, options: options, sending: sending)
            try await session.run(all ? try await mail.replyAll(to: answered) : try await mail.reply(to: answered))
        }
    }
}

/// `inbox mail forward`: forwards a mail.
struct MailForwardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forward",
        abstract: "Forward the latest mail of a thread, with its files.",
        discussion: """
            As for compose, the draft opens in $VISUAL or $EDITOR at a terminal.

            Examples:
              inbox mail forward 7caef2
              inbox mail forward 7caef2 --to carol@example.org --body "For your records." --send
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A thread id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail { mail, _ in
            let forwarded = try await ThreadReferences.latestMail(id, in: mail, offline: sending.offline)
            let session = DraftSession(mail: mail, device: device, options: options, sending: sending)
            try await session.run(try await mail.forward(forwarded))
        }
    }
}

/// `inbox mail edit`: changes a draft.
struct MailEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a draft.",
        discussion: """
            As for compose, the draft opens in $VISUAL or $EDITOR at a terminal. A draft that waits to be sent is \
            taken back with: inbox mail cancel ID

            Examples:
              inbox mail edit x4k2p9
              inbox mail edit x4k2p9 --subject "Report, corrected" --body-file text.txt --send
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A draft id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail { mail, _ in
            let found = try await DraftReferences.find([id], in: mail, offline: sending.offline)[0]
            let draft = try await DraftReferences.whole(found, in: mail)
            let session = DraftSession(mail: mail, device: device, options: options, sending: sending)
            try await session.run(draft)
        }
    }
}
