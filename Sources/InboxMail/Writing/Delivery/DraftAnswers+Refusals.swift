import Groundwork
import JMAP

/// The reasons for which the server refuses a mail.
extension DraftAnswers {
    /// Whether a submission that wasn't created may have been sent all the same: the server failed, or its connection
    /// to the next one did, which may have had the whole mail by then. The other's reply, if there is one, decides.
    ///
    /// Cyrus 3.6 answers `smtpProtocolError`, with the last reply before the connection ended, whether the mail was
    /// taken or not.
    static func isUndecided(_ json: JSON) -> Bool {
        let error = SetError(json: json)
        let isOfConnection = ["serverFail", "serverPartialFail"].contains(error.type) || error.type.hasPrefix("smtp")
        return isOfConnection && replyClass(error.description) == nil
    }

    /// The class of the refusal that a reply of SMTP is: "4" if it is retryable, or "5". Nil if the words don't begin
    /// with a reply code, or its enhanced one alone (RFC 5321, section 4.2.1, RFC 3463, section 3.1).
    private static func replyClass(_ words: String?) -> Substring? {
        words?.firstMatch(of: /^\s*([45])(?:\d\d\b|\.\d{1,3}\.\d{1,3}\b)/)?.1
    }

    /// The class of the refusal of SMTP that a server's words state: at their beginning, or anywhere with both of its
    /// codes, as in "Relay: 451 4.7.1 Later". A number alone within them may mean anything. Nil if there is none, or
    /// one of each class.
    private static func statedClass(_ words: String?) -> Substring? {
        if let reply = replyClass(words) { return reply }
        let codes = (words ?? "").matches(of: /\b([45])\d\d[ -]\1\.\d{1,3}\.\d{1,3}\b/)
        let classes = Set(codes.map { $0.output.1 })
        return classes.count == 1 ? classes.first : nil
    }

    /// The least maximum of recipients that is taken for one: a server has to accept 100 (RFC 5321, section 4.5.3.1.8).
    private static let minRecipients = 100

    /// Returns the outcome of a request whose mail or submission the server refuses (RFC 8621, sections 4.6 and 7.5).
    ///
    /// - Parameter emailID: The id of the mail, if it was created.
    static func refusal(_ json: JSON, emailID: String?) -> SendAnswer {
        let error = SetError(json: json)
        let words = error.description.flatMap(\.nonEmpty)
        func refused(_ code: DraftRefusal.Code, _ text: String, addresses: [String] = []) -> SendAnswer {
            let text = words.map { "\(text) The server says: \($0)" } ?? text
            let refusal = DraftRefusal(code, text, addresses: addresses)
            // Nothing was sent. That it may be later has to be certain.
            if statedClass(words) == "4" { return .postponed(refusal, emailID: emailID) }
            return .refused(refusal, emailID: emailID)
        }
        func names(_ property: String) -> [String] { json[property]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        switch error.type {
        case "blobNotFound": return .blobsNotFound(names("notFound"), emailID: emailID)
        case "tooLarge": return refused(.tooLarge, tooLarge)
        case "overQuota": return refused(.overQuota, "The account has no space left. Delete some mails.")
        case "tooManyRecipients" where (json["maxRecipients"]?.intValue ?? .max) >= minRecipients:
            let limit = json["maxRecipients"]?.intValue.map { " at most \($0)" } ?? " fewer"
            return refused(
                .tooManyRecipients,
                "The server allows\(limit) recipients, or refuses one of them. Check the addresses."
            )
        case "noRecipients": return refused(.noRecipients, "The mail has no recipient.")
        // Cyrus 3.6 reports a refused recipient as too many, with those that aren't refused as the maximum.
        case "invalidRecipients", "tooManyRecipients":
            let addresses = names("invalidRecipients")
            var list = addresses.isEmpty ? "a recipient" : addresses.joined(separator: ", ")
            if let limit = json["maxRecipients"]?.intValue, limit > 0 { list += ", or allows only \(limit)" }
            return refused(.recipients, "The server refuses \(list). Check the addresses.", addresses: addresses)
        case "forbiddenFrom", "forbiddenMailFrom":
            return refused(.sender, "You may not send with this sender. Choose another one.")
        case "forbiddenToSend":
            let answer = refused(.forbidden, "The server doesn't send this mail.")
            // Cyrus 3.6 reports a retryable failure like this, without its code.
            if words == nil, case .refused(let refusal, let id) = answer { return .postponed(refusal, emailID: id) }
            return answer
        case "serverFail" where emailID != nil, "serverPartialFail" where emailID != nil:
            return refused(.other, "The server doesn't send this mail.")
        case "rateLimit", "serverUnavailable", "serverFail", "serverPartialFail":
            let refusal = DraftRefusal(.other, "The server can't send it at the moment. " + (words ?? ""))
            return .postponed(refusal, emailID: emailID)
        default:
            return refused(.other, "The server refuses the mail (\(error.type)).")
        }
    }
}
