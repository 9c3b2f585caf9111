import Groundwork
import JMAP
import MailComposing
import Replica

/// The mails and submissions of a draft that are on the server.
extension DraftAnswers {
    /// The result of a search.
    struct Search: Hashable, Sendable {
        /// The account's states before the search.
        var states: DraftJob.AccountStates
        var mails: [FoundMail]
        /// Whether there are more mails to look through, and the time at which the last one of these was received.
        var rest: Rest?
        /// The ids of the draft's known versions that the server doesn't have.
        var missing: [String] = []

        struct Rest: Hashable, Sendable {
            let position: Int
            let time: Int
        }
    }

    /// The mailboxes of an answer's mails, and the tokens of those that are the draft's.
    struct Place: Hashable, Sendable {
        /// A draft's token, or the left side of a version's `Message-ID`.
        let token: String
        /// A token with which another device may have sent the draft (``DraftJob/spentToken``); nil for none.
        var spentToken: String?
        /// The id of the trash, if the account has one.
        let trash: String?
        /// The id of the mailbox in which sent mails are.
        let sent: String

        /// Reads a mail; nil if it isn't the draft's.
        func mail(_ mail: JSON) -> FoundMail? {
            let messageID = mail["messageId"]?.arrayValue?.first?.stringValue
            guard let id = mail["id"]?.stringValue, let isForSending = isForSending(messageID) else { return nil }
            func flags(_ name: String) -> [String] {
                (mail[name]?.objectValue?.members ?? []).filter { $0.value.boolValue ?? false }.map(\.name)
                    .sorted()
            }
            let (mailboxes, from) = (flags("mailboxIds"), mail["from"]?.arrayValue?.first)
            let receivedAt = mail["receivedAt"]?.stringValue.flatMap { RFC3339.date(from: $0)?.milliseconds }
            return FoundMail(
                id: id,
                messageID: messageID,
                isDraft: mail["keywords"]?[Keyword.draft]?.boolValue ?? false,
                isForSending: isForSending,
                hasBcc: !(mail["bcc"]?.arrayValue ?? []).isEmpty,
                isInTrash: !mailboxes.isEmpty && mailboxes.allSatisfy { $0 == trash },
                isInSent: mailboxes.contains(sent),
                sentAt: mail["sentAt"]?.stringValue.flatMap {
                    RFC3339.date(from: $0, takesOffset: true)?.milliseconds
                },
                mark: mail[DraftRequests.markField]?.stringValue?.nonEmpty,
                isReceived: Self.isReceived(mail),
                mailboxIDs: mailboxes,
                keywords: flags("keywords"),
                from: from?["email"]?.stringValue.map { EmailAddress(name: from?["name"]?.stringValue, email: $0) },
                receivedAt: receivedAt
            )
        }

        /// Whether a mail was received (``FoundMail/isReceived``).
        static func isReceived(_ mail: JSON) -> Bool {
            mail[DraftRequests.receivedField]?.stringValue?.nonEmpty != nil
        }

        /// Whether a mail is the draft's.
        func isOfDraft(_ mail: JSON) -> Bool {
            isForSending(mail["messageId"]?.arrayValue?.first?.stringValue) != nil
        }

        /// Reads the `Message-ID` of a mail: whether it is that of one to send, and not that of a saved version; nil if
        /// it isn't the draft's.
        func isForSending(_ messageID: String?) -> Bool? {
            guard let messageID, let read = DraftToken.read(messageID) else { return nil }
            if read.isForSending, read.token == spentToken { return true }
            return read.token == token || messageID.prefix { $0 != "@" } == token ? read.isForSending : nil
        }
    }

    /// Reads the answer to a search; nil if the server can't search for headers.
    ///
    /// - Parameters:
    ///   - position: The number of the first mail of a page of a scan; nil for a search.
    ///   - versions: The ids of the versions that were looked for.
    /// - Throws: ``SyncError``.
    static func search(
        _ response: Response,
        in place: Place,
        scanningFrom position: Int? = nil,
        versions: [String] = []
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
        // It may be the draft's. In a scan, those without one are mails that have none, unless the server states none.
        let statedCount = mails.count { $0["messageId"] != nil }
        guard statedCount == mails.count || position != nil && statedCount > 0 else {
            throw .malformed("Email/get left out properties")
        }
        for mail in mails where place.isOfDraft(mail) {
            // Without them, a mail would count as sent.
            guard mail["keywords"]?.objectValue != nil, mail["mailboxIds"]?.objectValue != nil else {
                throw .malformed("Email/get left out properties")
            }
        }
        // A server that uses another limit than the given one reports it (RFC 8620, section 5.5).
        let limit = query["limit"]?.intValue ?? DraftRequests.pageSize
        let count = ids.count
        let times = mails.compactMap { $0["receivedAt"]?.stringValue.flatMap { RFC3339.date(from: $0) }?.milliseconds }
        var rest: Search.Rest?
        if let position, count > 0, count >= limit { rest = .init(position: position + count, time: times.min() ?? 0) }
        var missing: [String] = []
        if !versions.isEmpty {
            let present = Set(try list(response, "versions", of: versions).map { $0["id"]?.stringValue ?? "" })
            missing = versions.filter { !present.contains($0) }
        }
        return Search(
            states: .init(mails: state, submissions: submissionState(response.answer(to: "submissions"), "state")),
            mails: mails.compactMap(place.mail),
            rest: rest,
            missing: missing
        )
    }

