import MailComposing

/// A mail with a draft's token, on the server.
struct FoundMail: Hashable, Sendable {
    let id: String
    /// The `Message-ID`, without angle brackets; nil if it isn't known.
    var messageID: String?
    /// Whether it has the keyword `$draft`.
    let isDraft: Bool
    /// Whether its `Message-ID` is that of the mail to send, and not that of a saved version.
    let isForSending: Bool
    /// Whether it names hidden recipients.
    var hasBcc: Bool
    /// Whether it is only in the trash.
    let isInTrash: Bool
    /// Whether it is where sent mails are. One that isn't may have been received: of a mail to oneself, or through a
    /// list, the server has two with one `Message-ID`.
    let isInSent: Bool
    /// The date (the header field `Date`), to the second; nil if the server doesn't have it.
    let sentAt: Int?
    /// The mark of the attempt that created it (``DraftRequests/markField``); nil if the server doesn't show it, or for
    /// a mail of an earlier version.
    var mark: String?

    /// Whether it was received: servers add the header field `Received` to mails that they deliver, and not to created
    /// ones (RFC 5321, section 4.4).
    var isReceived = false
    /// The mailboxes that it is in, by their ids, and its keywords.
    var mailboxIDs: [String] = []
    var keywords: [String] = []
    /// The sender in its header; nil if there is none.
    var from: EmailAddress?
    /// The time of its creation or arrival by the server's clock; nil if it isn't known.
    var receivedAt: Int?

    /// Whether the copy that names the hidden recipients may take its place: it is in one mailbox, was created by a
    /// device, and the person hasn't removed it.
    var isReplaceable: Bool { !isDraft && !isReceived && !isInTrash && mailboxIDs.count == 1 }

    /// The same mail, known to name the hidden recipients.
    var named: FoundMail {
        var mail = self
        mail.hasBcc = true
        return mail
    }

    /// Whether the server has a submission of it. One that hasn't may have been submitted all the same: servers may not
    /// keep submissions (RFC 8621, section 7).
    var isSubmitted = false
}
