package import Foundation

/// A written mail with everything that a server needs to send it.
package struct ComposedMail: Hashable, Sendable {
    /// The `Message-ID`, without angle brackets. It never changes: a mail that may have been sent is found by
    /// it.
    package var messageID: String
    /// The date on which it was written.
    package var date: Date
    /// The author.
    package var from: EmailAddress
    /// The one who sends it for the author; nil if it is the author.
    package var sender: EmailAddress?
    /// The addresses for replies, if they are others than the author's.
    package var replyTo: [EmailAddress]
    /// The recipients.
    package var to: [EmailAddress]
    /// The recipients of a copy.
    package var cc: [EmailAddress]
    /// The recipients of a blind copy.
    package var bcc: [EmailAddress]
    /// The subject.
    package var subject: String
    /// The header fields of the conversation.
    package var thread: ThreadHeaders
    /// The text, one line per paragraph. With HTML it is the alternative; if it is empty then, it is made of the HTML.
    package var text: String
    /// The HTML; nil for a mail of text alone.
    package var html: String?
    /// The BCP 47 tag of the language of the text; nil if it isn't known.
    package var language: String?
    /// The files, in order.
    package var attachments: [Attachment]

    /// A file of a mail. Its bytes are on the server.
    package struct Attachment: Hashable, Sendable {
        /// The server's id of the bytes.
        package var blobID: String
        /// The file name; nil if there is none.
        package var name: String?
        /// The media type, such as `image/png`.
        package var type: String
        /// The character encoding of a text; nil if it isn't known.
        package var charset: String?
        /// The content id to which `cid:` in the HTML refers; nil if there is none.
        package var contentID: String?
        /// Whether it is a picture within the HTML. Without a content id or without HTML it is an attachment.
        package var isInline: Bool
        /// The size in bytes.
        package var size: Int

        /// Creates a file.
        package init(
            blobID: String,
            name: String? = nil,
            type: String,
            charset: String? = nil,
            contentID: String? = nil,
            isInline: Bool = false,
            size: Int
        ) {
            self.blobID = blobID
            self.name = name
            self.type = type
            self.charset = charset
            self.contentID = contentID
            self.isInline = isInline
            self.size = size
        }
    }

    /// Creates a mail.
    package init(
        messageID: String,
        date: Date,
        from: EmailAddress,
        sender: EmailAddress? = nil,
        replyTo: [EmailAddress] = [],
        to: [EmailAddress] = [],
        cc: [EmailAddress] = [],
        bcc: [EmailAddress] = [],
        subject: String = "",
        thread: ThreadHeaders = ThreadHeaders(),
        text: String = "",
        html: String? = nil,
        language: String? = nil,
        attachments: [Attachment] = []
    ) {
        self.messageID = messageID
        self.date = date
        self.from = from
        self.sender = sender
        self.replyTo = replyTo
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.thread = thread
        self.text = text
        self.html = html
        self.language = language
        self.attachments = attachments
    }

    /// The recipients, each once.
    package var recipients: [EmailAddress] {
        var seen: Set<String> = []
        return (to + cc + bcc).filter { seen.insert($0.key).inserted }
    }
}
