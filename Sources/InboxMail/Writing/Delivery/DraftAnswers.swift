import Groundwork
import JMAP
import Replica

/// Reads the answers to ``DraftRequests``.
enum DraftAnswers {
    /// The result of a search.
    struct Search: Hashable, Sendable {
        /// The state of the account's mails before the search.
        let state: String
        let mails: [FoundMail]
    }

    /// Reads the answer to a search; nil if the server can't search for headers.
    ///
    /// - Parameters:
    ///   - token: A draft's token, or the left side of a version's `Message-ID`.
    ///   - trash: The id of the trash, if the account has one.
    ///   - sent: The id of the mailbox in which sent mails are.
    /// - Throws: ``SyncError``.
    static func search(
        _ response: Response,
        token: String,
        trash: String?,
        sent: String
    ) throws(SyncError) -> Search? {
        if let query = response.answer(to: "query"), query.name == "error" {
            let error = MethodError(json: query.arguments.value)
            if ["unsupportedFilter", "unsupportedSort", "invalidArguments"].contains(error.type) { return nil }
            throw .method(error)
        }
        guard let state = try arguments(response, "state")["state"]?.stringValue else {
            throw .malformed("Email/get has no state")
        }
        // Without a list, nothing is known to be missing.
        guard let mails = try arguments(response, "mails")["list"]?.arrayValue else {
            throw .malformed("Email/get has no list")
        }
        return Search(
            state: state,
            mails: mails.compactMap { mail in
                guard let id = mail["id"]?.stringValue,
                    let messageID = mail["messageId"]?.arrayValue?.first?.stringValue,
                    let read = DraftToken.read(messageID),
                    read.token == token || messageID.prefix(while: { $0 != "@" }) == token
                else { return nil }
                let mailboxes = mail["mailboxIds"]?.objectValue?.members.map(\.name) ?? []
                return FoundMail(
                    id: id,
                    isDraft: mail["keywords"]?[Keyword.draft]?.boolValue ?? false,
                    isForSending: read.isForSending,
                    hasBcc: !(mail["bcc"]?.arrayValue ?? []).isEmpty,
                    isInTrash: !mailboxes.isEmpty && mailboxes.allSatisfy { $0 == trash },
                    isInSent: mailboxes.contains(sent),
                    sentAt: mail["sentAt"]?.stringValue.flatMap {
                        RFC3339.date(from: $0, takesOffset: true)?.milliseconds
                    }
                )
            }
        )
    }

    /// Reads the answer to a search for submissions: returns the ids of the mails that have one. A server that doesn't
    /// keep submissions, or can't search for them, has none.
    static func submitted(_ response: Response) -> Set<String> {
        let list = (try? arguments(response, "found"))?["list"]?.arrayValue ?? []
        return Set(list.compactMap { $0["emailId"]?.stringValue })
    }

