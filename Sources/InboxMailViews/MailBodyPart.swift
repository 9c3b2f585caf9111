public import Foundation
public import HTMLViews
public import InboxMail

/// A part of a mail on screen: the author's own text, a quotation or a signature.
public struct MailBodyPart: Identifiable {
    /// The place of the part in the mail.
    public let id: Int
    /// The kind of the part.
    public let kind: MailText.Part.Kind
    /// The part.
    public let content: Content
    /// Whether the part is folded. Quotations and signatures are at first, below text of the author's own.
    public internal(set) var isFolded: Bool

    /// The content of a part.
    public enum Content: Hashable, Sendable {
        /// HTML in a web view.
        case html(HTMLPage)
        /// Text with its links.
        case text(AttributedString)
    }

    /// Whether the person can fold and unfold the part.
    public var canFold: Bool { kind != .own }
}

/// The state of a ``MailBodyModel``.
public enum MailBodyState {
    /// Nothing is shown yet.
    case loading
    /// The parts of the mail; none if it has no text.
    case shown([MailBodyPart])
    /// The mail was deleted, here or elsewhere.
    case gone
    /// The reason why nothing is shown. ``MailBodyModel/retry()`` tries it again.
    case failed(any Error)

    /// The parts, if the mail is shown.
    public var parts: [MailBodyPart] {
        if case .shown(let parts) = self { parts } else { [] }
    }
}
