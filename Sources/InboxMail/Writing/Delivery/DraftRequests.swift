import Foundation
import Groundwork
import HTMLCleaning
import HTMLParsing
import JMAP
import MailComposing
import Replica

/// The requests about one draft.
struct DraftRequests {
    /// The mailboxes of drafts and sent mails, and the sender.
    struct Context: Hashable, Sendable {
        var account: String
        var draftsMailbox: String
        /// Nil if the account has none: sent mails then stay where drafts are.
        var sentMailbox: String?
        /// Nil if the account has none.
        var trashMailbox: String?
        var sender: SenderChoice
        /// The right side of `Message-ID`s.
        var domain: String
        /// Whether the server was seen to change the state of submissions with one.
        var countsSubmissions: Bool

        var mailboxPatch: [(String, JSON)] {
            guard let sentMailbox, sentMailbox != draftsMailbox else { return [] }
            return [
                (String(JSONPointer(["mailboxIds", draftsMailbox]).description.dropFirst()), .null),
                (String(JSONPointer(["mailboxIds", sentMailbox]).description.dropFirst()), true),
            ]
        }
    }

    let context: Context

    /// The header field of a mail that is sent with the mark of the attempt: a random one, by which a device knows its
    /// own attempts from those of others.
    static let markField = "header:X-Inbox-Attempt:asText"

    /// The header field of received mails (``FoundMail/isReceived``).
    static let receivedField = "header:Received:asRaw"

    static let using = [CoreCapability.uri, MailCapability.mail]
    static let usingSubmission = using + [MailCapability.submission]

    func call(_ name: String, _ id: String, _ arguments: [(String, JSON)]) -> Invocation {
        Invocation(name, JSONObject([("accountId", .string(context.account))] + arguments), callID: id)
    }

    /// The number of mails of one page of a scan.
    static let pageSize = 200

    private static let foundProperties: JSON = [
        "id", "messageId", "keywords", "mailboxIds", "from", "bcc", "sentAt", "receivedAt", .string(markField),
        .string(receivedField),
    ]

    /// Searches for the mails with a draft's token, in all mailboxes.
    ///
    /// The states are read first: whatever is created after it changes them.
    ///
    /// - Parameters:
    ///   - position: The number of the first mail of a page of all mails, the newest first, which is looked through for
    ///     a server that can't search for headers; nil to search.
    ///   - readsSubmissions: Whether the state of the submissions is read too.
    ///   - versions: The ids of known versions, of which the answer says whether they are there.
    func search(
        for token: String,
        scanningFrom position: Int? = nil,
        readsSubmissions: Bool = false,
        versions: [String] = []
    ) -> Request {
        var query: [(String, JSON)] = [("sort", [["property": "receivedAt", "isAscending": false]])]
        if let position {
            query += [("position", JSON(position)), ("limit", JSON(Self.pageSize))]
        } else {
            query += [("filter", ["header": ["Message-ID", .string(token)]]), ("limit", 50)]
        }
        var calls = [call("Email/get", "state", [("ids", []), ("properties", ["id"])])]
        if readsSubmissions {
            calls.append(call("EmailSubmission/get", "submissions", [("ids", []), ("properties", ["id"])]))
        }
        // Another device creates a version before it removes the one that it replaces: if this one is gone, the search
        // finds that one, whatever the server does between the calls.
        if !versions.isEmpty {
            calls.append(call("Email/get", "versions", [("ids", JSON(versions)), ("properties", ["id"])]))
        }
        calls += [
            call("Email/query", "query", query),
            call(
                "Email/get",
                "mails",
                [
                    ("#ids", ResultReference(resultOf: "query", name: "Email/query", path: "/ids").json),
                    ("properties", Self.foundProperties),
                ]
            ),
        ]
        return Request(using: readsSubmissions ? Self.usingSubmission : Self.using, methodCalls: calls)
    }

    /// Reads a mail.
    func mail(_ id: String) -> Request {
        let arguments: [(String, JSON)] = [("ids", [.string(id)]), ("properties", Self.foundProperties)]
        return Request(using: Self.using, methodCalls: [call("Email/get", "mails", arguments)])
    }

    /// Reads the changes of mails since a state, and the created mails.
    ///
    /// The present state is read first: whatever is changed after these calls changes it.
    func changes(since state: String) -> Request {
        Request(
            using: Self.using,
            methodCalls: [
                call("Email/get", "state", [("ids", []), ("properties", ["id"])]),
                call(
                    "Email/changes",
                    "changes",
                    [("sinceState", .string(state)), ("maxChanges", JSON(Self.pageSize))]
                ),
                call(
                    "Email/get",
                    "mails",
                    [
                        ("#ids", ResultReference(resultOf: "changes", name: "Email/changes", path: "/created").json),
                        ("properties", Self.foundProperties),
                    ]
                ),
            ]
        )
    }

