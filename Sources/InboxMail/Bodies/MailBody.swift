import Foundation
import Groundwork

/// What a mail says, and the files that came with it (RFC 8621 §4.1.4).
public struct MailBody: Hashable, Sendable {
    /// The mail's own HTML, as it came: nothing in it can be trusted. Nil where it has none.
    public let html: String?
    /// The text to show: that of the mail, or what its HTML says. Empty where there is neither.
    public let text: String
    /// Whether the server cut what it sent, since it is longer than ``MailConfiguration/longestBody``.
    public let isTruncated: Bool
    /// Whether some of it couldn't be read as the mail says it is encoded; what was unreadable is U+FFFD.
    public let isEncodingProblem: Bool
    /// The files, in their order.
    public let attachments: [MailFile]
    /// The pictures that stand within the HTML, by `cid:` and their ``MailFile/contentID``.
    public let inlineFiles: [MailFile]

    /// The picture that an address in the HTML means.
    ///
    /// - Parameter url: Such as `cid:logo@example.com` (RFC 2392).
    /// - Returns: Nil where it isn't such an address, or the mail has no such picture.
    public func inlineFile(for url: String) -> MailFile? {
        guard url.lowercased().hasPrefix("cid:") else { return nil }
        // Mail programs and servers differ in what they do to spaces and capitals.
        func plain(_ name: Substring) -> String {
            (name.removingPercentEncoding ?? String(name)).lowercased().filter { !$0.isWhitespace }
        }
        let wanted = plain(url.dropFirst(4))
        return (inlineFiles + attachments).first { $0.contentID.map { plain($0[...]) == wanted } ?? false }
    }

    /// The text in parts: what the person wrote, what they quoted, how they signed.
    public var parts: [MailText.Part] { MailText.parts(of: text) }
}

/// A file within a mail: an attachment, or a picture that stands within its text. InboxKit's file.
public struct MailFile: Hashable, Identifiable, Sendable {
    /// The server's id of its bytes.
    public var id: String { blobID }
    /// The server's id of its bytes.
    public let blobID: String
    /// Its name, without folders or control characters; nil where it has none.
    public let name: String?
    /// Its media type, such as `image/png`, as the mail says it.
    public let type: String
    /// In bytes.
    public let size: Int
    /// What `cid:` in the HTML calls it; nil where it has no such name.
    public let contentID: String?
    /// Whether it stands within the text.
    public let isInline: Bool
}

extension MailBody {
    /// Reads the answer to `Email/get`.
    init(_ json: JSON) {
        let values = json["bodyValues"]
        func parts(_ name: String) -> [JSON] { json[name]?.arrayValue ?? [] }
        func texts(_ name: String) -> [Text] { parts(name).compactMap { Text($0, values) } }
        let (asHTML, asText) = (texts("htmlBody"), texts("textBody"))
        // Where a mail has no HTML, its text is listed as such, and the other way round (RFC 8621 §4.1.4).
        html = asHTML.contains(where: \.isHTML) ? asHTML.map(\.html).joined(separator: "\n") : nil
        // Some programs send an empty text beside the HTML.
        let isTextEmpty = asText.filter { !asHTML.contains($0) }.allSatisfy { $0.plain.allSatisfy(\.isWhitespace) }
        text = (isTextEmpty ? asHTML : asText).map(\.plain).joined(separator: "\n")
        let flags = values?.objectValue?.members.map(\.value) ?? []
        isTruncated = flags.contains { $0["isTruncated"]?.boolValue ?? false }
        isEncodingProblem = flags.contains { $0["isEncodingProblem"]?.boolValue ?? false }
        let found = Self.files(json).map(\.file)
        inlineFiles = found.filter(\.isInline)
        attachments = found.filter { !$0.isInline }
    }

    /// A file, and the name of the part that it is.
    struct Part {
        /// Nil where the server gives none.
        let partID: String?
        let file: MailFile
    }

    /// The files in the answer to `Email/get`, pictures within the text too, each once.
    static func files(_ json: JSON) -> [Part] {
        func parts(_ name: String) -> [JSON] { json[name]?.arrayValue ?? [] }
        // Pictures of a mail are among its parts to show; those that its HTML speaks of are among the attachments.
        let shown = (parts("htmlBody") + parts("textBody")).filter {
            !($0["type"]?.stringValue?.lowercased().hasPrefix("text/") ?? true)
        }
        var found: [Part] = []
        for part in parts("attachments") + shown {
            guard let file = MailFile(part),
                !found.contains(where: { $0.file.blobID == file.blobID && $0.file.name == file.name })
            else { continue }
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
        size = max(0, json["size"]?.intValue ?? 0)
        contentID = json["cid"]?.stringValue
        // Some programs call every attachment inline, others give each a content id.
        let disposition = json["disposition"]?.stringValue?.lowercased()
        isInline =
            type.hasPrefix("image/") && disposition != "attachment" && (disposition == "inline" || contentID != nil)
    }

    /// A name as a file may have it: what came before the last slash, and what can't be seen, is left out.
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

    /// At most as many bytes as file systems take, with its extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        let dot = name.lastIndex(of: ".").flatMap { name[$0...].utf8.count <= 16 ? $0 : nil } ?? name.endIndex
        let end = name[dot...]
        var stem = name[..<dot]
        while stem.utf8.count + end.utf8.count > longestName { stem = stem.dropLast() }
        return String(stem + end)
    }

    private static let longestName = 200
}
