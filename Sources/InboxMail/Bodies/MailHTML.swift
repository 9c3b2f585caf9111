public import HTMLCleaning
import HTMLParsing

/// Finds the quotations and the signature in a mail's HTML, as ``MailText`` does in its text.
public enum MailHTML {
    /// A part of a mail's HTML.
    public struct Part: Sendable {
        /// The kind of the part.
        public let kind: MailText.Part.Kind
        /// The part, cleaned. Elements around several parts are in each of them.
        public let html: CleanHTML
    }

    /// The maximum number of parts. Everything after it belongs to the last one.
    public static let maxPartCount = 32

    /// Returns the parts of a mail, in order. Together they show the whole mail.
    ///
    /// A quotation is found by its element (`blockquote type="cite"`, and the elements of Gmail, Outlook, Thunderbird,
    /// Yahoo and Proton Mail), by the line that introduces it, or by the header that Outlook and others write before
    /// a mail that they forward or reply to. A signature is found by its element, or by a line of two hyphens and a
    /// space.
    ///
    /// - Parameters:
    ///   - html: The mail's HTML.
    ///   - options: The allowed elements and links, as for `HTMLCleaner`.
    ///   - pictures: Decides about each picture, as `HTMLCleaner` asks for it.
    /// - Returns: One part at least.
    public static func parts(
        of html: String,
        options: HTMLCleaner.Options = HTMLCleaner.Options(),
        pictures: (HTMLPicture) -> HTMLPicture.Decision = { _ in .keep }
    ) -> [Part] {
        let tree = HTMLParser.parse(html, limits: options.limits)
        var finder = HTMLPartFinder(tree)
        let cleaner = HTMLCleaner(options)
        return finder.parts().map { part in
            Part(kind: part.kind, html: cleaner.clean(tree, leavingOut: part.others, pictures: pictures))
        }
    }
}