    /// Reads the submissions that were created since a state, with their mails, and whether the server keeps one from
    /// before a time.
    func submissions(since state: String, before time: Int) -> Request {
        func reference(_ call: String, _ name: String, _ path: String) -> JSON {
            ResultReference(resultOf: call, name: name, path: path).json
        }
        let time = RFC3339.string(from: Date(milliseconds: time))
        return Request(
            using: Self.usingSubmission,
            methodCalls: [
                call("EmailSubmission/changes", "changes", [("sinceState", .string(state)), ("maxChanges", 100)]),
                call(
                    "EmailSubmission/get",
                    "created",
                    [
                        ("#ids", reference("changes", "EmailSubmission/changes", "/created")),
                        ("properties", ["id", "emailId"]),
                    ]
                ),
                call(
                    "Email/get",
                    "mails",
                    [
                        ("#ids", reference("created", "EmailSubmission/get", "/list/*/emailId")),
                        ("properties", ["id", "messageId"]),
                    ]
                ),
                call(
                    "EmailSubmission/query",
                    "earlier",
                    [("filter", ["undoStatus": "final", "before": .string(time)]), ("limit", 1)]
                ),
            ]
        )
    }

    /// Searches for the submissions of mails.
    func submissions(of ids: [String]) -> Request {
        Request(
            using: Self.usingSubmission,
            methodCalls: [
                call("EmailSubmission/query", "submissions", [("filter", ["emailIds": JSON(ids)])]),
                call(
                    "EmailSubmission/get",
                    "found",
                    [
                        (
                            "#ids",
                            ResultReference(resultOf: "submissions", name: "EmailSubmission/query", path: "/ids").json
                        ), ("properties", ["id", "emailId"]),
                    ]
                ),
            ]
        )
    }

    /// Reads which mailboxes an account has.
    static func mailboxes(of account: String) -> Request {
        let arguments = JSONObject([("accountId", .string(account)), ("ids", .null), ("properties", ["id"])])
        return Request(using: using, methodCalls: [Invocation("Mailbox/get", arguments, callID: "mailboxes")])
    }

    /// Reads which identities an account has.
    func identities(of account: String) -> Request {
        let arguments = JSONObject([("accountId", .string(account)), ("ids", .null), ("properties", ["id"])])
        return Request(
            using: Self.usingSubmission,
            methodCalls: [Invocation("Identity/get", arguments, callID: "identities")]
        )
    }

    /// The `Message-ID` of a draft's mail to send, without angle brackets.
    func messageID(_ job: DraftJob) -> String { DraftToken.messageID(job.token, domain: context.domain) }

    /// Creates the mail and submits it, if the account's mails are in a state; nil for any. If the attempt is for
    /// later, the server is asked to hold it until its time, which is its date then.
    func send(_ document: DraftDocument, ifInState state: String?, at now: Int) -> Request {
        let heldUntil = document.job.attempt.flatMap { $0.isAtOnce ?? false ? nil : $0.heldUntil }
        let mail = outgoing(document, messageID: messageID(document.job), heldUntil ?? now)
        var sender = JSONObject([("email", .string(mail.from.wireEmail))])
        sender["parameters"] = heldUntil.map { Self.holdParameters($0 - now) }
        let envelope: JSON = [
            "mailFrom": .object(sender),
            "rcptTo": .array(mail.recipients.map { ["email": .string($0.wireEmail)] }),
        ]
        var submission = JSONObject([("emailId", "#mail"), ("envelope", envelope)])
        var creation: [(String, JSON)] = []
        if let state { creation.append(("ifInState", .string(state))) }
        creation.append(
            ("create", ["mail": marked(object(mail, isDraft: true, includesBcc: false), document.job.lastMark)])
        )
        submission["identityId"] = context.sender.identityID.map(JSON.string)
        return Request(
            using: Self.usingSubmission,
            methodCalls: [
                call("Email/set", "create", creation),
                call(
                    "EmailSubmission/set",
                    "submit",
                    [
                        ("create", ["submission": .object(submission)]),
                        ("onSuccessUpdateEmail", ["#submission": .object(sentPatch)]),
                    ]
                ),
            ]
        )
    }

    private var sentPatch: JSONObject { JSONObject(context.mailboxPatch + [("keywords/$draft", .null)]) }

