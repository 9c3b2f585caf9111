import Groundwork
import JMAP
import MailComposing
import Replica

/// Reads the answers to ``DraftRequests``.
enum DraftAnswers {
    /// The result of a search.
    struct Search: Hashable, Sendable {
        /// The account's states before the search.
        var states: DraftJob.AccountStates
        var mails: [FoundMail]
        /// Whether there are more mails to look through, and the time at which the last one of these was received.
        var rest: Rest?

        struct Rest: Hashable, Sendable {
            let position: Int
            let time: Int
        }
    }

    /// The mailboxes of an answer's mails, and the token of those that are the draft's.
    struct Place: Hashable, Sendable {
        /// A draft's token, or the left side of a version's `Message-ID`.
        let token: String
        /// The id of the trash, if the account has one.
        let trash: String?
        /// The id of the mailbox in which sent mails are.
        let sent: String

        /// Reads a mail; nil if it isn't the draft's.
        func mail(_ mail: JSON) -> FoundMail? {
            guard let id = mail["id"]?.stringValue, isOfDraft(mail),
                let read = (mail["messageId"]?.arrayValue?.first?.stringValue).flatMap(DraftToken.read)
            else { return nil }
            func flags(_ name: String) -> [String] {
                (mail[name]?.objectValue?.members ?? []).filter { $0.value.boolValue ?? false }.map(\.name)
                    .sorted()
            }
            let (mailboxes, from) = (flags("mailboxIds"), mail["from"]?.arrayValue?.first)
            return FoundMail(
                id: id,
                messageID: mail["messageId"]?.arrayValue?.first?.stringValue,
                isDraft: mail["keywords"]?[Keyword.draft]?.boolValue ?? false,
                isForSending: read.isForSending,
                hasBcc: !(mail["bcc"]?.arrayValue ?? []).isEmpty,
                isInTrash: !mailboxes.isEmpty && mailboxes.allSatisfy { $0 == trash },
                isInSent: mailboxes.contains(sent),
                sentAt: mail["sentAt"]?.stringValue.flatMap {
                    RFC3339.date(from: $0, takesOffset: true)?.milliseconds
                },
                mark: mail[DraftRequests.markField]?.stringValue?.nonEmpty,
                isReceived: mail[DraftRequests.receivedField]?.stringValue?.nonEmpty != nil,
                mailboxIDs: mailboxes,
                keywords: flags("keywords"),
                from: from?["email"]?.stringValue.map { EmailAddress(name: from?["name"]?.stringValue, email: $0) }
            )
        }

        /// Whether a mail has the draft's token.
        func isOfDraft(_ mail: JSON) -> Bool {
            guard let messageID = mail["messageId"]?.arrayValue?.first?.stringValue,
                let read = DraftToken.read(messageID)
            else { return false }
            return read.token == token || messageID.prefix(while: { $0 != "@" }) == token
        }
    }

    /// Reads the answer to a search; nil if the server can't search for headers.
    ///
    /// - Parameter position: The number of the first mail of a page of a scan; nil for a search.
    /// - Throws: ``SyncError``.
    static func search(
        _ response: Response,
        in place: Place,
        scanningFrom position: Int? = nil
    ) throws(SyncError) -> Search? {
        if let query = response.answer(to: "query"), query.name == "error" {
            let error = MethodError(json: query.arguments.value)
            let isUnsupported = ["unsupportedFilter", "unsupportedSort", "invalidArguments"].contains(error.type)
            if isUnsupported, position == nil { return nil }
            throw .method(error)
        }
        guard let state = try arguments(response, "state")["state"]?.stringValue else {
            throw .malformed("Email/get has no state")
        }
        let query = try arguments(response, "query")
        guard let ids = query["ids"]?.arrayValue?.map({ $0.stringValue ?? "" }) else {
            throw .malformed("Email/query has no ids")
        }
        let mails = try list(response, "mails", of: ids)
        for mail in mails where place.isOfDraft(mail) {
            // Without them, a mail would count as sent.
            guard mail["keywords"]?.objectValue != nil, mail["mailboxIds"]?.objectValue != nil else {
                throw .malformed("Email/get left out properties")
            }
        }
        // A server with another limit than the given one says so (RFC 8620, section 5.5).
        let limit = query["limit"]?.intValue ?? DraftRequests.pageSize
        let count = ids.count
        let times = mails.compactMap { $0["receivedAt"]?.stringValue.flatMap { RFC3339.date(from: $0) }?.milliseconds }
        var rest: Search.Rest?
        if let position, count > 0, count >= limit { rest = .init(position: position + count, time: times.min() ?? 0) }
        return Search(
            states: .init(mails: state, submissions: submissionState(response.answer(to: "submissions"), "state")),
            mails: mails.compactMap(place.mail),
            rest: rest
        )
    }

