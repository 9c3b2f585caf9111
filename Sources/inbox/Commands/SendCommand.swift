import ArgumentParser
import Foundation
import Groundwork

/// `inbox send`: sends one message from flags, or many from a file.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message, or many from a file.",
        discussion: """
            A file contains one object, an array of objects, or one object per line: {"to": …, "message": {…}}, in the \
            format of the server's POST /v1/messages. 8 are sent at a time, in no particular order.

            Running the same command again within 24 hours sends only the messages that weren't sent, also after \
            messages were corrected, added, removed or sorted: the idempotency key of each is derived from the file's \
            path, its content, and the number of equal messages before it in the file. So an equal message in a file \
            with another path is sent. One that the same file, or standard input, had within 24 hours isn't, unless \
            another --idempotency-prefix is given. With that option the path doesn't matter: a repeat may read a copy \
            of the file.

            Examples:
              export INBOX_SERVER=http://127.0.0.1:8080 INBOX_KEY=…
              inbox send --to alice bob --title "Lunch?" --body "At noon."
              inbox send --everyone --title "We're back" --link https://a.example
              inbox send --file messages.json
            """
    )

    @OptionGroup var serverOptions: ServerOptions
    @OptionGroup(title: "One message") var message: MessageOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Send the messages in this file. Use - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    @Option(
        help: ArgumentHelp("The prefix of the idempotency keys for a file. (default: by its path)", valueName: "text")
    )
    var idempotencyPrefix: String?

    @Option(help: ArgumentHelp("The idempotency key of the message. (default: a random one)", valueName: "key"))
    var idempotencyKey: String?

    @Flag(help: "Print one JSON object per line: each message's id, or its error.")
    var json = false

    func validate() throws {
        try PathArgument.check(file, of: "--file")
        if file != nil {
            guard message.isEmpty else {
                throw ValidationError("--file can't be combined with --to and the options of a message.")
            }
            guard idempotencyKey == nil else {
                throw ValidationError("--idempotency-key is for one message; use --idempotency-prefix.")
            }
        } else {
            try message.check()
        }
        for key in [idempotencyPrefix ?? "", idempotencyKey ?? ""] {
            guard key.utf8.count <= 150, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw ValidationError("Idempotency keys have at most 150 characters, all visible ASCII without spaces.")
            }
        }
    }

    func run() async throws {
        if file == nil { try message.checkIsComplete() }
        let server = try serverOptions.makeAPI()
        let (items, invalidItems): ([OutgoingItem], [OutgoingFile.InvalidItem])
        if let file {
            let messages = OutgoingFile(path: file)
            (items, invalidItems) = try messages.items(prefix: idempotencyPrefix ?? messages.defaultPrefix)
        } else {
            let key = idempotencyKey ?? "inbox-send-\(UUID().uuidString.lowercased())"
            (items, invalidItems) = (
                [OutgoingItem(position: 1, request: message.request(now: Date()), idempotencyKey: key)], []
            )
        }
        let total = items.count + invalidItems.count
        var report = SendingReport(total: total, json: json, isFile: file != nil)
        for invalidItem in invalidItems { report.record(invalidItem) }
        for await outcome in BulkSender(server: server).send(items) { report.record(outcome) }
        try report.finish(recipients: file == nil ? message.recipientText : nil)
    }
}
