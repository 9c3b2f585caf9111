import Foundation
import InboxMail

/// The mail below the person's text in a reply or forward, as ``Mail`` quotes it.
struct DraftQuotation: Hashable, Sendable {
    /// The text, without empty lines at its ends.
    let text: String
    /// The HTML; nil for a draft of plain text.
    let html: String?
    /// Whether the mail is forwarded. Otherwise it is answered.
    let isForward: Bool

    /// The lines between the person's text and the quotation.
    private static let separator = "\n\n"
    /// The beginning of the HTML of a reply, in place of the person's text.
    private static let emptyHTML = "<div><br></div>"

    /// Returns nil if nothing is quoted.
    ///
    /// - Parameter draft: A new reply or forward, without a text of the person.
    init?(of draft: MailDraft) {
        guard draft.answeredMessageID != nil || draft.forwardedMessageID != nil else { return nil }
        self.init(
            text: draft.text,
            html: draft.html.map { String($0.trimmingPrefix(Self.emptyHTML)) },
            isForward: draft.forwardedMessageID != nil
        )
        guard !text.isEmpty || html != nil else { return nil }
    }

    init(text: String, html: String?, isForward: Bool) {
        self.text = String(DraftEdit.withoutLastBreaks(String(text.trimmingPrefix(Self.separator))))
        (self.html, self.isForward) = (html, isForward)
    }

    /// Returns the quotation of a stored draft: the answered or forwarded mail is quoted again.
    ///
    /// - Parameter offline: Whether the server isn't asked for the mail's text, if this device lacks it.
    /// - Returns: Nil if the draft's text doesn't end with that mail, if its text isn't available, or if nothing is
    ///   answered or forwarded.
    /// - Throws: `MailError`: `storage`, `closed`.
    static func find(in draft: MailDraft, of mail: Mail, offline: Bool) async throws -> DraftQuotation? {
        guard let id = draft.forwardedMessageID ?? draft.answeredMessageID else { return nil }
        let made: MailDraft
        do {
            if offline, try await mail.storedBody(of: id)?.isTruncated ?? true { return nil }
            made = try await draft.forwardedMessageID == nil ? mail.reply(to: id) : mail.forward(id)
        } catch let error as MailError where error.code != .storage && error.code != .closed {
            return nil
        }
        guard let found = DraftQuotation(of: made), found.isEnd(of: draft) else { return nil }
        return DraftQuotation(text: found.text, html: draft.html == nil ? nil : found.html, isForward: found.isForward)
    }

    // MARK: - The person's text

    /// Returns a text of the person with the quotation below it, unless it has that already.
    func text(below own: String) -> String {
        let own = String(DraftEdit.withoutLastBreaks(own))
        let hasQuotation = text.isEmpty || Self.isEnd(Self.lines(text)[...], of: Self.lines(own))
        return hasQuotation ? own : own + Self.separator + text
    }

    /// Returns HTML of the person with the quotation below it, unless it has that already.
    func html(below own: String) -> String {
        own.hasSuffix(markup) ? own : Quotation.html(own, above: markup)
    }

    /// Returns the HTML of a text that ends with the quotation; nil for another text.
    func html(of text: String) -> String? {
        guard let own = self.own(of: text) else { return nil }
        return (own.allSatisfy(\.isWhitespace) ? Self.emptyHTML : TextMarkup.html(of: String(own))) + markup
    }

    private var markup: String { html ?? TextMarkup.html(of: text) }

    /// Returns the person's text above the quotation; nil for a text that doesn't end with it.
    private func own(of whole: String) -> Substring? {
        let whole = DraftEdit.withoutLastBreaks(whole)
        guard !text.isEmpty else { return whole }
        guard whole.hasSuffix(text) else { return nil }
        var own = whole.dropLast(text.count)
        guard own.last?.isNewline ?? true else { return nil }
        for _ in 0..<2 where own.last?.isNewline ?? false { own.removeLast() }
        return own
    }

    // MARK: - The place

    private func isEnd(of draft: MailDraft) -> Bool {
        guard !text.isEmpty else { return draft.html?.hasSuffix(markup) ?? false }
        return isEnd(of: draft.text)
    }

    /// Whether a text ends with the mail. The lines that introduce it may be others: they depend on the language and
    /// the time zone of a device.
    func isEnd(of other: String) -> Bool {
        let (all, found) = (Self.lines(text), Self.lines(other))
        guard isForward else {
            let quoted = all.drop { !$0.hasPrefix(">") }
            return Self.isEnd(quoted, of: found)
        }
        // Below the header, and the empty line after it.
        let content = all.drop { !$0.isEmpty }.drop { $0.isEmpty }
        guard !content.isEmpty else { return Self.isEnd(all[...], of: found) }
        return Self.isEnd(content, of: found) && found.dropLast(content.count).contains { $0.hasPrefix("-----") }
    }

    private static func isEnd(_ wanted: ArraySlice<Substring>, of lines: [Substring]) -> Bool {
        lines.count >= wanted.count && lines.suffix(wanted.count).elementsEqual(wanted)
    }

    /// The lines without the spaces at their ends, which are lost on the way, and without empty ones at the end.
    private static func lines(_ text: String) -> [Substring] {
        let text = text.replacing("\r\n", with: "\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            guard let last = line.lastIndex(where: { !$0.isWhitespace }) else { return "" }
            return line[...last]
        }
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines
    }
}
