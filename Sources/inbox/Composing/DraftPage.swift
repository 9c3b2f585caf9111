import Foundation
import InboxMail

/// A draft as a text to edit: header lines, an empty line, and the text of the mail.
///
///     To: Bob Ärmel <bob@example.org>
///     Subject: Plans
///     Attach: report.pdf
///
///     Hello Bob,
///
/// Lines that begin with `#` above the empty line are ignored, and one that begins with a space continues the line
/// before it. A header may be given several times, except From and Subject.
struct DraftPage: Hashable, Sendable {
    /// A line of the header.
    enum Field: String, CaseIterable, Hashable, Sendable {
        case from = "From"
        case replyTo = "Reply-To"
        case to = "To"
        case cc = "Cc"
        case bcc = "Bcc"
        case subject = "Subject"
        /// A file to attach, by its path.
        case attach = "Attach"
        /// A file that the draft has already: its number, from 1. Without its line, it is removed.
        case file = "File"
    }

    /// The values of each header that the page has, in order, without empty ones.
    var values: [Field: [String]] = [:]
    /// The text of the mail, without an empty line at the end.
    var text: String

    init(values: [Field: [String]] = [:], text: String) { (self.values, self.text) = (values, text) }

    // MARK: - Writing

    /// The page of a draft.
    ///
    /// - Parameters:
    ///   - notes: Lines for the person, such as the draft's problems.
    ///   - isForEditing: Whether a line explains how to edit the page.
    ///   - removed: The ids of files that aren't listed, because they are about to be removed.
    static func text(
        of draft: MailDraft,
        notes: [String] = [],
        isForEditing: Bool = true,
        without removed: [String] = []
    ) -> String {
        var lines: [String] = []
        if let from = draft.from { lines.append(line(.from, from.typedText)) }
        if !draft.replyTo.isEmpty { lines.append(line(.replyTo, EmailAddress.typedText(of: draft.replyTo))) }
        for (field, people) in [(Field.to, draft.to), (.cc, draft.cc), (.bcc, draft.bcc)] {
            lines.append(line(field, EmailAddress.typedText(of: people)))
        }
        lines.append(line(.subject, draft.subject.plainLine))
        for (number, file) in draft.numberedFiles where !removed.contains(file.id) {
            lines.append(line(.file, "\(number) \(file.name.plainLine) (\(ByteCount.text(file.size)))"))
        }
        lines += (notes + (isForEditing ? instructions : [])).map { "# \($0)" }
        return (lines + ["", draft.text]).joined(separator: "\n") + "\n"
    }

    private static let instructions = [
        "The mail begins below the empty line. Attach a file with a line such as: Attach: report.pdf"
    ]

    private static func line(_ field: Field, _ value: String) -> String {
        // An address that a server or another program has given could begin a line of its own, such as Attach.
        let value = value.contains(where: \.isNewline) ? value.plainLine : value
        return value.isEmpty ? "\(field.rawValue):" : "\(field.rawValue): \(value)"
    }

    // MARK: - Reading

    /// A line that can't be read.
    struct Problem: Error, Hashable, CustomStringConvertible {
        /// The number of the line, from 1; 0 for a problem of the page as a whole.
        let line: Int
        let description: String

        /// The problem with its place.
        ///
        /// - Parameter source: The name of the page's source; nil for the person's own page.
        func text(in source: String? = nil) -> String {
            guard line > 0 else { return description }
            return "Line \(line)\(source.map { " of \($0)" } ?? ""): \(description)"
        }
    }

    /// Reads a page.
    ///
    /// - Throws: ``Problem`` for the first line that can't be read.
    init(reading page: String) throws(Problem) {
        // A byte order mark, and line breaks of other systems.
        let lines = page.trimmingPrefix("\u{FEFF}").replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        var values: [Field: [String]] = [:]
        var last: Field?
        var rest = lines[...]
        while let line = rest.first {
            rest.removeFirst()
            let number = rest.startIndex
            if line.allSatisfy(\.isWhitespace) { break }
            if line.hasPrefix("#") { continue }
            let value: Substring
            if line.first?.isWhitespace ?? false, let last {
                (value, values[last]) = Self.joined(values[last], line)
                if value.isEmpty { continue }
            } else if let colon = line.firstIndex(of: ":"), let field = Self.field(line[..<colon]) {
                (last, value) = (field, line[line.index(after: colon)...])
            } else {
                throw Problem(line: number, description: Self.problem(line))
            }
            guard let last else { continue }
            let trimmed = value.trimmingCharacters(in: .whitespaces)
            values[last, default: []] += trimmed.isEmpty ? [] : [trimmed]
        }
        var text = rest.joined(separator: "\n")
        while text.last?.isNewline ?? false { text.removeLast() }
        self.init(values: values, text: text)
    }

    /// Appends a continuing line to the last value of a header.
    private static func joined(_ values: [String]?, _ line: Substring) -> (Substring, [String]?) {
        guard var values, let last = values.popLast() else { return (line, values) }
        return ("", values + ["\(last) \(line.trimmingCharacters(in: .whitespaces))"])
    }

    private static func field(_ name: Substring) -> Field? {
        let name = name.trimmingCharacters(in: .whitespaces).lowercased()
        return Field.allCases.first { $0.rawValue.lowercased() == name }
    }

    private static func problem(_ line: Substring) -> String {
        let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
        let shown = String(line).plainLine.cut(to: 40)
        return "\"\(shown)\" is neither a header (\(names)) nor a note (#). "
            + "An empty line has to be above the text of the mail."
    }
}

extension MailDraft {
    /// The files without the pictures that the HTML shows, and their numbers, from 1.
    var numberedFiles: [(number: Int, file: DraftAttachment)] {
        let shown = Set(shownPictures.map(\.id))
        return attachments.enumerated().filter { !shown.contains($0.element.id) }
            .map { (number: $0.offset + 1, file: $0.element) }
    }
}