    /// Reads the answer to a request to send.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func send(_ response: Response) throws(SyncError) -> SendAnswer {
        guard let create = response.answer(to: "create") else { throw .malformed("no answer to Email/set") }
        if create.name == "error" {
            let error = MethodError(json: create.arguments.value)
            switch error.type {
            case "stateMismatch": return .stateMismatch
            case "requestTooLarge": return .refused(DraftRefusal(.tooLarge, Self.tooLarge), emailID: nil)
            case "accountReadOnly", "forbidden":
                return .refused(DraftRefusal(.forbidden, "This account is read-only."), emailID: nil)
            case "serverPartialFail": throw .method(error)
            // Nothing was created (RFC 8620, section 3.6.2), so nothing was submitted either.
            default:
                let text = "The server can't send it at the moment (\(error.type)). \(error.description ?? "")"
                return .postponed(DraftRefusal(.other, text), emailID: nil)
            }
        }
        let created = create.arguments.value
        if let error = created["notCreated"]?["mail"] { return refusal(error, emailID: nil) }
        guard let emailID = created["created"]?["mail"]?["id"]?.stringValue else {
            throw .malformed("Email/set created no mail")
        }
        guard let submit = response.answer(to: "submit") else { throw .malformed("no answer to EmailSubmission/set") }
        if submit.name == "error" {
            let error = MethodError(json: submit.arguments.value)
            switch error.type {
            case "unknownMethod", "accountNotSupportedByMethod":
                return .refused(
                    DraftRefusal(.notSupported, "The server can't send mail for this account."),
                    emailID: emailID
                )
            case "forbidden", "accountReadOnly":
                return .refused(DraftRefusal(.forbidden, "This account may not send mail."), emailID: emailID)
            case "serverUnavailable":
                let text = "The server can't send it at the moment. \(error.description ?? "")"
                return .postponed(DraftRefusal(.other, text), emailID: emailID)
            case "invalidArguments", "requestTooLarge", "accountNotFound":
                let text = "The server doesn't take the mail (\(error.type)). \(error.description ?? "")"
                return .refused(DraftRefusal(.other, text), emailID: emailID)
            // Whether it was submitted isn't known: it is searched for.
            default: throw .method(error)
            }
        }
        let submitted = submit.arguments.value
        if let error = submitted["notCreated"]?["submission"] { return refusal(error, emailID: emailID) }
        guard submitted["created"]?["submission"]?.objectValue != nil else {
            throw .malformed("EmailSubmission/set created no submission")
        }
        // The implicit call that moves the mail has the same id (RFC 8621, section 7.5).
        let implicit = response.methodResponses.last { $0.callID == "submit" && $0.name == "Email/set" }
        let updated = implicit?.arguments.value["updated"]?.objectValue?.members ?? []
        let isMoved = updated.contains { $0.name == emailID }
        return .sent(emailID: emailID, isMoved: isMoved)
    }

    /// Returns the state after a request to send that is certain to have been followed by no other change; nil if
    /// another change may have come between.
    static func stateAfterSending(_ response: Response) -> String? {
        let sets = response.methodResponses.filter { $0.name == "Email/set" }.map(\.arguments.value)
        guard sets.count == 2, let first = sets[0]["newState"]?.stringValue,
            sets[1]["oldState"]?.stringValue == first
        else { return nil }
        return sets[1]["newState"]?.stringValue
    }

    /// The outcome of a request that creates a mail.
    enum Creation: Hashable, Sendable {
        case created(emailID: String)
        case refused(DraftRefusal)
        /// The server refuses for now.
        case postponed
        case blobsNotFound([String])
    }

    /// Reads the answer to a request that creates a mail.
    ///
    /// - Throws: ``SyncError`` if the outcome isn't known.
    static func creation(_ response: Response) throws(SyncError) -> Creation {
        let answer = try arguments(response, "create")
        if let emailID = answer["created"]?["mail"]?["id"]?.stringValue { return .created(emailID: emailID) }
        guard let error = answer["notCreated"]?["mail"] else { throw .malformed("Email/set created no mail") }
        switch refusal(error, emailID: nil) {
        case .refused(let refusal, _): return .refused(refusal)
        case .postponed: return .postponed
        case .blobsNotFound(let blobs, _): return .blobsNotFound(blobs)
        case .sent, .stateMismatch: throw .malformed("Email/set")
        }
    }

    /// Reads the answer to a request that removes mails: returns those that are gone, and those that the server refuses
    /// to remove.
    ///
    /// - Throws: ``SyncError``.
    static func destruction(
        _ response: Response,
        of ids: [String]
    ) throws(SyncError) -> (gone: [String], kept: [String]) {
        let answer = try arguments(response, "destroy")
        let failed = answer["notDestroyed"]?.objectValue ?? JSONObject()
        var (gone, kept): ([String], [String]) = ([], [])
        for id in ids {
            let type = failed[id]?["type"]?.stringValue
            if type == nil || type == "notFound" { gone.append(id) } else { kept.append(id) }
        }
        return (gone, kept)
    }

    /// Reads the answer to a request that moves mails to the trash: returns those that are there or gone, and those
    /// that the server refuses to move.
    ///
    /// - Throws: ``SyncError``.
    static func moving(_ response: Response, of ids: [String]) throws(SyncError) -> (gone: [String], kept: [String]) {
        let failed = try arguments(response, "update")["notUpdated"]?.objectValue ?? JSONObject()
        let kept = ids.filter { id in failed[id].map { $0["type"]?.stringValue != "notFound" } ?? false }
        return (ids.filter { !kept.contains($0) }, kept)
    }

    /// Returns the arguments of an answer.
    ///
    /// - Throws: ``SyncError`` if it is an error, or missing.
    static func arguments(_ response: Response, _ callID: String) throws(SyncError) -> JSON {
        guard let answer = response.answer(to: callID) else { throw .malformed("no answer to \(callID)") }
        guard answer.name != "error" else { throw .method(MethodError(json: answer.arguments.value)) }
        return answer.arguments.value
    }

    static let tooLarge = "The mail is larger than the server allows. Remove a file, or send a smaller one."

    /// Returns the outcome of a request whose mail or submission the server refuses (RFC 8621, sections 4.6 and 7.5).
    ///
    /// - Parameter emailID: The id of the mail, if it was created.
    private static func refusal(_ json: JSON, emailID: String?) -> SendAnswer {
        let error = SetError(json: json)
        let words = error.description.flatMap(\.nonEmpty)
        func refused(_ code: DraftRefusal.Code, _ text: String, addresses: [String] = []) -> SendAnswer {
            let text = words.map { "\(text) The server says: \($0)" } ?? text
            let refusal = DraftRefusal(code, text, addresses: addresses)
            // A reply code of SMTP, or its enhanced one alone, that begins with 4 is retryable (RFC 5321, section
            // 4.2.1, RFC 3463, section 3.1).
            if let words, words.firstMatch(of: /^\s*4(?:\d\d\b|\.\d{1,3}\.\d{1,3}\b)/) != nil {
                return .postponed(refusal, emailID: emailID)
            }
            return .refused(refusal, emailID: emailID)
        }
        func names(_ property: String) -> [String] { json[property]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        switch error.type {
        case "blobNotFound": return .blobsNotFound(names("notFound"), emailID: emailID)
        case "tooLarge": return refused(.tooLarge, tooLarge)
        case "overQuota": return refused(.overQuota, "The account has no space left. Delete some mails.")
        case "tooManyRecipients" where (json["maxRecipients"]?.intValue ?? 1) > 0:
            let limit = json["maxRecipients"]?.intValue.map { " at most \($0)" } ?? " fewer"
            return refused(.tooManyRecipients, "The server allows\(limit) recipients.")
        case "noRecipients": return refused(.noRecipients, "The mail has no recipient.")
        // Cyrus 3.6 reports a refused recipient as too many, with a maximum of 0.
        case "invalidRecipients", "tooManyRecipients":
            let addresses = names("invalidRecipients")
            let list = addresses.isEmpty ? "a recipient" : addresses.joined(separator: ", ")
            return refused(.recipients, "The server refuses \(list). Check the addresses.", addresses: addresses)
        case "forbiddenFrom", "forbiddenMailFrom":
            return refused(.sender, "You may not send with this sender. Choose another one.")
        case "forbiddenToSend":
            let answer = refused(.forbidden, "The server doesn't send this mail.")
            // Cyrus 3.6 reports a retryable failure like this, without its code.
            if words == nil, case .refused(let refusal, let id) = answer { return .postponed(refusal, emailID: id) }
            return answer
        case "rateLimit", "serverUnavailable", "serverFail":
            let refusal = DraftRefusal(.other, "The server can't send it at the moment. " + (words ?? ""))
            return .postponed(refusal, emailID: emailID)
        default:
            return refused(.other, "The server refuses the mail (\(error.type)).")
        }
    }
}
