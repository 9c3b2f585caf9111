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

            Exits with 3 if the mail wasn't sent and won't be by itself; the draft is kept then. Exits with 2 if the \
            server doesn't accept the login; the mail waits until you log in again.

            Examples:
              inbox mail compose
              inbox mail compose --to bob@example.org --subject "Report" \\
                --attach report.pdf --body "See below." --send
              inbox mail compose --headers --send < mail.txt
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail(isOffline: sending.delivery.offline) { mail, _ in
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
            text. As for compose, it opens in $VISUAL or $EDITOR at a terminal. A mail in trash or junk is answered \
            only if the thread has no other.

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
        try await device.withMail(isOffline: sending.delivery.offline) { mail, _ in
            let answered = try await ThreadReferences.latestMail(id, in: mail, offline: sending.delivery.offline)
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
            As for compose, the draft opens in $VISUAL or $EDITOR at a terminal. A mail in trash or junk is forwarded \
            only if the thread has no other.

            Examples:
              inbox mail forward 7caef2
              inbox mail forward 7caef2 --to carol@example.org \\
                --body "For your records." --send
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A thread id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail(isOffline: sending.delivery.offline) { mail, _ in
            let forwarded = try await ThreadReferences.latestMail(id, in: mail, offline: sending.delivery.offline)
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
            As for compose, the draft opens in $VISUAL or $EDITOR at a terminal; an empty page changes nothing. \
            Elsewhere only what options name is changed: standard input is read with --body-file - or --headers. A \
            draft that waits to be sent is taken back with: inbox mail cancel ID

            --body, --body-file, --html and the text of --headers replace the text. In a reply or forward, the \
            quotation or the forwarded mail stays below it, as long as the text ends with that mail as it was quoted. \
            If it doesn't, such as after a change within the quotation, all of the text is replaced, and a note says so.

            If a file can't be attached, the text and the files stay as they were.

            Where another device or window has saved another text, both are kept. inbox mail drafts ID lists the \
            others, which are numbered from 1.

            Examples:
              inbox mail edit x4k2p9
              inbox mail edit x4k2p9 --version 1
              inbox mail edit x4k2p9 --subject "Report, corrected" \\
                --body-file text.txt --send
              inbox mail edit x4k2p9 --detach draft.pdf --attach report.pdf
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A draft id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @Option(
        help: ArgumentHelp("Take this one of the other texts. The present text becomes another one.", valueName: "n")
    )
    var version: Int?

    @Option(help: ArgumentHelp("Remove this one of the other texts, on all devices.", valueName: "n"))
    var discardVersion: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files to remove: names, or the numbers that inbox mail drafts ID has for them.",
            valueName: "file"
        )
    )
    var detach: [String] = []

    @OptionGroup(title: "The mail") var options: DraftOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions

    func validate() throws {
        guard version == nil || version != discardVersion else {
            throw ValidationError("--version and --discard-version name the same text.")
        }
        for (name, number) in [("--version", version), ("--discard-version", discardVersion)] where number ?? 1 < 1 {
            throw ValidationError("\(name) has to be at least 1.")
        }
    }

    func run() async throws {
        let device = deviceOptions.device
        try await device.withMail(isOffline: sending.delivery.offline) { mail, _ in
            let found = try await DraftReferences.find([id], in: mail, offline: sending.delivery.offline)[0]
            var draft = try await DraftReferences.whole(found, in: mail)
            if let reason = draft.lockReason { throw Failure(reason) }
            let (used, discarded) = (try draft.version(version), try draft.version(discardVersion))
            if let used { _ = try await mail.useVersion(used.id, of: draft.id) }
            if let discarded { try await mail.discardVersion(discarded.id, of: draft.id) }
            if used != nil || discarded != nil { draft = try await DraftReferences.whole(found, in: mail) }
            let detachedFiles = try draft.fileIDs(detach)
            var session = DraftSession(mail: mail, device: device, options: options, sending: sending)
            (session.original, session.isChanged) = (draft, used != nil || discarded != nil)
            session.detachedFiles = detachedFiles
            try await session.run(draft)
        }
    }
}

extension MailDraft {
    /// Returns another version by its number, from 1; nil for no number.
    fileprivate func version(_ number: Int?) throws -> DraftVersion? {
        guard let number else { return nil }
        guard otherVersions.indices.contains(number - 1) else {
            let count = otherVersions.isEmpty ? "no other text" : counted(otherVersions.count, "other text")
            throw Failure("The draft has \(count), see: inbox mail drafts \(shortID)")
        }
        return otherVersions[number - 1]
    }

    /// Returns the ids of files by their numbers, from 1, or their names.
    fileprivate func fileIDs(_ references: [String]) throws -> [String] {
        try references.map { reference -> String in
            let named = numberedFiles.filter { $0.file.name == reference || $0.file.name.plainLine == reference }
            guard named.count <= 1 else {
                let numbers = named.map { "\($0.number)" }.joined(separator: ", ")
                throw Failure(
                    "Several files of the draft have the name \(reference.plainLine): \(numbers). Give a number."
                )
            }
            let numbered = numberedFiles.filter { Int(reference) == $0.number }
            guard let found = named.first ?? numbered.first else {
                let names = numberedFiles.map { "\($0.number) \($0.file.name.plainLine)" }.joined(separator: ", ")
                let known = names.isEmpty ? "It has none." : "It has: \(names)"
                throw Failure("The draft has no file \(reference.plainLine.cut(to: 40)). \(known)")
            }
            return found.file.id
        }
    }
}
