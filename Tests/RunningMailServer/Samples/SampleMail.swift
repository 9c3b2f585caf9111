import Foundation

/// Mails as in real mailboxes, written for the tests. Each has one property that a client has to handle.
///
/// Every sample without a ``refusal`` can be appended to a mailbox. Each has its own `Message-ID`,
/// `<name@samples.example>`, unless it has no such header, and starts its own thread.
package enum SampleMail: String, CaseIterable, Sendable {
    // Bodies.
    case plainText, alternative, htmlOnly, flowed, links, emptyBody, headersOnly, rightToLeft, emoji, longLine

    // Structures of parts.
    case inlineImages, forwarded, invitation, newsletter, bounce, signed, attachmentOnly, manyAttachments
    case largeAttachment, deepParts, listFooter

    // Headers.
    case encodedHeaders, splitCharacters, rawUTF8Headers, encodedFileNames, outlookFileNames, noDate, brokenDate
    case oldDate, noSubject, emptyFrom, groups, manyRecipients, headersTooLong, longReferences, repeatedHeaders,
        foldedHeaders

    // Wrong or rare charsets.
    case asciiThatIsUTF8, utf8ThatIsLatin1, latin1ThatIsWindows, windows1252, iso2022JP, koi8R, gb2312, unknown8bit
    case unknownCharset, byteOrderMark, htmlOtherCharset

    // Incomplete mails.
    case missingEndBoundary, boundaryNeverFound, noBoundary, base64Garbage, quotedPrintableGarbage
    case unknownEncoding, contentTypeGarbage, partWithoutHeaders

    // Quotations.
    case replyOutlook, replyOutlookHTML, replyGmail, replyApple, replyWrote, replyGerman, replyBetweenLines, replyDeep

    // Mails that a server can reject.
    case nulBytes, bareNewlines

    /// The reason why Cyrus rejects the mail over IMAP; nil if it accepts it.
    package var refusal: String? {
        switch self {
        case .nulBytes: "contains NUL"
        case .bareNewlines: "contains bare newlines"
        default: nil
        }
    }

    /// The mail's bytes, with lines that end in CRLF.
    package var bytes: [UInt8] {
        switch self {
        case .plainText, .alternative, .htmlOnly, .flowed, .links, .emptyBody, .headersOnly, .rightToLeft, .emoji,
            .longLine:
            bodySample
        case .inlineImages, .forwarded, .invitation, .newsletter, .bounce, .signed, .attachmentOnly, .manyAttachments,
            .largeAttachment, .deepParts, .listFooter:
            partSample
        case .encodedHeaders, .splitCharacters, .rawUTF8Headers, .encodedFileNames, .outlookFileNames, .noDate,
            .brokenDate, .oldDate, .noSubject, .emptyFrom, .groups, .manyRecipients, .headersTooLong, .longReferences,
            .repeatedHeaders,
            .foldedHeaders:
            headerSample
        case .asciiThatIsUTF8, .utf8ThatIsLatin1, .latin1ThatIsWindows, .windows1252, .iso2022JP, .koi8R, .gb2312,
            .unknown8bit, .unknownCharset, .byteOrderMark, .htmlOtherCharset:
            charsetSample
        case .missingEndBoundary, .boundaryNeverFound, .noBoundary, .base64Garbage, .quotedPrintableGarbage,
            .unknownEncoding, .contentTypeGarbage, .partWithoutHeaders, .nulBytes, .bareNewlines:
            brokenSample
        case .replyOutlook, .replyOutlookHTML, .replyGmail, .replyApple, .replyWrote, .replyGerman, .replyBetweenLines,
            .replyDeep:
            replySample
        }
    }

    var messageID: String { "<\(rawValue)@samples.example>" }

    /// Returns the usual headers of a sample, followed by the given text, which begins with further headers.
    func mail(_ rest: String, subject: String, from: String = "Anna Berger <anna@example.com>") -> [UInt8] {
        Self.lines(
            """
            Return-Path: <anna@example.com>
            From: \(from)
            To: Alice Ahrens <alice@example.com>
            Subject: \(subject)
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: \(messageID)
            MIME-Version: 1.0
            \(rest)
            """
        )
    }

    /// Returns a text in UTF-8, with lines that end in CRLF.
    static func lines(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\r")) }
            bytes.append(byte)
        }
        return bytes + [13, 10]
    }

    /// Returns bytes as lines of Base64 (RFC 2045, 6.8), each of 76 characters, with line feeds.
    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    }

    /// A picture of one pixel, as Base64.
    static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}
