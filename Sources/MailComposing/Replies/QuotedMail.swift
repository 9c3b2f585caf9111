package import Foundation

/// A mail that is replied to or forwarded.
package struct QuotedMail: Hashable, Sendable {
    /// The `Message-ID`s, without angle brackets.
    package var messageIDs: [String]
    /// The ids of the mails that it replies to.
    package var inReplyTo: [String]
    /// The ids of the earlier mails in the conversation.
    package var references: [String]
    /// The authors.
    package var from: [EmailAddress]
    /// The one who sent it for the authors.
    package var sender: [EmailAddress]
    /// The addresses for replies. If they are empty, replies go to the authors.
    package var replyTo: [EmailAddress]
    /// The recipients.
    package var to: [EmailAddress]
    /// The recipients of a copy.
    package var cc: [EmailAddress]
    /// The recipients of a blind copy. A mail that was received has at most its reader's own address there.
    package var bcc: [EmailAddress]
    /// The addresses to which it was delivered (`Delivered-To`), if they are known.
    package var deliveredTo: [EmailAddress]
    /// Whether it is where the person's sent mails are.
    package var isSent: Bool
    /// The date on which it was sent, or else received.
    package var date: Date?
    /// The subject.
    package var subject: String
    /// The text, one line per paragraph.
    package var text: String
    /// The HTML, unchanged; nil if there is none.
    package var html: String?

    /// Creates a mail.
    package init(
        messageIDs: [String] = [],
        inReplyTo: [String] = [],
        references: [String] = [],
        from: [EmailAddress] = [],
        sender: [EmailAddress] = [],
        replyTo: [EmailAddress] = [],
        to: [EmailAddress] = [],
        cc: [EmailAddress] = [],
        bcc: [EmailAddress] = [],
        deliveredTo: [EmailAddress] = [],
        isSent: Bool = false,
        date: Date? = nil,
        subject: String = "",
        text: String = "",
        html: String? = nil
    ) {
        self.messageIDs = messageIDs
        self.inReplyTo = inReplyTo
        self.references = references
        self.from = from
        self.sender = sender
        self.replyTo = replyTo
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.deliveredTo = deliveredTo
        self.isSent = isSent
        self.date = date
        self.subject = subject
        self.text = text
        self.html = html
    }
}
