import Foundation
import Groundwork
import MailComposing
import Replica

/// The digest of a version's subject, recipients, text, HTML and number of files, by which this device recognises on a
/// server what it has written itself.
///
/// Spaces at the ends of a text, and all within HTML, don't count: a server may change them. If it changes more, a
/// version isn't recognised, and stays as another one.
struct DraftFingerprint: Codable, Hashable, Sendable {
    private let digest: String

    /// The fingerprint of a version that is created.
    init(_ mail: ComposedMail) {
        self.init(
            subject: mail.subject,
            recipients: [mail.to, mail.cc, mail.bcc],
            text: mail.writtenText,
            html: mail.html,
            // Of equal files with one name, a reader sees one.
            files: Set(mail.attachments.map { "\($0.blobID) \($0.name ?? "")" }).count
        )
    }

    /// The fingerprint of an `Email`; nil if its text isn't whole.
    init?(_ mail: JSON) {
        let body = MailBody(mail)
        guard !body.isTruncated else { return nil }
        self.init(
            subject: mail["subject"]?.stringValue ?? "",
            recipients: ["to", "cc", "bcc"].map { EmailAddress.list(mail[$0]) },
            text: body.text,
            html: body.html,
            files: body.attachments.count + body.inlineFiles.count
        )
    }

    private init(subject: String, recipients: [[EmailAddress]], text: String, html: String?, files: Int) {
        let line = PlainCharacters.line(subject, maxLength: SubjectPrefix.maxSubjectLength)
        // What isn't an address yet is sent as a server takes it.
        let keys = recipients.map { list in JSON(list.filter { $0.problem == nil }.map(\.key)) }
        let plain = PlainCharacters.lines(text).trimmingCharacters(in: .whitespacesAndNewlines)
        let markup = html.map { JSON.string($0.filter { !$0.isWhitespace }) } ?? .null
        let parts: JSON = [.string(line), .array(keys), .string(plain), markup, JSON(files)]
        digest = FileDigest.of(Data(parts.utf8))
    }
}
