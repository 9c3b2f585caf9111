package import Foundation
package import HTMLCleaning
import HTMLParsing

/// The text of a mail within the reply to it, or within a mail that forwards it.
///
/// Time is linear in the length of the mail, and the quotation is bounded.
package struct Quotation: Sendable {
    /// The mail.
    package let mail: QuotedMail
    /// The language of the lines above it.
    package let language: QuotationLanguage
    /// The time zone of the dates.
    package let timeZone: TimeZone
    /// The maximum length of the text that is quoted, and of the HTML, in bytes. The rest is left out, and `[…]` says
    /// so.
    package let maxLength: Int

    /// The default of ``maxLength``.
    package static let defaultMaxLength = 512 * 1_024
    /// The maximum nesting of quotations. Deeper ones are as this one.
    package static let maxDepth = 32
    private static let maxNameLength = 200
    private static let maxAddressCount = 100
    private static let cutMark = "[…]"

    /// Creates a quotation.
    package init(
        of mail: QuotedMail,
        language: QuotationLanguage,
        timeZone: TimeZone,
        maxLength: Int = Quotation.defaultMaxLength
    ) {
        self.mail = mail
        self.language = language
        self.timeZone = timeZone
        self.maxLength = maxLength
    }

    // MARK: A reply

    /// The line that introduces the quotation, such as “On 26 November 2026 at 10:02, Anna Müller wrote:”; empty if the
    /// author isn't known.
    package var attribution: String {
        let author = (mail.from + mail.sender).first { !$0.displayName.isEmpty }
        guard let author else { return "" }
        let name = Self.line(author.displayName, maxLength: Self.maxNameLength)
        return language.attribution(name: name, moment: moment)
    }

    /// The text of the reply below the person's own: the introduction, and the lines of the mail, each with a quote
    /// mark. The signature of the mail is left out, and so are empty lines around it. It is empty if the mail has no
    /// text.
    package var text: String {
        let quoted = OwnText.withoutSignature(source).split(separator: "\n", omittingEmptySubsequences: false)
        let lines = Self.trimmed(quoted).map(Self.quoted)
        guard !lines.isEmpty else { return "" }
        return ((attribution.isEmpty ? [] : [attribution]) + lines).joined(separator: "\n")
    }

    /// The HTML of the reply below the person's own: the introduction, and the cleaned mail in a `blockquote
    /// type="cite"`. For a mail without HTML it is made from the text. It is empty if the mail has neither.
    ///
    /// - Parameter pictures: Decides about each picture of the mail, as `HTMLCleaner` asks for it. Those in the mail
    ///   itself have a `cid:` address.
    package func html(pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }) -> String {
        let content = markup(withoutSignature: true, pictures: pictures)
        guard !content.isEmpty else { return "" }
        let introduction = attribution.isEmpty ? "" : "<div\(direction)>\(TextMarkup.escaped(attribution))</div>\n"
        return "\(introduction)<blockquote type=\"cite\">\(content)</blockquote>"
    }

    // MARK: A mail that is forwarded

    /// The text of the mail that forwards it: its header, and all its text.
    package var forwardedText: String {
        let names = language.headerNames
        let lines = header.map { "\($0.name): \($0.value)" }
        return (["---------- \(names.divider) ----------"] + lines + ["", source]).joined(separator: "\n")
    }

    /// The HTML of the mail that forwards it: its header, and the cleaned mail.
    ///
    /// - Parameter pictures: Decides about each picture of the mail, as `HTMLCleaner` asks for it. Those in the mail
    ///   itself have a `cid:` address.
    package func forwardedHTML(pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }) -> String {
        let names = language.headerNames
        let lines = header.map { "<b>\(TextMarkup.escaped($0.name)):</b> \(TextMarkup.escaped($0.value))" }
        let all = ["---------- \(TextMarkup.escaped(names.divider)) ----------"] + lines
        let content = markup(withoutSignature: false, pictures: pictures)
        return "<div\(direction)>\(all.joined(separator: "<br>\n"))</div>\n<div><br></div>\n\(content)"
    }

    private var header: [(name: String, value: String)] {
        let names = language.headerNames
        let fields = [
            (names.from, list(mail.from.isEmpty ? mail.sender : mail.from)),
            (names.date, moment.map(language.dateAndTime) ?? ""),
            (names.subject, Self.line(mail.subject, maxLength: SubjectPrefix.maxSubjectLength)),
            (names.to, list(mail.to)), (names.cc, list(mail.cc)),
        ]
        return fields.filter { !$0.1.isEmpty }
    }

    private func list(_ addresses: [EmailAddress]) -> String {
        let texts = addresses.prefix(Self.maxAddressCount).map { address in
            let email = Self.line(address.email, maxLength: Self.maxNameLength)
            let name = Self.line(address.name ?? "", maxLength: Self.maxNameLength)
            return name.isEmpty || name == email ? email : "\(name) <\(email)>"
        }
        return (texts + (addresses.count > texts.count ? ["…"] : [])).joined(separator: ", ")
    }

    /// Returns a text in one line, without the marks that reorder what follows them, such as the address after a name.
    private static func line(_ text: String, maxLength: Int) -> String {
        var scalars = text.unicodeScalars
        scalars.removeAll { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) }
        return PlainCharacters.line(String(scalars), maxLength: maxLength)
    }

    // MARK: Contents

    private var moment: LocalDateTime? { mail.date.flatMap { LocalDateTime($0, in: timeZone) } }

    private var direction: String { language.isRightToLeft ? " dir=\"rtl\"" : "" }

    /// The text, or that of the HTML.
    private var source: String {
        var text = PlainCharacters.lines(mail.text)
        if text.allSatisfy(\.isWhitespace), let html = mail.html {
            text = HTMLPlainText.text(of: PlainCharacters.cut(html, maxLength: maxLength), marksQuotations: true)
        }
        guard text.utf8.count > maxLength else { return text }
        return "\(PlainCharacters.cut(text, maxLength: maxLength))\n\(Self.cutMark)"
    }

    private func markup(
        withoutSignature: Bool,
        pictures: (HTMLPicture) -> HTMLPicture.Decision
    ) -> String {
        guard let html = mail.html else {
            let text = withoutSignature ? OwnText.withoutSignature(source) : source
            let lines = Self.trimmed(text.split(separator: "\n", omittingEmptySubsequences: false))
            return lines.isEmpty ? "" : TextMarkup.html(of: lines.joined(separator: "\n"))
        }
        let limits = HTMLLimits(fitting: min(maxLength, html.utf8.count))
        let options = HTMLCleaner.Options(allowsDataPictures: true, limits: limits)
        let cleaned = HTMLCleaner(options).clean(html, pictures: pictures)
        return cleaned.isComplete ? cleaned.markup : "\(cleaned.markup)<div>\(Self.cutMark)</div>"
    }

    private static func trimmed(_ lines: [Substring]) -> ArraySlice<Substring> {
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }),
            let last = lines.lastIndex(where: { !$0.allSatisfy(\.isWhitespace) })
        else { return [] }
        return lines[first...last]
    }

    private static func quoted(_ line: Substring) -> String {
        let marks = line.utf8.prefix { $0 == UInt8(ascii: ">") }.count
        guard marks > 0 else { return line.isEmpty ? ">" : "> \(line)" }
        let rest = line.utf8.dropFirst(marks)
        let quoted = String(repeating: ">", count: min(marks + 1, maxDepth))
        let text = String(rest) ?? ""
        return text.isEmpty || text.utf8.first == UInt8(ascii: " ") ? quoted + text : "\(quoted) \(text)"
    }
}

extension Quotation {
    /// Returns HTML of any source with a quotation below it. Elements that the HTML leaves open end above the
    /// quotation.
    package static func html(_ own: String, above quotation: String) -> String {
        let options = HTMLCleaner.Options(allowsDataPictures: true, limits: HTMLLimits(fitting: own.utf8.count))
        return HTMLCleaner(options).clean(own).markup + quotation
    }
}

/// A date and time in a time zone, in the Gregorian calendar.
struct LocalDateTime {
    let year, month, day: Int
    /// The time, such as `09:02`.
    let time: String

    /// Returns nil for a date that isn't within the years 1 to 9999.
    init?(_ date: Date, in timeZone: TimeZone) {
        guard (-62_135_596_800...253_402_300_799).contains(date.timeIntervalSince1970) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        guard let year = parts.year, let month = parts.month, (1...12).contains(month), let day = parts.day,
            let hour = parts.hour, let minute = parts.minute
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        time = [hour, minute].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