    /// Reads the mails of an `Email/get`. What isn't there has to be named: otherwise a mail that was sent would be
    /// known to be missing, and be sent again.
    private static func list(_ response: Response, _ callID: String, of ids: [String]) throws(SyncError) -> [JSON] {
        let answer = try arguments(response, callID)
        guard let list = answer["list"]?.arrayValue else { throw .malformed("Email/get has no list") }
        var rest = Set(ids)
        for mail in list { if let id = mail["id"]?.stringValue { rest.remove(id) } }
        for id in answer["notFound"]?.arrayValue ?? [] { if let id = id.stringValue { rest.remove(id) } }
        guard rest.isEmpty else { throw .malformed("Email/get left out mails") }
        return list
    }

    /// The mails of a draft that are to be removed, as they are on the server.
    struct Removal: Hashable, Sendable {
        /// The ids that can be removed: of drafts, or of mails that are gone.
        var ids: [String] = []
        /// The ids of mails that stay: another program has sent them, or put them into the trash.
        var kept: [String] = []
        /// The ids of those of ``ids`` that have the `Message-ID` of the mail to send.
        var attempts: [String] = []
        /// The state of the account's mails in which this is so.
        var state: String
    }

    /// Reads the answer to a request for the places of mails.
    ///
    /// - Throws: ``SyncError``.
    static func removal(_ response: Response, of ids: [String], trash: String?) throws(SyncError) -> Removal {
        guard let state = try arguments(response, "places")["state"]?.stringValue else {
            throw .malformed("Email/get has no state")
        }
        var removal = Removal(state: state)
        var mails: [String: JSON] = [:]
        for mail in try list(response, "places", of: ids) { mails[mail["id"]?.stringValue ?? ""] = mail }
        for id in ids {
            guard let mail = mails[id] else {
                removal.ids.append(id)
                continue
            }
            guard let keywords = mail["keywords"]?.objectValue, let boxes = mail["mailboxIds"]?.objectValue else {
                throw .malformed("Email/get left out properties")
            }
            let isInTrash = !boxes.isEmpty && boxes.names.allSatisfy { $0 == trash }
            if keywords[Keyword.draft]?.boolValue ?? false, !isInTrash {
                removal.ids.append(id)
                let messageID = mail["messageId"]?.arrayValue?.first?.stringValue
                if messageID.flatMap(DraftToken.read)?.isForSending ?? false { removal.attempts.append(id) }
            } else {
                removal.kept.append(id)
            }
        }
        return removal
    }

    /// Reads the answer to a request for one mail; nil if it is gone, or isn't the draft's.
    static func mail(_ response: Response, _ id: String, in place: Place) throws(SyncError) -> FoundMail? {
        try list(response, "mails", of: [id]).first.flatMap(place.mail)
    }

    private static func submissionState(_ answer: Response.Invocation?, _ name: String) -> String? {
        guard let answer, answer.name != "error" else { return nil }
        return answer.arguments.value[name]?.stringValue
    }

    /// Reads the answer to a request for the mails that were created since a state: returns those of the draft, and the
    /// state from which there are more; nil for neither if the server doesn't know.
    static func created(_ response: Response, in place: Place) -> (mails: [FoundMail], next: String?)? {
        guard let changes = try? arguments(response, "changes"), let mails = try? arguments(response, "mails") else {
            return nil
        }
        let next = changes["hasMoreChanges"]?.boolValue ?? false ? changes["newState"]?.stringValue : nil
        return ((mails["list"]?.arrayValue ?? []).compactMap(place.mail), next)
    }

