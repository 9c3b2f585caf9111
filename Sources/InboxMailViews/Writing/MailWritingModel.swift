public import InboxMail
public import Observation

/// The state of a screen of mail that presents a mail being written, or the outbox.
///
/// ```swift
/// let writing = MailWritingModel()
/// writing.write(.reply(to: message.id), in: mail)
/// // In SwiftUI: MailScreen(accounts).mailWriting(writing)
/// ```
@MainActor
@Observable
public final class MailWritingModel {
    /// A screen that is presented.
    public enum Screen {
        /// A mail that is being written.
        case mail(ComposeModel)
        /// The mails on their way, and those that weren't sent.
        case outbox(OutboxModel)
    }

    /// The screen that is presented; nil for none.
    public private(set) var screen: Screen?

    /// Creates a model that presents nothing.
    public init() {}

    /// Presents a mail. One that was being written is kept as a draft.
    ///
    /// - Parameters:
    ///   - start: The initial content of the mail.
    ///   - mail: The account.
    public func write(_ start: ComposeStart = .new, in mail: Mail) {
        end()
        screen = .mail(ComposeModel(start, in: mail))
    }

    /// Presents an outbox.
    public func show(_ outbox: OutboxModel) {
        end()
        screen = .outbox(outbox)
    }

    /// Presents nothing any more. A mail that was being written is kept as a draft.
    public func end() {
        if case .mail(let model) = screen { Task { await model.close() } }
        screen = nil
    }
}
