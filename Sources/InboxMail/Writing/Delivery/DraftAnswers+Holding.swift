import Groundwork
import JMAP
import Replica

/// The answers about mails that the server holds.
extension DraftAnswers {
    /// Returns the submission that a request has created, if the server holds its mail; nil if it was sent.
    static func heldSubmission(_ response: Response, of emailID: String) -> DraftJob.Submission? {
        let created = (try? arguments(response, "submit"))?["created"]?["submission"]
        guard let id = created?["id"]?.stringValue, created?["undoStatus"]?.stringValue ?? "pending" == "pending" else {
            return nil
        }
        return .init(id: id, emailID: emailID, status: "pending", sendAt: created.flatMap(sendAt))
    }

    /// Reads the time at which the server is to send a submission's mail.
    private static func sendAt(_ submission: JSON) -> Int? {
        submission["sendAt"]?.stringValue.flatMap { RFC3339.date(from: $0, takesOffset: true)?.milliseconds }
    }

    /// Reads the answer to a request for submissions.
    ///
    /// - Throws: ``SyncError``.
    static func holds(_ response: Response) throws(SyncError) -> [DraftJob.Submission] {
        guard let list = try arguments(response, "holds")["list"]?.arrayValue else {
            throw .malformed("EmailSubmission/get has no list")
        }
        var submissions: [DraftJob.Submission] = []
        for json in list {
            guard let id = json["id"]?.stringValue, let status = json["undoStatus"]?.stringValue else {
                throw .malformed("EmailSubmission/get left out properties")
            }
            submissions.append(
                .init(
                    id: id,
                    emailID: json["emailId"]?.stringValue ?? "",
                    status: status,
                    sendAt: sendAt(json),
                    hasBegun: hasBegun(json["deliveryStatus"])
                )
            )
        }
        return submissions
    }

    /// Whether a `deliveryStatus` shows that the server has tried to deliver the mail to one of the recipients.
    private static func hasBegun(_ statuses: JSON?) -> Bool {
        (statuses?.objectValue?.members ?? [])
            .contains { member in
                let reply = member.value["smtpReply"]?.stringValue ?? ""
                return switch member.value["delivered"]?.stringValue {
                case "yes", "no": true
                // Servers with a queue reply themselves that they have queued it.
                case "queued": !reply.isEmpty && !reply.hasPrefix("2")
                default: !reply.isEmpty
                }
            }
    }

    /// Reads the answer to a request for the place of a mail that the server held: whether it is there, and is no draft
    /// that it wasn't before.
    ///
    /// - Throws: ``SyncError``.
    static func isAmongSent(_ response: Response, _ hold: DraftJob.Hold) throws(SyncError) -> Bool {
        guard let mail = try list(response, "places", of: [hold.emailID]).first else { return false }
        guard let keywords = mail["keywords"]?.objectValue else {
            throw .malformed("Email/get left out properties")
        }
        return !hold.isMoved || !(keywords[Keyword.draft]?.boolValue ?? false)
    }

    /// The outcome of a request to create a mail in one state of the account's mails alone.
    enum Exclusion: Hashable, Sendable {
        case excluded(emailID: String)
        /// The account's mails are in another state.
        case stateMismatch
        case refused
    }

    /// Reads the answer to a request to create a mail in one state of the account's mails alone.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func exclusion(_ response: Response) throws(SyncError) -> Exclusion {
        if let answer = response.answer(to: "create"), answer.name == "error" {
            let error = MethodError(json: answer.arguments.value)
            if error.type == "stateMismatch" { return .stateMismatch }
            // Nothing was created (RFC 8620, section 3.6.2).
            if !error.isRetryable { return .refused }
        }
        if case .created(let emailID) = try creation(response) { return .excluded(emailID: emailID) }
        return .refused
    }

    /// Reads the answer to a request to cancel.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func cancellation(_ response: Response, of id: String) throws(SyncError) -> DraftJob.Cancellation {
        let answer = try arguments(response, "cancel")
        let error = answer["notUpdated"]?[id]
        if answer["updated"]?[id] != nil {
            guard error == nil else { throw contradiction("EmailSubmission/set") }
            return .cancelled
        }
        guard let error else { throw .malformed("EmailSubmission/set left out a submission") }
        return switch SetError(json: error).type {
        case "cannotUnsend": .tooLate
        case "notFound": .gone
        default: .refused
        }
    }
}