    /// Reads the answer to a request for the submissions since a state: returns whether none of them can be the
    /// draft's. It isn't if nothing shows that the server keeps submissions, or changes the state with each.
    static func excludesSubmission(
        _ response: Response,
        since states: DraftJob.AccountStates,
        in place: Place
    ) -> Bool {
        guard let changes = try? arguments(response, "changes"), changes["hasMoreChanges"]?.boolValue == false,
            let created = changes["created"]?.arrayValue
        else { return false }
        let earlier = (try? arguments(response, "earlier"))?["ids"]?.arrayValue ?? []
        if changes["newState"]?.stringValue == states.submissions {
            return states.countsSubmissions || !earlier.isEmpty
        }
        // A submission whose mail is gone may be the draft's.
        guard !earlier.isEmpty, let submissions = (try? arguments(response, "created"))?["list"]?.arrayValue,
            submissions.count == created.count, let mails = (try? arguments(response, "mails"))?["list"]?.arrayValue,
            Set(mails.compactMap { $0["id"]?.stringValue })
                .isSuperset(of: submissions.map { $0["emailId"]?.stringValue ?? "" })
        else { return false }
        return !mails.contains(where: place.isOfDraft)
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
            case "unknownMethod": return .refused(DraftRefusal(.notSupported, Self.cannotSend), emailID: emailID)
            // So does Cyrus 3.6 answer if it couldn't reach the next server when its process began. That there is an
            // identity shows that the account could send.
            case "accountNotSupportedByMethod":
                return .postponed(DraftRefusal(.notSupported, Self.cannotSend), emailID: emailID)
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
        if let error = submitted["notCreated"]?["submission"] {
            // Whether the next server has taken the mail isn't known: it is searched for.
            if isUndecided(error) { throw .method(MethodError(json: error)) }
            return refusal(error, emailID: emailID)
        }
        guard submitted["created"]?["submission"]?.objectValue != nil else {
            throw .malformed("EmailSubmission/set created no submission")
        }
        // The implicit call that moves the mail has the same id (RFC 8621, section 7.5).
        let implicit = response.methodResponses.last { $0.callID == "submit" && $0.name == "Email/set" }
        let updated = implicit?.arguments.value["updated"]?.objectValue?.members ?? []
        let isMoved = updated.contains { $0.name == emailID }
        return .sent(emailID: emailID, isMoved: isMoved)
    }

    /// Returns the states after a request to send that is certain to have been followed by no other change; nil if
    /// another change may have come between.
    static func statesAfterSending(_ response: Response) -> DraftJob.AccountStates? {
        let sets = response.methodResponses.filter { $0.name == "Email/set" }.map(\.arguments.value)
        guard sets.count == 2, let first = sets[0]["newState"]?.stringValue,
            sets[1]["oldState"]?.stringValue == first, let mails = sets[1]["newState"]?.stringValue
        else { return nil }
        return .init(mails: mails, submissions: submissionState(response.answer(to: "submit"), "newState"))
    }

    /// Whether an answer shows that the server changes the state of submissions with each.
    static func countsSubmissions(_ response: Response) -> Bool {
        guard let submit = response.answer(to: "submit"), let old = submissionState(submit, "oldState"),
            let new = submissionState(submit, "newState")
        else { return false }
        return old != new
    }

    /// The outcome of a request that creates a mail.
    enum Creation: Hashable, Sendable {
        case created(emailID: String)
        case refused(DraftRefusal)
        /// The server refuses for now.
        case postponed(DraftRefusal)
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
        case .postponed(let refusal, _): return .postponed(refusal)
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

    private static let cannotSend = "The server can't send mail for this account."
    static let tooLarge = "The mail is larger than the server allows. Remove a file, or send a smaller one."

    /// Whether a submission that wasn't created may have been sent all the same: the server failed, or its connection
    /// to the next one did, which may have had the whole mail by then. The other's reply, if there is one, decides.
    ///
    /// Cyrus 3.6 says `smtpProtocolError`, with the last reply before the connection ended, whether the mail was taken
    /// or not.
    private static func isUndecided(_ json: JSON) -> Bool {
        let error = SetError(json: json)
        let isOfConnection = ["serverFail", "serverPartialFail"].contains(error.type) || error.type.hasPrefix("smtp")
        return isOfConnection && replyClass(error.description) == nil
    }

    /// The class of the refusal that a reply of SMTP is: "4" if it is retryable, or "5". Nil if the words don't begin
    /// with a reply code, or its enhanced one alone (RFC 5321, section 4.2.1, RFC 3463, section 3.1).
    private static func replyClass(_ words: String?) -> Substring? {
        words?.firstMatch(of: /^\s*([45])(?:\d\d\b|\.\d{1,3}\.\d{1,3}\b)/)?.1
    }

    /// The least maximum of recipients that is taken for one: a server has to accept 100 (RFC 5321, section 4.5.3.1.8).
    private static let minRecipients = 100

    /// Returns the outcome of a request whose mail or submission the server refuses (RFC 8621, sections 4.6 and 7.5).
    ///
    /// - Parameter emailID: The id of the mail, if it was created.
    private static func refusal(_ json: JSON, emailID: String?) -> SendAnswer {
        let error = SetError(json: json)
        let words = error.description.flatMap(\.nonEmpty)
        func refused(_ code: DraftRefusal.Code, _ text: String, addresses: [String] = []) -> SendAnswer {
            let text = words.map { "\(text) The server says: \($0)" } ?? text
            let refusal = DraftRefusal(code, text, addresses: addresses)
            if replyClass(words) == "4" { return .postponed(refusal, emailID: emailID) }
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
            if let limit = json["maxRecipients"]?.intValue, limit > 0 { list += ", or more than \(limit)" }
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
