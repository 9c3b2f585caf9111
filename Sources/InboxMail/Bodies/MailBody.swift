import Foundation
import Groundwork

/// The body of a mail: its text and its files (RFC 8621, section 4.1.4).
public struct MailBody: Hashable, Sendable {
    /// The mail's HTML, unchanged. It can't be trusted: show the result of
    /// ``cleaned(title:language:pictures:medium:)``. Nil if there is none.
    public let html: String?
    /// The text to show: the mail's own, or else that of its HTML. Empty if there is neither.
    public let text: String
    /// Whether ``text``, or a part of it, is that of the HTML, because the mail has no text of its own there.
    public let isTextFromHTML: Bool
    /// Whether the server truncated the text, because it is longer than ``MailConfiguration/maxBodySize``, or than the
    /// server shows.
    public let isTruncated: Bool
    /// Whether a part couldn't be decoded with the encoding that the mail states. U+FFFD replaces unreadable bytes.
    public let isEncodingProblem: Bool
    /// The files, in order, without inline images.
    public let attachments: [MailFile]
    /// The images within the HTML, which refers to them by `cid:` and their ``MailFile/contentID``.
    public let inlineFiles: [MailFile]
    /// The one who sent the mail for its authors.
    let sender: [EmailAddress]
    /// The addresses to which the mail was delivered (`Delivered-To`), if the servers on its way have noted them: that
    /// of a list's member or of a blind copy isn't among the recipients.
    let deliveredTo: [EmailAddress]

    /// Returns the image that a URL in the HTML refers to.
    ///
    /// - Parameter url: A URL such as `cid:logo@example.com` (RFC 2392).
    /// - Returns: Nil for another kind of URL, or if the mail has no such image.
    public func inlineFile(for url: String) -> MailFile? {
        guard let wanted = Self.contentID(in: url) else { return nil }
        return (inlineFiles + attachments).first { file in
            file.contentID.map { Self.plainContentID($0[...]) == wanted } ?? false
        }
    }

    /// Returns the content id of a `cid:` URL, or nil for another URL.
    static func contentID(in url: String) -> String? {
        url.lowercased().hasPrefix("cid:") ? plainContentID(url.dropFirst(4)) : nil
    }

    /// Returns a content id in the form in which two are compared.
    ///
    /// Mail programs and servers treat spaces and capitals differently.
    static func plainContentID(_ id: Substring) -> String {
        (id.removingPercentEncoding ?? String(id)).lowercased().filter { !$0.isWhitespace }
    }

    /// The parts of the text: the author's own, quotations and the signature.
    public var parts: [MailText.Part] { MailText.parts(of: text) }
}

/// A file of a mail: an attachment, or an image within the text.
public struct MailFile: Hashable, Identifiable, Sendable {
    /// The server's id of the bytes.
    public var id: String { blobID }
    /// The server's id of the bytes.
    public let blobID: String
    /// The name, without folders or control characters; nil if there is none.
    public let name: String?
    /// The media type, such as `image/png`, as the mail states it.
    public let type: String
    /// The size in bytes.
    public let size: Int
    /// The content id, to which `cid:` in the HTML refers; nil if there is none.
    public let contentID: String?
    /// Whether it is an image within the text.
    public let isInline: Bool
    /// The character encoding of a text, in lower case; nil if the mail states none, or if it isn't known, as in lists
    /// of attachments. So files that differ in nothing else are equal.
    var charset: String?

    /// Whether all that an app sees of two files is equal.
    public static func == (a: MailFile, b: MailFile) -> Bool {
        a.blobID == b.blobID && a.name == b.name && a.type == b.type && a.size == b.size
            && a.contentID == b.contentID && a.isInline == b.isInline
    }

    /// Hashes the server's id of the bytes and the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(blobID)
        hasher.combine(name)
    }
}

