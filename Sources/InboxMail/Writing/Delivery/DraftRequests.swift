import Foundation
import Groundwork
import HTMLCleaning
import JMAP
import MailComposing

/// The requests about one draft.
struct DraftRequests {
    /// The mailboxes of drafts and sent mails, and the identity of the sender.
    struct Context: Hashable, Sendable {
        var account: String
        var draftsMailbox: String
        /// Nil if the account has none: sent mails then stay where drafts are.
        var sentMailbox: String?
        /// Nil if the account has none.
        var trashMailbox: String?
        /// Nil if the server has no identity; nothing can be sent then.
        var identity: MailIdentity?
        /// The right side of `Message-ID`s.
        var domain: String

        var mailboxPatch: [(String, JSON)] {
            guard let sentMailbox, sentMailbox != draftsMailbox else { return [] }
            return [
                (String(JSONPointer(["mailboxIds", draftsMailbox]).description.dropFirst()), .null),
                (String(JSONPointer(["mailboxIds", sentMailbox]).description.dropFirst()), true),
            ]
        }
    }

    let context: Context

    private static let using = [CoreCapability.uri, MailCapability.mail]
    private static let usingSubmission = using + [MailCapability.submission]

    private func call(_ name: String, _ id: String, _ arguments: [(String, JSON)]) -> Invocation {
        Invocation(name, JSONObject([("accountId", .string(context.account))] + arguments), callID: id)
    }

    /// Searches for the mails with a draft's token.
    ///
    /// The state is read first: whatever is created after it changes it.
    ///
    /// - Parameter isScanning: Whether the newest mails are looked through, for a server that can't search for headers.
    func search(for token: String, isScanning: Bool) -> Request {
        let filter: JSON
        if isScanning {
            let places = [context.draftsMailbox, context.sentMailbox].compactMap { $0 }
            let conditions = places.map { ["inMailbox": .string($0)] as JSON }
            filter = ["operator": "OR", "conditions": .array(conditions)]
        } else {
            filter = ["header": ["Message-ID", .string(token)]]
        }
        return Request(
            using: Self.using,
            methodCalls: [
                call("Email/get", "state", [("ids", []), ("properties", ["id"])]),
                call(
                    "Email/query",
                    "query",
                    [
                        ("filter", filter), ("limit", JSON(isScanning ? 200 : 50)),
                        ("sort", [["property": "receivedAt", "isAscending": false]]),
                    ]
                ),
                call(
                    "Email/get",
                    "mails",
                    [
                        ("#ids", ResultReference(resultOf: "query", name: "Email/query", path: "/ids").json),
                        ("properties", ["id", "messageId", "keywords", "mailboxIds", "bcc", "sentAt"]),
                    ]
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

    /// Creates the mail and submits it, if the account's mails are in a state.
    func send(_ document: DraftDocument, ifInState state: String, at now: Int) -> Request {
        let mail = composed(document, messageID: DraftToken.messageID(document.job.token, domain: context.domain), now)
        let envelope: JSON = [
            "mailFrom": ["email": .string(mail.from.wireEmail)],
            "rcptTo": .array(mail.recipients.map { ["email": .string($0.wireEmail)] }),
        ]
        var submission = JSONObject([("emailId", "#mail"), ("envelope", envelope)])
        if let identity = context.identity { submission["identityId"] = .string(identity.id) }
        return Request(
            using: Self.usingSubmission,
            methodCalls: [
                call(
                    "Email/set",
                    "create",
                    [
                        ("ifInState", .string(state)),
                        ("create", ["mail": object(mail, isDraft: true, includesBcc: false)]),
                    ]
                ),
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
    func move(_ emailID: String) -> Request {
        let update: JSON = .object(JSONObject([(emailID, .object(sentPatch))]))
        return Request(using: Self.using, methodCalls: [call("Email/set", "update", [("update", update)])])
    }

    /// Creates a version.
    func save(_ document: DraftDocument, messageID: String, at now: Int) -> Request {
        let mail = composed(document, messageID: messageID, now)
        let object = object(mail, isDraft: true, includesBcc: true)
        return Request(using: Self.using, methodCalls: [call("Email/set", "create", [("create", ["mail": object])])])
    }

    /// Creates the copy of a sent mail that names the hidden recipients.
    ///
    /// - Parameter state: The state of the account's mails at which there is no copy. In any other state, such as if
    ///   the request arrives twice, none is created.
    func copy(_ document: DraftDocument, ifInState state: String, at now: Int) -> Request {
        let mail = composed(
            document,
            messageID: DraftToken.messageID(document.job.token, domain: context.domain),
            document.job.sentDate ?? now
        )
        let object = object(mail, isDraft: false, includesBcc: true)
        return Request(
            using: Self.using,
            methodCalls: [
                call("Email/set", "create", [("ifInState", .string(state)), ("create", ["mail": object])])
            ]
        )
    }

    /// Removes mails.
    func destroy(_ ids: [String]) -> Request {
        Request(using: Self.using, methodCalls: [call("Email/set", "destroy", [("destroy", JSON(ids))])])
    }

    /// Moves mails to the trash; nil if the account has none.
    func trash(_ ids: [String]) -> Request? {
        guard let trash = context.trashMailbox else { return nil }
        let patch: JSON = ["mailboxIds": .object(JSONObject([(trash, true)]))]
        let update = JSON.object(JSONObject(ids.map { ($0, patch) }))
        return Request(using: Self.using, methodCalls: [call("Email/set", "update", [("update", update)])])
    }

    private func object(_ mail: ComposedMail, isDraft: Bool, includesBcc: Bool) -> JSON {
        let mailbox = isDraft ? context.draftsMailbox : context.sentMailbox ?? context.draftsMailbox
        return mail.emailObject(
            mailboxIDs: [mailbox],
            keywords: isDraft ? [Keyword.draft, Keyword.seen] : [Keyword.seen],
            includesBcc: includesBcc
        )
    }

    private func composed(_ document: DraftDocument, messageID: String, _ now: Int) -> ComposedMail {
        let text = document.text
        let identity = context.identity
        return ComposedMail(
            messageID: messageID,
            date: Date(milliseconds: now),
            from: text.from?.address ?? EmailAddress(name: identity?.name.nonEmpty, email: identity?.email ?? ""),
            replyTo: text.replyTo.map(\.address),
            to: text.to.map(\.address),
            cc: text.cc.map(\.address),
            bcc: text.bcc.map(\.address),
            subject: text.subject,
            thread: ThreadHeaders(inReplyTo: text.inReplyTo, references: text.references),
            text: text.text,
            html: text.html.map { HTMLCleaner(HTMLCleaner.Options(allowsDataPictures: true)).clean($0).markup },
            attachments: text.files.compactMap { file in
                file.blobID.map { blobID in
                    ComposedMail.Attachment(
                        blobID: blobID,
                        name: file.name,
                        type: file.type,
                        contentID: file.contentID,
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