    /// Moves a mail that was sent to where sent mails are.
    ///
    /// - Parameter isElsewhere: Whether it isn't where drafts are. It then stays where it is, and only ends to be a
    ///   draft: a server may allow one mailbox for a mail (`maxMailboxesPerEmail`, RFC 8621, section 1.3.1).
    func move(_ emailID: String, isElsewhere: Bool = false) -> Request {
        let patch = isElsewhere ? JSONObject([("keywords/$draft", .null)]) : sentPatch
        let update: JSON = .object(JSONObject([(emailID, .object(patch))]))
        return Request(using: Self.using, methodCalls: [call("Email/set", "update", [("update", update)])])
    }

    /// The keywords that servers give a mail by what is in it.
    private static let derivedKeywords: Set<String> = ["$hasattachment", "$hasnoattachment"]

    /// Creates a version.
    ///
    /// - Parameter version: The version whose mailboxes and keywords, such as the star, it keeps; nil for none.
    func save(
        _ document: DraftDocument,
        messageID: String,
        replacing version: MailMessage?,
        at now: Int
    ) -> Request {
        let mail = composed(document, messageID: messageID, now)
        let mailboxes = version?.mailboxIDs.sorted() ?? []
        let object = mail.emailObject(
            mailboxIDs: mailboxes.isEmpty ? [context.draftsMailbox] : mailboxes,
            keywords: (version?.keywords ?? []).subtracting(Self.derivedKeywords)
                .union([Keyword.draft, Keyword.seen]).sorted(),
            includesBcc: true
        )
        return Request(using: Self.using, methodCalls: [call("Email/set", "create", [("create", ["mail": object])])])
    }

    /// Returns a version as one where drafts are, with no keyword but the star; nil if that is all that the next one
    /// would keep of it.
    func plain(_ version: MailMessage) -> MailMessage? {
        var plain = version
        plain.mailboxIDs = [context.draftsMailbox]
        plain.keywords.formIntersection([Keyword.flagged])
        let keywords = version.keywords.subtracting(Self.derivedKeywords).subtracting([Keyword.draft, Keyword.seen])
        guard keywords == plain.keywords, version.mailboxIDs.isSubset(of: plain.mailboxIDs) else { return plain }
        return nil
    }

    /// Creates the copy of a sent mail that names the hidden recipients.
    ///
    /// It has the mail's sender, whatever has become of the identities since, and is where the mail is.
    ///
    /// - Parameters:
    ///   - sent: The mail that was sent; nil if it isn't found.
    ///   - state: The state of the account's mails at which there is no copy. In any other state, such as if the
    ///     request arrives twice, none is created.
    func copy(_ document: DraftDocument, of sent: FoundMail?, ifInState state: String, at now: Int) -> Request {
        let mail = outgoing(
            document,
            messageID: sent?.messageID ?? messageID(document.job),
            from: sent?.from,
            document.job.sentDate ?? now
        )
        let object = marked(object(mail, isDraft: false, includesBcc: true, like: sent), document.job.lastMark)
        return Request(
            using: Self.using,
            methodCalls: [
                call("Email/set", "create", [("ifInState", .string(state)), ("create", ["mail": object])])
            ]
        )
    }

    /// Reads whether mails are still drafts, and where they are.
    func places(of ids: [String]) -> Request {
        let arguments: [(String, JSON)] = [
            ("ids", JSON(ids)), ("properties", ["id", "messageId", "keywords", "mailboxIds"]),
        ]
        return Request(using: Self.using, methodCalls: [call("Email/get", "places", arguments)])
    }

    /// Removes mails.
    ///
    /// - Parameter state: The state of the account's mails in which they are removed; nil for any.
    func destroy(_ ids: [String], ifInState state: String? = nil) -> Request {
        let condition = state.map { [("ifInState", JSON.string($0))] } ?? []
        return Request(
            using: Self.using,
            methodCalls: [call("Email/set", "destroy", condition + [("destroy", JSON(ids))])]
        )
    }

    /// Moves mails to the trash, in one state of the account's mails; nil if the account has none.
    func trash(_ ids: [String], ifInState state: String) -> Request? {
        guard let trash = context.trashMailbox else { return nil }
        let patch: JSON = ["mailboxIds": .object(JSONObject([(trash, true)]))]
        let update = JSON.object(JSONObject(ids.map { ($0, patch) }))
        return Request(
            using: Self.using,
            methodCalls: [call("Email/set", "update", [("ifInState", .string(state)), ("update", update)])]
        )
    }

