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
    /// The property of a part that has its whole media type (RFC 8621 §4.1.3).
    static let contentType = "header:Content-Type"

    /// The text of a part as it was written, where its lines were broken for the way.
    private static func unbroken(_ text: String, _ part: JSON) -> String {
        let parameters = FlowedText.parameters(part[contentType]?.stringValue ?? "")
        guard parameters["format"] == "flowed" else { return text }
        return FlowedText.joined(text, deletesSpace: parameters["delsp"] == "yes")
    }

    /// Reads the answer to `Email/get`.
    init(_ json: JSON) {
        let values = json["bodyValues"]
        func parts(_ name: String) -> [JSON] { json[name]?.arrayValue ?? [] }
        func text(_ part: JSON) -> String? {
            part["partId"]?.stringValue.flatMap { values?[$0]?["value"]?.stringValue }
        }
        func texts(_ name: String, _ type: String) -> [String] {
            parts(name).filter { $0["type"]?.stringValue?.lowercased() == type }.compactMap(text)
        }
        // Where a mail has no HTML, its text is listed as such (RFC 8621 §4.1.4).
        let html = texts("htmlBody", "text/html")
        self.html = html.isEmpty ? nil : html.joined(separator: "\n")
        let plain = parts("textBody").filter { $0["type"]?.stringValue?.lowercased() == "text/plain" }
            .compactMap { part in text(part).map { Self.unbroken($0, part) } }.joined(separator: "\n")
        if plain.allSatisfy(\.isWhitespace) {
            let source = html.isEmpty ? texts("textBody", "text/html") : html
            self.text = source.map(HTMLText.plain).joined(separator: "\n")
        } else {
            self.text = Self.withLineFeeds(plain)
        }
        let flags = values?.objectValue?.members.map(\.value) ?? []
        isTruncated = flags.contains { $0["isTruncated"]?.boolValue ?? false }
        isEncodingProblem = flags.contains { $0["isEncodingProblem"]?.boolValue ?? false }
        // Pictures of a mail are among its parts to show; those that its HTML speaks of are among the attachments.
        let shown = (parts("htmlBody") + parts("textBody")).filter {
            !($0["type"]?.stringValue?.lowercased().hasPrefix("text/") ?? true)
        }
        var found: [MailFile] = []
        for part in parts("attachments") + shown {
            guard let file = MailFile(part),
                !found.contains(where: { $0.blobID == file.blobID && $0.name == file.name })
            else { continue }
            found.append(file)
        }
        inlineFiles = found.filter(\.isInline)
        attachments = found.filter { !$0.isInline }
    }

    /// A text whose lines end with line feeds alone.
    ///
    /// By bytes: to look for characters would take longer than all else about a body.
    private static func withLineFeeds(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for (place, byte) in bytes.enumerated() {
            let isEnd = byte == UInt8(ascii: "\r") && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "\n")
            if !isEnd { kept.append(byte) }
        }
        return String(decoding: kept, as: UTF8.self)
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
