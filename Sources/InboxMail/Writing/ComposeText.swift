import Foundation
import MailComposing

/// The text of a draft as it is edited: the person's text, and the quoted mail below it, whose HTML is kept.
///
/// A draft without HTML is edited as a whole. So is one whose HTML was made by another program: its formatting is lost
/// with the first change of the text.
package struct ComposeText: Hashable, Sendable {
    /// The text that the person writes.
    package var own: String
    /// The text of the quoted mail; nil if it is part of ``own``, or if it has none.
    package private(set) var quoted: String?
    /// The HTML below the person's text; nil for a draft of plain text.
    private var quotedHTML: String?
    /// The original HTML, as long as the text is unchanged.
    private var foreign: (text: String, html: String)? {
        get { foreignText.flatMap { text in foreignHTML.map { (text, $0) } } }
        set { (foreignText, foreignHTML) = (newValue?.text, newValue?.html) }
    }
    private var foreignText: String?
    private var foreignHTML: String?

    private static let separator = "\n\n"
    /// The beginning of the HTML of a reply, in place of the person's text.
    private static let emptyHTML = "<div><br></div>"
    private static let end = "</div>"

    /// - Parameters:
    ///   - text: The plain text of a draft.
    ///   - html: Its HTML; nil if it has none.
    package init(_ text: String, html: String?) {
        own = text
        guard let html else { return }
        guard let place = Self.place(of: text, in: html) else {
            quotedHTML = Self.markup(below: text, in: html)
            if quotedHTML == nil { foreign = (text, html) }
            return
        }
        own = String(text[..<place.text])
        quoted = String(text[place.text...].dropFirst(Self.separator.count))
        quotedHTML = String(html[place.html...])
    }

    /// Whether the draft has formatting that a change of the text loses.
    package var losesFormatting: Bool { foreign.map { $0.text == own } ?? false }

    /// Whether the draft has HTML.
    package var hasHTML: Bool { losesFormatting || hasQuotedHTML }

    /// Whether the draft has the HTML of a quoted mail.
    var hasQuotedHTML: Bool { quotedHTML != nil }

    /// The plain text of the draft.
    package var text: String { quoted.map { own + Self.separator + $0 } ?? own }

    /// The HTML of the draft; nil for plain text only.
    package var html: String? {
        if let foreign, foreign.text == own { return foreign.html }
        return quotedHTML.map { Self.markup(of: own) + $0 }
    }

    /// Returns the HTML for another text of the draft, with the person's words in it above the quoted mail; nil if the
    /// text doesn't end with that mail any more, and for other words than those of another program's HTML: recipients
    /// would see the HTML, and not the words.
    func html(for text: String) -> String? {
        // An editor of HTML may have other spaces in its text.
        guard quotedHTML != nil else { return Self.words(text) == Self.words(self.text) ? html : nil }
        var changed = self
        changed.own = text
        if let quoted {
            let (whole, end) = (Self.withoutLastBreaks(text), Self.withoutLastBreaks(Self.separator + quoted))
            guard whole.suffix(end.count).elementsEqual(end) else { return nil }
            changed.own = String(whole.dropLast(end.count)) ?? ""
        }
        return changed.html
    }

    private static func withoutLastBreaks(_ text: String) -> Substring.UTF8View {
        var bytes = text[...].utf8
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }

    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    private static func markup(of own: String) -> String { own.isEmpty ? emptyHTML : TextMarkup.html(of: own) }

    /// Returns the HTML below that of a text; nil if the text's isn't above it.
    private static func markup(below text: String, in html: String) -> String? {
        guard let markupEnd = html.range(of: end)?.upperBound, asWritten(html[..<markupEnd]) == markup(of: text)
        else { return nil }
        return String(html[markupEnd...])
    }

    /// Returns the HTML of a text as ``TextMarkup`` writes it. On the server, and so on other devices, it is as the
    /// cleaner of HTML writes it: other characters are escaped, and quotations have no type.
    private static func asWritten(_ markup: Substring) -> String {
        let (space, quotation) = (Array("&nbsp;".utf8), Array("<blockquote>".utf8))
        let bytes = Array(markup.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var (index, isTag) = (0, false)
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&") where bytes[index...].starts(with: space):
                output.append(contentsOf: "\u{A0}".utf8)
                index += space.count
                continue
            case UInt8(ascii: "<") where bytes[index...].starts(with: quotation):
                output.append(contentsOf: "<blockquote type=\"cite\">".utf8)
                index += quotation.count
                continue
            case UInt8(ascii: "\"") where !isTag: output.append(contentsOf: "&quot;".utf8)
            default: output.append(byte)
            }
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") { isTag = byte == UInt8(ascii: "<") }
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns where the quotation begins in text and HTML; nil if the part above it isn't ``html`` of a text.
    private static func place(of text: String, in html: String) -> (text: String.Index, html: String.Index)? {
        if html.hasPrefix(emptyHTML), text.hasPrefix(separator) {
            return (text.startIndex, html.index(html.startIndex, offsetBy: emptyHTML.count))
        }
        // Texts are escaped, so that the first end of an element is that of the person's text.
        guard let markupEnd = html.range(of: end)?.upperBound else { return nil }
        let markup = asWritten(html[..<markupEnd])
        let length = markup.utf8.count
        let ends = paragraphEnds(of: text)
        // The longer a text, the longer is its markup, so that few have to be tried.
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            let written = TextMarkup.html(of: String(text[..<ends[middle]]))
            if written.utf8.count < length { low = middle + 1 } else { high = middle }
        }
        guard low < ends.count, TextMarkup.html(of: String(text[..<ends[low]])) == markup else { return nil }
        return (ends[low], markupEnd)
    }

    /// Returns where the separator is in a text, also within a longer run of line breaks.
    private static func paragraphEnds(of text: String) -> [String.Index] {
        var ends: [String.Index] = []
        var (last, beforeLast): (UInt8, UInt8) = (0, 0)
        let newline = UInt8(ascii: "\n")
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            // A line feed after a carriage return is one line break with it.
            if byte == newline, last == newline, beforeLast != UInt8(ascii: "\r") {
                ends.append(text.utf8.index(before: index))
            }
            (last, beforeLast) = (byte, last)
        }
        return ends
    }
}
