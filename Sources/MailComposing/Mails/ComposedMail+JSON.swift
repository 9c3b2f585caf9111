import Foundation
package import Groundwork

extension ComposedMail {
    /// Returns the `Email` to create (RFC 8621, section 4.6).
    ///
    /// Header values are in one line each, whatever the mail has in them, and the bodies have no null characters. An
    /// address has its domain in ASCII. Parts nest only where they have to: `multipart/mixed` for attachments,
    /// `multipart/alternative` for text and HTML, `multipart/related` for HTML and its pictures.
    ///
    /// A paragraph is one line, however long: the server sends long lines in quoted-printable, in which spaces at their
    /// ends, `-- ` and lines that begin with `From ` survive. The text isn't `format=flowed` (RFC 3676), and so has no
    /// `DelSp` for scripts without spaces: the `type` of a part has no parameters (RFC 8621, section 4.1.4), and the
    /// only other way is a `Content-Type` of our own. Cyrus 3.6 refuses `header:Content-Type`, and of
    /// `header:Content-Type:asRaw` it makes a mail with two such fields.
    ///
    /// A subject, a name or a file's name that a server could change is part of a header field in its raw form.
    ///
    /// - Parameters:
    ///   - mailboxIDs: The ids of the mailboxes that it is created in.
    ///   - keywords: The keywords, such as `$draft`.
    ///   - includesBcc: Whether the mail names the recipients of blind copies. A draft does, a mail that is submitted
    ///     must not.
    package func emailObject(mailboxIDs: [String], keywords: [String], includesBcc: Bool) -> JSON {
        func flags(_ names: [String]) -> JSON {
            var object = JSONObject()
            for name in names { object.add(name, true) }
            return .object(object)
        }
        var object = JSONObject([("mailboxIds", flags(mailboxIDs)), ("keywords", flags(keywords))])
        func add(_ name: String, _ addresses: [EmailAddress]) {
            let list = addresses.compactMap(\.wire)
            if EncodedWords.isAtRisk(list) {
                object.add("header:\(Self.fieldName(name)):asRaw", .string(" \(EncodedWords.addressList(list))"))
            } else if !list.isEmpty {
                object.add(name, .array(addresses.compactMap(\.wireJSON)))
            }
        }
        func add(_ name: String, _ ids: [String]) {
            let valid = ids.filter(MessageID.isValid)
            if !valid.isEmpty { object.add(name, JSON(valid)) }
        }
        add("messageId", [messageID])
        object.add(
            "sentAt",
            .string(RFC3339.string(from: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))))
        )
        add("from", [from])
        if let sender, !sender.isSame(as: from) { add("sender", [sender]) }
        add("replyTo", replyTo)
        add("to", to)
        add("cc", cc)
        if includesBcc { add("bcc", bcc) }
        let line = PlainCharacters.line(subject, maxLength: SubjectPrefix.maxSubjectLength)
        if EncodedWords.isAtRisk(line) {
            object.add("header:Subject:asRaw", .string(" \(EncodedWords.encoded(line))"))
        } else if !line.isEmpty {
            object.add("subject", .string(line))
        }
        add("inReplyTo", thread.inReplyTo)
        add("references", thread.references)
        object.add("bodyStructure", bodyStructure)
        object.add("bodyValues", bodyValues)
        return .object(object)
    }

    /// The header field of a property of addresses.
    private static func fieldName(_ property: String) -> String {
        property == "replyTo" ? "Reply-To" : property.prefix(1).uppercased() + property.dropFirst()
    }

    private static let (textID, htmlID) = ("text", "html")

    /// The text that is sent.
    package var writtenText: String {
        guard let html, text.allSatisfy(\.isWhitespace) else { return PlainCharacters.lines(text) }
        return PlainCharacters.lines(HTMLPlainText.text(of: html, marksQuotations: true))
    }

    private var bodyValues: JSON {
        var values = JSONObject([(Self.textID, ["value": .string(writtenText)])])
        if let html { values.add(Self.htmlID, ["value": .string(PlainCharacters.lines(html))]) }
        return .object(values)
    }

    private var bodyStructure: JSON {
        let isRelated = { (file: Attachment) in html != nil && file.isInline && file.plainContentID != nil }
        let text = part(Self.textID, "text/plain")
        var body = text
        if html != nil {
            let html = part(Self.htmlID, "text/html")
            let related = attachments.filter(isRelated).map { $0.part(isInline: true) }
            body = multipart("alternative", [text, multipart("related", [html] + related)])
        }
        return multipart("mixed", [body] + attachments.filter { !isRelated($0) }.map { $0.part(isInline: false) })
    }

    private func part(_ id: String, _ type: String) -> JSON {
        var part = JSONObject([("partId", .string(id)), ("type", .string(type))])
        if let language, Self.isLanguageTag(language) { part.add("language", [.string(language)]) }
        return .object(part)
    }

    /// Returns the part that has others in it; the only one if there are no others.
    private func multipart(_ subtype: String, _ parts: [JSON]) -> JSON {
        guard parts.count > 1 else { return parts.first ?? .null }
        return ["type": .string("multipart/\(subtype)"), "subParts": .array(parts)]
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        (1...35).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-")
            }
    }
}