    /// Returns the `Email` object by which the server creates a mail.
    ///
    /// - Parameter replaced: The mail whose place it takes; nil for none.
    private func object(
        _ mail: ComposedMail,
        isDraft: Bool,
        includesBcc: Bool,
        like replaced: FoundMail? = nil
    ) -> JSON {
        let replaced = replaced.flatMap { $0.isReplaceable ? $0 : nil }
        let mailbox = isDraft ? context.draftsMailbox : context.sentMailbox ?? context.draftsMailbox
        return mail.emailObject(
            mailboxIDs: replaced?.mailboxIDs ?? [mailbox],
            keywords: replaced?.keywords ?? (isDraft ? [Keyword.draft, Keyword.seen] : [Keyword.seen]),
            includesBcc: includesBcc
        )
    }

    /// Returns a mail with the mark of the attempt that sends it, or sent it.
    private func marked(_ mail: JSON, _ mark: String?) -> JSON {
        guard let mark, var object = mail.objectValue else { return mail }
        object.add(Self.markField, .string(mark))
        return .object(object)
    }

    /// Returns the mail of a draft as it is sent. Replies go where its identity asks for them, unless the draft says
    /// where (RFC 8621, section 6).
    private func outgoing(
        _ document: DraftDocument,
        messageID: String,
        from: EmailAddress? = nil,
        _ now: Int
    ) -> ComposedMail {
        var mail = composed(document, messageID: messageID, from: from, now)
        if mail.replyTo.isEmpty { mail.replyTo = context.sender.replyTo }
        return mail
    }

    /// Whether HTML shows nothing, such as that of an editor without words: those of the text would then not be seen.
    /// Long HTML isn't read for that.
    private static func showsNothing(_ markup: String) -> Bool {
        markup.utf8.count <= 4_096 && !markup.contains("<img") && HTMLPlainText.text(of: markup).isEmpty
    }

    /// The ids that take the place of content ids that can't be written, such as those with spaces: by the latter, in
    /// the form in which two are compared.
    private static func replacedContentIDs(of files: [DraftText.File]) -> [String: String] {
        let unwritable = files.compactMap(\.contentID).filter { id in
            ComposedMail.Attachment(blobID: "", type: "", contentID: id, size: 0).plainContentID == nil
        }
        // A picture with an empty one is shown by nothing.
        let ids = unwritable.map { MailBody.plainContentID($0[...]) }.filter { !$0.isEmpty }
        let others = ids.map { id in (id, "\(StoreLocation.digest(of: id).prefix(32))@localhost") }
        return Dictionary(others, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the mail of a draft.
    func composed(
        _ document: DraftDocument,
        messageID: String,
        from: EmailAddress? = nil,
        _ now: Int
    ) -> ComposedMail {
        let text = document.text
        let replacedIDs = Self.replacedContentIDs(of: text.files)
        func decision(_ picture: HTMLPicture) -> HTMLPicture.Decision {
            guard !replacedIDs.isEmpty, let id = MailBody.contentID(in: picture.url), let other = replacedIDs[id]
            else { return .keep }
            return .replace("cid:\(other)")
        }
        return ComposedMail(
            messageID: messageID,
            date: Date(milliseconds: now),
            // A version of a draft may have none.
            from: from ?? context.sender.from ?? text.from?.address ?? EmailAddress(email: ""),
            replyTo: text.replyTo.map(\.address),
            to: text.to.map(\.address),
            cc: text.cc.map(\.address),
            bcc: text.bcc.map(\.address),
            subject: text.subject,
            thread: ThreadHeaders(inReplyTo: text.inReplyTo, references: text.references),
            text: text.text,
            html: text.html.flatMap { html in
                // Whatever its length: the rest of a truncated text would be lost.
                let limits = HTMLLimits(fitting: html.utf8.count)
                let options = HTMLCleaner.Options(allowsDataPictures: true, limits: limits)
                let markup = HTMLCleaner(options).clean(html, pictures: decision).markup
                return Self.showsNothing(markup) && !text.text.allSatisfy(\.isWhitespace) ? nil : markup
            },
            attachments: text.files.compactMap { file in
                file.blobID.map { blobID in
                    ComposedMail.Attachment(
                        blobID: blobID,
                        name: file.name,
                        type: file.type,
                        charset: file.charset,
                        contentID: file.contentID.map { replacedIDs[MailBody.plainContentID($0[...])] ?? $0 },
                        isInline: file.contentID != nil,
                        size: file.size
                    )
                }
            }
        )
    }
}

extension String {
    /// The string; nil if it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