extension MailBody {
    /// Reads a mail of the response to `Email/get`.
    init(_ json: JSON) {
        let values = json["bodyValues"]
        func parts(_ name: String) -> [JSON] { json[name]?.arrayValue ?? [] }
        func read(_ name: String) -> [Text] { parts(name).compactMap { Text($0, values) } }
        let (asHTML, asText) = (read("htmlBody"), read("textBody"))
        // `htmlBody` lists the text of a mail without HTML, and `textBody` the HTML of a mail without text (RFC 8621,
        // section 4.1.4).
        html = asHTML.contains(where: \.isHTML) ? asHTML.map(\.html).joined(separator: "\n") : nil
        // Some mail programs send an empty text with the HTML.
        let isTextEmpty = asText.filter { !asHTML.contains($0) }.allSatisfy { $0.plain.allSatisfy(\.isWhitespace) }
        let texts = isTextEmpty ? asHTML : asText
        text = texts.map(\.plain).joined(separator: "\n")
        isTextFromHTML = texts.contains(where: \.isHTML)
        let flags = values?.objectValue?.members.map(\.value) ?? []
        isTruncated = flags.contains { $0["isTruncated"]?.boolValue ?? false }
        isEncodingProblem = flags.contains { $0["isEncodingProblem"]?.boolValue ?? false }
        let found = Self.files(json).map(\.file)
        inlineFiles = found.filter(\.isInline)
        attachments = found.filter { !$0.isInline }
        sender = EmailAddress.list(json["sender"])
        deliveredTo = (json[Self.deliveredToField]?.arrayValue ?? []).flatMap { EmailAddress.list($0) }
    }

    /// The property with the lists of addresses of each field `Delivered-To` (RFC 8621, section 4.1.2.3).
    static let deliveredToField = "header:Delivered-To:asAddresses:all"

    /// A file, and the id of its part.
    struct Part {
        /// Nil if the server provides none.
        let partID: String?
        let file: MailFile
    }

    /// Returns the files in a mail of the response to `Email/get`, including inline images, each once.
    static func files(_ json: JSON) -> [Part] {
        func parts(_ name: String) -> [JSON] { json[name]?.arrayValue ?? [] }
        // Images can be body parts; those that the HTML refers to are among the attachments.
        let shown = (parts("htmlBody") + parts("textBody")).filter {
            !($0["type"]?.stringValue?.lowercased().hasPrefix("text/") ?? true)
        }
        var found: [Part] = []
        // The blobs and names: a hostile mail has many files.
        var known: Set<[String?]> = []
        for part in parts("attachments") + shown {
            guard let file = MailFile(part), known.insert([file.blobID, file.name]).inserted else { continue }
            found.append(Part(partID: part["partId"]?.stringValue, file: file))
        }
        return found
    }
}

extension MailFile {
    init?(_ json: JSON) {
        guard let blobID = json["blobId"]?.stringValue else { return nil }
        self.blobID = blobID
        name = json["name"]?.stringValue.flatMap(Self.cleaned)
        type = json["type"]?.stringValue?.lowercased() ?? "application/octet-stream"
        size = Self.bounded(json["size"]?.intValue ?? 0)
        // Of a text that states none, it is US-ASCII (RFC 8621, section 4.1.4), whatever is in it.
        let encoding = json["charset"]?.stringValue?.lowercased()
        charset = encoding == "us-ascii" ? nil : encoding
        contentID = json["cid"]?.stringValue
        // Some mail programs mark every attachment as inline, others give each a content id.
        let disposition = json["disposition"]?.stringValue?.lowercased()
        isInline =
            type.hasPrefix("image/") && disposition != "attachment" && (disposition == "inline" || contentID != nil)
    }

    /// Returns a size that a server states, from 0 to 256 TiB, so that sums of sizes don't overflow.
    static func bounded(_ size: Int) -> Int { min(max(0, size), 1 << 48) }

    /// Returns the file name for a name in a mail: the part after the last slash, without invisible characters. Nil if
    /// nothing remains.
    private static func cleaned(_ name: String) -> String? {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let unseen: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars where !unseen.contains(scalar.properties.generalCategory) {
            scalars.append(scalar)
        }
        let cleaned = String(scalars).trimmingCharacters(in: .whitespaces)
        return [".", "..", ""].contains(cleaned) ? nil : shortened(cleaned)
    }

    /// Shortens a name to a length that file systems accept, and keeps the extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maxNameLength else { return name }
        let dot = name.lastIndex(of: ".").flatMap { name[$0...].utf8.count <= 16 ? $0 : nil } ?? name.endIndex
        let end = name[dot...]
        var stem = name[..<dot]
        while stem.utf8.count + end.utf8.count > maxNameLength { stem = stem.dropLast() }
        return String(stem + end)
    }

    private static let maxNameLength = 200
}
