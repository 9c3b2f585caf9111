import Groundwork
import JMAP
import MailComposing

/// The requests about mails that the server holds.
extension DraftRequests {
    /// The parameters of the sender in the envelope (RFC 4865, section 5): whole seconds, and never fewer.
    static func holdParameters(_ milliseconds: Int) -> JSON { ["HOLDFOR": .string("\((milliseconds + 999) / 1_000)")] }

    private static let properties: JSON = ["id", "emailId", "undoStatus", "sendAt", "deliveryStatus"]

    /// Searches for the submissions of mails.
    func holds(of ids: [String]) -> Request {
        let found = ResultReference(resultOf: "submissions", name: "EmailSubmission/query", path: "/ids").json
        return Request(
            using: Self.usingSubmission,
            methodCalls: [
                call("EmailSubmission/query", "submissions", [("filter", ["emailIds": JSON(ids)])]),
                call("EmailSubmission/get", "holds", [("#ids", found), ("properties", Self.properties)]),
            ]
        )
    }

    /// Reads a submission.
    func hold(_ id: String) -> Request {
        let arguments: [(String, JSON)] = [("ids", [.string(id)]), ("properties", Self.properties)]
        return Request(using: Self.usingSubmission, methodCalls: [call("EmailSubmission/get", "holds", arguments)])
    }

    /// Cancels a submission.
    func cancel(_ id: String) -> Request {
        let update = JSON.object(JSONObject([(id, ["undoStatus": "canceled"])]))
        return Request(
            using: Self.usingSubmission,
            methodCalls: [call("EmailSubmission/set", "cancel", [("update", update)])]
        )
    }

    /// Creates a mail, if the account's mails are in a state, which they aren't then any more.
    ///
    /// - Parameter messageID: A `Message-ID` with a token of its own, so that no draft is changed by it.
    func exclude(in state: String, messageID: String, at now: Int) -> Request {
        var text = DraftText()
        text.subject = "Taken back"
        text.text = "It keeps a mail that was taken back from being sent. It is removed by itself."
        let document = DraftDocument(id: messageID, text: text, job: DraftJob(token: messageID, editedAt: now))
        let mail = composed(document, messageID: messageID, now)
        let object = mail.emailObject(
            mailboxIDs: [context.trashMailbox ?? context.draftsMailbox],
            keywords: [Keyword.draft, Keyword.seen],
            includesBcc: false
        )
        return Request(
            using: Self.using,
            methodCalls: [
                call("Email/set", "create", [("ifInState", .string(state)), ("create", ["mail": object])])
            ]
        )
    }

    /// Makes a mail a draft again.
    func release(_ emailID: String) -> Request {
        let patch: JSON = [
            "mailboxIds": .object(JSONObject([(context.draftsMailbox, true)])), "keywords/$draft": true,
        ]
        let update = JSON.object(JSONObject([(emailID, patch)]))
        return Request(using: Self.using, methodCalls: [call("Email/set", "update", [("update", update)])])
    }
}