    /// Reads the answer to a request for one mail; nil if it is gone, or isn't the draft's.
    static func mail(_ response: Response, _ id: String, in place: Place) throws(SyncError) -> FoundMail? {
        guard let mail = try list(response, "mails", of: [id]).first else { return nil }
        // As another mail, it would leave the draft's to be saved again, each time that it is looked for.
        guard mail["messageId"] != nil else { throw .malformed("Email/get left out properties") }
        return place.mail(mail)
    }

    /// The changes of the account's mails since a state.
    struct Changes: Hashable, Sendable {
        /// The created mails that are the draft's: those of attempts, and saved versions.
        var mails: [FoundMail] = []
        /// Whether any but those of attempts were created, or any that were there before were changed.
        var hasOthers = false
        /// Whether a client may have sent one of these: it was changed, or it is neither a draft nor received.
        var haveOthersSent = false
        /// The ids of the removed mails. A server may leave out those that were created since, too (RFC 8620, section
        /// 5.2).
        var removed: [String] = []
        /// Whether the server knows all changes, and all created mails were read.
        var isComplete = true
        /// A state of the account's mails to which no change led that isn't among these; nil if the server doesn't say.
        var state: String?

        mutating func add(_ later: Changes) {
            mails += later.mails
            removed += later.removed
            hasOthers = hasOthers || later.hasOthers
            haveOthersSent = haveOthersSent || later.haveOthersSent
            isComplete = isComplete && later.isComplete
            state = later.state
        }
    }

    /// Reads the answer to a request for the changes since a state: returns them, and the state from which there are
    /// more; nil for neither if the server doesn't know.
    static func changes(_ response: Response, in place: Place) -> (changes: Changes, next: String?)? {
        guard let answer = try? arguments(response, "changes"), let mails = try? arguments(response, "mails") else {
            return nil
        }
        let (list, created) = (mails["list"]?.arrayValue ?? [], answer["created"]?.arrayValue)
        let own = list.compactMap(place.mail)
        let areUpdated = !(answer["updated"]?.arrayValue ?? []).isEmpty
        let haveOthersSent = list.contains { mail in
            let isDraft = mail["keywords"]?[Keyword.draft]?.boolValue ?? false
            return !isDraft && !Place.isReceived(mail) && !(place.mail(mail)?.isForSending ?? false)
        }
        let changes = Changes(
            mails: own,
            hasOthers: own.filter(\.isForSending).count < created?.count ?? 0 || areUpdated,
            haveOthersSent: haveOthersSent || areUpdated,
            removed: (answer["destroyed"]?.arrayValue ?? []).compactMap(\.stringValue),
            // One that isn't there any more, or whose `Message-ID` isn't stated, may be the draft's.
            isComplete: list.count == created?.count && list.allSatisfy { $0["messageId"] != nil },
            state: (try? arguments(response, "state"))?["state"]?.stringValue
        )
        let next = answer["hasMoreChanges"]?.boolValue ?? false ? answer["newState"]?.stringValue : nil
        return (changes, next)
    }

    /// Reads the answer to a request for the submissions since a state: returns whether none of them can be the
    /// draft's. It isn't if nothing shows that the server keeps submissions, or changes the state with each; nor if one
    /// was removed, or no change explains the state.
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
        func ids(_ name: String) -> [JSON] { changes[name]?.arrayValue ?? [] }
        // One that was removed may be the draft's. A server leaves it out if it was created since, too.
        guard ids("destroyed").isEmpty, !created.isEmpty || !ids("updated").isEmpty else { return false }
        return !earlier.isEmpty && submissions(response).count == created.count && areOfOthers(response, in: place)
    }

    /// Reads the answer to a request for the submissions since a state: returns whether other mails explain that there
    /// were changes of any. They do if there were none.
    ///
    /// - Parameter changes: The changes of the account's mails since then. A server that removes submissions once they
    ///   are sent shows no other reason.
    static func areOtherSubmissions(
        _ response: Response,
        since states: DraftJob.AccountStates,
        in place: Place,
        beside changes: Changes
    ) -> Bool {
        let call = response.answer(to: "changes")
        if let call, call.name == "error" {
            // Without the method there are none. Otherwise the server doesn't know whether there were any.
            let error = MethodError(json: call.arguments.value)
            return ["unknownMethod", "accountNotSupportedByMethod"].contains(error.type)
        }
        guard let answer = try? arguments(response, "changes"), let state = answer["newState"]?.stringValue else {
            return true
        }
        let hasMore = answer["hasMoreChanges"]?.boolValue ?? true
        if state == states.submissions { return !hasMore }
        let listed = submissions(response)
        let areAll = !hasMore && !listed.isEmpty && listed.count == answer["created"]?.arrayValue?.count
        return areOfOthers(response, in: place) && (areAll || changes.haveOthersSent)
    }

    /// The submissions of an answer that were created since a state, without those that are gone.
    private static func submissions(_ response: Response) -> [JSON] {
        (try? arguments(response, "created"))?["list"]?.arrayValue ?? []
    }

    /// Whether the mails of all these submissions are there, and none is the draft's. One that is gone may be it.
    private static func areOfOthers(_ response: Response, in place: Place) -> Bool {
        let mails = (try? arguments(response, "mails"))?["list"]?.arrayValue ?? []
        let ids = Set(mails.compactMap { $0["id"]?.stringValue })
        return ids.isSuperset(of: submissions(response).map { $0["emailId"]?.stringValue ?? "" })
            && !mails.contains(where: place.isOfDraft)
    }

    /// Reads the answer to a search for submissions: returns the ids of the mails that have one. A server that doesn't
    /// keep submissions, or can't search for them, has none.
    static func submitted(_ response: Response) -> Set<String> {
        let list = (try? arguments(response, "found"))?["list"]?.arrayValue ?? []
        return Set(list.compactMap { $0["emailId"]?.stringValue })
    }
}
