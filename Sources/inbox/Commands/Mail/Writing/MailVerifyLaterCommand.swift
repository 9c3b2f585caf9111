import ArgumentParser
import Foundation
import Groundwork
import InboxMail

/// `inbox mail verify-later`: checks whether the mail server sends what it holds.
struct MailVerifyLaterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-later",
        abstract: "Check whether the mail server sends mails that it holds for later.",
        discussion: """
            Sends two small mails to yourself, to be sent by the server after some seconds, takes one of them back, \
            and waits for the other one, for up to two minutes after its time. Both are removed then. Once the server \
            is verified, it gets mails that are sent with --later, and sends them while this device is off.

            Exits with 1 if it isn't verified. This device sends mails for later then.

            Examples:
              inbox mail verify-later
              inbox mail verify-later --last --json
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Option(
        help: ArgumentHelp("The time after which the server is to send them, from 5 to 3600.", valueName: "seconds")
    )
    var after = 20

    @Flag(help: "Show the last result, without contacting the server.")
    var last = false

    @Flag(help: "Print a JSON object: isVerified, reason, checkedAt, longestSeconds. null without a result.")
    var json = false

    func validate() throws {
        guard (5...3_600).contains(after) else { throw ValidationError("--after has to be from 5 to 3600 seconds.") }
    }

    func run() async throws {
        let check = try await deviceOptions.device.withMail { mail, _ -> HeldSendingCheck? in
            if last { return try await mail.heldSendingCheck() }
            // The addresses and mailboxes may have changed, or not be here yet.
            try await SyncProgress.show(mail)
            return try await mail.verifyHeldSending(after: TimeInterval(after))
        }
        if json { Output.line(check.map(Self.json)?.description ?? "null") }
        guard let check else {
            if json { throw Failure.reported }
            throw Failure("It wasn't checked yet. To check it: inbox mail verify-later")
        }
        guard check.isVerified else {
            if json { throw Failure.reported }
            throw Failure("Not verified: \(check.reason?.plainLine ?? "") This device sends mails for later.")
        }
        if !json {
            Output.line(
                "Verified at \(ShortTime.exact(check.checkedAt)). The server sends mails that are sent with --later."
            )
        }
    }

    private static func json(_ check: HeldSendingCheck) -> JSON {
        var object = JSONObject([
            ("isVerified", .bool(check.isVerified)), ("checkedAt", .string(RFC3339.string(from: check.checkedAt))),
            ("longestSeconds", JSON(Int(check.longest))),
        ])
        object["reason"] = check.reason.map(JSON.string)
        return .object(object)
    }
}