extension ComposedMail.Attachment {
    /// The content id without angle brackets; nil if there is none that can be written.
    package var plainContentID: String? {
        guard var id = contentID?[...] else { return nil }
        if id.hasPrefix("<"), id.hasSuffix(">") { id = id.dropFirst().dropLast() }
        return MessageID.isValid(id) ? String(id) : nil
    }

    /// The media type in lower case, or that of unknown bytes if it isn't one, or if it is that of a mail or of parts.
    ///
    /// A mail within a mail can't be encoded (RFC 2046, section 5.2.1), so that a file whose lines are too long, or
    /// that isn't a mail at all, can't be sent as one. Cyrus 3.6 sends such a file without the parts that it doesn't
    /// recognize as a mail.
    package var plainType: String {
        let type = self.type.lowercased()
        let sides = type.split(separator: "/", omittingEmptySubsequences: false)
        let isType =
            sides.count == 2 && type.utf8.count <= 127
            && sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isToken) }
        return isType && !["multipart", "message"].contains(sides[0]) ? type : "application/octet-stream"
    }

    /// The character encoding in lower case; nil for another file than a text, or if it isn't the name of one.
    private var plainCharset: String? {
        guard plainType.hasPrefix("text/"), let name = charset?.lowercased(), (1...40).contains(name.utf8.count) else {
            return nil
        }
        return name.utf8.allSatisfy(isToken) ? name : nil
    }

    /// The file name in one line; nil if there is none.
    package var plainName: String? {
        guard let name else { return nil }
        let line = PlainCharacters.line(name, maxLength: name.utf8.count)
        guard line.utf8.count > Self.maxNameLength else { return line.isEmpty ? nil : line }
        // The end shows the kind of file.
        let dot = line.lastIndex(of: ".").flatMap { line[$0...].utf8.count <= 16 ? $0 : nil } ?? line.endIndex
        let end = line[dot...]
        return PlainCharacters.cut(String(line[..<dot]), maxLength: Self.maxNameLength - end.utf8.count) + end
    }

    private static let maxNameLength = 200

    /// Returns the part of a mail.
    func part(isInline: Bool) -> JSON {
        var part = JSONObject([("blobId", .string(blobID)), ("type", .string(plainType))])
        if let charset = plainCharset { part.add("charset", .string(charset)) }
        let disposition = isInline ? "inline" : "attachment"
        if let name = plainName, EncodedWords.isAtRisk(fileName: name) {
            let field = EncodedWords.disposition(disposition, fileName: name)
            part.add("header:Content-Disposition:asRaw", .string(" \(field)"))
        } else {
            if let name = plainName { part.add("name", .string(name)) }
            part.add("disposition", .string(disposition))
        }
        if let id = plainContentID { part.add("cid", .string(id)) }
        return .object(part)
    }

    /// Whether a byte may be in the name of a media type, or of a character encoding (RFC 2045, section 5.1).
    private func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$&^_.+-".utf8.contains(byte)
        }
    }
}

extension EmailAddress {
    private static let maxNameLength = 500

    /// The `EmailAddress` object of a mail that is sent: in one line, with the domain in ASCII; nil if there is no
    /// address.
    package var wireJSON: JSON? {
        wire.map { name, email in ["name": name.isEmpty ? .null : .string(name), "email": .string(email)] }
    }

    /// The name and the address as they are sent.
    fileprivate var wire: (name: String, email: String)? {
        let address = PlainCharacters.line(wireEmail, maxLength: 2_000)
        // A server drops the text after a space, which would leave another address.
        guard !address.isEmpty, problem == nil || !address.contains(where: \.isWhitespace) else { return nil }
        return (PlainCharacters.line(name ?? "", maxLength: Self.maxNameLength), address)
    }
}
