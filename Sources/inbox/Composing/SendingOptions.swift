import ArgumentParser
import Foundation

/// The options of commands that write a draft, and can send it.
struct SendingOptions: ParsableArguments {
    @Flag(help: "Send it. Otherwise it is kept as a draft.")
    var send = false

    @OptionGroup var delivery: DeliveryOptions
}

/// The options of commands that send a draft.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send it at a time: by the server, where inbox mail verify-later has verified that it sends what it "
                + "holds, else by this device, with the first command after that time. The times: "
                + SnoozeArgument.help,
            valueName: "when"
        ),
        completion: .list(SnoozeArgument.names.map(\.name)),
        transform: SnoozeArgument.init(argument:)
    )
    var later: SnoozeArgument?

    @Flag(
        help: """
            Send it without a subject too, where the text speaks of a missing attachment, or where another device or \
            window has saved another text.
            """
    )
    var force = false

    @Flag(help: "Don't contact the server. The draft is saved there, or sent, later.")
    var offline = false

    @Flag(help: "Print a JSON object: id, state, problems, and the parts of the draft, with text and html.")
    var json = false

    var laterDate: Date? {
        get throws {
            try later?.time(at: Date(), texts: TerminalLanguage.texts, timeZone: .current, of: "--later")
        }
    }
}
